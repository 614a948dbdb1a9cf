"""Every kind of `go` through cshogi's client, with its two listeners."""

import sys
import threading

import cshogi
from cshogi.usi import Engine, InfoListener, MultiPVListener

MATE_IN_ONE = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
NO_CHECK = "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1"
MATED = "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"
OPENING = ["7g7f", "3c3d", "2g2f", "8c8d"]


def later(seconds, action):
    """Has a client do something while it waits for the answer, as a player at a GUI does."""
    timer = threading.Timer(seconds, action)
    timer.start()
    return timer


def check_answer(name, board, listener, best, ponder):
    assert board.is_legal(board.move_from_usi(best)), f"{name}: illegal {best}"
    assert listener.bestmove == best, name
    assert listener.pv and listener.pv[0] == best, f"{name}: {listener.pv} but {best}"
    assert isinstance(listener.score, int), name
    for key in ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"):
        assert isinstance(listener.info[key], int), f"{name}: {key} is {listener.info.get(key)}"
    if ponder:
        board.push_usi(best)
        assert board.is_legal(board.move_from_usi(ponder)), f"{name}: illegal ponder {ponder}"
        board.pop()


def main(path):
    engine = Engine(path)
    assert engine.name.startswith("Tenbin"), engine.name
    options = engine.usi()
    assert any(line.startswith("option name USI_Ponder ") for line in options), options
    engine.setoption("USI_Hash", 16)
    engine.setoption("USI_Ponder", "true")
    engine.isready()
    engine.usinewgame()

    board = cshogi.Board()
    for move in OPENING:
        board.push_usi(move)
    listener = InfoListener()
    kinds = {
        "byoyomi": dict(byoyomi=100),
        "sudden death": dict(btime=3000, wtime=3000),
        "main time and byoyomi": dict(btime=1000, wtime=1000, byoyomi=100),
        "Fischer": dict(btime=1000, wtime=1000, binc=100, winc=100),
        "nodes": dict(nodes=2000),
        "nodes and byoyomi": dict(nodes=10**9, byoyomi=100),
    }
    for name, limits in kinds.items():
        engine.position(OPENING)
        best, ponder = engine.go(listener=listener.listen(), **limits)
        check_answer(name, board, listener, best, ponder)

    engine.position(OPENING)
    later(0.3, engine.stop)
    best, ponder = engine.go(listener=listener.listen())
    check_answer("infinite", board, listener, best, ponder)

    for name, action in (("ponder hit", engine.ponderhit), ("ponder miss", engine.stop)):
        engine.position(OPENING)
        later(0.3, action)
        best, ponder = engine.go(ponder=True, btime=0, wtime=0, byoyomi=100, listener=listener.listen())
        check_answer(name, board, listener, best, ponder)

    engine.setoption("MultiPV", 5)
    multipv = MultiPVListener()
    engine.position(OPENING)
    best, _ = engine.go(byoyomi=200, listener=multipv.listen())
    lines = multipv.info
    assert [line["multipv"] for line in lines] == [1, 2, 3, 4, 5], lines
    assert lines[0]["pv"][0] == best
    assert len({line["pv"][0] for line in lines}) == 5, "five lines about five moves"
    engine.setoption("MultiPV", 1)

    engine.position(sfen=MATE_IN_ONE)
    assert engine.go_mate(byoyomi=1000) == "G*5b"
    assert engine.go_mate() == "G*5b"
    best, _ = engine.go(byoyomi=100, listener=listener.listen())
    assert best == "G*5b" and listener.score == listener.mate_score, (best, listener.score)
    engine.position(sfen=NO_CHECK)
    assert engine.go_mate(byoyomi=1000) == "nomate"
    engine.position(sfen=MATED)
    assert engine.go(byoyomi=100) == ("resign", None)
    engine.gameover()
    engine.isready()
    engine.quit()
    print("every kind of go answered as cshogi expects")


if __name__ == "__main__":
    main(sys.argv[1])
