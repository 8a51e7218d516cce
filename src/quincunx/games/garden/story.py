"""Garden Tensions told: every event typed, in French and in English. Together they account for every change of a view
(a test folds them over the view before, and gets the view after)."""

from __future__ import annotations

import msgspec
from msgspec import structs

from quincunx.core.board import Event
from quincunx.core.words import Words
from quincunx.games.garden import state
from quincunx.games.garden.hexes import NAMES
from quincunx.games.garden.notation import GROUND_NAMES, RESOURCE_NAMES, SEATS, dice_of
from quincunx.games.garden.state import Terms

CLANS = (
    Words("cuisiniers", "cooks"),
    Words("forgerons", "blacksmiths"),
    Words("mineurs", "miners"),
    Words("bûcherons", "lumberjacks"),
)
GROUNDS = (
    Words("herbe", "grass"),
    Words("sable", "sand"),
    Words("boue", "mud"),
    Words("ciel", "sky"),
    Words("sucreries", "candy"),
    Words("barbecue", "barbecue"),
    Words("piscine", "pool"),
)
RESOURCES = (Words("nourriture", "food"), Words("métal", "metal"), Words("pierre", "stone"), Words("bois", "wood"))


class Entered(Event, frozen=True, tag="entered"):
    """All but one creature went from the first cell into the second."""

    seat: int
    how: str  # moved into an empty cell, conquered in a fight, sheltered by lumberjacks
    creatures: int
    forged: int  # turns that the weapons they carry will last


class Attacked(Event, frozen=True, tag="attacked"):
    seat: int
    from_sky: bool


class Fought(Event, frozen=True, tag="fought"):
    seat: int  # of the attacker
    attack: tuple[int, ...]
    defence: tuple[int, ...]
    won: bool  # by the attacker


class Repelled(Event, frozen=True, tag="repelled"):
    """Of the attacking cell one creature is left."""

    seat: int
    lost: int


class Point(Event, frozen=True, tag="point"):
    seat: int
    points: int  # 1 won, -8 spent


class Goods(Event, frozen=True, tag="goods"):
    """Resources that a seat gained or spent."""

    seat: int
    why: str  # earned paid pillaged
    amounts: dict[str, int]


class Ticked(Event, frozen=True, tag="ticked"):
    seat: int
    die: int  # of the poison
    dice: tuple[int, ...]  # of the creatures: lower ones die
    ticks: int  # to come


class Died(Event, frozen=True, tag="died"):
    """A cell without creatures is nobody's, and normal again."""

    seat: int
    dead: int
    left: int


class Absorbed(Event, frozen=True, tag="absorbed"):
    """The shelter cancelled a hostile act, and is gone."""

    seat: int


class Used(Event, frozen=True, tag="used"):
    """A power or an ability, on a target if it has one."""

    seat: int
    power: str


class Deported(Event, frozen=True, tag="deported"):
    seat: int  # whose stock they go to
    creatures: int


class Stocked(Event, frozen=True, tag="stocked"):
    """Creatures to place."""

    seat: int
    why: str  # reinforcement candy sweets
    creatures: int


class Placed(Event, frozen=True, tag="placed"):
    seat: int
    creatures: int


class Faded(Event, frozen=True, tag="faded"):
    seat: int
    state: str  # immobilised forged
    left: int  # turns


class Passed(Event, frozen=True, tag="passed"):
    """A turn is over; the next is the seat's."""

    seat: int
    turns: int  # played


class Humans(Event, frozen=True, tag="humans"):
    what: str  # quiet footstep lunch sweets


class Over(Event, frozen=True, tag="over"):
    winner: int  # -1 drawn


class Happened(msgspec.Struct, frozen=True):
    """One event of the log, taken apart; see state.py for what a, b and c are."""

    kind: int
    seat: int
    a: int
    b: int
    c: int
    who: Words

    @property
    def spots(self) -> tuple[str, str]:
        return NAMES[self.a], NAMES[self.b]


