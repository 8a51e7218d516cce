"""Makes tests/tactics: positions of hasty games with a forced win, or with a threat that few actions parry.

    PYTHONPATH=src python tests/make_tactics.py khet 7 > tests/tactics/khet.txt    # so many of every kind

Every answer is proved: an exact search, which gives minimax's value to the number, looks at every action. `win n` is a
win in n actions of both sides and not sooner, and the answers are all that keep it; `save n` is a position in which
every other action lets the enemy win within n actions.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Iterator
from typing import NamedTuple

from quincunx.core.random import below, seeded
from quincunx.games import Game, World, load
from quincunx.players import make
from quincunx.players.budget import Budget
from quincunx.players.minimax import ExactPlayer
from quincunx.search.history import MAX_PLY
from quincunx.search.value import WIN

HASTY = "alphabeta:nodes=400,contempt=0"
WINS = (1, 3, 5)
SAVES = {"khet": (1, 3), "cultist": (1, 3, 5)}
APART = 9  # positions of a game between two of a kind
MOST_ANSWERS = {"win": 3, "save": 6}


class Tactic(NamedTuple):
    kind: str
    actions: int
    position: str
    answers: tuple[str, ...]

    def __str__(self) -> str:
        return " | ".join((f"{self.kind} {self.actions}", self.position, ", ".join(self.answers)))


def read_tactics(text: str) -> list[Tactic]:
    tactics = []
    for line in text.splitlines():
        what, position, answers = line.split(" | ")
        kind, actions = what.split()
        tactics.append(Tactic(kind, int(actions), position, tuple(answers.split(", "))))
    return tactics


class Prover:
    """Exact searches with a window about a win: they see nothing else, and are quick."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._scout = make("alphabeta:nodes=60000", game)
        depths = range(1, 1 + max(*WINS, *SAVES[game.card.id]))
        self._winning = {d: ExactPlayer(game, 0, Budget(depth=d), (WIN - 1, WIN)) for d in depths}
        self._losing = {d: ExactPlayer(game, 0, Budget(depth=d), (-WIN, 1 - WIN)) for d in depths}

    def wins(self, world: World, depth: int) -> bool:
        """Does who is to act win within so many actions, whatever the other side does?"""
        return depth > 0 and self._worth(self._winning[depth], world) >= WIN

    def loses(self, world: World, depth: int) -> bool:
        return depth > 0 and self._worth(self._losing[depth], world) <= -WIN

    def _worth(self, player: ExactPlayer, world: World) -> float:
        player.choose(self.game.view(world, self.game.turn(world)))
        return player.info.value or 0.0

    def after(self, world: World, action: int, depth: int) -> int:
        """1 if who acts wins within `depth` more actions, -1 if it loses, else 0; asked only for one of the two."""
        seat, then = self.game.turn(world), self.game.clone(world)
        self.game.apply(then, seat, action)
        if self.game.over(then):
            margin = self.game.score(then, seat) - self.game.score(then, 1 - seat)
            return (margin > 0) - (margin < 0)
        return int(self.loses(then, depth)) if depth % 2 == 0 else -int(self.wins(then, depth))

    def answers(self, world: World, kind: str, actions: int) -> list[int]:
        """All that keep the win (an even number of actions is left), or the game (an odd one)."""
        if kind == "win":
            return [a for a in self.game.legal(world) if self.after(world, a, actions - 1) == 1]
        return [a for a in self.game.legal(world) if self.after(world, a, actions) != -1]

    def tactic(self, world: World, kinds: Container[tuple[str, int]]) -> Tactic | None:
        """A quick look says what is worth proving: a win in sight, or a threat that most actions overlook."""
        game, seat = self.game, self.game.turn(world)
        self._scout.begin(0)
        self._scout.choose(game.view(world, seat))
        value = int(self._scout.info.value or 0)
        if value >= WIN:
            depth = WIN + MAX_PLY - value
            if ("win", depth) not in kinds or any(self.wins(world, d) for d in WINS if d < depth):
                return None
            return self._told(world, "win", depth)
        safe = len(self.answers(world, "save", 1))
        if safe > 0.8 * len(game.legal(world)):
            return None
        for depth in SAVES[game.card.id]:
            if ("save", depth) in kinds and 0 < len(self.answers(world, "save", depth)) <= MOST_ANSWERS["save"]:
                return self._told(world, "save", depth)
        return None

    def _told(self, world: World, kind: str, depth: int) -> Tactic | None:
        answers = self.answers(world, kind, depth)
        if not 0 < len(answers) <= MOST_ANSWERS[kind]:
            return None
        seat = self.game.turn(world)
        return Tactic(kind, depth, self.game.position(world), tuple(self.game.text(world, seat, a) for a in answers))


def hasty_games(game: Game) -> Iterator[World]:
    """Positions of games between players who hardly look, and sometimes do not look at all.

    In Cultist everything is decided at the end, so only the last turns are shown.
    """
    seed = 0
    while True:
        seed += 1
        random, player = seeded(seed), make(HASTY, game, seed)
        setups = [setup.name for setup in game.setups]
        world = game.new(setup=setups[seed % len(setups)]) if game.card.id == "khet" else game.new(seed=seed)
        while not game.over(world):
            seat, actions = game.turn(world), game.legal(world)
            quick = below(random, 5) == 0
            action = actions[below(random, len(actions))] if quick else player.choose(game.view(world, seat))
            game.apply(world, seat, action)
            if not game.over(world) and (game.card.id == "khet" or game.plain(game.rules.State, world.rows).turn > 142):
                yield world


def make_tactics(id: str, each: int) -> Iterator[Tactic]:
    """So many of every kind; those of a kind are never from the same moment of a game."""
    game = load(id, "compiled")
    prover = Prover(game)
    kinds = [("win", actions) for actions in WINS] + [("save", actions) for actions in SAVES[id]]
    wanted, last = dict.fromkeys(kinds, each), dict.fromkeys(kinds, -APART)
    for number, world in enumerate(hasty_games(game)):
        ready = {kind for kind in kinds if wanted[kind] and number - last[kind] >= APART}
        tactic = prover.tactic(world, ready)
        if tactic:
            kind = tactic[:2]
            wanted[kind] -= 1
            last[kind] = number
            yield tactic
            if not any(wanted.values()):
                return


if __name__ == "__main__":
    for found in make_tactics(sys.argv[1], int(sys.argv[2])):
        print(found, flush=True)
