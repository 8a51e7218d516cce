"""Casus Belli, the story of an action in words and typed structs.

The steps of one's own units and the traces of the penumbra come one by one; they are told unit by unit, as one event
with all its cells. What the team saw happen on the cells that its attack struck is told with the attack.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec

from quincunx.core.board import Event
from quincunx.core.words import Words
from quincunx.games.casus_belli import story
from quincunx.games.casus_belli.field import (
    ATTACK,
    BARBARIAN,
    BASIC,
    BASTOOOON,
    ELF,
    FATAL,
    FUS_RO_DAH,
    LOTO,
    ROLE,
    THIEF,
    Terms,
    is_targeted,
)
from quincunx.games.casus_belli.fight import beside
from quincunx.games.casus_belli.notation import FACINGS, ROLES, Facing, Role, cell_name, name_of, order_text

THE = (Words("le voleur", "thief"), Words("le barbare", "barbarian"), Words("l’elfe", "elf"))
YOURS = (Words("Votre voleur", "Your thief"), Words("Votre barbare", "Your barbarian"), Words("Votre elfe", "Your elf"))
SIDES = (Words("au nord", "north"), Words("à l’est", "east"), Words("au sud", "south"), Words("à l’ouest", "west"))
ABILITIES = (
    (Words("le palantír", "the palantír"), Words("la traîtrise", "treachery")),
    (Words("Bastoooon", "Bastoooon"), Words("Fus Ro Dah", "Fus Ro Dah")),
    (Words("la révélation", "revealing"), Words("Loto", "Loto")),
)
DEEDS = (  # by role and attack
    (
        Words("{} frappe au couteau en {}", "{} stabs at {}"),
        Words("{} pose un palantír en {}", "{} sets a palantír on {}"),
        Words("{} trahit ceux de sa case", "{} betrays those on his cell"),
    ),
    (
        Words("{} abat sa masse en croix sur {}", "{} swings his mace in a cross on {}"),
        Words("{} donne du Bastoooon", "{} deals a Bastoooon"),
        Words("{} crie Fus Ro Dah", "{} shouts Fus Ro Dah"),
    ),
    (
        Words("{} tire à l’arc en {}", "{} shoots an arrow at {}"),
        Words("{} révèle le carré autour de {}", "{} reveals the square around {}"),
        Words("{} joue au Loto en {}", "{} plays Loto on {}"),
    ),
)


class Sealed(Event, frozen=True, tag="sealed"):
    seat: int


class Ordered(Event, frozen=True, tag="ordered"):
    order: str


class Struck(msgspec.Struct, frozen=True):
    """An enemy that stood where an attack struck, and what the team saw of it afterwards."""

    team: int
    role: Role
    cell: str
    damage: int  # what it lost; 0: it died


class Attacked(Event, frozen=True, tag="attacked"):
    """One's own attack as it was carried out, or dropped."""

    role: Role
    order: str
    dropped: bool
    struck: tuple[Struck, ...] = ()


class Hurt(Event, frozen=True, tag="hurt"):
    """An enemy that was seen before and after; no attack of one's own struck where it stood."""

    team: int
    role: Role
    damage: int


class Hit(Event, frozen=True, tag="hit"):
    role: Role
    team: int
    damage: int  # 0: torn apart by two pushes


class Walked(Event, frozen=True, tag="walked"):
    """One's own unit: pushed, or step by step along its path; no cell if its path was dropped."""

    role: Role
    pushed: bool


class Died(Event, frozen=True, tag="died"):
    role: Role


class Penumbra(Event, frozen=True, tag="penumbra"):
    """The traces that one's own unit noted, in order."""

    role: Role


class Seen(Event, frozen=True, tag="seen"):
    """A unit as it is now, in sight; `cells` is empty when it is no longer."""

    team: int
    role: Role
    facing: Facing | Literal[""]
    health: int


class CorpseSeen(Event, frozen=True, tag="corpse"):
    """It came in sight; `cells` is empty when it is gone."""

    team: int
    role: Role


class Scored(Event, frozen=True, tag="scored"):
    seat: int
    points: int


class HotspotHeld(Event, frozen=True, tag="hotspot"):
    number: int
    holder: int
    turns: int


class Cooldown(Event, frozen=True, tag="cooldown"):
    role: Role
    ability: int
    turns: int


class Departure(Event, frozen=True, tag="departure"):
    role: Role


