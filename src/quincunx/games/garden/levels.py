"""More thought helps little against dice: levels differ by what they overlook."""

from quincunx.core.levels import Level

LEVELS = (
    Level("mcts", 10, mistakes=90),
    Level("mcts", 15, mistakes=66),
    Level("mcts", 25, mistakes=43),
    Level("mcts", 50, mistakes=31),
    Level("mcts", 100, mistakes=20),
    Level("mcts", 200, mistakes=11),
    Level("mcts", 500, mistakes=4),
    Level("mcts", 20_000),
)
EFFORT = 6000
