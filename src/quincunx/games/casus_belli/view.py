"""Casus Belli as a client sees it: the map, the units in sight, one's own affairs."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec

from quincunx.core.board import Board, Cell, Ripple
from quincunx.core.words import Words
from quincunx.games.casus_belli.field import (
    ATTACK,
    CUT_OFF,
    FIRST_HOTSPOT,
    GIVEN,
    MOVEMENT,
    PALANTIR_SIGHT,
    PATH,
    PRICE,
    REVEAL_SIGHT,
    ROLE,
    SIDE,
    STEPS,
    VISION,
    WALL,
    State,
    Terms,
    View,
    code_at,
)
from quincunx.games.casus_belli.mapfile import GROUND, extent, rows_of
from quincunx.games.casus_belli.notation import FACINGS, ROLES, Facing, Role, cell_name, order_text
from quincunx.games.casus_belli.telling import tell
from quincunx.games.casus_belli.vision import list_sight, list_square

GROUNDS = {".": "", "_": "road", "~": "marsh", "#": "wall", "F": "forest", "T": "tower", "H": "hotspot"}
ARROWS = "^>v<"
FACTS = {  # what pages must know of the rules to draw them
    "largest": SIDE,  # of a map
    "movement": {role: MOVEMENT[k] for k, role in enumerate(ROLES)},
    "prices": {  # of leaving a cell; nobody is ever on a wall
        **{sign: PRICE[k] for k, sign in enumerate(GROUND) if k != WALL},
        "H": PRICE[FIRST_HOTSPOT],
    },
    "steps": STEPS,  # of the longest path
}
Phase = Literal["placement", "orders", "moves", "attacks"]
COUNTED = ("turn", 1)  # turns that are over, and how many of them make one for the story


class Unit(msgspec.Struct, frozen=True):
    team: int
    role: Role
    cell: str
    facing: Facing
    health: int


class Corpse(msgspec.Struct, frozen=True):
    team: int
    role: Role
    cell: str


class Own(msgspec.Struct, frozen=True):
    """What only a unit's own team knows of it."""

    role: Role
    cooldowns: tuple[int, int]
    departure: str
    attack: str  # the orders given so far, in writing
    path: str
    sees: tuple[str, ...]  # the cells that it sees itself; `sight` below is all that its team sees
    penumbra: tuple[str, ...]  # where it noticed somebody during the last moves, step by step, as often as it did


class Hotspot(msgspec.Struct, frozen=True):
    cells: tuple[str, ...]
    holder: int  # a seat, or -1
    turns: int


class Shown(msgspec.Struct, frozen=True):
    rows: tuple[str, ...]  # the map, in the letters of map files
    start: str
    turn: int  # how many are over
    turns: int
    placement: int
    phase: Phase
    points: tuple[int, ...]
    sealed: tuple[bool, ...]
    hotspots: tuple[Hotspot, ...]
    units: tuple[Unit, ...]
    corpses: tuple[Corpse, ...]
    own: tuple[Own, ...]
    palantir: str  # the middle of its square; "" where there is none
    revealed: str  # the same of the elf's zone
    sight: tuple[str, ...]  # as `rows`: "o" where the team sees, "." elsewhere


def phase_name(terms: Terms, turn: int, phase: int) -> Phase:
    if turn < terms.placement:
        return "placement"
    return "attacks" if phase else "moves" if terms.moves_first else "orders"


