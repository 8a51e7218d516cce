"""The engine: what it promises about names, caches and signatures, and the traps that it makes impossible or loud."""

from __future__ import annotations

import dis
import os
import subprocess
import sys
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from types import FunctionType
from typing import Annotated, Any

import numpy as np
import pytest

from quincunx.core import cache, grammar
from quincunx.core.arrays import dtype, pack, unpack
from quincunx.core.engine import Gear, rule, table
from quincunx.core.layout import fingerprint, from_bytes, to_bytes
from quincunx.core.structure import Structure, copy, i8, i16, ints

WEIGHT = table([1, 2, 3])


class Kind(IntEnum):
    SMALL = 1
    LARGE = 2


class Inner(Structure):
    hp: i8
    path: Annotated[list[i16], 3]


class Thing(Structure):
    row: Annotated[list[i8], 5]
    grid: Annotated[list[list[i16]], 2, 3]
    parts: Annotated[list[Inner], 2]
    one: Inner
    x: i8


@rule
def total(row: list[i8]) -> int:
    t = 0
    for k in range(len(row)):
        t += row[k]
    return t


@rule
def work(a: Thing, b: Thing) -> int:
    a.row[2] = 4
    a.grid[1][2] = 7
    a.parts[1].hp = 3
    a.parts[1].path[0] = 9
    copy(a.parts[0], a.parts[1])
    a.parts[1].hp = 5
    copy(a.one, a.parts[1])
    copy(b, a)
    a.x = 1
    room = ints(4)
    room[3] = total(a.row)
    return room[3] * WEIGHT[2]


@rule
def member(x: int) -> int:
    return x + Kind.LARGE


@rule
def mark(thing: Thing) -> int:
    return fingerprint(thing)


@rule
def fall(n: int, depth: int) -> int:
    return depth if n <= 0 else fall(n - 1, depth + 1)


@rule
def jump(n: int) -> int:
    return fall(n, 0) + fall(2, 0)  # literals: the second signature that used to crash the next process


@rule
def beyond(thing: Thing, k: int) -> int:
    return thing.row[k]


@rule
def divide(a: int, b: int) -> int:
    return a // b


# -- what is refused ------------------------------------------------------------------------------------------------


def unmarked(x: int) -> int:
    return x


@rule
def careless(x: int) -> int:
    return unmarked(x)


@rule
def curt(x: int) -> int:
    return sum([k * x for k in range(3)])


@rule
def hasty(x: int) -> bool:
    return any(k == x for k in range(3))


@rule
def ping(x: int) -> int:
    return pong(x - 1) if x else 0


@rule
def pong(x: int) -> int:
    return ping(x)


@rule
def slicing(row: list[int]) -> int:
    return len(row[1:])


@rule
def slice_store(row: list[int], other: list[int]) -> None:
    row[:] = other


@rule
def calling_enum(x: int) -> int:
    return Kind(x)


@rule
def aliasing_field(a: Thing, b: Thing) -> None:
    a.row = b.row


@rule
def aliasing_record(a: Thing) -> None:
    a.one = a.parts[0]


@rule
def aliasing_rows(a: Thing) -> None:
    a.grid[0] = a.grid[1]


@rule
def giving_away(a: Thing) -> list[int]:
    return a.row


def closed_over() -> Callable[[int], int]:
    secret = 3

    @rule
    def inner(x: int) -> int:
        return x + secret

    return inner


@pytest.mark.parametrize(
    "function, reason",
    [
        (careless, "careless uses unmarked: expected a number, an IntEnum, a table or a @rule function"),
        (unmarked, "Expected a @rule function"),
        (curt, "no comprehension"),
        (hasty, "no comprehension, lambda, generator"),
        (ping, "calls itself through another rule"),
        (slicing, "a slice: a view compiled, a copy interpreted"),
        (slice_store, "a slice"),
        (calling_enum, "expected a member such as Kind.NAME"),
        (aliasing_field, r"expected copy\(…\), or a loop over .row"),
        (aliasing_record, r"a loop over .one"),
        (giving_away, "expected a rule to return a number or nothing"),
        (closed_over(), "a closure, whose values no digest knows"),
    ],
)
@pytest.mark.parametrize("compiled", [False, True])
def test_what_would_differ_between_the_gears_is_refused_with_the_reason(
    function: Callable[..., Any], reason: str, compiled: bool
) -> None:
    with pytest.raises(TypeError, match=reason):
        Gear("test", {}, compiled=compiled).bind(function)


