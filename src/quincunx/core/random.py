"""A small random generator (sfc32) with the same stream in both gears: 32-bit words kept in 64-bit integers."""

from __future__ import annotations

from quincunx.core.engine import rule
from quincunx.core.structure import Structure, i64

_WORD = 0xFFFFFFFF


class Random(Structure):
    a: i64
    b: i64
    c: i64
    count: i64


@rule
def seed(random: Random, value: int) -> None:
    random.a = value & _WORD
    random.b = value >> 32 & _WORD
    random.c = 0x9E3779B9
    random.count = 1
    for _ in range(12):
        word(random)


@rule
def word(random: Random) -> int:
    """0 to 2**32 - 1."""
    result = (random.a + random.b + random.count) & _WORD
    random.count = (random.count + 1) & _WORD
    random.a = random.b ^ random.b >> 9
    random.b = (random.c + (random.c << 3)) & _WORD
    random.c = ((random.c << 21 | random.c >> 11) + result) & _WORD
    return result


@rule
def below(random: Random, n: int) -> int:
    """0 to n - 1."""
    return word(random) * n >> 32


def seeded(value: int) -> Random:
    """A generator for setups and tests (plain Python)."""
    random = Random()
    seed(random, value)
    return random


def keys(value: int, n: int) -> list[int]:
    """`n` numbers of 62 bits for a Zobrist table: the same for ever, on every machine."""
    random = seeded(value)
    return [word(random) << 30 ^ word(random) for _ in range(n)]
