"""What a game's folder brings: its levels, its own opponents, its events, and its rules in a gear."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from functools import cache as once
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, cast

from quincunx.core import contract, folder, hints
from quincunx.core.board import Event
from quincunx.core.compile.selftest import trouble
from quincunx.core.engine import Gear
from quincunx.core.levels import Level, by_kind, duel_of, of_module
from quincunx.core.words import Words


def opponents_of(package: ModuleType) -> Mapping[str, tuple[Any, Words]]:
    """The computer players that only this game has, if it has any: a class with `choose(terms, view, seat)` each."""
    if find_spec(f"{package.__name__}.opponents") is None:
        return {}
    return cast(Mapping[str, tuple[Any, Words]], import_module(f"{package.__name__}.opponents").OPPONENTS)


def levels_of(package: ModuleType) -> tuple[Level, ...]:
    """Those that the game's folder brings, or those of its kind."""
    name = f"{package.__name__}.levels"
    return by_kind(package.CARD) if find_spec(name) is None else of_module(import_module(name))


@once
def examined(package: ModuleType) -> dict[str, ModuleType]:
    """The parts of a game, which are what they should be."""
    parts = {part: import_module(f"{package.__name__}.{part}") for part in folder.REQUIRED}
    folder.examine(parts, folder.modules_of(package, sys.modules))
    return parts


def duel_options(package: ModuleType, options: list[str]) -> dict[str, Any]:
    """The options on which two computer players are measured."""
    name = f"{package.__name__}.levels"
    return {} if find_spec(name) is None else duel_of(import_module(name), options)


def gear_of(package: ModuleType, gear: str, weights: list[int] | None = None) -> Gear:
    """The rules and the evaluation of a game in one gear: "compiled", "interpreted" or "checked"."""
    meaning: dict[Any, Any] = {}
    for part in ("rules", "evaluate"):
        meaning |= _meaning(examined(package)[part])
    tables = None if weights is None else {"WEIGHT": weights}
    compiled = gear != "interpreted" and _compiles()
    return Gear(package.CARD.id, meaning, compiled=compiled, checked=gear == "checked", tables=tables)


@once
def _compiles() -> bool:
    """Where nothing can be compiled, games are played all the same; that is said once."""
    reason = trouble()
    if reason:
        warnings.warn(f"Games are interpreted here, which is slow: {reason}", RuntimeWarning, stacklevel=4)
    return not reason


def _meaning(rules: ModuleType) -> dict[Any, Any]:
    """What the rules put in the place of each name of the contract."""
    asked = [(part.__name__, n, v) for part in (contract, hints) for n, v in vars(part).items()]
    own = {n: v for part, n, v in asked if getattr(v, "__module__", "") == part}
    return {v: getattr(rules, n) for n, v in own.items() if getattr(rules, n, v) is not v}


def events_of(package: ModuleType) -> tuple[type[Event], ...]:
    """The kinds of events that its story can have, by name."""
    import_module(f"{package.__name__}.view")
    own = [kind for kind in _below(Event) if kind.__module__.startswith(f"{package.__name__}.")]
    return tuple(sorted(own, key=lambda kind: kind.__name__))


def _below(kind: type[Event]) -> list[type[Event]]:
    return [each for direct in kind.__subclasses__() for each in (direct, *_below(direct))]