def test_rows_cannot_be_made_to_alias() -> None:
    """Compiled, `grid[0] = grid[1]` copies; interpreted it would share the row. It says so instead."""
    with pytest.raises(TypeError, match="would alias"):
        Gear("test", {}, compiled=False).bind(aliasing_rows)(Thing())


# -- what holds -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("compiled", [False, True])
def test_records_are_copied_not_shared(compiled: bool) -> None:
    gear = Gear("test", {}, compiled=compiled)
    a, b = gear.new(Thing), gear.new(Thing)
    assert gear.bind(work)(a, b) == 12
    plain = unpack(Thing, b) if compiled else b  # type: ignore[arg-type]
    assert (plain.parts[0].hp, plain.parts[1].hp, plain.one.hp, plain.x, plain.grid[1][2]) == (3, 5, 5, 0, 7)
    assert unpack(Thing, pack(plain)) == plain


def test_members_of_enums_are_constants_of_both_gears() -> None:
    assert [Gear("test", {}, compiled=c).bind(member)(1) for c in (False, True)] == [3, 3]


def test_the_fingerprint_is_the_same_in_both_gears_and_sees_every_byte() -> None:
    slow, fast = (Gear("test", {}, compiled=c).bind(mark) for c in (False, True))
    seen = set()
    for name, where, index in [("x", None, 0), ("row", "row", 0), ("row", "row", 4), ("grid", "grid", 1)]:
        thing = Thing()
        if where is None:
            setattr(thing, name, 1)
        elif where == "grid":
            thing.grid[index][2] = 1
        else:
            getattr(thing, name)[index] = 1
        assert slow(thing) == fast(pack(thing)) >= 0  # type: ignore[arg-type]
        seen.add(slow(thing))
    assert len(seen) == 4


def test_an_index_out_of_bounds_is_loud_in_the_checked_gear() -> None:
    """Compiled without checks it reads whatever stands there: that is why there is a third gear."""
    checked = Gear("test", {}, compiled=True, checked=True)
    with pytest.raises(IndexError):
        checked.bind(beyond)(checked.new(Thing), 9)
    with pytest.raises(IndexError):
        Gear("test", {}, compiled=False).bind(beyond)(Thing(), 9)


def test_division_by_zero_is_loud_in_all_gears_but_the_fast_one() -> None:
    assert Gear("test", {}, compiled=True).bind(divide)(1, 0) == 0  # the difference that laws must look for
    for gear in (Gear("test", {}, compiled=False), Gear("test", {}, compiled=True, checked=True)):
        with pytest.raises(ZeroDivisionError):
            gear.bind(divide)(1, 0)


def test_a_misspelt_field_and_a_value_too_large_are_errors() -> None:
    thing = Thing()
    with pytest.raises(AttributeError):
        thing.y = 1  # type: ignore[attr-defined]
    thing.row[0] = 300
    with pytest.raises(OverflowError, match=r"8 bits in Thing\.row but got 300"):
        pack(thing)
    thing.row[0] = 0
    thing.row.append(1)
    with pytest.raises(ValueError, match=r"5 values in Thing\.row"):
        pack(thing)
    thing.row.pop()
    thing.parts[1].path[2] = 1 << 15
    with pytest.raises(OverflowError, match=r"16 bits in Inner\.path but got 32768"):
        pack(thing)


