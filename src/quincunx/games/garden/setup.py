"""Garden Tensions: options, presets, the drawing of a garden, and gardens that people write.

A map is five rows of 5, 6, 7, 6 and 5 cells, written as in a position (see notation.py): `gf2` is grass with two food a
turn, `sky` a special cell, `=A` and `=B` mark the two start cells. Blanks are free, `#` begins a remark.
"""

from __future__ import annotations

from quincunx.core.contract import Log
from quincunx.core.options import Choice, Option, Preset, Value, long, normal, short
from quincunx.core.random import Random, below, seeded
from quincunx.core.words import Words, expected, unfit
from quincunx.games.garden import notation
from quincunx.games.garden.hexes import CELLS, RIM, ROWS, around, opposite
from quincunx.games.garden.land import put
from quincunx.games.garden.maps import MAPS
from quincunx.games.garden.state import FREE, GRASS, MUD, POOL_CELL, SAND, SKY_CELL, State, Terms
from quincunx.games.garden.turns import begin_turn

CLANS = (
    Choice("cooks", Words("Cuisiniers", "Cooks")),
    Choice("blacksmiths", Words("Forgerons", "Blacksmiths")),
    Choice("miners", Words("Mineurs", "Miners")),
    Choice("lumberjacks", Words("Bûcherons", "Lumberjacks")),
)


def _number(name: str, default: int, low: int, high: int, fr: str, en: str) -> Option:
    return Option(name=name, type="int", default=default, low=low, high=high, label=Words(fr, en))


def _choice(name: str, label: Words, *choices: Choice) -> Option:
    return Option(
        name=name,
        type="choice",
        default=choices[0].name,
        label=label,
        choices=choices,
        foremost=name.startswith("clan"),
    )


OPTIONS = (
    _choice("clan0", Words("Clan du joueur A", "Clan of player A"), *CLANS),
    _choice("clan1", Words("Clan du joueur B", "Clan of player B"), CLANS[2], CLANS[0], CLANS[1], CLANS[3]),
    _choice(
        "zones",
        Words("Chaque sorte de sol est", "Each kind of ground is"),
        Choice("grouped", Words("d’un seul tenant", "in one piece")),
        Choice("scattered", Words("éparpillée", "scattered")),
    ),
    _choice(
        "attack_dice",
        Words("Dés de l’attaquant", "The attacker’s dice"),
        Choice("all", Words("un par créature de sa case", "one for each creature of the cell")),
        Choice("moving", Words("un par créature qui avance", "one for each creature that moves")),
    ),
    _choice(
        "grill_range",
        Words("Portée du barbecue et de la piscine", "Reach of barbecue and pool"),
        Choice("adjacent", Words("les cases voisines des siennes", "cells next to one’s own")),
        Choice("any", Words("toute case adverse", "any enemy cell")),
    ),
    Option(name="humans", type="bool", default=False, label=Words("Les humains interviennent", "The humans intervene")),
    _number("m", 2, 1, 9, "Renfort de chaque tour (M)", "Reinforcement each turn (M)"),
    _number("n", 2, 0, 9, "Renfort de plus par zone entière (N)", "More for each whole zone one holds (N)"),
    _number("k", 3, 1, 9, "Renfort de plus grâce aux sucreries (K)", "More from the candy (K)"),
    _number("rounds", 60, 5, 200, "Nombre de manches au plus", "Rounds at most"),
    _number("creatures", 3, 2, 5, "Créatures au départ", "Creatures at the start"),
    _choice(
        "income",
        Words("Ressources d’une case simple à chaque tour", "Resources of a simple cell each turn"),
        Choice("drawn", Words("1 ou 2, au hasard", "1 or 2, at random")),
        Choice("one", Words("1", "1")),
        Choice("two", Words("2", "2")),
    ),
    _choice(
        "begins",
        Words("Qui commence", "Who begins"),
        Choice("drawn", Words("au hasard", "at random")),
        Choice("a", Words("le joueur A", "player A")),
        Choice("b", Words("le joueur B", "player B")),
    ),
)
PRESETS = (
    Preset("seed", Words("Règles de base", "Basic rules")),
    Preset("quick", Words("Rapide", "Quick"), {"rounds": 15, "creatures": 5, "m": 4, "income": "two"}),
    Preset(
        "wild",
        Words("Sauvage : les humains rôdent", "Wild: humans are about"),
        {"humans": True, "zones": "scattered", "grill_range": "any", "clan0": "lumberjacks", "clan1": "blacksmiths"},
    ),
)
SETUPS = MAPS
LENGTHS = (
    short(Words("20 manches au plus", "20 rounds at most"), rounds=20),
    normal(Words("60 manches au plus", "60 rounds at most"), usual=True, rounds=60),
    long(Words("120 manches au plus", "120 rounds at most"), rounds=120),
)


def new(options: dict[str, Value], seed: int) -> tuple[Terms, State]:
    """A garden drawn from the seed."""
    random = seeded(seed)
    terms, s = notation.terms_of(options), State()
    start = RIM[below(random, len(RIM))]
    _draw_specials(terms, random, start)
    simple = [cell for cell in range(CELLS) if terms.ground[cell] < SKY_CELL]
    grounds = scattered(simple, random) if options["zones"] == "scattered" else grouped(simple, random)
    for cell, ground in grounds.items():
        terms.ground[cell] = ground
    _draw_resources(terms, random, simple, str(options["income"]))
    s.owner[:] = [FREE] * CELLS
    put(s, start, 0, int(options["creatures"]))
    put(s, opposite(start), 1, int(options["creatures"]))
    _begin(options, terms, s, random)
    return terms, s


