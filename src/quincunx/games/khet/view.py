"""Khet as a client sees it: pieces, reserved squares, and the story of a turn with its beam square by square."""

from __future__ import annotations

from functools import cache

import msgspec

from quincunx.core.board import Board, Cell, Event
from quincunx.core.words import Words
from quincunx.games.khet.notation import BOX, LETTERS, Letter, piece_text, square_name
from quincunx.games.khet.rules import (
    ANUBIS,
    BEAM,
    CLOCKWISE,
    CLOSED_TO,
    DRAW,
    HEIGHT,
    HIT,
    LEAVES,
    NEIGHBOUR,
    PHARAOH,
    PYRAMID,
    QUIET_TURNS,
    RED,
    SCARAB,
    SILVER,
    SPHINX,
    SPHINX_OF,
    SQUARES,
    STEPPED,
    SWAPPED,
    TURNED,
    WIDTH,
    State,
    Terms,
)

PIECES = {
    PHARAOH: Words("pharaon", "pharaoh"),
    SPHINX: Words("sphinx", "sphinx"),
    PYRAMID: Words("pyramide", "pyramid"),
    ANUBIS: Words("anubis", "anubis"),
    SCARAB: Words("scarabée", "scarab"),
}
VICTIMS = {
    PHARAOH: (
        Words("le pharaon gris tombe", "the silver pharaoh falls"),
        Words("le pharaon rouge tombe", "the red pharaoh falls"),
    ),
    ANUBIS: (
        Words("l’anubis gris est détruit", "the silver anubis is destroyed"),
        Words("l’anubis rouge est détruit", "the red anubis is destroyed"),
    ),
    PYRAMID: (
        Words("la pyramide grise est détruite", "the silver pyramid is destroyed"),
        Words("la pyramide rouge est détruite", "the red pyramid is destroyed"),
    ),
}
DIRECTIONS = "NESW"
SQUARE_NAMES = [square_name(square) for square in range(SQUARES)]
ALIKE = True  # every observer is shown and told the same
GLYPHS = {PHARAOH: "↑→↓←", SPHINX: "⇑⇒⇓⇐", ANUBIS: "↑→↓←", PYRAMID: "◣◤◥◢", SCARAB: "╲╱"}

FACTS = {  # what pages must know of the rules to draw them
    "box": {letter: BOX[kind] for kind, letter in LETTERS.items()},
    "reserved": [[square_name(k) for k in range(SQUARES) if CLOSED_TO[k] == 1 - colour] for colour in (0, 1)],
    "sphinxes": [square_name(square) for square in SPHINX_OF],
}


class Piece(msgspec.Struct, frozen=True):
    square: str
    colour: int
    kind: Letter
    facing: str  # N E S W, NE SE SW NW, or / \


class Shown(msgspec.Struct, frozen=True):
    pieces: tuple[Piece, ...]
    player: int
    result: int  # -1 goes on, 0 silver won, 1 red won, 2 drawn
    quiet: int
    beams: tuple[tuple[str, ...], tuple[str, ...]]  # the squares that the laser of each side would light now
    leaves: tuple[str, str]  # where each of them goes off the board (N E S W), or "" if a piece stops it


class Moved(Event, frozen=True, tag="moved"):
    swap: bool


class Turned(Event, frozen=True, tag="turned"):
    clockwise: bool


class Beam(Event, frozen=True, tag="beam"):
    """The squares of `cells` in order, with the direction in which the light enters each."""

    directions: str


class Destroyed(Event, frozen=True, tag="destroyed"):
    piece: str


class Drawn(Event, frozen=True, tag="drawn"):
    """Third repetition, or too long without a loss."""


def laser(s: State, colour: int) -> tuple[tuple[str, ...], str]:
    """The squares that the laser of `colour` lights, and where it goes off the board, or "" if a piece stops it.

    What `trace` tells, without its log: this is asked twice after every move."""
    board, square = s.board, SPHINX_OF[colour]
    direction = board[square] & 3
    lit: list[str] = []
    while direction >= 0 and (ahead := NEIGHBOUR[square][2 * direction]) >= 0:
        square = ahead
        lit.append(SQUARE_NAMES[square])
        if piece := board[square]:
            direction = LEAVES[piece & 31][direction]
    return tuple(lit), DIRECTIONS[direction] if direction >= 0 else ""


