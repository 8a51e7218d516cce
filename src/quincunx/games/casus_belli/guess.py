"""Casus Belli, a world that a view allows: what is hidden is drawn.

Units that are not seen stand where the team does not look, no farther from the start than their legs can have carried
them; half of them near where they may have departed from, the others anywhere within that. Who holds a hotspot is known
to all: one of that team stands on it. Health, cooldowns and palantírs are such as the turns so far allow. Others have
given no orders: who has sealed has sealed nothing.
"""

from __future__ import annotations

from quincunx.core.engine import rule
from quincunx.core.random import Random, below
from quincunx.core.structure import clear, ints
from quincunx.games.casus_belli.field import CUT_OFF, FIRST_HOTSPOT, HEALTH, MOVEMENT, WALL, State, Terms, View, code_at
from quincunx.games.casus_belli.penumbra import recall
from quincunx.games.casus_belli.posts import has_hotspot
from quincunx.games.casus_belli.vision import team_sees

TRIES = 12


@rule
def imagine(terms: Terms, view: View, seat: int, random: Random, s: State) -> None:
    clear(s)
    s.turn, s.phase = view.turn, view.phase
    for other in range(terms.seats):
        s.points[other], s.sealed[other] = view.points[other], view.sealed[other]
    while s.first < terms.seats and s.sealed[s.first]:
        s.first += 1
    for spot in range(terms.hotspots):
        s.holder[spot], s.held[spot] = view.holder[spot], view.held[spot]
    for role in range(3 if seat >= 0 else 0):
        unit = 3 * seat + role
        s.departure[unit], s.attack[unit], s.path[unit] = view.departure[role], view.attack[role], view.path[role]
        s.cooldown[2 * unit], s.cooldown[2 * unit + 1] = view.cooldown[2 * role], view.cooldown[2 * role + 1]
    if seat >= 0:
        s.palantir[seat], s.revealed[seat] = view.orb, view.zone
        recall(view, seat, s)
    for unit in range(3 * terms.seats):
        s.corpse[unit] = view.corpse[unit]
        if view.cell[unit]:
            s.cell[unit], s.facing[unit], s.health[unit] = view.cell[unit] - 1, view.facing[unit], view.health[unit]
    played = max(0, s.turn - terms.placement)
    for other in range(terms.seats):
        if other != seat:
            guess_team(terms, view, seat, other, played, random, s)
    if s.phase == 0:  # after the moves they may be elsewhere
        guess_holders(terms, view, seat, random, s)


@rule
def guess_team(terms: Terms, view: View, seat: int, other: int, played: int, random: Random, s: State) -> None:
    for unit in range(3 * other, 3 * other + 3):
        legs = MOVEMENT[unit % 3]  # on roads; as many cells a turn
        placed = min(s.turn, terms.placement)
        s.departure[unit] = terms.start
        if terms.placement and s.turn >= terms.placement:
            s.departure[unit] = near(terms, s, -1, terms.start, legs * placed // 2, random)
        if view.cell[unit] == 0:
            s.facing[unit] = below(random, 4)
            s.health[unit] = HEALTH - (below(random, HEALTH) if played and below(random, 4) == 0 else 0)
            walked = legs * (s.turn + s.phase)
            if below(random, 2):
                s.cell[unit] = near(terms, s, seat, s.departure[unit], min(walked, legs), random)
            else:
                s.cell[unit] = near(terms, s, seat, terms.start, walked, random)
        for k in range(2 if played else 0):
            if below(random, 2):
                full = terms.cooldowns[unit % 3 * 2 + k]
                s.cooldown[2 * unit + k] = full - 1 - below(random, min(played, full))
    if played and below(random, 2):
        s.palantir[other] = near(terms, s, -1, terms.start, MOVEMENT[0] * s.turn, random) + 1


@rule
def guess_holders(terms: Terms, view: View, seat: int, random: Random, s: State) -> None:
    """Puts one that is not seen on each hotspot that others hold out of the team's sight."""
    held, drawn, cells = 0, ints(terms.hotspots), ints(terms.hotspots)
    for spot in range(terms.hotspots):
        held += view.holder[spot] > 0 and view.holder[spot] != seat + 1
    if held == 0:
        return
    for k in range((terms.width * terms.height + 7) // 8):
        word = terms.ground[k] if has_hotspot(terms.ground[k]) else 0
        for cell in range(8 * k, 8 * k + 8 if word else 0):
            spot = (word >> (cell & 7) * 7 & 127) - FIRST_HOTSPOT
            if not 0 <= spot < terms.hotspots or not is_free(terms, s, seat, cell):
                continue
            if view.holder[spot] and view.holder[spot] != seat + 1:
                drawn[spot] += 1
                if below(random, drawn[spot]) == 0:
                    cells[spot] = cell
    for spot in range(terms.hotspots):
        if drawn[spot] and not is_held(terms, s, view.holder[spot] - 1, spot):
            post(terms, view, view.holder[spot] - 1, cells[spot], random, s)


@rule
def is_held(terms: Terms, s: State, team: int, spot: int) -> bool:
    for unit in range(3 * team, 3 * team + 3):
        if code_at(terms, s.cell[unit]) == FIRST_HOTSPOT + spot:
            return True
    return False


@rule
def post(terms: Terms, view: View, team: int, cell: int, random: Random, s: State) -> None:
    """Any of the team that is not seen, holds nothing else and can have walked there."""
    first, width = below(random, 3), terms.width
    far = abs(cell % width - terms.start % width) + abs(cell // width - terms.start // width)
    for k in range(3):
        role = (first + k) % 3
        unit = 3 * team + role
        elsewhere = code_at(terms, s.cell[unit]) - FIRST_HOTSPOT
        holds = 0 <= elsewhere < terms.hotspots and view.holder[elsewhere] == team + 1
        if view.cell[unit] == 0 and not holds and far <= MOVEMENT[role] * s.turn:
            s.cell[unit] = cell
            return


@rule
def near(terms: Terms, s: State, seat: int, centre: int, far: int, random: Random) -> int:
    """A cell that paths lead to, within `far` of the centre if there is one, that the team of `seat` does not see."""
    width, height = terms.width, terms.height
    x, y = centre % width, centre // width
    left, top = max(0, x - far), max(0, y - far)
    wide, high = min(width, x + far + 1) - left, min(height, y + far + 1) - top
    for _ in range(TRIES):
        cell = (top + below(random, high)) * width + left + below(random, wide)
        if is_free(terms, s, seat, cell) and abs(cell % width - x) + abs(cell // width - y) <= far:
            return cell
    first = below(random, wide * high)
    for k in range(wide * high):
        at = (first + k) % (wide * high)
        cell = (top + at // wide) * width + left + at % wide
        if abs(cell % width - x) + abs(cell // width - y) <= far and is_free(terms, s, seat, cell):
            return cell
    cells = width * height
    cell = below(random, cells)
    for _ in range(cells):
        if is_free(terms, s, seat, cell):
            return cell
        cell = (cell + 1) % cells
    return centre


@rule
def is_free(terms: Terms, s: State, seat: int, cell: int) -> bool:
    code = code_at(terms, cell)
    return code != WALL and code < CUT_OFF and (seat < 0 or not team_sees(terms, s, seat, cell))
