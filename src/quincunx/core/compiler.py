"""The numba side of the engine: signatures from annotations, the cache of machine code, whole-record operations."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from types import FunctionType, NoneType
from typing import Annotated, Any, cast, get_args, get_origin

import numba
import numpy as np
from llvmlite import ir
from numba.core import caching, cgutils, compiler, types
from numba.core.serialize import dumps
from numba.extending import intrinsic, lower_cast, overload

from quincunx.core import cache, record
from quincunx.core.record import Record, dtype


def compile_rule(
    twin: FunctionType, hints: dict[str, Any], checked: bool, door: bool, meet_rules: Callable[[], None], kept: bool
) -> FunctionType:
    """Compiles `twin` for the one signature that its annotations give, or loads it from the cache.

    `meet_rules` makes the twins of the rules that it calls; machine code from the cache already contains them. What is
    not to be `kept` is compiled for this process alone, and never read from the cache.

    A rule borrows its arrays and gives none back, so nobody counts references to them, except where `ints` makes one:
    counting is atomic, in every call, and costs a tree search a third of its speed.
    """
    dispatcher = numba.njit(
        nogil=True,
        error_model="python" if checked else "numpy",
        boundscheck=True if checked else None,
        _nrt=any(value is record.ints for value in twin.__globals__.values()),
        no_cpython_wrapper=not door,
        no_cfunc_wrapper=True,
    )(twin)
    if kept:
        dispatcher._cache = _Cache(twin.__qualname__ + (cache.DOOR if door else ""), meet_rules)
    else:
        meet_rules()
    twin.__globals__[twin.__name__] = dispatcher  # for recursion
    arguments = [_type(hints[name]) for name in twin.__code__.co_varnames[: twin.__code__.co_argcount]]
    dispatcher.compile(_type(hints["return"])(*arguments))
    dispatcher.disable_compile()
    return cast(FunctionType, dispatcher)


class _Cache(caching._Cache):  # type: ignore[misc]
    """One file a twin. Its name says all: there is nothing to compare, and no source file to look at."""

    def __init__(self, name: str, meet_rules: Callable[[], None]) -> None:
        self._name = name
        self._meet_rules = meet_rules

    @property
    def cache_path(self) -> str:
        return str(cache.folder())

    def load_overload(self, signature: Any, target: Any) -> Any:
        target.refresh()
        data = cache.read(self._file(target.codegen()))
        if data is not None:
            try:
                return compiler.CompileResult._rebuild(target, *data)
            except Exception:  # whatever a damaged file does: compile again
                pass
        self._meet_rules()
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        if result.library.has_dynamic_globals:
            raise TypeError(
                f"{self._name}: expected tables of less than 1 MB but got a larger one, which is not cached"
            )
        cache.write(self._file(result.codegen), dumps(result._reduce()))

    def _file(self, codegen: Any) -> str:
        machine = sha256(repr(codegen.magic_tuple()).encode()).hexdigest()[:8]
        return f"{self._name}.{machine}"

    def enable(self) -> None: ...
    def disable(self) -> None: ...
    def flush(self) -> None: ...


def _type(hint: Any) -> Any:
    """The numba type of an annotation. Integers travel as int64; only arrays and fields are narrow."""
    if hint in (None, NoneType):
        return types.void
    if get_origin(hint) is list:
        dimensions = 0
        while get_origin(hint) is list:
            (hint,) = get_args(hint)
            dimensions += 1
        narrow = get_origin(hint) is Annotated
        return types.Array(numba.from_dtype(np.dtype(get_args(hint)[1])) if narrow else _type(hint), dimensions, "C")
    if isinstance(hint, type) and issubclass(hint, Record):
        return numba.from_dtype(dtype(hint))
    plain = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    return {int: types.int64, bool: types.boolean, float: types.float64}[plain]


@lower_cast(types.NestedArray, types.Array)
def _field_as_argument(context: Any, builder: Any, field: Any, array: Any, value: Any) -> Any:
    return value  # same representation; numba only lacks the cast


@intrinsic
def _memcpy(context: Any, target: Any, source: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = context.get_constant(types.intp, target.size)
        cgutils.raw_memcpy(builder, arguments[0], arguments[1], size, 1)
        return context.get_dummy_value()

    return types.void(target, source), codegen


@intrinsic
def _memset(context: Any, target: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = context.get_constant(types.intp, target.size)
        cgutils.memset(builder, arguments[0], size, 0)
        return context.get_dummy_value()

    return types.void(target), codegen


@intrinsic
def _byte(context: Any, source: Any, index: Any) -> Any:
    """Byte `index` of a record."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        start = builder.bitcast(arguments[0], cgutils.voidptr_t)
        return builder.zext(builder.load(builder.gep(start, [arguments[1]])), context.get_value_type(types.uint64))

    return types.uint64(source, types.intp), codegen


@overload(record.copy, strict=False)
def _copy(target: Any, source: Any) -> Any:
    if isinstance(target, types.Record) and target == source:
        return lambda target, source: _memcpy(target, source)
    return None


@overload(record.clear, strict=False)
def _clear(target: Any) -> Any:
    return (lambda target: _memset(target)) if isinstance(target, types.Record) else None


@intrinsic
def _prefetch(context: Any, rows: Any, place: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        start = builder.bitcast(
            cgutils.create_struct_proxy(rows)(context, builder, arguments[0]).data, cgutils.voidptr_t
        )
        size = context.get_constant(types.intp, rows.dtype.size)
        at = builder.gep(start, [builder.mul(arguments[1], size)])
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, cgutils.int32_t, cgutils.int32_t, cgutils.int32_t]),
            "llvm.prefetch.p0i8",
        )
        builder.call(function, [at, cgutils.int32_t(0), cgutils.int32_t(3), cgutils.int32_t(1)])
        return context.get_dummy_value()

    return types.void(rows, types.intp), codegen


@overload(record.expect, strict=False)
def _expect(rows: Any, place: Any) -> Any:
    return lambda rows, place: _prefetch(rows, place)


@overload(record.ints, strict=False)
def _ints(n: Any) -> Any:
    return lambda n: np.zeros(n, np.int64)


@overload(record.fingerprint, strict=False)
def _fingerprint(record: Any) -> Any:
    if not isinstance(record, types.Record):
        return None
    size, fold, one, shift = record.size, np.uint64(_FOLD), np.uint64(1), np.uint64(29)

    def words(record: Any) -> Any:
        h = np.uint64(0)
        for start in range(0, size, 8):
            word = np.uint64(0)
            for k in range(min(8, size - start)):
                word |= _byte(record, start + k) << np.uint64(8 * k)
            h = (h ^ word) * fold
            h ^= h >> shift
        return np.int64(h >> one)

    return words


_FOLD = record._FOLD
