"""A few simulations see most of a turn: levels differ by what they overlook."""

from quincunx.core.levels import Ground, Level

LEVELS = (
    Level("mcts", 12, mistakes=95),
    Level("mcts", 12, mistakes=68),
    Level("mcts", 12, mistakes=42),
    Level("mcts", 15, mistakes=20),
    Level("mcts", 25, mistakes=6),
    Level("mcts", 50),
    Level("mcts", 160),
    Level("mcts", 800),
)
DUEL = {"seats": 2, "width": 11, "height": 11, "turns": 21}
REAL = (
    Ground({"seats": 2}),  # 21 × 21, drawn
    Ground({"seats": 2}, setup="meadow"),
    Ground({"seats": 2}, setup="castle"),
    Ground({"seats": 2}, "final", "castle"),
)
EFFORT = 1000