def show(terms: Terms, view: State, seat: int) -> Shown:
    pieces = tuple([_piece(square, piece) for square, piece in enumerate(view.board) if piece])
    (silver, silver_leaves), (red, red_leaves) = laser(view, SILVER), laser(view, RED)
    return Shown(pieces, view.player, view.result, view.quiet, (silver, red), (silver_leaves, red_leaves))


@cache
def _piece(square: int, piece: int) -> Piece:
    return Piece(square_name(square), piece >> 5, LETTERS[piece >> 2 & 7], piece_text(piece)[1:])


def ending(terms: Terms, s: State) -> Words:
    """Why it is over."""
    if s.result == SILVER:
        return Words("Le rayon a atteint le pharaon rouge.", "The beam reached Red’s pharaoh.")
    if s.result == RED:
        return Words("Le rayon a atteint le pharaon gris.", "The beam reached Silver’s pharaoh.")
    if s.quiet >= QUIET_TURNS:
        return Words("{} tours de suite sans perte.", "{} turns in a row without a loss.").format(QUIET_TURNS)
    return Words("La position est revenue une troisième fois.", "The position came up for the third time.")


def board(terms: Terms, view: State, seat: int) -> Board:
    cells = tuple(
        tuple(_cell(view.board[row * WIDTH + column], CLOSED_TO[row * WIDTH + column]) for column in range(WIDTH))
        for row in range(HEIGHT)
    )
    return Board(columns=tuple("ABCDEFGHIJ"), rows=tuple("87654321"), cells=cells)


def _cell(piece: int, closed_to: int) -> Cell:
    ground = f"reserved{1 - closed_to}" if closed_to >= 0 else ""
    if piece == 0:
        return Cell(ground=ground)
    kind, facing = piece >> 2 & 7, piece & 3
    glyph = LETTERS[kind] + GLYPHS[kind][facing] if kind in (SPHINX, ANUBIS, PHARAOH) else GLYPHS[kind][facing]
    return Cell(piece_text(piece), piece >> 5, ground, kind == PHARAOH, glyph)


def tell(terms: Terms, observer: int, events: list[int]) -> list[Event]:
    told: list[Event] = []
    light = [event for event in events if event >> 32 == BEAM]
    for event in events:
        kind, what, square = event >> 32, event >> 16 & 0xFFFF, square_name(event & 0xFFFF)
        if kind in (STEPPED, SWAPPED):
            told.append(_moved(PIECES[what >> 10 & 7], square, square_name(what & 255), kind == SWAPPED))
        elif kind == TURNED:
            told.append(_turned(PIECES[what >> 10 & 7], square, what & 255 == CLOCKWISE))
        elif kind == BEAM and event == light[0]:
            told.append(_beam(light, any(other >> 32 == HIT for other in events)))
        elif kind == HIT:
            told.append(_destroyed(what, square))
        elif kind == DRAW:
            told.append(Drawn(words=Words("la partie est nulle", "the game is drawn")))
    return told


@cache
def _moved(piece: Words, start: str, end: str, swap: bool) -> Event:
    words = Words("{} {}–{}", "{} {}–{}")
    if swap:
        words = Words("{} {}–{}, échange des deux pièces", "{} {}–{}, the two pieces swap")
    return Moved(words=words.format(piece, start, end), cells=(start, end), swap=swap)


@cache
def _turned(piece: Words, square: str, clockwise: bool) -> Event:
    way = Words("à droite", "clockwise") if clockwise else Words("à gauche", "counter-clockwise")
    words = Words("{} {}, un quart de tour {}", "{} {}, a quarter turn {}").format(piece, square, way)
    return Turned(words=words, cells=(square,), clockwise=clockwise)


def _beam(light: list[int], hits: bool) -> Event:
    cells = tuple([square_name(event & 0xFFFF) for event in light])
    directions = "".join([DIRECTIONS[event >> 16 & 3] for event in light])
    return Beam(words=_beam_ends(cells[-1], hits), cells=cells, directions=directions)


@cache
def _beam_ends(square: str, hits: bool) -> Words:
    words = Words("le rayon frappe en {}", "the beam strikes {}")
    if not hits:
        words = Words("le rayon s’éteint en {}", "the beam dies on {}")
    return words.format(square)


@cache
def _destroyed(piece: int, square: str) -> Event:
    words = VICTIMS[piece >> 2 & 7][piece >> 5]
    return Destroyed(words=words, cells=(square,), piece=piece_text(piece))
