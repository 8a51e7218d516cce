"""The words of all pages in one language, as a script: a search that needs no server, also from a memory stick.

quincunxWords([["rules/khet.html", "Khet", "A turn", "a-turn", "Move one piece …"], …])
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable

from documents.contents import Page
from documents.text import Text

MOST = 400  # characters of what stands below one heading


def words(texts: Iterable[tuple[Page, Text]], briefly: Container[str] = ()) -> str:
    """All of them; of the pages named in `briefly` the headings alone."""
    rows = [
        [page.address, text.title, heading.text if heading.level > 1 else "", heading.id if heading.level > 1 else "",
         "" if page.name in briefly else " ".join(" ".join(heading.words).split())[:MOST]]
        for page, text in texts
        for heading in text.headings
        if heading.words or heading.text
    ]  # fmt: skip
    return f"quincunxWords({json.dumps(rows, ensure_ascii=False, separators=(',', ':'))});\n"
