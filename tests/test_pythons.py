"""The core on every Python that can be had on this machine: the same games to the bit, in every gear.

Those on the path are tried, and those of QUINCUNX_PYTHONS (paths, separated as in PATH); one that lacks the packages
that the core needs is skipped, and says so.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from shutil import which
from typing import Any

import pytest

SCRIPT = Path(__file__).with_name("core_in_brief.py")
PROMISED = [f"3.{minor}" for minor in range(11, 15)]
NEEDED = "import llvmlite, msgspec, numpy, sys; print(sys.executable, *sys.version_info[:2])"


def found() -> list[str]:
    """Pythons that there are; this one is among them."""
    named = [path for version in PROMISED if (path := which(f"python{version}"))]
    given = [path for path in os.environ.get("QUINCUNX_PYTHONS", "").split(os.pathsep) if path]
    return [sys.executable, *dict.fromkeys(named + given)]


def _can(python: str) -> bool:
    try:
        asked = subprocess.run([python, "-c", NEEDED], capture_output=True, text=True, timeout=60, env=_plain())
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


def _plain() -> dict[str, str]:
    """Packages of this Python are of no use to another."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}


FOUND = found()


@cache
def brief(python: str) -> Any:
    ran = subprocess.run([python, str(SCRIPT)], capture_output=True, text=True, timeout=300, env=_plain())
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(ran.stdout)


@pytest.mark.parametrize("python", FOUND, ids=[Path(path).name for path in FOUND])
def test_the_core_plays_the_same_games_on_every_python(python: str) -> None:
    if not _can(python):
        pytest.skip(f"{python} lacks what the core needs: llvmlite, msgspec, numpy")
    version, trouble, refuses, journeys = brief(python)
    assert version.rpartition(".")[0] in PROMISED and trouble == "" and refuses
    assert journeys == brief(sys.executable)[3]
    for id in {name.split()[0] for name in journeys}:
        assert len({digest for name, digest in journeys.items() if name.startswith(id)}) == 1


def test_the_workflow_tries_all_that_are_promised() -> None:
    workflow = (Path(__file__).parents[1] / ".github/workflows/checks.yml").read_text("utf-8")
    assert "python: " + json.dumps(PROMISED) in workflow


COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)  # those that 3.12 puts into the function around them


def mixed_up(source: str) -> Iterator[tuple[int, str]]:
    """Names that one comprehension of a function binds, and another one takes from the module: Python 3.12.0 and 3.12.1
    take them for one local variable, which is then unbound."""
    tree = ast.parse(source)
    of_module = {name for each in tree.body for name in _bound(each)}
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        inside = [node for node in ast.walk(function) if isinstance(node, COMPREHENSIONS)]
        bound = [_names(each, ast.Store) for each in inside]
        own = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
        own |= {name for each in function.body for name in _bound(each)}
        for each, names in zip(inside, bound, strict=True):
            for name in (_names(each, ast.Load) - names - own) & of_module & set().union(*bound):
                yield each.lineno, name


def _bound(node: ast.AST) -> Iterator[str]:
    """What a statement binds, comprehensions apart."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
            return
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name
    if not isinstance(node, COMPREHENSIONS):
        for each in ast.iter_child_nodes(node):
            yield from _bound(each)


def _names(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, context)}


def test_no_name_of_a_comprehension_hides_one_that_another_needs() -> None:
    assert list(mixed_up("def x(n): ...\ndef f(a):\n    b = [x for _, x in a]\n    return [x(n) for n in a]")) == [
        (4, "x")
    ]
    files = sorted((Path(__file__).parents[1] / "src").rglob("*.py"))
    assert [(file.name, *found) for file in files for found in mixed_up(file.read_text("utf-8"))] == []
