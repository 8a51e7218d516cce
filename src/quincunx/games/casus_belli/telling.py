"""Casus Belli, the story of an action in words and typed structs.

The steps of one's own units and the traces of the penumbra come one by one; they are told unit by unit, as one event
with all its cells.
"""

from __future__ import annotations

from quincunx.core.board import Event
from quincunx.core.words import Words
from quincunx.games.casus_belli import story
from quincunx.games.casus_belli.field import ATTACK, FATAL, ROLE, Terms
from quincunx.games.casus_belli.notation import FACINGS, ROLES, cell_name, order_text

THE = (Words("Le voleur", "thief"), Words("Le barbare", "barbarian"), Words("L’elfe", "elf"))
YOURS = (Words("Votre voleur", "Your thief"), Words("Votre barbare", "Your barbarian"), Words("Votre elfe", "Your elf"))
SIDES = (Words("au nord", "north"), Words("à l’est", "east"), Words("au sud", "south"), Words("à l’ouest", "west"))
ABILITIES = (
    (Words("le palantír", "the palantír"), Words("la traîtrise", "treachery")),
    (Words("Bastoooon", "Bastoooon"), Words("Fus Ro Dah", "Fus Ro Dah")),
    (Words("la révélation", "revealing"), Words("Loto", "Loto")),
)


class Sealed(Event, frozen=True, tag="sealed"):
    seat: int


class Ordered(Event, frozen=True, tag="ordered"):
    order: str


class Attacked(Event, frozen=True, tag="attacked"):
    """One's own attack as it was carried out, or dropped."""

    role: str
    order: str
    dropped: bool


class Hit(Event, frozen=True, tag="hit"):
    role: str
    team: int
    damage: int  # 0: torn apart by two pushes


class Walked(Event, frozen=True, tag="walked"):
    """One's own unit: pushed, or step by step along its path; no cell if its path was dropped."""

    role: str
    pushed: bool


class Died(Event, frozen=True, tag="died"):
    role: str


class Penumbra(Event, frozen=True, tag="penumbra"):
    """The traces that one's own unit noted, in order."""

    role: str


class Seen(Event, frozen=True, tag="seen"):
    """A unit as it is now, in sight; `cells` is empty when it is no longer."""

    team: int
    role: str
    facing: str
    health: int


class Corpse(Event, frozen=True, tag="corpse"):
    """It came in sight; `cells` is empty when it is gone."""

    team: int
    role: str


class Scored(Event, frozen=True, tag="scored"):
    seat: int
    points: int


class Hotspot(Event, frozen=True, tag="hotspot"):
    number: int
    holder: int
    turns: int


class Cooldown(Event, frozen=True, tag="cooldown"):
    role: str
    ability: int
    turns: int


class Departure(Event, frozen=True, tag="departure"):
    role: str


class Square(Event, frozen=True, tag="square"):
    """One's palantír or revealed zone; `cells` is empty when there is none any more."""

    palantir: bool


class Turn(Event, frozen=True, tag="turn"):
    phase: int


def tell(terms: Terms, observer: int, events: list[int]) -> list[Event]:
    told: list[Event] = []
    grouped: set[int] = set()
    for event in events:
        head = event >> 32  # kind and unit
        if event >> 48 in (story.STEPPED, story.NOTED):
            if head not in grouped:
                grouped.add(head)
                cells = tuple(cell_name(terms, e & 0xFFFF) for e in events if e >> 32 == head)
                told.append(_in_a_row(head >> 16, head & 0xFFFF, cells))
        else:
            told.append(_event(terms, observer, event))
    return told


def _in_a_row(kind: int, unit: int, cells: tuple[str, ...]) -> Event:
    role, path = ROLES[unit % 3], " ".join(cells)
    if kind == story.STEPPED:
        words = Words("{} marche : {}.", "{} walks: {}.").format(YOURS[unit % 3], path)
        return Walked(words=words, cells=cells, role=role, pushed=False)
    words = Words("{} a deviné des silhouettes : {}.", "{} noticed shapes: {}.").format(YOURS[unit % 3], path)
    return Penumbra(words=words, cells=cells, role=role)


def player(seat: int) -> Words:
    return Words(f"joueur {seat + 1}", f"player {seat + 1}")


def unit_name(observer: int, unit: int) -> Words:
    if unit // 3 == observer:
        return YOURS[unit % 3]
    return Words(f"{THE[unit % 3].fr} du joueur {unit // 3 + 1}", f"Player {unit // 3 + 1}’s {THE[unit % 3].en}")


def _event(terms: Terms, observer: int, event: int) -> Event:
    kind, who, what, cell = event >> 48, event >> 32 & 0xFFFF, event >> 16 & 0xFFFF, event & 0xFFFF
    if kind == story.ORDERED:
        order = order_text(terms, event & (1 << 48) - 1)
        return Ordered(words=Words("Ordre donné : {}.", "Order given: {}.").format(order), order=order)
    if kind in (story.ATTACKED, story.DROPPED):
        return _attacked(terms, who, what, cell, kind == story.DROPPED)
    if kind == story.SCORED:
        points = (event & 0xFFFFFFFF) - story.BALANCE
        words = Words("Points du {} : {}.", "Points of {}: {}.").format(player(who), points)
        return Scored(words=words, seat=who, points=points)
    if kind in (story.SEALED, story.HOTSPOT, story.TURN):
        return _public(terms, kind, who, what, cell)
    if kind in (story.SEEN, story.GONE, story.CORPSE):
        return _sighted(terms, observer, kind, who, what, cell)
    if kind in (story.COOLDOWN, story.DEPARTURE, story.PALANTIR_SET, story.REVEALED):
        return _own_affair(terms, kind, who, what, cell)
    return _suffered(terms, kind, who, what, cell)


