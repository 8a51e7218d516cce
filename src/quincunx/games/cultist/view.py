"""Cultist as a client sees it: units with their HP, obstacles, and the story of a turn with its line of fire."""

from __future__ import annotations

from functools import cache

import msgspec

from quincunx.core.board import Board, Cell, Event
from quincunx.core.words import Words
from quincunx.games.cultist.grid import HEIGHT, LINE, LINE_AT, RANGE, WIDTH, cell_at, distance
from quincunx.games.cultist.notation import cell_name, text
from quincunx.games.cultist.rules import (
    BORDER,
    BREAK,
    BROKEN,
    CHIPPED,
    CONVERTED,
    DIED,
    FULL_HP,
    MAX_LEGAL,
    MOVED,
    NEUTRAL,
    NEUTRALS,
    SHOOT,
    SHOT,
    WAITED,
    WANDERED,
    WOUNDED,
    State,
    Terms,
    legal,
    turn,
)
from quincunx.games.cultist.rules import struck as where_it_ends

OWN = (Words("le leader", "the leader"), Words("le cultiste {}", "cultist {}"))  # of the side whose turn it is
OTHERS = (
    (Words("le leader de l’Ouest", "West’s leader"), Words("le cultiste {} de l’Ouest", "West’s cultist {}")),
    (Words("le leader de l’Est", "East’s leader"), Words("le cultiste {} de l’Est", "East’s cultist {}")),
    (Words("", ""), Words("le neutre {}", "neutral {}")),
)

ALIKE = True  # every observer is shown and told the same
COUNTED = ("turn", 1)  # turns that are over, and how many of them make one for the story
FACTS = {"hp": FULL_HP, "neutrals": NEUTRALS}  # what pages must know of the rules to draw them


class Unit(msgspec.Struct, frozen=True):
    id: int
    owner: int  # 0, 1, or 2 for a neutral
    leader: bool
    hp: int
    cell: str  # x,y


class Obstacle(msgspec.Struct, frozen=True):
    cell: str
    hp: int  # 0 = it cannot be destroyed


class Aim(msgspec.Struct, frozen=True):
    """What a shot would do that the seat to act is offered."""

    action: str  # in notation
    cells: tuple[str, ...]  # of the bullet in order, as in Shot
    damage: int  # to what it strikes; 0 = an obstacle stops it in vain
    struck: int  # the unit that would take the bullet, -1 an obstacle


class Shown(msgspec.Struct, frozen=True):
    units: tuple[Unit, ...]  # the living
    obstacles: tuple[Obstacle, ...]
    counts: tuple[int, int, int]  # of living units: West's, East's, neutral
    turn: int  # turns that are over
    turns: int
    player: int  # who is to act: a seat, -1 while a neutral is about to wander, -3 when the game is over
    aims: tuple[Aim, ...]


class Moved(Event, frozen=True, tag="moved"):
    unit: int


class Waited(Event, frozen=True, tag="waited"):
    seat: int


class Shot(Event, frozen=True, tag="shot"):
    """`cells` are those of the bullet in order: the shooter's, those that it crosses, the one that it strikes."""

    unit: int
    aimed_at: str
    damage: int
    hp: int  # what is left of what was struck; 0 of an obstacle that cannot be destroyed
    struck: int  # the unit that took the bullet, -1 an obstacle


class Died(Event, frozen=True, tag="died"):
    unit: int


class Destroyed(Event, frozen=True, tag="destroyed"):
    """An obstacle became floor."""


class Converted(Event, frozen=True, tag="converted"):
    """`cells` are the leader's and the convert's."""

    unit: int
    owner: int
    before: int  # 2 = it was neutral


class Wandered(Event, frozen=True, tag="wandered"):
    unit: int


def show(terms: Terms, view: State, seat: int) -> Shown:
    owner, cell, weak = view.owner, view.cell, terms.destructible
    units = [Unit(u, owner[u], u < 2, hp, cell_name(cell[u])) for u, hp in enumerate(view.hp) if hp]
    obstacles = [_obstacle(at, -there if weak else 0) for at, there in enumerate(view.board) if BORDER < there < 0]
    counts = (view.count[0], view.count[1], view.count[2])
    player = turn(terms, view)
    return Shown(tuple(units), tuple(obstacles), counts, view.turn, terms.turns, player, _aims(terms, view, player))


@cache
def _obstacle(cell: int, hp: int) -> Obstacle:
    return Obstacle(cell_name(cell), hp)


def _aims(terms: Terms, s: State, seat: int) -> tuple[Aim, ...]:
    if seat < 0:
        return ()
    out = [0] * MAX_LEGAL
    offered = out[: legal(terms, s, seat, out)]
    return tuple(_aim(terms, s, seat, action) for action in offered if action >> 12 in (SHOOT, BREAK))


def _aim(terms: Terms, s: State, seat: int, action: int) -> Aim:
    start, target = s.cell[action >> 8 & 15], action & 255
    aim = target if action >> 12 == BREAK else s.cell[target]
    end = where_it_ends(terms, s, start, aim)
    there = s.board[end]
    damage = RANGE + 1 - distance(start, end) if there > 0 or terms.destructible else 0
    return Aim(text(terms, s, seat, action), _bullet(start, aim, end), damage, max(there, 0) - 1)


def _bullet(start: int, aim: int, end: int) -> tuple[str, ...]:
    """The cells of a bullet, from the shooter's to the one that it strikes."""
    cells = [start]
    for offset in LINE[LINE_AT + aim - start]:
        if cells[-1] == end or offset == 0:
            break
        cells.append(start + offset)
    if cells[-1] != end:
        cells.append(end)
    return tuple(map(cell_name, cells))