class Square(Event, frozen=True, tag="square"):
    """One's palantír or revealed zone; `cells` is empty when there is none any more."""

    palantir: bool


class Turn(Event, frozen=True, tag="turn"):
    phase: int


def tell(terms: Terms, observer: int, events: list[int]) -> list[Event]:
    told: list[Event] = []
    grouped: set[int] = set()
    struck = _struck(terms, observer, events)
    explained = {event for found in struck.values() for event in found}
    for event in events:
        head = event >> 32  # kind and unit
        if event in explained:
            continue
        if event >> 48 in (story.STEPPED, story.NOTED):
            if head not in grouped:
                grouped.add(head)
                cells = tuple(cell_name(terms, e & 0xFFFF) for e in events if e >> 32 == head)
                told.append(_in_a_row(head >> 16, head & 0xFFFF, cells))
        elif event >> 48 in (story.ATTACKED, story.DROPPED):
            told.append(_attacked(terms, event, struck.get(event, [])))
        else:
            told.append(_event(terms, observer, event))
    return told


def _struck(terms: Terms, observer: int, events: list[int]) -> dict[int, list[int]]:
    """The wounds and deaths in sight, by the attack that struck there; of several, the last one.

    After a Fus Ro Dah of one's own nobody knows where the others were when they were struck."""
    attacks = [event for event in events if event >> 48 == story.ATTACKED]
    if any(_is(event, BARBARIAN, FUS_RO_DAH) for event in attacks):
        return {}
    left = {event: cell for event in events if (cell := _wounded_at(observer, event)) >= 0}
    struck: dict[int, list[int]] = {}
    for attack in reversed(attacks):
        cells = _covered(terms, attack)
        struck[attack] = [event for event, cell in left.items() if cell in cells]
        left = {event: cell for event, cell in left.items() if cell not in cells}
    return struck


def _is(attack: int, role: int, what: int) -> bool:
    return (attack >> 32 & 0xFFFF) % 3 == role and attack >> 16 & 0xFFFF == what


def _wounded_at(observer: int, event: int) -> int:
    """Where somebody else was hurt or died; -1: the event is about something else."""
    if event >> 48 == story.HURT:
        return event & 0xFFFF
    fell = event >> 48 == story.CORPSE and event & 0xFFFF and (event >> 32 & 0xFFFF) // 3 != observer
    return (event & 0xFFFF) - 1 if fell else -1


def _covered(terms: Terms, attack: int) -> set[int]:
    """The cells on which an attack with a target does harm."""
    cell = attack & 0xFFFF
    if _is(attack, THIEF, BASIC) or _is(attack, ELF, BASIC) or _is(attack, ELF, LOTO):
        return {cell}
    if _is(attack, BARBARIAN, BASIC) or (_is(attack, BARBARIAN, BASTOOOON) and terms.wide_bastoooon):
        return {cell, *(beside(terms, cell, side) for side in range(4))}
    return set()


def _in_a_row(kind: int, unit: int, cells: tuple[str, ...]) -> Event:
    role = ROLES[unit % 3]
    if kind == story.STEPPED:
        words = Words("{} marche jusqu’en {}.", "{} walks to {}.").format(YOURS[unit % 3], cells[-1])
        return Walked(words=words, cells=cells, role=role, pushed=False)
    places = " ".join(dict.fromkeys(cells))
    words = Words("{} a entrevu quelqu’un : {}.", "{} noticed somebody: {}.").format(YOURS[unit % 3], places)
    return Penumbra(words=words, cells=cells, role=role)


def player(seat: int) -> Words:
    return Words(f"le joueur {seat + 1}", f"player {seat + 1}")


def capital(words: Words) -> Words:
    return Words(words.fr[0].upper() + words.fr[1:], words.en[0].upper() + words.en[1:])


def unit_name(observer: int, unit: int) -> Words:
    if unit // 3 == observer:
        return YOURS[unit % 3]
    return Words(f"{THE[unit % 3].fr} du joueur {unit // 3 + 1}", f"player {unit // 3 + 1}’s {THE[unit % 3].en}")


def health(points: int) -> Words:
    return Words(f"{points} point{'s' * (points > 1)} de vie", f"{points} health")


def turns(number: int) -> Words:
    return Words(f"{number} tour{'s' * (number > 1)}", f"{number} turn{'s' * (number != 1)}")


