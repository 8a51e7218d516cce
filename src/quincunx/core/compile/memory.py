"""Fields of structures and elements of rows: where they lie, reading, writing; and the faults of the checked gear."""

from __future__ import annotations

import ast
from abc import abstractmethod

from quincunx.core.compile.inference import field_tag
from quincunx.core.compile.kinds import (
    FLOAT,
    INT,
    NUMBERS,
    SIZE,
    UINT,
    Place,
    Rec,
    Row,
    Value,
    flat,
    flat_kinds,
    layout,
    llvm,
    texts,
)
from quincunx.core.compile.numbers import INDEX, Numbers, known

FAULT = "%fault"  # a hidden argument of every checked rule: where the door, for this one call, keeps what went wrong
LEAVE = "leave"  # the block at the end of every rule


class Memory(Numbers):
    @abstractmethod
    def value(self, node: ast.expr) -> Value: ...

    # -- local names ---------------------------------------------------------------------------------------------

    def store_local(self, name: str, value: Value) -> None:
        kind = self.kinds[name]
        operands = flat(self.convert(value, kind))
        for at, k, operand in zip(self.slots(name, kind), flat_kinds(kind), operands, strict=True):
            self.put(f"store {k} {operand}, ptr {at}")

    # -- places --------------------------------------------------------------------------------------------------

    def place(self, node: ast.expr) -> Place:
        """Where the number lies that is assigned to."""
        if isinstance(node, ast.Attribute):
            owner = self.value(node.value)
            if self.field_kind(node, owner.kind, node.attr) in NUMBERS:
                return self._field_place(node, owner)
        elif isinstance(node, ast.Subscript):
            rows = self.value(node.value)
            if self.element_kind(node, rows.kind) in NUMBERS:
                if isinstance(rows.kind, Row) and rows.kind.is_table:
                    raise self.refuse("rows to write to", "a table, which never changes", node)
                return self._item_place(rows, self._item(node, rows))
        raise self.refuse("one number to assign to (copy(…) copies a structure)", ast.unparse(node), node)

    def field(self, node: ast.Attribute) -> Value:
        owner = self.value(node.value)
        kind = self.field_kind(node, owner.kind, node.attr)
        place = self._field_place(node, owner)
        if kind in NUMBERS:
            return self.load(place)
        return Value(kind, place.pointer, texts(kind.lengths) if isinstance(kind, Row) else ())

    def item(self, node: ast.Subscript) -> Value:
        rows = self.value(node.value)
        item = self._item(node, rows)
        return self.load(self._item_place(rows, item)) if item.kind in NUMBERS else item

    def _field_place(self, node: ast.Attribute, owner: Value) -> Place:
        assert isinstance(owner.kind, Rec)
        at = layout(owner.kind.structure)[node.attr]
        pointer = self.make(f"getelementptr inbounds i8, ptr {owner.of}, i64 {at.offset}") if at.offset else owner.of
        return Place(pointer, str(at.element), field_tag(owner.kind, node.attr), at.signal)

    def _item_place(self, rows: Value, item: Value) -> Place:
        assert isinstance(rows.kind, Row)
        return Place(item.of, str(rows.kind.element), rows.kind.tag)

    def _item(self, node: ast.Subscript, rows: Value) -> Value:
        """rows[index] as a pointer: to a number, a structure or shorter rows."""
        if isinstance(node.slice, (ast.Slice, ast.Tuple)):
            raise self.refuse("rows[a] or rows[a][b]", ast.unparse(node), node)
        kind = self.element_kind(node, rows.kind)
        assert isinstance(rows.kind, Row)
        index = self._index(node.slice, rows.lengths[0])
        element = rows.kind.element
        inner = f"[{element.size} x i8]" if isinstance(element, Rec) else llvm(element)
        for n, length in zip(rows.kind.lengths[:0:-1], rows.lengths[:0:-1], strict=True):
            if n is None:
                index = self.make(f"mul i64 {index}, {length}")
            else:
                inner = f"[{n} x {inner}]"
        pointer = self.make(f"getelementptr inbounds {inner}, ptr {rows.of}, i64 {index}")
        return Value(kind, pointer, rows.lengths[1:])

    def _index(self, node: ast.expr, length: str) -> str:
        """A negative index counts from the end."""
        index = given = self.whole(self.value(node))
        number = known(index)
        if number is None and not self.natural(node):
            negative, around = self.make(f"icmp slt i64 {index}, 0"), self.make(f"add i64 {index}, {length}")
            index = self.make(f"select i1 {negative}, i64 {around}, i64 {index}")
        elif number is not None and number < 0:
            index = self.make(f"add i64 {index}, {length}")
        if self.module.checked:
            self.guard(self.make(f"icmp ult i64 {index}, {length}"), INDEX, given)
        return index

    # -- reading and writing -------------------------------------------------------------------------------------

    def load(self, place: Place) -> Value:
        atomic, order = ("atomic ", " monotonic") if place.signal else ("", "")
        access = f"{order}, align {SIZE[place.element]}{self.module.tag(place.tag)}"
        came = self.make(f"load {atomic}{llvm(place.element)}, ptr {place.pointer}{access}")
        if place.element in (INT, UINT, FLOAT):
            return Value(place.element, came)
        return Value(INT, self.make(f"sext {place.element} {came} to i64"))

    def store(self, place: Place, value: Value) -> None:
        operand = self.convert(value, FLOAT if place.element == FLOAT else INT).of
        if place.element not in (INT, UINT, FLOAT):
            operand = self.make(f"trunc i64 {operand} to {place.element}")
        atomic, order = ("atomic ", " monotonic") if place.signal else ("", "")
        access = f"{order}, align {SIZE[place.element]}{self.module.tag(place.tag)}"
        self.put(f"store {atomic}{llvm(place.element)} {operand}, ptr {place.pointer}{access}")

    # -- faults --------------------------------------------------------------------------------------------------

    def guard(self, fine: str, fault: int, value: str) -> None:
        """The rule ends here if it is not fine, and so does every rule that called it: see `end_if_wrong`."""
        wrong, after = self.label(), self.label()
        self.fork(fine, after, wrong)
        self.start(wrong)
        line = getattr(self.now, "lineno", 0)
        where = self.module.words(self.function.__code__.co_filename)
        self.module.add(NOTE)
        self.put(f"call void @note(ptr {FAULT}, ptr {where}, i64 {line}, i64 {fault}, i64 {value})")
        self.jump(LEAVE)
        self.start(after)

    def end_if_wrong(self) -> None:
        """After the call of a checked rule."""
        well, after = self.make(f"load ptr, ptr {FAULT}"), self.label()
        self.fork(self.make(f"icmp eq ptr {well}, null"), after, LEAVE)
        self.start(after)


FAULT_KIND = "{ ptr, i64, i64, i64 }"  # the file, its line, which of FAULTS, the number that came
NOTE = f"""define internal void @note(ptr %fault, ptr %file, i64 %line, i64 %which, i64 %value) noinline cold #0 {{
  %line.at = getelementptr {FAULT_KIND}, ptr %fault, i64 0, i32 1
  %which.at = getelementptr {FAULT_KIND}, ptr %fault, i64 0, i32 2
  %value.at = getelementptr {FAULT_KIND}, ptr %fault, i64 0, i32 3
  store ptr %file, ptr %fault
  store i64 %line, ptr %line.at
  store i64 %which, ptr %which.at
  store i64 %value, ptr %value.at
  ret void
}}"""
