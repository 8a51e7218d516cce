"""Connect Four: its option, its presets, and the empty board."""

from __future__ import annotations

from quincunx.core.options import Option, Preset, Setup, Value
from quincunx.core.words import Words
from quincunx.games.connect_four import notation
from quincunx.games.connect_four.rules import State, Terms

OPTIONS = (
    Option(
        name="misere",
        type="bool",
        default=False,
        label=Words(
            "Qui perd gagne : celui qui aligne quatre jetons perd", "Misère: whoever lines up four discs loses"
        ),
    ),
)
PRESETS = (
    Preset("classic", Words("Classique", "Classic")),
    Preset("misere", Words("Qui perd gagne", "Misère"), {"misere": True}),
)
SETUPS: tuple[Setup, ...] = ()


def new(options: dict[str, Value], seed: int) -> tuple[Terms, State]:
    """The empty board."""
    return notation.terms(options), State()


def load(options: dict[str, Value], text: str, seed: int) -> tuple[Terms, State]:
    """A position that somebody wrote."""
    return notation.read(options, text)
