"""Writes a golden record for every case that has none. Those that are there are never written again.

python tests/make_golden.py
"""

from __future__ import annotations

from pathlib import Path

from cases import CASES, long_journey
from quincunx.games import load
from quincunx.match import Match, encode

FOLDER = Path(__file__).parent / "golden"
LONGEST = 120  # actions of a record; a match that goes on then is agreed to be drawn


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for case in CASES:
        path = FOLDER / f"{case}.json"
        if path.exists():
            continue
        game = load(case.game, "interpreted")
        match = Match(game, case.preset, setup=case.setup, seed=2026, dice=2026, **dict(case.options))
        for n, choice in enumerate(long_journey(7, LONGEST)):
            if match.over:
                break
            legal = game.legal(match.world)
            match.act(match.turn, legal[choice % len(legal)], at=1000 * n)
        if not match.over:
            match.agree_draw(at=1000 * LONGEST)
        path.write_bytes(encode(match.record()))
        print(path.name)


if __name__ == "__main__":
    main()
