"""A match of the engine against itself through cshogi.cli, with our own check of the clock.

cshogi does not mind a late answer, so the engine's log is read afterwards: every `go byoyomi N` must have its
`bestmove` within N milliseconds. An answer that is late while the host of a virtual machine took the processor away for at
least as long ("steal" in /proc/stat) is counted apart: no engine can answer then.
"""

import bisect
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

OPENINGS = pathlib.Path(__file__).resolve().parent.parent / "data" / "openings.txt"
STAMP = re.compile(r"^(\d\d):(\d\d):(\d\d)\.(\d{3}) usi ([<>]) (\w+)")
DAY_MS = 24 * 3600 * 1000


class Watch(threading.Thread):
    """Writes down how much processor time the host has taken, against the time of day that the log uses too."""

    def __init__(self):
        super().__init__(daemon=True)
        self.moments, self.stolen, self.over = [], [], threading.Event()

    def run(self):
        while not self.over.wait(0.01):
            self.moments.append(time.time() * 1000 % DAY_MS)
            self.stolen.append(stolen_ms())

    def taken(self, start, end):
        """Milliseconds taken between two times of day, with some room for the slow counter."""
        first = max(bisect.bisect(self.moments, start - 30) - 1, 0)
        last = min(bisect.bisect(self.moments, end + 50), len(self.moments) - 1)
        return self.stolen[last] - self.stolen[first] if self.moments else 0


def stolen_ms():
    try:
        return 10 * int(pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[8])
    except (OSError, IndexError, ValueError):
        return 0


def thinking_times(log):
    """When each `go` came and when it was answered, in milliseconds of the day."""
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
            times.append((began, now))
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
        command += ["--games", str(games), "--byoyomi", str(byoyomi), "--draw", "120"]
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
        return [times for log in logs for times in thinking_times(log)]


def main(path, games, byoyomi):
    # A machine that others use may stand still for a moment; the engine is to blame if it is late every time.
    for _ in range(3):
        watch = Watch()
        watch.start()
        times = play(path, games, byoyomi)
        watch.over.set()
        late = [(start, end) for start, end in times if (end - start) % DAY_MS > byoyomi]
        excused = [(start, end) for start, end in late if watch.taken(start, end) >= (end - start) % DAY_MS - byoyomi]
        longest = max((end - start) % DAY_MS for start, end in times)
        print(
            f"{games} games, {len(times)} moves at {byoyomi} ms: longest {longest} ms, {len(late)} late, "
            f"{len(excused)} of them without a processor",
            flush=True,
        )
        if len(late) == len(excused):
            return
    sys.exit("late three times")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
