"""Drives an executable through a whole USI session and a short game: python3 session.py COMMAND…

For packages: `python3 engine_tests/package/session.py wine64 dist/…/tenbin.exe`. Fails on anything that a player would see.
"""

import pathlib
import subprocess
import sys
import threading
import time

PATIENCE = 120


class Engine:
    """The program and the lines it has said."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.lines = []
        self.changed = threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(line.decode("ascii").rstrip("\r\n"))
                self.changed.notify_all()

    def send(self, line):
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def ask(self, line, word):
        """Sends a line and waits for one that begins with a word; that and all before it."""
        begin = len(self.lines)
        self.send(line)
        deadline = time.monotonic() + PATIENCE
        with self.changed:
            while True:
                for i in range(begin, len(self.lines)):
                    if self.lines[i].split(" ")[0] == word:
                        return self.lines[begin : i + 1]
                left = deadline - time.monotonic()
                if left <= 0 or (self.process.poll() is not None and not self.changed.wait(1)):
                    sys.exit(f"no {word} after {line!r}: {self.lines[begin:]}")
                self.changed.wait(left)

    def best(self, line):
        return self.ask(line, "bestmove")[-1].split(" ")[1]


def main(command):
    # Windows does not look for relative names where we are.
    program = pathlib.Path(command[0])
    engine = Engine([str(program.resolve()) if program.exists() else command[0], *command[1:]])
    said = engine.ask("usi", "usiok")
    assert any(line.startswith("id name Tenbin") for line in said), said
    assert sum(line.startswith("option name ") for line in said) > 30, said
    engine.send("setoption name USI_Hash value 32")
    for line in engine.ask("isready", "readyok")[:-1]:
        print(line)
    engine.send("usinewgame")
    moves = []
    for number in range(40):
        engine.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        move = engine.best("go btime 0 wtime 0 byoyomi 300")
        if move in ("resign", "win"):
            break
        moves.append(move)
        # The next position complains about a move that is not legal.
        start = len(engine.lines)
        engine.send("position startpos moves " + " ".join(moves))
        engine.ask("side", "black" if number % 2 else "white")
        assert not any("position:" in line for line in engine.lines[start:]), engine.lines[start:]
    print("game:", " ".join(moves))
    engine.send("position startpos moves 7g7f 3c3d")
    engine.send("go infinite")
    time.sleep(1)
    assert engine.best("stop") not in ("resign", "win")
    engine.send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1")
    assert engine.ask("go mate 5000", "checkmate")[-1].startswith("checkmate G*5b")
    nodes = engine.ask("go nodes 500", "bestmove")
    assert nodes[-2].startswith("info depth "), nodes
    engine.send("gameover win")
    engine.send("quit")
    assert engine.process.wait(20) == 0
    print("session: good")


main(sys.argv[1:])
