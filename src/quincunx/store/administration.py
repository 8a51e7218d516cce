"""What the administrator of a server does while it runs: bans, and word of what was done to matches.

Commands run in processes of their own, and SQLite tells no other process anything. So every intervention has a number,
and servers look once a second whether there are new ones; the same for both kinds of database, and for any number of
servers.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from ipaddress import IPv6Network, ip_network
from typing import Literal, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from quincunx.core.words import Refused, Words, expected
from quincunx.store.schema import bans, interventions
from quincunx.store.writer import Writer

KEPT = 1000  # interventions: all servers have read the older ones
HOUSEHOLD = 64  # bits of an IPv6 address that one household shares

ADDRESS = Words(
    "une adresse comme 203.0.113.7, ou un réseau comme 203.0.113.0/24",
    "an address like 203.0.113.7, or a network like 203.0.113.0/24",
)
ONESELF = Words(
    "Cet ordinateur lui-même ne peut pas être banni : nommez l’adresse d’un autre.",
    "This computer itself cannot be banned: name the address of another.",
)
STANDBY = "it takes no writes (PostgreSQL is a standby)"

InterventionKind = Literal["ended", "deleted", "banned", "unbanned"]


class Ban(NamedTuple):
    address: str
    reason: str
    created: int


class Intervention(NamedTuple):
    number: int
    kind: InterventionKind
    what: str  # a match, or an address


class Administration:
    """The administrator's door to a store."""

    def __init__(self, reading: Callable[[], AbstractAsyncContextManager[AsyncConnection]], writer: Writer) -> None:
        self._reading = reading
        self._writer = writer

    async def answers(self) -> str:
        """Does the database answer, and would it write? Empty: yes; otherwise why not."""
        self._writer.check()
        async with self._reading() as connection:
            await connection.execute(text("SELECT version_num FROM alembic_version"))
            if connection.dialect.name == "postgresql":
                return STANDBY if (await connection.execute(text("SELECT pg_is_in_recovery()"))).scalar() else ""
        return ""

    # -- bans ----------------------------------------------------------------------------------------------------

    async def ban(self, address: str, reason: str = "") -> str:
        """From now on; banned before, it gets the new reason. Returns the address as it is kept."""
        network = read_network(address)
        row = {"address": network, "reason": reason, "created": _now()}

        def work(connection: Connection) -> None:
            connection.execute(delete(bans).where(bans.c.address == network))
            connection.execute(insert(bans), row)
            tell(connection, "banned", network)

        await self._writer.do(network, work)
        return network

    async def unban(self, address: str) -> bool:
        """False: it was not banned."""
        network = read_network(address)

        def work(connection: Connection) -> bool:
            gone = connection.execute(delete(bans).where(bans.c.address == network)).rowcount
            if gone:
                tell(connection, "unbanned", network)
            return bool(gone)

        return await self._writer.do(network, work)

    async def bans(self) -> list[Ban]:
        async with self._reading() as connection:
            rows = await connection.execute(select(bans).order_by(bans.c.created, bans.c.address))
            return [Ban(row.address, row.reason, row.created) for row in rows]

    # -- word of it ----------------------------------------------------------------------------------------------

    async def tell(self, kind: InterventionKind, what: str) -> None:
        await self._writer.do(what, lambda connection: tell(connection, kind, what))

    async def last(self) -> int:
        async with self._reading() as connection:
            return int((await connection.execute(select(func.max(interventions.c.number)))).scalar() or 0)

    async def since(self, number: int) -> list[Intervention]:
        query = select(interventions.c.number, interventions.c.kind, interventions.c.what)
        async with self._reading() as connection:
            rows = await connection.execute(
                query.where(interventions.c.number > number).order_by(interventions.c.number)
            )
            return [Intervention(*row) for row in rows]


def tell(connection: Connection, kind: InterventionKind, what: str) -> None:
    """Inside a transaction. Numbers become visible in their order: whoever has seen one has seen all before it."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("LOCK TABLE interventions IN EXCLUSIVE MODE"))
    number = (connection.execute(select(func.max(interventions.c.number))).scalar() or 0) + 1
    connection.execute(insert(interventions), {"number": number, "kind": kind, "what": what, "at": _now()})
    connection.execute(delete(interventions).where(interventions.c.number <= number - KEPT))


def read_network(given: str) -> str:
    """As it is kept: an IPv4 address or network; of IPv6 the network of a household at least."""
    try:
        network = ip_network(given.strip(), strict=False)
    except ValueError:
        raise expected(ADDRESS, given) from None
    if isinstance(network, IPv6Network):
        mapped = network.network_address.ipv4_mapped
        if mapped is not None and network.prefixlen >= 96:
            return read_network(f"{mapped}/{network.prefixlen - 96}")
        if network.prefixlen > HOUSEHOLD and not network.is_loopback:
            network = network.supernet(new_prefix=HOUSEHOLD)
    if network.overlaps(ip_network("127.0.0.0/8" if network.version == 4 else "::1/128")):
        raise Refused("oneself", ONESELF)
    if network.num_addresses == 1:
        return str(network.network_address)
    return str(network)


def _now() -> int:
    return time.time_ns() // 1_000_000
