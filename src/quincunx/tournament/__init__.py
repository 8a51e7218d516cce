"""Many matches between computer players: pairing, running, counting."""

from quincunx.tournament.series import Series, Standing, play_one

__all__ = ["Series", "Standing", "play_one"]
