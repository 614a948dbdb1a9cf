"""Are answers in time while every core is kept busy by others?

Plays the engine against itself under byoyomi, measuring at the client's end of the pipe.
Usage: python3 engine_tests/under_load.py ENGINE [MOVES] [BYOYOMI_MS …]; by default 300 moves at 1000 and at 200 ms.
"""

import multiprocessing
import subprocess
import sys
import time

LONGEST_GAME = 150


def spin():
    while True:
        pass


class Client:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read_until(self, word):
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError("the engine has gone")
            if line.split()[:1] == [word]:
                return line.split()


def measure(path, count, byoyomi):
    client = Client(path)
    client.send("isready")
    client.read_until("readyok")
    client.send("usinewgame")
    times, moves = [], []
    while len(times) < count:
        client.send("position startpos moves " + " ".join(moves))
        began = time.perf_counter()
        client.send(f"go btime 0 wtime 0 byoyomi {byoyomi}")
        answer = client.read_until("bestmove")
        times.append((time.perf_counter() - began) * 1000)
        if answer[1] in ("resign", "win") or len(moves) >= LONGEST_GAME:
            moves = []
        else:
            moves.append(answer[1])
    client.send("quit")
    client.process.wait()
    return times


def main(path, count, byoyomis):
    cores = multiprocessing.cpu_count()
    load = [multiprocessing.Process(target=spin, daemon=True) for _ in range(cores)]
    for process in load:
        process.start()
    late = 0
    for byoyomi in byoyomis:
        times = measure(path, count, byoyomi)
        too_late = sum(ms > byoyomi for ms in times)
        late += too_late
        mean = sum(times) / len(times)
        print(
            f"{len(times)} moves at {byoyomi} ms byoyomi, {cores} cores busy: mean {mean:.1f} ms, "
            f"longest {max(times):.1f} ms, {too_late} late",
            flush=True,
        )
    return late


if __name__ == "__main__":
    arguments = sys.argv[2:]
    moves = int(arguments[0]) if arguments else 300
    sys.exit(1 if main(sys.argv[1], moves, [int(ms) for ms in arguments[1:]] or [1000, 200]) else 0)
