"""Garden Tensions as a client sees it: the cells, what each clan has and misses, and which powers may be used now.

The story of a turn is in story.py.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from quincunx.core.board import Board, Cell
from quincunx.core.contract import CHANCE, NOBODY, PUBLIC
from quincunx.core.words import Words
from quincunx.games.garden.hexes import CELLS, NAMES, ROWS
from quincunx.games.garden.notation import (
    CLAN_NAMES,
    GROUND_NAMES,
    GROUND_WORDS,
    PHASES,
    POWERS,
    REFUSALS,
    RESOURCE_NAMES,
    SEATS,
    Clan,
    Ground,
    Phase,
    PowerName,
    Resource,
)
from quincunx.games.garden.powers import list_power, why_no_power
from quincunx.games.garden.rules import MAX_LEGAL, score, turn
from quincunx.games.garden.state import (
    ABILITY,
    CANDY,
    COIN,
    FIGHT,
    FREE,
    GRASS,
    GROUND_OF,
    MUD,
    NO_TARGET,
    PILLAGE,
    POISON,
    POISON_TICKS,
    POOL_CELL,
    PRICE,
    PROTECTED,
    SHELTER,
    SKY,
    SKY_CELL,
    TICK,
    State,
    Terms,
)
from quincunx.games.garden.story import CLANS, RESOURCES, tell

__all__ = ["board", "show", "tell"]

NOT_YOUR_TURN = Words("Ce n’est pas à vous de jouer.", "It is not your turn.")
Waiting = Literal["", "fight", "poison", "humans"]
WAITING: tuple[Waiting, ...] = ("", "fight", "poison", "humans")
COUNTED = ("turns", 2)  # turns that are over, and how many of them make one for the story


class Hex(msgspec.Struct, frozen=True):
    name: str
    ground: Ground
    resource: Resource  # what it yields each turn, or what a special cell costs
    amount: int  # how much a turn; 0 on special cells
    price: int  # of a special cell, on conquest and at each use
    owner: int  # -1 nobody
    creatures: int
    state: Literal["normal", "poisoned", "protected"]
    ticks: int  # of poison to come
    immobilised: int  # turns of its owner, the present one included
    forged: int


class Zone(msgspec.Struct, frozen=True):
    ground: Ground
    total: int
    held: int
    missing: tuple[str, ...]  # cells that are not the player's; none: the zone is under control


class Stock(msgspec.Struct, frozen=True):
    """So much of each resource."""

    food: int
    metal: int
    stone: int
    wood: int


class Player(msgspec.Struct, frozen=True):
    seat: int
    clan: Clan
    cells: int
    creatures: int  # on the board
    stock: int  # to place
    points: int
    points_needed: int
    goods: Stock
    income: Stock  # at the start of the next turn, as things are
    specials: tuple[Ground, ...]  # held
    zones: tuple[Zone, ...]
    next_reinforcement: int  # as things are, the candy apart


class Power(msgspec.Struct, frozen=True):
    """A special cell or an ability of the clan; `why_not` says what is missing, and is empty if it may be used."""

    name: PowerName  # of the last four, the clan's own
    resource: Resource | Literal["points"]  # in which it is paid
    price: int
    available: bool
    code: str  # of the refusal
    why_not: Words
    targets: tuple[str, ...]


class Shown(msgspec.Struct, frozen=True):
    hexes: tuple[Hex, ...]
    players: tuple[Player, ...]
    powers: tuple[Power, ...]  # of the seat that looks; for the public, of the one to play
    player: int  # whose turn it is
    to_act: int  # -1 the dice, -3 nobody: the match is over
    phase: Phase
    turn: int  # turns played
    round: int  # from 1
    rounds: int
    waiting: Waiting  # for the dice of what
    waiting_cells: tuple[str, ...]
    winner: int  # -1 none yet, or drawn


def show(terms: Terms, view: State, seat: int) -> Shown:
    acting = turn(terms, view)
    lead = score(terms, view, 0) - score(terms, view, 1)
    over = acting == NOBODY
    places = {FIGHT: (NAMES[view.source], NAMES[view.target]), TICK: (NAMES[view.target],)}
    return Shown(
        hexes=tuple(_hex(terms, view, cell) for cell in range(CELLS)),
        players=tuple(_player(terms, view, k) for k in range(2)),
        powers=_powers(terms, view, view.player if seat == PUBLIC else seat),
        player=view.player,
        to_act=acting,
        phase=PHASES[view.phase],
        turn=view.turns,
        round=min(view.turns // 2 + 1, terms.rounds),
        rounds=terms.rounds,
        waiting=WAITING[view.waiting],
        waiting_cells=places.get(view.waiting, ()),
        winner=-1 if not over or lead == 0 else int(lead < 0),
    )


def _hex(terms: Terms, view: State, cell: int) -> Hex:
    ground, condition = terms.ground[cell], view.condition[cell]
    special = ground >= SKY_CELL
    return Hex(
        name=NAMES[cell],
        ground=GROUND_NAMES[ground],
        resource=RESOURCE_NAMES[COIN[ground] if special else terms.resource[cell]],
        amount=terms.amount[cell],
        price=PRICE[ground],
        owner=view.owner[cell],
        creatures=view.crowd[cell],
        state="protected" if condition == PROTECTED else "poisoned" if condition else "normal",
        ticks=condition if condition <= POISON_TICKS else 0,
        immobilised=view.stuck[cell],
        forged=view.forged[cell],
    )


def _player(terms: Terms, view: State, seat: int) -> Player:
    own = [cell for cell in range(CELLS) if view.owner[cell] == seat]
    income = [0] * len(RESOURCE_NAMES)
    for cell in own:
        income[terms.resource[cell]] += terms.amount[cell]
    held = tuple(GROUND_NAMES[g] for g in range(SKY_CELL, POOL_CELL + 1) if terms.special[g] in own)
    zones = tuple(_zone(terms, ground, own) for ground in range(GRASS, MUD + 1))
    return Player(
        seat=seat,
        clan=CLAN_NAMES[terms.clan[seat]],
        cells=view.cells[seat],
        creatures=view.creatures[seat],
        stock=view.stock[seat],
        points=view.points[seat],
        points_needed=ABILITY,
        goods=Stock(*view.goods[seat]),
        income=Stock(*income),
        specials=held,
        zones=zones,
        next_reinforcement=terms.m + terms.n * sum(not zone.missing for zone in zones),
    )


def _zone(terms: Terms, ground: int, own: list[int]) -> Zone:
    cells = [cell for cell in range(CELLS) if terms.ground[cell] == ground]
    missing = tuple(NAMES[cell] for cell in cells if cell not in own)
    return Zone(GROUND_NAMES[ground], len(cells), len(cells) - len(missing), missing)


def _powers(terms: Terms, view: State, seat: int) -> tuple[Power, ...]:
    own = POISON + terms.clan[seat]
    kinds = [kind for kind in (*range(SKY, SHELTER + 1), CANDY) if kind <= PILLAGE or kind in (own, CANDY)]
    return tuple(_power(terms, view, seat, kind) for kind in kinds)


def _power(terms: Terms, view: State, seat: int, kind: int) -> Power:
    code = why_no_power(terms, view, seat, kind)
    targets: tuple[str, ...] = ()
    if code == 0 and kind != CANDY:
        out = [0] * MAX_LEGAL
        uses = out[: list_power(terms, view, seat, kind, out, 0)]
        targets = tuple(NAMES[cell] for cell in sorted({use & 255 for use in uses}))
        code = 0 if targets else NO_TARGET
    name, why_not = REFUSALS[code] if code else ("", Words("", ""))
    if turn(terms, view) != seat:
        name, why_not, targets = "not_to_act", NOT_YOUR_TURN, ()
    ground = GROUND_OF[kind]
    resource: Resource | Literal["points"] = RESOURCE_NAMES[COIN[ground]] if ground else "points"
    return Power(POWERS[kind], resource, PRICE[ground] or ABILITY, not name, name, why_not, targets)


def score_words(score: int) -> Words:
    """The cells are in the high bits, the creatures in the low 16, so that cells count first."""
    cells, creatures = score >> 16, score & 0xFFFF
    fr = f"{cells} case{'s' if cells > 1 else ''}, {creatures} créature{'s' if creatures > 1 else ''}"
    return Words(fr, f"{cells} cell{'' if cells == 1 else 's'}, {creatures} creature{'' if creatures == 1 else 's'}")


def ending(terms: Terms, s: State) -> Words:
    """Why it is over."""
    for seat in (0, 1):
        if s.cells[seat] == 0:
            clan = f"{'AB'[seat]}"
            return Words("Le clan {} n’a plus de case.", "Clan {} has no cell left.").format(clan)
    return Words("Le dernier tour est joué.", "The last round is played.")


def board(terms: Terms, view: State, seat: int) -> Board:
    cells = iter(range(CELLS))
    rows = tuple(tuple(_cell(terms, view, next(cells)) for _ in range(length)) for length in ROWS)
    notes = [_note(terms, view, k) for k in range(2)]
    if turn(terms, view) == CHANCE:
        notes.append(Words("Les dés vont tomber.", "The dice are about to fall."))
    return Board(columns=tuple("1234567"), rows=tuple("abcde"), cells=rows, notes=tuple(notes), hexagonal=True)


def _cell(terms: Terms, view: State, cell: int) -> Cell:
    """Ground and resource, then who is there: `gf2 A3`; * poisoned, + protected, ! immobilised, ^ forged."""
    ground, owner = terms.ground[cell], view.owner[cell]
    name = ("g", "s", "m", "SKY", "CANDY", "BBQ", "POOL")[ground]
    if ground <= MUD:
        name += f"{'fmsw'[terms.resource[cell]]}{terms.amount[cell]}"
    condition = view.condition[cell]
    marks = "+" if condition == PROTECTED else "*" if condition else ""
    marks += ("!" if view.stuck[cell] else "") + ("^" if view.forged[cell] else "")
    crowd = f":{SEATS[owner]}{view.crowd[cell]}{marks}" if owner != FREE else ""
    return Cell(name + crowd, owner=owner, ground=GROUND_NAMES[ground], strong=ground >= SKY_CELL)


def _note(terms: Terms, view: State, seat: int) -> Words:
    player = _player(terms, view, seat)
    goods = [Words("{} {}", "{} {}").format(RESOURCES[k], view.goods[seat][k]) for k in range(4)]
    held = [GROUND_WORDS[GROUND_NAMES.index(name)] for name in player.specials]
    missing = [Words("{} : {}", "{}: {}").format(GROUND_WORDS[k], len(z.missing)) for k, z in enumerate(player.zones)]
    words = Words(
        "{} : {} en stock, {}/8 points ; {} ; cases spéciales : {} ; il manque {}.",
        "{}: {} in stock, {}/8 points; {}; special cells: {}; missing {}.",
    )
    clan = Words("{} ({})", "{} ({})").format(CLANS[terms.clan[seat]], SEATS[seat])
    return words.format(clan, player.stock, player.points, _list(goods), _list(held), _list(missing))


def _list(items: list[Words]) -> Words:
    return Words(", ".join(i.fr for i in items) or "aucune", ", ".join(i.en for i in items) or "none")
