"""Random rules in all three gears: the same numbers, the same bytes of every record: two hundred, always the same ones;
`make fuzz` tries two thousand others.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import LONG
from programs import Thing, Writer, rules_of
from quincunx.core.arrays import pack
from quincunx.core.engine import Gear
from quincunx.core.layout import from_bytes, to_bytes

PROGRAMS = 4  # compiled together
EXAMPLES = settings().max_examples if LONG else 4 * settings().max_examples
EDGES = (0, 1, -1, 7, -100, 127, -129, 1 << 31, -(1 << 40), (1 << 63) - 1, -(1 << 63))


def arguments(dice: Random) -> tuple[Any, ...]:
    numbers = [dice.choice([dice.choice(EDGES), dice.randint(-1000, 1000), dice.randrange(1 << 63)]) for _ in range(2)]
    thing = Thing()
    thing.byte, thing.word, thing.long = dice.randint(-100, 100), dice.randint(-5000, 5000), dice.randrange(1 << 63)
    thing.row[:] = [dice.randint(-128, 127) for _ in range(5)]
    return *numbers, dice.choice([0.0, -0.5, 3.75, 1000.0]), dice.random() < 0.5, thing, [1, -2, 300, 4]


def outcome(door: Any, gear: Gear, given: tuple[Any, ...]) -> tuple[int, bytes, list[int]]:
    a, b, x, yes, thing, row = given
    own: Any = from_bytes(Thing, to_bytes(thing))
    if not gear.compiled:
        row = list(row)
        result = door(a, b, x, yes, own, row)
        return result, to_bytes(own), row
    packed, numbers = pack(own), np.array(row)
    return door(a, b, x, yes, packed, numbers), to_bytes(packed), numbers.tolist()


@pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")  # of a name that holds a truth value
@settings(max_examples=EXAMPLES)
@given(dice=st.randoms(use_true_random=False))
def test_random_rules_mean_the_same_in_every_gear(dice: Random) -> None:
    texts = [Writer(dice, f"r{k}", f"r{k - 1}" if k % 2 else None).text() for k in range(PROGRAMS)]
    scope = rules_of("\n\n".join(texts))
    rules = [scope[f"r{k}"] for k in range(PROGRAMS)]
    gears = [Gear("t", {}, compiled=c, checked=k) for c, k in ((False, False), (True, False), (True, True))]
    gears.append(Gear("quick", {}, compiled=True))  # a name of its own, or it would find the code in the cache
    doors = [gear.bind_all(rules, quick=gear.game == "quick") for gear in gears]
    for k in range(PROGRAMS):
        for _ in range(3):
            given = arguments(dice)
            slow, *others = (outcome(door[k], gear, given) for door, gear in zip(doors, gears, strict=True))
            for other in others:
                assert other == slow, f"{texts[k - k % 2]}\n{texts[k]}\n{given}"
