"""The languages in which there is a kit: each a folder of templates, with a `language.toml` that says how its bot is
built and run, and how an example that reads the view is written in it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from quincunx.core.words import Words, expected

TEMPLATES = files("quincunx.kits") / "templates"
COMMON = "common"  # the folder of what all kits share
ABOUT = "language.toml"


class Snippets(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Code that reads the view and notes on stderr what it found; conditions are joined into `list`."""

    count: str  # how many actions are legal
    number: str  # a field of `shown` that is a number
    list: str  # of a field that is a list, what those have in `read` that meet the conditions
    joined: str  # between two conditions
    text: str
    true: str
    mine: str
    others: str
    some: str


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    idea: str  # the file of one's idea
    run: str  # the command, in the folder of the kit
    needs: Words
    tools: tuple[str, ...]  # command:package of Debian, as tools/system.sh takes them
    example: Snippets
    build: str = ""  # the command, if there is anything to build
    product: str = ""  # what it makes
    sources: str = ""  # what it is made of


@cache
def languages() -> tuple[str, ...]:
    """Their ids."""
    return tuple(sorted(folder.name for folder in TEMPLATES.iterdir() if (folder / ABOUT).is_file()))


@cache
def language(id: str) -> Language:
    if id not in languages():
        raise expected(Words("un langage parmi {}", "one of the languages {}").format(", ".join(languages())), id)
    return msgspec.toml.decode((TEMPLATES / id / ABOUT).read_bytes(), type=Language)


def templates(id: str) -> list[Traversable]:
    """The files that a kit of this language is made of, those that all share included."""
    own = [file for file in (TEMPLATES / id).iterdir() if file.is_file() and file.name != ABOUT]
    return own + [file for file in (TEMPLATES / COMMON).iterdir() if file.is_file()]
