"""A champion's file as code: the contest's Python was Python 2, and what only Python 2 can read is put into Python 3.

A file is in Python 2 if Python 3 does not read it, or if it uses names that only Python 2 had. `lib2to3`, which Python
had until 3.12, rewrites what is written otherwise. What it leaves, because it looks the same and means something else,
is `/`: between two integers it was the division without remainder.
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
from contextlib import suppress
from pathlib import Path
from types import CodeType
from typing import Any

DIVIDE = "__old_division"
OLD = {"xrange", "raw_input", "unicode", "basestring", "has_key", "iteritems", "iterkeys", "itervalues"}


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
    error = None
    try:
        code = compile(source, str(file), "exec")
        if not _is_old(ast.parse(source, str(file))):
            return code
    except SyntaxError as found:
        error = found
    text = translated(file, source)
    if text is None:
        if error is not None:
            raise error
        return code
    print(f"{file.name} is read as Python 2.", file=sys.stderr)
    tree = ast.parse(text, str(file))
    if not re.search(rb"^from __future__ import .*division", source, re.MULTILINE):
        tree = ast.fix_missing_locations(_Divisions().visit(tree))
    setattr(builtins, DIVIDE, divide)
    return compile(tree, str(file), "exec")


def _is_old(tree: ast.AST) -> bool:
    """Does it use what Python 3 does not have, and what it does not define itself?"""
    used, own = set[str](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else own).add(node.id)
        elif isinstance(node, ast.Attribute):
            used.add(node.attr)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            own.add(node.name)
        elif isinstance(node, ast.alias):
            own.add(node.asname or node.name)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
    return bool(used & OLD - own)


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
    fixers = refactor.get_fixers_from_package("lib2to3.fixes")
    for print_function in (False, True):  # a statement, unless it cannot be one
        tool = refactor.RefactoringTool(fixers, {"print_function": print_function})
        with suppress(ParseError, TokenError):
            return str(tool.refactor_string(source.decode(encoding) + "\n", str(file)))
    return None
