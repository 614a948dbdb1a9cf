"""A match of the engine against itself through cshogi.cli, with our own check of the clock.

cshogi does not mind a late answer, so the engine's log is read afterwards: every `go byoyomi N` must have its
`bestmove` within N milliseconds.
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


def play(path, games, byoyomi):
    """Plays the match; returns the thinking times of both sides."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        logs = [folder / f"{player}.log" for player in (1, 2)]
        record = folder / "games.csa"
        command = [sys.executable, "-m", "cshogi.cli", path, path]
        command += ["--games", str(games), "--byoyomi", str(byoyomi), "--draw", "160"]
        command += ["--opening", str(OPENINGS), "--opening-seed", "1", "--csa", str(record), "--multi-csa"]
        for player, log in enumerate(logs, 1):
            command += [f"--options{player}", f"USI_Hash:16,Seed:{player},DebugLogFile:{log}"]
        match = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert match.returncode == 0, match.stdout
        finished = len(re.findall(r"games finished\.", match.stdout))
        assert finished == games, match.stdout
        for verdict in ("%ILLEGAL_MOVE", "%TIME_UP"):
            assert verdict not in record.read_text(), f"{verdict}\n{match.stdout}"
        for log in logs:
            text = log.read_text()
            assert "internal error" not in text and "panicked" not in text, text[-2000:]
        return [time for log in logs for time in thinking_times(log)]


def main(path, games, byoyomi):
    # A machine that others use may stand still for a moment; the engine is to blame if it is late every time.
    for _ in range(3):
        times = play(path, games, byoyomi)
        late = [time for time in times if time > byoyomi]
        print(f"{games} games, {len(times)} moves at {byoyomi} ms: longest {max(times)} ms, {len(late)} late")
        if not late:
            return
    sys.exit("late three times")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
