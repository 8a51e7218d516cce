"""Cultist in writing.

An action is a line of the CodinGame protocol: `WAIT`, `3 MOVE 4 2` (x y), `3 SHOOT 9`, `0 CONVERT 5`; where obstacles
can be destroyed also `3 SHOOT 4,2`, at the obstacle of a cell. With `codingame_orders` any such line that the
site would take is read, and what it comes to is the action: a step of the shortest path, or waiting.

A position is its rows from the top (`.` floor, `x` obstacle, 1–9 the HP of a damaged one), the units by number as
owner, kind, HP and cell, and the turns that are over; then the generator where there is one, and `wandering` while
a neutral is about to move. Units without a cell are dead; one with 0 HP and a cell fell this turn.

    ............./..x.......x../… 0L10@0,3 1L10@12,3 n10@2,1 0c7@4,4 1c0 … turn=12 random=42
"""

from __future__ import annotations

import re
from collections import deque

from quincunx.core.contract import CHANCE
from quincunx.core.options import Value
from quincunx.core.words import Refused, Words, expected
from quincunx.games.cultist.grid import HEIGHT, SIZE, STEP, WIDTH, cell_at
from quincunx.games.cultist.rules import (
    BORDER,
    BREAK,
    CONVERT,
    FIRST_SEED,
    FULL_HP,
    GENERATOR,
    ITSELF,
    KEY_OF_OBSTACLE,
    KEY_OF_PLACE,
    KEY_OF_UNIT,
    MOVE,
    NEUTRAL,
    NO_OBSTACLE,
    NO_TARGET,
    NOT_A_CULTIST,
    NOT_A_LEADER,
    NOT_AN_ENEMY,
    NOT_CONVERTIBLE,
    NOT_FREE,
    NOT_YOURS,
    OUT_OF_RANGE,
    SHOOT,
    TOO_FAR,
    UNITS,
    WAIT,
    WANDER,
    State,
    Terms,
    fault,
)

REFUSALS = {
    NOT_YOURS: ("not_yours", Words("Aucune de vos unités n’a ce numéro.", "None of your units has this number.")),
    TOO_FAR: ("too_far", Words("Ce n’est pas une case voisine.", "This is not an adjacent cell.")),
    NOT_FREE: ("not_free", Words("Cette case n’est pas libre.", "This cell is not free.")),
    NOT_A_CULTIST: ("not_a_cultist", Words("Un leader ne tire pas.", "A leader does not shoot.")),
    NOT_A_LEADER: ("not_a_leader", Words("Seul un leader convertit.", "Only a leader converts.")),
    NO_TARGET: ("no_target", Words("Aucune unité vivante n’a ce numéro.", "No living unit has this number.")),
    NOT_AN_ENEMY: ("not_an_enemy", Words("On ne tire que sur l’ennemi.", "Only enemies may be shot at.")),
    ITSELF: ("itself", Words("Une unité ne tire pas sur elle-même.", "A unit does not shoot itself.")),
    OUT_OF_RANGE: ("out_of_range", Words("La cible est à plus de 6 cases.", "The target is more than 6 cells away.")),
    NOT_CONVERTIBLE: (
        "not_convertible",
        Words("On ne convertit ni un leader, ni les siens.", "Neither leaders nor one’s own units are converted."),
    ),
    NO_OBSTACLE: ("no_obstacle", Words("Il n’y a pas d’obstacle sur cette case.", "There is no obstacle there.")),
}

VERBS = {"MOVE": MOVE, "SHOOT": SHOOT, "CONVERT": CONVERT}
OWNERS = "01n"
HIGHEST_SEED = 0x7FFFFFFF

