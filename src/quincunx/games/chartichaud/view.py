"""Chartichaud as a client sees it: the cells in sight, the cells remembered, and the story of an action."""

from __future__ import annotations

import msgspec

from quincunx.core.board import Board, Cell, Event
from quincunx.core.words import Words
from quincunx.games.chartichaud.grid import (
    BEATEN,
    BUILDING,
    CAME,
    COLLAPSED,
    DARKENED,
    ENDED,
    FOUND,
    GOLD_BITS,
    HARVESTED,
    LEFT,
    LIT,
    LOST,
    MADE,
    MOST_GOLD,
    MOST_UNITS,
    MOVED,
    OVER,
    PITCH,
    PRICE,
    SCORED,
    STEP,
    WORD_BITS,
    State,
    Terms,
    View,
    count,
    has,
)
from quincunx.games.chartichaud.notation import (
    DIRECTIONS,
    KIND_NAMES,
    KINDS,
    LETTERS,
    SIDES,
    Kind,
    cell_name,
    stack_text,
)

PLURALS = (Words("civils", "civilians"), Words("soldats", "soldiers"), Words("bâtiments", "buildings"))
COUNTED = ("turns", 1)  # turns that are over, and how many of them make one for the story

FACTS = {  # what pages must know of the rules to draw them
    "most": {"gold": MOST_GOLD, "units": MOST_UNITS},  # of a map: in all, of one owner and kind on a cell
    "prices": {kind: PRICE[k] for k, kind in enumerate(KINDS)},
}


class Stack(msgspec.Struct, frozen=True):
    """Units of one owner on one cell."""

    owner: int
    civilians: int
    military: int
    buildings: int
    ready: tuple[int, int, int] | None = None  # those of each kind that may still act, where one may know it


class Place(msgspec.Struct, frozen=True):
    """A cell in sight, or one that was; of all others nothing is known."""

    cell: str
    x: int
    y: int
    seen: bool
    since: int | None  # the turn in which it was last seen, if it is only remembered
    gold: int
    reaped: bool
    stacks: tuple[Stack, ...]


class Shown(msgspec.Struct, frozen=True):
    width: int
    height: int
    turn: int  # of both players together, from 0
    turns: int
    player: int
    loser: int  # the seat without units, or -1
    points: tuple[int, int]
    purse: int | None
    places: tuple[Place, ...]


class Moved(Event, frozen=True, tag="moved"):
    seat: int
    unit: Kind
    direction: str


class Left(Event, frozen=True, tag="left"):
    """A unit went out of sight."""

    seat: int
    unit: Kind


class Came(Event, frozen=True, tag="came"):
    """A unit came into sight."""

    seat: int
    unit: Kind


class Made(Event, frozen=True, tag="made"):
    seat: int
    unit: Kind


class Harvested(Event, frozen=True, tag="harvested"):
    seat: int


class Collapsed(Event, frozen=True, tag="collapsed"):
    seat: int
    number: int


class Fought(Event, frozen=True, tag="fought"):
    attacker: int
    losses: tuple[Stack, Stack]  # the attacker's first


class Scored(Event, frozen=True, tag="scored"):
    seat: int
    points: int


class Revealed(Event, frozen=True, tag="revealed"):
    gold: int
    stack: Stack | None


class Hidden(Event, frozen=True, tag="hidden"):
    """A cell went out of sight."""


class Ended(Event, frozen=True, tag="ended"):
    seat: int


class Beaten(Event, frozen=True, tag="beaten"):
    """A player has no unit left."""

    seat: int


class Over(Event, frozen=True, tag="over"):
    """The last turn was played."""


def show(terms: Terms, view: View, seat: int) -> Shown:
    cells = [y * PITCH + x for y in range(terms.height) for x in range(terms.width)]
    over = bool(view.loser) or view.turns >= terms.turns
    acts = not over and view.turns & 1 == seat
    places = tuple(_place(view, seat, cell, acts) for cell in cells if _is_seen(view, cell) or view.memory[cell])
    return Shown(
        width=terms.width,
        height=terms.height,
        turn=view.turns,
        turns=terms.turns,
        player=-1 if over else view.turns & 1,
        loser=view.loser - 1,
        points=(view.points[0], view.points[1]),
        purse=view.own_purse if seat >= 0 else None,
        places=places,
    )


def unveil(terms: Terms, s: State) -> None:
    """The first seat sees the whole map: a picture of a start that belongs to no match."""
    for y in range(terms.height):
        s.seen[0][y] = (1 << terms.width) - 1


