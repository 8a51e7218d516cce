"""A server that lies below a path of a larger site: https://example.org/games/. The proxy passes addresses on as they
are.

What asks whether we live, and the metrics, are found at the root too: whoever asks sits behind the proxy.
"""

from __future__ import annotations

from typing import Any

from quincunx.core.words import Words
from quincunx.server.turning_away import App, turn_away

AT_THE_ROOT = ("/health", "/ready", "/metrics")
ELSEWHERE = Words("Il n’y a rien à cette adresse ; voir {}/.", "There is nothing at this address; see {}/.")


def below(app: App, base: str, headers: dict[str, str]) -> App:
    """The application, which itself knows nothing of where it lies."""
    raw_base = base.encode()

    async def rooted(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket") or scope["path"] in AT_THE_ROOT:
            return await app(scope, receive, send)
        path, raw = scope["path"], scope.get("raw_path") or b""
        if path == base or path.startswith(f"{base}/"):
            inner = {**scope, "path": path[len(base) :] or "/"}
            if raw.startswith(raw_base):
                inner["raw_path"] = raw[len(raw_base) :] or b"/"
            return await app(inner, receive, send)
        if path == "/" and scope["type"] == "http":
            return await _lead(send, base, headers)
        await turn_away(scope, send, headers, 404, "not_found", ELSEWHERE.format(base))

    return rooted


async def _lead(send: Any, base: str, headers: dict[str, str]) -> None:
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    encoded += [(b"location", f"{base}/".encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 307, "headers": encoded})
    await send({"type": "http.response.body", "body": b""})
