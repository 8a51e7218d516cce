"""One action ahead: the one after which the seat stands best."""

from __future__ import annotations

from quincunx.core.contract import NOBODY, Log, State, Terms, apply
from quincunx.core.engine import rule
from quincunx.core.hints import rank
from quincunx.core.listing import listed
from quincunx.core.random import Random, below
from quincunx.core.structure import copy
from quincunx.search.minimax import throw_dice
from quincunx.search.value import final_value, static_value


@rule
def think_greedy(
    terms: list[Terms], s: list[State], seat: int, random: list[Random], out: list[int], log: list[Log], seen: int
) -> int:
    """The action of `seat` in s[0] with the best value after it; what looks promising, then random[0], breaks ties.

    Of its actions it sees `seen` in a hundred, one at least. s[1] is room to work in, random[1] throws the dice.
    """
    best, chosen, equals = 0, -1, 0
    n = listed(terms[0], s[0], seat, out)
    certain = below(random[0], n)
    for k in range(n):
        if k != certain and below(random[0], 100) >= seen:
            continue
        copy(s[1], s[0])
        apply(terms[0], s[1], seat, out[k], log[0])
        who = throw_dice(terms[0], s[1], random[1], log[0])
        value = final_value(terms[0], s[1], seat, 0) if who == NOBODY else static_value(terms[0], s[1], seat)
        value = value * 2000 + rank(terms[0], s[0], seat, out[k])
        if chosen < 0 or value > best:
            best, chosen, equals = value, out[k], 1
        elif value == best:
            equals += 1
            if below(random[0], equals) == 0:
                chosen = out[k]
    return chosen
