"""Chartichaud in writing.

An action is `move civilian 4,5 east`, `build 4,5`, `recruit military 4,5`, `harvest 4,5` or `end`. Kinds, directions
and verbs may be short or French (`move m 4,5 e`, `récolter 4,5`). An order to several is `move 3 military 4,5 east`,
`move all civilian 4,5 north`, `build 2 4,5`, `recruit all civilian 4,5` or `harvest all`: see `expand`.

A position is one line; `3C2M1B` are civilians, military and buildings, `2-4,7` the cells 2,7 to 4,7. What is zero or
empty is left out. A memory is `cells@turn:gold`, with `+` the units that were there:

    16x9 turn=8 points=5,4 purse=15,19 wealth=40,40 A=0,0:1B;1-2,0:1C B=15,8:3C acted=1,0:1C reaped=1,0 gold=1,0:24
    memoryA=9,0@5:0;9,1@5:36+1M
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import Literal, NamedTuple

from quincunx.core.options import Value
from quincunx.core.words import Words, expected, unfit
from quincunx.games.chartichaud.grid import (
    BUILDING,
    CIVILIAN,
    FULL,
    GOLD_BITS,
    MOST_GOLD,
    ONE,
    PITCH,
    PRICE,
    WORD_BITS,
    State,
    Terms,
    View,
    count,
    derive,
    has,
    inside,
)
from quincunx.games.chartichaud.rules import (
    DISPUTED,
    END,
    HARVEST,
    MAKE,
    MOVE,
    NO_GOLD,
    NO_UNIT,
    OFF_GRID,
    REAPED,
    TOO_POOR,
)

REFUSALS = {
    NO_UNIT: (
        "no_unit",
        Words(
            "Aucune de vos unités ne peut encore faire cela ici.", "No unit of yours here can still do that this turn."
        ),
    ),
    OFF_GRID: ("off_grid", Words("La carte s’arrête là.", "The map ends there.")),
    TOO_POOR: ("too_poor", Words("Vous n’avez pas assez d’or.", "You do not have enough gold.")),
    NO_GOLD: ("no_gold", Words("Il n’y a pas d’or sur cette case.", "There is no gold on this cell.")),
    REAPED: (
        "reaped",
        Words("L’or de cette case a déjà été récolté ce tour-ci.", "This cell was already harvested this turn."),
    ),
    DISPUTED: (
        "disputed",
        Words(
            "On ne peut ni bâtir ni recruter sur une case où l’adversaire a un bâtiment.",
            "You cannot build or recruit on a cell where the enemy has a building.",
        ),
    ),
}

SIDES = "AB"
LETTERS = "CMB"
Kind = Literal["civilian", "military", "building"]
KINDS: tuple[Kind, Kind, Kind] = ("civilian", "military", "building")
DIRECTIONS = ("north", "east", "south", "west")
KIND_NAMES = (Words("civil", "civilian"), Words("soldat", "soldier"), Words("bâtiment", "building"))

_KIND_WORDS = (("civilian", "civil", "civile", "c"), ("military", "militaire", "m"), ("building", "bâtiment", "b"))
_DIRECTION_WORDS = (("north", "nord", "n"), ("east", "est", "e"), ("south", "sud", "s"), ("west", "ouest", "w", "o"))
_VERB_WORDS = (("end", "fin"), ("move", "aller"), ("build", "bâtir"), ("harvest", "récolter"), ("recruit", "recruter"))
_END, _MOVE, _BUILD, _HARVEST, _RECRUIT = range(5)

_CELL = re.compile(r"(\d{1,2}),(\d{1,2})")
_CELLS = re.compile(r"(\d{1,2})(?:-(\d{1,2}))?,(\d{1,2})")
_STACK = re.compile(r"(?=\d)(?:(\d{1,4})C)?(?:(\d{1,4})M)?(?:(\d{1,4})B)?")
_MEMORY = re.compile(r"(\d{1,4}):(\d{1,5})(?:\+(\w+))?")


def cell_name(cell: int) -> str:
    return f"{cell % PITCH},{cell // PITCH}"


# -- actions ---------------------------------------------------------------------------------------------------------


def text(terms: Terms, s: State, seat: int, action: int) -> str:
    verb, kind, direction, cell = action >> 16, action >> 14 & 3, action >> 12 & 3, cell_name(action & 0xFFF)
    if action == END:
        return "end"
    if verb == MOVE:
        return f"move {KINDS[kind]} {cell} {DIRECTIONS[direction]}"
    if verb == HARVEST:
        return f"harvest {cell}"
    return f"build {cell}" if kind == BUILDING else f"recruit {KINDS[kind]} {cell}"


class Order(NamedTuple):
    verb: int
    number: int  # how many, or 0 for all
    single: bool  # no number was written
    kind: int
    cell: int  # or -1 for all
    direction: int

    @property
    def action(self) -> int:
        if self.verb == _MOVE:
            return MOVE << 16 | self.kind << 14 | self.direction << 12 | self.cell
        if self.verb == _HARVEST:
            return HARVEST << 16 | self.cell
        return END if self.verb == _END else MAKE << 16 | self.kind << 14 | self.cell


def parse(terms: Terms, s: State | View, seat: int, text: str) -> int:
    order = _read_order(terms, text)
    if not order.single:
        raise expected(Words("l’action d’une seule unité", "the action of a single unit"), text)
    return order.action


def expand(terms: Terms, known: State | View, seat: int, text: str) -> list[int]:
    """The single actions of an order of several units; one that too few units can follow is refused."""
    order = _read_order(terms, text)
    if order.single:
        return [order.action]
    if order.verb == _HARVEST:
        cells = [cell for cell in _grid(terms) if _may_harvest(known, seat, cell)]
        return [HARVEST << 16 | cell for cell in cells]
    actor = order.kind if order.verb == _MOVE else CIVILIAN if order.verb == _BUILD else BUILDING
    able = count(_ready(known, seat, order.cell), actor)
    if order.verb != _MOVE:
        purse = known.own_purse if isinstance(known, View) else known.purse[seat]
        able = min(able, purse // PRICE[order.kind])
    if order.number > able or not able:
        raise expected(Words("au plus {} ici", "at most {} here").format(able), text)
    return [order.action] * (order.number or able)


def _ready(known: State | View, seat: int, cell: int) -> int:
    return known.units[seat][cell] - (known.acted[cell] if known.turns & 1 == seat else 0)


def _may_harvest(known: State | View, seat: int, cell: int) -> bool:
    free = known.gold[cell] > 0 and not has(known.reaped[cell // PITCH], cell % PITCH)
    return free and count(_ready(known, seat, cell), CIVILIAN) > 0


def _read_order(terms: Terms, text: str) -> Order:
    words = text.lower().split()
    verb = next((k for k, names in enumerate(_VERB_WORDS) if words[:1] and words[0] in names), -1)
    if verb < 0:
        raise expected(Words("end, move, build, recruit ou harvest", "end, move, build, recruit or harvest"), text)
    shapes = ("end", "move [3] civilian 4,5 east", "build [2] 4,5", "harvest 4,5", "recruit [2] military 4,5")
    rest = words[1:]
    number, single = 1, True
    if rest and verb != _END and (rest[0] in ("all", "tous", "toutes", "tout") or rest[0].isdecimal()):
        number, single = int(rest[0]) if rest[0].isdecimal() else 0, False
        rest = rest[1:]
        if verb == _HARVEST and not rest and number == 0:
            return Order(verb, 0, False, 0, -1, 0)
    kind = _word(_KIND_WORDS, rest.pop(0)) if verb in (_MOVE, _RECRUIT) and rest else BUILDING
    cell = _cell(terms, rest.pop(0)) if verb != _END and rest else -1
    direction = _word(_DIRECTION_WORDS, rest.pop(0)) if verb == _MOVE and rest else -1 if verb == _MOVE else 0
    wrong = rest or (verb != _END and cell < 0) or direction < 0 or kind < 0
    if wrong or (verb in (_MOVE, _RECRUIT) and kind == BUILDING) or (verb == _HARVEST and not single):
        raise expected(Words(f"« {shapes[verb]} »", f"“{shapes[verb]}”"), text)
    if not single and number == 0 and text.split()[1].isdecimal():
        raise expected(Words("un nombre d’unités", "a number of units"), text)
    return Order(verb, number, single, 0 if verb == _HARVEST else kind, max(cell, 0), direction)


def _word(names: tuple[tuple[str, ...], ...], word: str) -> int:
    return next((k for k, known in enumerate(names) if word in known), -1)


def _cell(terms: Terms, word: str) -> int:
    found = _CELL.fullmatch(word)
    if not found or not inside(terms, int(found[1]), int(found[2])):
        last = f"{terms.width - 1},{terms.height - 1}"
        raise expected(Words("une case de 0,0 à {}", "a cell from 0,0 to {}").format(last), word)
    return int(found[2]) * PITCH + int(found[1])


# -- positions -------------------------------------------------------------------------------------------------------


def _grid(terms: Terms) -> Iterator[int]:
    return (y * PITCH + x for y in range(terms.height) for x in range(terms.width))


def stack_text(word: int) -> str:
    return "".join(f"{count(word, kind)}{LETTERS[kind]}" for kind in range(3) if count(word, kind))


@lru_cache(maxsize=4096)
def _stack(word: int) -> str:
    return f":{stack_text(word)}" if word else ""


@lru_cache(maxsize=4096)  # every entry of a record needs all cells, and most are as they were
def _memory_text(memory: int) -> str:
    if not memory:
        return ""
    units = stack_text(memory & (1 << WORD_BITS) - 1)
    gold = memory >> WORD_BITS & (1 << GOLD_BITS) - 1
    return f"@{(memory >> WORD_BITS + GOLD_BITS) - 1}:{gold}{'+' + units if units else ''}"


def _runs(terms: Terms, values: list[int], content: Callable[[int], str]) -> str:
    """`2-4,7` and what these cells of a row have in common, for all that have something."""
    runs: list[str] = []
    for y in range(terms.height):
        row = values[y * PITCH : y * PITCH + terms.width]
        if not any(row):
            continue
        start = 0
        for text, alike in groupby(row, content):
            end = start + len(list(alike)) - 1
            if text:
                runs.append(f"{start}{f'-{end}' if end > start else ''},{y}{text}")
            start = end + 1
    return ";".join(runs)


def _bits(rows: list[int]) -> list[int]:
    """A bit a cell, as a number a cell."""
    return [int(has(row, x)) for row in rows for x in range(PITCH)] if any(rows) else []


def position(terms: Terms, s: State) -> str:
    parts = [f"{terms.width}x{terms.height}", f"turn={s.turns}", f"points={s.points[0]},{s.points[1]}"]
    numbers = {"purse": s.purse, "won": s.won, "fallen": s.fallen, "wealth": s.wealth}
    parts += [f"{name}={pair[0]},{pair[1]}" for name, pair in numbers.items() if any(pair)]

    sections = {
        "A": _runs(terms, s.units[0], _stack),
        "B": _runs(terms, s.units[1], _stack),
        "acted": _runs(terms, s.acted, _stack),
        "reaped": _runs(terms, _bits(s.reaped), lambda bit: " " * bit).replace(" ", ""),
        "gold": _runs(terms, s.gold, lambda gold: f":{gold}" if gold else ""),
        "memoryA": _runs(terms, s.memory[0], _memory_text),
        "memoryB": _runs(terms, s.memory[1], _memory_text),
    }
    return " ".join([*parts, *(f"{name}={runs}" for name, runs in sections.items() if runs)])


def agree(options: dict[str, Value], width: int, height: int) -> Terms:
    """The terms; the size may be a map's own."""
    terms = Terms()
    terms.seats, terms.width, terms.height, terms.turns = 2, width, height, int(options["turns"])
    terms.fresh_act, terms.contested = int(options["fresh_units_act"]), int(options["recruit_contested"])
    terms.single = int(options["single_building"])
    return terms


