"""Fixtures: two stores on one database: SQLite, SQLite through a process that writes for both, PostgreSQL."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack
from itertools import count
from typing import Any, TypeVar

import pytest

from appender import new_match, process, write
from postgres import Cluster
from quincunx.core.words import Refused
from quincunx.match import Outcome
from quincunx.store import Store

T = TypeVar("T")
ids = (f"m{n}" for n in count())


class Address(str):
    """Of a database, and of the process that writes it, if there is one."""

    writer: str | None = None


@pytest.fixture(params=["sqlite", "sqlite-writer", "postgresql"], scope="module")
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """One database for all tests: each makes its own matches."""
    if request.param == "postgresql":
        server: Cluster = request.getfixturevalue("postgres")
        yield Address(server.database())
        return
    folder = tmp_path_factory.mktemp("store")
    address = Address(folder / "matches.db")
    if request.param == "sqlite":
        yield address
        return
    with tempfile.TemporaryDirectory() as short, process(write, str(address), f"{short}/writer") as (_, pipe):
        address.writer = f"{short}/writer"
        assert pipe.recv() == "ready"
        yield address


class Stores:
    """Two stores on one database, and the loop in which they live."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.runner = asyncio.Runner()
        self._exit = AsyncExitStack()
        self.one, self.two = self.run(self._open()), self.run(self._open())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    async def _open(self) -> Store:
        return await self._exit.enter_async_context(
            Store.open(self.address, writer=getattr(self.address, "writer", None))
        )

    def status(self, match: str) -> tuple[str, Outcome | None]:
        found = self.run(self.two.match(match))
        assert found is not None
        return found.status, found.outcome

    def code(self, work: Coroutine[Any, Any, Any]) -> str:
        """Of the refusal that the work meets."""
        with pytest.raises(Refused) as refused:
            self.run(work)
        return refused.value.code

    def close(self) -> None:
        self.run(self._exit.aclose())
        self.runner.close()

    def match(self, **more: Any) -> str:
        return self.run(self.one.create(new_match(next(ids), **more))).id


@pytest.fixture(scope="module")
def stores(address: Address) -> Iterator[Stores]:
    stores = Stores(address)
    yield stores
    stores.close()
