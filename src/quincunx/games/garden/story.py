"""Garden Tensions told: every event typed, in French and in English. Together they account for every change of a view
(a test folds them over the view before, and gets the view after)."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import structs

from quincunx.core.board import Event
from quincunx.core.words import Words
from quincunx.games.garden import state
from quincunx.games.garden.hexes import NAMES
from quincunx.games.garden.notation import RESOURCE_NAMES, PowerName, Resource, dice_of
from quincunx.games.garden.state import Terms

CLANS = (
    Words("cuisiniers", "cooks"),
    Words("forgerons", "blacksmiths"),
    Words("mineurs", "miners"),
    Words("bûcherons", "lumberjacks"),
)
RESOURCES = (Words("nourriture", "food"), Words("métal", "metal"), Words("pierre", "stone"), Words("bois", "wood"))


How = Literal["moved", "conquered", "sheltered"]
HOW: dict[int, How] = {state.MOVED: "moved", state.CONQUERED: "conquered", state.SHELTERED: "sheltered"}
Why = Literal["earned", "paid", "pillaged"]
Fading = Literal["immobilised", "forged"]
FADING: tuple[Fading, Fading] = ("immobilised", "forged")


class Entered(Event, frozen=True, tag="entered"):
    """All but one creature went from the first cell into the second."""

    seat: int
    how: How  # into an empty cell, in a fight, by lumberjacks
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
    why: Why
    amounts: dict[Resource, int]


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
    power: PowerName


class Deported(Event, frozen=True, tag="deported"):
    seat: int  # whose stock they go to
    creatures: int


class Stocked(Event, frozen=True, tag="stocked"):
    """Creatures to place."""

    seat: int
    why: Literal["reinforcement", "candy", "sweets"]
    creatures: int


class Placed(Event, frozen=True, tag="placed"):
    seat: int
    creatures: int


class Faded(Event, frozen=True, tag="faded"):
    seat: int
    state: Fading
    left: int  # turns


class Passed(Event, frozen=True, tag="passed"):
    """A turn is over; the next is the seat's."""

    seat: int
    turns: int  # played


class Humans(Event, frozen=True, tag="humans"):
    what: Literal["quiet", "footstep", "lunch", "sweets"]


class Over(Event, frozen=True, tag="over"):
    winner: int  # -1 drawn


class Happened(msgspec.Struct, frozen=True):
    """One event of the log, taken apart; see state.py for what a, b and c are."""

    kind: int
    seat: int
    a: int
    b: int
    c: int
    clans: tuple[Words, Words]  # of the seats

    @property
    def spots(self) -> tuple[str, str]:
        return NAMES[self.a], NAMES[self.b]

    @property
    def who(self) -> Words:
        return self.clans[self.seat]


def tell(terms: Terms, observer: int, events: list[int]) -> list[Event]:
    told: list[Event] = []
    begins: tuple[int, int, int] | None = None  # the next turn: with which event, its number, whose it is
    clans = (CLANS[terms.clan[0]], CLANS[terms.clan[1]])
    for event in events:
        seat = event >> 56 & 1
        h = Happened(event >> 57, seat, event >> 48 & 255, event >> 40 & 255, event & (1 << 40) - 1, clans)
        told += TELLERS[h.kind](h)
        if h.kind == state.PASSED:
            begins = len(told) - 1, h.c // 2 + 1, seat
    if begins is not None:
        first, turn, by = begins
        if events[-1] >> 57 == state.OVER:  # no turn begins after the last
            told[first] = structs.replace(told[first], line="never")
            return told
        told[first:] = [structs.replace(event, turn=turn, by=by) for event in told[first:]]
    return told


def _entered(h: Happened) -> list[Event]:
    source, target = h.spots
    creatures, forged = h.c & 255, h.c >> 8
    how = HOW[h.kind]
    many = creatures > 1
    words = {
        "moved": Words(f"{{0}} {'vont' if many else 'va'} de {{1}} en {{2}}",
                       f"{{0}} go{'' if many else 'es'} from {{1}} to {{2}}"),
        "conquered": Words(f"{{0}} {'prennent' if many else 'prend'} {{2}} depuis {{1}}",
                           f"{{0}} take{'' if many else 's'} {{2}} from {{1}}"),
        "sheltered": Words(f"{{0}} {'bâtissent' if many else 'bâtit'} un abri en {{2}}, depuis {{1}} : protégée",
                           f"{{0}} build{'' if many else 's'} a shelter on {{2}}, from {{1}}: it is protected"),
    }[how].format(_creatures(creatures), source, target)  # fmt: skip
    return [Entered(words=words, cells=h.spots, seat=h.seat, how=how, creatures=creatures, forged=forged)]


def _attacked(h: Happened) -> list[Event]:
    words = Words("attaque de {} depuis {}{}", "attack on {} from {}{}")
    sky = Words(", par le ciel", ", through the sky") if h.c else Words("", "")
    source, target = h.spots
    return [Attacked(words=words.format(target, source, sky), cells=h.spots, seat=h.seat, from_sky=h.c == 1)]


