"""The rules of a game as text: what people read on its page, and the details; shipped with the package."""

from __future__ import annotations

import re
from pathlib import Path

from quincunx.core.words import Language, Refused, Words

SHIPPED = Path(__file__).parent / "texts"  # in an installed package; in the sources they are where people read them
SOURCES = Path(__file__).parents[3] / "docs"
BOARD = re.compile(r"^```board\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
OTHER_LANGUAGE = re.compile(r"^\*\[.*\]\(.*\.md\)\*\n\n", re.MULTILINE)
MISSING = Words("Les règles de {} ne sont pas là.", "The rules of {} are not here.")


def rules_of(game: str, language: Language) -> str:
    """Both documents; of a board that the page draws, its caption."""
    folder = SHIPPED if SHIPPED.is_dir() else SOURCES
    files = [folder / part / f"{game}.{language}.md" for part in ("rules", "reference")]
    texts = [file.read_text("utf-8") for file in files if file.is_file()]
    if not texts:
        raise Refused("no_rules", MISSING.format(game))
    return BOARD.sub(_caption, OTHER_LANGUAGE.sub("", "\n\n".join(texts)))


def _caption(block: re.Match[str]) -> str:
    said = dict(line.split(": ", 1) for line in block[1].splitlines() if ": " in line)
    played = f" (`{said['play']}`)" if "play" in said else ""
    return f"*{said.get('caption', '').strip()}*{played}\n"
