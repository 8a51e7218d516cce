"""What one match of a contest leaves behind: who sat where, who came before whom, from which start.

Ratings, tables and sequential tests are pure functions of a list of these. Matches from the same start (`pair`) are not
independent, and whoever estimates an error must know which ones belong together.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Result(msgspec.Struct, frozen=True):
    """One match. Tuples are by seat."""

    pairing: int  # who meets whom, as the schedule numbers it
    game: int  # the number of the match in its pairing
    players: tuple[str, ...]
    ranks: tuple[int, ...]  # 1 is the winner; equal ranks share
    start: str = ""  # map, setup or set of options
    pair: int = 0  # matches of a pairing with the same pair had the same start and dice
    reason: str = ""  # why it ended
    seconds: tuple[float, ...] = ()  # of thought
    choices: tuple[int, ...] = ()  # how many actions were chosen
    troubles: tuple[str, ...] = ()  # why a player left before the end, if one did

    @property
    def points(self) -> tuple[float, ...]:
        return points(self.ranks)


def points(ranks: Sequence[int]) -> tuple[float, ...]:
    """1, ½, 0 for two; in general the share of the others that came behind, a shared rank counting half."""
    others = len(ranks) - 1
    return tuple((sum(mine < rank for rank in ranks) + (ranks.count(mine) - 1) / 2) / others for mine in ranks)
