"""Numbers without a sign: bitboards of 64 squares, at their edges, against the interpreter."""

from __future__ import annotations

from itertools import product
from typing import Annotated, Any

import numpy as np
import pytest

from programs import rules_of
from quincunx.core.arrays import dtype, pack
from quincunx.core.engine import Gear, rule, table
from quincunx.core.layout import from_bytes, to_bytes
from quincunx.core.structure import Structure, from_builtins, i8, to_builtins, u64

WHOLE = (1 << 64) - 1
EDGES = [0, 1, 2, 63, 1 << 31, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, WHOLE - 1, WHOLE, 0x8100000000000081]
SIGNED = [0, 1, -1, 7, 63, 64, (1 << 63) - 1, -(1 << 63)]
GEARS = [Gear("t", {}, compiled=c, checked=k) for c, k in ((False, False), (True, False), (True, True))]
LINES = table([0xFF << 56, 0x0101010101010101, 1 << 63])
MIXED = table([0xFF << 56 if k else WHOLE for k in range(2)])
NEGATIVE = table([-1, -(1 << 56)])  # the same bits in other words
LAST = 1 << 63


class Board(Structure):
    small: i8
    mine: u64
    both: Annotated[list[u64], 2]


def doors(texts: dict[str, str], head: str) -> list[list[Any]]:
    """For each expression, with the type of its value, its rule in every gear."""
    lines = [f"@rule\ndef r{k}({head}) -> {kind}:\n    return {text}\n" for k, (text, kind) in enumerate(texts.items())]
    scope = rules_of("\n\n".join(lines))
    bound = [gear.bind_all([scope[f"r{k}"] for k in range(len(texts))]) for gear in GEARS]
    return [list(each) for each in zip(*bound, strict=True)]


def test_operators_mean_what_they_mean_in_python() -> None:
    """Modulo 2⁶⁴ where Python's numbers grow or become negative; exactly, everywhere else."""
    bits = dict.fromkeys(("u & v", "u | v", "u ^ v", "u + v", "u - v", "u * v", "~u", "-u", "+u", "u & ~v"), "u64")
    bits |= dict.fromkeys(("u & -u", "u & u - 1", "u << 7 & 0xFFFF_FFFF_FFFF_FFFF", "u | 1 << 63", "abs(u)"), "u64")
    bits |= dict.fromkeys(("u // (v | 1)", "u % (v | 1)", "min(u, v)", "max(u, v, 5)", "int(u)", "u or v"), "u64")
    bits |= dict.fromkeys(("u if u > v else v", "u and v", "max(u, 0x8000_0000_0000_0000)"), "u64")
    same = {"u >> 1": "int", "u >> 63": "int", "u & 255": "int", "15 & u": "int", "u % 64": "int", "u // 3": "int"}
    same |= {"(u >> 5 & 1) - 2": "int", "u % 10 - 20": "int", "(u & 7) - (v & 7)": "int", "float(u)": "float"}
    same |= dict.fromkeys(("u < v", "u <= v", "u > v", "u >= v", "u == v", "u != v", "not u", "bool(u)"), "bool")
    same |= {"u in (1, 0xFFFF_FFFF_FFFF_FFFF)": "bool", "u < 5": "bool", "5 < u": "bool", "0 <= u < 64": "bool"}
    for texts, exact in ((bits, False), (same, True)):
        for text, (slow, *others) in zip(texts, doors(texts, "u: u64, v: u64"), strict=True):
            for u, v in product(EDGES, EDGES):
                wanted = slow(u, v) if exact else slow(u, v) % (1 << 64)
                for other in others:
                    assert other(u, v) == wanted, (text, u, v)


def test_with_signed_numbers() -> None:
    exact = {f"u {op} a": "bool" for op in ("<", "<=", ">", ">=", "==", "!=")} | {
        f"a {op} u": "bool" for op in ("<", "==")
    }
    shifts = {"u >> (a & 127)": "u64", "a >> (u & 63)": "int", "u & a": "u64", "a & u": "u64"}
    for text, (slow, *others) in zip(exact | shifts, doors(exact | shifts, "u: u64, a: int"), strict=True):
        for u, a in product(EDGES, SIGNED):
            for other in others:
                assert other(u, a) == slow(u, a), (text, u, a)


