"""Many matches between computer players: pairing, running, counting."""

from quincunx.players.table import Effort
from quincunx.tournament.series import Result, Series, Standing, play_one

__all__ = ["Effort", "Result", "Series", "Standing", "play_one"]
