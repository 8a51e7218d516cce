"""Cultist: options, presets, the drawn start, and maps that people draw.

A map is seven rows of thirteen signs: `.` floor, `x` obstacle, `A` the leader of West, `B` that of East, `n` a
neutral. It is its own mirror image, and all of its floor hangs together.
"""

from __future__ import annotations

from quincunx.core.options import Choice, Option, Preset, Setup, Value, long, normal, short
from quincunx.core.random import Random, below, seeded
from quincunx.core.words import Words, expected, unfit
from quincunx.games.cultist import notation
from quincunx.games.cultist.grid import HEIGHT, STEP, WIDTH, cell_at
from quincunx.games.cultist.rules import (
    FIRST_SEED,
    FULL_HP,
    MAX_TURNS,
    NEUTRAL,
    NEUTRALS,
    State,
    Terms,
)

Cell = tuple[int, int]  # x, y

OPTIONS = (
    Option(
        name="turns",
        type="int",
        default=150,
        low=2,
        high=MAX_TURNS,
        label=Words("Nombre de tours, les deux joueurs ensemble", "Number of turns, both players together"),
    ),
    Option(
        name="neutrals",
        type="choice",
        default="static",
        label=Words("Les neutres", "Neutrals"),
        choices=(
            Choice("static", Words("ne bougent pas", "do not move")),
            Choice("wander", Words("errent au hasard, un à chaque tour", "wander at random, one each turn")),
            Choice(
                "generator",
                Words("bougent comme sur CodinGame, sans hasard", "move as on CodinGame, predictably"),
            ),
        ),
    ),
    Option(
        name="destructible",
        type="bool",
        default=False,
        label=Words("Les obstacles ont 10 points de vie et se détruisent", "Obstacles have 10 HP and can be destroyed"),
    ),
    Option(
        name="friendly_fire",
        type="bool",
        default=False,
        label=Words(
            "On peut aussi viser les neutres et ses propres unités", "Neutrals and one’s own units may be shot at, too"
        ),
    ),
    Option(
        name="units_block",
        type="bool",
        default=False,
        label=Words("Une unité sur la ligne de tir prend la balle", "A unit on the line of fire takes the bullet"),
    ),
    Option(
        name="codingame_orders",
        type="bool",
        default=False,
        label=Words(
            "Ordres comme sur CodinGame : viser loin fait avancer d’un pas, dépasser le temps fait perdre",
            "Orders as on CodinGame: a distant goal becomes a single step, running out of time loses",
        ),
    ),
)
PRESETS = (
    Preset("seed", Words("Règles d’origine", "Original rules")),
    Preset(
        "codingame",
        Words("Comme sur CodinGame (Cultist Wars)", "As on CodinGame (Cultist Wars)"),
        {"neutrals": "generator", "friendly_fire": True, "units_block": True, "codingame_orders": True},
    ),
)
SETUPS = (
    Setup(
        "meadow",
        Words("La prairie", "The meadow"),
        """
        .............
        ..n.n...n.n..
        .............
        A.n.n...n.n.B
        .............
        ..n.n...n.n..
        .............""",
    ),
    Setup(
        "cloister",
        Words("Le cloître", "The cloister"),
        """
        .n.........n.
        ..xx.x.x.xx..
        .nx.n...n.xn.
        A...........B
        .nx.n...n.xn.
        ..xx.x.x.xx..
        .n.........n.""",
    ),
)
LENGTHS = (
    short(Words("30 tours chacun", "30 turns each"), turns=60),
    normal(Words("75 tours chacun", "75 turns each"), usual=True, turns=150),
    long(Words("150 tours chacun", "150 turns each"), turns=300),
)


def forfeit_score(options: dict[str, Value]) -> int | None:
    """On the site, an invalid line or a run-out clock scores −1."""
    return -1 if options["codingame_orders"] else None


def new(options: dict[str, Value], seed: int) -> tuple[Terms, State]:
    """Neutrals and obstacles of the left half are drawn, and mirrored, until all floor hangs together."""
    random = seeded(seed)
    while True:
        terms, s = notation.read(options, _drawn(random))
        if _hangs_together(s):
            return terms, s


