"""The built pages (`web/` builds them into the folder `pages/`), from memory: what has a hash in its name is cached for
ever, compressed twins are used, and the addresses that the pages themselves understand get `index.html`. Documents come
without twins: each is compressed when it is asked for first.

As long as nothing is built there is one page that says how to, and which games there are.
"""

from __future__ import annotations

import asyncio
import gzip
import mimetypes
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from quincunx.games import cards

FOLDER = Path(__file__).with_name("pages")
SITE = Path(__file__).with_name("site")  # the documents, under /docs: tools/docs.py builds them
ROUTES = (
    "",
    "new",
    "join",
    "match",
    "replay",
    "study",
    "editor",
    "records",
    "rules",
    "learn",
    "puzzles",
    "contest",
    "contests",
    "classroom",
    "me",
    "lobby",
    "watch",
    "class",
)  # first words of their own addresses
NOT_PAGES = ("api", "ws", "schema", "metrics", "health", "ready")
FOR_EVER = "public, max-age=31536000, immutable"
ENCODINGS = {"br": ".br", "gzip": ".gz"}  # the better one first
SMALL = 1400  # bytes that go as they are
PLAIN = ("text/", "application/json", "application/wasm", "application/manifest", "image/svg")  # what becomes smaller


class Page(msgspec.Struct, frozen=True):
    content: bytes
    media_type: str
    caching: str
    tag: str
    packed: dict[str, bytes] = {}


def files(folder: Path) -> dict[str, Page]:
    found = {}
    for file in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if file.is_file() and file.suffix not in ENCODINGS.values():
            path = file.relative_to(folder).as_posix()
            twins = {name: Path(f"{file}{end}") for name, end in ENCODINGS.items()}
            packed = {name: twin.read_bytes() for name, twin in twins.items() if twin.is_file()}
            found[path] = _page(file.read_bytes(), _media_type(file), path.startswith("assets/"), packed)
    return found


@cache
def documents(folder: Path) -> dict[str, Page]:
    return files(folder)


@cache
def built(folder: Path, base: str = "") -> dict[str, Page]:
    """Everything that may be served, by its path: what is not in here does not exist. `base` is the path of a larger
    site below which it lies."""
    found = files(folder)
    if "index.html" not in found:
        found["index.html"] = _page(_not_built().encode(), "text/html", False)
        found["plain.css"] = _page(STYLE.encode(), "text/css", False)
    if base:  # the first page alone has addresses in it; from there on, files name each other by where they are
        content = found["index.html"].content.replace(b'="/', f'="{base}/'.encode())
        found["index.html"] = _page(content, "text/html", False)
    return found


def _page(content: bytes, media_type: str, hashed: bool, packed: dict[str, bytes] | None = None) -> Page:
    tag = f'"{sha256(content).hexdigest()[:16]}"'
    return Page(content, media_type, FOR_EVER if hashed else "no-cache", tag, packed or {})


def _media_type(file: Path) -> str:
    guessed = {
        ".js": "text/javascript",
        ".wasm": "application/wasm",  # browsers compile nothing else while it comes
        ".webmanifest": "application/manifest+json",
    }.get(file.suffix)
    return guessed or mimetypes.guess_type(file.name)[0] or "application/octet-stream"


@get(["/", "/{path:path}"], include_in_schema=False)
async def page(request: Request[Any, Any, Any], path: FromPath[str] = "") -> Response[bytes]:
    name = path.strip("/")
    first = name.partition("/")[0]
    if first in NOT_PAGES:
        raise NotFoundException
    if first == "docs":
        return await _document(request, name)
    pages = built(FOLDER, request.app.state.get("base_path", ""))
    if name in pages:
        return _answer(request, pages[name], 200)
    if "." in name.rpartition("/")[2]:  # a file, and there is none
        raise NotFoundException
    return _answer(request, pages["index.html"], 200 if first in ROUTES else 404)


async def _document(request: Request[Any, Any, Any], name: str) -> Response[bytes]:
    """The site of documents; its files name each other by where they are, so an address must end in a file's name."""
    pages = documents(SITE)
    inside = name.partition("/")[2]
    if inside in pages:
        return _answer(request, await _with_twin(pages[inside]), 200)
    index = f"{inside}/index.html".lstrip("/")
    if index not in pages:
        raise NotFoundException
    to = f"{request.app.state.get('base_path', '')}/docs/{index}"
    return Response(b"", status_code=307, headers={"Location": to}, media_type="text/html")


_twins: dict[str, bytes] = {}  # by the tags of what they were made from


async def _with_twin(page: Page) -> Page:
    if page.packed or len(page.content) < SMALL or not page.media_type.startswith(PLAIN):
        return page
    if page.tag not in _twins:
        _twins[page.tag] = await asyncio.to_thread(gzip.compress, page.content, 6)
    return msgspec.structs.replace(page, packed={"gzip": _twins[page.tag]})


def _answer(request: Request[Any, Any, Any], page: Page, status: int) -> Response[bytes]:
    headers = {"Cache-Control": page.caching, "ETag": page.tag}
    if page.packed:
        headers["Vary"] = "Accept-Encoding"
    if status == 200 and page.tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers, media_type=page.media_type)
    content = page.content
    wanted = {part.partition(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}
    for encoding, packed in page.packed.items():
        if encoding in wanted:
            content, headers["Content-Encoding"] = packed, encoding
            break
    return Response(content, status_code=status, headers=headers, media_type=page.media_type)


# -- before they are built ------------------------------------------------------------------------------------------

STYLE = """
:root { color-scheme: light dark }
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem }
h1 { font-size: 2rem }
h1::before { content: "⁙ " }
section { margin-top: 2rem }
code { font-size: 1em; padding: 0 .3em; border: 1px solid; border-radius: .3em }
li { margin: .4rem 0 }
"""


def _not_built() -> str:
    def games(language: str) -> str:
        shown = [(getattr(card.name, language), getattr(card.summary, language)) for card in cards()]
        return "".join(f"<li><b>{escape(name)}</b> — {escape(summary)}</li>" for name, summary in shown)

    return f"""<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Quincunx</title>
<link rel="stylesheet" href="/plain.css">
</head>
<body>
<h1>Quincunx</h1>
<section lang="fr">
<p>Le serveur est prêt, mais les pages ne sont pas encore construites. Construisez-les avec <code>make pages</code>,
puis relancez le serveur. En attendant, <code>quincunx play</code> joue dans le terminal.</p>
<ul>{games("fr")}</ul>
</section>
<section lang="en">
<p>The server is ready, but its pages are not built yet. Build them with <code>make pages</code>, then start the server
again. Meanwhile <code>quincunx play</code> plays in the terminal.</p>
<ul>{games("en")}</ul>
</section>
</body>
</html>
"""


HANDLERS = (page,)
