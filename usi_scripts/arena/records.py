#!/usr/bin/env python3
"""Games of a run of ShogiArena as records that Tenbin reads, one a line: `usi_scripts/arena/records.py RUN > games.txt`.

A run keeps its games in game.db; a move there is 16 bits: destination, origin (or the kind of piece in hand), drop,
promotion. Squares count from 1a down each file.
"""

import pathlib
import sqlite3
import sys

RANKS = "abcdefghi"
HAND = " PLNSBRG"


def square(number):
    return f"{number // 9 + 1}{RANKS[number % 9]}"


def usi(move):
    move &= 0xFFFF
    to = square(move & 0x7F)
    origin = move >> 7 & 0x7F
    if move & 0x4000:
        return f"{HAND[origin]}*{to}"
    # Resignation and the like have the destination for origin.
    return None if origin == move & 0x7F else square(origin) + to + ("+" if move & 0x8000 else "")


def main():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} RUN, a folder with game.db")
    path = pathlib.Path(sys.argv[1]) / "game.db"
    if not path.is_file():
        sys.exit(f"{path}: there is no such file")
    base = sqlite3.connect(path)
    games = base.execute("select id, game_result, initial_position_sfen from game order by id").fetchall()
    for number, result, start in games:
        moves = base.execute("select next_move, eval from game_move where game_id = ? order by ply", (number,))
        told = [f"{usi(move)}:{score}" for move, score in moves if usi(move)]
        winner = "b" if result.startswith("BLACK_WIN") else "w" if result.startswith("WHITE_WIN") else "d"
        start = "startpos" if start in (None, "", "startpos") else "sfen " + start.removeprefix("sfen ")
        print(f"{start}|{' '.join(told)}|{winner}|{result}")


main()
