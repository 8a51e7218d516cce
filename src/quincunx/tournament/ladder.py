"""The ladder: does each level beat the one below it, and the top one the simple players? Measured, kept, resumable.

Every rung is a series of pairs that ends early: when the interval of the score is clear of one half and narrow enough
to name a figure, or when so many pairs did not show it. Who looks often finds something sooner or later: so there are
few looks, and intervals are wider, so that the one a rung ends with holds the truth in 95 of 100. Results are written
after every batch, so that a run that was interrupted goes on where it stood.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from time import process_time

import msgspec

from quincunx.core.levels import Ground
from quincunx.core.words import Refused, Words
from quincunx.games import Game, cards, load
from quincunx.players.levels import MOST, specs
from quincunx.tournament.makings import makings
from quincunx.tournament.pool import pool
from quincunx.tournament.score import Score, score_of
from quincunx.tournament.series import Series, pair_score
from quincunx.tournament.starts import MOST_PAIRS, of_ladder

LOOKS = (16, 24, 36, 54, 80, 120, 180, 270, MOST_PAIRS)  # pairs after which a rung may end
SURE_AT_EVERY_LOOK = 2.5  # standard deviations, found by simulating the whole rule: tests/test_tournament.py
NARROW, NARROWER = 0.12, 0.08  # half an interval at which a rung that is won may end: at its bar or above, and below it
REAL = 4  # every fourth pair of a rung is played on a real map, where a duel is another thing
FIRST_BATCH, BATCH_SECONDS = 2, 60.0  # pairs, to learn what one costs; then about so long, that little can be lost


class Rung(msgspec.Struct):
    """`upper` against `lower`, and what came of it so far."""

    game: str
    upper: str
    lower: str
    made_of: tuple[str, str]  # the configurations behind the levels: a changed one is measured anew
    weights: tuple[int, ...]  # of the game's evaluation: after a tuning, too
    bar: float  # what the score should reach
    makings: str = ""  # of its rules, evaluation, policy and constants: after a change of these, too
    pairs: list[float] = []
    seconds: float = 0.0  # of processor time

    @property
    def identity(self) -> tuple[object, ...]:
        return self.game, self.upper, self.lower, self.made_of, self.weights, self.bar, self.makings

    @property
    def score(self) -> Score:
        return score_of(self.pairs, SURE_AT_EVERY_LOOK)

    @property
    def done(self) -> bool:
        """Only a look decides: no pair follows one that ended the rung."""
        return len(self.pairs) in LOOKS and (len(self.pairs) == LOOKS[-1] or self._decided(self.score))

    def _decided(self, score: Score) -> bool:
        half = (score.high - score.low) / 2
        enough = half <= (NARROW if score.mean >= self.bar else NARROWER)
        return score.high < 0.5 or score.low > self.bar or (score.low > 0.5 and enough)

    @property
    def next_batch(self) -> int:
        """Pairs: not beyond the next look."""
        n = len(self.pairs)
        affordable = int(BATCH_SECONDS * n / self.seconds) if self.seconds else FIRST_BATCH
        return max(1, min(affordable, min(look for look in LOOKS if look > n) - n))

    @property
    def seconds_left(self) -> float | None:
        """About, if it goes on as so far; None before the first pairs."""
        n, now = len(self.pairs), self.score
        if n == 0 or self.done:
            return None if n == 0 else 0.0
        for look in LOOKS:
            half = (now.mean - now.low) * sqrt(n / look)
            then = Score(now.mean, now.mean - half, min(1.0, now.mean + half), look, now.spread)
            if look > n and (self._decided(then) or look == LOOKS[-1]):
                return self.seconds / n * (look - n)
        return 0.0


@dataclass
class Ladder:
    """All rungs, in a file."""

    file: Path
    rungs: list[Rung]

    @classmethod
    def open(cls, file: Path, only: list[str] | None = None) -> Ladder:
        known = _read(file) if file.exists() else []
        kept = {rung.identity: rung for rung in known}
        wanted = [kept.get(rung.identity, rung) for rung in rungs()]
        ladder = cls(file, wanted)
        ladder.todo = [rung for rung in wanted if only is None or rung.game in only]
        return ladder

    def __post_init__(self) -> None:
        self.todo = self.rungs

    def save(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        written = self.file.with_suffix(".new")
        written.write_bytes(msgspec.json.format(msgspec.json.encode(self.rungs), indent=1) + b"\n")
        written.replace(self.file)

    def climb(self, told: Callable[[Rung], None], jobs: int = 1, enough: Callable[[], bool] = lambda: False) -> None:
        """Plays what is missing: next comes who took least time so far, so that an early end leaves much of each."""
        waiting = [rung for rung in self.todo if not rung.done]
        running: dict[Future[tuple[list[float], float]], Rung] = {}
        with pool(jobs) as processes:
            while True:
                while waiting and len(running) < jobs and not enough():
                    rung = min(waiting, key=lambda rung: rung.seconds)
                    waiting.remove(rung)
                    numbers = range(len(rung.pairs), len(rung.pairs) + rung.next_batch)
                    running[processes.submit(_batch, rung.game, (rung.upper, rung.lower), numbers)] = rung
                if not running:
                    return
                for batch in wait(running, return_when=FIRST_COMPLETED).done:
                    rung = running.pop(batch)
                    pairs, seconds = batch.result()
                    rung.pairs.extend(pairs)
                    rung.seconds += seconds
                    self.save()
                    told(rung)
                    if not rung.done:
                        waiting.append(rung)


def _read(file: Path) -> list[Rung]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=list[Rung])
    except (OSError, msgspec.DecodeError) as error:
        words = Words("Le fichier {} n’est pas celui d’une échelle ({}).", "The file {} is not that of a ladder ({}).")
        raise Refused("not_a_ladder", words.format(file, str(error).rstrip("."))) from None


def rungs() -> Iterator[Rung]:
    for card in cards():
        made, target = specs(card.id), 0.58 if card.dice or card.simultaneous else 0.65
        game, top = load(card.id, "interpreted"), f"level:{MOST}"
        weights, code = tuple(value for _, value, _, _ in game.weights), makings(card.id)
        for n in range(2, MOST + 1):
            yield Rung(card.id, f"level:{n}", f"level:{n - 1}", (made[n - 1], made[n - 2]), weights, target, code)
        yield Rung(card.id, "level:1", "random", (made[0], "random"), weights, 0.5, code)  # where ratings begin
        yield Rung(card.id, top, "random", (made[-1], "random"), weights, 0.97, code)
        yield Rung(card.id, top, "greedy", (made[-1], "greedy"), weights, 0.90, code)
        for own in game.opponents:
            if own.startswith("heuristic"):
                yield Rung(card.id, top, own, (made[-1], own), weights, 0.80, makings(card.id, own))


def ground_of(game: Game, pair: int) -> Ground:
    """What a pair of a rung is played on: the duel's, and now and then one of the real ones, each in its turn."""
    if game.real and pair % REAL == REAL - 1:
        return game.real[pair // REAL % len(game.real)]
    return Ground(game.duel)


def _batch(game: str, players: tuple[str, str], numbers: range) -> tuple[list[float], float]:
    """The pairs of these numbers, and the processor time that they took; a pair is the same in whatever batch."""
    began, pairs = process_time(), []
    for number in numbers:
        ground = ground_of(load(game, "interpreted"), number)
        series = Series(
            game, players, seed=of_ladder(number), preset=ground.preset, setup=ground.setup, options=ground.options,
            opening=4,
        )  # fmt: skip
        pairs.append(pair_score(series, {result.number: result.outcome for result in series.run()}, 0))
    return pairs, process_time() - began