def test_annotations_are_found_however_python_keeps_them() -> None:
    """As texts, as values, and from Python 3.14 on as a function that is called when somebody asks."""
    text = "class Late(Structure):\n    x: i8\n    row: Annotated[list[i16], 3]\n"
    for head in ("", "from __future__ import annotations\n"):
        scope: dict[str, Any] = {"Structure": Structure, "i8": i8, "i16": i16, "Annotated": Annotated}
        scope["__name__"] = __name__
        exec(compile(head + text, "late", "exec", dont_inherit=True), scope)
        late = scope["Late"]()
        assert (late.x, late.row) == (0, [0, 0, 0]) and scope["Late"].__slots__ == ("x", "row")
        with pytest.raises(AttributeError):
            late.y = 1


def test_structures_lie_in_memory_as_numpy_has_them() -> None:
    columns = [("hp", "i1"), ("path", "i2", 3)]
    inner = np.dtype(columns, align=True)
    whole = [("row", "i1", 5), ("grid", "i2", (2, 3)), ("parts", inner, 2), ("one", inner), ("x", "i1")]
    assert dtype(Thing) == np.dtype(whole, align=True) and dtype(Thing).isalignedstruct
    thing = Thing()
    thing.row[:], thing.grid[1][:], thing.parts[1].path[:], thing.x = range(5), [-1, 300, 7], [1, 2, 3], -3
    array = np.zeros(1, dtype(Thing))
    array[0] = (range(5), [[0] * 3, [-1, 300, 7]], [(0, [0] * 3), (0, [1, 2, 3])], (0, [0] * 3), -3)
    assert to_bytes(thing) == array.tobytes() and from_bytes(Thing, array.tobytes()) == thing


def test_a_table_is_whole_numbers_in_rows_of_one_length() -> None:
    wrongs = [([[1], [2, 3]], "one length"), ([[1], 2], "one length"), ([0.5], "0.5")]
    for wrong, reason in [*wrongs, ([1 << 64], "64 bits"), ([-1, 1 << 63], "64 bits"), ([-(1 << 63) - 1], "64 bits")]:
        with pytest.raises(TypeError, match=reason):
            table(wrong)  # type: ignore[call-overload]


# -- names and the cache --------------------------------------------------------------------------------------------


def name_of(function: Callable[..., Any], game: str = "test", checked: bool = False) -> str:
    return Gear(game, {}, compiled=False, checked=checked).plan(function).name


def test_the_name_of_a_twin_changes_with_what_it_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    before = name_of(work), name_of(jump)
    assert before == (name_of(work), name_of(jump))
    monkeypatch.setitem(globals(), "WEIGHT", table([1, 2, 4]))
    assert name_of(work) != before[0]
    assert name_of(jump) == before[1]


def test_the_name_of_a_twin_changes_with_game_and_options() -> None:
    """Two games with equal layouts, or a checked and an unchecked gear, never share machine code."""
    names = {name_of(jump), name_of(jump, game="other"), name_of(jump, checked=True)}
    assert len(names) == 3


