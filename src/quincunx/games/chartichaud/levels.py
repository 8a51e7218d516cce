"""Most actions of a turn are made in any case: the lower levels differ by what they overlook, the upper by thought."""

from quincunx.core.levels import Ground, Level

LEVELS = (
    Level("mcts", 4, mistakes=90),
    Level("mcts", 6, mistakes=50),
    Level("mcts", 10, mistakes=15),
    Level("mcts", 16, mistakes=11),
    Level("mcts", 25, mistakes=8),
    Level("mcts", 40, mistakes=5),
    Level("mcts", 75, mistakes=2),
    Level("mcts", 400),
)
DUEL = {"width": 10, "height": 8, "turns": 60}
REAL = (Ground(preset="telecom"), Ground())  # 16 × 9, as on the course's server, and by the rules of the seed
EFFORT = 2000
