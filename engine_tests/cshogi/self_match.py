"""A match of the engine against itself through cshogi.cli, with our own check of the clock.

cshogi does not mind a late answer, so the engine's log is read afterwards: every `go byoyomi N` must have its
`bestmove` within N milliseconds. Two matches run side by side, one for each core.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

OPENINGS = pathlib.Path(__file__).resolve().parent.parent / "data" / "openings.txt"
STAMP = re.compile(r"^(\d\d):(\d\d):(\d\d)\.(\d{3}) usi ([<>]) (\w+)")
DAY_MS = 24 * 3600 * 1000


def thinking_times(log):
    """Milliseconds between each `go` and its answer."""
    times = []
    began = None
    for line in log.read_text().splitlines():
        match = STAMP.match(line)
        if not match:
            continue
        hours, minutes, seconds, millis = map(int, match.group(1, 2, 3, 4))
        now = ((hours * 60 + minutes) * 60 + seconds) * 1000 + millis
        direction, word = match.group(5, 6)
        if (direction, word) == (">", "go"):
            assert began is None, "a go before the last was answered"
            began = now
        elif (direction, word) == ("<", "bestmove"):
            times.append((now - began) % DAY_MS)
            began = None
    assert began is None, "the last go was never answered"
    return times


def start_match(path, folder, number, games, byoyomi):
    logs = [folder / f"{number}-{player}.log" for player in (1, 2)]
    command = [sys.executable, "-m", "cshogi.cli", path, path]
    command += ["--games", str(games), "--byoyomi", str(byoyomi), "--draw", "160"]
    command += ["--opening", str(OPENINGS), "--opening-seed", str(number)]
    command += ["--csa", str(folder / f"{number}.csa"), "--multi-csa"]
    for player, log in enumerate(logs, 1):
        command += [f"--options{player}", f"USI_Hash:16,Seed:{number * 2 + player},DebugLogFile:{log}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return process, logs


def main(path, games, byoyomi):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        halves = [games - games // 2, games // 2]
        matches = [start_match(path, folder, i, half, byoyomi) for i, half in enumerate(halves) if half]
        finished, times = 0, []
        for number, (process, logs) in enumerate(matches):
            output = process.communicate()[0]
            assert process.returncode == 0, output
            finished += len(re.findall(r"games finished\.", output))
            record = (folder / f"{number}.csa").read_text()
            for verdict in ("%ILLEGAL_MOVE", "%TIME_UP"):
                assert verdict not in record, f"{verdict}\n{output}"
            for log in logs:
                text = log.read_text()
                assert "internal error" not in text and "panicked" not in text, text[-2000:]
                times += thinking_times(log)
    late = [time for time in times if time > byoyomi]
    print(f"{finished} games, {len(times)} moves at {byoyomi} ms: longest {max(times)} ms, {len(late)} late")
    assert finished == games and not late


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
