"""The door to a house for the script of a page's worker: only texts and numbers go through it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from quincunx.match.wire import write
from quincunx.offline.client import Client
from quincunx.offline.house import House
from quincunx.offline.thinking import Job, Thought


class Page:
    def __init__(self, house: House, told: Callable[[int, str], None]) -> None:
        self._house = house
        self._told = told
        self._lines: dict[int, Client] = {}

    async def ask(self, method: str, path: str, query: str, body: str) -> tuple[int, str]:
        status, answer = await self._house.answer(method, path, json.loads(query), body)
        return status, answer.decode()

    def sit(self, line: int, id: str) -> bool:
        """A line to a table; False: there is no such table."""
        client = self._house.sit(id, lambda text: self._told(line, text.decode()))
        if client is not None:
            self._lines[line] = client
        return client is not None

    def hear(self, line: int, text: str) -> None:
        if line in self._lines:
            self._lines[line].hear(text)

    def leave(self, line: int) -> None:
        client = self._lines.pop(line, None)
        if client is not None:
            client.close()
            if all(other.table is not client.table for other in self._lines.values()):
                self._house.rest(client.table)

    def learn(self, id: str, text: str | None) -> None:
        self._house.learn(id, text)


def begin(
    kept: str,
    think: Callable[[str], Awaitable[Any]],
    keep: Callable[[str, str], None],
    told: Callable[[int, str], None],
) -> Page:
    """`think` is given a job as JSON, and gives something with an `action` and a `chance`."""

    async def thought(job: Job) -> Thought:
        found = await think(write(job).decode())
        return Thought(str(found.action), found.chance)

    return Page(House(json.loads(kept), thought, keep), told)
