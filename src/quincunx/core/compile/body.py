"""The text of one function, as it grows: lines, blocks, and a place on the stack for each local name, which LLVM turns
into registers.
"""

from __future__ import annotations

from quincunx.core.compile.kinds import ZERO, Kind, Value, flat_kinds, unflat
from quincunx.core.compile.module import Module


class Body:
    def __init__(self, module: Module) -> None:
        self.module = module
        self.entry: list[str] = []  # what comes before everything else
        self.lines: list[str] = []
        self.here = "start"  # the block that is being written
        self.open = True  # has it no end yet?
        self.reached = True  # can it be entered?
        self._entered: set[str] = {"start"}  # blocks that are entered from somewhere
        self._count = 0
        self._slots: dict[str, list[str]] = {}

    def put(self, text: str) -> None:
        if not self.open:
            self.start(self.label())
        self.lines.append("  " + text)

    def make(self, text: str) -> str:
        """The operand that an instruction computes."""
        name = f"%v{self.number()}"
        self.put(f"{name} = {text}")
        return name

    def number(self) -> int:
        self._count += 1
        return self._count

    # -- blocks --------------------------------------------------------------------------------------------------

    def label(self) -> str:
        return f"b{self.number()}"

    def start(self, label: str) -> None:
        """The block of this label; what was open falls through to it."""
        if self.open:
            self.jump(label)
        self.lines.append(f"{label}:")
        self.open, self.here, self.reached = True, label, label in self._entered

    def jump(self, label: str) -> None:
        self._end(f"br label %{label}", label)

    def fork(self, condition: str, yes: str, no: str) -> None:
        self._end(f"br i1 {condition}, label %{yes}, label %{no}", yes, no)

    def finish(self, text: str) -> None:
        self._end(text)

    def _end(self, text: str, *labels: str) -> None:
        self.put(text)
        self.open = False
        if self.reached:
            self._entered.update(labels)

    def one_of(self, kind: str, ways: list[tuple[str, str]]) -> str:
        """The operand that belongs to the block which one came from."""
        return self.make(f"phi {kind} " + ", ".join(f"[ {operand}, %{block} ]" for operand, block in ways))

    # -- the stack -----------------------------------------------------------------------------------------------

    def reserve(self, kind: str, *, zero: bool) -> str:
        at = f"%s{self.number()}"
        self.entry.append(f"  {at} = alloca {kind}")
        if zero:
            self.entry.append(f"  store {kind} {ZERO[kind]}, ptr {at}")
        return at

    def slots(self, name: str, kind: Kind) -> list[str]:
        """Where a local name is kept: a name that nothing was assigned to is zero."""
        if name not in self._slots:
            self._slots[name] = [self.reserve(k, zero=True) for k in flat_kinds(kind)]
        return self._slots[name]

    def load_local(self, name: str, kind: Kind) -> Value:
        places = zip(flat_kinds(kind), self.slots(name, kind), strict=True)
        return unflat(kind, [self.make(f"load {k}, ptr {at}") for k, at in places])
