"""Doors: builtin functions of Python around compiled rules, written in LLVM as well.

A door takes NumPy rows apart by looking at them (METH_FASTCALL: no tuple, no buffer), lets other threads run, calls the
rule and hands back its number: about a tenth of a microsecond for all of it. What belongs to this process, classes and
dtypes, is put into `@known` and `@kinds.…` when the code is loaded; the rest of Python is called by its C interface.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from quincunx.core.arrays import NUMBERS, dtype
from quincunx.core.compile.calls import symbol
from quincunx.core.compile.kinds import BOOL, FLOAT, INT, NOTHING, UINT, Kind, Rec, Row, llvm, parameters, returns
from quincunx.core.compile.memory import FAULT_KIND
from quincunx.core.compile.module import Module
from quincunx.core.compile.numbers import FAULTS, INDEX
from quincunx.core.plan import Plan

KNOWN = [np.ndarray, np.void, TypeError, None, *(error for error, _ in FAULTS)]
NDARRAY, VOID, TYPE_ERROR, NONE, FIRST_FAULT = range(5)  # places in it
HEAD = object.__basicsize__  # bytes of an object's head; its class is the last word of it
FASTCALL = 0x80  # METH_FASTCALL: arguments as a C array
API = {
    "PyLong_AsLongLong": "i64 @PyLong_AsLongLong(ptr)",
    "PyLong_FromLongLong": "ptr @PyLong_FromLongLong(i64)",
    "PyLong_AsUnsignedLongLong": "i64 @PyLong_AsUnsignedLongLong(ptr)",
    "PyLong_FromUnsignedLongLong": "ptr @PyLong_FromUnsignedLongLong(i64)",
    "PyBool_FromLong": "ptr @PyBool_FromLong(i64)",
    "PyFloat_AsDouble": "double @PyFloat_AsDouble(ptr)",
    "PyFloat_FromDouble": "ptr @PyFloat_FromDouble(double)",
    "PyObject_IsTrue": "i32 @PyObject_IsTrue(ptr)",
    "PyObject_RichCompareBool": "i32 @PyObject_RichCompareBool(ptr, ptr, i32)",
    "PyErr_Occurred": "ptr @PyErr_Occurred()",
    "PyErr_SetString": "void @PyErr_SetString(ptr, ptr)",
    "PyErr_Format": "ptr @PyErr_Format(ptr, ptr, ...)",
    "PyEval_SaveThread": "ptr @PyEval_SaveThread()",
    "PyEval_RestoreThread": "void @PyEval_RestoreThread(ptr)",
    "Py_IncRef": "void @Py_IncRef(ptr)",
    "PyMem_RawCalloc": "noalias ptr @PyMem_RawCalloc(i64, i64)",
    "PyMem_RawFree": "void @PyMem_RawFree(ptr)",
    "PyThread_tss_get": "ptr @PyThread_tss_get(ptr)",
    "PyThread_tss_set": "i32 @PyThread_tss_set(ptr, ptr)",
}
# The clock of time.perf_counter_ns: Python knows the best one of every system, and asks for no lock here
if sys.version_info >= (3, 13):
    API["PyTime_PerfCounterRaw"] = "i32 @PyTime_PerfCounterRaw(ptr)"
    _NOW = "%at = alloca i64\n  call i32 @PyTime_PerfCounterRaw(ptr %at)\n  %time = load i64, ptr %at"
else:
    API["_PyTime_GetPerfCounter"] = "i64 @_PyTime_GetPerfCounter()"
    _NOW = "%time = call i64 @_PyTime_GetPerfCounter()"


def dtypes(plan: Plan) -> list[np.dtype[Any]]:
    """Of the rows and structures that come through a door, in the order of its arguments."""
    return [_dtype(kind) for _, kind in parameters(plan) if isinstance(kind, (Rec, Row))]


def _dtype(kind: Rec | Row) -> np.dtype[Any]:
    element = kind.element if isinstance(kind, Row) else kind
    if isinstance(element, Rec):
        return dtype(element.structure)
    return np.dtype(NUMBERS[element])


def door_name(plan: Plan) -> str:
    return f"door.{plan.name}"


def kinds_name(plan: Plan) -> str:
    return f"kinds.{plan.name}"


def text(module: Module, plans: list[Plan]) -> str:
    """The module, with a door for each of these plans."""
    for declaration in API.values():
        module.declare(declaration)
    module.add(f"@known = global [{len(KNOWN)} x ptr] zeroinitializer")
    module.add(_HELPERS)
    if module.checked:
        module.add(_report(module))
    for plan in plans:
        module.add(_door(module, plan))
    return str(module)


def _door(module: Module, plan: Plan) -> str:
    """ptr door(self, args, count): each argument checked and taken apart, then the rule called without the lock."""
    wanted, kind = parameters(plan), returns(plan)
    operands: list[str] = []
    lines = [f"%enough = icmp eq i64 %count, {len(wanted)}", "br i1 %enough, label %a0, label %few"]
    place = 0
    for k, (_, argument) in enumerate(wanted):
        taken, given = _take(k, argument, f'getelementptr (ptr, ptr @"{kinds_name(plan)}", i64 {place})')
        lines += [f"a{k}:", f"%at{k} = getelementptr ptr, ptr %args, i64 {k}", f"%o{k} = load ptr, ptr %at{k}", *taken]
        operands += given
        place += isinstance(argument, (Rec, Row))
    lines += [f"a{len(wanted)}:", *_call(module.checked, plan, operands)]
    lines += {
        NOTHING: [f"%o = load ptr, ptr {_known(NONE)}", "call void @Py_IncRef(ptr %o)"],
        BOOL: ["%long = zext i1 %r to i64", "%o = call ptr @PyBool_FromLong(i64 %long)"],
        INT: ["%o = call ptr @PyLong_FromLongLong(i64 %r)"],
        UINT: ["%o = call ptr @PyLong_FromUnsignedLongLong(i64 %r)"],
        FLOAT: ["%o = call ptr @PyFloat_FromDouble(double %r)"],
    }[kind]
    words = module.words(f"{plan.function.__name__}: expected {len(wanted)} arguments but got %lld")
    lines += ["ret ptr %o", "few:", f"%class = load ptr, ptr {_known(TYPE_ERROR)}"]
    lines += [f"call ptr (ptr, ptr, ...) @PyErr_Format(ptr %class, ptr {words}, i64 %count)", "br label %fail"]
    lines += ["fail:", "ret ptr null"]
    head = f'define ptr @"{door_name(plan)}"(ptr %self, ptr %args, i64 %count) #0 {{'
    kinds = f'@"{kinds_name(plan)}" = global [{max(1, place)} x ptr] zeroinitializer'
    return "\n".join([kinds, head, *lines, "}"])


def _call(checked: bool, plan: Plan, operands: list[str]) -> list[str]:
    """Other threads run meanwhile. A checked rule notes its fault on the stack of this very call."""
    result = "" if returns(plan) == NOTHING else "%r = "
    given = ["ptr %fault", *operands] if checked else operands
    lines = ["%lock = call ptr @PyEval_SaveThread()"]
    lines.append(f"{result}call {llvm(returns(plan))} {symbol(plan)}({', '.join(given)})")
    lines.append("call void @PyEval_RestoreThread(ptr %lock)")
    if not checked:
        return [*lines, *_ROOM_ENOUGH]
    before = [f"%fault = alloca {FAULT_KIND}", "store ptr null, ptr %fault"]
    after = [
        "%file = load ptr, ptr %fault",
        "%well = icmp eq ptr %file, null",
        "br i1 %well, label %done, label %wrong",
    ]
    return [*before, *lines, *after, "wrong:", "call void @report(ptr %fault)", "br label %fail", "done:"]


_ROOM_ENOUGH = [
    "%beyond = load atomic i64, ptr @beyond monotonic, align 8",
    "%nobody = icmp eq i64 %beyond, 0",
    "br i1 %nobody, label %done, label %somebody",
    "somebody:",
    "%me = call i1 @overflowed()",
    "br i1 %me, label %outside, label %done",
    "outside:",
    "call void @too_much()",
    "br label %fail",
    "done:",
]


def _take(k: int, kind: Kind, slot: str) -> tuple[list[str], list[str]]:
    """The lines that make of object %o<k> what the rule wants, or fail; and the operands for the rule."""
    good, bad = f"label %a{k + 1}", "label %fail"
    if isinstance(kind, Rec):
        lines = [f"%x{k} = call ptr @one(ptr %o{k}, ptr {slot})", f"%bad{k} = icmp eq ptr %x{k}, null"]
        return [*lines, f"br i1 %bad{k}, {bad}, {good}"], [f"ptr %x{k}"]
    if isinstance(kind, Row):
        n = len(kind.lengths)
        lines = [f"%x{k} = call ptr @rows(ptr %o{k}, i32 {n}, ptr {slot})", f"%bad{k} = icmp eq ptr %x{k}, null"]
        lines += [f"br i1 %bad{k}, {bad}, label %good{k}", f"good{k}:"]
        lines += [f"%s{k} = getelementptr i8, ptr %o{k}, i64 {HEAD + 16}", f"%d{k} = load ptr, ptr %s{k}"]
        for j in range(n):
            lines += [f"%d{k}.{j} = getelementptr i64, ptr %d{k}, i64 {j}", f"%n{k}.{j} = load i64, ptr %d{k}.{j}"]
        return [*lines, f"br {good}"], [f"ptr %x{k}", *(f"i64 %n{k}.{j}" for j in range(n))]
    if kind == BOOL:
        lines = [f"%t{k} = call i32 @PyObject_IsTrue(ptr %o{k})", f"%x{k} = icmp ne i32 %t{k}, 0"]
        return [*lines, f"%bad{k} = icmp slt i32 %t{k}, 0", f"br i1 %bad{k}, {bad}, {good}"], [f"i1 %x{k}"]
    number = llvm(str(kind))
    function = {INT: "PyLong_AsLongLong", UINT: "PyLong_AsUnsignedLongLong", FLOAT: "PyFloat_AsDouble"}[str(kind)]
    odd = f"fcmp oeq double %x{k}, -1.0" if kind == FLOAT else f"icmp eq i64 %x{k}, -1"  # it may mean an error
    lines = [f"%x{k} = call {number} @{function}(ptr %o{k})", f"%odd{k} = {odd}"]
    lines += [f"br i1 %odd{k}, label %look{k}, {good}", f"look{k}:", f"%e{k} = call ptr @PyErr_Occurred()"]
    return [*lines, f"%bad{k} = icmp ne ptr %e{k}, null", f"br i1 %bad{k}, {bad}, {good}"], [f"{number} %x{k}"]


def _known(place: int) -> str:
    return f"getelementptr (ptr, ptr @known, i64 {place})"


def _report(module: Module) -> str:
    """Turns a fault into an exception of Python."""
    texts = ", ".join(f"ptr {module.words('%s:%lld: ' + words)}" for _, words in FAULTS)
    return f"""@faults = internal constant [{len(FAULTS)} x ptr] [{texts}]
