"""One document as HTML: its headings can be linked to, its links lead to pages of the site, its code has colours, and
its ```board blocks are places for live boards."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from documents.boards import Board
from documents.contents import ROOT, Contents, Missing, Page
from documents.generated import anchor

OTHER = re.compile(r"^\*\[.*\]\(\w+\.\w+\.md\)\*$", re.MULTILINE)  # the site has a switch for it
OUTSIDE = re.compile(r"^(https?:|mailto:)")
MARKED = re.compile(r'<span class="c-(\w+)">([^<]*)</span>')
COLOURED = frozenset(re.findall(r"\.c-(\w+)", Path(__file__).with_name("site.css").read_text("utf-8")))
PICTURES = (".jpg", ".svg", ".png", ".webp")
COPIED = (".json", ".jsonl", ".py", ".c", ".cc", ".toml", ".conf")


@dataclass
class Heading:
    level: int
    id: str
    text: str
    words: list[str] = field(default_factory=list)  # of what stands below it, for the search


@dataclass
class Text:
    title: str
    html: str
    headings: list[Heading]
    links: list[tuple[str, str]]  # file of the site, and what stands after its #
    boards: list[Board]
    files: set[str]  # of the repository, which the site carries along


class Reader:
    """Reads one document."""

    def __init__(self, page: Page, contents: Contents) -> None:
        self.page, self.contents = page, contents
        self.headings = [Heading(1, "", "")]
        self._level = 0
        self.links: list[tuple[str, str]] = []
        self.boards: list[Board] = []
        self.files: set[str] = set()

    def read(self) -> Text:
        markdown = MarkdownIt("commonmark", {"html": False}).enable("table").enable("strikethrough")
        markdown.renderer.rules["fence"] = markdown.renderer.rules["code_block"] = self._fence  # type: ignore[attr-defined]
        tokens = markdown.parse(_without_comments(OTHER.sub("", self.page.markdown, count=1)))
        self._walk(tokens)
        html = markdown.renderer.render(tokens, markdown.options, {})
        html = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", html)  # an empty heading heads nothing
        html = re.sub(
            r"<table>(.*?)</table>", r'<div class="scroll" tabindex="0"><table>\1</table></div>', html, flags=re.S
        )
        pair = r'(<p>(?:(?!<p>).)*?</p>)\s*(<figure class="live".*?</figure>)'
        html = re.sub(pair, r'<div class="pair">\1\2</div>', html, flags=re.DOTALL)  # an idea and its board
        titles = [heading.text for heading in self.headings if heading.level == 1 and heading.text]
        if not titles:
            raise Missing(f"{self.page.source} has no title")
        return Text(titles[0], html, self.headings, self.links, self.boards, self.files)

    def _walk(self, tokens: Sequence[Token]) -> None:
        taken: set[str] = set()
        for number, token in enumerate(tokens):
            if token.type == "heading_open":
                said = _plain(tokens[number + 1])
                name = anchor(said)
                while name in taken:
                    name += "-1"
                taken.add(name)
                token.attrSet("id", name)
                level = min(int(token.tag[1]), self._level + 1)  # no step is left out, or a screen reader stumbles
                token.tag = tokens[number + 2].tag = f"h{level}"
                self._level = level
                self.headings.append(Heading(level, name, said))
            elif token.type == "inline" and tokens[number - 1].type != "heading_open":
                self.headings[-1].words.append(_plain(token))
            for child in token.children or ():
                if child.type in ("link_open", "image"):
                    self._lead(child)
            token.children = _source_spans(token.children or []) or token.children

    def _lead(self, token: Token) -> None:
        """Where a link of the document leads on the site."""
        attribute = "src" if token.type == "image" else "href"
        href = str(token.attrGet(attribute))
        if OUTSIDE.match(href):
            return
        path, _, place = href.partition("#")
        source = posixpath.normpath(posixpath.join(posixpath.dirname(self.page.source), path)) if path else ""
        page = self.contents.at(source, self.page.language) if path else self.page
        if page:
            address = page.address
            self.links.append((address, unquote(place)))
            token.attrSet(attribute, (self.page.to(address) if path else "") + (f"#{place}" if place else ""))
        elif not (ROOT / source).exists():
            raise Missing(f"{self.page.source} links to {href}, which is not there")
        elif token.type == "image" and not source.endswith(PICTURES):
            raise Missing(f"{self.page.source} shows {href}, which is no picture that the site carries")
        elif source.endswith(PICTURES) or (source.startswith("docs/") and source.endswith(COPIED)):
            self.files.add(source)
            token.attrSet(attribute, self.page.to(carried(source)))
        elif source.endswith(".md"):
            raise Missing(f"{self.page.source} links to {source}, which is not in docs/contents.toml")
        else:  # a file of the sources: named, not linked to
            token.attrs = {"class": "source", "title": source}
            token.meta = {"source": True}

    def _fence(self, tokens: Sequence[Token], index: int, *rest: Any) -> str:
        token = tokens[index]
        kind = token.info.split(" ")[0] if token.info else "text"
        if kind == "board":
            board = Board.of(self.page, token.content)
            self.boards.append(board)
            return board.figure
        try:
            lexer = get_lexer_by_name({"actions": "text", "position": "text"}.get(kind, kind))
            inside = _lightly(highlight(token.content, lexer, HtmlFormatter(nowrap=True, classprefix="c-")))
        except ClassNotFound:
            inside = escape(token.content)
        return f'<div class="code"><pre tabindex="0"><code class="{escape(kind)}">{inside}</code></pre></div>\n'


def carried(source: str) -> str:
    """Where a file of the repository lies on the site."""
    return f"files/{source.removeprefix('docs/')}"


def _lightly(code: str) -> str:
    """Without the marks that have no colour, a tenth of the whole site."""
    return MARKED.sub(lambda mark: mark[0] if mark[1] in COLOURED else mark[2], code)


def _source_spans(children: list[Token]) -> list[Token]:
    """A link without an end is a name: <span class="source">."""
    open_spans: list[bool] = []
    for child in children:
        if child.type == "link_open":
            open_spans.append(bool(child.meta.get("source")))
            if open_spans[-1]:
                child.tag = "span"
        elif child.type == "link_close" and open_spans.pop():
            child.tag = "span"
    return children


def _plain(token: Token) -> str:
    return "".join(child.content for child in token.children or () if child.type in ("text", "code_inline")) or (
        "" if token.children else token.content
    )


def _without_comments(text: str) -> str:
    return re.sub(r"^<!--.*?-->\n?", "", text, flags=re.MULTILINE | re.DOTALL)
