"""Weights tuned by self-play: simultaneous perturbation (SPSA), seeded, with a log from which it goes on.

In every step each weight is moved a little up or down, by the toss of a coin, and the player with these weights meets
the one with all of them moved the other way. All weights then go some way towards the winner. A step costs two sets of
weights however many there are, and what a weight does by chance cancels out in the long run.

    step   moved by ±c, in shares of their ranges        the winner's way, by a · (score − ½) / c
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from quincunx.core.random import below, seeded
from quincunx.core.words import Refused, Words
from quincunx.games.facade import Weights

REACH, REACH_FADES = 0.15, 0.101  # c: in the first step, and how it fades
STRIDE, STRIDE_FADES, CALM = 0.06, 0.602, 10  # a: the same; so many steps are as if taken already

Measure = Callable[[list[int], list[int], int], float]  # what the first weights score against the second, from a seed


class Step(msgspec.Struct, frozen=True):
    up: list[int]
    down: list[int]
    score: float  # of `up`, from 0 to 1
    now: list[float]  # where the weights stand after it


class Tuning(msgspec.Struct):
    """Everything that a tuning was told and did."""

    game: str
    player: str
    games: int  # of a step
    seed: int
    weights: Weights
    steps: list[Step] = []

    @property
    def now(self) -> list[float]:
        return list(self.steps[-1].now) if self.steps else [float(value) for _, value, _, _ in self.weights]

    @property
    def best(self) -> list[int]:
        """The mean over the second half of the way, which shakes less than its end."""
        if not self.steps:
            return [value for _, value, _, _ in self.weights]
        late = self.steps[len(self.steps) // 2 :]
        return [round(sum(step.now[k] for step in late) / len(late)) for k in range(len(self.weights))]

    def run(self, steps: int, measure: Measure) -> Iterator[Step]:
        """Until there are so many."""
        while len(self.steps) < steps:
            step = self._step(len(self.steps), measure)
            self.steps.append(step)
            yield step

    def _step(self, number: int, measure: Measure) -> Step:
        coin = seeded(self.seed * 1_000_003 + number)
        signs = [2 * below(coin, 2) - 1 for _ in self.weights]
        reach = REACH / (number + 1) ** REACH_FADES
        up, down = (self._moved([turn * sign * reach for sign in signs]) for turn in (1, -1))
        score = measure([round(w) for w in up], [round(w) for w in down], self.seed + 1 + number * self.games)
        stride = STRIDE * (1 + CALM) ** STRIDE_FADES / (number + 1 + CALM) ** STRIDE_FADES
        way = stride * (score - 0.5) / reach
        return Step(
            [round(w) for w in up], [round(w) for w in down], score, self._moved([way * sign for sign in signs])
        )

    def _moved(self, shares: Sequence[float]) -> list[float]:
        """The weights as they stand, each moved by a share of its range and kept inside."""
        moved = zip(self.now, self.weights, shares, strict=True)
        return [min(high, max(low, value + share * (high - low))) for value, (_, _, low, high), share in moved]

    def save(self, file: Path) -> None:
        written = file.with_suffix(".new")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            written.write_bytes(msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")
            written.replace(file)
        except OSError as error:
            words = Words("Le fichier {} ne peut pas être écrit ({}).", "The file {} cannot be written ({}).")
            raise Refused("unwritable_file", words.format(file, error.strerror)) from None


def resumed(file: Path, wanted: Tuning) -> Tuning:
    """The tuning of a log, if it is the one that is wanted; Refused if it is another."""
    if not file.exists():
        return wanted
    try:
        found = msgspec.json.decode(file.read_bytes(), type=Tuning)
    except (OSError, msgspec.DecodeError) as error:
        words = Words(
            "Le fichier {} n’est pas le journal d’un réglage ({}).", "The file {} is not the log of a tuning ({})."
        )
        raise Refused("not_a_tuning", words.format(file, str(error).rstrip("."))) from None
    for name in ("game", "player", "games", "seed", "weights"):
        if getattr(found, name) != getattr(wanted, name):
            words = Words(
                "Le journal {} est celui d’un autre réglage : {} diffère.",
                "The log {} is of another tuning: {} differs.",
            )
            raise Refused("other_tuning", words.format(file, name))
    return found
