"""Garden Tensions in writing.

An action: `c3-c4` (move or attack), `sky a1-e5`, `barbecue d4`, `pool d4`, `pillage d4`, `poison d4`, `forge c3`,
`immobilise d4`, `shelter c3-c4`, `c3+2` (place two), `candy`, `end`. Of CHANCE: `426/31` (the attacker's dice, the
defender's), `4/621` (the die of the poison, those of the creatures), `quiet`, `footstep c3`, `lunch pool`, `sweets`.

A position is one line: the cells row by row, both seats, the turn.

    gf2 sm1=A3p2 sky … / … | A stock=0 points=1 food=2 metal=0 stone=0 wood=1 | B … | turn=4 player=A phase=conquest
    used=pool dice=fight:c3-c4

A simple cell is its ground (g grass, s sand, m mud), its resource (f food, m metal, s stone, w wood) and how much a
turn. After `=`: who is there, how many, then p1..p3 ticks of poison or h a shelter, i1 i2 immobilised, f1 f2 forged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from quincunx.core.contract import CHANCE
from quincunx.core.options import Value
from quincunx.core.words import Words, expected, unfit
from quincunx.games.garden.hexes import CELLS, NAMES, ROWS
from quincunx.games.garden.land import put
from quincunx.games.garden.powers import why_no_start
from quincunx.games.garden.state import (
    BARBECUE,
    CANDY,
    CONQUEST,
    CROWD,
    END,
    FIGHT,
    FOOTSTEP,
    FORGE,
    FREE,
    GROUNDS,
    HUMANS,
    IMMOBILISE,
    LUNCH,
    MOVE,
    MUD,
    NO_POINTS,
    NO_ROOM,
    NO_STOCK,
    NO_TARGET,
    NOT_ADJACENT,
    NOT_DICE,
    NOT_ENEMY,
    NOT_HELD,
    NOT_YOURS,
    OTHER_CLAN,
    OUT_OF_REACH,
    OWN_TARGET,
    PILLAGE,
    PLACE,
    POISON,
    POISON_TICKS,
    POOL,
    PROTECTED,
    REINFORCEMENT,
    SHELTER,
    SKY,
    SKY_CELL,
    STUCK,
    SWEETS,
    TICK,
    TOO_FEW,
    TOO_POOR,
    USED_UP,
    WRONG_PHASE,
    State,
    Terms,
)

SEATS = "AB"
Ground = Literal["grass", "sand", "mud", "sky", "candy", "barbecue", "pool"]
Resource = Literal["food", "metal", "stone", "wood"]
Clan = Literal["cooks", "blacksmiths", "miners", "lumberjacks"]
Phase = Literal["conquest", "reinforcement"]
PowerName = Literal["sky", "barbecue", "pool", "candy", "pillage", "poison", "forge", "immobilise", "shelter"]
GROUND_NAMES: tuple[Ground, ...] = ("grass", "sand", "mud", "sky", "candy", "barbecue", "pool")
GROUND_WORDS = (
    Words("herbe", "grass"),
    Words("sable", "sand"),
    Words("boue", "mud"),
    Words("ciel", "sky"),
    Words("sucreries", "candy"),
    Words("barbecue", "barbecue"),
    Words("piscine", "pool"),
)
RESOURCE_NAMES: tuple[Resource, ...] = ("food", "metal", "stone", "wood")
CLAN_NAMES: tuple[Clan, ...] = ("cooks", "blacksmiths", "miners", "lumberjacks")
PHASES: tuple[Phase, ...] = ("conquest", "reinforcement")
POWERS: dict[int, PowerName] = {
    SKY: "sky", BARBECUE: "barbecue", POOL: "pool", PILLAGE: "pillage", POISON: "poison", FORGE: "forge",
    IMMOBILISE: "immobilise", SHELTER: "shelter", CANDY: "candy",
}  # fmt: skip
VERBS: dict[int, str] = {**POWERS, END: "end"}
_KINDS = {verb: kind for kind, verb in VERBS.items()}
_WITH_SOURCE = (SKY, SHELTER)
_MOST = 16_000  # of anything that is counted
_GROUNDS, _RESOURCES = "gsm", "fmsw"
_CELL = re.compile(
    r"(?:([gsm])([fmsw])([12])|(sky|candy|barbecue|pool))"
    r"(?:=([AB])([1-5]?)(?:p([123])|(h))?(?:i([12]))?(?:f([12]))?)?"
)
_NAME = r"[abc][1-5]|[bcd]6|c7|[de][1-5]"
_MOVE = re.compile(rf"({_NAME})-({_NAME})")
_PLACE = re.compile(rf"({_NAME})\+([1-5])")


REFUSALS = {
    WRONG_PHASE: ("wrong_phase", Words("Ce n’est pas la bonne phase du tour.", "This is the wrong phase of the turn.")),
    NOT_YOURS: ("not_yours", Words("Cette case n’est pas à vous.", "This cell is not yours.")),
    TOO_FEW: (
        "too_few",
        Words("Il faut au moins deux créatures pour partir.", "At least two creatures are needed to leave."),
    ),
    STUCK: ("stuck", Words("Cette case est immobilisée.", "This cell is immobilised.")),
    NOT_ADJACENT: ("not_adjacent", Words("Ces cases ne se touchent pas.", "These cells do not touch.")),
    OWN_TARGET: ("own_target", Words("On n’entre pas dans sa propre case.", "You cannot enter a cell of your own.")),
    NOT_ENEMY: ("not_enemy", Words("La cible doit être une case adverse.", "The target must be an enemy cell.")),
    OUT_OF_REACH: (
        "out_of_reach",
        Words("Aucune de vos cases ne touche cette cible.", "None of your cells touches this target."),
    ),
    TOO_POOR: ("too_poor", Words("Vous n’avez pas assez de ressources.", "You do not have enough resources.")),
    NOT_HELD: ("not_held", Words("La case spéciale n’est pas à vous.", "You do not hold the special cell.")),
    USED_UP: ("used_up", Words("Ce pouvoir a déjà servi ce tour-ci.", "This power was already used this turn.")),
    NO_POINTS: ("no_points", Words("Il faut 8 points de conquête.", "8 conquest points are needed.")),
    OTHER_CLAN: ("other_clan", Words("Votre clan n’a pas cette capacité.", "Your clan does not have this ability.")),
    NO_ROOM: ("no_room", Words("Pas plus de cinq créatures par case.", "No more than five creatures on a cell.")),
    NO_STOCK: (
        "no_stock",
        Words("Vous n’avez pas autant de créatures à placer.", "You do not have that many creatures to place."),
    ),
    NOT_DICE: ("not_dice", Words("Ces dés sont impossibles.", "These dice are impossible.")),
    NO_TARGET: ("no_target", Words("Il n’y a pas de cible.", "There is no target.")),
}


# -- actions --------------------------------------------------------------------------------------------------------


def text(terms: Terms, s: State, seat: int, action: int) -> str:
    if seat == CHANCE:
        return _chance_text(s, action)
    kind, a, b = action >> 16, action >> 8 & 255, action & 255
    if kind == MOVE:
        return f"{NAMES[a]}-{NAMES[b]}"
    if kind == PLACE:
        return f"{NAMES[b]}+{a}"
    if kind in (END, CANDY):
        return VERBS[kind]
    return f"{VERBS[kind]} {NAMES[a]}-{NAMES[b]}" if kind in _WITH_SOURCE else f"{VERBS[kind]} {NAMES[b]}"


def parse(terms: Terms, s: State, seat: int, text: str) -> int:
    words = text.strip().lower().split()
    if seat == CHANCE:
        return _read_chance(s, text, words)
    if len(words) == 1:
        if move := _MOVE.fullmatch(words[0]):
            return MOVE << 16 | NAMES.index(move[1]) << 8 | NAMES.index(move[2])
        if place := _PLACE.fullmatch(words[0]):
            return PLACE << 16 | int(place[2]) << 8 | NAMES.index(place[1])
        if words[0] in ("end", "candy"):
            return _KINDS[words[0]] << 16
    elif len(words) == 2 and words[0] in _KINDS and words[0] not in ("end", "candy"):
        kind = _KINDS[words[0]]
        if kind in _WITH_SOURCE:
            if move := _MOVE.fullmatch(words[1]):
                return kind << 16 | NAMES.index(move[1]) << 8 | NAMES.index(move[2])
        elif words[1] in NAMES:
            return kind << 16 | NAMES.index(words[1])
    examples = "c3-c4, c3+2, sky a1-e5, pool d4, pillage d4, candy, end"
    raise expected(Words("une action comme {}", "an action like {}").format(examples), text)


def dice_of(packed: int) -> tuple[int, ...]:
    """The dice of a packed number, the first one first."""
    return tuple(packed >> 4 * k & 15 for k in range(16) if packed >> 4 * k & 15)


def _chance_text(s: State, action: int) -> str:
    if s.waiting == FIGHT:
        return "/".join("".join(map(str, dice_of(d))) for d in (action & 0xFFFFF, action >> 20))
    if s.waiting == TICK:
        return f"{action & 15}/{''.join(map(str, dice_of(action >> 4)))}"
    what, where = action >> 8, action & 255
    if what == FOOTSTEP:
        return f"footstep {NAMES[where]}"
    return f"lunch {('barbecue', 'pool')[where]}" if what == LUNCH else "sweets" if what == SWEETS else "quiet"


def _read_chance(s: State, text: str, words: list[str]) -> int:
    if s.waiting == HUMANS:
        fixed = {"quiet": 0, "sweets": SWEETS << 8, "lunch barbecue": LUNCH << 8, "lunch pool": LUNCH << 8 | 1}
        fixed |= {f"footstep {name}": FOOTSTEP << 8 | cell for cell, name in enumerate(NAMES)}
        if " ".join(words) in fixed:
            return fixed[" ".join(words)]
        raise expected(
            Words("quiet, footstep c3, lunch pool ou sweets", "quiet, footstep c3, lunch pool or sweets"), text
        )
    rolled = re.fullmatch(r"([1-9]{1,5})/([1-9]{1,5})", " ".join(words))
    if rolled is None:
        raise expected(Words("des dés comme 426/31", "dice like 426/31"), text)
    first, second = (sum(int(die) << 4 * k for k, die in enumerate(dice)) for dice in rolled.groups())
    return first | second << (4 * CROWD if s.waiting == FIGHT else 4)


# -- cells ----------------------------------------------------------------------------------------------------------


def cell_text(terms: Terms, s: State, cell: int) -> str:
    ground = terms.ground[cell]
    name: str = GROUND_NAMES[ground]
    if ground <= MUD:
        name = f"{_GROUNDS[ground]}{_RESOURCES[terms.resource[cell]]}{terms.amount[cell]}"
    if s.owner[cell] == FREE:
        return name
    condition = s.condition[cell]
    marks = "h" if condition == PROTECTED else f"p{condition}" if condition else ""
    marks += f"i{s.stuck[cell]}" if s.stuck[cell] else ""
    marks += f"f{s.forged[cell]}" if s.forged[cell] else ""
    return f"{name}={SEATS[s.owner[cell]]}{s.crowd[cell]}{marks}"


def tokens(text: str) -> Iterator[tuple[str, Words]]:
    """Every word, with its line and column in words; what stands after `#` is a remark."""
    for number, line in enumerate(text.splitlines(), 1):
        for word in re.finditer(r"\S+", line.partition("#")[0]):
            yield word[0], Words("ligne {}, colonne {}", "line {}, column {}").format(number, word.start() + 1)


def read_cells(terms: Terms, s: State, words: Iterator[tuple[str, Words]], crowd: int) -> None:
    """29 cells into the terms and the state. A cell without a number holds `crowd` creatures; 0 wants numbers."""
    cell = -1
    for cell, (word, place) in enumerate(words):
        read = _CELL.fullmatch(word)
        if read is None or (read[5] and not read[6] and not crowd):
            raise expected(Words("une case ({}) à la {}", "a cell ({}) on {}").format("gf2, sm1=A3, sky", place), word)
        if cell >= CELLS:
            raise unfit("Une case de trop ({}) : il en faut 29.", "One cell too many ({}): there must be 29.", place)
        simple, resource, amount, special, owner, creatures, ticks, shelter, stuck, forged = read.groups()
        ground = _GROUNDS.index(simple) if simple else GROUND_NAMES.index(special)
        if special and any(terms.ground[before] == ground for before in range(cell)):
            raise unfit(
                "Il y a deux cases « {} » : il n’en faut qu’une.",
                "There are two cells of {}: there may be only one.",
                GROUND_WORDS[ground],
            )
        terms.ground[cell] = ground
        terms.resource[cell] = _RESOURCES.index(resource) if resource else 0
        terms.amount[cell] = int(amount or 0)
        s.owner[cell] = FREE
        if special:
            terms.special[ground] = cell
        if owner:
            put(s, cell, SEATS.index(owner), int(creatures or crowd))
            s.condition[cell] = PROTECTED if shelter else int(ticks or 0)
            s.stuck[cell], s.forged[cell] = int(stuck or 0), int(forged or 0)
    if cell != CELLS - 1:
        raise expected(Words("29 cases", "29 cells"), cell + 1)
    for ground in range(GROUNDS):
        if ground not in terms.ground:
            raise unfit("Il manque une case « {} ».", "A cell of {} is missing.", GROUND_WORDS[ground])


# -- positions ------------------------------------------------------------------------------------------------------


def position(terms: Terms, s: State) -> str:
    names = iter(range(CELLS))
    rows = (" ".join(cell_text(terms, s, next(names)) for _ in range(length)) for length in ROWS)
    parts = [" / ".join(rows)]
    for seat in range(2):
        goods = " ".join(f"{name}={s.goods[seat][k]}" for k, name in enumerate(RESOURCE_NAMES))
        parts.append(f"{SEATS[seat]} stock={s.stock[seat]} points={s.points[seat]} {goods}")
    used = "+".join(name for ground, name in enumerate(GROUND_NAMES) if s.used >> ground & 1) or "-"
    dice = ("-", f"fight:{NAMES[s.source]}-{NAMES[s.target]}", f"poison:{NAMES[s.target]}", "humans")[s.waiting]
    parts.append(f"turn={s.turns} player={SEATS[s.player]} phase={PHASES[s.phase]} used={used} dice={dice}")
    return " | ".join(parts)


def terms_of(options: dict[str, Value]) -> Terms:
    """The terms but for the map."""
    terms = Terms()
    terms.seats = 2
    terms.m, terms.n, terms.k = int(options["m"]), int(options["n"]), int(options["k"])
    terms.rounds, terms.humans = int(options["rounds"]), int(options["humans"])
    terms.moving, terms.far = int(options["attack_dice"] == "moving"), int(options["grill_range"] == "any")
    terms.clan[:] = [CLAN_NAMES.index(str(options[f"clan{seat}"])) for seat in range(2)]
    return terms


def read(options: dict[str, Value], text: str) -> tuple[Terms, State]:
    """The position that a line describes; one in which nobody could go on is refused."""
    parts = text.split("|")
    if len(parts) != 4:
        raise expected(Words("cases | A … | B … | turn=…", "cells | A … | B … | turn=…"), text)
    terms, s = terms_of(options), State()
    rows = parts[0].split("/")
    if [len(row.split()) for row in rows] != list(ROWS):
        raise expected(Words("des rangées de 5, 6, 7, 6 et 5 cases", "rows of 5, 6, 7, 6 and 5 cells"), parts[0])
    read_cells(terms, s, tokens(parts[0].replace("/", " ")), 0)
    for seat in range(2):
        _read_seat(s, seat, parts[1 + seat])
    _read_turn(terms, s, parts[3])
    return terms, s


def _fields(text: str, names: tuple[str, ...]) -> list[str]:
    read = re.fullmatch(r"\s*" + r"\s+".join(rf"{name}=(\S+)" for name in names) + r"\s*", text)
    if read is None:
        raise expected(Words(*[" ".join(f"{name}=…" for name in names)] * 2), text.strip())
    return list(read.groups())


def _number(text: str, most: int = _MOST) -> int:
    if not text.isdecimal() or len(text) > 6 or int(text) > most:
        raise expected(Words("un nombre de 0 à {}", "a number from 0 to {}").format(most), text)
    return int(text)


def _read_seat(s: State, seat: int, text: str) -> None:
    name, _, rest = text.strip().partition(" ")
    if name != SEATS[seat]:
        raise expected(Words(f"{SEATS[seat]} stock=…", f"{SEATS[seat]} stock=…"), text.strip())
    stock, points, *goods = _fields(rest, ("stock", "points", *RESOURCE_NAMES))
    s.stock[seat], s.points[seat] = _number(stock), _number(points)
    s.goods[seat][:] = [_number(amount) for amount in goods]


def _read_turn(terms: Terms, s: State, text: str) -> None:
    turns, player, phase, used, dice = _fields(text, ("turn", "player", "phase", "used", "dice"))
    s.turns = _number(turns, 2 * terms.rounds)
    if player not in ("A", "B") or phase not in PHASES:
        raise expected(
            Words("player=A ou B, phase=conquest ou reinforcement", "player=A or B, phase=conquest or reinforcement"),
            text,
        )
    s.player, s.phase = SEATS.index(player), PHASES.index(phase)
    for name in used.split("+") if used != "-" else []:
        if name not in GROUND_NAMES[SKY_CELL + 1 :]:
            raise expected(Words("used=candy+barbecue+pool ou -", "used=candy+barbecue+pool or -"), used)
        s.used |= 1 << GROUND_NAMES.index(name)
    _read_dice(terms, s, dice)
    over = s.cells[0] == 0 or s.cells[1] == 0 or (s.turns == 2 * terms.rounds and not s.waiting)
    can_place = s.stock[s.player] and s.creatures[s.player] < CROWD * s.cells[s.player]
    if s.cells[0] + s.cells[1] == 0 or (s.phase == REINFORCEMENT and not over and not can_place):
        raise expected(Words("une position où l’on peut jouer", "a position in which somebody can play"), text.strip())


def _read_dice(terms: Terms, s: State, dice: str) -> None:
    """What CHANCE is asked for, if it makes sense here."""
    kind, _, where = dice.partition(":")
    good = dice == "-"
    if kind == "fight" and (move := _MOVE.fullmatch(where)):
        s.waiting, s.source, s.target = FIGHT, NAMES.index(move[1]), NAMES.index(move[2])
        good = s.phase == CONQUEST and why_no_start(s, s.player, s.source) == 0
        good = good and s.owner[s.target] == 1 - s.player and s.condition[s.target] != PROTECTED
    elif kind == "poison" and where in NAMES:
        s.waiting, s.target = TICK, NAMES.index(where)
        good = s.owner[s.target] == s.player and 0 < s.condition[s.target] <= POISON_TICKS and s.phase == CONQUEST
    elif dice == "humans":
        s.waiting = HUMANS
        good = bool(terms.humans) and s.turns > 0 and s.turns % 2 == 0 and s.phase == CONQUEST
    if not good or (s.waiting and not (s.cells[0] and s.cells[1])):
        wanted = "-, fight:c3-c4, poison:c3, humans"
        raise expected(Words("des dés possibles ici ({})", "dice that are possible here ({})").format(wanted), dice)
