"""What a rule may not say, and where nothing can be compiled."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from programs import Thing, rules_of
from quincunx.core import engine
from quincunx.core.compile import selftest
from quincunx.core.engine import Gear
from quincunx.games import facade, folder, load

COMPILED, CHECKED, PLAIN = (
    Gear("t", {}, compiled=compiled, checked=checked)
    for compiled, checked in ((True, False), (True, True), (False, False))
)


# -- what a rule may not say ------------------------------------------------------------------------------------------

REFUSED = {
    "no_return": ("if a > 3:\n        return 1", "a return at the end"),
    "table_given": ("return taking(FEW)", "rows of i64"),
    "table_written": ("FEW[0] = 1\n    return 0", "rows to write to"),
    "two_types": ("x = t\n    x = a\n    return x", "one type for a name"),
    "truth_inverted": ("return ~(a > 3)", "not before a truth value"),
    "power_sign": ("return a ** 2", "+ - * / // % & | ^ << >>"),
    "half_rest": ("return int(0.5 % a)", "+ - * / of fractions"),
    "too_large": ("return a + 99999999999999999999", "a number of 64 bits"),
    "text": ('x = "no"\n    return a', "numbers, structures and rows"),
    "listing": ("x = [1, 2]\n    return a", "numbers, structures and rows"),
    "for_each": ("for x in row:\n        a += x\n    return a", "assignments, if, while, for … in range(…)"),
    "trying": ("try:\n        a += 1\n    finally:\n        a += 2\n    return a", "assignments, if, while"),
    "raising": ("raise ValueError", "assignments, if, while"),
    "loop_else": ("while a:\n        a -= 1\n    else:\n        a = 3\n    return a", "assignments, if, while"),
    "keywords": ("return taking(row=row)", "a rule called by its name, arguments in their order"),
    "other_method": ("return a.conjugate()", "a rule called by its name, arguments in their order"),
    "bits_of_half": ("return (0.5 * a).bit_count()", "arguments that fit"),
    "too_many": ("return taking(row, 1)", "1 arguments of taking"),
    "nothing_given": ("x = clear(t)\n    return a", "a value"),
    "ints_in_loop": ("for k in range(3):\n        x = ints(3)\n    return a", "ints(…) before the loop"),
    "in_row": ("return a in row", "`in` before a few values"),
    "records_equal": ("return t == t", "== != < <= > >= between numbers"),
    "no_field": ("return t.colour", "a field of a Thing"),
    "half_index": ("return row[0.5]", "a whole number"),
    "two_indices": ("return t.grid[1, 2]", "rows[a] or rows[a][b]"),
    "half_stored": ("t.byte = 0.5\n    return a", "a whole number"),
    "half_returned": ("return 0.5", "a whole number"),
    "returned_none": ("return", "a whole number to return"),
    "other_function": ("return sum(row)", "a rule, or min, max, abs"),
    "unpacking": ("x, y = a\n    return x", "2 values"),
    "slicing": ("return len(row[1:])", "rows of a 2-D list, or a loop"),
    "gathering": ("x = [k for k in range(a)]\n    return a", "no comprehension"),
    "whole_field": ("t.row = row\n    return a", "copy(…), or a loop over .row"),
    "number_as_truth": ("return hot(a & 4)", "a truth value, such as … != 0"),
    "no_value_yet": ("if a > 0:\n        x = 7\n    return x", "a value for x on every way here"),
    "perhaps_no_loop": ("for k in range(a):\n        x = k\n    return x", "a value for x on every way here"),
    "changed_first": ("while a > 3:\n        x += 1\n        a -= 1\n    return a", "a value for x"),
    "left_too_early": ("while True:\n        if a > 3:\n            break\n        x = 1\n    return x", "value for x"),
    "no_member": ("return Way.EAST", "a member of an enum"),
    "whole_record": ("t.many[0] = t.inner\n    return a", "one number to assign to"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_rule_may_not_say_is_refused_with_file_line_and_what_to_write(name: str) -> None:
    body, instead = REFUSED[name]
    taking = "@rule\ndef taking(row: list[int]) -> int:\n    return row[0]\n\n"
    taking += "@rule\ndef hot(yes: bool) -> int:\n    return 1 if yes else 0\n\n"
    f = rules_of(f"{taking}@rule\ndef f(a: int, t: Thing, row: list[int]) -> int:\n    {body}\n")["f"]
    with pytest.raises(TypeError) as refusal:
        COMPILED.bind(f)
    file, line, words = str(refusal.value).split(":", 2)
    assert file == f.__code__.co_filename and instead in words and " but got " in words
    assert f.__code__.co_firstlineno + 2 <= int(line) <= f.__code__.co_firstlineno + 2 + body.count("\n")


def test_other_logarithms_are_refused() -> None:
    with pytest.raises(TypeError, match="expected a number, an IntEnum, a table or a @rule function"):
        COMPILED.bind(rules_of("from math import log\n\n@rule\ndef f(x: float) -> float:\n    return log(x)\n")["f"])


def test_a_number_is_not_returned_as_a_truth_value() -> None:
    with pytest.raises(TypeError, match="expected a truth value, such as … != 0 in a rule but got a whole number"):
        COMPILED.bind(rules_of("@rule\ndef f(a: int) -> bool:\n    return a & 4\n")["f"])


@pytest.mark.parametrize("gear", [COMPILED, PLAIN], ids=["compiled", "interpreted"])
def test_members_of_a_plain_enum_which_no_number_equals_are_refused(gear: Gear) -> None:
    colours = "from enum import Enum\n\n\nclass Colour(Enum):\n    RED = 1\n\n\n"
    with pytest.raises(TypeError, match="uses Colour: expected a number, an IntEnum"):
        gear.bind(rules_of(f"{colours}@rule\ndef f(a: int) -> bool:\n    return a == Colour.RED\n")["f"])


VALUES = {
    "both_ways": "if a > 0:\n        x = 7\n    else:\n        x = 2\n    return x",
    "one_way_ends": "if a > 0:\n        x = 7\n    else:\n        return 1\n    return x",
    "before_the_break": "while True:\n        x = a\n        if a > -99:\n            break\n    return x",
    "never": "if 0:\n        return x\n    x = 1\n    return x",
    "in_loop": "for k in range(3):\n        x = 1\n        if a:\n            continue\n        a = x\n    return a",
    "in_parts": "x, (y, t.byte) = a, (1, 2)\n    y += x\n    return y + t.byte",
}


@pytest.mark.parametrize("name", VALUES)
def test_a_name_that_has_a_value_on_every_way_is_fine(name: str) -> None:
    f = rules_of(f"@rule\ndef f(a: int, t: Thing) -> int:\n    {VALUES[name]}\n")["f"]
    for a in (-5, 0, 3):
        assert COMPILED.bind(f)(a, COMPILED.new(Thing)) == PLAIN.bind(f)(a, Thing())


def test_a_rule_whose_source_changed_is_not_compiled(tmp_path: Any) -> None:
    """What is compiled is what was imported, or nothing."""
    path = tmp_path / "changing.py"
    path.write_text("from quincunx.core.engine import rule\n@rule\ndef f(a: int) -> int:\n    return a + 1\n")
    scope: dict[str, Any] = {"__name__": "changing"}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    path.write_text(path.read_text().replace("a + 1", "a + 2"))
    with pytest.raises(OSError, match=r"changing\.py:2: expected the source of changing\.f as it was"):
        COMPILED.bind(scope["f"])


# -- where it does not work -------------------------------------------------------------------------------------------


def test_this_machine_compiles() -> None:
    assert selftest.trouble() == ""


def _without_llvmlite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "quincunx.core.compile.native")
    monkeypatch.setitem(sys.modules, "llvmlite", None)


def _wrong_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    from quincunx.core.compile import native

    monkeypatch.setattr(native, "bind", lambda plans, checked, quick: [lambda *_: 0 for _ in plans])


def _other_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "byteorder", "big")


@pytest.mark.parametrize(
    "break_it, reason",
    [(_without_llvmlite, "llvmlite"), (_wrong_sum, "wrong results (numbers"), (_other_bytes, "64 bits")],
)
def test_where_nothing_can_be_compiled_games_are_interpreted_and_say_so_once(
    break_it: Callable[[pytest.MonkeyPatch], None], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from quincunx.games import package

    break_it(monkeypatch)
    selftest.trouble.cache_clear()
    folder._compiles.cache_clear()
    try:
        with pytest.warns(RuntimeWarning, match="Games are interpreted here") as warned:
            games = [facade.Game(package("connect_four"), "compiled") for _ in range(2)]
        assert len(warned) == 1 and reason in str(warned[0].message)
        assert not any(game.gear.compiled for game in games)
        assert games[0].legal(games[0].new()) == list(range(7))
        assert not load("connect_four", "interpreted").is_cached()
    finally:
        monkeypatch.undo()
        selftest.trouble.cache_clear()
        folder._compiles.cache_clear()


def test_the_primitives_of_rules_are_known_to_the_compiler() -> None:
    from quincunx.core.compile.inference import KIND_OF_CALL

    assert KIND_OF_CALL.keys() >= engine._PRIMITIVES
