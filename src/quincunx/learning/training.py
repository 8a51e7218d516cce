"""The net while it learns: in fractions, with Adam, in NumPy. One hidden layer over sparse inputs needs no more.

What it says of a position is a logit z: the seat wins with the chance 1 / (1 + exp(-z)), and z * scale is the value in
the game's unit. It is taught by what the match came to, mixed with what a search thought of the position.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quincunx.core.net import LARGEST, ONE_BITS, WORDS

UNITS = 4 * WORDS
BATCH = 4096
Floats = NDArray[np.float32]


@dataclass
class Weights:
    """All that is learned. The last row and the last straight number belong to no input: they stay 0."""

    rows: Floats  # [input, unit]
    straight: Floats  # [input]
    first: Floats  # [unit]
    last: Floats  # [unit]
    ends: Floats  # the factor of the evaluation by hand, and what is added in the end


def fresh(inputs: int, by_hand: bool, seed: int) -> Weights:
    random = np.random.default_rng(seed)
    rows = random.normal(0, 0.08, (inputs + 1, UNITS)).astype(np.float32)
    rows[-1] = 0
    return Weights(
        rows, np.zeros(inputs + 1, np.float32), np.full(UNITS, 0.4, np.float32),
        random.normal(0, 0.3, UNITS).astype(np.float32), np.array([by_hand, 0], np.float32),
    )  # fmt: skip


@dataclass
class Lesson:
    """Positions as arrays: inputs, filled up with the number that is no input; the evaluation by hand in logits; and
    what is to be said of them."""

    inputs: NDArray[Any]
    hands: Floats
    target: Floats

    def __len__(self) -> int:
        return len(self.hands)

    def part(self, which: Any) -> Lesson:
        return Lesson(self.inputs[which], self.hands[which], self.target[which])


def forward(net: Weights, some: Lesson) -> tuple[Floats, Floats, Floats]:
    """The chances, and what the hidden units summed up and came to."""
    sums = net.rows[some.inputs].sum(1) + net.first
    units = np.clip(sums, 0, 1)
    z = (units * units) @ net.last + net.straight[some.inputs].sum(1) + net.ends[0] * some.hands + net.ends[1]
    return 1 / (1 + np.exp(-z)), sums, units


def loss_of(net: Weights, lesson: Lesson) -> float:
    """The mean square of what is said too much or too little."""
    total = 0.0
    for k in range(0, len(lesson), BATCH):
        some = lesson.part(slice(k, k + BATCH))
        total += float(((forward(net, some)[0] - some.target) ** 2).sum())
    return total / max(1, len(lesson))


def gradient(net: Weights, some: Lesson) -> Weights:
    """Of the cross entropy, for a batch."""
    chance, sums, units = forward(net, some)
    error = (chance - some.target) / len(some)
    back = error[:, None] * net.last * 2 * units * ((sums > 0) & (sums < 1))
    flat, n, wide = some.inputs.ravel(), len(net.straight), some.inputs.shape[1]
    rows = np.empty_like(net.rows)
    for unit in range(UNITS):
        rows[:, unit] = np.bincount(flat, np.repeat(back[:, unit], wide), n)
    rows[-1] = 0
    straight = np.bincount(flat, np.repeat(error, wide), n).astype(np.float32)
    straight[-1] = 0
    ends = np.array([error @ some.hands if net.ends[0] else 0, error.sum()], np.float32)
    return Weights(rows, straight, back.sum(0), ((units * units).T @ error).astype(np.float32), ends)


@dataclass
class Adam:
    rate: float
    steps: int = 0
    means: dict[str, Floats] = field(default_factory=dict)
    squares: dict[str, Floats] = field(default_factory=dict)

    def step(self, net: Weights, by: Weights, most: float, decay: float) -> None:
        self.steps += 1
        for each in fields(Weights):
            weights, slope = getattr(net, each.name), getattr(by, each.name)
            mean = self.means.setdefault(each.name, np.zeros_like(weights))
            square = self.squares.setdefault(each.name, np.zeros_like(weights))
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            weights -= self.rate * (mean / (1 - 0.9**self.steps)) / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)
        net.rows *= 1 - decay * self.rate
        net.straight *= 1 - decay * self.rate
        np.clip(net.rows, -most, most, out=net.rows)


def largest_row(most_inputs: int) -> float:
    """What a weight may be, so that no sum leaves its 16 bits."""
    return (LARGEST // (most_inputs + 1)) / (1 << ONE_BITS)
