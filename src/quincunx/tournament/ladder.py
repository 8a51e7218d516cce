"""The ladder: does each level beat the one below it, and the top one the simple players? Measured, kept, resumable.

Every rung is a series of pairs that ends early: when the interval of the score is clear of one half and narrow enough
to name a figure, or when so many pairs did not show it. Results are written after every batch, so that a run that was
interrupted goes on where it stood.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from time import process_time

import msgspec

from quincunx.core.words import Refused, Words
from quincunx.games import cards, load
from quincunx.players.levels import MOST, specs
from quincunx.tournament.score import Score, score_of
from quincunx.tournament.series import Series, pair_score

BATCH = 8  # pairs between two looks at the interval
FEWEST, MANY = 16, 400  # pairs of a rung
NARROW = 0.06  # half an interval at which a rung that is won needs no more pairs
SMALL = {  # maps on which two players meet soon; duels
    "chartichaud": {"width": 10, "height": 8, "turns": 60},
    "casus_belli": {"seats": 2, "width": 11, "height": 11, "turns": 21},
}


class Rung(msgspec.Struct):
    """`upper` against `lower`, and what came of it so far."""

    game: str
    upper: str
    lower: str
    made_of: tuple[str, str]  # the configurations behind the levels: a changed one is measured anew
    bar: float  # what the score should reach
    pairs: list[float] = []
    seconds: float = 0.0  # of processor time

    @property
    def score(self) -> Score:
        return score_of(self.pairs)

    @property
    def done(self) -> bool:
        score = self.score
        if score.pairs < FEWEST:
            return False
        half = (score.high - score.low) / 2
        return score.pairs >= MANY or (score.low > 0.5 and (half <= NARROW or score.low > self.bar))


@dataclass
class Ladder:
    """All rungs, in a file."""

    file: Path
    rungs: list[Rung]

    @classmethod
    def open(cls, file: Path, only: list[str] | None = None) -> Ladder:
        known = _read(file) if file.exists() else []
        kept = {(r.game, r.upper, r.lower, r.made_of, r.bar): r for r in known}
        wanted = [kept.get((r.game, r.upper, r.lower, r.made_of, r.bar), r) for r in rungs()]
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
        """Plays what is missing: a batch of every rung in turn, so that an early end leaves something of each."""
        waiting = deque(rung for rung in self.todo if not rung.done)
        running: dict[Future[tuple[list[float], float]], Rung] = {}
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            while True:
                while waiting and len(running) < jobs and not enough():
                    rung = waiting.popleft()
                    running[pool.submit(_batch, rung.game, (rung.upper, rung.lower), len(rung.pairs))] = rung
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
        for n in range(2, MOST + 1):
            yield Rung(card.id, f"level:{n}", f"level:{n - 1}", (made[n - 1], made[n - 2]), target)
        yield Rung(card.id, "level:1", "random", (made[0], "random"), 0.5)  # where ratings begin
        top, best = f"level:{MOST}", made[-1]
        yield Rung(card.id, top, "random", (best, "random"), 0.97)
        yield Rung(card.id, top, "greedy", (best, "greedy"), 0.90)
        for own in load(card.id, "interpreted").opponents:
            if own.startswith("heuristic"):
                yield Rung(card.id, top, own, (best, own), 0.80)


def _batch(game: str, players: tuple[str, str], first: int) -> tuple[list[float], float]:
    """Some pairs from number `first` on, and the processor time that they took."""
    began = process_time()
    series = Series(game, players, 2 * BATCH, seed=1_000 + first, options=SMALL.get(game, {}), opening=4)
    records = [result.record for result in series.run()]
    return [pair_score(series, records, pair) for pair in range(BATCH)], process_time() - began