def load(options: dict[str, Value], text: str, seed: int) -> tuple[Terms, State]:
    """A garden that somebody wrote; refused with line and column where it is not one."""
    terms, s = notation.terms_of(options), State()
    lines = [(n, line.partition("#")[0].split()) for n, line in enumerate(text.splitlines(), 1)]
    rows = [(n, words) for n, words in lines if words]
    for row, length in enumerate(ROWS):
        number, words = rows[row] if row < len(rows) else (len(lines) + 1, [])
        if len(words) != length:
            wanted = Words("{} cases dans la rangée {} (ligne {})", "{} cells in row {} (line {})")
            raise expected(wanted.format(length, "abcde"[row], number), len(words))
    notation.read_cells(terms, s, notation.tokens(text), int(options["creatures"]))
    _check_start(terms, s, text)
    _begin(options, terms, s, seeded(seed))
    return terms, s


def _check_start(terms: Terms, s: State, text: str) -> None:
    for word, place in notation.tokens(text):
        mark = word.partition("=")[2]
        if len(mark) > 1:
            raise expected(Words("=A ou =B sans nombre à la {}", "=A or =B without a number on {}").format(place), word)
        if mark and word[0:2] in ("sk", "ca", "ba", "po"):
            fr, en = (
                "Un clan ne peut pas commencer sur une case spéciale ({}).",
                "A clan may not start on a special cell ({}).",
            )
            raise unfit(fr, en, place)
    for seat, letter in enumerate(notation.SEATS):
        if s.cells[seat] != 1:
            fr, en = (
                "Le clan {} a besoin d’une case de départ, et d’une seule.",
                "Clan {} needs one start cell, and only one.",
            )
            raise unfit(fr, en, letter)


def _begin(options: dict[str, Value], terms: Terms, s: State, random: Random) -> None:
    """Who begins is drawn, and gets the first resources."""
    drawn = below(random, 2)
    s.player = {"drawn": drawn, "a": 0, "b": 1}[str(options["begins"])]
    log = Log()
    log.count = len(log.events)
    begin_turn(terms, s, log)


def _draw_specials(terms: Terms, random: Random, start: int) -> None:
    """Neither on nor next to a start cell."""
    taken = {start, opposite(start), *around(start), *around(opposite(start))}
    free = shuffled([cell for cell in range(CELLS) if cell not in taken], random)
    for ground, cell in zip(range(SKY_CELL, POOL_CELL + 1), free, strict=False):
        terms.ground[cell], terms.special[ground] = ground, cell


def _draw_resources(terms: Terms, random: Random, simple: list[int], income: str) -> None:
    """Each kind on six of the 25 cells, one of them on seven; how much is an even draw for each cell."""
    kinds = shuffled([*[0, 1, 2, 3] * 6, below(random, 4)], random)
    for cell, kind in zip(simple, kinds, strict=True):
        drawn = 1 + below(random, 2)
        terms.resource[cell], terms.amount[cell] = kind, {"drawn": drawn, "one": 1, "two": 2}[income]


def shuffled(items: list[int], random: Random) -> list[int]:
    mixed = list(items)
    for k in range(len(mixed) - 1, 0, -1):
        j = below(random, k + 1)
        mixed[k], mixed[j] = mixed[j], mixed[k]
    return mixed


SIZES = {GRASS: 9, SAND: 8, MUD: 8}
_TRIES = 3000


def scattered(cells: list[int], random: Random) -> dict[int, int]:
    grounds = [ground for ground, size in SIZES.items() for _ in range(size)]
    return dict(zip(shuffled(cells, random), grounds, strict=True))


def grouped(cells: list[int], random: Random) -> dict[int, int]:
    """Each ground in one piece; if the special cells cut the garden apart, in as few pieces as we find."""
    fewest = max(len(SIZES), len(SIZES) + pieces(set(cells)) - 1)
    best: dict[int, int] = {}
    least = CELLS
    for _ in range(_TRIES):
        drawn = _grow(cells, random)
        count = sum(pieces({cell for cell in cells if drawn[cell] == ground}) for ground in SIZES)
        if count < least:
            best, least = drawn, count
        if least <= fewest:
            break
    return best


def _grow(cells: list[int], random: Random) -> dict[int, int]:
    """Grounds in a random order, each growing from a lonely corner of what is left; the last one takes the rest."""
    drawn: dict[int, int] = {}
    order = shuffled(list(SIZES), random)
    left = set(cells)
    for ground in order:
        region: list[int] = []
        while len(region) < SIZES[ground]:
            edge = [cell for cell in sorted(left) if any(near in region for near in around(cell))]
            lonely = _loneliest(edge or sorted(left), left)
            cell = lonely[below(random, len(lonely))]
            region.append(cell)
            left.discard(cell)
        drawn.update((cell, ground) for cell in region)
    return drawn


def _loneliest(edge: list[int], left: set[int]) -> list[int]:
    """The cells with few neighbours that are left: the others would soon be cut off."""
    count = {cell: sum(near in left for near in around(cell)) for cell in edge}
    return [cell for cell in edge if count[cell] <= min(count.values()) + 1]


def pieces(cells: set[int]) -> int:
    """How many connected pieces these cells form."""
    left, found = set(cells), 0
    while left:
        found += 1
        stack = [left.pop()]
        while stack:
            near = [cell for cell in around(stack.pop()) if cell in left]
            left.difference_update(near)
            stack += near
    return found
