"""French is set as French is, in all that people read: no-break spaces before : ; ! ? % and inside « », ’ between
letters. The pages' own words have the same test beside their tables."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

HOME = Path(__file__).parent.parent
WRONG = re.compile(
    r"[^\u00a0\u202f\s][:;!?»](?=\s|$)|[ \n][:;!?»%](?=\s|$|[).,])|«(?![\u00a0\u202f])|[^\W\d_]'[^\W\d_]"
)
BLOCK = re.compile(r"^ *```(\w*).*?^ *```", re.MULTILINE | re.DOTALL)
BOARD = re.compile(r"^(game|position|options|play|setup|eye): .*|^caption: |^```.*", re.MULTILINE)
CODE = re.compile(r"`[^`]*`|\]\([^)\n]*\)|<!--.*?-->")


def french(tree: ast.AST) -> Iterator[ast.AST]:
    """The first argument of Words, tr and unfit, and what is called `fr` on its way there."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="Words" | "tr" | "unfit"), args=[first, *_]):
                yield first
            case ast.Assign(targets=[ast.Name(id="fr")], value=value):
                yield value
            case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(id="fr"), _])], value=ast.Tuple(elts=[first, _])):
                yield first


def test_words_of_the_program() -> None:
    said = [
        text.value
        for file in (HOME / "src").rglob("*.py")
        for words in french(ast.parse(file.read_text(encoding="utf-8")))
        for text in ast.walk(words)
        if isinstance(text, ast.Constant) and isinstance(text.value, str)
    ]
    assert len(said) > 500
    assert [text for text in said if WRONG.search(text)] == []


def prose(page: str) -> str:
    """What is said in it, captions of boards included, without code."""
    text = BLOCK.sub(lambda block: block[0] if block[1] == "board" else "", page)
    return CODE.sub("", BOARD.sub("", text))


def test_documents() -> None:
    files = list((HOME / "docs").rglob("*.fr.md"))
    pages = [prose(file.read_text(encoding="utf-8")) for file in files]
    assert len(pages) >= 28
    assert [found[0] for page in pages for found in re.finditer(rf".*(?:{WRONG.pattern}).*", page)] == []
