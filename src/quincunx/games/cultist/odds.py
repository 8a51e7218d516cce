"""Cultist: how likely each step of a neutral is."""

from __future__ import annotations

from quincunx.games.cultist.rules import MOVE, NEUTRAL, NEUTRALS, UNITS, WAIT, State, Terms, way_out, ways_out

MOST = 1 + 4 * NEUTRALS


def odds(terms: Terms, s: State) -> list[tuple[int, float]]:
    """One of the living neutrals, then one of its free cells; one that is boxed in stays."""
    neutrals = [unit for unit in range(2, UNITS) if s.owner[unit] == NEUTRAL and s.hp[unit]]
    found = {WAIT: 0.0 if neutrals else 1.0}
    for unit in neutrals:
        cell = s.cell[unit]
        ways = ways_out(s, cell)
        for k in range(ways):
            found[MOVE << 12 | unit << 8 | way_out(s, cell, k)] = 1 / len(neutrals) / ways
        found[WAIT] += 0.0 if ways else 1 / len(neutrals)
    return [(action, chance) for action, chance in found.items() if chance]
