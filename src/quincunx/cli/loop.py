"""The event loop of those who have much to do: uvloop, where there is one (not on Windows), else Python's own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


def quick_loop() -> Callable[[], asyncio.AbstractEventLoop]:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop
    return uvloop.new_event_loop
