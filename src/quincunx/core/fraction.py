"""The two parts of a fraction, x = mantissa · 2^exponent: primitives of rules, for numbers of 2⁻¹⁰²² and more."""

from __future__ import annotations

from math import frexp


def mantissa(x: float) -> float:
    """From 0.5 to less than 1."""
    return frexp(x)[0]


def exponent(x: float) -> int:
    return frexp(x)[1]
