"""Casus Belli in writing.

Actions:

    thief attack 12,7        the knife; barbarian attack: the mace; elf attack: the bow
    thief palantir 3,4       thief treachery
    barbarian bastoooon      (with a cell where it strikes a plus)        barbarian fus
    elf reveal 5,5           elf loto 9,1
    elf hold                 no attack, instead of one that was ordered
    elf path EENN            the unit then looks where it went, or: elf path EENN face S
    elf face W               no step
    seal

Unit names are read in French too, and by their first letter. A position is one line:

    5x3 2,1 1/21 4.0 5./2.H2./.3#. 1.2 4!|1,1|-|1,0:N:10:4:0:2,1:-|-|- 0|-|-|-|-|3,0:W:7:0:0:2,1:4,2 orders 1 elf hold
    size start placement/turns turn.phase ground, run by run  holder.turns of each hotspot (holder 0: nobody)
    of each seat  points ! sealed | palantír | zone | three units  cell:facing:health:cooldowns:departure:corpse

A unit that is written `-` is as at the beginning, and so is a palantír, a zone or a corpse: there is none.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from quincunx.core.options import Value
from quincunx.core.words import Refused, Words, expected
from quincunx.games.casus_belli.field import (
    ATTACK,
    BLOCKED,
    COOLING,
    GIVEN,
    HEALTH,
    HOLD_TURNS,
    IN_SIGHT,
    NOT_NOW,
    OUT_OF_SIGHT,
    PATH,
    ROLE,
    SEAL,
    SIDE,
    STEPS,
    TOO_FAR,
    WALL,
    State,
    Terms,
    is_targeted,
    kind_at,
)
from quincunx.games.casus_belli.mapfile import MOST_TURNS, check_rows, put_ground, rows_of
from quincunx.games.casus_belli.orders import check

REFUSALS = {
    NOT_NOW: (
        "not_now",
        Words("Cet ordre n’est pas possible dans cette phase.", "That order is not possible in this phase."),
    ),
    OUT_OF_SIGHT: (
        "out_of_sight",
        Words("Cette case est hors de vue ou de portée.", "That cell is out of sight or reach."),
    ),
    IN_SIGHT: ("in_sight", Words("Loto ne tire pas là où l’elfe voit.", "Loto does not shoot where the elf sees.")),
    COOLING: ("cooling", Words("Cette capacité n’est pas encore prête.", "This ability is not ready yet.")),
    TOO_FAR: ("too_far", Words("Ce chemin coûte trop de points.", "This path costs too many points.")),
    BLOCKED: ("blocked", Words("Ce chemin rencontre un mur ou le bord.", "This path meets a wall or the edge.")),
}

Role = Literal["thief", "barbarian", "elf"]
Facing = Literal["N", "E", "S", "W"]
ROLES: tuple[Role, Role, Role] = ("thief", "barbarian", "elf")
NAMES = (Words("voleur", "thief"), Words("barbare", "barbarian"), Words("elfe", "elf"))
ATTACKS = (
    ("hold", "attack", "palantir", "treachery"),
    ("hold", "attack", "bastoooon", "fus"),
    ("hold", "attack", "reveal", "loto"),
)
FACINGS: tuple[Facing, ...] = ("N", "E", "S", "W")

_EXAMPLES = Words(
    "un ordre comme « thief attack 12,7 », « elf path EENN face S » ou « seal »",
    "an order like “thief attack 12,7”, “elf path EENN face S” or “seal”",
)


def cell_name(terms: Terms, cell: int) -> str:
    return name_of(terms.width, cell)


def name_of(width: int, cell: int) -> str:
    """Of a cell, on a map so wide."""
    return f"{cell % width},{cell // width}"


def cell_at(terms: Terms, name: str) -> int:
    match = re.fullmatch(r"([0-9]{1,3}),([0-9]{1,3})", name)
    if not match or int(match[1]) >= terms.width or int(match[2]) >= terms.height:
        far = Words("une case de 0,0 à {0},{1}", "a cell from 0,0 to {0},{1}").format(terms.width - 1, terms.height - 1)
        raise expected(far, name)
    return int(match[2]) * terms.width + int(match[1])


def text(terms: Terms, s: State, seat: int, action: int) -> str:
    return order_text(terms, action)


def order_text(terms: Terms, action: int) -> str:
    """An action in writing; it needs no position."""
    if action == SEAL:
        return "seal"
    role, payload = action >> 32 & 3, action & ROLE - 1
    if action >> 34 == ATTACK >> 34:
        what, cell = payload >> 16, payload & 0xFFFF
        aimed = f" {cell_name(terms, cell)}" if is_targeted(terms, role, what) else ""
        return f"{ROLES[role]} {ATTACKS[role][what]}{aimed}"
    return _path_text(role, payload)


@lru_cache(maxsize=4096)
def _path_text(role: int, payload: int) -> str:
    steps = "".join(FACINGS[payload >> 8 + 2 * k & 3] for k in range(payload & 15))
    facing = FACINGS[payload >> 4 & 3]
    if not steps:
        return f"{ROLES[role]} face {facing}"
    return f"{ROLES[role]} path {steps}" + (f" face {facing}" if facing != steps[-1] else "")


def parse(terms: Terms, s: State, seat: int, text: str) -> int:
    words = text.lower().split()
    if words == ["seal"]:
        return SEAL
    role = _role(words[0]) if words else -1
    if role < 0 or len(words) < 2:
        raise expected(_EXAMPLES, text)
    if words[1] in ("path", "face"):
        return PATH | role * ROLE | _path(words[1:], text)
    if words[1] not in ATTACKS[role]:
        wanted = Words("un ordre parmi {}, path, face", "one of {}, path, face").format(", ".join(ATTACKS[role]))
        raise expected(wanted, words[1])
    what = ATTACKS[role].index(words[1])
    aimed = is_targeted(terms, role, what)
    if len(words) != 2 + aimed:
        wanted = Words("« {} x,y »", "“{} x,y”") if aimed else Words("« {} » sans case", "“{}” without a cell")
        raise expected(wanted.format(" ".join(words[:2])), text)
    return ATTACK | role * ROLE | what << 16 | (cell_at(terms, words[2]) if aimed else 0)


def _role(word: str) -> int:
    for role, names in enumerate(NAMES):
        if word in (ROLES[role], names.fr, names.fr[0], names.en[0]):
            return role
    return -1


def _path(words: list[str], text: str) -> int:
    """`path EENN`, `path EENN face S` or `face S` as a payload."""
    steps = words[1].upper() if words[0] == "path" and len(words) > 1 else ""
    rest = words[2:] if words[0] == "path" else words
    facing = rest[1].upper() if len(rest) == 2 and rest[0] == "face" else steps[-1:] if not rest else ""
    if len(facing) != 1 or set(steps + facing) - set(FACINGS) or (words[0] == "path" and not 0 < len(steps) <= STEPS):
        wanted = Words("de 1 à {} pas parmi N E S W, puis « face N »", "1 to {} steps of N E S W, then “face N”")
        raise expected(wanted.format(STEPS), text)
    packed = sum(FACINGS.index(step) << 2 * k for k, step in enumerate(steps))
    return packed << 8 | FACINGS.index(facing) << 4 | len(steps)


# -- positions ------------------------------------------------------------------------------------------------------


def position(terms: Terms, s: State) -> str:
    ground = "/".join(_runs(row) for row in rows_of(terms))
    spots = ",".join(f"{s.holder[k]}.{s.held[k]}" for k in range(terms.hotspots)) or "-"
    words = [
        f"{terms.width}x{terms.height}",
        cell_name(terms, terms.start),
        f"{terms.placement}/{terms.turns}",
        f"{s.turn}.{s.phase}",
        ground,
        spots,
        *(_seat_text(terms, s, seat) for seat in range(terms.seats)),
    ]
    orders = [
        f"{unit // 3} {order_text(terms, kind | unit % 3 * ROLE | given[unit] & ~GIVEN)}"
        for unit in range(3 * terms.seats)
        for kind, given in ((ATTACK, s.attack), (PATH, s.path))
        if given[unit]
    ]
    return " ".join(words) + (" orders " + "; ".join(orders) if orders else "")


@lru_cache(maxsize=1024)
def _runs(row: str) -> str:
    return re.sub(r"(.)\1*", lambda run: f"{len(run[0]) if len(run[0]) > 1 else ''}{run[1]}", row)


def _seat_text(terms: Terms, s: State, seat: int) -> str:
    units = [_unit_text(terms, s, unit) for unit in range(3 * seat, 3 * seat + 3)]
    marks = [_mark(terms, s.palantir[seat]), _mark(terms, s.revealed[seat])]
    return "|".join([f"{s.points[seat]}{'!' if s.sealed[seat] else ''}", *marks, *units])


def _mark(terms: Terms, cell: int) -> str:
    return cell_name(terms, cell - 1) if cell else "-"


def _unit_text(terms: Terms, s: State, unit: int) -> str:
    ready = s.cooldown[2 * unit], s.cooldown[2 * unit + 1]
    known = s.facing[unit], s.health[unit], *ready, s.departure[unit], s.corpse[unit]
    if (s.cell[unit], *known) == (terms.start, 0, HEALTH, 0, 0, terms.start, 0):
        return "-"
    return _in_words(terms.width, s.cell[unit], *known)


@lru_cache(maxsize=4096)  # every entry of a record needs all units, and most stand where they stood
def _in_words(width: int, cell: int, facing: int, health: int, one: int, two: int, departure: int, corpse: int) -> str:
    here, home, dead = (f"{c % width},{c // width}" for c in (cell, departure, corpse - 1))
    return f"{here}:{FACINGS[facing]}:{health}:{one}:{two}:{home}:{dead if corpse else '-'}"


def terms(options: dict[str, Value]) -> Terms:
    """All but the map."""
    terms = Terms()
    terms.seats = int(options["seats"])
    terms.moves_first = int(options["order"] == "moves_first")
    terms.wide_bastoooon = int(options["bastoooon"] == "plus")
    terms.free_loto = int(options["loto"] == "anywhere")
    terms.narrow = int(options["vision"] == "narrow")
    terms.see_friends = int(options["penumbra"] == "everyone")
    terms.losses = int(options["points"] == "kills_and_losses")
    terms.at_once = int(options["death"] == "at_once")
    terms.cooldowns[:] = [5, 5, 3, 10, 5, 5] if options["cooldowns"] == "long" else [3, 5, 3, 5, 5, 5]
    return terms


def begin(terms: Terms) -> State:
    """Everybody on the start cell."""
    s = State()
    for unit in range(3 * terms.seats):
        s.cell[unit] = s.departure[unit] = terms.start
        s.health[unit] = HEALTH
    return s


def read(options: dict[str, Value], text: str) -> tuple[Terms, State]:
    """The position that `text` describes; one that the rules do not allow is refused."""
    line, _, orders = text.strip().partition(" orders ")
    words = line.split()
    if len(words) != 6 + int(options["seats"]):
        wanted = Words("une position avec {} joueurs, en {} mots", "a position of {} seats, in {} words")
        raise expected(wanted.format(options["seats"], 6 + int(options["seats"])), text)
    t = terms(options)
    _read_map(t, words, bool(options["hotspots"]))
    s = begin(t)
    s.turn, s.phase = _pair(words[3], ".", Words("tour.phase", "turn.phase"), t.turns, 1)
    if s.phase and (not t.moves_first or s.turn < t.placement or s.turn == t.turns):
        raise expected(Words("la phase 0", "phase 0"), words[3])
    _read_spots(t, s, words[5])
    for seat, word in enumerate(words[6:]):
        _read_seat(t, s, seat, word)
    sealed = s.sealed[:]
    s.sealed[:] = [0] * len(sealed)
    for order in orders.split(";") if orders else []:
        _read_order(t, s, order)
    s.sealed[:] = sealed
    while s.first < t.seats and s.sealed[s.first]:
        s.first += 1
    if s.first == t.seats or (s.turn == t.turns and (any(sealed) or orders)):
        raise expected(Words("un joueur qui n’a pas scellé", "a seat that has not sealed"), text)
    return t, s


def _pair(word: str, between: str, what: Words, high: int, second: int) -> tuple[int, int]:
    match = re.fullmatch(rf"([0-9]{{1,5}}){re.escape(between)}([0-9]{{1,5}})", word)
    if not match or int(match[1]) > high or int(match[2]) > second:
        raise expected(what, word)
    return int(match[1]), int(match[2])


def _read_map(t: Terms, words: list[str], hotspots: bool) -> None:
    t.width, t.height = _pair(words[0], "x", Words("largeurxhauteur", "widthxheight"), SIDE, SIDE)
    if not t.width or not t.height:
        raise expected(Words("une carte qui a des cases", "a map that has cells"), words[0])
    start = cell_at(t, words[1])
    t.placement, t.turns = _pair(words[2], "/", Words("placement/tours", "placement/turns"), MOST_TURNS, 2 * MOST_TURNS)
    if t.turns <= t.placement:
        raise expected(Words("plus de tours que le placement", "more turns than the placement"), words[2])
    runs = [re.findall(r"([0-9]{0,3})(\D)", row) for row in words[4].split("/")]
    rows = tuple("".join(letter * int(count or 1) for count, letter in row)[: SIDE + 1] for row in runs)
    check_rows(t.width, t.height, rows)
    if rows[start // t.width][start % t.width] == "#":
        raise expected(Words("un départ hors des murs", "a start that is no wall"), words[1])
    put_ground(t, rows, (start % t.width, start // t.width), hotspots)


def _read_spots(t: Terms, s: State, word: str) -> None:
    spots = [] if word == "-" else word.split(",")
    if len(spots) != t.hotspots:
        raise expected(Words("{} hotspots", "{} hotspots").format(t.hotspots), word)
    for k, spot in enumerate(spots):
        what = Words("occupant.tours d’un hotspot", "holder.turns of a hotspot")
        s.holder[k], s.held[k] = _pair(spot, ".", what, t.seats, HOLD_TURNS - 1)
        if s.held[k] and not s.holder[k]:
            raise expected(what, spot)


def _read_seat(t: Terms, s: State, seat: int, word: str) -> None:
    parts = word.split("|")
    match = re.fullmatch(r"(-?[0-9]{1,7})(!?)", parts[0])
    if len(parts) != 6 or not match:
        what = Words("points|palantír|zone|voleur|barbare|elfe", "points|palantír|zone|thief|barbarian|elf")
        raise expected(what, word)
    s.points[seat], s.sealed[seat] = int(match[1]), int(match[2] == "!")
    s.palantir[seat], s.revealed[seat] = _marked(t, parts[1]), _marked(t, parts[2])
    for role, unit in enumerate(parts[3:]):
        if unit != "-":
            _read_unit(t, s, 3 * seat + role, unit)


def _marked(t: Terms, word: str) -> int:
    return 0 if word == "-" else cell_at(t, word) + 1


def _read_unit(t: Terms, s: State, unit: int, word: str) -> None:
    parts = word.split(":")
    longest = t.cooldowns[unit % 3 * 2 : unit % 3 * 2 + 2]
    facts = re.fullmatch(r"([NESW]):([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})", ":".join(parts[1:5]))
    if len(parts) != 7 or not facts or not 0 < int(facts[2]) <= HEALTH:
        raise _bad_unit(word)
    ready = [int(facts[3]), int(facts[4])]
    s.cell[unit], s.departure[unit] = cell_at(t, parts[0]), cell_at(t, parts[5])
    walled = kind_at(t, s.cell[unit]) == WALL or kind_at(t, s.departure[unit]) == WALL
    if walled or ready[0] >= longest[0] or ready[1] >= longest[1]:
        raise _bad_unit(word)
    s.facing[unit], s.health[unit] = FACINGS.index(facts[1]), int(facts[2])
    s.cooldown[2 * unit], s.cooldown[2 * unit + 1] = ready
    s.corpse[unit] = _marked(t, parts[6])


def _bad_unit(word: str) -> Refused:
    what = Words(
        "une unité hors des murs, comme 1,0:N:10:0:0:2,1:-", "a unit that is not in a wall, like 1,0:N:10:0:0:2,1:-"
    )
    return expected(what, word)


def _read_order(t: Terms, s: State, order: str) -> None:
    number, _, words = order.strip().partition(" ")
    if not re.fullmatch(r"[0-9]{1,2}", number) or int(number) >= t.seats:
        raise expected(Words("le numéro d’un joueur avant son ordre", "the number of a seat before its order"), order)
    seat = int(number)
    action = parse(t, s, seat, words)
    if action == SEAL or check(t, s, seat, action):
        raise expected(Words("un ordre permis", "an order that is allowed"), order)
    given = s.attack if action >> 34 == ATTACK >> 34 else s.path
    given[3 * seat + (action >> 32 & 3)] = GIVEN | action & ROLE - 1
