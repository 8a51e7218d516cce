"""What a page of strategy claims about the board below it, as a comment that no reader sees:

<!-- best -->               the engine would play the first move that is shown
<!-- wins -->               that move wins, whatever the other side does
<!-- loses -->              that move loses
<!-- better than e4-e5 -->  that move is worth clearly more than another one

    ```board
    …
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boards

from quincunx.core.contract import CHANCE
from quincunx.games import Game, World, levels, load
from quincunx.players import make
from quincunx.players.analysis import chance

BLOCK = re.compile(r"^<!-- (?P<claim>[^\n]*) -->\n\n?```board\n(?P<said>.*?)^```", re.MULTILINE | re.DOTALL)
EFFORT = {"alphabeta": "alphabeta:nodes=400000", "mcts": "mcts:simulations=2000"}
CLEARLY = 0.03  # of the chance to win
SURE, LOST = 0.99, 0.01


@dataclass(frozen=True)
class Claim:
    game: str
    source: str
    text: str
    said: dict[str, str]

    def __str__(self) -> str:
        return f"{self.source}: {self.text}: {self.move}"

    @property
    def move(self) -> str:
        return self.said["play"].partition(";")[0].strip()


def claims(file: Path) -> Iterator[Claim]:
    game = file.name.partition(".")[0]
    for found in BLOCK.finditer(file.read_text("utf-8")):
        lines = [line for line in found["said"].strip().splitlines() if not line.startswith("caption:")]
        yield Claim(game, file.name, found["claim"], boards.said(lines, file))


class Judge:
    """The strongest player of a game, with so much to think that it decides in about a second."""

    def __init__(self, id: str) -> None:
        self.game: Game = load(id, "compiled")
        best = levels(id)[-1].player
        self.player = make(EFFORT.get(best.partition(":")[0], best), self.game)

    def begin(self, said: dict[str, str]) -> World:
        return boards.begun(self.game, said)

    def would_play(self, world: World) -> str:
        """What it plays, after a thought."""
        seat = self.game.turn(world)
        self.player.begin(1)
        return self.game.text(world, seat, self.player.choose(self.game.view(world, seat)))

    def chance_of(self, world: World) -> float:
        """For whoever is to act, as the engine sees it."""
        self.would_play(world)
        return chance(self.player.name, self.player.info.value)

    def worth(self, world: World, move: str) -> float:
        """The chance to win of whoever is to act, after that move of theirs; dice are thrown a few times."""
        seat = self.game.turn(world)
        values = []
        for seed in range(8 if self.game.card.dice else 1):
            then = self.game.clone(world)
            self.game.apply(then, seat, self.game.parse(then, seat, move))
            _throw(self.game, then, seed)
            values.append(self._of(then, seat))
        return sum(values) / len(values)

    def _of(self, world: World, seat: int) -> float:
        if self.game.over(world):
            ours, theirs = (self.game.score(world, each) for each in (seat, 1 - seat))
            return 0.5 + 0.5 * ((ours > theirs) - (ours < theirs))
        found = self.chance_of(world)
        return found if self.game.turn(world) == seat else 1 - found

    def holds(self, claim: Claim) -> tuple[bool, Any]:
        """Whether it is so, and what the engine says."""
        world = self.begin(claim.said)
        match claim.text.split():
            case ["best"]:
                played = self.would_play(world)
                return played == claim.move, played
            case ["wins"]:
                worth = self.worth(world, claim.move)
                return worth >= SURE, worth
            case ["loses"]:
                worth = self.worth(world, claim.move)
                return worth <= LOST, worth
            case ["better", "than", *other]:
                ours, theirs = self.worth(world, claim.move), self.worth(world, " ".join(other))
                return ours >= theirs + CLEARLY, (ours, theirs)
        raise ValueError(f"{claim.source}: nobody can check “{claim.text}”")


def _throw(game: Game, world: World, seed: int) -> None:
    random = game.random(seed)
    while not game.over(world) and game.turn(world) == CHANCE:
        game.apply(world, CHANCE, game.roll(world, random))