def run(script: str, folder: Path, *more: Path) -> str:
    path = os.pathsep.join(["src", "tests", *map(str, more)])
    env = {**os.environ, "QUINCUNX_CACHE": str(folder), "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


def cache_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_recursion_survives_the_cache(tmp_path: Path) -> None:
    """And a second process finds all of it there: nothing is written again."""
    script = "from test_engine import *; print(Gear('t', {}, compiled=True).bind(jump)(5))"
    answers, files = [], []
    for _ in range(3):
        answers.append(run(script, tmp_path))
        files.append({path.name: path.stat().st_ino for path in cache_files(tmp_path)})
    assert answers == ["7", "7", "7"]
    assert len(files[0]) == 2 and files[0] == files[1] == files[2]


def test_an_edited_rule_is_played_at_once(tmp_path: Path) -> None:
    """Also if only a constant in another file than the cached function's changed, within the same second."""
    constants, rules = tmp_path / "constants_of_test.py", tmp_path / "rules_of_test.py"
    rules.write_text(
        "from quincunx.core.engine import rule\nfrom constants_of_test import N\n"
        "@rule\ndef answer() -> int:\n    return N\n"
    )
    script = "import sys; sys.dont_write_bytecode = True; from quincunx.core.engine import Gear; import rules_of_test\n"
    script += "print(Gear('t', {}, compiled=True).bind(rules_of_test.answer)())"
    answers = []
    for n in (41, 42):
        constants.write_text(f"N = {n}\n")
        answers.append(run(script, tmp_path / "cache", tmp_path))
    assert answers == ["41", "42"]


def test_the_cache_does_not_forget_that_bounds_are_checked(tmp_path: Path) -> None:
    fast = "from test_engine import *; g = Gear('t', {}, compiled=True); g.bind(beyond); print('compiled')"
    checked = (
        "from test_engine import *; g = Gear('t', {}, compiled=True, checked=True)\n"
        "try:\n    g.bind(beyond)(g.new(Thing), 9)\nexcept IndexError:\n    print('loud')"
    )
    assert [run(fast, tmp_path), run(checked, tmp_path), run(checked, tmp_path)] == ["compiled", "loud", "loud"]


def test_a_damaged_cache_file_is_compiled_again(tmp_path: Path) -> None:
    script = "from test_engine import *; print(Gear('t', {}, compiled=True).bind(jump)(5))"
    assert run(script, tmp_path) == "7"
    for damage in (lambda data: data[:100], lambda data: data[:-1] + bytes([data[-1] ^ 1]), lambda data: b""):
        for path in cache_files(tmp_path):
            path.write_bytes(damage(path.read_bytes()))
        assert run(script, tmp_path) == "7"


def test_a_cache_that_cannot_be_written_only_costs_speed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    script = "from test_engine import *; print(Gear('t', {}, compiled=True).bind(jump)(5))"
    assert run(script, tmp_path / "file") == "7"


def test_old_code_is_swept_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINCUNX_CACHE", str(tmp_path))
    for n in range(5):
        cache.write(f"game.rule{n}.0.cpu", bytes(1000))
        os.utime(cache.folder() / f"game.rule{n}.0.cpu", (1e9 + n, 1e9 + n))
    left = tmp_path / "compiled" / "py30-old"
    left.mkdir()
    (left / "game.old.0.cpu").write_bytes(bytes(1000))
    os.utime(left / "game.old.0.cpu", (1, 1))
    assert cache.sweep(largest=2500, oldest=1e12) == 4  # the two used last fit
    assert sorted(p.name for p in cache.folder().iterdir()) == ["game.rule3.0.cpu", "game.rule4.0.cpu"]
    assert not left.exists()
    assert cache.sweep(oldest=3600) == 2
    assert not cache.exists("game.rule4.0.cpu")


def test_compiled_numbers_do_not_leak_numpy_types() -> None:
    gear = Gear("test", {}, compiled=True)
    assert type(gear.bind(divide)(7, 2)) is int
    assert isinstance(gear.rows(Thing, 3), np.ndarray)


def test_the_names_that_a_rule_loads_are_those_that_python_sees() -> None:
    """Also those beyond the 128th, whose number does not fit into one byte; attributes of the same name are none."""
    names = [f"name{k}" for k in range(300)]
    scope: dict[str, Any] = dict.fromkeys([*names, "beside"], 1)
    exec(f"def many(s):\n    s.beside = s.name7\n    return {' + '.join(names[::-1])}", scope)
    functions = [scope["many"], *(value for value in vars(grammar).values() if isinstance(value, FunctionType))]
    assert [name for name, _ in grammar.used_globals(scope["many"])] == names[::-1]
    for f in functions:
        seen = [i.argval for i in dis.get_instructions(f) if i.opname == "LOAD_GLOBAL" and i.argval in f.__globals__]
        assert [name for name, _ in grammar.used_globals(f)] == list(dict.fromkeys(seen))
