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

from quincunx.core import contract, encoding, folder, hints, net, seeing
from quincunx.core.board import Event
from quincunx.core.compile.selftest import trouble
from quincunx.core.engine import Gear
from quincunx.core.levels import Ground, Level, by_kind, duel_of, of_module, real_of
from quincunx.core.words import Words


def opponents_of(package: ModuleType) -> Mapping[str, tuple[Any, Words]]:
    """The computer players that only this game has, if it has any: a class with `choose(terms, view, seat)` each."""
    if find_spec(f"{package.__name__}.opponents") is None:
        return {}
    return cast(Mapping[str, tuple[Any, Words]], import_module(f"{package.__name__}.opponents").OPPONENTS)


def levels_of(package: ModuleType) -> tuple[Level, ...]:
    """Those that the game's folder brings, or those of its kind."""
    name = f"{package.__name__}.levels"
    own = None if find_spec(name) is None else of_module(import_module(name))
    return own or by_kind(package.CARD)


@once
def odds_of(package: ModuleType) -> ModuleType:
    """How likely each outcome of its dice is, for those who calculate with it: MOST outcomes, and `odds(terms, s)`."""
    if find_spec(f"{package.__name__}.odds") is None:
        raise TypeError(f"{package.__name__}: expected odds.py, which says how likely each outcome of its dice is")
    return import_module(f"{package.__name__}.odds")


@once
def examined(package: ModuleType) -> dict[str, ModuleType]:
    """The parts of a game, which are what they should be."""
    brought = [part for part in folder.OPTIONAL if find_spec(f"{package.__name__}.{part}") is not None]
    parts = {part: import_module(f"{package.__name__}.{part}") for part in (*folder.REQUIRED, *brought)}
    folder.examine(parts, folder.modules_of(package, sys.modules))
    return parts


def duel_options(package: ModuleType, options: list[str]) -> dict[str, Any]:
    """The options on which two computer players are measured."""
    name = f"{package.__name__}.levels"
    return {} if find_spec(name) is None else duel_of(import_module(name), options)


def real_grounds(package: ModuleType) -> tuple[Ground, ...]:
    """Those of real matches, where a duel is another thing."""
    name = f"{package.__name__}.levels"
    return () if find_spec(name) is None else real_of(import_module(name))


def gear_of(
    package: ModuleType,
    gear: str,
    weights: list[int] | None = None,
    tables_of_net: Mapping[str, list[int]] | None = None,
) -> Gear:
    """The rules of a game, with its evaluation and its encoding, in one gear: "compiled", "interpreted", "checked".

    With the tables of a net (core/net.py), that is what evaluates."""
    meaning: dict[Any, Any] = {}
    for part in ("rules", "evaluate", "encoding", "net"):
        if part in examined(package):
            meaning |= _meaning(examined(package)[part])
    rules = examined(package)["rules"]
    if rules.View is rules.State and contract.observe not in meaning:
        meaning[seeing.see] = seeing.see_all
    meaning[net.by_hand] = meaning.get(hints.evaluate, hints.evaluate)
    if tables_of_net is not None:
        meaning |= {hints.evaluate: net.net_evaluate, hints.lazy_evaluate: net.net_evaluate}
        meaning[hints.lazy_margin] = net.no_lazy_margin
    tables = None if weights is None else {"WEIGHT": weights}
    compiled = gear != "interpreted" and _compiles()
    return Gear(
        package.CARD.id, meaning, compiled=compiled, checked=gear == "checked", tables=tables, fixed=tables_of_net
    )


@once
def _compiles() -> bool:
    """Where nothing can be compiled, games are played all the same; that is said once."""
    reason = trouble()
    if reason:
        warnings.warn(f"Games are interpreted here, which is slow: {reason}", RuntimeWarning, stacklevel=4)
    return not reason


def _meaning(rules: ModuleType) -> dict[Any, Any]:
    """What a part of the game puts in the place of each name of the contract."""
    asked = [(part.__name__, n, v) for part in (contract, hints, encoding, net) for n, v in vars(part).items()]
    own = {n: v for part, n, v in asked if getattr(v, "__module__", "") == part}
    return {v: getattr(rules, n) for n, v in own.items() if getattr(rules, n, v) is not v}


def events_of(package: ModuleType) -> tuple[type[Event], ...]:
    """The kinds of events that its story can have, by name."""
    import_module(f"{package.__name__}.view")
    own = [kind for kind in _below(Event) if kind.__module__.startswith(f"{package.__name__}.")]
    return tuple(sorted(own, key=lambda kind: kind.__name__))


def _below(kind: type[Event]) -> list[type[Event]]:
    return [each for direct in kind.__subclasses__() for each in (direct, *_below(direct))]
