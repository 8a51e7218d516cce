"""Machine code for this computer: optimised once, kept in the cache, loaded, and wrapped into functions of Python.

    khet.turn_at.<digest>.<maker>    a door: names the file of the code that holds it
    khet.<digest>.<maker>.o          a checksum and machine code: the rules behind doors that were asked for together

A digest says everything that the rules depend on, `maker` this compiler, LLVM and the processor: there is nothing to
compare. Doors that were compiled together, or one by one, are found in the same way.
"""

from __future__ import annotations

import ctypes
import linecache
import sys
from collections.abc import Iterable, Sequence
from functools import cache as once
from hashlib import sha256
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from quincunx.core import cache, layout
from quincunx.core.compile import doors
from quincunx.core.compile.front import lower
from quincunx.core.plan import Plan

CHECKSUM = 32  # bytes of it
OTHERS = {f"{__package__}.{part}" for part in ("selftest", "wasm", "link")}  # they make no machine code


def bind(plans: Sequence[Plan], checked: bool, quick: bool = False) -> list[Any]:
    """The doors of these plans: from the cache, or compiled now, all together; `quick` as `optimise` has it."""
    kept = not any(plan.loose for plan in plans)
    found = [_find(plan) if kept else None for plan in plans]
    if None in found:
        code = emit(assembly(plans, checked), quick)
        found = [_Code(code)] * len(plans)
        if kept:
            _keep(plans, code)
    return [code.door(plan) for code, plan in zip(found, plans, strict=True) if code is not None]


def holds(plan: Plan) -> bool:
    """Is there machine code behind this door, in the cache?"""
    name = cache.read(_door_file(plan))
    return name is not None and cache.exists(name.decode())


def assembly(plans: Sequence[Plan], checked: bool) -> str:
    """The text that LLVM is given."""
    cpu, features = _processor()
    attributes = f'attributes #0 = {{ nounwind "target-cpu"="{cpu}" "target-features"="{features}" }}'
    return f"{doors.text(lower(plans, checked), list(plans))}{attributes}\n"


# -- the cache -------------------------------------------------------------------------------------------------------


def _door_file(plan: Plan) -> str:
    return f"{plan.name}.{_maker()}"


def _keep(plans: Sequence[Plan], code: bytes) -> None:
    game = plans[0].name.partition(".")[0]
    name = f"{game}.{sha256(' '.join(plan.name for plan in plans).encode()).hexdigest()[:16]}.{_maker()}.o"
    cache.write(name, sha256(code).digest() + code)
    for plan in plans:
        cache.write(_door_file(plan), name.encode())


_loaded: dict[str, _Code] = {}  # by the names of their files


def _find(plan: Plan) -> _Code | None:
    name = (cache.read(_door_file(plan)) or b"").decode(errors="replace")
    if not name.isprintable() or not name.endswith(".o"):
        return None
    if name not in _loaded:
        data = cache.read(name) or b""
        if sha256(data[CHECKSUM:]).digest() != data[:CHECKSUM]:  # LLVM does not survive a damaged file
            return None
        _loaded[name] = _Code(data[CHECKSUM:])
    return _loaded[name] if _loaded[name].holds(plan) else None


@once
def _maker() -> str:
    """The compiler as far as it makes machine code, and what that is made for."""
    package = [name for name in sys.modules.copy() if name.startswith(f"{__package__}.") and name not in OTHERS]
    names = sorted([*package, layout.__name__])
    sources = [(name, linecache.getlines(str(sys.modules[name].__file__))) for name in names]
    made_by = [sources, llvmlite.__version__, llvm.llvm_version_info, _triple(), _processor()]
    made_for = [sys.version_info[:2], doors.HEAD, np.__version__.partition(".")[0]]
    return sha256(repr(made_by + made_for).encode()).hexdigest()[:8]


# -- LLVM ------------------------------------------------------------------------------------------------------------


@once
def _processor() -> tuple[str, str]:
    try:
        return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    except RuntimeError:  # LLVM does not know this one
        return "", ""


