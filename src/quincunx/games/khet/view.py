"""Khet as a client sees it: pieces, reserved squares, and the story of a turn with its beam square by square."""

from __future__ import annotations

import msgspec

from quincunx.core.board import Board, Cell, Event
from quincunx.core.contract import Log
from quincunx.core.words import Words
from quincunx.games.khet.notation import LETTERS, NAMES, piece_text, square_name
from quincunx.games.khet.rules import (
    ANUBIS,
    BEAM,
    CLOCKWISE,
    CLOSED_TO,
    DRAW,
    HEIGHT,
    HIT,
    PHARAOH,
    PYRAMID,
    SCARAB,
    SILVER,
    SPHINX,
    SQUARES,
    STEPPED,
    SWAPPED,
    TURNED,
    WIDTH,
    State,
    Terms,
    trace,
)

COLOURS = (Words("gris", "silver"), Words("rouge", "red"))
DIRECTIONS = "NESW"
GLYPHS = {PHARAOH: "↑→↓←", SPHINX: "⇑⇒⇓⇐", ANUBIS: "↑→↓←", PYRAMID: "◣◤◥◢", SCARAB: "╲╱"}


class Piece(msgspec.Struct, frozen=True):
    square: str
    colour: int
    kind: str  # K X P A S
    facing: str  # N E S W, NE SE SW NW, or / \


class Shown(msgspec.Struct, frozen=True):
    pieces: tuple[Piece, ...]
    player: int
    result: int  # -1 goes on, 0 silver won, 1 red won, 2 drawn
    quiet: int
    beams: tuple[tuple[str, ...], tuple[str, ...]]  # the squares that the laser of each side would light now


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


def beam(s: State, colour: int) -> tuple[str, ...]:
    """The squares that the laser of `colour` lights, in order."""
    log = Log()
    trace(s, colour, log)
    return tuple(square_name(e & 0xFFFF) for e in log.events[: log.count] if e >> 32 == BEAM)


def show(terms: Terms, view: State, seat: int) -> Shown:
    pieces = tuple(_piece(square, view.board[square]) for square in range(SQUARES) if view.board[square])
    return Shown(pieces, view.player, view.result, view.quiet, (beam(view, 0), beam(view, 1)))


def _piece(square: int, piece: int) -> Piece:
    return Piece(square_name(square), piece >> 5, LETTERS[piece >> 2 & 7], piece_text(piece)[1:])


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
    return Cell(piece_text(piece), glyph, owner=piece >> 5, ground=ground, strong=kind == PHARAOH)


def tell(terms: Terms, observer: int, events: list[int]) -> list[Event]:
    told: list[Event] = []
    light = [event for event in events if event >> 32 == BEAM]
    for event in events:
        kind, what, square = event >> 32, event >> 16 & 0xFFFF, square_name(event & 0xFFFF)
        if kind in (STEPPED, SWAPPED):
            told.append(_moved(square, square_name(what), kind == SWAPPED))
        elif kind == TURNED:
            way = Words("à droite", "clockwise") if what == CLOCKWISE else Words("à gauche", "counter-clockwise")
            words = Words("La pièce en {} tourne {}.", "The piece on {} turns {}.").format(square, way)
            told.append(Turned(words=words, cells=(square,), clockwise=what == CLOCKWISE))
        elif kind == BEAM and event == light[0]:
            told.append(_beam(light))
        elif kind == HIT:
            told.append(_destroyed(what, square))
        elif kind == DRAW:
            told.append(Drawn(words=Words("Partie nulle.", "The game is drawn.")))
    return told


def _moved(start: str, end: str, swap: bool) -> Event:
    words = (
        Words("Le scarabée échange {} et {}.", "The scarab swaps {} and {}.")
        if swap
        else Words("La pièce va de {} en {}.", "The piece goes from {} to {}.")
    )
    return Moved(words=words.format(start, end), cells=(start, end), swap=swap)


def _beam(light: list[int]) -> Event:
    cells = tuple(square_name(event & 0xFFFF) for event in light)
    words = Words("Le rayon finit en {}.", "The beam ends on {}.").format(cells[-1])
    return Beam(words=words, cells=cells, directions="".join(DIRECTIONS[event >> 16 & 3] for event in light))


def _destroyed(piece: int, square: str) -> Event:
    colour = COLOURS[SILVER if piece >> 5 == 0 else 1]
    words = Words("Le rayon détruit : {} {}, en {}.", "The beam destroys the {1} {0} on {2}.")
    kind = NAMES[piece >> 2 & 7]
    return Destroyed(words=words.format(kind, colour, square), cells=(square,), piece=piece_text(piece))
