"""Khet: options, the three official positions, and the rules for positions that people make."""

from __future__ import annotations

from quincunx.core.contract import Log
from quincunx.core.options import Option, Preset, Setup, Value
from quincunx.core.structure import copy
from quincunx.core.words import Words, unfit
from quincunx.games.khet import notation
from quincunx.games.khet.rules import (
    CLOSED_TO,
    MAX_LEGAL,
    PHARAOH,
    PLAYING,
    RED,
    SILVER,
    State,
    Terms,
    apply,
    legal,
)

OPTIONS = (
    Option(
        name="pharaoh_rotates",
        type="bool",
        default=True,
        label=Words("Le pharaon peut tourner", "The pharaoh may turn"),
    ),
    Option(
        name="draws",
        type="bool",
        default=True,
        label=Words(
            "Nulle à la troisième répétition ou après 100 tours sans destruction",
            "Draw at the third repetition, or after 100 turns with nothing destroyed",
        ),
    ),
)
PRESETS = (
    Preset("seed", Words("Khet 2.0", "Khet 2.0")),
    Preset("fixed_pharaoh", Words("Pharaon immobile", "Fixed pharaoh"), {"pharaoh_rotates": False}),
)
SETUPS = (
    Setup(
        "classic",
        Words("Classique", "Classic"),
        r"""
        xS   .    .    .    aS   kS   aS   pSE  .    .
        .    .    pSW  .    .    .    .    .    .    .
        .    .    .    PNW  .    .    .    .    .    .
        pNE  .    PSW  .    s\   s/   .    pSE  .    PNW
        pSE  .    PNW  .    S/   S\   .    pNE  .    PSW
        .    .    .    .    .    .    pSE  .    .    .
        .    .    .    .    .    .    .    PNE  .    .
        .    .    PNW  AN   KN   AN   .    .    .    XN""",
    ),
    Setup(
        "imhotep",
        Words("Imhotep", "Imhotep"),
        r"""
        xS   .    .    .    aS   kS   aS   s/   .    .
        .    .    .    .    .    .    .    .    .    .
        .    .    .    PNW  .    .    pNE  .    .    .
        pNE  PSW  .    .    PSE  s/   .    .    pSE  PNW
        pSE  PNW  .    .    S/   pNW  .    .    pNE  PSW
        .    .    .    PSW  .    .    pSE  .    .    .
        .    .    .    .    .    .    .    .    .    .
        .    .    S/   AN   KN   AN   .    .    .    XN""",
    ),
    Setup(
        "dynasty",
        Words("Dynastie", "Dynasty"),
        r"""
        xS   .    .    .    pSW  aS   pSE  .    .    .
        .    .    .    .    .    kS   .    .    .    .
        pNE  .    .    .    pSW  aS   s/   .    .    .
        pSE  .    s\   .    PNW  .    PSE  .    .    .
        .    .    .    pNW  .    pSE  .    S\   .    PNW
        .    .    .    S/   AN   PNE  .    .    .    PSW
        .    .    .    .    KN   .    .    .    .    .
        .    .    .    PNW  AN   PNE  .    .    .    XN""",
    ),
)


def new(options: dict[str, Value], seed: int) -> tuple[Terms, State]:
    """Nothing is drawn: the classic position."""
    return notation.read(options, SETUPS[0].text)


def load(options: dict[str, Value], text: str, seed: int) -> tuple[Terms, State]:
    """A starting position that somebody made; refused with the reason if a match may not begin like that."""
    terms, s = notation.read(options, text)
    for colour in (SILVER, RED):
        if not any(piece >> 2 == colour << 3 | PHARAOH for piece in s.board):
            raise unfit("{} a besoin d’un pharaon.", "{} needs a pharaoh.", notation.SIDE_NAMES[colour])
    for square, piece in enumerate(s.board):
        if piece and CLOSED_TO[square] == piece >> 5:
            fr, en = (
                "{} ne peut pas occuper {}, réservée à l’autre camp.",
                "{} may not stand on {}, the other side’s square.",
            )
            raise unfit(fr, en, notation.SIDE_NAMES[piece >> 5], notation.square_name(square))
    if s.player != SILVER or s.quiet:
        raise unfit("C’est toujours Gris qui commence.", "Silver always begins.")
    if _is_over_at_once(terms, s):
        raise unfit("Tout premier coup terminerait la partie.", "Every first move would end the game.")
    return terms, s


def _is_over_at_once(terms: Terms, s: State) -> bool:
    """Does every first turn of silver end the game?"""
    out = [0] * MAX_LEGAL
    log = Log()
    log.count = len(log.events)
    after = State()
    for action in out[: legal(terms, s, SILVER, out)]:
        copy(after, s)
        apply(terms, after, SILVER, action, log)
        if after.result == PLAYING:
            return False
    return True
