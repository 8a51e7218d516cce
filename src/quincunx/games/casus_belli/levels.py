"""A few simulations see most of a turn: levels differ by what they overlook."""

from quincunx.core.levels import Level

LEVELS = (
    Level("mcts", 12, mistakes=95),
    Level("mcts", 12, mistakes=68),
    Level("mcts", 12, mistakes=42),
    Level("mcts", 15, mistakes=20),
    Level("mcts", 25, mistakes=6),
    Level("mcts", 40),
    Level("mcts", 100),
    Level("mcts", 250),
)
DUEL = {"seats": 2, "width": 11, "height": 11, "turns": 21}