def _event(terms: Terms, observer: int, event: int) -> Event:
    kind, who, what, cell = event >> 48, event >> 32 & 0xFFFF, event >> 16 & 0xFFFF, event & 0xFFFF
    if kind == story.ORDERED:
        order = order_text(terms, event & (1 << 48) - 1)
        return Ordered(words=Words("Ordre donné : {}.", "Order given: {}.").format(order), order=order, line="never")
    if kind == story.SCORED:
        points = (event & 0xFFFFFFFF) - story.BALANCE
        scored = Words(f"{points} point{'s' * (abs(points) > 1)}", f"{points} point{'s' * (abs(points) != 1)}")
        words = Words("{} a {}.", "{} has {}.").format(capital(player(who)), scored)
        return Scored(words=words, seat=who, points=points)
    if kind in (story.SEALED, story.HOTSPOT, story.TURN):
        return _public(terms, kind, who, what, cell)
    if kind in (story.SEEN, story.GONE, story.CORPSE, story.HURT):
        return _sighted(terms.width, who // 3 == observer, kind, who, what, cell)
    if kind in (story.COOLDOWN, story.DEPARTURE, story.PALANTIR_SET, story.REVEALED):
        return _own_affair(terms, kind, who, what, cell)
    return _suffered(terms, kind, who, what, cell)


def _attacked(terms: Terms, event: int, wounds: list[int]) -> Event:
    who, what, cell = event >> 32 & 0xFFFF, event >> 16 & 0xFFFF, event & 0xFFFF
    order = order_text(terms, ATTACK | who % 3 * ROLE | what << 16 | cell)
    cells = (cell_name(terms, cell),) if is_targeted(terms, who % 3, what) else ()
    deed = DEEDS[who % 3][what - 1].format(YOURS[who % 3], *cells)
    if event >> 48 == story.DROPPED:
        words = Words("{} : ce n’est plus possible.", "{}: no longer possible.").format(deed)
        return Attacked(words=words, cells=cells, role=ROLES[who % 3], order=order, dropped=True)
    struck = tuple(_victim(terms, wound) for wound in wounds)
    effects = [_effect(wound >> 32 & 0xFFFF, victim.damage) for wound, victim in zip(wounds, struck, strict=True)]
    fr, en = ", ".join(words.fr for words in effects), ", ".join(words.en for words in effects)
    words = Words(f"{deed.fr} : {fr}.", f"{deed.en}: {en}.") if effects else Words(f"{deed.fr}.", f"{deed.en}.")
    return Attacked(words=words, cells=cells, role=ROLES[who % 3], order=order, dropped=False, struck=struck)


def _effect(unit: int, damage: int) -> Words:
    if damage:
        return Words("{} perd {}", "{} loses {}").format(unit_name(-1, unit), health(damage))
    return Words("{} meurt", "{} dies").format(unit_name(-1, unit))


def _victim(terms: Terms, wound: int) -> Struck:
    unit, cell = wound >> 32 & 0xFFFF, wound & 0xFFFF
    if wound >> 48 == story.HURT:
        return Struck(unit // 3, ROLES[unit % 3], cell_name(terms, cell), wound >> 16 & 0xFFFF)
    return Struck(unit // 3, ROLES[unit % 3], cell_name(terms, cell - 1), 0)


def _public(terms: Terms, kind: int, who: int, what: int, cell: int) -> Event:
    if kind == story.SEALED:
        words = Words("{} a scellé ses ordres.", "{} has sealed.")
        return Sealed(words=words.format(capital(player(who))), seat=who, line="never")
    if kind == story.HOTSPOT:
        held = Words("{1} tient le hotspot {0} depuis {2}.", "{1} has held hotspot {0} for {2}.")
        won = Words("{1} gagne un point avec le hotspot {0}.", "{1} wins a point with hotspot {0}.")
        free = Words("Personne ne tient seul le hotspot {0}.", "Nobody is alone on hotspot {0}.")
        words = held if cell else won if what else free
        words = words.format(who + 1, capital(player(what - 1)), turns(cell))
        return HotspotHeld(words=words, number=who, holder=what - 1, turns=cell)
    if cell >= terms.turns:
        return Turn(words=Words("La partie est finie.", "The game is over."), turn=cell, phase=what)
    words = Words("Attaques du tour {}.", "Attacks of turn {}.") if what else Words("Tour {}.", "Turn {}.")
    return Turn(words=words.format(cell + 1), turn=cell + 1, phase=what, line="never")


@lru_cache(1 << 15)
def _sighted(width: int, own: bool, kind: int, unit: int, what: int, cell: int) -> Event:
    """Of a hundred teams many see the same unit: it is put into words once."""
    team, role = unit // 3, ROLES[unit % 3]
    name = capital(unit_name(team if own else -1, unit))
    if kind == story.HURT:
        here = name_of(width, cell)
        words = Words("{} perd {}.", "{} loses {}.").format(name, health(what))
        return Hurt(words=words, cells=(here,), team=team, role=role, damage=what)
    if kind == story.GONE:
        words = Words("{} n’est plus en vue.", "{} is out of sight.").format(name)
        return Seen(words=words, team=team, role=role, facing="", health=0)
    if kind == story.CORPSE:
        at = (name_of(width, cell - 1),) if cell else ()
        lies = Words("{} gît en {}.", "{} lies dead on {}.").format(name, *at) if cell else None
        gone = Words("{} : le cadavre n’est plus là.", "{}: the corpse is gone.").format(name)
        news = cell and not own  # of one's own one is told the death
        return CorpseSeen(words=lies or gone, cells=at, team=team, role=role, line="always" if news else "never")
    here, facing, left = name_of(width, cell), what >> 8, what & 255
    words = Words("{} est en {}, face {}, {}.", "{} is on {}, facing {}, {}.")
    words = words.format(name, here, SIDES[facing], health(left))
    told: Literal["always", "never"] = "never" if own else "always"
    return Seen(words=words, cells=(here,), team=team, role=role, facing=FACINGS[facing], health=left, line=told)


def _own_affair(terms: Terms, kind: int, who: int, what: int, cell: int) -> Event:
    role = ROLES[who % 3]
    if kind == story.COOLDOWN:
        ability = ABILITIES[who % 3][what & 1]
        wait = Words("{0} : {1}, encore {2} d’attente.", "{0}: {1}, ready in {2}.")
        ready = Words("{0} : {1}, de nouveau possible.", "{0}: {1}, ready.")
        words = (wait if cell else ready).format(YOURS[who % 3], ability, turns(cell))
        return Cooldown(words=words, role=role, ability=what, turns=cell, line="never")
    if kind == story.DEPARTURE:
        here = cell_name(terms, cell)
        words = Words("{} reviendra en {}.", "{} will reappear on {}.").format(YOURS[who % 3], here)
        return Departure(words=words, cells=(here,), role=role, line="never")
    palantir = kind == story.PALANTIR_SET
    name = Words("Votre palantír", "Your palantír") if palantir else Words("Votre zone révélée", "Your revealed zone")
    at = (cell_name(terms, cell - 1),) if cell else ()
    there = Words("{} est en {}.", "{} is on {}.").format(name, *at) if cell else None
    gone = Words("{} a disparu.", "{} is gone.").format(name)
    return Square(words=there or gone, cells=at, palantir=palantir, line="always" if cell else "never")


def _suffered(terms: Terms, kind: int, unit: int, what: int, cell: int) -> Event:
    name, role = YOURS[unit % 3], ROLES[unit % 3]
    if kind == story.HIT:
        by = Words(f"du joueur {cell + 1}", f"player {cell + 1}")
        by = Words("de votre propre équipe", "your own team") if cell == unit // 3 else by
        lost = Words("{0} perd {1} : coup {2}.", "{0} loses {1} to {2}.")
        slain = Words("{0} reçoit un coup mortel {2}.", "{0} takes a fatal blow from {2}.")
        torn = Words("{0} ne survit pas à deux poussées : Fus Ro Dah {2}.", "{0} does not survive two pushes, by {2}.")
        words = torn if what == 0 else slain if what >= FATAL else lost
        return Hit(words=words.format(name, health(what), by), role=role, team=cell, damage=what)
    if kind == story.STRAYED:
        words = Words("{} ne peut plus suivre son chemin.", "{} can no longer follow the path.").format(name)
        return Walked(words=words, role=role, pushed=False)
    here = cell_name(terms, cell)
    if kind == story.PUSHED:
        words = Words("{} recule jusqu’en {} (Fus Ro Dah).", "{} is pushed to {} (Fus Ro Dah).").format(name, here)
        return Walked(words=words, cells=(here,), role=role, pushed=True)
    return Died(words=Words("{} meurt en {}.", "{} dies on {}.").format(name, here), cells=(here,), role=role)
