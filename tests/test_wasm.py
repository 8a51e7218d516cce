"""The second target, in Node, against the same rules as machine code and in the interpreter: equal to the bit."""

from __future__ import annotations

import math
from array import array
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import llvmlite.binding as llvm
import pytest

from programs import Thing, Writer, rules_of
from quincunx.core.compile import link, wasm
from quincunx.core.engine import Gear, rule, table
from quincunx.core.layout import from_bytes, layout, to_bytes
from quincunx.core.logarithm import ln
from quincunx.core.structure import Structure, i8, ints, signal
from quincunx.games import Game, package
from quincunx.players.warming import parts
from wasm_node import ask, packed, write

PLAIN, COMPILED = Gear("t", {}, compiled=False), Gear("t", {}, compiled=True)
FACTOR = table([3, 5, 8])
EDGES = (0, 1, -1, 7, -100, 127, -129, 1 << 31, -(1 << 40), (1 << 63) - 1, -(1 << 63))


def built(rules: list[Any], folder: Path, *, shared: bool = False) -> str:
    write(wasm.build([COMPILED.plan(rule) for rule in rules], shared=shared), folder, "rules")
    return "rules"


def calls(folder: Path, name: str, asked: list[tuple[Any, ...]]) -> list[Any]:
    came: list[Any] = ask(folder, name, {"calls": [[packed(value) for value in call] for call in asked]})["came"]
    return came


# -- numbers ---------------------------------------------------------------------------------------------------------


def test_the_logarithm_is_the_same_everywhere(tmp_path: Path) -> None:
    dice = Random(1)
    numbers = [float(n) for n in range(1, 6000)]
    numbers += [dice.random() * 10.0 ** dice.randint(-307, 300) for _ in range(6000)]
    numbers += [0.0, -0.0, -1.0, 5e-324, 2.0**-1022, math.inf, -math.inf, math.nan, 0.5, math.sqrt(0.5)]
    slow, fast = PLAIN.bind(ln), COMPILED.bind(ln)
    right = [packed(slow(x)) for x in numbers]
    assert [packed(fast(x)) for x in numbers] == right
    came = calls(tmp_path, built([ln], tmp_path), [("ln", x) for x in numbers])
    assert [each for (each,) in came] == right


NUMBERS = """
@rule
def divided(a: int, b: int) -> int:
    return a // b + a % b if b else a // 7 ^ a % -3


@rule
def moved(a: int, b: int) -> int:
    return (a << (b & 127)) ^ (a >> (b & 127))


@rule
def multiplied(a: int, b: int) -> int:
    return a * b ^ abs(a) - min(a, -b) + max(a, b, 5)


@rule
def cut(x: float) -> int:
    return int(x)


@rule
def share(x: float, y: float) -> float:
    return x / y + sqrt(abs(x)) if y else -x


@rule
def between(a: int, b: int, yes: bool) -> bool:
    return a < b < 100 if yes else a == b or not a


@rule
def around(u: u64, a: int) -> u64:
    return u * 3 ^ u >> 1 | 1 << (a & 63)
"""


def test_numbers_at_their_edges(tmp_path: Path) -> None:
    scope = rules_of(NUMBERS)
    names = ["divided", "moved", "multiplied", "cut", "share", "between", "around"]
    fractions = [0.0, -0.0, 1.5, -1e18, 1e300, -1e300, math.inf, -math.inf, math.nan, 3e-320, 0.1]
    asked: list[tuple[Any, ...]] = [(name, a, b) for name in names[:3] for a, b in product(EDGES, EDGES)]
    asked += [("cut", x) for x in fractions]
    asked += [("share", x, y) for x, y in product(fractions, fractions) if math.isfinite(x) and math.isfinite(y)]
    asked += [("between", a, b, yes) for a, b in product(EDGES, EDGES) for yes in (True, False)]
    asked += [("around", u % (1 << 64), a) for u, a in product(EDGES, EDGES)]
    native = dict(zip(names, COMPILED.bind_all([scope[name] for name in names]), strict=True))
    came = calls(tmp_path, built([scope[name] for name in names], tmp_path), asked)
    for call, (result,) in zip(asked, came, strict=True):
        assert result == packed(native[call[0]](*call[1:])), call