def tell(terms: Terms, observer: int, events: list[int]) -> list[Event]:
    told: list[Event] = []
    begins: tuple[int, int, int] | None = None  # the next turn: with which event, its number, whose it is
    for event in events:
        seat = event >> 56 & 1
        clan = CLANS[terms.clan[seat]]
        who = Words(f"Les {clan.fr} ({SEATS[seat]})", f"The {clan.en} ({SEATS[seat]})")
        h = Happened(event >> 57, seat, event >> 48 & 255, event >> 40 & 255, event & (1 << 40) - 1, who)
        told += TELLERS[h.kind](h)
        if h.kind == state.PASSED:
            begins = len(told) - 1, h.c // 2 + 1, seat
    if begins is not None:
        first, turn, by = begins
        told[first:] = [structs.replace(event, turn=turn, by=by) for event in told[first:]]
    return told


def _entered(h: Happened) -> list[Event]:
    source, target = h.spots
    creatures, forged = h.c & 255, h.c >> 8
    how = {state.MOVED: "moved", state.CONQUERED: "conquered", state.SHELTERED: "sheltered"}[h.kind]
    words = {
        "moved": Words("{0} avancent de {1} en {2} : {3}.", "{0} go from {1} to {2}: {3}."),
        "conquered": Words("{0} prennent {2} depuis {1} : {3}.", "{0} take {2} from {1}: {3}."),
        "sheltered": Words(
            "{0} bâtissent un abri en {2}, qui est protégée, et y entrent depuis {1} : {3}.",
            "{0} build a shelter on {2}, which is protected, and come in from {1}: {3}.",
        ),
    }[how].format(h.who, source, target, _creatures(creatures))
    return [Entered(words=words, cells=h.spots, seat=h.seat, how=how, creatures=creatures, forged=forged)]


def _attacked(h: Happened) -> list[Event]:
    words = Words("{} attaquent {} depuis {}{}.", "{} attack {} from {}{}.")
    sky = Words(" par le ciel", " through the sky") if h.c else Words("", "")
    source, target = h.spots
    return [Attacked(words=words.format(h.who, target, source, sky), cells=h.spots, seat=h.seat, from_sky=h.c == 1)]


def _fought(h: Happened) -> list[Event]:
    attack, defence = dice_of(h.c & 0xFFFFF), dice_of(h.c >> 20)
    won = sum(attack) > sum(defence)
    result = (
        Words("l’attaque réussit", "the attack succeeds") if won else Words("la défense tient", "the defence holds")
    )
    words = Words("Dés : {} = {} contre {} = {} ; {}.", "Dice: {} = {} against {} = {}; {}.").format(
        _sum(attack), sum(attack), _sum(defence), sum(defence), result
    )
    return [Fought(words=words, cells=h.spots, seat=h.seat, attack=attack, defence=defence, won=won)]


def _creatures(n: int) -> Words:
    return Words(f"{n} créature{'s' if n > 1 else ''}", f"{n} creature{'' if n == 1 else 's'}")


def _turns(n: int) -> Words:
    return Words(f"{n} tour{'s' if n > 1 else ''}", f"{n} turn{'' if n == 1 else 's'}")


def _sum(dice: tuple[int, ...]) -> str:
    return " + ".join(map(str, dice))


def _repelled(h: Happened) -> list[Event]:
    words = Words(
        "{} échouent devant {} et perdent {} en {} ; une créature y reste.",
        "{} fail before {} and lose {} on {}; one creature is left there.",
    )
    source, target = h.spots
    return [Repelled(words=words.format(h.who, target, _creatures(h.c), source), cells=h.spots, seat=h.seat, lost=h.c)]


def _point(h: Happened) -> list[Event]:
    if h.kind == state.SPENT:
        words = Words("{} dépensent {} points de conquête.", "{} spend {} conquest points.").format(h.who, h.c)
        return [Point(words=words, seat=h.seat, points=-h.c)]
    return [Point(words=Words("{} gagnent un point de conquête.", "{} gain a conquest point.").format(h.who),
                  seat=h.seat, points=1)]  # fmt: skip


def _goods(seat: int, why: str, amounts: dict[int, int], words: Words, who: Words) -> Event:
    listed = [Words("{} de {}", "{} {}").format(abs(n), RESOURCES[kind]) for kind, n in amounts.items()]
    every = Words(", ".join(w.fr for w in listed), ", ".join(w.en for w in listed))
    named = {RESOURCE_NAMES[kind]: n for kind, n in amounts.items()}
    return Goods(words=words.format(who, every), seat=seat, why=why, amounts=named)


