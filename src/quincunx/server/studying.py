"""The tree of a study, played through: every action of every variation is checked by the rules before it is kept.

Node 0 is the start; every other one is an action that was played in its parent, which stands before it. Marks are
circles (`A1`) and arrows (`A1 B2`) on cells as the game names them; they mean nothing to the rules.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from quincunx.core.options import Value
from quincunx.core.words import Refused, Words
from quincunx.games import World
from quincunx.match.wire import write
from quincunx.server.placing import Base, begun
from quincunx.server.positions import ActionText

MOST_NODES = 3000
MOST_MARKS = 40  # of a position
SHAPE = Words(
    "Un nœud d’une étude vient après celui dont il part.", "A node of a study comes after the one that it goes on from."
)

Mark = Annotated[str, Meta(pattern="^[A-Za-z0-9,]{1,8}( [A-Za-z0-9,]{1,8})?$")]


class Node(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    parent: Annotated[int, Meta(ge=-1, lt=MOST_NODES)]
    action: ActionText
    name: Annotated[str, Meta(max_length=60)] = ""
    marks: Annotated[tuple[Mark, ...], Meta(max_length=MOST_MARKS)] = ()


Tree = Annotated[tuple[Node, ...], Meta(min_length=1, max_length=MOST_NODES)]


class Studied(Struct, frozen=True):
    """What is kept of a study: its start in words, and its tree with every action in its one spelling."""

    start: str
    options: dict[str, Value]
    tree: tuple[Node, ...]


def study(base: Base, tree: tuple[Node, ...]) -> bytes:
    match = begun(base)
    game = match.game
    worlds: list[World] = [match.beginning()]
    checked = [msgspec.structs.replace(tree[0], parent=-1, action="")]
    for k, node in enumerate(tree[1:], 1):
        if not 0 <= node.parent < k:
            raise Refused("tree", SHAPE)
        world = game.clone(worlds[node.parent])
        seat = game.turn(world)
        action = game.parse(world, seat, node.action)
        refusal = game.check(world, seat, action)
        if refusal:
            raise refusal
        checked.append(msgspec.structs.replace(node, action=game.text(world, seat, action)))
        game.apply(world, seat, action)
        worlds.append(world)
    return write(Studied(match.start, match.world.options, tuple(checked)))