def test_random_rules(tmp_path: Path) -> None:
    """As in test_compiler_random.py, with structures and rows."""
    dice, n = Random(5), 24
    texts = [Writer(dice, f"r{k}", f"r{k - 1}" if k % 2 else None).text() for k in range(n)]
    scope = rules_of("\n\n".join(texts))
    rules = [scope[f"r{k}"] for k in range(n)]
    asked, right = [], []
    for k, door in enumerate(PLAIN.bind_all(rules)):
        for _ in range(5):
            a, b, x = dice.choice(EDGES), dice.randrange(1 << 63), dice.choice([0.0, -0.5, 3.75])
            yes = dice.random() < 0.5
            thing, row = Thing(), [1, -2, 300, 4]
            thing.byte, thing.word, thing.row[2] = dice.randint(-100, 100), dice.randint(-5000, 5000), 7
            own: Any = from_bytes(Thing, to_bytes(thing))
            asked.append((f"r{k}", a, b, x, yes, to_bytes(thing), array("q", row).tobytes()))
            result = door(a, b, x, yes, own, row)
            right.append([packed(each) for each in (result, to_bytes(own), array("q", row).tobytes())])
    came = calls(tmp_path, built(rules, tmp_path), asked)
    for call, there, here in zip(asked, came, right, strict=True):
        assert there == here, f"{texts[int(call[0][1:])]}\n{call}"


# -- memory ----------------------------------------------------------------------------------------------------------


@rule
def pile(n: int, depth: int) -> int:
    """Rows that are too large for the stack, and others in them, which must not touch them."""
    few, more = ints(n), ints(2 * n)
    few[n - 1], more[0], more[2 * n - 1] = depth, depth * 7, 1
    total = pile(n + 13, depth - 1) if depth else 0
    again = ints(n)
    for k in range(n):
        total += few[k] + more[k] + again[k]
        again[k] = -1
    return total * 3 & 0xFFFFFFFF


def test_rows_from_the_heap_are_given_back(tmp_path: Path) -> None:
    name = built([pile], tmp_path)
    sizes = [(10, 5), (3000, 6), (20_000, 9), (5, 40)] * 3
    right = [packed(PLAIN.bind(pile)(*size)) for size in sizes]
    once = ask(tmp_path, name, {"calls": [["pile", *map(str, size)] for size in sizes]})
    assert [each for (each,) in once["came"]] == right
    often = ask(tmp_path, name, {"calls": [["pile", *map(str, size)] for size in sizes * 20]})
    assert often["bytes"] == once["bytes"] < 100 << 20


def test_more_than_there_is_ends_in_a_trap(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="unreachable"):
        ask(tmp_path, built([pile], tmp_path), {"calls": [["pile", str(1 << 40), "0"]]})


class Flag(Structure):
    small: i8
    up: signal


@rule
def wait(flags: list[Flag]) -> int:
    n = 0
    while not flags[0].up:
        n += 1
    return n


def test_a_signal_is_read_each_time_and_atomically_where_memory_is_shared() -> None:
    """Neither is hoisted out of the loop; only with threads is there an atomic instruction."""
    atomic_load = bytes([0xFE, 0x14])  # i32.atomic.load8_u, or i64's 0xFE 0x14
    for shared in (False, True):
        made = wasm.build([COMPILED.plan(wait)], shared=shared)
        assert (atomic_load in made.code or bytes([0xFE, 0x12]) in made.code) == shared
        assert made.description["memory"]["shared"] == shared


@rule
def sorted_place(row: list[int]) -> int:
    """Rows on the stack."""
    few = ints(100)
    for k in range(len(row)):
        few[row[k] % 100] += 1
    return few[row[0] % 100]


def test_engines_that_share_a_memory_have_a_stack_each(tmp_path: Path) -> None:
    name = built([sorted_place], tmp_path, shared=True)
    first, second, third = sorted(ask(tmp_path, name, {"engines": 3}))
    assert first >= 2 * wasm.STACK  # above that of the module, and its tables
    assert second - first >= wasm.STACK and third - second >= wasm.STACK


# -- descriptions ----------------------------------------------------------------------------------------------------


@rule
def weigh(things: list[Thing], k: int, way: bool) -> float:
    return things[k].fraction * FACTOR[k] if way else 0.0


def test_a_description_says_layouts_and_signatures() -> None:
    made = wasm.build([COMPILED.plan(weigh)]).description
    assert made["functions"]["weigh"] == {
        "takes": [
            {"name": "things", "kind": "Thing", "dimensions": 1},
            {"name": "k", "kind": "i64", "dimensions": 0},
            {"name": "way", "kind": "i1", "dimensions": 0},
        ],
        "gives": "double",
    }
    thing = made["structures"]["Thing"]
    assert thing["size"] == layout(Thing).size
    assert {name: field["at"] for name, field in thing["fields"].items()} == layout(Thing).offsets
    assert thing["fields"]["grid"]["kind"] == "i32" and thing["fields"]["grid"]["shape"] == (2, 3)
    assert thing["fields"]["many"]["kind"] == "Inner" and "Inner" in made["structures"]
    assert made["memory"]["pages"] * link.PAGE >= made["memory"]["stack"] + made["memory"]["tables"]


def test_the_digest_is_that_of_the_rules() -> None:
    first, again = (wasm.describe([Gear("t", {}, compiled=True).plan(weigh)])["digest"] for _ in range(2))
    other = wasm.describe([Gear("t", {ln: weigh}, compiled=True).plan(weigh), COMPILED.plan(ln)])["digest"]
    assert first == again != other


