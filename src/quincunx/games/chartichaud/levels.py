"""Most actions of a turn are made in any case: levels differ by what they overlook."""

from quincunx.core.levels import Level

LEVELS = (
    Level("mcts", 4, mistakes=90),
    Level("mcts", 6, mistakes=68),
    Level("mcts", 10, mistakes=48),
    Level("mcts", 16, mistakes=35),
    Level("mcts", 25, mistakes=24),
    Level("mcts", 40, mistakes=14),
    Level("mcts", 75, mistakes=6),
    Level("mcts", 400),
)
DUEL = {"width": 10, "height": 8, "turns": 60}
