"""What is said at the door, before the application sees anything: a status, a code and a sentence, on either kind of
connection."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from quincunx.core.words import Words

App = Callable[[Any, Any, Any], Awaitable[None]]


async def turn_away(scope: Any, send: Any, headers: dict[str, str], status: int, code: str, words: Words) -> None:
    body = msgspec.json.encode({"code": code, "words": words})
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    encoded += [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    kind = "http" if scope["type"] == "http" else "websocket.http"
    if kind == "websocket.http" and "websocket.http.response" not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close", "code": 4000 + status, "reason": code[:60]})
        return
    await send({"type": f"{kind}.response.start", "status": status, "headers": encoded})
    await send({"type": f"{kind}.response.body", "body": body})