@rule
def march(board: Board, square: int) -> u64:
    """Fields, rows and tables are read and written as they are; a name may begin as a plain 0."""
    board.mine |= 1 << square
    board.both[1] = board.mine
    board.both[0] ^= LINES[0]
    board.small = board.mine >> 63
    count = 0
    seen = 0
    left = board.both[1]
    while left:
        seen |= left & -left
        left &= left - 1
        count += 1
    left = seen
    left >>= 1
    if LINES[2] == LAST and LINES[2] > 5 and NEGATIVE[0] < 0 < MIXED[0]:
        board.small += count
    return seen | left & LINES[1]


@pytest.mark.parametrize("square", [0, 5, 62, 63])
def test_fields_rows_tables_and_names(square: int) -> None:
    results = set()
    for gear in GEARS:
        board = Board()
        board.mine = 1 << 63 | 1 << 8
        given: Any = pack(board) if gear.compiled else board
        result = gear.bind(march)(given, square)
        results.add((result, to_bytes(given)))
        assert from_bytes(Board, to_bytes(given)).small == 1 + (3 if square < 63 else 2)
    assert len(results) == 1


def test_a_board_of_64_squares_is_bytes_and_json_and_an_array() -> None:
    board = Board()
    board.mine, board.both[:] = WHOLE, [1 << 63, 7]
    assert from_bytes(Board, to_bytes(board)) == from_builtins(Board, to_builtins(board)) == board
    assert dtype(Board)["mine"] == np.uint64
    for wrong in (-1, 1 << 64):
        board.mine = wrong
        with pytest.raises(OverflowError, match=rf"64 bits without a sign in Board\.mine but got {wrong}"):
            to_bytes(board)


def test_what_has_no_sign_is_given_as_such() -> None:
    ((_, fast, checked),) = doors({"u": "u64"}, "u: u64")
    for door in (fast, checked):
        assert door(WHOLE) == WHOLE
        for wrong in (-1, 1 << 64):
            with pytest.raises(OverflowError):
                door(wrong)


@pytest.mark.parametrize("text", ["a", "u // a", "max(u, a)", "u if u else a", "a % u"])
def test_where_a_sign_could_be_lost_it_is_refused(text: str) -> None:
    with pytest.raises(TypeError, match="expected a number without a sign, such as … & 0xFFFF_FFFF_FFFF_FFFF"):
        doors({text: "u64"}, "u: u64, a: int")


@pytest.mark.parametrize("text", ["u == 1 << a", "1 << a > u", "u in (0, 1 << a)", "u != (1 << a) | 2", "u < a << 1"])
def test_a_shift_that_python_would_not_take_for_a_negative_number_is_not_compared(text: str) -> None:
    with pytest.raises(TypeError, match="such as … & 0xFFFF_FFFF_FFFF_FFFF, beside one in a rule but got what <<"):
        doors({text: "bool"}, "u: u64, a: int")


def test_a_shift_without_a_sign_is_compared() -> None:
    texts = dict.fromkeys(("u == 1 << a & 0xFFFF_FFFF_FFFF_FFFF", "u < 1 << 62", "u > (1 << a & 255)"), "bool")
    for text, (slow, *others) in zip(texts, doors(texts, "u: u64, a: int"), strict=True):
        for u, a in product(EDGES, range(64)):
            for other in others:
                assert other(u, a) == slow(u, a), (text, u, a)


def test_division_by_zero() -> None:
    ((slow, fast, checked),) = doors({"u // v": "u64"}, "u: u64, v: u64")
    assert fast(WHOLE, 0) == 0
    for door in (slow, checked):
        with pytest.raises(ZeroDivisionError):
            door(WHOLE, 0)