_PAIRS = ("points", "purse", "won", "fallen", "wealth")
_SECTIONS = ("A", "B", "acted", "reaped", "gold", "memoryA", "memoryB")


def read(options: dict[str, Value], text: str) -> tuple[Terms, State]:
    """The position that `text` describes; one that contradicts itself is refused."""
    size, *parts = text.split() or [""]
    found = re.fullmatch(r"(\d{1,2})x(\d{1,2})", size)
    if not found or not all(5 <= int(side) <= PITCH for side in found.groups()):
        raise expected(Words("une taille de 5x5 à 40x40", "a size from 5x5 to 40x40"), size)
    terms, s = agree(options, int(found[1]), int(found[2])), State()
    given = dict.fromkeys(_SECTIONS, "")
    for part in parts:
        name, _, value = part.partition("=")
        if name == "turn":
            s.turns = _number(part, value, terms.turns)
        elif name in _PAIRS:
            pair = value.split(",")
            if len(pair) != 2:
                raise expected(Words("deux nombres", "two numbers"), part)
            getattr(s, name)[:] = [_number(part, each, 10**6) for each in pair]
        elif name in given:
            given[name] = value
        else:
            raise expected(Words("turn=, points=, A=, gold=…", "turn=, points=, A=, gold=…"), part)
    _read_cells(terms, s, given)
    validate(terms, s)
    _read_memories(terms, s, given)
    return terms, s