def score_words(score: int) -> Words:
    """Living units; on the site -1 for who broke a rule."""
    return Words(f"{score} unité{'s' if score > 1 else ''}", f"{score} unit{'' if score == 1 else 's'}")


def ending(terms: Terms, s: State) -> Words:
    """Why it is over."""
    if s.count[0] == 0 or s.count[1] == 0:
        side = Words("L’Ouest", "West") if s.count[0] == 0 else Words("L’Est", "East")
        return Words("{} n’a plus personne.", "{} has nobody left.").format(side)
    tally = (s.count[0], s.count[1])
    return Words("Le dernier tour est joué : {} contre {}.", "The last turn is played: {} against {}.").format(*tally)


def board(terms: Terms, view: State, seat: int) -> Board:
    rows = tuple(tuple(_cell(terms, view, cell_at(x, y)) for x in range(WIDTH)) for y in range(HEIGHT))
    notes = (
        Words("Tour {} sur {}", "Turn {} of {}").format(min(view.turn + 1, terms.turns), terms.turns),
        Words("Ouest {}, Est {}, neutres {}", "West {}, East {}, neutral {}").format(*view.count),
    )
    return Board(tuple(map(str, range(WIDTH))), tuple(map(str, range(HEIGHT))), rows, notes)


def _cell(terms: Terms, view: State, cell: int) -> Cell:
    there = view.board[cell]
    if there < 0:
        return Cell(f"x{-there}" if terms.destructible else "x", ground="wall")
    if there == 0:
        return Cell()
    unit = there - 1
    owner = view.owner[unit]
    letter = "L" if unit < 2 else "n" if owner == NEUTRAL else "c"
    seat = -1 if owner == NEUTRAL else owner
    return Cell(f"{letter}{view.hp[unit]}", owner=seat, strong=unit < 2)


# -- the story -----------------------------------------------------------------------------------------------------


def tell(terms: Terms, observer: int, events: list[int]) -> list[Event]:
    told: list[Event] = []
    for k, event in enumerate(events):
        kind = event >> 32
        if kind == SHOT:
            told.append(_shot(event, events[k + 1]))
        elif kind not in (WOUNDED, CHIPPED):
            told.append(_event(kind, event))
    return told


def _own(event: int) -> Words:
    """The unit of an event that acts: whose it is stands before the line."""
    unit = event >> 24 & 15
    return OWN[unit >= 2].format(unit)


def _name(event: int) -> Words:
    """The unit of an event, as its owner's."""
    owner, unit = event >> 28 & 15, event >> 24 & 15
    return OTHERS[owner][unit >= 2].format(unit)


def _event(kind: int, event: int) -> Event:
    unit, a, b = event >> 24 & 15, cell_name(event >> 16 & 255), cell_name(event >> 8 & 255)
    if kind == MOVED:
        words = Words("{} va de {} en {}", "{} goes from {} to {}").format(_own(event), a, b)
        return Moved(words=words, cells=(a, b), unit=unit)
    if kind == WANDERED:
        words = Words("{} erre de {} en {}", "{} wanders from {} to {}").format(_name(event), a, b)
        return Wandered(words=words, cells=(a, b), unit=unit)
    if kind == DIED:
        words = Words("{} meurt en {}", "{} dies on {}").format(_name(event), a)
        return Died(words=words, cells=(a,), unit=unit)
    if kind == CONVERTED:
        return _converted(event, a, b)
    if kind == BROKEN:
        words = Words("l’obstacle en {} est détruit", "the obstacle on {} is destroyed").format(a)
        return Destroyed(words=words, cells=(a,))
    assert kind == WAITED
    if event >> 28 & 15 == NEUTRAL:
        return Waited(words=Words("aucun neutre ne bouge", "no neutral moves"), seat=NEUTRAL, line="never")
    return Waited(words=Words("passe son tour", "waits"), seat=event >> 28 & 15)


def _converted(event: int, a: str, b: str) -> Event:
    owner, unit, before = event >> 28 & 15, event >> 24 & 15, event & 255
    convert = _name(before << 28 | unit << 24)
    words = Words("le leader convertit {}, en {}", "the leader converts {}, on {}").format(convert, a)
    return Converted(words=words, cells=(b, a), unit=unit, owner=owner, before=before)


def _shot(shot: int, hit: int) -> Event:
    start, aim, end = shot >> 16 & 255, shot >> 8 & 255, hit >> 16 & 255
    by_unit, damage, left = hit >> 32 == WOUNDED, hit & 255, hit >> 8 & 255
    if by_unit:
        words = Words("{} touche {}, en {} : −{} PV, reste {}", "{} hits {}, on {}: −{} HP, {} left")
        words = words.format(_own(shot), _name(hit), cell_name(end), damage, left)
    elif damage:
        words = Words("{} touche l’obstacle en {} : −{} PV", "{} hits the obstacle on {}: −{} HP")
        words = words.format(_own(shot), cell_name(end), damage)
    else:
        words = Words("{} tire ; l’obstacle en {} arrête la balle", "{} shoots; the obstacle on {} stops the bullet")
        words = words.format(_own(shot), cell_name(end))
    return Shot(
        words=words,
        cells=_bullet(start, aim, end),
        unit=shot >> 24 & 15,
        aimed_at=cell_name(aim),
        damage=damage,
        hp=left if by_unit or damage else 0,
        struck=hit >> 24 & 15 if by_unit else -1,
    )