AT_CELL = ("", *(f"@{cell & 15},{(cell >> 4) - 1}" for cell in range(1, SIZE)))  # the dead have none
ROW_STARTS = tuple(cell_at(0, y) for y in range(HEIGHT))
OWNER_AND_KIND = (("0L", "0c"), ("1L", "1c"), ("n", "n"))  # leaders have the numbers 0 and 1
GROUND = [*["."] * (UNITS + 1), "x", *map(str, range(FULL_HP - 1, 0, -1))]  # of floor and units; from the end, by HP

_NUMBER = re.compile(r"-?[0-9]{1,9}")
_CELL = re.compile(r"(-?[0-9]{1,9}),(-?[0-9]{1,9})")
_UNIT = re.compile(r"([01]L|[01]c|n)(\d\d?)(?:@(\d\d?),(\d))?")
_TAIL = re.compile(r"turn=(\d{1,4})|random=(\d{1,10})|wandering")


def cell_name(cell: int) -> str:
    return f"{cell & 15},{(cell >> 4) - 1}"


# -- actions -------------------------------------------------------------------------------------------------------


def text(terms: Terms, s: State, seat: int, action: int) -> str:
    verb, unit, target = action >> 12, action >> 8 & 15, action & 255
    if verb == WAIT:
        return "WAIT"
    if verb == MOVE:
        return f"{unit} MOVE {target & 15} {(target >> 4) - 1}"
    if verb == BREAK:
        return f"{unit} SHOOT {cell_name(target)}"
    return f"{unit} {'SHOOT' if verb == SHOOT else 'CONVERT'} {target}"


def parse(terms: Terms, s: State, seat: int, text: str) -> int:
    """With `codingame_orders` as the site reads it: case matters, further words do not, the result is legal."""
    far = bool(terms.codingame_orders) and seat != CHANCE
    words = text.split() if far else text.upper().split()
    if words[:1] == ["WAIT"] and (far or len(words) == 1):
        return WAIT
    verb = VERBS.get(words[1], WAIT) if len(words) > 1 else WAIT
    length = 4 if verb == MOVE else 3
    if verb == WAIT or len(words) < length or (len(words) > length and not far) or not _NUMBER.fullmatch(words[0]):
        raise _unreadable(text)
    action = _action(terms, s, int(words[0]), verb, words[2:length], text)
    return _canonical(terms, s, seat, action) if far else action


def _action(terms: Terms, s: State, unit: int, verb: int, target: list[str], text: str) -> int:
    if not 0 <= unit < UNITS:
        raise Refused(*REFUSALS[NOT_YOURS])
    where = _CELL.fullmatch(",".join(target))
    if where and (verb == MOVE or (verb == SHOOT and terms.destructible)):
        x, y = int(where[1]), int(where[2])
        if not (0 <= x < WIDTH and 0 <= y < HEIGHT):
            raise expected(Words("une case de 0 0 à 12 6", "a cell from 0 0 to 12 6"), f"{x} {y}")
        return (MOVE if verb == MOVE else BREAK) << 12 | unit << 8 | cell_at(x, y)
    if verb == MOVE or not _NUMBER.fullmatch(target[0]):
        raise _unreadable(text)
    if not 0 <= int(target[0]) < UNITS:
        raise Refused(*REFUSALS[NO_TARGET])
    return verb << 12 | unit << 8 | int(target[0])


def _unreadable(text: str) -> Refused:
    lines = "WAIT, 3 MOVE 4 2, 3 SHOOT 9, 0 CONVERT 5"
    return expected(Words("une action comme {}", "an action like {}").format(lines), text)


def _canonical(terms: Terms, s: State, seat: int, action: int) -> int:
    """What an order comes to: itself, a step towards its far target, or waiting; Refused if the site takes no such."""
    verb, unit, target = action >> 12, action >> 8 & 15, action & 255
    code = fault(terms, s, seat, action)
    if code == 0:
        return action
    if code == NOT_FREE:
        return WAIT
    if code in (TOO_FAR, OUT_OF_RANGE):
        return towards(s, unit, target if verb in (MOVE, BREAK) else s.cell[target])
    raise Refused(*REFUSALS[code])