def show(terms: Terms, view: View, seat: int) -> Shown:
    units = [unit for unit in range(3 * terms.seats) if view.cell[unit]]
    dead = [unit for unit in range(3 * terms.seats) if view.corpse[unit]]
    eyes = seen_by_eyes(terms, view, seat)
    return Shown(
        rows=rows_of(terms),
        start=cell_name(terms, terms.start),
        turn=view.turn,
        turns=terms.turns,
        placement=terms.placement,
        phase=phase_name(terms, view.turn, view.phase),
        points=tuple(view.points[: terms.seats]),
        sealed=tuple(map(bool, view.sealed[: terms.seats])),
        hotspots=tuple(
            Hotspot(cells, view.holder[k] - 1, view.held[k]) for k, cells in enumerate(_spots(*extent(terms)))
        ),
        units=tuple(_unit(terms, view, unit) for unit in units),
        corpses=tuple(Corpse(u // 3, ROLES[u % 3], cell_name(terms, view.corpse[u] - 1)) for u in dead),
        own=tuple(_own(terms, view, role, eyes[role]) for role in range(3)) if seat >= 0 else (),
        palantir=cell_name(terms, view.orb - 1) if view.orb else "",
        revealed=cell_name(terms, view.zone - 1) if view.zone else "",
        sight=_drawn_sight(terms, [cell for eye in eyes for cell in eye]),
    )


def ripple(terms: Terms, before: State, after: State) -> Ripple | None:
    """Orders concern nobody else before all have sealed theirs; only who has sealed is known."""
    if (before.turn, before.phase) != (after.turn, after.phase):
        return None
    was, now = (tuple(map(bool, s.sealed[: terms.seats])) for s in (before, after))
    return Ripple({"sealed": (was, now)}, own=True) if was != now else Ripple({}, own=False)


def _unit(terms: Terms, view: View, unit: int) -> Unit:
    facing = FACINGS[view.facing[unit]]
    return Unit(unit // 3, ROLES[unit % 3], cell_name(terms, view.cell[unit] - 1), facing, view.health[unit])


def _own(terms: Terms, view: View, role: int, seen: list[int]) -> Own:
    attack, path = view.attack[role], view.path[role]
    first = sum(view.runs[:role])
    noted = [(run & 0xFFFF, run >> 16) for run in view.noted[first : first + view.runs[role]]]
    return Own(
        ROLES[role],
        (view.cooldown[2 * role], view.cooldown[2 * role + 1]),
        cell_name(terms, view.departure[role]),
        order_text(terms, ATTACK | role * ROLE | attack & ~GIVEN) if attack else "",
        order_text(terms, PATH | role * ROLE | path & ~GIVEN) if path else "",
        tuple(cell_name(terms, cell) for cell in sorted(seen)),
        tuple(cell_name(terms, cell) for cell, times in noted for _ in range(times)),
    )


@lru_cache(maxsize=64)
def _spots(width: int, height: int, ground: tuple[int, ...]) -> tuple[tuple[str, ...], ...]:
    """The cells of each hotspot."""
    terms = Terms()
    terms.ground[: len(ground)] = ground
    spots: dict[int, list[str]] = {}
    for cell in range(width * height):
        code = code_at(terms, cell)
        if FIRST_HOTSPOT <= code < CUT_OFF:
            spots.setdefault(code - FIRST_HOTSPOT, []).append(f"{cell % width},{cell // width}")
    return tuple(tuple(spots.get(k, ())) for k in range(max(spots, default=-1) + 1))


def seen_by_eyes(terms: Terms, view: View, seat: int) -> list[list[int]]:
    """The cells that each eye of a team sees: its three units, its palantír, its revealed zone."""
    if seat < 0:
        return []
    eyes: list[list[int]] = []
    out = [0] * 121
    for role in range(3):
        unit = 3 * seat + role
        alive = view.health[unit] > 0
        n = list_sight(terms, view.cell[unit] - 1, view.facing[unit], VISION[role], out, 0) if alive else 0
        eyes.append(out[:n])
    for middle, size in ((view.orb, PALANTIR_SIGHT), (view.zone, REVEAL_SIGHT)):
        eyes.append(out[: list_square(terms, middle - 1, size, out, 0)] if middle else [])
    return eyes


def _drawn_sight(terms: Terms, seen: list[int]) -> tuple[str, ...]:
    width = terms.width
    rows: dict[int, list[int]] = {}
    for cell in seen:
        rows.setdefault(cell // width, []).append(cell % width)
    dark = "." * width
    return tuple(_lit(dark, rows[y]) if y in rows else dark for y in range(terms.height))


def _lit(dark: str, columns: list[int]) -> str:
    row = list(dark)
    for x in columns:
        row[x] = "o"
    return "".join(row)


# -- the picture that any client can draw ---------------------------------------------------------------------------

_BARE = {
    (letter, seen): Cell("" if letter == "." else letter, ground=(ground if seen else f"{ground} unseen").strip())
    for letter, ground in GROUNDS.items()
    for seen in (False, True)
}


def score_words(score: int) -> Words:
    return Words(f"{score} point{'s' if score > 1 else ''}", f"{score} point{'' if score == 1 else 's'}")


def ending(terms: Terms, s: State) -> Words:
    """Why it is over."""
    return Words("Le dernier tour est joué.", "The last turn is played.")


def board(terms: Terms, view: View, seat: int) -> Board:
    rows = rows_of(terms)
    cells = [[_BARE[letter, False] for letter in row] for row in rows]
    for cell in (cell for eye in seen_by_eyes(terms, view, seat) for cell in eye):
        y, x = divmod(cell, terms.width)
        cells[y][x] = _BARE[rows[y][x], True]
    for mark, text in [(view.orb, "o"), *((corpse, "+") for corpse in view.corpse if corpse)]:
        if mark:
            y, x = divmod(mark - 1, terms.width)
            cells[y][x] = Cell(text, ground=cells[y][x].ground)
    standing: dict[int, list[int]] = {}
    for unit in range(3 * terms.seats):
        if view.cell[unit]:
            standing.setdefault(view.cell[unit] - 1, []).append(unit)
    for cell, units in standing.items():
        y, x = divmod(cell, terms.width)
        cells[y][x] = _standing(view, seat, units, cells[y][x].ground)
    columns = tuple(map(str, range(terms.width)))
    return Board(columns, tuple(map(str, range(terms.height))), tuple(map(tuple, cells)), _notes(terms, view, seat))


def _standing(view: View, seat: int, units: list[int], ground: str) -> Cell:
    """One unit with the arrow of its facing, or the first of several, one's own before others, with their number. One's
    own are written in capitals, others in small letters."""
    first = min(units, key=lambda unit: (unit // 3 != seat, unit))
    letter = ("TBE" if first // 3 == seat else "tbe")[first % 3]
    text = letter + (ARROWS[view.facing[first]] if len(units) == 1 else str(len(units)))
    return Cell(text, owner=first // 3, ground=ground, strong=first // 3 == seat)


_PHASES = {
    "placement": Words("placement", "placement"),
    "orders": Words("ordres", "orders"),
    "moves": Words("déplacements", "moves"),
    "attacks": Words("attaques", "attacks"),
}


def _notes(terms: Terms, view: View, seat: int) -> tuple[Words, ...]:
    phase = _PHASES[phase_name(terms, view.turn, view.phase)]
    turn = min(view.turn + 1, terms.turns)
    notes = [
        Words("Tour {} sur {} : {}", "Turn {} of {}: {}").format(turn, terms.turns, phase),
        Words("Points : {}", "Points: {}").format(" ".join(map(str, view.points[: terms.seats]))),
    ]
    for k in range(terms.hotspots):
        if view.holder[k]:
            held = Words("Hotspot {} : joueur {}, {} tour(s)", "Hotspot {}: player {}, {} turn(s)")
            notes.append(held.format(k + 1, view.holder[k], view.held[k]))
    if seat >= 0:
        ready = " ".join(f"{view.cooldown[2 * role]}/{view.cooldown[2 * role + 1]}" for role in range(3))
        notes.append(Words("Recharges : {}", "Cooldowns: {}").format(ready))
    return tuple(notes)


__all__ = ["Shown", "board", "show", "tell"]
