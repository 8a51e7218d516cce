"""From positions to lessons: which inputs each has, what the evaluation by hand says of it, and what is to be learned.

The target is a chance to win: partly what became of the match, partly what a search thought of the position (`trust`).
What a search says in the game's unit becomes a chance by the scale at which it fits the outcomes best.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quincunx.core import net
from quincunx.core.arrays import dtype
from quincunx.games import Game
from quincunx.learning.selfplay import Portion, read
from quincunx.learning.training import Lesson

LARGE = 3000  # what is thought beyond this is a win
HELD_OUT = 20  # one match of so many is kept to look at, not to learn from


def inputs_of(game: Game, portion: Portion) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The inputs of each position, filled up with INPUTS, and what the evaluation by hand says to the seat."""
    n, shape = len(portion.seat), game.net_inputs
    out, counts, hands = np.zeros((n, shape.MOST), np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    if n:
        terms = np.frombuffer(portion.terms.tobytes(), dtype(game.rules.Terms)).copy()
        states = np.frombuffer(portion.states.tobytes(), dtype(game.rules.State)).copy()
        match, seats = portion.match.astype(np.int64), portion.seat.astype(np.int64)
        write: Any = game.gear.bind(net.write_inputs)
        write(terms, states, match, seats, out, counts, hands)
    out[np.arange(shape.MOST) >= counts[:, None]] = shape.INPUTS
    return out.astype(np.int16 if shape.INPUTS < 1 << 15 else np.int32), hands


def scale_of(values: NDArray[Any], outcomes: NDArray[Any]) -> float:
    """The s for which 1 / (1 + exp(-value / s)) says best what became of it, by Newton's method."""
    x, slope = np.clip(values, -LARGE, LARGE).astype(np.float64), 1e-3
    for _ in range(50):
        chance = 1 / (1 + np.exp(-slope * x))
        slope -= ((chance - outcomes) * x).mean() / max(1e-12, (chance * (1 - chance) * x * x).mean())
        slope = min(1.0, max(1e-5, slope))
    return float(1 / slope)


def prepare(game: Game, files: Sequence[Path], trust: float, shares: bool) -> tuple[Lesson, Lesson, float]:
    """What is learned from, what is only looked at, and the scale of values. `shares`: a search says chances itself."""
    portions = [read(file) for file in files]
    found = [inputs_of(game, portion) for portion in portions]
    inputs, hands = (np.concatenate([each[k] for each in found]) for k in (0, 1))
    value, outcome = (np.concatenate([getattr(p, name) for p in portions]) for name in ("value", "outcome"))
    held = np.concatenate([p.match % HELD_OUT == HELD_OUT - 1 for p in portions])
    scale = scale_of(hands, outcome)
    thought = value if shares else 1 / (1 + np.exp(-np.clip(value, -LARGE, LARGE) / scale_of(value, outcome)))
    target = (trust * thought + (1 - trust) * outcome).astype(np.float32)
    all_of_it = Lesson(inputs, (hands / scale).astype(np.float32), target)
    return all_of_it.part(~held), all_of_it.part(held), scale
