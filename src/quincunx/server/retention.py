"""Retention (`--keep 90d`): matches that have been over for so long go, a few at a time, while the server runs."""

from __future__ import annotations

import asyncio

from quincunx.server.logs import log
from quincunx.server.matches import LiveMatches
from quincunx.store import Store, Unavailable

PAUSE = 3600.0  # seconds between two rounds


async def retain(store: Store, matches: LiveMatches, keep: int | None) -> None:
    """For ever. Whoever looks at an old match right now keeps it until the next round."""
    while keep is not None:
        try:
            count = await store.deletion.prune(store.clock() - keep, matches.is_watched)
            store.list_version += bool(count)
            (log.info if count else log.debug)("matches.pruned", count=count)
        except Unavailable as error:
            log.warning("store.unavailable", reason=str(error))
        except Exception:  # the next round may fare better
            log.error("retention.failed")
        await asyncio.sleep(PAUSE)
