"""Which pages the site has, in which language each is written, and where it lies.

page name      document                    address
rules/khet     docs/rules/khet.fr.md       fr/rules/khet.html
glossary       docs/glossary.md            en/glossary.html        reference: in English only
ARCHITECTURE   ARCHITECTURE.md             en/ARCHITECTURE.html
generated/api  (written by generated.py)   en/generated/api.html
learn/khet     (written by lessons.py)     fr/learn/khet.html
"""

from __future__ import annotations

import posixpath
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

from documents import generated, lessons

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
LANGUAGES = ("fr", "en")
HOME = "index"


class Missing(Exception):
    """A page, a translation or the end of a link that is not there: one sentence for whoever writes."""


@dataclass(frozen=True)
class Page:
    name: str
    language: str
    source: str  # from the root of the repository; of what is generated, where it would lie

    @property
    def address(self) -> str:
        return f"{self.language}/{self.name}.html"

    @property
    def markdown(self) -> str:
        if made := generated.PAGES.get(self.name):
            return made()
        if self.name in lessons.names():
            return lessons.page(self.name, self.language)
        return (ROOT / self.source).read_text("utf-8")

    def to(self, address: str) -> str:
        """Another file of the site, as a link from here."""
        return posixpath.relpath(address, posixpath.dirname(self.address))


@dataclass(frozen=True)
class Section:
    titles: dict[str, str]
    names: tuple[str, ...]


class Contents:
    def __init__(self, file: Path = DOCS / "contents.toml") -> None:
        said = tomllib.loads(file.read_text("utf-8"))
        self.reference = frozenset(said["reference"])
        self.sections = [
            Section({language: each[language] for language in LANGUAGES}, tuple(each["pages"]))
            for each in said["section"]
        ]
        names = [HOME, *(name for section in self.sections for name in section.names)]
        self.pages = {(name, page.language): page for name in names for page in self._found(name)}
        self._by_source = {page.source: page for page in self.pages.values()}
        self._complain(names)

    def _found(self, name: str) -> list[Page]:
        if name in generated.PAGES:
            return [Page(name, "en", f"docs/{name}.md")]
        folder = "" if (ROOT / f"{name}.md").is_file() else "docs/"
        if (ROOT / f"{folder}{name}.md").is_file():
            return [Page(name, "en", f"{folder}{name}.md")]
        files = {language: f"docs/{name}.{language}.md" for language in LANGUAGES}
        made = name in lessons.names()
        return [Page(name, language, file) for language, file in files.items() if made or (ROOT / file).is_file()]

    def _complain(self, names: list[str]) -> None:
        for name in names:
            lacking = [language for language in LANGUAGES if (name, language) not in self.pages]
            if name in self.reference:
                lacking = [] if ("en", *lacking).count("en") == 1 else ["en"]
            if lacking:
                raise Missing(f"docs/contents.toml: {name} is missing in {' and '.join(lacking)}")
        listed = {page.source for page in self.pages.values()}
        for file in sorted(DOCS.rglob("*.md")):
            source = file.relative_to(ROOT).as_posix()
            if source not in listed:
                raise Missing(f"{source} is not in docs/contents.toml")
        for name in lessons.names():
            if (name, LANGUAGES[0]) not in self.pages:
                raise Missing(f"docs/contents.toml lacks {name}: the game has lessons")

    def at(self, source: str, reader: str) -> Page | None:
        """The page of a document; of reference, the one in the reader's menu."""
        page = self._by_source.get(source)
        return replace(page, language=reader) if page and page.name in self.reference else page

    def in_language(self, name: str, language: str) -> Page:
        """That page, or its English one."""
        return self.pages.get((name, language)) or self.pages[name, "en"]

    def order(self, language: str) -> list[Page]:
        """As one reads it from the first page to the last."""
        names = [HOME, *(name for section in self.sections for name in section.names)]
        return [self.in_language(name, language) for name in names]
