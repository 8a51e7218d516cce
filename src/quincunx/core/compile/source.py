"""The syntax tree of a function, from its source file: the grammar of trees hardly changes from one Python to the next,
bytecode does every year. What Python makes of the file today must equal the function that was imported.
"""

from __future__ import annotations

import ast
import linecache
from functools import cache
from types import CodeType, FunctionType


def tree_of(f: FunctionType) -> ast.FunctionDef:
    """OSError if the file is not there, or no longer says what was imported."""
    path, line = f.__code__.co_filename, f.__code__.co_firstlineno
    node, code = _functions(path).get((f.__name__, line), (None, None))
    if node is None or code is None or _meaning(code) != _meaning(f.__code__):
        raise OSError(f"{path}:{line}: expected the source of {f.__module__}.{f.__name__} as it was imported")
    return node


def _meaning(code: CodeType) -> tuple[object, ...]:
    return code.co_code, repr(code.co_consts), code.co_names, code.co_varnames


@cache
def _functions(path: str) -> dict[tuple[str, int], tuple[ast.FunctionDef, CodeType]]:
    """Every function of a source file, by its name and first line, with its code."""
    tree = ast.parse("".join(linecache.getlines(path)))
    codes: dict[tuple[str, int], CodeType] = {}
    waiting = [compile(tree, path, "exec", dont_inherit=True)]
    while waiting:
        for code in waiting.pop().co_consts:
            if isinstance(code, CodeType):
                codes[code.co_name, code.co_firstlineno] = code
                waiting.append(code)
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            line = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if (node.name, line) in codes:
                found[node.name, line] = node, codes[node.name, line]
    return found
