"""Chartichaud: options, presets, drawn maps and map files.

A map file has a header `W H`, then lines `gold x y n` and `unit owner kind x y n`; what follows a # is a comment:

    7 7
    gold 3 3 40
    unit A civilian 0 0 3
    unit B civilian 6 6 3
"""

from __future__ import annotations

from quincunx.core.options import Option, Preset, Setup, Value, long, normal, short
from quincunx.core.random import below, seeded
from quincunx.core.words import Words, expected, unfit
from quincunx.games.chartichaud.grid import (
    CIVILIAN,
    MOST_GOLD,
    MOST_TURNS,
    MOST_UNITS,
    ONE,
    PITCH,
    State,
    Terms,
    inside,
    mirror,
    price,
)
from quincunx.games.chartichaud.notation import KINDS, LETTERS, SIDES, agree, validate

GOLD_AT_START, CIVILIANS_AT_START = 25, 3

OPTIONS = (
    Option("width", "int", 16, Words("Largeur de la carte", "Width of the map"), 5, PITCH),
    Option("height", "int", 9, Words("Hauteur de la carte", "Height of the map"), 5, PITCH),
    Option(
        "turns",
        "int",
        300,
        Words("Nombre de tours, les deux joueurs ensemble", "Number of turns, both players together"),
        2,
        MOST_TURNS,
    ),
    Option(
        "fresh_units_act",
        "bool",
        True,
        Words("Une unité peut agir dès le tour où elle est produite", "A unit may act in the turn it is made"),
    ),
    Option(
        "recruit_contested",
        "bool",
        True,
        Words("On peut produire là où l’adversaire a un bâtiment", "Units may be made where the enemy has a building"),
    ),
    Option(
        "single_building",
        "bool",
        False,
        Words(
            "À la fin du tour, chacun garde au plus un bâtiment par case",
            "At the end of a turn, each player keeps one building per cell at most",
        ),
    ),
)
PRESETS = (
    Preset("seed", Words("Règles d’origine", "Original rules")),
    Preset(
        "telecom",
        Words("Comme sur le serveur du cours", "As on the course’s server"),
        {"turns": 301, "fresh_units_act": False, "recruit_contested": False, "single_building": True},
    ),
)
SETUPS = (
    Setup(
        "duel",
        Words("Duel : une petite carte, un seul filon", "Duel: a small map with a single lode"),
        """7 7
        gold 3 3 64
        gold 1 2 9
        gold 5 4 9
        unit A civilian 0 0 3
        unit B civilian 6 6 3""",
    ),
    Setup(
        "treasure",
        Words("Trésor : tout l’or est au milieu", "Treasure: all the gold is in the middle"),
        """15 9
        gold 7 4 288
        gold 6 4 100
        gold 8 4 100
        gold 7 3 100
        gold 7 5 100
        gold 6 3 25
        gold 8 5 25
        gold 8 3 25
        gold 6 5 25
        unit A civilian 0 4 3
        unit B civilian 14 4 3""",
    ),
    Setup(
        "two_mines",
        Words("Deux mines : chacun la sienne, et un pont", "Two mines: one each, and a bridge"),
        """16 9
        gold 1 7 144
        gold 2 6 81
        gold 0 6 49
        gold 14 1 144
        gold 13 2 81
        gold 15 2 49
        gold 7 4 36
        gold 8 4 36
        unit A civilian 0 0 3
        unit B civilian 15 8 3""",
    ),
    Setup(
        "garrisons",
        Words("Garnisons : des soldats dès le départ", "Garrisons: soldiers from the start"),
        """12 12
        gold 2 2 64
        gold 9 9 64
        gold 9 2 121
        gold 2 9 121
        gold 5 5 16
        gold 6 6 16
        unit A building 1 1 1
        unit A civilian 1 1 3
        unit A military 2 2 2
        unit B building 10 10 1
        unit B civilian 10 10 3
        unit B military 9 9 2""",
    ),
)
LENGTHS = (
    short(
        Words("Duel : 7 × 7 cases, 20 tours chacun", "Duel: 7 × 7 cells, 20 turns each"),
        setup="duel",
        usual=True,
        turns=40,
    ),
    normal(
        Words(
            "Une carte tirée au sort de 11 × 7 cases, 50 tours chacun",
            "A map of 11 × 7 cells drawn at random, 50 turns each",
        ),
        width=11,
        height=7,
        turns=100,
    ),
    long(
        Words(
            "Une carte tirée au sort de 16 × 9 cases, 150 tours chacun",
            "A map of 16 × 9 cells drawn at random, 150 turns each",
        ),
        width=16,
        height=9,
        turns=300,
    ),
)


