"""A small net that judges positions, for search: whole numbers only, the same to the bit in every gear.

A game's net.py says what the net looks at:

    VERSION                  of the inputs; a new one whenever a number comes to mean something else
    INPUTS                   how many there are: 0..INPUTS-1
    MOST                     how many a position has at most
    inputs(...)              writes those that a position has, as one seat sees it
    looks(...)               whose seat that is

Every input has a row of weights, a number for each hidden unit. A position is the sum of its rows:

    inputs ──▶ sums of 16 bits ──▶ clipped to 0..ONE, squared ──▶ weighed ──┐
       └─────▶ a number each, straight to the end ──────────────────────────┼──▶ value to the seat that looks
    the game's own `evaluate`, by a factor (0: it is not asked) ────────────┘

Four sums are kept in one number of 64 bits, as `a + b * 2**16 + c * 2**32 + d * 2**48`: added up, they stay apart as
long as each of them holds in 16 bits, which LARGEST sees to. So no vectors are needed, and WebAssembly counts alike.

The tables below are those of no net; a gear is given others (games/folder.py).
"""

from __future__ import annotations

from quincunx.core.contract import State, Terms, turn
from quincunx.core.engine import rule, table
from quincunx.core.hints import evaluate
from quincunx.core.structure import ints

LANE = 1 << 16
LARGEST = LANE // 2 - 1  # sum of weights of one unit: MOST inputs, and the unit's own
ONE_BITS = 7  # a hidden unit is between 0 and 1 << ONE_BITS
FINE_BITS = 5  # weights of the end are in parts of 32 of the game's unit
HAND_BITS = 8  # and the factor of its own evaluation in parts of 256
WORDS = 2  # of four units each, for each input: there are 8 hidden units

NET_ROWS = table([0] * WORDS)  # [input * WORDS + word]
NET_STRAIGHT = table([0])  # [input]
NET_FIRST = table([0] * WORDS)  # what the sums begin with
NET_LAST = table([0] * (4 * WORDS))  # [unit]
NET_SHAPE = table([1, 0, 0])  # MOST, the factor of `evaluate`, and what is added in the end
MOST_AT, HAND_AT, CONSTANT_AT = 0, 1, 2
MASK = (1 << 20) - 1  # an input is none of more: an index that need not count from the end
MOST_INPUTS = 256  # of a position
TABLES = ("NET_ROWS", "NET_STRAIGHT", "NET_FIRST", "NET_LAST", "NET_SHAPE")


@rule
def looks(terms: Terms, s: State) -> int:
    """The seat whose side the net sees: the one that is to act, or will be when the dice have fallen."""
    return turn(terms, s)


@rule
def inputs(terms: Terms, s: State, seat: int, out: list[int]) -> int:
    """Writes the inputs of a position as `seat` sees it, one perhaps several times; returns their number."""
    raise NotImplementedError


@rule
def by_hand(terms: Terms, s: State, seat: int) -> int:
    """The evaluation that a net stands beside: a gear puts the game's own here."""
    return evaluate(terms, s, seat)


@rule
def net_evaluate(terms: Terms, s: State, seat: int) -> int:
    """`evaluate` as a net has it."""
    side = looks(terms, s)
    found = ints(NET_SHAPE[MOST_AT])
    low, high, straight = NET_FIRST[0], NET_FIRST[1], NET_SHAPE[CONSTANT_AT]
    for k in range(inputs(terms, s, side, found)):
        one = found[k] & MASK
        low += NET_ROWS[one * WORDS]
        high += NET_ROWS[one * WORDS + 1]
        straight += NET_STRAIGHT[one]
    total = (straight << 2 * ONE_BITS) + weighed(low, 0) + weighed(high, 4)
    value = total >> 2 * ONE_BITS + FINE_BITS
    if NET_SHAPE[HAND_AT]:
        value += by_hand(terms, s, side) * NET_SHAPE[HAND_AT] >> HAND_BITS
    value = max(-9999, min(9999, value))
    return value if seat == side else -value


@rule
def weighed(four: int, first: int) -> int:
    """Four sums, taken apart, clipped, squared, and weighed."""
    total = 0
    for k in range(4):
        one = (four + LANE // 2 & LANE - 1) - LANE // 2
        four = four - one >> 16
        one = max(0, min(1 << ONE_BITS, one))
        total += one * one * NET_LAST[first + k]
    return total


@rule
def no_lazy_margin(terms: Terms, s: State) -> int:
    """There is no quick guess: the evaluation by hand alone, with a margin, cost more than it spared."""
    return 0


# -- for training ----------------------------------------------------------------------------------------------------


@rule
def write_inputs(
    terms: list[Terms], states: list[State], match: list[int], seats: list[int], out: list[list[int]],
    counts: list[int], hands: list[int],
) -> None:  # fmt: skip
    """Of each state: its inputs, how many they are, and what the game's own evaluation says to the seat."""
    for k in range(len(states)):
        counts[k] = inputs(terms[match[k]], states[k], seats[k], out[k])
        hands[k] = by_hand(terms[match[k]], states[k], seats[k])
