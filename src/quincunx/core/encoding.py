"""What environments for learning ask of a game: an observation as planes and scalars, and actions as small numbers.

A game's encoding.py defines these rules, and in plain Python what their numbers mean (folder.py checks all of it):

    VERSION                  of the encoding; a new one whenever a number comes to mean something else
    PLANES, SCALARS          a name for each
    size(terms)              (height, width) of a plane
    actions(terms)           how many numbers there are: 0..actions-1, whatever the position
    name(terms, number)      what a number means

Planes lie one behind the other: planes[(plane * height + y) * width + x], whole numbers of 8 bits; scalars have 32. The
seat that looks is "mine": it sees its own side as every seat sees its own, and counts actions accordingly.

An observation is made of a view and nothing else, so it tells what the seat may know. Numbers are translated in a
state, but must not depend on more of it than the view of the seat that acts, just as `legal` does not.
"""

from __future__ import annotations

from quincunx.core.contract import State, Terms, View
from quincunx.core.engine import rule
from quincunx.core.listing import listed
from quincunx.core.structure import i8, i32

NO_ACTION = -1  # instead of an action: the number means nothing here
LARGEST = 127  # that a plane can hold; counts that may be larger are cut off there


@rule
def encode(terms: Terms, view: View, seat: int, planes: list[i8], scalars: list[i32]) -> None:
    """Writes what a seat knows into planes and scalars that are empty."""
    raise NotImplementedError


@rule
def number_of(terms: Terms, s: State, seat: int, action: int) -> int:
    """The number of an action that `legal` lists; no other has the same."""
    raise NotImplementedError


@rule
def action_of(terms: Terms, s: State, seat: int, number: int) -> int:
    """The action that a number, 0..actions-1, means for this seat, legal or not; or NO_ACTION."""
    raise NotImplementedError


@rule
def write_mask(terms: Terms, s: State, seat: int, out: list[int], mask: list[i8]) -> None:
    """Writes 1 into an empty mask for the number of each legal action. `out` is room for MAX_LEGAL actions."""
    for k in range(listed(terms, s, seat, out)):
        mask[number_of(terms, s, seat, out[k])] = 1