def _is_seen(view: View, cell: int) -> bool:
    return has(view.seen[cell // PITCH], cell % PITCH)


def _stack(owner: int, word: int, ready: int | None = None) -> Stack:
    able = None if ready is None else (count(ready, 0), count(ready, 1), count(ready, 2))
    return Stack(owner, count(word, 0), count(word, 1), count(word, 2), able)


def _place(view: View, seat: int, cell: int, acts: bool) -> Place:
    x, y = cell % PITCH, cell // PITCH
    if not _is_seen(view, cell):
        memory = view.memory[cell]
        word, gold = memory & (1 << WORD_BITS) - 1, memory >> WORD_BITS & (1 << GOLD_BITS) - 1
        stacks: tuple[Stack, ...] = (_stack(1 - seat, word),) if word else ()
        return Place(cell_name(cell), x, y, False, (memory >> WORD_BITS + GOLD_BITS) - 1, gold, False, stacks)
    ready = [view.units[seat][cell] - view.acted[cell] if acts and owner == seat else None for owner in range(2)]
    there = [owner for owner in range(2) if view.units[owner][cell]]
    stacks = tuple(_stack(owner, view.units[owner][cell], ready[owner]) for owner in there)
    return Place(cell_name(cell), x, y, True, None, view.gold[cell], has(view.reaped[y], x), stacks)


def score_words(score: int) -> Words:
    if score < 0:
        return Words("plus d’unité", "no unit left")
    return Words(f"{score} point{'s' if score > 1 else ''}", f"{score} point{'' if score == 1 else 's'}")


def ending(terms: Terms, s: State) -> Words:
    """Why it is over."""
    if s.loser:
        return Words("Le camp {} n’a plus d’unité.", "Side {} has no unit left.").format(SIDES[s.loser - 1])
    return Words("Le dernier tour est joué.", "The last turn is played.")


def board(terms: Terms, view: View, seat: int) -> Board:
    """Units of A in capitals, of B in small letters, gold after a +, what is only remembered after a ?"""
    rows = tuple(tuple(_cell(view, seat, y * PITCH + x) for x in range(terms.width)) for y in range(terms.height))
    columns, names = (tuple(str(k) for k in range(n)) for n in (terms.width, terms.height))
    notes = [Words("Tour {} sur {}", "Turn {} of {}").format(view.turns + 1, terms.turns)]
    notes.append(Words("Points : A {}, B {}", "Points: A {}, B {}").format(*view.points))
    if seat >= 0:
        notes.append(Words("Or : {}", "Gold: {}").format(view.own_purse))
    return Board(columns=columns, rows=names, cells=rows, notes=tuple(notes))


def _cell(view: View, seat: int, cell: int) -> Cell:
    if not _is_seen(view, cell):
        memory = view.memory[cell]
        if not memory:
            return Cell(ground="unknown")
        word, gold = memory & (1 << WORD_BITS) - 1, memory >> WORD_BITS & (1 << GOLD_BITS) - 1
        what = _units(1 - seat, word) + (f"+{gold}" if gold else "")
        return Cell(f"?{what}" if what else "", 1 - seat if word else -1, "memory")
    owners = [owner for owner in range(2) if view.units[owner][cell]]
    units = "".join(_units(owner, view.units[owner][cell]) for owner in owners)
    gold = view.gold[cell]
    owner = owners[0] if len(owners) == 1 else -1
    ground = "disputed" if len(owners) == 2 else "gold" if gold else ""
    strong = any(count(view.units[owner][cell], BUILDING) for owner in owners)
    return Cell(units + (f"+{gold}" if gold else ""), owner, ground, strong)


def _units(owner: int, word: int) -> str:
    return stack_text(word) if owner == 0 else stack_text(word).lower()


# -- the story -------------------------------------------------------------------------------------------------------


def tell(terms: Terms, observer: int, events: list[int]) -> list[Event]:
    told: list[Event] = []
    reaps = any(event >> 56 == HARVESTED for event in events)
    for k, event in enumerate(events):
        after = events[k + 1] if k + 1 < len(events) else 0
        if event >> 56 == FOUND or (event >> 56 == LOST and k and _is_second(events, k)):
            continue  # told with the one before
        told.append(_event(event, after, reaps))
    return told


def _is_second(events: list[int], k: int) -> bool:
    """Is the loss at k the defender's? They come in pairs."""
    first = next(i for i, event in enumerate(events) if event >> 56 == LOST)
    return (k - first) % 2 == 1


def _event(event: int, after: int, reaps: bool) -> Event:
    kind, seat, what, cell = event >> 56, event >> 55 & 1, event >> 11 & (1 << 44) - 1, event & 0x7FF
    if kind in (MOVED, LEFT, CAME, MADE):
        return _unit_event(kind, seat, what, cell)
    if kind in (HARVESTED, COLLAPSED, LIT, DARKENED):
        return _cell_event(kind, seat, what, cell, after)
    if kind == LOST:
        return _fought(seat, what, cell, after)
    if kind == SCORED:
        words = Words("{} de plus", "{} more").format(_points(what))
        return Scored(words=words, seat=seat, points=what, line="never" if reaps else "always")
    if kind == ENDED:
        return Ended(words=Words("fin du tour", "end of the turn"), seat=seat)
    if kind == BEATEN:
        words = Words("le camp {} n’a plus d’unité", "side {} has no unit left").format(SIDES[seat])
        return Beaten(words=words, seat=seat)
    assert kind == OVER
    return Over(words=Words("le dernier tour est joué", "the last turn is played"))


def _points(n: int) -> Words:
    return Words(f"{n} point{'s' if n > 1 else ''}", f"{n} point{'' if n == 1 else 's'}")


def _unit_event(kind: int, seat: int, what: int, cell: int) -> Event:
    name = cell_name(cell)
    if kind == MOVED:
        moved, direction = what >> 2, what & 3
        end = cell_name(cell + STEP[direction])
        words = Words("un {} va de {} en {}", "a {} goes from {} to {}").format(KIND_NAMES[moved], name, end)
        return Moved(words=words, cells=(name, end), seat=seat, unit=KINDS[moved], direction=DIRECTIONS[direction])
    unit_name, unit = KIND_NAMES[what], KINDS[what]
    if kind == LEFT:
        words = Words("un {} quitte {} et disparaît dans le brouillard", "a {} leaves {} and is lost in the fog")
        return Left(words=words.format(unit_name, name), cells=(name,), seat=seat, unit=unit)
    if kind == CAME:
        words = Words("un {} sort du brouillard en {}", "a {} comes out of the fog on {}")
        return Came(words=words.format(unit_name, name), cells=(name,), seat=seat, unit=unit)
    words = Words("un nouveau {} en {}", "a new {} on {}")
    return Made(words=words.format(unit_name, name), cells=(name,), seat=seat, unit=unit)


def _cell_event(kind: int, seat: int, what: int, cell: int, after: int) -> Event:
    name = cell_name(cell)
    if kind == HARVESTED:
        words = Words("récolte en {} : 1 point de plus", "harvest on {}: 1 point more").format(name)
        return Harvested(words=words, cells=(name,), seat=seat)
    if kind == COLLAPSED:
        words = Words("un bâtiment en trop s’effondre en {1}", "a surplus building collapses on {1}")
        if what > 1:
            words = Words("{} bâtiments en trop s’effondrent en {}", "{} surplus buildings collapse on {}")
        return Collapsed(words=words.format(what, name), cells=(name,), seat=seat, number=what)
    if kind == DARKENED:
        words = Words("{} n’est plus en vue", "{} is out of sight").format(name)
        return Hidden(words=words, cells=(name,), line="never")
    return _revealed(name, what, after)


def _revealed(name: str, gold: int, after: int) -> Event:
    """Empty ground needs no line, and gold that was seen before none again; units move, so they are told each time."""
    if after >> 56 == FOUND:
        owner, word = after >> 55 & 1, after >> 11 & (1 << WORD_BITS) - 1
        words = Words("en vue en {} : {} du camp {}", "in sight on {}: {} of side {}")
        words = words.format(name, _listed(word), SIDES[owner])
        return Revealed(words=words, cells=(name,), gold=gold, stack=_stack(owner, word))
    words = Words("de l’or en vue en {} : {}", "in sight on {}: {} gold").format(name, gold)
    return Revealed(words=words, cells=(name,), gold=gold, stack=None, line="once" if gold else "never")


def _listed(word: int) -> Words:
    kinds = [(count(word, kind), kind) for kind in range(len(LETTERS)) if count(word, kind)]
    named = [Words("{} {}", "{} {}").format(n, (KIND_NAMES if n == 1 else PLURALS)[kind]) for n, kind in kinds]
    return Words(", ".join(words.fr for words in named), ", ".join(words.en for words in named))


def _loses(word: int) -> Words:
    return Words("perd {}", "loses {}").format(_listed(word)) if word else Words("ne perd rien", "loses nothing")


def _fought(attacker: int, lost: int, cell: int, after: int) -> Event:
    """The pair of losses of a fight."""
    word = after >> 11 & (1 << WORD_BITS) - 1
    words = Words(
        "combat en {} : le camp {} attaque et {}, le camp {} {}", "fight on {}: side {} attacks and {}, side {} {}"
    )
    spoken = words.format(cell_name(cell), SIDES[attacker], _loses(lost), SIDES[1 - attacker], _loses(word))
    losses = (_stack(attacker, lost), _stack(1 - attacker, word))
    return Fought(words=spoken, cells=(cell_name(cell),), attacker=attacker, losses=losses)