def towards(s: State, unit: int, goal: int) -> int:
    """One step towards a far cell; if units bar every path, a step of the path that would be there without them."""
    start = s.cell[unit]
    first = first_step(s, start, goal, through_units=False) or first_step(s, start, goal, through_units=True)
    return MOVE << 12 | unit << 8 | first if first and s.board[first] == 0 else WAIT


def first_step(s: State, start: int, goal: int, *, through_units: bool) -> int:
    """The first cell of a shortest path, up, right, down, left tried in this order, or 0; the goal may be taken."""
    first = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for offset in STEP:
            cell = here + offset
            there = s.board[cell]
            if cell in first or (cell != goal and (there < 0 or (there > 0 and not through_units))):
                continue
            first[cell] = first[here] or cell
            if cell == goal:
                return first[cell]
            queue.append(cell)
    return 0


# -- positions -----------------------------------------------------------------------------------------------------


def terms(options: dict[str, Value]) -> Terms:
    terms = Terms()
    terms.seats, terms.turns = 2, int(options["turns"])
    terms.neutrals = ("static", "wander", "generator").index(str(options["neutrals"]))
    terms.destructible, terms.friendly_fire = int(options["destructible"]), int(options["friendly_fire"])
    terms.units_block, terms.codingame_orders = int(options["units_block"]), int(options["codingame_orders"])
    return terms


def unit_text(s: State, unit: int) -> str:
    """`0L10`, `1c7` or `n10`: owner, kind and HP."""
    owner = OWNERS[s.owner[unit]]
    return owner + ("L" if unit < 2 else "" if owner == "n" else "c") + str(s.hp[unit])


def position(terms: Terms, s: State) -> str:
    board = s.board
    rows = ["".join([GROUND[there] for there in board[start : start + WIDTH]]) for start in ROW_STARTS]
    units = [
        f"{OWNER_AND_KIND[owner][unit > 1]}{hp}{AT_CELL[cell]}"
        for unit, (owner, hp, cell) in enumerate(zip(s.owner, s.hp, s.cell, strict=True))
    ]
    random = f" random={s.generator}" if terms.neutrals == GENERATOR else ""
    return f"{'/'.join(rows)} {' '.join(units)} turn={s.turn}{random}{' wandering' if s.wandering else ''}"


def read(options: dict[str, Value], text: str) -> tuple[Terms, State]:
    """The position that `text` describes; refused if no match can hold it. Units left out at the end are dead."""
    agreed, s = terms(options), State()
    words = text.replace("/", " ").split()
    tail = next((k for k, word in enumerate(words) if _TAIL.fullmatch(word)), len(words))
    read_ground(agreed, s, words[:HEIGHT])
    _read_units(s, words[HEIGHT:tail])
    _read_tail(agreed, s, words[tail:])
    _fill_in(agreed, s)
    return agreed, s


def read_ground(terms: Terms, s: State, rows: list[str]) -> None:
    signs = ".x123456789" if terms.destructible else ".x"
    wanted = Words("sept rangées de treize signes parmi {}", "seven rows of thirteen signs among {}").format(signs)
    if len(rows) != HEIGHT:
        raise expected(wanted, "/".join(rows))
    s.board[:] = [BORDER] * SIZE
    for y, row in enumerate(rows):
        if len(row) != WIDTH or set(row) - set(signs):
            raise expected(wanted, row)
        for x, sign in enumerate(row):
            s.board[cell_at(x, y)] = 0 if sign == "." else -FULL_HP if sign == "x" else -int(sign)


