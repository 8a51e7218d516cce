"""Who stands where in an arena: in one of rounds by points, as in a tournament; in one that goes on by itself, by
rating. Who has not played has no place yet, and comes last."""

from __future__ import annotations

from collections.abc import Mapping

from quincunx.tournament.matchmaking import ArenaTable
from quincunx.tournament.rounds import by_points
from quincunx.tournament.standings import Line


def places(lines: Mapping[str, Line], table: ArenaTable, rounds: bool) -> dict[str, int]:
    """The place of each, from 1, in the order of the table; 0: none yet."""
    played = {name: line for name, line in lines.items() if line.counted}
    found = by_points(played) if rounds else {name: place for place, name in enumerate(table.order(played), 1)}
    return found | dict.fromkeys(sorted(lines.keys() - played.keys(), key=str.casefold), 0)