define internal void @report(ptr %fault) noinline cold #0 {{
  %line.at = getelementptr {FAULT_KIND}, ptr %fault, i64 0, i32 1
  %which.at = getelementptr {FAULT_KIND}, ptr %fault, i64 0, i32 2
  %value.at = getelementptr {FAULT_KIND}, ptr %fault, i64 0, i32 3
  %file = load ptr, ptr %fault
  %line = load i64, ptr %line.at
  %which = load i64, ptr %which.at
  %value = load i64, ptr %value.at
  %text.at = getelementptr ptr, ptr @faults, i64 %which
  %text = load ptr, ptr %text.at
  %first = getelementptr ptr, ptr @known, i64 {FIRST_FAULT}
  %kind.at = getelementptr ptr, ptr %first, i64 %which
  %kind = load ptr, ptr %kind.at
  call ptr (ptr, ptr, ...) @PyErr_Format(ptr %kind, ptr %text, ptr %file, i64 %line, i64 %value)
  ret void
}}"""


# How NumPy keeps an array, after its head: data, dimensions (an int), lengths, strides, base, dtype, flags.
# Of flags, 1 is contiguous, 0x100 aligned, 0x400 writeable. A single structure has its size, then data and dtype.
_FLAGS = 0x501
# Rules of several threads run at once: each notes for itself that there was too little room, and `@beyond` counts them
MARK = "mark"
_OVERFLOW = f"""@{MARK} = global [1 x ptr] zeroinitializer
@beyond = internal global i64 0
define internal void @overflow() noinline cold #0 {{
  %key = load ptr, ptr @{MARK}
  %noted = call ptr @PyThread_tss_get(ptr %key)
  %first = icmp eq ptr %noted, null
  br i1 %first, label %note, label %done
