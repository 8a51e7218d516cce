"""The contract of a game, and the two gears that run its rules. Nothing here knows a game."""
