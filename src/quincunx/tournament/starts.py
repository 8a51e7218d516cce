"""Which starts are whose, by the seeds that they are drawn from.

The ladder measures what experiments have chosen: on starts that something was chosen on, it would flatter. So whoever
tries things out (a tuning, a comparison, a tournament) draws others, unless told a seed.
"""

from __future__ import annotations

LADDER, APART = 10_000, 3_000  # the ladder's first, and how far the next one is from it
MOST_PAIRS = 400  # that a rung may take
STYLES = 1_500_000  # and up: those on which levels meet opponents of style
EXPERIMENTS = 2_000_000  # from here on none is one of these
PROOFS = 800_000_000  # on these nothing is chosen, ever: they say what was chosen is worth
TRAINING = 1_000_000_000  # and from here on none is an experiment's


def of_ladder(pair: int) -> int:
    return LADDER + APART * pair


def of_styles(pair: int) -> int:
    return STYLES + pair


def of_experiment(number: int) -> int:
    """The starts of an experiment that counts its own from 0."""
    return EXPERIMENTS + number


def of_training(number: int) -> int:
    """The starts that players learn from: nothing is ever measured on these."""
    return TRAINING + number


def of_proof(number: int) -> int:
    return PROOFS + number