note:
  %failed = call i32 @PyThread_tss_set(ptr %key, ptr %key)
  %well = icmp eq i32 %failed, 0
  br i1 %well, label %count, label %done
count:
  %before = atomicrmw add ptr @beyond, i64 1 monotonic
  br label %done
done:
  ret void
}}
define internal i1 @overflowed() noinline cold #0 {{
  %key = load ptr, ptr @{MARK}
  %noted = call ptr @PyThread_tss_get(ptr %key)
  %well = icmp eq ptr %noted, null
  br i1 %well, label %no, label %yes
yes:
  %forgotten = call i32 @PyThread_tss_set(ptr %key, ptr null)
  %before = atomicrmw sub ptr @beyond, i64 1 monotonic
  ret i1 true
no:
  ret i1 false
}}"""
_TOO_MUCH = b"Expected room for all that a rule writes but got less: is MAX_LEGAL large enough?\0"
_HELPERS = f"""@much = private constant [{len(_TOO_MUCH)} x i8] c"{_TOO_MUCH.decode().replace(chr(0), chr(92) + "00")}"
define internal void @too_much() noinline cold #0 {{
  %kind = load ptr, ptr {_known(FIRST_FAULT + INDEX)}
  call void @PyErr_SetString(ptr %kind, ptr @much)
  ret void
}}
@odd = private constant [41 x i8] c"Expected contiguous rows of another type\\00"
{_OVERFLOW}
define internal ptr @take(i64 %n) #0 {{
  %some = or i64 %n, 1
  %room = call ptr @PyMem_RawCalloc(i64 %some, i64 8)
  ret ptr %room
}}
define internal void @give(ptr %room) #0 {{
  call void @PyMem_RawFree(ptr %room)
  ret void
}}
define internal i64 @now() noinline cold #0 {{
  {_NOW}
  ret i64 %time
}}
define internal i1 @fits(ptr %have, ptr %slot) #0 {{
  %want = load ptr, ptr %slot
  %same = icmp eq ptr %have, %want
  br i1 %same, label %yes, label %compare