def _read_units(s: State, words: list[str]) -> None:
    if not 2 <= len(words) <= UNITS:
        raise expected(Words("de 2 à 14 unités, les leaders d’abord", "2 to 14 units, leaders first"), len(words))
    s.owner[:] = [0, 1] + [NEUTRAL] * (UNITS - 2)
    for unit, word in enumerate(words):
        found = _UNIT.fullmatch(word)
        if found is None or int(found[2]) > FULL_HP or (found[1] != f"{unit}L" if unit < 2 else "L" in found[1]):
            like = (f"{unit}L10@0,3",) if unit < 2 else ("n10@2,1", "0c7@4,4", "1c0")
            shape = Words("l’unité {} comme {}, de 0 à 10 PV", "unit {} like {}, with 0 to 10 HP")
            raise expected(shape.format(unit, ", ".join(like)), word)
        s.owner[unit], s.hp[unit] = OWNERS.index(found[1][0]), int(found[2])
        if found[3] is not None:
            _stand(s, unit, int(found[3]), int(found[4]), word)
        elif s.hp[unit]:
            raise expected(Words("une case pour l’unité {}", "a cell for unit {}").format(unit), word)


def _stand(s: State, unit: int, x: int, y: int, word: str) -> None:
    if not (x < WIDTH and y < HEIGHT) or s.board[cell_at(x, y)]:
        raise expected(Words("une case libre pour l’unité {}", "a free cell for unit {}").format(unit), word)
    if s.hp[unit] == 0:
        if s.fallen:
            raise expected(Words("un seul mort ayant encore sa case", "one dead unit at most that has a cell"), word)
        s.fallen = 1 + unit
    s.cell[unit] = cell_at(x, y)
    s.board[s.cell[unit]] = 1 + unit


def _read_tail(terms: Terms, s: State, words: list[str]) -> None:
    allowed = {"turn"} | ({"random"} if terms.neutrals == GENERATOR else set())
    allowed |= {"wandering"} if terms.neutrals == WANDER else set()
    s.generator = FIRST_SEED if terms.neutrals == GENERATOR else 0
    for word in words:
        found = _TAIL.fullmatch(word)
        if found is None or word.split("=")[0] not in allowed:
            like = ("turn=12", *(("random=42",) if "random" in allowed else ()), *(allowed & {"wandering"}))
            raise expected(Words("à la fin, au plus {}", "at the end no more than {}").format(" ".join(like)), word)
        allowed -= {word.split("=")[0]}
        if found[1] is not None:
            s.turn = _at_most(terms.turns, int(found[1]), "turn")
        elif found[2] is not None:
            s.generator = _at_most(HIGHEST_SEED, int(found[2]), "random")
        else:
            s.wandering = 1


def _at_most(most: int, came: int, name: str) -> int:
    if came > most:
        raise expected(Words("{} de 0 à {}", "{} from 0 to {}").format(name, most), came)
    return came


def _fill_in(terms: Terms, s: State) -> None:
    """What follows from the rest: counts and key. Refuses a moment that does not exist in a match."""
    for unit in range(UNITS):
        s.count[s.owner[unit]] += s.hp[unit] > 0
        s.key ^= KEY_OF_UNIT[unit][s.owner[unit] * 11 + s.hp[unit]]
        s.key ^= KEY_OF_PLACE[unit][s.cell[unit]] if s.cell[unit] else 0
    for cell in range(cell_at(0, 0), cell_at(WIDTH, HEIGHT - 1)):
        if BORDER < s.board[cell] < 0:
            s.key ^= KEY_OF_OBSTACLE[cell][-s.board[cell]]
    if s.count[0] + s.count[1] == 0:
        raise expected(Words("au moins une unité d’un joueur", "at least one unit of a player"), 0)
    if s.fallen and not s.wandering:
        still = Words("un mort sans case, ou « wandering »", "a dead unit without a cell, or “wandering”")
        raise expected(still, f"{unit_text(s, s.fallen - 1)}@{cell_name(s.cell[s.fallen - 1])}")
    if s.wandering and (s.turn == terms.turns or s.count[NEUTRAL] == 0):
        raise expected(Words("un neutre vivant avant le dernier tour", "a living neutral before the end"), "wandering")
