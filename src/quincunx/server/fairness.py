"""Fair play: nobody gets help against another, and nobody meets a map that the other knows without being told.

A start under fog is *known* to whoever made the match if they wrote it themselves or have seen it in an earlier match:
a text of their own, a fork, and every rematch that keeps such a start. It may be played; who joins is told beforehand.
A seed is another matter, for it looks like chance: against others the server alone draws.

A rated match is one of two people who are known, with a clock, from a start that the game offers to everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from quincunx.core.options import Value, settle
from quincunx.core.words import Refused, Words
from quincunx.games import Game
from quincunx.server.match_shapes import NewMatch, WantedSeat
from quincunx.server.tokens import hash_of
from quincunx.store import StoredMatch, StoredSeat

DRAWN_HERE = Words(
    "Dans un jeu à secrets, qui choisit la graine connaît la carte : contre d’autres, elle est tirée par le serveur.",
    "In a game of secrets, whoever chooses the seed knows the map: against others, only the server draws it.",
)

PERSON_WANTED = Words(
    "Cette partie est classée : choisissez d’abord un nom (page « Moi »).",
    "This match is rated: choose a name first (page “Me”).",
)
YOURSELF = Words("Une partie classée se joue contre quelqu’un d’autre.", "A rated match is played against another.")
NOT_RATED = Words(
    "Une partie classée se joue à deux, à distance, avec une pendule et une position habituelle du jeu.",
    "A rated match is for two, over the network, with a clock and one of the game’s usual starts.",
)


def covered(stored: StoredMatch, tokens: Iterable[str]) -> set[int]:
    """The seats that these tokens hold."""
    hashes = {hash_of(token) for token in tokens}  # each once: what a hash is compared with tells nothing of a token
    return {n for n, seat in enumerate(stored.seats) if seat.token_hash in hashes}


def is_computer(seat: StoredSeat) -> bool:
    """A player of ours, or a program of this computer, which may not have started yet."""
    return seat.kind == "computer" or (seat.kind == "awaited" and is_program(seat.player))


def is_nobodys(seat: StoredSeat) -> bool:
    """Whose person was forgotten."""
    return seat.player == "person" and seat.kind != "open" and seat.token_hash is None


def is_program(player: str) -> bool:
    """Of this computer: named by its user, or sent by a pupil."""
    return player.startswith(("bot:", "upload:"))


def plays_alone(stored: StoredMatch, tokens: Iterable[str]) -> bool:
    """Does whoever has these tokens play against nobody but computers and themselves? A program is somebody else, be it
    one of this computer."""
    held = covered(stored, tokens)
    mine = ("person", "awaited")
    return all(
        (is_computer(seat) and not is_program(seat.player)) or (seat.kind in mine and n in held)
        for n, seat in enumerate(stored.seats)
    )


def known_start(game: Game, seats: Sequence[WantedSeat], *, seeded: bool = False, chosen: bool = False) -> bool:
    """Must those who join be told that the start is known? Refused if it only looks like chance."""
    others = any(seat.kind in ("open", "program") for seat in seats)
    if game.card.fog and others and seeded and not chosen:
        raise Refused("seed", DRAWN_HERE)
    return game.card.fog and others and chosen


def check_rated(wanted: NewMatch, game: Game, options: Mapping[str, Value], known: bool) -> None:
    """May it count? `known`: whoever makes it has a name and a key here."""
    if not known:
        raise Refused("no_person", PERSON_WANTED)
    lengths = [length.options for length in game.lengths] or [{}]
    usual = any(options == settle(game.options, game.presets, None, each) for each in lengths)
    two = sorted(seat.kind for seat in wanted.seats) == ["here", "open"]
    chosen = wanted.text is not None or wanted.seed is not None
    if chosen or not usual or not two or wanted.clock.kind == "none":
        raise Refused("not_rated", NOT_RATED, "rated")
