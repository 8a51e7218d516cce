"""The notes of a release: what CHANGELOG.md says under its version, as a text that stands alone.

python tools/notes.py            of the version in src/quincunx/__init__.py
python tools/notes.py 0.1.0      of that one
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHANGELOG = ROOT / "CHANGELOG.md"
VERSION = ROOT / "src" / "quincunx" / "__init__.py"
HEADING = re.compile(r"^## \[(?P<version>[^\]]+)\] – (?P<date>.+)$", re.MULTILINE)
LINK = re.compile(r"\[([^\]]+)\]\((?!https?://)[^)]+\)")  # into the repository: where the notes are read, there is none


class Unsaid(Exception):
    """What the changelog does not say: one sentence for whoever releases."""


@dataclass(frozen=True)
class Entry:
    version: str
    date: str
    text: str

    @property
    def is_dated(self) -> bool:
        return re.fullmatch(r"\d{4}-\d\d-\d\d", self.date) is not None

    def notes(self) -> str:
        text = LINK.sub(r"\1", self.text).strip()
        return f"# Quincunx {self.version}\n\n{text}\n"


def version() -> str:
    """Read, not imported: whoever releases need not have us installed."""
    found = re.search(r'^__version__ = "([^"]+)"', VERSION.read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise Unsaid(f"{VERSION.relative_to(ROOT)} has no __version__.")
    return found[1]


def entries(changelog: str) -> list[Entry]:
    headings = list(HEADING.finditer(changelog))
    ends = [heading.start() for heading in headings[1:]] + [len(changelog)]
    return [
        Entry(heading["version"], heading["date"].strip(), changelog[heading.end() : end])
        for heading, end in zip(headings, ends, strict=True)
    ]


def entry_of(wanted: str, changelog: str) -> Entry:
    for entry in entries(changelog):
        if entry.version == wanted:
            if not entry.text.strip():
                raise Unsaid(f"CHANGELOG.md says nothing about {wanted}.")
            return entry
    raise Unsaid(f"CHANGELOG.md has no heading “## [{wanted}] – date”.")


def main(arguments: list[str]) -> int:
    try:
        wanted = arguments[0] if arguments else version()
        print(entry_of(wanted, CHANGELOG.read_text("utf-8")).notes(), end="")
    except Unsaid as unsaid:
        print(unsaid, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