def _fought(h: Happened) -> list[Event]:
    attack, defence = dice_of(h.c & 0xFFFFF), dice_of(h.c >> 20)
    won = sum(attack) > sum(defence)
    result = (
        Words("l’attaque réussit", "the attack succeeds") if won else Words("la défense tient", "the defence holds")
    )
    words = Words("les dés : {} contre {}, {}", "the dice: {} against {}, {}").format(
        _sum(attack), _sum(defence), result
    )
    return [Fought(words=words, cells=h.spots, seat=h.seat, attack=attack, defence=defence, won=won)]


def _creatures(n: int) -> Words:
    return Words(f"{n} créature{'s' if n > 1 else ''}", f"{n} creature{'' if n == 1 else 's'}")


def _turns(n: int) -> Words:
    return Words(f"{n} tour{'s' if n > 1 else ''}", f"{n} turn{'' if n == 1 else 's'}")


def _sum(dice: tuple[int, ...]) -> str:
    return " + ".join(map(str, dice)) + (f" = {sum(dice)}" if len(dice) > 1 else "")


def _repelled(h: Happened) -> list[Event]:
    words = Words("échec devant {} : {} de moins en {}, il en reste une",
                  "repelled before {}: {} fewer on {}, one is left")  # fmt: skip
    source, target = h.spots
    return [Repelled(words=words.format(target, _creatures(h.c), source), cells=h.spots, seat=h.seat, lost=h.c)]


def _point(h: Happened) -> list[Event]:
    if h.kind == state.SPENT:
        words = Words("{} points de conquête dépensés", "{} conquest points spent").format(h.c)
        return [Point(words=words, seat=h.seat, points=-h.c)]
    words = Words("un point de conquête pour les {}", "a conquest point for the {}").format(h.who)
    return [Point(words=words, seat=h.seat, points=1)]


def _goods(seat: int, why: Why, amounts: dict[int, int], words: Words, *who: Words) -> Event:
    listed = [Words("{} {}", "{} {}").format(abs(n), RESOURCES[kind]) for kind, n in amounts.items()]
    every = Words(", ".join(w.fr for w in listed), ", ".join(w.en for w in listed))
    named = {RESOURCE_NAMES[kind]: n for kind, n in amounts.items()}
    return Goods(words=words.format(every, *who), seat=seat, why=why, amounts=named)


def _paid(h: Happened) -> list[Event]:
    return [_goods(h.seat, "paid", {h.a: -h.b}, Words("prix payé : {}", "price paid: {}"))]


def _earned(h: Happened) -> list[Event]:
    amounts = {kind: h.c >> 8 * kind & 255 for kind in range(4) if h.c >> 8 * kind & 255}
    return [_goods(h.seat, "earned", amounts, Words("récolte : {}", "harvest: {}"))]


def _pillaged(h: Happened) -> list[Event]:
    words = Words("{} est pillée", "{} is pillaged")
    if h.c == 0:
        words = Words("{} est pillée, sans rien à y prendre", "{} is pillaged, with nothing to take")
    used = Used(words=words.format(NAMES[h.a]), cells=(NAMES[h.a],), seat=h.seat, power="pillage")
    if h.c == 0:
        return [used]
    gain, loss = Words("butin : {}", "loot: {}"), Words("les {1} perdent {0}", "the {1} lose {0}")
    return [
        used,
        _goods(h.seat, "pillaged", {h.b: h.c}, gain),
        _goods(1 - h.seat, "pillaged", {h.b: -h.c}, loss, h.clans[1 - h.seat]),
    ]


def _ticked(h: Happened) -> list[Event]:
    die, dice = h.c & 15, dice_of(h.c >> 4)
    rest = (
        Words("encore {}", "{} to go").format(_turns(h.b)) if h.b else Words("pour la dernière fois", "the last time")
    )
    words = Words("poison en {} : un {} contre {}, {}", "poison on {}: a {} against {}, {}").format(
        NAMES[h.a], die, ", ".join(map(str, dice)), rest
    )
    return [Ticked(words=words, cells=(NAMES[h.a],), seat=h.seat, die=die, dice=dice, ticks=h.b)]


def _died(h: Happened) -> list[Event]:
    words = Words("les {} perdent {} en {}, il en reste {}", "the {} lose {} on {}, {} left")
    if h.c == 0:
        words = Words("les {} perdent {} en {}, qui n’est plus à personne", "the {} lose {} on {}, now nobody’s")
    words = words.format(h.who, _creatures(h.b), NAMES[h.a], h.c)
    return [Died(words=words, cells=(NAMES[h.a],), seat=h.seat, dead=h.b, left=h.c)]


def _absorbed(h: Happened) -> list[Event]:
    words = Words("l’abri en {} encaisse le coup et disparaît", "the shelter on {} takes the blow and is gone")
    return [Absorbed(words=words.format(NAMES[h.a]), cells=(NAMES[h.a],), seat=h.seat)]


