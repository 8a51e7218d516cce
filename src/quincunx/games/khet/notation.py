"""Khet in writing.

An action is `H2-G1` (a step, or a scarab's swap), `H2+` (a turn clockwise) or `H2-` (counter-clockwise).
A position is its rows from 8 to 1, then who is to move and how many turns nothing was destroyed; upper case is silver:

    xS3aSkSaSpSE2 2pSW7 3PNW6 pNE1PSW1s\\s/1pSE1PNW pSE1PNW1S/S\\1pNE1PSW 6pSE3 7PNE2 2PNWANKNAN3XN silver 0

A number is so many empty squares; `.` is one, and blanks between the squares of a row are allowed, so that the
diagrams of a booklet can be typed as they are.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Literal

from quincunx.core.options import Value
from quincunx.core.words import Words, expected, unfit
from quincunx.games.khet.rules import (
    ANUBIS,
    CLOCKWISE,
    CLOSED,
    COUNTER,
    DRAWN,
    HEIGHT,
    KEY,
    KEY_OF_SIDE,
    NEIGHBOUR,
    NO_SUCH_TURN,
    NOT_YOURS,
    OCCUPIED,
    OFF_BOARD,
    PHARAOH,
    PLAYING,
    PYRAMID,
    QUIET_TURNS,
    RED,
    SCARAB,
    SILVER,
    SPHINX,
    SPHINX_OF,
    SQUARES,
    WIDTH,
    State,
    Terms,
)

REFUSALS = {
    NOT_YOURS: ("not_yours", Words("Il n’y a pas de pièce à vous sur cette case.", "None of your pieces is there.")),
    OFF_BOARD: ("off_board", Words("Cette pièce ne peut pas aller là.", "This piece cannot go there.")),
    CLOSED: ("closed", Words("Cette case est réservée à l’adversaire.", "This square is reserved for the other side.")),
    OCCUPIED: ("occupied", Words("Cette case est occupée.", "This square is occupied.")),
    NO_SUCH_TURN: (
        "no_such_turn",
        Words("Cette pièce ne tourne pas dans ce sens.", "This piece does not turn that way."),
    ),
}

Letter = Literal["K", "X", "P", "A", "S"]
LETTERS: dict[int, Letter] = {PHARAOH: "K", SPHINX: "X", PYRAMID: "P", ANUBIS: "A", SCARAB: "S"}
KINDS: dict[str, int] = {letter: kind for kind, letter in LETTERS.items()}
FACINGS = {PYRAMID: ("NE", "SE", "SW", "NW"), SCARAB: ("\\", "/")}
SIDES = ("silver", "red")
BOX = {PHARAOH: 1, SPHINX: 1, PYRAMID: 7, SCARAB: 2, ANUBIS: 2}  # pieces of a side
NAMES = {
    PHARAOH: Words("pharaon", "pharaoh"),
    SPHINX: Words("sphinx", "sphinx"),
    PYRAMID: Words("pyramide", "pyramid"),
    SCARAB: Words("scarabée", "scarab"),
    ANUBIS: Words("anubis", "anubis"),
}

MANY = {
    PHARAOH: Words("pharaons", "pharaohs"),
    SPHINX: Words("sphinx", "sphinxes"),
    PYRAMID: Words("pyramides", "pyramids"),
    SCARAB: Words("scarabées", "scarabs"),
    ANUBIS: Words("anubis", "anubises"),
}
SIDE_NAMES = (Words("Gris", "Silver"), Words("Rouge", "Red"))

_SQUARE = re.compile(r"[A-J][1-8]")
_TOKEN = re.compile(r"\s*([KXA][NESW]|P(?:NE|SE|SW|NW)|S[/\\]|[1-9]\d?|\.)", re.IGNORECASE | re.ASCII)
_COUNT = re.compile(r"[0-9]{1,3}")


@cache
def square_name(square: int) -> str:
    return f"{'ABCDEFGHIJ'[square % WIDTH]}{HEIGHT - square // WIDTH}"


def square_at(name: str) -> int:
    return (HEIGHT - int(name[1])) * WIDTH + "ABCDEFGHIJ".index(name[0])


@cache
def piece_text(piece: int) -> str:
    kind, facing = piece >> 2 & 7, piece & 3
    letter = LETTERS[kind] if piece >> 5 == SILVER else LETTERS[kind].lower()
    return letter + FACINGS.get(kind, ("N", "E", "S", "W"))[facing]


def piece_at(token: str) -> int:
    kind = KINDS[token[0].upper()]
    facing = FACINGS.get(kind, ("N", "E", "S", "W")).index(token[1:].upper())
    return (SILVER if token[0].isupper() else RED) << 5 | kind << 2 | facing


def text(terms: Terms, s: State, seat: int, action: int) -> str:
    return _text(action)


@cache  # of all the actions that there are: a list of legal ones is written after every move
def _text(action: int) -> str:
    square, what = action >> 4, action & 15
    if what >= CLOCKWISE:
        return square_name(square) + ("+" if what == CLOCKWISE else "-")
    return f"{square_name(square)}-{square_name(NEIGHBOUR[square][what])}"


def parse(terms: Terms, s: State, seat: int, text: str) -> int:
    wanted = Words("un coup comme H2-G1, H2+ ou H2-", "a move like H2-G1, H2+ or H2-")
    word = text.strip().upper()
    if not _SQUARE.match(word):
        raise expected(wanted, text)
    square, rest = square_at(word[:2]), word[2:]
    if rest in ("+", "-"):
        return square << 4 | (CLOCKWISE if rest == "+" else COUNTER)
    if not _SQUARE.fullmatch(rest.removeprefix("-")):
        raise expected(wanted, text)
    to = square_at(rest[-2:])
    if to not in NEIGHBOUR[square]:
        raise expected(Words("une case voisine de {}", "a square next to {}").format(word[:2]), rest[-2:])
    return square << 4 | NEIGHBOUR[square].index(to)


def position(terms: Terms, s: State) -> str:
    board = bytes(s.board).decode("latin-1")  # a sign for each square: slices of it are found soonest
    rows = [_row(board[at : at + WIDTH]) for at in range(0, SQUARES, WIDTH)]
    drawn = " drawn" if s.result == DRAWN else ""
    return f"{' '.join(rows)} {SIDES[s.player]} {s.quiet}{drawn}"


@lru_cache(2**14)  # a move changes one or two of them; a server has a thousand boards
def _row(signs: str) -> str:
    line = "".join([piece_text(ord(sign)) if ord(sign) else "." for sign in signs])
    return re.sub(r"\.+", lambda empty: str(len(empty[0])), line)


def terms(options: dict[str, Value]) -> Terms:
    terms = Terms()
    terms.seats, terms.pharaoh_rotates, terms.draws = 2, int(options["pharaoh_rotates"]), int(options["draws"])
    return terms


def read(options: dict[str, Value], text: str) -> tuple[Terms, State]:
    """The position that `text` describes; one that no match can reach by its pieces is refused."""
    words = text.split()
    tail = next((k for k, word in enumerate(words) if word in SIDES), len(words))
    s = State()
    s.board[:] = _checked_board(" ".join(words[:tail]))
    drawn = words[-1:] == ["drawn"]
    counts = words[tail + 1 : -1 if drawn else None]
    if len(counts) > 1 or any(not _COUNT.fullmatch(c) or int(c) > QUIET_TURNS for c in counts):
        raise expected(Words("« silver 0 » ou « red 12 » à la fin", "“silver 0” or “red 12” at the end"), words[tail:])
    s.player = SIDES.index(words[tail]) if tail < len(words) else SILVER
    s.quiet = int(counts[0]) if counts else 0
    alive = [any(p >> 2 == colour << 3 | PHARAOH for p in s.board) for colour in (SILVER, RED)]
    if not any(alive):
        raise unfit("Chaque camp a besoin d’un pharaon.", "Each side needs a pharaoh.")
    for colour in (SILVER, RED):
        if alive[colour]:
            s.pharaohs[colour] = next(k for k, piece in enumerate(s.board) if piece >> 2 == colour << 3 | PHARAOH)
    s.pyramids, s.anubis = (_lead(s.board, kind) for kind in (PYRAMID, ANUBIS))
    s.result = PLAYING if all(alive) else SILVER if alive[SILVER] else RED
    if s.result == PLAYING and (drawn or s.quiet == QUIET_TURNS):
        s.result = DRAWN
    s.key = KEY_OF_SIDE if s.player == RED else 0
    for square, piece in enumerate(s.board):
        s.key ^= KEY[square][piece]
    return terms(options), s


@lru_cache(64)  # most matches begin alike, and their start is read twice
def _checked_board(text: str) -> tuple[int, ...]:
    board = read_board(text)
    _count_pieces(board)
    return tuple(board)


def _lead(board: list[int], kind: int) -> int:
    """How many of a kind silver has more than red."""
    silver, red = (sum(piece >> 2 == colour << 3 | kind for piece in board) for colour in (SILVER, RED))
    return silver - red


def read_board(text: str) -> list[int]:
    board: list[int] = []
    at = 0
    while at < len(text) and len(board) <= SQUARES:
        token = _TOKEN.match(text, at)
        if token is None:
            pieces = "pNE, kS, s/"
            wanted = Words("une pièce ({}…) ou un nombre de cases vides", "a piece ({}…) or a number of empty squares")
            raise expected(wanted.format(pieces), text[at : at + 12])
        word = token[0].strip()
        board += [0] * (1 if word == "." else int(word)) if word[0] in ".0123456789" else [piece_at(word)]
        at = token.end()
    if len(board) != SQUARES:
        raise expected(Words("{} cases", "{} squares").format(SQUARES), len(board))
    return board


def _count_pieces(board: list[int]) -> None:
    """No more than the box holds, and a sphinx a side in its corner, looking onto the board."""
    for colour in (SILVER, RED):
        for kind, most in BOX.items():
            found = sum(piece >> 2 == colour << 3 | kind for piece in board)
            if found > most:
                fr, en = "{} a {} {} : {} au plus.", "{} has {} {}: {} at most."
                raise unfit(fr, en, SIDE_NAMES[colour], found, MANY[kind], most)
        sphinx, corner = board[SPHINX_OF[colour]], square_name(SPHINX_OF[colour])
        if sphinx >> 2 != colour << 3 | SPHINX:
            raise unfit("{} a besoin de son sphinx en {}.", "{} needs its sphinx on {}.", SIDE_NAMES[colour], corner)
        if sphinx & 3 not in ((0, 3), (2, 1))[colour]:
            raise unfit(
                "{} : le sphinx en {} doit regarder le plateau.",
                "{}: the sphinx on {} must face the board.",
                SIDE_NAMES[colour],
                corner,
            )