# -- refusals --------------------------------------------------------------------------------------------------------


def test_tables_that_change_are_refused() -> None:
    gear = Gear("t", {}, compiled=True, tables={"FACTOR": [1, 2, 3]})
    with pytest.raises(TypeError, match="Expected tables that stay as they are but got loose ones, in weigh"):
        wasm.build([gear.plan(weigh)])


def test_a_game_that_is_being_tuned_is_refused() -> None:
    weights = [value for _, value, _, _ in Game(package("khet"), "interpreted").weights]
    gear = Game(package("khet"), "compiled", weights).gear
    with pytest.raises(TypeError, match="aspiration_search"):
        wasm.build([gear.plan(part) for part in parts("khet")])


class Elsewhere:
    class Flag(Structure):
        up: i8


@rule
def look(flag: Elsewhere.Flag) -> int:
    return flag.up


def test_two_doors_or_structures_of_one_name_are_refused() -> None:
    twin = rules_of("@rule\ndef weigh(a: int) -> int:\n    return a\n")["weigh"]
    with pytest.raises(TypeError, match="several called weigh"):
        wasm.build([COMPILED.plan(weigh), COMPILED.plan(twin)])
    with pytest.raises(TypeError, match="Expected one structure called Flag but got two"):
        wasm.build([COMPILED.plan(wait), COMPILED.plan(look)])


def linked(text: str, exports: dict[str, str]) -> link.Linked:
    attributes = f'attributes #0 = {{ nounwind "target-features"="{wasm.FEATURES}" }}\n'
    return link.link(wasm.emit(f"{text}\n{attributes}"), exports, wasm.STACK, shared=False)


def test_what_only_a_real_linker_could_do_is_refused() -> None:
    calling = "declare i64 @outside(i64)\ndefine i64 @f(i64 %n) #0 {\n%r = call i64 @outside(i64 %n)\nret i64 %r\n}"
    with pytest.raises(ValueError, match="Expected rules that need nothing from outside but got outside"):
        linked(calling, {"f": "f"})
    plain = "define i64 @f(i64 %n) #0 {\nret i64 %n\n}"
    with pytest.raises(ValueError, match="Expected the functions g in the object file"):
        linked(plain, {"g": "g"})
    with pytest.raises(ValueError, match="Expected an object file of WebAssembly"):
        link.link(b"\x7fELF", {}, wasm.STACK, shared=False)
    by_address = f"{plain}\ndefine i64 @g(ptr %p) #0 {{\n%r = call i64 %p(i64 1)\nret i64 %r\n}}"
    with pytest.raises(ValueError, match="Expected"):
        linked(by_address, {"f": "f", "g": "g"})


def test_addresses_inside_of_tables_are_filled_in(tmp_path: Path) -> None:
    """LLVM may make a table of tables of a chain of choices."""
    text = """@few = internal constant [3 x i64] [i64 10, i64 11, i64 12], align 64
@more = internal constant [2 x i64] [i64 20, i64 21], align 64
@both = internal global [2 x ptr] [ptr @few, ptr getelementptr (i8, ptr @more, i32 8)]
define i64 @f(i64 %k) #0 {
  %at = getelementptr ptr, ptr @both, i64 %k
  %row = load volatile ptr, ptr %at
  %r = load i64, ptr %row
  ret i64 %r
}"""
    made = linked(text, {"f": "f"})
    takes = [{"name": "k", "kind": "i64", "dimensions": 0}]
    memory = {"shared": False, "pages": made.pages}
    description = {"functions": {"f": {"takes": takes, "gives": "i64"}}, "structures": {}, "memory": memory}
    write(wasm.Portable(made.code, description), tmp_path, "tables")
    assert calls(tmp_path, "tables", [("f", 0), ("f", 1)]) == [["10"], ["21"]]


def test_numbers_are_written_as_webassembly_reads_them() -> None:
    for number in (0, 1, 63, 64, 127, 128, 300, 1 << 20, (1 << 32) - 1):
        assert link.Reader(link.unsigned(number)).unsigned() == number
        for signed in (number, -number):
            assert link.Reader(link.signed(signed)).signed() == signed


def test_globals_of_an_instance_are_not_read_from_memory() -> None:
    """LLVM 22 reads a widened one from memory: what `take` and `give` keep is used as it is."""
    machine = llvm.Target.from_triple(wasm.TRIPLE).create_target_machine(cpu=wasm.PROCESSOR, features=wasm.FEATURES)
    module = llvm.parse_assembly(wasm.assembly([COMPILED.plan(pile)]))
    lines = [line.split() for line in machine.emit_assembly(module).splitlines() if "heap." in line]
    assert {words[0] for words in lines if words[0].partition(".")[0] in ("global", "i32", "i64")} == {
        "global.get",
        "global.set",
    }
