"""Builds the whole site into a folder, and says what is wrong with it: links to nowhere, pages without a translation.

Every page stands twice, once in the menu of each language, so that a reader stays in theirs; a page of reference is the
same English text in both.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

from documents.contents import HOME, LANGUAGES, ROOT, Contents, Missing, Page
from documents.layout import Layout
from documents.search import words
from documents.text import Reader, Text, carried

HERE = Path(__file__).parent
STAMP = ".built"  # what it was built from, as soon as it is whole
STYLES = "site.css"
ASSETS = ("site.js", "theme.js", "icon.svg")
IMPLIED = re.compile("</(?:td|th|tr|li)>")  # ends that HTML lets one leave out: a twentieth of the site
FIRST = """<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Quincunx</title>
<script src="theme.js"></script>
<script src="first.js"></script>
<link rel="stylesheet" href="site.css">
</head>
<body class="first"><main><h1>⁙ Quincunx</h1>
<p><a href="fr/index.html" lang="fr">Français</a> · <a href="en/index.html" lang="en">English</a></p></main></body>
</html>
"""


def read_all(contents: Contents) -> dict[Page, Text]:
    texts = {}
    for page in contents.pages.values():
        for reader in LANGUAGES if page.name in contents.reference else (page.language,):
            seen = replace(page, language=reader)
            texts[seen] = Reader(seen, contents).read()
    return texts


def check_links(texts: dict[Page, Text]) -> None:
    places = {page.address: {heading.id for heading in text.headings} for page, text in texts.items()}
    for page, text in texts.items():
        for address, place in text.links:
            if address not in places:
                raise Missing(f"{page.source} links to {address}, which is not there")
            if place and place not in places[address]:
                raise Missing(f"{page.source} links to {address}#{place}: no such heading")


def build(folder: Path) -> dict[Page, Text]:
    """All but the boards' scripts, which tools/docs.py builds with the pages' own tools."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / STAMP).is_file():
        raise Missing(f"{folder} has something else in it: name an empty folder, or none")
    contents = Contents()
    texts = read_all(contents)
    check_links(texts)
    shutil.rmtree(folder, ignore_errors=True)
    _write(folder / STAMP, "")
    titles = {(page.name, page.language): text.title for page, text in texts.items()}
    layout = Layout(contents, titles, STYLES)
    for page, text in texts.items():
        _write(folder / page.address, IMPLIED.sub("", layout.page(page, text, page.language)))
        for source in text.files:
            _copy(ROOT / source, folder / carried(source))
    boards = {board.address: board for text in texts.values() for board in text.boards}
    for address, board in boards.items():
        (folder / address).parent.mkdir(parents=True, exist_ok=True)
        (folder / address).write_bytes(board.frames())
    for language in LANGUAGES:
        own = [(page, text) for page, text in texts.items() if page.language == language]
        briefly = (
            contents.reference if language != "en" else frozenset()
        )  # English to a reader of French: headings only
        _write(folder / f"words.{language}.js", words(own, briefly))
    _write(folder / STYLES, (HERE / STYLES).read_text("utf-8"))
    for name in ASSETS:
        _copy(HERE / name, folder / name)
    _write(folder / "index.html", FIRST)
    _copy(HERE / "first.js", folder / "first.js")
    return texts


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def _copy(source: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, to)


__all__ = ["HOME", "ROOT", "build", "check_links", "read_all"]