@once
def _triple() -> str:
    """On Windows as ELF, which LLVM's loader handles better than COFF; the calling convention stays that of Windows."""
    triple: str = llvm.get_process_triple()
    return f"{triple}-elf" if sys.platform == "win32" else triple


def _target(quick: bool = False) -> llvm.TargetMachine:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cpu, features = _processor()
    target = llvm.Target.from_triple(_triple())
    level = 1 if quick else 3
    return target.create_target_machine(
        cpu=cpu, features=features, opt=level, reloc="pic", codemodel="default", jit=True
    )


def optimise(module: llvm.ModuleRef, machine: llvm.TargetMachine, quick: bool = False) -> None:
    """At the highest level, without vectors: rows of games are short, and vectors made a tree search slower.

    Quick is a tenth of the work, for rules that Python calls one by one: there the call costs more than the rule.
    """
    tuning = llvm.create_pipeline_tuning_options(speed_level=1 if quick else 3)
    tuning.loop_unrolling, tuning.loop_vectorization, tuning.slp_vectorization = not quick, False, False
    builder = llvm.create_pass_builder(machine, tuning)
    passes = llvm.create_new_module_pass_manager() if quick else builder.getModulePassManager()
    if quick:
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
    passes.run(module, builder)


def emit(text: str, quick: bool = False) -> bytes:
    """From assembly to an object file."""
    machine = _target(quick)
    with llvm.create_context() as context:
        module = llvm.parse_assembly(text, context)
        module.triple, module.data_layout = _triple(), str(machine.target_data)
        optimise(module, machine, quick)
        code: bytes = machine.emit_object(module)
        module.close()  # before its context
    return code


# -- loading ---------------------------------------------------------------------------------------------------------


class _Code:
    """Machine code in memory: its doors keep it there."""

    def __init__(self, code: bytes) -> None:
        _lend()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self._fill("known", map(id, doors.KNOWN))
        self._fill(doors.MARK, [_mark()])

    def holds(self, plan: Plan) -> bool:
        return bool(self._engine.get_function_address(doors.door_name(plan)))

    def door(self, plan: Plan) -> Any:
        """A function of Python around machine code. Its `self` is what must live as long as it does."""
        kinds = doors.dtypes(plan)
        self._fill(doors.kinds_name(plan), map(id, kinds))
        address = self._engine.get_function_address(doors.door_name(plan))
        method = _Method(plan.function.__name__.encode(), address, doors.FASTCALL, None)
        make = ctypes.pythonapi.PyCFunction_NewEx
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
        return make(ctypes.addressof(method), (self, method, kinds, plan), None)

    def _fill(self, name: str, addresses: Iterable[int]) -> None:
        place = self._engine.get_global_value_address(name)
        for k, address in enumerate(addresses):
            ctypes.c_void_p.from_address(place + k * ctypes.sizeof(ctypes.c_void_p)).value = address


class _Method(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = (("name", ctypes.c_char_p), ("code", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


@once
def _mark() -> int:
    """Where each thread has a place of its own for what `@overflow` notes: one for all code of this process."""
    python = ctypes.pythonapi
    python.PyThread_tss_alloc.restype, python.PyThread_tss_create.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    key: int | None = python.PyThread_tss_alloc()
    if not key or python.PyThread_tss_create(key):
        raise MemoryError("Expected a place for each thread but got none")
    return key


@once
def _lend() -> None:
    """Tells LLVM where Python's functions are, and on Windows those that machine code may ask for by itself."""
    lent = {name: getattr(ctypes.pythonapi, name) for name in doors.API}
    if sys.platform == "win32":
        c, system = ctypes.cdll.msvcrt, ctypes.windll.ntdll
        lent |= {"memcpy": c.memcpy, "memset": c.memset, "memmove": c.memmove, "__chkstk": getattr(system, "__chkstk")}
    for name, function in lent.items():
        llvm.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)
