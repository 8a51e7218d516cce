"""Eight levels for every game, `level:1` to `level:8`: each a named configuration, no more.

A level is a budget of nodes or simulations, not of time, so that it plays the same on every machine. The lower ones
also overlook things (`mistakes`): see distracted.py. What each is worth was measured: docs/players.md.
"""

from __future__ import annotations

from quincunx.core.words import Words, expected
from quincunx.games import Game

NAMES = (
    Words("Débutant", "Beginner"),
    Words("Apprenti", "Apprentice"),
    Words("Amateur", "Amateur"),
    Words("Habitué", "Regular"),
    Words("Confirmé", "Experienced"),
    Words("Expert", "Expert"),
    Words("Maître", "Master"),
    Words("Grand maître", "Grandmaster"),
)
MOST = len(NAMES)

_ALPHA_BETA = (
    "alphabeta:nodes=50,mistakes=70",
    "alphabeta:nodes=100,mistakes=45",
    "alphabeta:nodes=250,mistakes=28",
    "alphabeta:nodes=600,mistakes=15",
    "alphabeta:nodes=2000,mistakes=6",
    "alphabeta:nodes=8000",
    "alphabeta:nodes=60000",
    "alphabeta:nodes=1000000",
)
_MCTS = (
    "mcts:simulations=8,mistakes=70",
    "mcts:simulations=16,mistakes=45",
    "mcts:simulations=32,mistakes=28",
    "mcts:simulations=64,mistakes=15",
    "mcts:simulations=150,mistakes=6",
    "mcts:simulations=400",
    "mcts:simulations=1200",
    "mcts:simulations=5000",
)
LEVELS: dict[str, tuple[str, ...]] = {
    "connect_four": (  # from most starts one side wins by force: without mistakes a pair is soon 1 : 1
        "alphabeta:nodes=50,mistakes=85",
        "alphabeta:nodes=100,mistakes=60",
        "alphabeta:nodes=200,mistakes=42",
        "alphabeta:nodes=400,mistakes=28",
        "alphabeta:nodes=1000,mistakes=18",
        "alphabeta:nodes=3000,mistakes=10",
        "alphabeta:nodes=10000,mistakes=4",
        "alphabeta:nodes=1000000",
    ),
    "cultist": _ALPHA_BETA,
    "khet": _ALPHA_BETA,
    "garden": (  # more thought helps little against dice: levels differ by what they overlook
        "mcts:simulations=10,mistakes=90",
        "mcts:simulations=15,mistakes=66",
        "mcts:simulations=25,mistakes=43",
        "mcts:simulations=50,mistakes=31",
        "mcts:simulations=100,mistakes=20",
        "mcts:simulations=200,mistakes=11",
        "mcts:simulations=500,mistakes=4",
        "mcts:simulations=20000",
    ),
    "chartichaud": (  # most actions of a turn are made in any case: here too it matters what is overlooked
        "mcts:simulations=4,mistakes=90",
        "mcts:simulations=6,mistakes=68",
        "mcts:simulations=10,mistakes=48",
        "mcts:simulations=16,mistakes=35",
        "mcts:simulations=25,mistakes=24",
        "mcts:simulations=40,mistakes=14",
        "mcts:simulations=75,mistakes=6",
        "mcts:simulations=400",
    ),
    "casus_belli": (
        "mcts:simulations=12,mistakes=95",
        "mcts:simulations=12,mistakes=68",
        "mcts:simulations=12,mistakes=42",
        "mcts:simulations=15,mistakes=20",
        "mcts:simulations=25,mistakes=6",
        "mcts:simulations=40",
        "mcts:simulations=100",
        "mcts:simulations=250",
    ),
}


def specs(game: str) -> tuple[str, ...]:
    """What each level of a game is made of; a game that nobody has measured yet searches by simulation."""
    return LEVELS.get(game, _MCTS)


def spec_of(text: str, game: Game) -> str:
    """The configuration that `level:7` stands for."""
    number = text.removeprefix("level:")
    if number not in {str(n) for n in range(1, MOST + 1)}:
        raise expected(Words("level:1 à level:{}", "level:1 to level:{}").format(MOST), text)
    return specs(game.card.id)[int(number) - 1]


def label(number: int) -> Words:
    """What people call a level: `7 · Maître`."""
    return Words("{} · {}", "{} · {}").format(number, NAMES[number - 1])
