"""The lobby of a server over REST: what is asked, and what it answers; what it refuses is Refused, in its own words."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import ProxyHandler, Request, build_opener

from quincunx.core.words import Refused, Words

PATIENCE = 30.0  # seconds
LONGEST = 4_000_000  # bytes of an answer
SILENT = Words("Le serveur {} ne répond pas.", "The server {} does not answer.")
REFUSED = Words("Le serveur {} a refusé ({}).", "The server {} refused ({}).")


class Lobby:
    def __init__(self, base: str) -> None:
        self.base = base.rstrip("/")

    async def games(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = await self._ask("/api/games")
        return found

    async def seats_of(self, game: str, start: dict[str, Any]) -> int:
        """How many seats a match with this start has; Refused if the game does not allow it."""
        seats: int = (await self._ask(f"/api/games/{quote(game, safe='')}/preview", start))["seats"]
        return seats

    async def make(self, match: dict[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = await self._ask("/api/matches", match)
        return made

    async def find(self, match: str) -> dict[str, Any]:
        """By its id or its code."""
        found: dict[str, Any] = await self._ask(f"/api/matches/{quote(match, safe='')}")
        return found

    async def join(self, match: str, name: str, seat: int | None) -> dict[str, Any]:
        held: dict[str, Any] = await self._ask(
            f"/api/matches/{quote(match, safe='')}/join", {"name": name, "seat": seat}
        )
        return held

    async def _ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        return await asyncio.to_thread(self._fetch, path, body)

    def _fetch(self, path: str, body: dict[str, Any] | None) -> Any:
        """No proxy is asked: it would not know the computers here."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.base + path, data, {"Content-Type": "application/json"})
        try:
            with build_opener(ProxyHandler({})).open(request, timeout=PATIENCE) as answer:
                return json.loads(answer.read(LONGEST))
        except HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except (OSError, ValueError):
            raise Refused("silent", SILENT.format(self.base)) from None

    def _refusal(self, error: HTTPError) -> Refused:
        try:
            said = json.loads(error.read(LONGEST))
            return Refused(str(said["code"]), Words(str(said["words"]["fr"]), str(said["words"]["en"])))
        except (OSError, ValueError, KeyError, TypeError):
            return Refused("refused", REFUSED.format(self.base, error.code))
