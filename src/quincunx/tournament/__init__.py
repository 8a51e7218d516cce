"""Many matches between computer players: pairing, running, counting."""

from quincunx.players.table import Effort
from quincunx.tournament.series import Bout, Series, play_one

__all__ = ["Bout", "Effort", "Series", "play_one"]
