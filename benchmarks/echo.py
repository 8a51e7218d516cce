"""A server that does nothing but say yes to every move, in our words: the limit of the clients that play on it.

python benchmarks/echo.py PORT
"""

from __future__ import annotations

import asyncio
import sys
from typing import cast

UPDATE = b'{"type":"update","n":1,"padding":"' + b"." * 1400 + b'"}'  # as long as one of Connect Four
MADE = b'{"id":"echo","code":"ABCDEF","seats":[{"seat":0,"token":"a"},{"seat":1,"token":"b"}]}'
UPGRADE = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"


def frame(text: bytes) -> bytes:
    head = bytes((0x81, len(text))) if len(text) < 126 else bytes((0x81, 126)) + len(text).to_bytes(2)
    return head + text


WELCOME, PONG = frame(b'{"type":"welcome","fog":false}'), frame(b'{"type":"pong"}')
UPDATES = 2 * frame(UPDATE)  # one for each seat


class Echo(asyncio.Protocol):
    """Messages are short and come whole, because a client waits for each answer."""

    upgraded = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        if self.upgraded:
            self.transport.write(self.answer(data[6 if data[1] & 127 < 126 else 8 :]))
        elif data.startswith(b"POST"):
            self.hand_out("201 Created", MADE)
        elif b"pgrade: websocket" in data:
            self.upgraded = True
            self.transport.write(UPGRADE)
        else:
            self.hand_out("200 OK", b"{}")  # also to who asks whether a game is compiled

    def hand_out(self, status: str, body: bytes) -> None:
        head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        self.transport.write(head.encode() + body)
        self.transport.close()

    def answer(self, text: bytes) -> bytes:
        if text.startswith(b'{"type":"play"'):
            id = text[len(b'{"type":"play","id":"') : text.index(b'","seat"')]
            return frame(b'{"type":"accepted","id":"' + id + b'"}') + UPDATES
        return WELCOME if text.startswith(b'{"type":"hello"') else PONG


async def main(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Echo, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
