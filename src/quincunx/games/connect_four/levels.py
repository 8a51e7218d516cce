"""From most starts one side wins by force: without mistakes a pair would soon be 1 : 1."""

from quincunx.core.levels import Level

LEVELS = (
    Level("alphabeta", 50, mistakes=85),
    Level("alphabeta", 100, mistakes=60),
    Level("alphabeta", 200, mistakes=42),
    Level("alphabeta", 400, mistakes=28),
    Level("alphabeta", 1000, mistakes=18),
    Level("alphabeta", 3000, mistakes=10),
    Level("alphabeta", 10_000, mistakes=4),
    Level("alphabeta", 1_000_000),
)
EFFORT = 200_000
