"""Statements: assignments, conditions, loops, returns."""

from __future__ import annotations

import ast

from quincunx.core.compile.expressions import Expressions
from quincunx.core.compile.kinds import INT, NOTHING, Several, Value, in_words, llvm
from quincunx.core.compile.memory import LEAVE
from quincunx.core.compile.numbers import STEP, known

ALLOWED = "assignments, if, while, for … in range(…), break, continue, return, calls"


class Statements(Expressions):
    result: str  # where the value of the rule is kept until it ends

    def block_of(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self.now = statement
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return
            case ast.Expr(value=ast.Call() as call):
                self.call(call)
            case ast.Assign(targets=targets, value=value):
                came = self.value(value)
                for target in targets:
                    self._assign(target, came)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, self.value(value))
            case ast.AugAssign():
                self._change(node)
            case ast.Return(value=value):
                self._return(value)
            case ast.If():
                self._if(node)
            case ast.While(orelse=[]):
                self._while(node)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=bounds), orelse=[]):
                self._count_through(node, name, bounds)
            case ast.Break():
                self.jump(self.loops[-1][1])
            case ast.Continue():
                self.jump(self.loops[-1][0])
            case _:
                raise self.refuse(ALLOWED, ast.unparse(node).partition("\n")[0], node)

    # -- assignments ---------------------------------------------------------------------------------------------

    def _assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Tuple):
            if not isinstance(value.kind, Several) or len(value.parts) != len(target.elts):
                raise self.refuse(f"{len(target.elts)} values", in_words(value.kind), target)
            for part, v in zip(target.elts, value.parts, strict=True):
                self._assign(part, v)
        elif isinstance(target, ast.Name):
            self.store_local(target.id, value)
        else:
            self.store(self.place(target), value)

    def _change(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            name = node.target.id
            before = self.load_local(name, self.kinds[name])
            self.store_local(name, self.binary(node.op, before, self.value(node.value), self.fixed(node.value)))
        else:
            place = self.place(node.target)
            before = self.load(place)
            self.store(place, self.binary(node.op, before, self.value(node.value), self.fixed(node.value)))

    def _return(self, value: ast.expr | None) -> None:
        given = value is not None and not (isinstance(value, ast.Constant) and value.value is None)
        if given != (self.returns != NOTHING):
            raise self.refuse(f"{in_words(self.returns)} to return", "something else")
        if value is not None and given:
            came = self.given(self.value(value), self.returns)
            self.put(f"store {llvm(self.returns)} {came.of}, ptr {self.result}")
        self.jump(LEAVE)

    # -- ways ----------------------------------------------------------------------------------------------------

    def _if(self, node: ast.If) -> None:
        yes, no, after = self.label(), self.label(), self.label()
        self.branch(node.test, yes, no if node.orelse else after)
        self.start(yes)
        self.block_of(node.body)
        if node.orelse:
            if self.open:
                self.jump(after)
            self.start(no)
            self.block_of(node.orelse)
        self.start(after)

    def _while(self, node: ast.While) -> None:
        again, inside, after = self.label(), self.label(), self.label()
        self.start(again)
        self.loops.append((again, after))
        self.branch(node.test, inside, after)
        self.start(inside)
        self.block_of(node.body)
        self.loops.pop()
        if self.open:
            self.jump(again)
        self.start(after)

    def _count_through(self, node: ast.For, name: str, bounds: list[ast.expr]) -> None:
        operands = [self.whole(self.value(a)) for a in bounds]
        first, last, step = {1: ["0", *operands, "1"], 2: [*operands, "1"], 3: operands}[len(operands)]
        at = self.reserve("i64", zero=False)
        if self.module.checked and len(operands) == 3:
            self.guard(self.make(f"icmp ne i64 {step}, 0"), STEP, "0")
        self.put(f"store i64 {first}, ptr {at}")
        test, inside, again, after = self.label(), self.label(), self.label(), self.label()
        self.start(test)
        now = self.make(f"load i64, ptr {at}")
        self.fork(self._goes_on(now, last, step), inside, after)
        self.start(inside)
        self.store_local(name, Value(INT, now))
        self.loops.append((again, after))
        self.block_of(node.body)
        self.loops.pop()
        self.start(again)
        self.put(f"store i64 {self._next(now, step)}, ptr {at}")
        self.jump(test)
        self.start(after)

    def _goes_on(self, now: str, last: str, step: str) -> str:
        number = known(step)
        if number is not None:
            return self.make(f"icmp {'slt' if number > 0 else 'sgt'} i64 {now}, {last}") if number else "false"
        up, down = self.make(f"icmp sgt i64 {step}, 0"), self.make(f"icmp slt i64 {step}, 0")
        below, above = self.make(f"icmp slt i64 {now}, {last}"), self.make(f"icmp sgt i64 {now}, {last}")
        return self.make(f"or i1 {self.make(f'and i1 {up}, {below}')}, {self.make(f'and i1 {down}, {above}')}")

    def _next(self, now: str, step: str) -> str:
        """Steps of more than one may reach beyond the largest number, and stop there."""
        if step in ("1", "-1"):
            return self.make(f"add nsw i64 {now}, {step}")
        return self.intrinsic("i64 @llvm.sadd.sat.i64", f"i64 {now}, i64 {step}")
