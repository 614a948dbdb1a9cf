"""Games of Tenbin against Fairy-Stockfish and GPSshogi: python peers.py TENBIN GAMES BYOYOMI_MS

cshogi's board says which moves are legal. An answer of Tenbin that is late while the host of a virtual machine took the processor
away for as long is counted apart, as in self_match.py.
"""

import os
import pathlib
import queue
import subprocess
import sys
import threading
import time

import cshogi

from self_match import DAY_MS, OPENINGS, Watch

LONGEST = 256
PATIENCE = 30

PEERS = {
    "Fairy-Stockfish": (["/usr/games/fairy-stockfish"], {"Threads": "1"}),
    "GPSshogi": (["/usr/games/gpsusi", "-N", "1"], {"BookDepth": "0"}),
}


def waited_ms(process):
    """How long the threads of a process were ready to run and had no processor."""
    try:
        threads = pathlib.Path(f"/proc/{process}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[1]) for thread in threads) // 1_000_000
    except (OSError, IndexError, ValueError):
        return 0


class Gone(Exception):
    """The engine has ended, or says nothing."""


class Engine:
    def __init__(self, command, options):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
        )
        self.lines = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()
        self.ask("usi", "usiok")
        for name, value in options.items():
            self.send(f"setoption name {name} value {value}")
        self.ask("isready", "readyok")

    def listen(self):
        for line in self.process.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def send(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise Gone(line) from error

    def ask(self, line, word):
        self.send(line)
        while True:
            try:
                said = self.lines.get(timeout=PATIENCE)
            except queue.Empty:
                raise Gone(f"silent after {line}") from None
            if said is None:
                raise Gone(f"ended after {line}")
            if "internal error" in said:
                raise Gone(said)
            if said.split(" ")[0] == word:
                return said

    def quit(self):
        try:
            self.send("quit")
            return self.process.wait(5)
        except (Gone, subprocess.TimeoutExpired):
            self.process.kill()
            return None


class Faults(dict):
    """What Tenbin did wrong and how often, and how long its answers took."""

    answers, longest = 0, 0

    def add(self, what, detail):
        self[what] = self.get(what, 0) + 1
        print(f"{what}: {detail}", flush=True)

    def time(self, ms):
        self.answers += 1
        self.longest = max(self.longest, ms)


def game(tenbin, peer, tenbin_first, opening, byoyomi, watch, faults):
    """Points of Tenbin, or nothing where the peer spoiled the game."""
    board = cshogi.Board()
    moves = opening.split("moves ")[1].split() if "moves " in opening else []
    for move in moves:
        board.push_usi(move)
    for engine in (tenbin, peer):
        engine.ask("isready", "readyok")
        engine.send("usinewgame")
    for _ in range(LONGEST):
        ours = (board.turn == cshogi.BLACK) == tenbin_first
        engine = tenbin if ours else peer
        if board.is_game_over():
            return 0 if ours else 1
        repetition = board.is_draw()
        if repetition == cshogi.REPETITION_DRAW:
            return 0.5
        if repetition in (cshogi.REPETITION_WIN, cshogi.REPETITION_LOSE):
            return int((repetition == cshogi.REPETITION_WIN) == ours)
        position = "position startpos" + (" moves " + " ".join(moves) if moves else "")
        engine.send(position)
        waited = [waited_ms(process) for process in (tenbin.process.pid, os.getpid())]
        began = time.time() * 1000
        try:
            answer = engine.ask(f"go btime 0 wtime 0 byoyomi {byoyomi}", "bestmove").split(" ")[1]
        except Gone as gone:
            if not ours:
                raise
            faults.add("crash", gone)
            raise
        ended = time.time() * 1000
        if ours:
            faults.time(ended - began)
        if ours and ended - began > byoyomi:
            taken = watch.taken(began % DAY_MS, ended % DAY_MS)
            what = "late without a processor" if taken >= ended - began - byoyomi else "time loss"
            waits = [waited_ms(process) for process in (tenbin.process.pid, os.getpid())]
            without = [after - before for after, before in zip(waits, waited)]
            faults.add(
                what,
                f"{ended - began:.0f} ms, threads of Tenbin and of this script waited for a processor {without[0]} and "
                f"{without[1]} ms, load {os.getloadavg()[0]:.1f}, in {position}",
            )
        if answer == "resign":
            return 0 if ours else 1
        if answer == "win":
            if board.is_nyugyoku():
                return int(ours)
            if ours:
                faults.add("illegal move", f"a claim in {position}")
            return 0 if ours else None
        try:
            legal = board.is_legal(board.move_from_usi(answer))
        except (ValueError, KeyError):
            legal = False
        if not legal:
            if ours:
                faults.add("illegal move", f"{answer} in {position}")
                return 0
            return None
        board.push_usi(answer)
        moves.append(answer)
    return 0.5


def main(path, games, byoyomi):
    openings = OPENINGS.read_text().splitlines()
    watch = Watch()
    watch.start()
    bad = False
    for name, (command, options) in PEERS.items():
        faults = Faults()
        results, spoiled = [], 0
        tenbin = peer = None
        for number in range(games):
            try:
                tenbin = tenbin or Engine([path], {"USI_Hash": "64"})
                peer = peer or Engine(command, options)
                opening = openings[number // 2 % len(openings)]
                result = game(tenbin, peer, number % 2 == 0, opening, byoyomi, watch, faults)
            except Gone as gone:
                print(f"game {number + 1}: {gone}", flush=True)
                for engine in (tenbin, peer):
                    if engine:
                        engine.quit()
                tenbin = peer = result = None
            if result is None:
                spoiled += 1
            else:
                results.append(result)
                print(f"{name}, game {number + 1}: {result:g}", flush=True)
        if tenbin and tenbin.quit() != 0:
            faults.add("crash", "at the end")
        if peer:
            peer.quit()
        told = ", ".join(f"{count} {what}" for what, count in faults.items()) or "none"
        print(
            f"{name}: {len(results)} games at {byoyomi} ms, Tenbin won {results.count(1)}, drew {results.count(0.5)}, "
            f"lost {results.count(0)}; {spoiled} spoiled; {faults.answers} answers of Tenbin, the longest "
            f"{faults.longest:.0f} ms; faults of Tenbin: {told}",
            flush=True,
        )
        bad |= any(what != "late without a processor" for what in faults)
    sys.exit(bad)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