def new(options: dict[str, Value], seed: int) -> tuple[Terms, State]:
    """Three civilians in opposite corners, and gold that looks the same from both."""
    terms, s = agree(options, int(options["width"]), int(options["height"])), State()
    random = seeded(seed)
    for _ in range(max(1, round(15 * terms.width * terms.height / 144))):
        cell = below(random, terms.height) * PITCH + below(random, terms.width)
        n = 1 + below(random, 12)
        s.gold[cell] += n * n  # MOST_GOLD is twelve deviations above the mean of the largest map
        s.gold[mirror(terms, cell)] += n * n
    s.units[0][0] = s.units[1][mirror(terms, 0)] = CIVILIANS_AT_START * ONE[CIVILIAN]
    return terms, _begin(terms, s)


def load(options: dict[str, Value], text: str, seed: int) -> tuple[Terms, State]:
    """A map that somebody made; refused with the line that is wrong, or with what the map lacks."""
    lines = [(n, line.split("#")[0].split()) for n, line in enumerate(text.splitlines(), 1)]
    lines = [(n, words) for n, words in lines if words]
    number, header = lines[0] if lines else (1, [])
    sizes = [int(word) if word.isdecimal() and len(word) < 3 else 0 for word in header]
    if len(sizes) != 2 or not all(5 <= size <= PITCH for size in sizes):
        raise _wrong(number, Words("une largeur et une hauteur de 5 à 40", "a width and a height from 5 to 40"), header)
    terms, s = agree(options, *sizes), State()
    for number, words in lines[1:]:
        if words[0] == "gold" and len(words) == 4:
            s.gold[_cell(terms, number, words[1:3])] += _many(number, words[3], MOST_GOLD - sum(s.gold))
        elif words[0] == "unit" and len(words) == 6:
            owner, kind = _owner(number, words[1]), _kind(number, words[2])
            n = _many(number, words[5], MOST_UNITS)
            s.units[owner][_cell(terms, number, words[3:5])] += n * ONE[kind]
        else:
            raise _wrong(
                number,
                Words("« gold x y n » ou « unit owner kind x y n »", "“gold x y n” or “unit owner kind x y n”"),
                words,
            )
    s = _begin(terms, s)
    for owner in range(2):
        if not s.forces[owner]:
            raise unfit("Le camp {} a besoin d’une unité.", "Side {} needs a unit.", SIDES[owner])
    return terms, s


def _begin(terms: Terms, s: State) -> State:
    for seat in range(2):
        s.purse[seat] = GOLD_AT_START
    validate(terms, s)
    for seat in range(2):
        s.wealth[seat] = s.purse[seat] + price(s.forces[seat])
    return s


def _wrong(line: int, what: Words, came: list[str] | str) -> Exception:
    shown = came if isinstance(came, str) else " ".join(came)
    return expected(Words("{} à la ligne {}", "{} on line {}").format(what, line), shown)


def _cell(terms: Terms, line: int, words: list[str]) -> int:
    if not all(word.isdecimal() and len(word) < 3 for word in words) or not inside(terms, *map(int, words)):
        last = f"{terms.width - 1} {terms.height - 1}"
        raise _wrong(line, Words("une case de 0 0 à {}", "a cell from 0 0 to {}").format(last), words)
    return int(words[1]) * PITCH + int(words[0])


def _many(line: int, word: str, most: int) -> int:
    if not word.isdecimal() or len(word) > 6 or not 1 <= int(word) <= most:
        raise _wrong(line, Words("un nombre de 1 à {}", "a number from 1 to {}").format(most), word)
    return int(word)


def _owner(line: int, word: str) -> int:
    if word.upper() not in ("A", "B"):
        raise _wrong(line, Words("A ou B", "A or B"), word)
    return SIDES.index(word.upper())


def _kind(line: int, word: str) -> int:
    names = [*KINDS, *LETTERS.lower()]
    if word.lower() not in names:
        raise _wrong(line, Words("civilian, military ou building", "civilian, military or building"), word)
    return names.index(word.lower()) % 3