def _used(h: Happened) -> list[Event]:
    where = NAMES[h.a]
    used: dict[int, tuple[PowerName, Words]] = {
        state.GRILLED: (
            "pool" if h.b == state.POOL_CELL else "barbecue",
            Words("la piscine déborde sur {}", "the pool floods {}")
            if h.b == state.POOL_CELL
            else Words("le barbecue brûle {}", "the barbecue burns {}"),
        ),
        state.POISONED: ("poison", Words("{} est empoisonnée pour trois tours", "{} is poisoned for three turns")),
        state.FORGED: (
            "forge",
            Words("{} est armée : dés de 1 à 9 jusqu’à la fin du prochain tour",
                  "{} is armed: dice from 1 to 9 until the end of the next turn"),
        ),
        state.IMMOBILISED: (
            "immobilise",
            Words("{} est immobilisée pour deux tours", "{} is immobilised for two turns"),
        ),
    }  # fmt: skip
    power, words = used[h.kind]
    return [Used(words=words.format(where), cells=(where,), seat=h.seat, power=power)]


def _deported(h: Happened) -> list[Event]:
    words = Words("les {} quittent {} : {} à replacer", "the {} leave {}: {} to place again")
    words = words.format(h.who, NAMES[h.a], _creatures(h.b))
    return [Deported(words=words, cells=(NAMES[h.a],), seat=h.seat, creatures=h.b)]


def _stocked(h: Happened) -> list[Event]:
    if h.kind == state.SWEETENED:
        used = Used(words=Words("le bocal de sucreries s’ouvre", "the candy jar opens"), seat=h.seat, power="candy")
        words = Words("{} de plus", "{} more").format(_creatures(h.c))
        return [used, Stocked(words=words, seat=h.seat, why="candy", creatures=h.c)]
    words = Words("renforts : {}", "reinforcements: {}").format(_creatures(h.c))
    if h.b:
        zones = Words(f"{h.b} zone{'s' if h.b > 1 else ''} tenue{'s' if h.b > 1 else ''}",
                      f"{h.b} zone{'' if h.b == 1 else 's'} held")  # fmt: skip
        words = Words("{}, dont un bonus pour {}", "{}, some of them for {}").format(words, zones)
    return [Stocked(words=words, seat=h.seat, why="reinforcement", creatures=h.c)]


def _placed(h: Happened) -> list[Event]:
    words = Words(f"{{}} placée{'s' if h.b > 1 else ''} en {{}}", "{} placed on {}")
    words = words.format(_creatures(h.b), NAMES[h.a])
    return [Placed(words=words, cells=(NAMES[h.a],), seat=h.seat, creatures=h.b)]


def _faded(h: Happened) -> list[Event]:
    name = FADING[h.b]
    words = (
        Words("{} reste immobilisée, encore {}", "{} stays immobilised, {} to go"),
        Words("{} reste armée, encore {}", "{} stays armed, {} to go"),
    )[h.b]
    if h.c == 0:
        words = (
            Words("{} peut de nouveau bouger", "{} can move again"),
            Words("les armes de {} sont usées", "the weapons of {} are worn out"),
        )[h.b]
    where = NAMES[h.a]
    return [Faded(words=words.format(where, _turns(h.c)), cells=(where,), seat=h.seat, state=name, left=h.c)]


def _passed(h: Happened) -> list[Event]:
    words = Words("au tour des {}", "the {}’ turn begins").format(h.who)
    return [Passed(words=words, seat=h.seat, turns=h.c)]


def _humans(h: Happened) -> list[Event]:
    if h.a == state.FOOTSTEP:
        words = Words("un humain marche sur {}", "a human steps on {}").format(NAMES[h.b])
        return [Humans(words=words, cells=(NAMES[h.b],), what="footstep")]
    if h.a == state.LUNCH:
        words = (
            Words("les humains allument le barbecue", "the humans light the barbecue"),
            Words("les humains plongent dans la piscine", "the humans jump into the pool"),
        )[h.b]
        return [Humans(words=words, what="lunch")]
    if h.a == state.SWEETS:
        words = Words("des enfants laissent tomber des sucreries", "children drop candy in the garden")
        each = Words("une créature de plus pour les {}", "one more creature for the {}")
        gains = [Stocked(words=each.format(h.clans[seat]), seat=seat, why="sweets", creatures=1) for seat in range(2)]
        return [Humans(words=words, what="sweets"), *gains]
    return [Humans(words=Words("les humains restent chez eux", "the humans stay inside"), what="quiet")]


def _over(h: Happened) -> list[Event]:
    if h.c:
        return [Over(words=Words("les {} gagnent la partie", "the {} win the match").format(h.who), winner=h.seat)]
    return [Over(words=Words("la partie est nulle", "the match is drawn"), winner=-1)]


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