def _attacked(terms: Terms, unit: int, what: int, cell: int, dropped: bool) -> Event:
    order = order_text(terms, ATTACK | unit % 3 * ROLE | what << 16 | cell)
    done = Words("Attaque : {}.", "Attack: {}.")
    lost = Words("Attaque devenue impossible : {}.", "An attack that became impossible: {}.")
    return Attacked(words=(lost if dropped else done).format(order), role=ROLES[unit % 3], order=order, dropped=dropped)


def _public(terms: Terms, kind: int, who: int, what: int, cell: int) -> Event:
    if kind == story.SEALED:
        words = Words("Les ordres du {} sont scellés.", "The orders of {} are sealed.")
        return Sealed(words=words.format(player(who)), seat=who)
    if kind == story.HOTSPOT:
        held = Words("Le {1} tient le hotspot {0} ({2} tour(s)).", "Hotspot {0} is held by {1} ({2} turn(s)).")
        free = Words("Personne ne tient seul le hotspot {0}.", "Nobody is alone on hotspot {0}.")
        words = (held if what else free).format(who + 1, player(what - 1), cell)
        return Hotspot(words=words, number=who, holder=what - 1, turns=cell)
    if cell >= terms.turns:
        return Turn(words=Words("La partie est finie.", "The game is over."), turn=cell, phase=what)
    words = Words("Attaques du tour {}.", "Attacks of turn {}.") if what else Words("Tour {}.", "Turn {}.")
    return Turn(words=words.format(cell + 1), turn=cell + 1, phase=what)


def _sighted(terms: Terms, observer: int, kind: int, unit: int, what: int, cell: int) -> Event:
    team, role, name = unit // 3, ROLES[unit % 3], unit_name(observer, unit)
    if kind == story.GONE:
        words = Words("{} n’est plus en vue.", "{} is out of sight.").format(name)
        return Seen(words=words, team=team, role=role, facing="", health=0)
    if kind == story.CORPSE:
        at = (cell_name(terms, cell - 1),) if cell else ()
        lies = Words("{} : cadavre en {}.", "{}: corpse on {}.").format(name, *at) if cell else None
        gone = Words("{} : le cadavre n’est plus là.", "{}: the corpse is gone.").format(name)
        return Corpse(words=lies or gone, cells=at, team=team, role=role)
    here, facing, health = cell_name(terms, cell), what >> 8, what & 255
    words = Words("{} : en {}, face {}, vie {}.", "{}: on {}, looking {}, health {}.")
    words = words.format(name, here, SIDES[facing], health)
    return Seen(words=words, cells=(here,), team=team, role=role, facing=FACINGS[facing], health=health)


def _own_affair(terms: Terms, kind: int, who: int, what: int, cell: int) -> Event:
    role = ROLES[who % 3]
    if kind == story.COOLDOWN:
        ability = ABILITIES[who % 3][what & 1]
        wait = Words("{0} : {1}, encore {2} tour(s) d’attente.", "{0}: {1}, ready in {2} turn(s).")
        ready = Words("{0} : {1}, de nouveau possible.", "{0}: {1}, ready.")
        words = (wait if cell else ready).format(YOURS[who % 3], ability, cell)
        return Cooldown(words=words, role=role, ability=what, turns=cell)
    if kind == story.DEPARTURE:
        here = cell_name(terms, cell)
        words = Words("{} reviendra en {}.", "{} will reappear on {}.").format(YOURS[who % 3], here)
        return Departure(words=words, cells=(here,), role=role)
    palantir = kind == story.PALANTIR_SET
    name = Words("Votre palantír", "Your palantír") if palantir else Words("Votre zone révélée", "Your revealed zone")
    at = (cell_name(terms, cell - 1),) if cell else ()
    there = Words("{} : {}.", "{}: {}.").format(name, *at) if cell else None
    gone = Words("{} a disparu.", "{} is gone.").format(name)
    return Square(words=there or gone, cells=at, palantir=palantir)


def _suffered(terms: Terms, kind: int, unit: int, what: int, cell: int) -> Event:
    name, role = YOURS[unit % 3], ROLES[unit % 3]
    if kind == story.HIT:
        lost = Words("{} perd {} point(s) de vie : {}.", "{} loses {} point(s) of health: {}.")
        slain = Words("{0} : coup mortel du {2}.", "{0}: a fatal blow by {2}.")
        torn = Words("{0} : deux poussées, mort sur le coup ({2}).", "{0}: two pushes, death on the spot ({2}).")
        words = torn if what == 0 else slain if what >= FATAL else lost
        return Hit(words=words.format(name, what, player(cell)), role=role, team=cell, damage=what)
    if kind == story.STRAYED:
        words = Words("{} : chemin devenu impossible.", "{}: the path became impossible.").format(name)
        return Walked(words=words, role=role, pushed=False)
    here = cell_name(terms, cell)
    if kind == story.PUSHED:
        words = Words("{} : poussée jusqu’en {}.", "{} is pushed to {}.").format(name, here)
        return Walked(words=words, cells=(here,), role=role, pushed=True)
    return Died(words=Words("{} meurt en {}.", "{} dies on {}.").format(name, here), cells=(here,), role=role)