compare:
  %equal = call i32 @PyObject_RichCompareBool(ptr %have, ptr %want, i32 2)
  %is = icmp eq i32 %equal, 1
  ret i1 %is
yes:
  ret i1 true
}}
define internal ptr @refuse() cold #0 {{
  %kind = load ptr, ptr {_known(TYPE_ERROR)}
  call void @PyErr_SetString(ptr %kind, ptr @odd)
  ret ptr null
}}
define internal ptr @rows(ptr %o, i32 %dimensions, ptr %slot) noinline #0 {{
  %class.at = getelementptr i8, ptr %o, i64 {HEAD - 8}
  %class = load ptr, ptr %class.at
  %array = load ptr, ptr {_known(NDARRAY)}
  %is = icmp eq ptr %class, %array
  br i1 %is, label %shape, label %no
shape:
  %nd.at = getelementptr i8, ptr %o, i64 {HEAD + 8}
  %nd = load i32, ptr %nd.at
  %flat = icmp eq i32 %nd, %dimensions
  %flags.at = getelementptr i8, ptr %o, i64 {HEAD + 48}
  %flags = load i32, ptr %flags.at
  %wanted = and i32 %flags, {_FLAGS}
  %good = icmp eq i32 %wanted, {_FLAGS}
  %both = and i1 %flat, %good
  br i1 %both, label %type, label %no
type:
  %have.at = getelementptr i8, ptr %o, i64 {HEAD + 40}
  %have = load ptr, ptr %have.at
  %fits = call i1 @fits(ptr %have, ptr %slot)
  br i1 %fits, label %yes, label %no
yes:
  %data.at = getelementptr i8, ptr %o, i64 {HEAD}
  %data = load ptr, ptr %data.at
  ret ptr %data
no:
  %nothing = call ptr @refuse()
  ret ptr %nothing
}}
define internal ptr @one(ptr %o, ptr %slot) noinline #0 {{
  %class.at = getelementptr i8, ptr %o, i64 {HEAD - 8}
  %class = load ptr, ptr %class.at
  %void = load ptr, ptr {_known(VOID)}
  %is = icmp eq ptr %class, %void
  br i1 %is, label %type, label %no
type:
  %have.at = getelementptr i8, ptr %o, i64 {HEAD + 16}
  %have = load ptr, ptr %have.at
  %fits = call i1 @fits(ptr %have, ptr %slot)
  br i1 %fits, label %yes, label %no
yes:
  %data.at = getelementptr i8, ptr %o, i64 {HEAD + 8}
  %data = load ptr, ptr %data.at
  ret ptr %data
no:
  %nothing = call ptr @refuse()
  ret ptr %nothing
}}"""
