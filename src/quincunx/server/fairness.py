"""Fair play: nobody gets help against another, and nobody meets a map that the other knows without being told.

A start under fog is *known* to whoever made the match if they wrote it themselves or have seen it in an earlier match:
a text of their own, a fork, and every rematch that keeps such a start. It may be played; who joins is told beforehand.
A seed is another matter, for it looks like chance: against others the server alone draws.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quincunx.core.words import Refused, Words
from quincunx.games import Game
from quincunx.server.shapes import WantedSeat
from quincunx.server.tokens import hash_of
from quincunx.store import StoredMatch

DRAWN_HERE = Words(
    "Dans un jeu à secrets, qui choisit la graine connaît la carte : contre d’autres, elle est tirée par le serveur.",
    "In a game of secrets, whoever chooses the seed knows the map: against others, only the server draws it.",
)


def covered(stored: StoredMatch, tokens: Iterable[str]) -> set[int]:
    """The seats that these tokens hold."""
    hashes = {hash_of(token) for token in tokens}  # each once: what a hash is compared with tells nothing of a token
    return {n for n, seat in enumerate(stored.seats) if seat.token_hash in hashes}


def plays_alone(stored: StoredMatch, tokens: Iterable[str]) -> bool:
    """Does whoever has these tokens play against nobody but computers and themselves? A program is somebody else."""
    held = covered(stored, tokens)
    mine = ("person", "awaited")
    return all(seat.kind == "computer" or (seat.kind in mine and n in held) for n, seat in enumerate(stored.seats))


def known_start(game: Game, seats: Sequence[WantedSeat], *, seeded: bool = False, chosen: bool = False) -> bool:
    """Must those who join be told that the start is known? Refused if it only looks like chance."""
    others = any(seat.kind in ("open", "program") for seat in seats)
    if game.card.fog and others and seeded and not chosen:
        raise Refused("seed", DRAWN_HERE)
    return game.card.fog and others and chosen
