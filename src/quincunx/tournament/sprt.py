"""A sequential test: is the new player better by `elo1`, or only by `elo0`? It stops as soon as the answer is known.

Two matches from one start, once from each chair, make a pair, which scores 0, ¼, ½, ¾ or 1 (five outcomes:
pentanomial); matches that are not paired score 0, ½ or 1. After every one the logarithm of a ratio is looked at: how
likely is what was seen if the expected score is that of elo1, beside that of elo0? Of all distributions with that mean
the most likely one is taken: nothing is assumed about draws, nor about how the matches of a pair depend on each other.

    llr = n / (n + FEW) · Σ n_k · log(p1_k / p0_k)
    p_k = n_k / n / (1 + x · (a_k − mean)),   x such that Σ p_k · (a_k − mean) = 0

The first factor holds back while there are few: their spread is not well known, and without it errors were more
frequent than stated (5.4 % where 5 % were allowed, in tests of about a hundred pairs).

Below log(β / (1 − α)) elo0 is taken, above log((1 − β) / α) elo1 (Wald; generalised by Van den Bergh). If elo0 is true,
elo1 is taken in at most α of all tests, if elo1 is true, elo0 in at most β.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite, log
from typing import Literal

import msgspec
import numpy as np

from quincunx.core.words import Refused, Words, expected
from quincunx.tournament.choices import Array
from quincunx.tournament.score import SCALE
from quincunx.tournament.stopped import Estimate, running, stopped

FIVE, THREE = (0.0, 0.25, 0.5, 0.75, 1.0), (0.0, 0.5, 1.0)
UNSEEN = 1e-3  # so often at least was every outcome seen: otherwise some means would be impossible
FEW = 3.0
MOST_ELO = 2000.0

Verdict = Literal["elo0", "elo1", "continue"]


class Sprt(msgspec.Struct, frozen=True):
    """What is asked."""

    elo0: float
    elo1: float
    alpha: float = 0.05  # how often elo1 is taken though elo0 is true
    beta: float = 0.05  # and the other way round

    @property
    def bounds(self) -> tuple[float, float]:
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    @property
    def means(self) -> tuple[float, float]:
        """The expected scores."""
        return score_at(self.elo0), score_at(self.elo1)

    def state(self, counts: Sequence[int]) -> State:
        """`counts`: how often each outcome was seen, the worst first: five for pairs, three for single matches."""
        ratio = float(llr(np.array(counts, dtype=float), *self.means))
        low, high = self.bounds
        verdict: Verdict = "elo1" if ratio >= high else "elo0" if ratio <= low else "continue"
        if verdict == "continue":
            found = running(counts, outcomes(len(counts)))
        else:
            held = sum(counts) / (sum(counts) + FEW)
            found = stopped(counts, outcomes(len(counts)), self.means, (low / held, high / held), ratio / held)
        return State(sum(counts), ratio, low, high, verdict, found)


class State(msgspec.Struct, frozen=True):
    """What is known after so many pairs."""

    pairs: int
    llr: float
    low: float
    high: float
    verdict: Verdict
    estimate: Estimate  # of the difference in Elo


def score_at(elo: float) -> float:
    """What is expected at this difference in rating."""
    return float(1 / (1 + np.exp(-elo / SCALE)))


def outcomes(many: int) -> tuple[float, ...]:
    return {len(FIVE): FIVE, len(THREE): THREE}[many]


def count_pairs(scores: Sequence[float], of: tuple[float, ...] = FIVE) -> list[int]:
    """How often each outcome was seen; `scores`: from 0 to 1."""
    return [sum(score == each for score in scores) for each in of]


def llr(counts: Array, mean0: float, mean1: float) -> Array:
    """Of one test, or of many at once: the last axis is that of the outcomes."""
    seen = np.maximum(counts, UNSEEN)
    many = seen.sum(axis=-1)
    ratio = most_likely(counts, mean1) / most_likely(counts, mean0)
    return many / (many + FEW) * (seen * np.log(ratio)).sum(axis=-1)


def most_likely(counts: Array, mean: float) -> Array:
    """The odds of the outcomes that make these counts most likely, of all that have this mean."""
    seen = np.maximum(counts, UNSEEN)
    apart = np.array(outcomes(seen.shape[-1])) - mean
    return seen / seen.sum(axis=-1, keepdims=True) / (1 + _tilt(seen, apart)[..., None] * apart)


def _tilt(seen: Array, apart: Array) -> Array:
    """The x at which Σ n_k · a_k / (1 + x · a_k) = 0, which falls all the way: Newton's steps, or halves."""
    low = np.full(seen.shape[:-1], -1 / apart[-1])
    high = np.full(seen.shape[:-1], -1 / apart[0])
    x = np.zeros(seen.shape[:-1])
    for _ in range(100):
        share = apart / (1 + x[..., None] * apart)
        above = (seen * share).sum(axis=-1)
        low, high = np.where(above > 0, x, low), np.where(above > 0, high, x)
        step = above / (seen * share**2).sum(axis=-1)
        after = x + step
        after = np.where((after <= low) | (after >= high), (low + high) / 2, after)
        moved = np.abs(after - x).max(initial=0.0)
        x = after
        if moved < 1e-9:
            break
    return x


# -- what people write ----------------------------------------------------------------------------------------------

_NEEDED = Words("elo0=… elo1=… [alpha=… beta=…]", "elo0=… elo1=… [alpha=… beta=…]")
_WORD = re.compile(r"(\w+)=(\S+)")


def parse_sprt(text: str) -> Sprt:
    """`elo0=0 elo1=10 alpha=0.05 beta=0.05`, in any order, with blanks or commas; the last two may be left out."""
    values: dict[str, float] = {}
    for word in re.split(r"[\s,]+", text.strip()):
        name, value = found.groups() if (found := _WORD.fullmatch(word)) else ("", "")
        if name not in Sprt.__struct_fields__ or name in values:
            raise expected(_NEEDED, text)
        values[name] = _number(name, value)
    if not {"elo0", "elo1"} <= values.keys():
        raise expected(_NEEDED, text)
    asked = Sprt(**values)
    if max(abs(asked.elo0), abs(asked.elo1)) > MOST_ELO:
        words = Words("elo0 et elo1 de {:.0f} à {:.0f}", "elo0 and elo1 from {:.0f} to {:.0f}")
        raise expected(words.format(-MOST_ELO, MOST_ELO), text)
    if asked.elo0 >= asked.elo1:
        raise Refused("unreadable", Words("elo0 doit être inférieur à elo1.", "elo0 must be below elo1."))
    if not (0 < asked.alpha < 0.5 and 0 < asked.beta < 0.5):
        raise expected(Words("alpha et beta entre 0 et 0,5", "alpha and beta between 0 and 0.5"), text)
    return asked


def _number(name: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise expected(Words("un nombre pour {}", "a number for {}").format(name), value)
    return number
