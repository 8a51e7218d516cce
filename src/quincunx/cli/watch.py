"""One match between computers, watched in the browser: at the server that runs, or at one that is started for it."""

from __future__ import annotations

from typing import Any

from quincunx.cli.join import send
from quincunx.cli.serve import open_server
from quincunx.core.words import Refused, Words

HERE = "127.0.0.1"
NOT_MADE = Words("Le serveur {} n’a pas fait la partie.", "The server {} did not make the match.")


def watch(match: dict[str, Any], port: int) -> None:
    """Makes the match, opens its page; a server that was started for it goes on until Ctrl-C."""

    def page(address: str) -> str:
        made = send(f"{address}/api/matches", match)
        if "id" in made:
            return f"{address}/match/{made['id']}"
        words = made.get("words", {})
        told = Words(words["fr"], words["en"]) if {"fr", "en"} <= words.keys() else NOT_MADE.format(address)
        raise Refused(str(made.get("code", "no_match")), told)

    open_server(HERE, port, False, None, 1, page)


def wanted(game: str, players: list[str], options: dict[str, Any], setup: str | None, seed: int) -> dict[str, Any]:
    """The match, in the words of the lobby; `setup` is the text of one."""
    seats = [{"kind": "computer", "player": spec} for spec in players]
    start = {} if setup is None else {"text": setup}
    return {"game": game, "seats": seats, "options": options, "seed": seed, **start}
