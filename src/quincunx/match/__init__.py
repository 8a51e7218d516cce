"""A match: who plays what against whom, and the record that replays to the same state anywhere, for ever."""

from quincunx.match.match import Match
from quincunx.match.record import FORMAT, Happened, MatchRecord, Outcome, Played, Seat, decode, encode
from quincunx.match.replay import replay

__all__ = [
    "FORMAT",
    "Happened",
    "Match",
    "MatchRecord",
    "Outcome",
    "Played",
    "Seat",
    "decode",
    "encode",
    "replay",
]