def _paid(h: Happened) -> list[Event]:
    return [_goods(h.seat, "paid", {h.a: -h.b}, Words("{} paient {}.", "{} pay {}."), h.who)]


def _earned(h: Happened) -> list[Event]:
    amounts = {kind: h.c >> 8 * kind & 255 for kind in range(4) if h.c >> 8 * kind & 255}
    return [_goods(h.seat, "earned", amounts, Words("{} récoltent {}.", "{} harvest {}."), h.who)]


def _pillaged(h: Happened) -> list[Event]:
    words = Words("{} pillent {} : ils volent {} de {}.", "{} pillage {}: they steal {} {}.")
    words = words.format(h.who, NAMES[h.a], h.c, RESOURCES[h.b])
    used = Used(words=words, cells=(NAMES[h.a],), seat=h.seat, power="pillage")
    if h.c == 0:
        return [used]
    gain, loss = Words("{} gagnent {}.", "{} gain {}."), Words("Leurs victimes perdent {1}.", "Their victims lose {1}.")
    return [
        used,
        _goods(h.seat, "pillaged", {h.b: h.c}, gain, h.who),
        _goods(1 - h.seat, "pillaged", {h.b: -h.c}, loss, h.who),
    ]


def _ticked(h: Happened) -> list[Event]:
    die, dice = h.c & 15, dice_of(h.c >> 4)
    words = Words("Poison en {} : {} contre {} ; il reste {}.", "Poison on {}: {} against {}; {} to go.").format(
        NAMES[h.a], die, ", ".join(map(str, dice)), _turns(h.b)
    )
    return [Ticked(words=words, cells=(NAMES[h.a],), seat=h.seat, die=die, dice=dice, ticks=h.b)]


def _died(h: Happened) -> list[Event]:
    words = Words("{} perdent {} en {}, il en reste {}.", "{} lose {} on {}, {} left.")
    if h.c == 0:
        words = Words("{} perdent {} en {}, qui n’est plus à personne.", "{} lose {} on {}, which is nobody’s now.")
    words = words.format(h.who, _creatures(h.b), NAMES[h.a], h.c)
    return [Died(words=words, cells=(NAMES[h.a],), seat=h.seat, dead=h.b, left=h.c)]


def _absorbed(h: Happened) -> list[Event]:
    words = Words("L’abri en {} absorbe le coup et disparaît.", "The shelter on {} absorbs the blow and is gone.")
    return [Absorbed(words=words.format(NAMES[h.a]), cells=(NAMES[h.a],), seat=h.seat)]


def _used(h: Happened) -> list[Event]:
    where = NAMES[h.a]
    power, words = {
        state.GRILLED: (GROUND_NAMES[h.b], Words("{} frappent {} : {}.", "{} strike {}: {}.")),
        state.POISONED: ("poison", Words("{} empoisonnent {} pour trois tours.", "{} poison {} for three turns.")),
        state.FORGED: (
            "forge",
            Words("{} arment {} : dés de 1 à 9 jusqu’à la fin de leur prochain tour.",
                  "{} arm {}: dice from 1 to 9 until the end of their next turn."),
        ),
        state.IMMOBILISED: (
            "immobilise",
            Words("{} immobilisent {} pour deux tours.", "{} immobilise {} for two turns."),
        ),
    }[h.kind]  # fmt: skip
    words = words.format(h.who, where, GROUNDS[h.b])
    return [Used(words=words, cells=(where,), seat=h.seat, power=power)]


def _deported(h: Happened) -> list[Event]:
    words = Words(
        "Déportation en {2} : {0} auront {1} à replacer.",
        "Deported from {2}: {0} will have {1} to place again.",
    ).format(Words(h.who.fr[0].lower() + h.who.fr[1:], h.who.en[0].lower() + h.who.en[1:]), _creatures(h.b), NAMES[h.a])
    return [Deported(words=words, cells=(NAMES[h.a],), seat=h.seat, creatures=h.b)]


