"""Work that nobody else will do is tried until it is done: a database that does not answer now will."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from quincunx.server.logs import log
from quincunx.store import Unavailable

PAUSES = (0.1, 10.0)  # seconds between attempts: the first, the longest


async def persist(work: Callable[[], Awaitable[None]], expected: tuple[type[Exception], ...] = (Unavailable,)) -> None:
    """Until it is done. What is `expected` to go wrong at times is logged in a line, anything else with its trace."""
    pause, longest = PAUSES
    while True:
        try:
            return await work()
        except expected as error:
            log.warning("work.waits", reason=str(error), seconds=pause)
        except Exception:
            log.error("work.failed")
        await asyncio.sleep(pause)
        pause = min(2 * pause, longest)
