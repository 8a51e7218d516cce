"""Many matches between computer players: pairing, running, counting."""

from quincunx.tournament.series import Effort, Result, Series, Standing, play_one

__all__ = ["Effort", "Result", "Series", "Standing", "play_one"]
