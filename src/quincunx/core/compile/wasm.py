"""WebAssembly: the second target. The same rules in a browser, from the same text of LLVM.

A door is a plain exported function: a structure is an address (i32) in the module's memory, rows are an address and
their lengths (i32), a whole number is i64 (JavaScript's BigInt), a truth value i32. Structures lie in memory as they do
everywhere (core/layout.py), so that the bytes of a state that Python made are a state there. What a page must know to
call them is in the description. The clock, for those who search, is a function that the page lends: `env.now`.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import llvmlite.binding as llvm

from quincunx.core.compile.calls import symbol
from quincunx.core.compile.front import lower
from quincunx.core.compile.kinds import BOOL, NOTHING, Rec, Row, layout, parameters, returns
from quincunx.core.compile.kinds import llvm as llvm_kind
from quincunx.core.compile.link import MOST_PAGES, PAGE, link
from quincunx.core.compile.native import optimise
from quincunx.core.layout import size
from quincunx.core.plan import Plan
from quincunx.core.structure import Structure

TRIPLE, PROCESSOR = "wasm32-unknown-unknown", "mvp"
# Browsers of 2021 have them: Safari 15, Chrome 85, Firefox 79
FEATURES = "+bulk-memory,+bulk-memory-opt,+mutable-globals,+nontrapping-fptoint,+sign-ext"
SHARED = "+atomics"
STACK = 1 << 20  # bytes
OUTSIDE = ("now",)  # functions of whoever runs it: the clock


class Portable(NamedTuple):
    code: bytes  # of a .wasm file
    description: dict[str, Any]  # ready for JSON


def build(plans: Sequence[Plan], *, shared: bool = False) -> Portable:
    """All rules behind these doors. With a memory that threads share, a `signal` is read atomically."""
    if changing := [plan.function.__name__ for plan in plans if plan.loose]:
        raise TypeError(f"Expected tables that stay as they are but got loose ones, in {', '.join(changing)}")
    names = [plan.function.__name__ for plan in plans]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise TypeError(f"Expected doors of different names but got several called {', '.join(twice)}")
    exports = {_door_name(plan): plan.function.__name__ for plan in plans}
    linked = link(emit(assembly(plans, shared), shared), exports, STACK, shared, OUTSIDE)
    memory = {"pages": linked.pages, "mostPages": MOST_PAGES, "stack": STACK, "tables": linked.tables, "shared": shared}
    return Portable(linked.code, {**describe(plans), "memory": memory})


def assembly(plans: Sequence[Plan], shared: bool = False) -> str:
    """The text that LLVM is given."""
    module = lower(plans, checked=False)
    module.declare("i32 @llvm.wasm.memory.grow.i32(i32, i32)")
    module.declare("void @llvm.memset.p0.i32(ptr, i8, i32, i1)")
    module.declare("i64 @now() cold nounwind")
    module.add(_HEAP)
    for plan in plans:
        module.add(_door(plan))
    attributes = f'nounwind "target-cpu"="{PROCESSOR}" "target-features"="{_features(shared)}"'
    return f"{module}attributes #0 = {{ {attributes} }}\n"


def emit(text: str, shared: bool = False) -> bytes:
    """From assembly to an object file."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(cpu=PROCESSOR, features=_features(shared), opt=3)
    with llvm.create_context() as context:
        module = llvm.parse_assembly(text, context)
        module.triple, module.data_layout = TRIPLE, str(machine.target_data)
        optimise(module, machine)
        code: bytes = machine.emit_object(module)
        module.close()  # before its context
    return code


def _features(shared: bool) -> str:
    return f"{FEATURES},{SHARED}" if shared else FEATURES


def _door_name(plan: Plan) -> str:
    return f"door.{plan.name}"


def _door(plan: Plan) -> str:
    """The rule behind types that JavaScript knows."""
    heads: list[str] = []
    lines: list[str] = []
    operands: list[str] = []
    for k, (_, kind) in enumerate(parameters(plan)):
        if isinstance(kind, (Rec, Row)):
            heads.append(f"ptr %a{k}")
            operands.append(f"ptr %a{k}")
            for j in range(len(kind.lengths) if isinstance(kind, Row) else 0):
                heads.append(f"i32 %n{k}.{j}")
                lines.append(f"%l{k}.{j} = zext i32 %n{k}.{j} to i64")
                operands.append(f"i64 %l{k}.{j}")
        elif kind == BOOL:
            heads.append(f"i32 %a{k}")
            lines.append(f"%t{k} = icmp ne i32 %a{k}, 0")
            operands.append(f"i1 %t{k}")
        else:
            heads.append(f"{llvm_kind(str(kind))} %a{k}")
            operands.append(f"{llvm_kind(str(kind))} %a{k}")
    result = llvm_kind(returns(plan))
    call = f"call {result} {symbol(plan)}({', '.join(operands)})"
    lines += {
        NOTHING: [call, "ret void"],
        BOOL: [f"%r = {call}", "%w = zext i1 %r to i32", "ret i32 %w"],
    }.get(result, [f"%r = {call}", f"ret {result} %r"])
    outer = "i32" if result == BOOL else result
    return "\n".join([f'define {outer} @"{_door_name(plan)}"({", ".join(heads)}) #0 {{', *lines, "}"])


