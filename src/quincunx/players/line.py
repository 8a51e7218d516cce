"""The line that a search expects, as texts. It is walked on a world that was imagined from the seat's own view, so that
it cannot tell more than the seat may know; whatever the search left behind is checked before it is played.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from quincunx.core.contract import CHANCE, NOBODY
from quincunx.games import Game, World

LONGEST_LINE = 12
ROLLS = 8  # dice that are thrown to meet an outcome which the tree knows

Hurry = Callable[[], bool]
Offered = Callable[[World, int], list[int]]
Expected = Callable[[int], int]  # the action that a search expects after a position of this key, or -1
Child = Callable[[int, list[int]], tuple[int, int]]


def read(game: Game, rows: list[Any], k: int, name: str) -> Any:
    """A number in row `k`, in whatever gear."""
    return rows[k][name].item() if game.gear.compiled else getattr(rows[k], name)


def write(game: Game, rows: list[Any], name: str, value: float) -> None:
    """A number into the only row, in whatever gear, also while a search reads it."""
    if game.gear.compiled:
        rows[name][0] = value  # type: ignore[call-overload]
    else:
        setattr(rows[0], name, value)


def table_line(game: Game, root: World, next_action: Expected, best: int, depth: int, hurry: Hurry) -> tuple[str, ...]:
    """`best`, then what alpha-beta remembers for one position after the other. Dice fall as in the search."""
    world, action = game.clone(root), best
    texts: list[str] = []
    while game.check(world, game.turn(world), action) is None:
        texts.append(game.text(world, game.turn(world), action))
        game.apply(world, game.turn(world), action)
        while game.turn(world) == CHANCE:
            game.apply(world, CHANCE, game.roll(world, game.random(game.key(world))))
        if len(texts) == min(depth, LONGEST_LINE) or game.over(world) or hurry():
            break
        action = next_action(game.key(world))
    return tuple(texts)


def tree_line(
    game: Game, world: World, thinker: int, first: list[int], offered: Offered, child: Child, dice: list[Any],
    hurry: Hurry,
) -> tuple[str, ...]:  # fmt: skip
    """The most visited path that begins with one of `first`. `child` names the most visited node below one, and its
    action, or (0, 0)."""
    node = 0
    texts: list[str] = []
    while len(texts) < LONGEST_LINE and not (texts and hurry()):
        seat = game.turn(world)
        if seat == NOBODY:
            break
        if seat != CHANCE and game.to_act(world, thinker):
            seat = thinker  # others may be asked at the same time
        if seat == CHANCE:
            rolls = {game.chance_outcome(world, roll): roll for roll in (game.roll(world, dice) for _ in range(ROLLS))}
            node, outcome = child(node, list(rolls))
            action = rolls.get(outcome, 0)
        else:
            node, action = child(node, offered(world, seat) if texts else first)
        if node == 0 or game.check(world, seat, action) is not None:
            break
        if seat != CHANCE:
            texts.append(game.text(world, seat, action))
        game.apply(world, seat, action)
    return tuple(texts)
