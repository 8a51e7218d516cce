"""Perft from Python: how many sequences of actions lead on from a world. The touchstone of a move generator."""

from __future__ import annotations

from quincunx.core import contract
from quincunx.core.words import Words, expected
from quincunx.games import Game, World
from quincunx.search.walk import DICE, perft


def count_leaves(game: Game, world: World, depth: int) -> int:
    if depth == 0:
        return 1
    stack = game.gear.rows(contract.State, depth + 1)
    stack[0] = game.clone(world).rows[0]
    moves = game.gear.grid(depth + 1, game.rules.MAX_LEGAL)
    silent = game.log(contract.NOBODY, silent=True)
    count = game.gear.bind(perft)(world.terms[0], stack, moves, silent[0], depth, 0)
    if count == DICE:
        raise expected(Words("un jeu sans dés", "a game without dice"), game.card.id)
    return count
