"""A champion's file as code: the contest's Python was Python 2, and what only Python 2 can read is put into Python 3.

`lib2to3`, which Python had until 3.12, rewrites what is written otherwise. What it leaves, because it looks the same
and means something else, is `/`: between two integers it was the division without remainder.
"""

from __future__ import annotations

import ast
import builtins
import copy
import io
import re
import sys
import tokenize
import warnings
from pathlib import Path
from types import CodeType
from typing import Any

DIVIDE = "__old_division"


def divide(a: Any, b: Any) -> Any:
    return a // b if isinstance(a, int) and isinstance(b, int) else a / b


class _Divisions(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return ast.Call(ast.Name(DIVIDE, ast.Load()), [node.left, node.right], [])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        before = copy.deepcopy(node.target)
        before.ctx = ast.Load()
        return ast.Assign([node.target], ast.Call(ast.Name(DIVIDE, ast.Load()), [before, node.value], []))


def compiled(file: Path) -> CodeType:
    source = file.read_bytes()
    try:
        return compile(source, str(file), "exec")
    except SyntaxError:
        text = translated(file, source)
        if text is None:
            raise
    print(f"{file.name} is read as Python 2.", file=sys.stderr)
    tree = ast.parse(text, str(file))
    if not re.search(rb"^from __future__ import .*division", source, re.MULTILINE):
        tree = ast.fix_missing_locations(_Divisions().visit(tree))
    setattr(builtins, DIVIDE, divide)
    return compile(tree, str(file), "exec")


def translated(file: Path, source: bytes) -> str | None:
    """None if it is no Python 2 either, or if this Python cannot translate it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from lib2to3 import refactor
            from lib2to3.pgen2.parse import ParseError
            from lib2to3.pgen2.tokenize import TokenError
    except ImportError:
        print("Python 2 can be translated by a Python up to 3.12 only.", file=sys.stderr)
        return None
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    tool = refactor.RefactoringTool(refactor.get_fixers_from_package("lib2to3.fixes"))
    try:
        return str(tool.refactor_string(source.decode(encoding) + "\n", str(file)))
    except (ParseError, TokenError):
        return None
