"""A page and its translation say the same: they have the same headings, blocks, lists and tables, in the same order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
PAIRS = sorted(page.relative_to(DOCS).as_posix().removesuffix(".en.md") for page in DOCS.rglob("*.en.md"))
BAR = re.compile(r"(?<!\\)[|]")
FENCE = re.compile(r"^ *```(\w*)")
DIFFERENT = {  # pages whose translation is made otherwise, and why
    "reference/chartichaud": "the French one has a row more: orders may be typed in French",
}


def outline(text: str) -> list[str]:
    """Headings by their level, blocks by their language and length, rows of tables by their cells, items of lists."""
    found: list[str] = []
    inside = False
    for line in text.splitlines():
        if fence := FENCE.match(line):
            inside = not inside
            found += [f"block {fence[1]}"] if inside else []
        elif inside:
            found[-1] += "."
        elif heading := re.match(r"#+ ", line):
            found.append(heading[0].strip())
        elif line.startswith("|"):
            found.append(f"row of {len(BAR.findall(line)) - 1}")
        elif re.match(r" *(?:-|\d+\.) ", line):
            found.append("item")
    return found


@pytest.mark.parametrize("pair", PAIRS)
def test_a_translation_has_all_parts_of_the_page(pair: str) -> None:
    english, french = (outline((DOCS / f"{pair}.{language}.md").read_text("utf-8")) for language in ("en", "fr"))
    assert (french == english) != (pair in DIFFERENT)


def test_every_exception_is_a_pair_of_pages() -> None:
    assert len(PAIRS) > 25 and set(DIFFERENT) <= set(PAIRS)
