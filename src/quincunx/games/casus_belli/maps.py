"""Casus Belli, the maps of the house, and maps drawn by lot.

Everybody starts on the same cell; so that no direction is better than another, a map is the mirror image of itself
across both of its middle lines. Drawn here is one quarter, with the middle lines on its right and at the bottom:

    quarter   ab      map   aba
              cd            cdc
                            aba
"""

from __future__ import annotations

from quincunx.core.options import Setup
from quincunx.core.random import Random, below, seeded
from quincunx.core.words import Words
from quincunx.games.casus_belli.mapfile import Chart, reachable, write_map


def mirrored(quarter: str, placement: int, turns: int) -> str:
    """The map whose upper left quarter this is, with the start in the middle."""
    corner = quarter.split()
    left = [row + row[-2::-1] for row in corner]
    rows = tuple(left + left[-2::-1])
    middle = len(corner[0]) - 1, len(corner) - 1
    return write_map(Chart(len(rows[0]), len(rows), middle, placement, turns, rows))


MEADOW = """
...........
.....F.....
..FF.....~.
..F...._..~
.......__..
.F...#....F
.....F..._.
...__......
..~......F.
.~..._F...F
...H......_
"""
CASTLE = """
_____________
_...........F
_.FF......F..
_.F..######.#
_....T.......
_..##.#..###.
_..#...#.#...
_..#..H..T.F.
_..##.#..#...
_....#..##..#
_.F.......#..
_..~~..#....T
_.~.........H
"""
LABYRINTH = """
FFFFFFFFFFFFF
F.....F.....F
F.FFF.F.FFF.F
F.F...._..F..
F.F.FFFF.FFFF
F.._F...._...
FFF.F.FF.FF.F
F...F.F..T.._
F.FFF.F.FFFF.
F.....F.F..._
FF.FF.._...F.
F..H.F.F.F.F.
F.FF.....F..F
"""
BRIDGES = """
.......~~~~~~~_
.F.FF..~~~~~~~_
.......~~~T~~~_
.FF.H..~~._.~~_
....F..~~~_~~~_
.F.....~~~_~~~_
.......~~~_~~~_
~~~~~~~~~~_~~~_
~~~~~~~~~~_~~~_
~~.~~~~~~~_~~~_
~~T._______...F
~~.~~~~~~~.###.
~~~~~~~~~~.#T..
~~~~~~~~~~..._.
__________F..._
"""
ARENA = """
###############....._
###########........._
########...FF......._
######....F...._____.
#####..........T.FF._
####....##...._...F._
###..F...#...._....._
###..FF......._.H.~._
##.........F.._..~~~_
##....T...FFF.._____.
##.............F....T
#...FF.....##.......F
#...F......#....~...F
#.........F.......~~_
#..._____.....#.....F
..._.F..._..~...##..F
..._.....T..~...#...F
..._.H.~._......F..._
..._..~~~_......._...
..F.....~_FF...F..__.
__________TFF__FFF_._
"""
PIT = """
.~.F.
.#...
T..F_
..#..
.H.._
"""
BLOCK = """
..........
.FF....~~.
.F..##..~.
....#T....
.~........
.~~..F.##.
......F.#.
.#.H......
.##....FF.
..........
"""


def hundred() -> str:
    """Sixteen blocks a quarter, every second one turned over, with roads between them."""
    block = BLOCK.split()
    rows = []
    for y in range(40):
        lines = [block[y % 10][:: 1 if (x + y // 10) % 2 else -1] for x in range(4)]
        rows.append("".join(lines) + ("_" if y % 10 else "."))
    rows.append("_" * 41)
    for y in (9, 29):
        rows[y] = "_" * 41
    return mirrored("\n".join(rows), placement=5, turns=30)


SETUPS = (
    Setup("meadow", Words("La prairie", "The meadow"), mirrored(MEADOW, 3, 40)),
    Setup("castle", Words("Le château", "The castle"), mirrored(CASTLE, 4, 40)),
    Setup("labyrinth", Words("Le labyrinthe de la forêt", "The forest labyrinth"), mirrored(LABYRINTH, 4, 40)),
    Setup("bridges", Words("Les ponts du marais", "The bridges of the marsh"), mirrored(BRIDGES, 4, 40)),
    Setup("arena", Words("L’arène (pour douze)", "The arena (for twelve)"), mirrored(ARENA, 5, 40)),
    Setup("hundred", Words("Les cent équipes", "The hundred teams"), hundred()),
    Setup("pit", Words("La fosse", "The pit"), mirrored(PIT, 1, 12)),
)


# -- maps drawn by lot ----------------------------------------------------------------------------------------------

LOTS = "FFF###~~._T"  # how often a patch is of which ground


def draw(width: int, height: int, placement: int, turns: int, seed: int) -> str:
    """Patches of ground and a road, mirrored around the start; drawn again while walls cut off more than a third."""
    random = seeded(seed)
    middle = width // 2, height // 2
    across, down = (width - 1) // 2, (height - 1) // 2  # how far a cell may be from the middle and have a mirror image
    rows: tuple[str, ...] = ()
    while sum(letter != "#" for row in rows for letter in row) * 3 < width * height * 2:
        quarter = _quarter(across + 1, down + 1, random)
        far = [[(abs(x - middle[0]), abs(y - middle[1])) for x in range(width)] for y in range(height)]
        rows = tuple("".join(quarter[v][u] if u <= across and v <= down else "#" for u, v in row) for row in far)
        paths = reachable(rows, middle)
        rows = tuple("".join(c if (x, y) in paths else "#" for x, c in enumerate(row)) for y, row in enumerate(rows))
    return write_map(Chart(width, height, middle, placement, turns, rows))


def _quarter(across: int, down: int, random: Random) -> list[list[str]]:
    """The lower right quarter, with the start in its first cell and nothing in the way around it."""
    quarter = [["."] * across for _ in range(down)]
    for _ in range(across * down // 9):
        _patch(quarter, random, LOTS[below(random, len(LOTS))])
    _road(quarter, random)
    _patch(quarter, random, "H")
    for y, x in ((0, 0), (0, 1), (1, 0)):
        quarter[y][x] = "."
    return quarter


def _patch(quarter: list[list[str]], random: Random, letter: str) -> None:
    """A few cells that hang together; a tower is one cell, walls are lines."""
    y, x = below(random, len(quarter)), below(random, len(quarter[0]))
    way = below(random, 2)
    for _ in range(1 if letter == "T" else 2 + below(random, 4)):
        if 0 <= y < len(quarter) and 0 <= x < len(quarter[0]):
            quarter[y][x] = letter
        turn = way if letter == "#" else below(random, 2)
        step = 1 if letter == "#" else 2 * below(random, 2) - 1
        y, x = y + step * turn, x + step * (1 - turn)


def _road(quarter: list[list[str]], random: Random) -> None:
    """From the middle to an edge, with one bend, where it is not blocked."""
    bend, line = 1 + below(random, max(1, len(quarter[0]) - 1)), below(random, len(quarter))
    for x in range(min(bend, len(quarter[0]))):
        quarter[0][x] = "_" if quarter[0][x] == "." else quarter[0][x]
    for y in range(line, len(quarter)):
        x = min(bend, len(quarter[0]) - 1)
        quarter[y][x] = "_" if quarter[y][x] == "." else quarter[y][x]
