"""Perft from Python: how many sequences of actions lead on from a world. The touchstone of a move generator."""

from __future__ import annotations

from quincunx.core import contract
from quincunx.games import Game, World
from quincunx.search.walk import perft_from


def count_leaves(game: Game, world: World, depth: int) -> int:
    stack = game.gear.rows(contract.State, depth + 1)
    stack[0] = game.clone(world).rows[0]
    moves = game.gear.grid(depth + 1, game.rules.MAX_LEGAL)
    silent = game.log(contract.NOBODY, silent=True)
    return game.gear.bind(perft_from)(world.terms, stack, moves, silent, depth)
