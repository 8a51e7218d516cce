"""One object file of WebAssembly made into a module that can be instantiated.

LLVM leaves to a linker what depends on other files: where tables lie in memory, the stack, what is exported. There are
no other files here, so that functions, types and globals keep their numbers, and only this is left to do:

    stack | tables                      the tables' addresses; the stack comes first, so that an overflow is a trap
    code, with 5 bytes for each number  written anew with as many as it needs
    memory, stack pointer, exports      LLVM only names them

The format is WebAssembly's own, and tool-conventions/Linking.md for what is in its custom sections. Whatever is not
expected is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

HEAD, EMPTY = b"\0asm\1\0\0\0", b"\0"
CUSTOM, TYPE, IMPORT, FUNCTION, MEMORY, GLOBAL, EXPORT, CODE, DATA = 0, 1, 2, 3, 5, 6, 7, 10, 11  # sections
DATA_COUNT = 12  # for those who check a module in one pass; we have nothing that needs it
A_FUNCTION, A_MEMORY, A_GLOBAL = 0, 2, 3  # what is imported or exported
SYMBOLS, SEGMENTS = 8, 5  # parts of the section "linking"
OF_FUNCTION, OF_DATA, OF_GLOBAL, OF_SECTION = range(4)  # symbols
UNDEFINED, NAMED = 0x10, 0x40  # flags of them
FUNCTION_NUMBER, ADDRESS, SIGNED_ADDRESS, WORD_OF_ADDRESS, TYPE_NUMBER, GLOBAL_NUMBER = 0, 3, 4, 5, 6, 7  # relocations
I32, I32_CONST, END, MUTABLE = 0x7F, 0x41, 0x0B, 1
STACK_POINTER = "__stack_pointer"
PAGE = 1 << 16
MOST_PAGES = 1 << 14  # of a shared memory, which must say how large it may become: 1 GB


class Linked(NamedTuple):
    code: bytes
    pages: int  # of 64 kB, that the memory has at least
    tables: int  # bytes of them


class Segment(NamedTuple):
    """A table, in the section of data."""

    at: int
    content: bytes


class Symbol(NamedTuple):
    kind: int
    name: str
    number: int  # of the function, the global, or the segment
    offset: int = 0  # in the segment


class Imported(NamedTuple):
    name: str
    kind: int
    type: int = 0  # of a function: its number


class Relocation(NamedTuple):
    kind: int
    at: int
    symbol: int  # its number, or that of a type
    more: int  # added to an address


def link(object: bytes, exports: Mapping[str, str], stack: int, shared: bool, outside: Collection[str] = ()) -> Linked:
    """`exports` says by which name each function goes; `stack` is bytes, whole pages. A shared memory is imported, and
    so are the functions `outside`, as far as the rules call them.
    """
    sections, custom = _sections(object)
    symbols, alignments = _linking(custom["linking"])
    imported = list(_imports(sections.get(IMPORT, EMPTY)))
    if odd := [i.name for i in imported if i.kind != A_MEMORY and i.name not in (STACK_POINTER, *outside)]:
        raise ValueError(f"Expected rules that need nothing from outside but got {', '.join(odd)}")
    segments = list(_segments(sections.get(DATA, EMPTY)))
    starts, size = _places(segments, alignments)

    def value(r: Relocation) -> int:
        if r.kind == TYPE_NUMBER:
            return r.symbol
        symbol = symbols[r.symbol]
        return stack + starts[symbol.number] + symbol.offset + r.more if symbol.kind == OF_DATA else symbol.number

    code = _code(sections[CODE], _relocations(custom.get("reloc.CODE")), value)
    tables = bytearray(size)
    for start, segment in zip(starts, segments, strict=True):
        tables[start : start + len(segment.content)] = segment.content
    for r in _relocations(custom.get("reloc.DATA")):
        place = _place(segments, starts, r)
        tables[place : place + 4] = value(r).to_bytes(4, "little")
    pages = -(-(stack + size) // PAGE)
    limits = bytes([3, *unsigned(pages), *unsigned(MOST_PAGES)]) if shared else bytes([0, *unsigned(pages)])
    has_pointer = any(i.name == STACK_POINTER for i in imported)
    pointer = [bytes([I32, MUTABLE, I32_CONST, *signed(stack), END])] if has_pointer else []
    wanted = [text("env") + text("memory") + bytes([A_MEMORY]) + limits] if shared else []
    wanted += [text("env") + text(i.name) + bytes([A_FUNCTION, *unsigned(i.type)]) for i in _functions(imported)]
    out = {
        TYPE: sections[TYPE],
        IMPORT: vector(wanted),
        FUNCTION: sections[FUNCTION],
        MEMORY: vector([] if shared else [limits]),
        GLOBAL: vector([*pointer, *_globals(sections.get(GLOBAL, EMPTY))]),
        EXPORT: vector(_exports(symbols, exports, bool(pointer), shared)),
        CODE: code,
        DATA: vector([bytes([0, I32_CONST, *signed(stack), END]) + unsigned(len(tables)) + tables]),
    }
    whole = b"".join(bytes([kind]) + unsigned(len(content)) + content for kind, content in out.items())
    return Linked(HEAD + whole, pages, len(tables))


def _places(segments: list[Segment], alignments: list[int]) -> tuple[list[int], int]:
    """Where each table begins, one after the other from 0, and where the last one ends."""
    starts, at = [], 0
    for segment, alignment in zip(segments, alignments, strict=True):
        at += -at % alignment
        starts.append(at)
        at += len(segment.content)
    return starts, at


def _place(segments: list[Segment], starts: list[int], r: Relocation) -> int:
    """Where an address is that stands in a table."""
    for segment, start in zip(segments, starts, strict=True):
        if r.kind == WORD_OF_ADDRESS and 0 <= r.at - segment.at < len(segment.content):
            return start + r.at - segment.at
    raise ValueError(f"Expected nothing but addresses in tables but got a relocation of type {r.kind}")


def _exports(symbols: list[Symbol], names: Mapping[str, str], pointer: bool, shared: bool) -> list[bytes]:
    """The functions; memory, unless it came from outside. Threads need a stack each: they set the pointer."""
    found = {s.name: s.number for s in symbols if s.kind == OF_FUNCTION and s.name in names}
    if lost := sorted(set(names) - set(found)):
        raise ValueError(f"Expected the functions {', '.join(lost)} in the object file but got none of these names")
    out = [text(names[name]) + bytes([A_FUNCTION]) + unsigned(number) for name, number in found.items()]
    out += [text("memory") + bytes([A_MEMORY, 0])] * (not shared)
    return out + [text("stack_pointer") + bytes([A_GLOBAL, 0])] * pointer


def _code(section: bytes, relocations: list[Relocation], value: Callable[[Relocation], int]) -> bytes:
    """The bodies of functions with every number in its place. Jumps count blocks, not bytes: a body may shrink."""
    reader, bodies = Reader(section), []
    waiting = iter([*relocations, None])
    next_one = next(waiting)
    for _ in range(reader.unsigned()):
        size = reader.unsigned()
        at, end, parts = reader.at, reader.at + size, []
        while next_one is not None and next_one.at < end:
            if next_one.kind not in (FUNCTION_NUMBER, ADDRESS, SIGNED_ADDRESS, TYPE_NUMBER, GLOBAL_NUMBER):
                raise ValueError(f"Expected code without relocations of type {next_one.kind}")
            number = value(next_one)
            parts += [section[at : next_one.at], (signed if next_one.kind == SIGNED_ADDRESS else unsigned)(number)]
            at, next_one = next_one.at + 5, next(waiting)
        body = b"".join([*parts, section[at:end]])
        bodies.append(unsigned(len(body)) + body)
        reader.at = end
    return vector(bodies)


# -- reading an object file ------------------------------------------------------------------------------------------


class Reader:
    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    def __bool__(self) -> bool:
        return self.at < len(self.data)

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def unsigned(self) -> int:
        """Seven bits a byte, the last ones first (LEB128)."""
        number = shift = 0
        while True:
            byte = self.byte()
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    def signed(self) -> int:
        start = self.at
        number, bits = self.unsigned(), 7 * (self.at - start)
        return number - (number >> bits - 1 << bits)

    def take(self, n: int) -> bytes:
        self.at += n
        return self.data[self.at - n : self.at]

    def block(self) -> bytes:
        return self.take(self.unsigned())

    def text(self) -> str:
        return self.block().decode()


def _sections(object: bytes) -> tuple[dict[int, bytes], dict[str, bytes]]:
    """By number, and custom ones by name."""
    if object[: len(HEAD)] != HEAD:
        raise ValueError("Expected an object file of WebAssembly but got something else")
    reader = Reader(object, len(HEAD))
    known: dict[int, bytes] = {}
    custom: dict[str, bytes] = {}
    while reader:
        kind, content = reader.byte(), reader.block()
        if kind == CUSTOM:
            inner = Reader(content)
            name = inner.text()
            custom[name] = content[inner.at :]
        elif kind in (TYPE, IMPORT, FUNCTION, GLOBAL, CODE, DATA, DATA_COUNT):
            known[kind] = content
        else:
            raise ValueError(f"Expected no section {kind} in an object file of rules")
    return known, custom


def _functions(imported: list[Imported]) -> Iterator[Imported]:
    """They come first in the numbers of functions, so that all keep theirs."""
    return (i for i in imported if i.kind == A_FUNCTION)


def _imports(section: bytes) -> Iterator[Imported]:
    reader = Reader(section)
    for _ in range(reader.unsigned()):
        reader.text()
        name, kind, type = reader.text(), reader.byte(), 0
        if kind == A_MEMORY:
            flags = reader.byte()
            for _ in range(1 + (flags & 1)):
                reader.unsigned()
        elif kind == A_GLOBAL:
            reader.take(2)
        else:
            type = reader.unsigned()
        yield Imported(name, kind, type)


def _segments(section: bytes) -> Iterator[Segment]:
    reader = Reader(section)
    for _ in range(reader.unsigned()):
        if reader.take(2) != bytes([0, I32_CONST]):
            raise ValueError("Expected tables in the one memory")
        reader.signed()
        reader.byte()
        content = reader.block()
        yield Segment(reader.at - len(content), content)


def _globals(section: bytes) -> Iterator[bytes]:
    reader = Reader(section)
    for _ in range(reader.unsigned()):
        start = reader.at
        if reader.take(3) != bytes([I32, MUTABLE, I32_CONST]):
            raise ValueError("Expected globals that are whole numbers")
        reader.signed()
        reader.byte()
        yield section[start : reader.at]


def _linking(section: bytes) -> tuple[list[Symbol], list[int]]:
    """Its symbols, and the alignment of each segment in bytes."""
    reader = Reader(section)
    reader.unsigned()  # of the format: 2
    symbols: list[Symbol] = []
    alignments: list[int] = []
    while reader:
        kind, part = reader.byte(), Reader(reader.block())
        if kind == SYMBOLS:
            symbols = [_symbol(part) for _ in range(part.unsigned())]
        elif kind == SEGMENTS:
            for _ in range(part.unsigned()):
                part.text()
                alignments.append(1 << part.unsigned())
                part.unsigned()
        else:
            raise ValueError(f"Expected nothing to link of kind {kind}")
    return symbols, alignments


def _symbol(reader: Reader) -> Symbol:
    kind, flags = reader.byte(), reader.unsigned()
    if kind in (OF_FUNCTION, OF_GLOBAL):
        number = reader.unsigned()
        return Symbol(kind, "" if flags & UNDEFINED and not flags & NAMED else reader.text(), number)
    if kind == OF_SECTION:
        return Symbol(kind, "", reader.unsigned())
    if kind != OF_DATA or flags & UNDEFINED:
        raise ValueError(f"Expected functions, tables and globals but got a symbol of kind {kind}")
    name, number, offset, _ = reader.text(), reader.unsigned(), reader.unsigned(), reader.unsigned()
    return Symbol(kind, name, number, offset)


def _relocations(section: bytes | None) -> list[Relocation]:
    """In the order of their places."""
    if section is None:
        return []
    reader, found = Reader(section), []
    reader.unsigned()  # the section that they are about
    for _ in range(reader.unsigned()):
        kind, at, symbol = reader.byte(), reader.unsigned(), reader.unsigned()
        of_address = kind in (ADDRESS, SIGNED_ADDRESS, WORD_OF_ADDRESS)
        found.append(Relocation(kind, at, symbol, reader.signed() if of_address else 0))
    return found


# -- writing ---------------------------------------------------------------------------------------------------------


def unsigned(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def signed(number: int) -> bytes:
    out = bytearray()
    while not -64 <= number < 64:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number & 127])


def vector(parts: list[bytes]) -> bytes:
    return unsigned(len(parts)) + b"".join(parts)


def text(name: str) -> bytes:
    return unsigned(len(name.encode())) + name.encode()