# -- what whoever calls must know ------------------------------------------------------------------------------------


def describe(plans: Sequence[Plan]) -> dict[str, Any]:
    """Layouts of structures, signatures of functions, and a digest of all that the rules depend on."""
    structures: dict[str, type[Structure]] = {}
    functions = {}
    for plan in plans:
        takes = []
        for name, kind in parameters(plan):
            element = kind.element if isinstance(kind, Row) else kind
            if isinstance(element, Rec):
                _gather(element.structure, structures)
            dimensions = len(kind.lengths) if isinstance(kind, Row) else 0
            takes.append({"name": name, "kind": _kind_name(element), "dimensions": dimensions})
        functions[plan.function.__name__] = {"takes": takes, "gives": returns(plan)}
    return {
        "digest": sha256(" ".join(sorted(plan.name for plan in plans)).encode()).hexdigest()[:16],
        "structures": {name: _laid_out(found) for name, found in sorted(structures.items())},
        "functions": functions,
    }


def _gather(structure: type[Structure], found: dict[str, type[Structure]]) -> None:
    if found.setdefault(structure.__name__, structure) is not structure:
        raise TypeError(f"Expected one structure called {structure.__name__} but got two")
    for field in layout(structure).values():
        if isinstance(field.element, Rec):
            _gather(field.element.structure, found)


def _laid_out(structure: type[Structure]) -> dict[str, Any]:
    fields = layout(structure).items()
    return {
        "size": size(structure),
        "fields": {name: {"at": f.offset, "kind": _kind_name(f.element), "shape": f.shape} for name, f in fields},
    }


def _kind_name(element: Any) -> str:
    return element.structure.__name__ if isinstance(element, Rec) else str(element)


# What `ints` takes, and gives back when its rule ends: rules end in the reverse order of their beginning, so this is a
# stack of its own. Where it is too short, a longer one takes its place, and what is taken already stays where it is:
# `give` knows the blocks of the one in use. Its three numbers are globals of an instance, so that threads do not share
# them. They are used as i32 only: LLVM 22 would take a widened one for a number in memory.
_HEAP = f"""@heap.begin = hidden addrspace(1) global i32 0
@heap.top = hidden addrspace(1) global i32 0
@heap.end = hidden addrspace(1) global i32 0
define internal ptr @take(i64 %n) noinline #0 {{
start:
  %sane = icmp ult i64 %n, {1 << 27}
  br i1 %sane, label %look, label %never
look:
  %short = trunc i64 %n to i32
  %raw = shl i32 %short, 3
  %up = add i32 %raw, 15
  %bytes = and i32 %up, -16
  %top = load i32, ptr addrspace(1) @heap.top
  %end = load i32, ptr addrspace(1) @heap.end
  %left = sub i32 %end, %top
  %fits = icmp ule i32 %bytes, %left
  br i1 %fits, label %have, label %grow
grow:
  %begin = load i32, ptr addrspace(1) @heap.begin
  %size = sub i32 %end, %begin
  %twice = shl i32 %size, 1
  %wanted = add i32 %bytes, %twice
  %pages.up = add i32 %wanted, {16 * PAGE - 1}
  %pages = lshr i32 %pages.up, 16
  %was = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %pages)
  %none = icmp eq i32 %was, -1
  br i1 %none, label %never, label %fresh
fresh:
  %from = shl i32 %was, 16
  %room = shl i32 %pages, 16
  %to = add i32 %from, %room
  store i32 %from, ptr addrspace(1) @heap.begin
  store i32 %to, ptr addrspace(1) @heap.end
  br label %have
have:
  %at = phi i32 [ %top, %look ], [ %from, %fresh ]
  %next = add i32 %at, %bytes
  store i32 %next, ptr addrspace(1) @heap.top
  %result = inttoptr i32 %at to ptr
  call void @llvm.memset.p0.i32(ptr align 16 %result, i8 0, i32 %bytes, i1 false)
  ret ptr %result
never:
  call void @llvm.trap()
  unreachable
}}
define internal void @give(ptr %given) noinline #0 {{
  %p = ptrtoint ptr %given to i32
  %begin = load i32, ptr addrspace(1) @heap.begin
  %top = load i32, ptr addrspace(1) @heap.top
  %above = icmp uge i32 %p, %begin
  %below = icmp ult i32 %p, %top
  %inside = and i1 %above, %below
  br i1 %inside, label %back, label %done
back:
  store i32 %p, ptr addrspace(1) @heap.top
  br label %done
done:
  ret void
}}
define internal void @overflow() #0 {{
  ret void
}}
declare void @llvm.trap()"""