def _stocked(h: Happened) -> list[Event]:
    if h.kind == state.SWEETENED:
        words = Words("{} ouvrent le bocal : {} de plus.", "{} open the jar: {} more.")
        used = Used(
            words=Words("{} usent des sucreries.", "{} use the candy.").format(h.who), seat=h.seat, power="candy"
        )
        return [used, Stocked(words=words.format(h.who, _creatures(h.c)), seat=h.seat, why="candy", creatures=h.c)]
    words = Words("{} reçoivent {} (zones tenues : {}).", "{} receive {} (zones held: {}).")
    return [Stocked(words=words.format(h.who, _creatures(h.c), h.b), seat=h.seat, why="reinforcement", creatures=h.c)]


def _placed(h: Happened) -> list[Event]:
    words = Words("{} placent {} en {}.", "{} place {} on {}.").format(h.who, _creatures(h.b), NAMES[h.a])
    return [Placed(words=words, cells=(NAMES[h.a],), seat=h.seat, creatures=h.b)]


def _faded(h: Happened) -> list[Event]:
    name = ("immobilised", "forged")[h.b]
    words = (
        Words("{} reste immobilisée : {}.", "{} stays immobilised: {}."),
        Words("{} reste armée : {}.", "{} stays armed: {}."),
    )[h.b]
    if h.c == 0:
        words = (
            Words("{} peut de nouveau bouger.", "{} can move again."),
            Words("Les armes de {} sont usées.", "The weapons of {} are worn out."),
        )[h.b]
    where = NAMES[h.a]
    return [Faded(words=words.format(where, _turns(h.c)), cells=(where,), seat=h.seat, state=name, left=h.c)]


def _passed(h: Happened) -> list[Event]:
    return [Passed(words=Words("{} ont la main.", "{} are to play.").format(h.who), seat=h.seat, turns=h.c)]


def _humans(h: Happened) -> list[Event]:
    if h.a == state.FOOTSTEP:
        words = Words("Un humain marche sur {}.", "A human steps on {}.").format(NAMES[h.b])
        return [Humans(words=words, cells=(NAMES[h.b],), what="footstep")]
    if h.a == state.LUNCH:
        words = (
            Words("Les humains allument le barbecue.", "The humans light the barbecue."),
            Words("Les humains plongent dans la piscine.", "The humans jump into the pool."),
        )[h.b]
        return [Humans(words=words, what="lunch")]
    if h.a == state.SWEETS:
        words = Words("Des enfants laissent tomber des sucreries.", "Children drop candy in the garden.")
        each = Words("Une créature de plus pour le joueur {}.", "One more creature for player {}.")
        gains = [Stocked(words=each.format(SEATS[seat]), seat=seat, why="sweets", creatures=1) for seat in range(2)]
        return [Humans(words=words, what="sweets"), *gains]
    return [Humans(words=Words("Les humains restent chez eux.", "The humans stay inside."), what="quiet")]


def _over(h: Happened) -> list[Event]:
    if h.c:
        return [Over(words=Words("{} gagnent la partie.", "{} win the match.").format(h.who), winner=h.seat)]
    return [Over(words=Words("Partie nulle.", "The match is drawn."), winner=-1)]


TELLERS = {
    state.MOVED: _entered,
    state.CONQUERED: _entered,
    state.SHELTERED: _entered,
    state.ATTACKED: _attacked,
    state.FOUGHT: _fought,
    state.REPELLED: _repelled,
    state.POINT: _point,
    state.SPENT: _point,
    state.PAID: _paid,
    state.EARNED: _earned,
    state.PILLAGED: _pillaged,
    state.TICKED: _ticked,
    state.DIED: _died,
    state.ABSORBED: _absorbed,
    state.GRILLED: _used,
    state.POISONED: _used,
    state.FORGED: _used,
    state.IMMOBILISED: _used,
    state.DEPORTED: _deported,
    state.REINFORCED: _stocked,
    state.SWEETENED: _stocked,
    state.PLACED: _placed,
    state.FADED: _faded,
    state.PASSED: _passed,
    state.HUMANS_CAME: _humans,
    state.OVER: _over,
}