def _drawn(random: Random) -> str:
    leader, neutrals = (0, 3), list[Cell]()
    while len(neutrals) < NEUTRALS // 2:
        cell = (1 + below(random, 5), below(random, HEIGHT))
        if cell not in neutrals:
            neutrals.append(cell)
    free = [(x, y) for x in range(WIDTH // 2) for y in range(HEIGHT) if (x, y) != leader and (x, y) not in neutrals]
    return _position({cell for cell in free if below(random, 5) == 0}, leader, neutrals)


def _position(obstacles: set[Cell], leader: Cell, neutrals: list[Cell]) -> str:
    """The position with these on the left, and their mirror images on the right."""
    walls = obstacles | {_mirrored(cell) for cell in obstacles}
    rows = ("".join("x" if (x, y) in walls else "." for x in range(WIDTH)) for y in range(HEIGHT))
    half = [f"n{FULL_HP}@{x},{y}" for x, y in neutrals] + ["n0"] * (NEUTRALS // 2 - len(neutrals))
    other = [f"n{FULL_HP}@{x},{y}" for x, y in map(_mirrored, neutrals)]
    leaders = [f"{seat}L{FULL_HP}@{x},{y}" for seat, (x, y) in enumerate((leader, _mirrored(leader)))]
    return " ".join([*rows, *leaders, *half, *other])


def _mirrored(cell: Cell) -> Cell:
    return WIDTH - 1 - cell[0], cell[1]


def load(options: dict[str, Value], text: str, seed: int) -> tuple[Terms, State]:
    """A match on a map that somebody drew, or on a position; refused with the reason if it may not begin like that."""
    terms, s = notation.read(options, text if "@" in text else _from_drawing(text.split()))
    if s.turn or s.wandering or s.generator not in (0, FIRST_SEED):
        raise unfit("Une partie commence au premier tour.", "A match begins with its first turn.")
    if 0 in s.hp[:2]:
        raise unfit("Chaque culte a besoin de son leader.", "Each cult needs its leader.")
    _check_mirror(s)
    if not _hangs_together(s):
        raise unfit("Les obstacles isolent une partie de la carte.", "The obstacles cut off a part of the map.")
    return terms, s


def _from_drawing(rows: list[str]) -> str:
    wanted = Words(
        "sept rangées de treize cases, écrites . x A B ou n", "seven rows of thirteen cells, written . x A B or n"
    )
    image = str.maketrans("AB", "BA")
    if len(rows) != HEIGHT:
        raise expected(wanted, " ".join(rows))
    for y, row in enumerate(rows):
        if len(row) != WIDTH or set(row) - set(".xABn"):
            raise expected(wanted, row)
        if row != row[::-1].translate(image) or row[6] == "n":
            fr = "La rangée {} n’est pas symétrique : à gauche comme à droite, et A en face de B."
            raise unfit(fr, "Row {} is not symmetric: the same on the left and on the right, and A facing B.", y)
    places = {sign: [(x, y) for y in range(HEIGHT) for x in range(7) if rows[y][x] == sign] for sign in "xABn"}
    if len(places["A"] + places["B"]) != 1:
        raise unfit("Chaque culte a besoin d’un leader, et d’un seul.", "Each cult needs one leader, and only one.")
    if len(places["n"]) > NEUTRALS // 2:
        raise unfit("{} neutres au plus de chaque côté.", "{} neutrals at most on each side.", NEUTRALS // 2)
    leader = places["A"][0] if places["A"] else _mirrored(places["B"][0])
    return _position(set(places["x"]), leader, places["n"])


def _check_mirror(s: State) -> None:
    """Unit k + 6 faces unit k, with the same HP and the other owner; obstacles face obstacles."""
    for one, other in [(0, 1), *((unit, unit + 6) for unit in range(2, 8))]:
        owner = s.owner[one] if s.owner[one] == NEUTRAL else 1 - s.owner[one]
        faces = s.cell[one] == s.cell[other] == 0 or s.cell[one] + s.cell[other] == _both(s.cell[one])
        if not faces or s.owner[other] != owner or s.hp[one] != s.hp[other]:
            fr, en = (
                "La carte doit être symétrique : les unités {} et {} ne se font pas face.",
                "The map must be symmetric: units {} and {} do not face each other.",
            )
            raise unfit(fr, en, one, other)
    for y in range(HEIGHT):
        row = [min(0, s.board[cell_at(x, y)]) for x in range(WIDTH)]
        if row != row[::-1]:
            fr, en = (
                "La carte doit être symétrique : les obstacles de la rangée {} ne le sont pas.",
                "The map must be symmetric: the obstacles of row {} are not.",
            )
            raise unfit(fr, en, y)


def _both(cell: int) -> int:
    """The sum of a cell and its mirror image."""
    return 2 * (cell & ~15) + WIDTH - 1


def _hangs_together(s: State) -> bool:
    """Can one go from any floor to any other, units ignored?"""
    floor = {cell for cell, there in enumerate(s.board) if there >= 0}
    seen = {min(floor)}
    edge = list(seen)
    while edge:
        here = edge.pop()
        near = {here + offset for offset in STEP} & floor - seen
        seen |= near
        edge += near
    return seen == floor
