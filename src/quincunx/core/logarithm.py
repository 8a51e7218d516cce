"""The natural logarithm in plain arithmetic, so that every gear and every machine agrees to the last bit: C libraries
do not. It is a rule like others.

    x = m · 2ᵉ, with m between √½ and √2: ln x = ln m + e · ln 2
    ln m = 2 artanh s = 2s · (1 + s²/3 + s⁴/5 + …), with s = (m - 1) / (m + 1), which is less than 0.172

Ten terms of the series leave out less than a tenth of the last bit. ln 2 comes in two parts, the first so short that e
times it is exact.
"""

from __future__ import annotations

from quincunx.core.engine import rule
from quincunx.core.fraction import exponent, mantissa

SMALLEST, LARGEST = 2.0**-1022, 1.7976931348623157e308
ROOT_OF_HALF = 0.7071067811865476
LN2_FIRST, LN2_REST = 0.6931471805592082, 7.371002565167799e-13  # 40 bits, and what they leave
C1, C2, C3, C4, C5 = 1 / 3, 1 / 5, 1 / 7, 1 / 9, 1 / 11
C6, C7, C8, C9, C10 = 1 / 13, 1 / 15, 1 / 17, 1 / 19, 1 / 21


@rule
def ln(x: float) -> float:
    """0.0 for what has no logarithm, or is too small for a mantissa of 53 bits."""
    if not SMALLEST <= x <= LARGEST:
        return 0.0
    m, e = mantissa(x), exponent(x)
    if m < ROOT_OF_HALF:
        m, e = m * 2.0, e - 1
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    z2 = z * z
    z4 = z2 * z2
    low = (C1 + C2 * z) + (C3 + C4 * z) * z2  # in pairs: a processor computes them side by side
    high = (C5 + C6 * z) + (C7 + C8 * z) * z2
    series = low + (high + (C9 + C10 * z) * z4) * z4
    return e * LN2_FIRST + (2.0 * s + (2.0 * s * (z * series) + e * LN2_REST))