def _number(where: str, text: str, most: int) -> int:
    if not text.isdecimal() or int(text) > most:
        raise expected(Words("un nombre de 0 à {}", "a number from 0 to {}").format(most), where)
    return int(text)


def _read_runs(terms: Terms, section: str) -> Iterator[tuple[int, str]]:
    """Every cell of a section with what is said of it."""
    for run in section.split(";") if section else []:
        found = _CELLS.match(run)
        first = int(found[1]) if found else 0
        last = int(found[2] or first) if found else -1
        if not found or last < first or not inside(terms, last, int(found[3])):
            raise expected(Words("des cases de la carte", "cells of the map"), run)
        for x in range(first, last + 1):
            yield int(found[3]) * PITCH + x, run[found.end() :]


def _read_cells(terms: Terms, s: State, given: dict[str, str]) -> None:
    for row, name in ((s.units[0], "A"), (s.units[1], "B"), (s.acted, "acted")):
        for cell, stack in _read_runs(terms, given[name]):
            row[cell] = _read_stack(stack.removeprefix(":"))
    for cell, gold in _read_runs(terms, given["gold"]):
        s.gold[cell] = _number(gold, gold.removeprefix(":"), MOST_GOLD)
    for cell, _ in _read_runs(terms, given["reaped"]):
        s.reaped[cell // PITCH] |= 1 << cell % PITCH


def _read_stack(text: str) -> int:
    found = _STACK.fullmatch(text)
    numbers = [int(n or 0) for n in found.groups()] if found else []
    if not any(numbers) or any(n > FULL[kind] for kind, n in enumerate(numbers)):
        raise expected(Words("des unités comme 3C2M1B", "units like 3C2M1B"), text)
    return sum(n * ONE[kind] for kind, n in enumerate(numbers))


def _read_memories(terms: Terms, s: State, given: dict[str, str]) -> None:
    for seat in range(2):
        for cell, what in _read_runs(terms, given[f"memory{SIDES[seat]}"]):
            found = _MEMORY.fullmatch(what.removeprefix("@"))
            if not found or int(found[1]) > s.turns or int(found[2]) > MOST_GOLD:
                raise expected(Words("un souvenir comme @5:36+1M", "a memory like @5:36+1M"), what)
            if has(s.seen[seat][cell // PITCH], cell % PITCH):
                raise expected(Words("des souvenirs hors de vue", "memories out of sight"), cell_name(cell))
            word = _read_stack(found[3]) if found[3] else 0
            s.memory[seat][cell] = (int(found[1]) + 1 << GOLD_BITS | int(found[2])) << WORD_BITS | word
            s.known[seat][cell // PITCH] |= 1 << cell % PITCH


def validate(terms: Terms, s: State) -> None:
    """Completes a state that a person wrote, or refuses what no words can count or no match can reach."""
    player = s.turns & 1
    for cell in _grid(terms):
        if any(count(s.acted[cell], kind) > count(s.units[player][cell], kind) for kind in range(3)):
            raise expected(Words("des unités qui sont là (acted)", "acted units that are there"), cell_name(cell))
    derive(terms, s)
    gold = sum(s.gold)
    if gold > MOST_GOLD:
        raise unfit("La carte a {} pièces d’or : {} au plus.", "The map has {} gold: {} at most.", gold, MOST_GOLD)
    for seat in range(2):
        for kind in range(3):
            alive = sum(count(word, kind) for word in s.units[seat])
            if alive + (gold + s.purse[seat]) // PRICE[kind] > FULL[kind]:
                fr, en = (
                    "Trop d’unités ou trop d’or pour une partie ({}).",
                    "Too many units or too much gold for a match ({}).",
                )
                raise unfit(fr, en, KIND_NAMES[kind])
        if s.won[seat] > s.points[seat]:
            raise expected(Words("won ≤ points", "won ≤ points"), s.won[seat])
    if not s.forces[0] and not s.forces[1]:
        raise unfit("Il faut au moins une unité.", "At least one unit is needed.")
    s.loser = 0 if s.forces[0] and s.forces[1] else 1 if s.forces[1] else 2
