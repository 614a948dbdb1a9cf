"""Tries out the pages game.ja.html and game.en.html of a folder in headless Chromium, by WebDriver's own protocol."""

import base64
import json
import pathlib
import subprocess
import sys
import time
import urllib.error
import urllib.request

PORT = 9517
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{PORT}{path}", data, {"Content-Type": "application/json"}, method=method
    )
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path} {body}: {json.load(error)['value']['message']}")


class Browser:
    def __init__(self, width, height, phone=False):
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={width},{height}"]
        options = {"args": arguments}
        if phone:
            options["mobileEmulation"] = {"deviceMetrics": {"width": width, "height": height, "pixelRatio": 2}}
        wishes = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        answer = call("POST", "/session", {"capabilities": {"alwaysMatch": wishes}})
        self.session = f"/session/{answer['sessionId']}"

    def post(self, path, body):
        return call("POST", self.session + path, body)

    def open(self, page):
        self.post("/url", {"url": page.resolve().as_uri()})

    def run(self, script):
        return self.post("/execute/sync", {"script": script, "args": []})

    def find(self, selector):
        return self.post("/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.post(f"/element/{self.find(selector)}/click", {})

    def key(self, code):
        actions = [{"type": "keyDown", "value": code}, {"type": "keyUp", "value": code}]
        self.post("/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def place(self):
        """The number of the position that is shown, by the row that is lit."""
        return int(self.run("return document.querySelector('#moves tr.here').dataset.place"))

    def console(self):
        return self.post("/se/log", {"type": "browser"})

    def picture(self, path):
        path.write_bytes(base64.b64decode(call("GET", self.session + "/screenshot")))

    def close(self):
        call("DELETE", self.session)


FITS = "return document.documentElement.scrollWidth <= window.innerWidth"


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {found!r} instead of {wanted!r}")


def try_page(page, title):
    text = page.read_text(encoding="utf-8")
    for word in ("http://", "https://", "src=", "@import"):
        expect(f"{page.name} has {word}", word in text, False)
    browser = Browser(1180, 1000)
    browser.open(page)
    expect("title", browser.run("return document.querySelector('h1').textContent"), title)
    count = browser.run("return document.querySelectorAll('#moves tbody tr').length")
    expect("position at first", browser.place(), 0)
    expect("pieces at the start", browser.run("return document.querySelectorAll('#view use').length"), 41)
    board = "return document.querySelector('#view').innerHTML"
    before = browser.run(board)
    browser.click("#next")
    expect("position after a button", browser.place(), 1)
    expect("board changed", browser.run(board) != before, True)
    browser.key("\ue014")
    expect("position after the right arrow", browser.place(), 2)
    browser.key("\ue012")
    expect("position after the left arrow", browser.place(), 1)
    browser.click("#last")
    expect("position at last", browser.place(), count - 1)
    browser.click("#next")
    expect("position beyond the last", browser.place(), count - 1)
    browser.click("#back")
    expect("position before the last", browser.place(), count - 2)
    browser.click("#first")
    expect("position at first again", browser.place(), 0)
    browser.click("#moves tr[data-place='3']")
    expect("position of a row", browser.place(), 3)
    expect("a best line", len(browser.run("return document.getElementById('best').textContent")) > 3, True)
    browser.click("#graph")
    middle = (count - 1) / 2
    expect("the middle of the graph is the middle of the game", abs(browser.place() - middle) <= 2, True)
    cards = browser.run("return document.querySelectorAll('#turning article .board').length")
    expect("turning points with boards", cards > 0, True)
    browser.click("#turning h3[data-place]")
    expect("stepping to a turning point", browser.place() > 0, True)
    expect("curves by rating", browser.run("return document.querySelectorAll('#by-rating .rating').length"), 3)
    finds = browser.run("return document.querySelectorAll('#turning article span.found').length")
    expect("what a player finds, in most cards", finds * 2 > cards, True)
    browser.key("\ue011")
    expect("position after Home", browser.place(), 0)
    browser.click("#people tr[data-place]")
    expect("stepping to where ratings differ", browser.place() > 0, True)
    browser.click("#by-rating")
    expect("the middle of the other graph", abs(browser.place() - middle) <= 2, True)
    browser.key("\ue011")
    # As a key that is held down: browsers complain about pages that do too much then.
    for _ in range(250):
        browser.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}))")
        browser.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft'}))")
    expect("position after many steps", browser.place(), 0)
    browser.key("\ue010")
    expect("position after End", browser.place(), count - 1)
    browser.click("#turning h3[data-place]")
    expect("nothing sticks out", browser.run(FITS), True)
    expect("console", browser.console(), [])
    browser.run("window.scrollTo(0, 0)")
    time.sleep(0.6)
    browser.picture(page.with_suffix(".png"))
    for part in ("people", "turning"):
        browser.run(f"document.querySelector('#{part}').scrollIntoView()")
        time.sleep(0.3)
        browser.picture(page.with_suffix(f".{part}.png"))
    browser.close()
    browser = Browser(390, 844, phone=True)
    browser.open(page)
    expect("nothing sticks out of a phone", browser.run(FITS), True)
    browser.picture(page.with_suffix(".narrow.png"))
    browser.run("document.querySelector('#people').scrollIntoView()")
    time.sleep(0.3)
    browser.picture(page.with_suffix(".people.narrow.png"))
    browser.close()
    print(f"{page.name}: good")


def try_short(page, count, mates):
    """A page about a few moves, where there is little to show."""
    browser = Browser(1180, 1000)
    browser.open(page)
    expect("positions", browser.run("return document.querySelectorAll('#moves tbody tr').length"), count)
    browser.click("#last")
    expect("position at last", browser.place(), count - 1)
    browser.click("#next")
    browser.click("#graph")
    expect("mates missed", browser.run("return document.querySelectorAll('#mates li').length"), mates)
    expect("no nonsense", browser.run("return /NaN|undefined|null|-0\\.0/.test(document.body.innerText)"), False)
    expect("nothing sticks out", browser.run(FITS), True)
    expect("console", browser.console(), [])
    browser.picture(page.with_suffix(".png"))
    browser.close()
    print(f"{page.name}: good")


def main(folder):
    driver = subprocess.Popen(["chromedriver", f"--port={PORT}"], stdout=subprocess.DEVNULL)
    try:
        for _ in range(100):
            try:
                if call("GET", "/status")["ready"]:
                    break
            except OSError:
                time.sleep(0.2)
        try_page(folder / "game.ja.html", "棋譜解析")
        try_page(folder / "game.en.html", "Game analysis")
        try_short(folder / "one.html", 2, 0)
        try_short(folder / "odds.html", 5, 0)
        try_short(folder / "mate.html", 2, 1)
    finally:
        driver.terminate()
        driver.wait()


main(pathlib.Path(sys.argv[1]))
