"""What the strength of a game's players is made of, as a digest: its rules, its evaluation, the policy of its playouts,
every rule and every constant behind these, its hints to search, the options of a duel and the real maps.

It is taken from syntax trees, so that a comment changes nothing, nor does another Python. What it does not see is
search itself and what makes a level err (players/distracted.py: `SEEN`), which are the same for every game: whoever
changes these deletes the file of the ladder. To put them in would discard every rung that has been measured.
"""

from __future__ import annotations

import ast
import inspect
from functools import cache
from hashlib import sha256
from types import FunctionType
from typing import Any

from quincunx.core import contract, hints
from quincunx.core.engine import is_rule
from quincunx.core.wording import gather, text
from quincunx.games import Game, load

ASKED = [f for part in (contract, hints) for f in vars(part).values() if is_rule(f) and f.__module__ == part.__name__]


@cache
def makings(game: str, opponent: str = "") -> str:
    """Of a game that search plays, and of an opponent that it brings along."""
    found = load(game, "interpreted")
    told: dict[str, str] = {}
    for question in ASKED:
        gather(found.gear.plan(question), told)
    said: list[Any] = [sorted(told.items()), tuple(found.hints), sorted(found.duel.items()), _opponent(found, opponent)]
    if found.real:
        said.append([tuple(ground) for ground in found.real])
    return sha256(repr(said).encode()).hexdigest()[:16]


def _opponent(game: Game, name: str) -> str:
    """The whole module, for it is no rule."""
    if name not in game.opponents:
        return ""
    made: Any = game.opponents[name][0]
    module = inspect.getmodule(made if isinstance(made, (type, FunctionType)) else type(made))
    assert module is not None
    return text(ast.parse(inspect.getsource(module)))
