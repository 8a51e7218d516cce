"""The front end as a whole: every rule that is reachable from some plans, as one module of LLVM. It knows no target."""

from __future__ import annotations

from collections.abc import Sequence

from quincunx.core.compile.calls import symbol
from quincunx.core.compile.kinds import NOTHING, flat_kinds, llvm, parameters, unflat
from quincunx.core.compile.memory import FAULT, LEAVE
from quincunx.core.compile.module import Module
from quincunx.core.compile.statements import Statements
from quincunx.core.compile.unassigned import unassigned
from quincunx.core.plan import Plan


def lower(plans: Sequence[Plan], checked: bool) -> Module:
    """What this module leaves to the target: `attributes #0` of its functions, those of library.py, and doors."""
    module = Module(checked)
    seen: set[str] = set()
    for plan in plans:
        _add(module, plan, seen)
    return module


def _add(module: Module, plan: Plan, seen: set[str]) -> None:
    if plan.name not in seen:
        seen.add(plan.name)
        for used in plan.rules.values():
            _add(module, used, seen)
        module.add(Function(module, plan).text())


def attributes(kind: str) -> str:
    """What is true of every argument. (`dereferenceable` is true of structures too, but makes LLVM read too early.)"""
    return "noundef nonnull" if kind == "ptr" else "noundef"


class Function(Statements):
    """One rule: its types first, then its text."""

    def __init__(self, module: Module, plan: Plan) -> None:
        super().__init__(module, plan)
        self.loops, self.taken = [], []
        self.result = "" if self.returns == NOTHING else self.reserve(llvm(self.returns), zero=module.checked)

    def text(self) -> str:
        if early := unassigned(self.tree, self.locals, self.kinds):
            raise self.refuse(f"a value for {early.id} on every way here", "none on some", early)
        self.infer()
        self.infer_signs()
        heads = [f"ptr {FAULT}"] if self.module.checked else []
        for name, kind in parameters(self.plan):
            operands = [f'%"{name}.{k}"' for k in range(len(flat_kinds(kind)))]
            heads += [f"{k} {attributes(k)} {operand}" for k, operand in zip(flat_kinds(kind), operands, strict=True)]
            self.store_local(name, unflat(kind, operands))
        self.block_of(self.tree.body)
        self._end_of_body()
        self.start(LEAVE)
        self.give_back()
        if self.returns == NOTHING:
            self.finish("ret void")
        else:
            kind = llvm(self.returns)
            self.finish(f"ret {kind} {self.make(f'load {kind}, ptr {self.result}')}")
        head = f"define internal {llvm(self.returns)} {symbol(self.plan)}({', '.join(heads)}) #0 {{\nstart:"
        return "\n".join([head, *self.entry, *self.lines, "}"])

    def _end_of_body(self) -> None:
        if not self.open:
            return
        if self.returns == NOTHING:
            self.jump(LEAVE)
        elif self.reached:
            raise self.refuse("a return at the end", "none", self.tree.body[-1])
        else:
            self.finish("unreachable")
