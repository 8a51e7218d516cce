"""What people read, in French and in English, and the refusal of what they wrote."""

from __future__ import annotations

from typing import Literal

import msgspec

Language = Literal["fr", "en"]


class Words(msgspec.Struct, frozen=True):
    """One sentence or name in both languages."""

    fr: str
    en: str

    def of(self, language: Language) -> str:
        """In one of the languages."""
        return self.fr if language == "fr" else self.en

    def format(self, *values: object, **named: object) -> Words:
        """The same sentence with `{}` filled in; a value that is Words itself speaks the language of its sentence."""
        return Words(_fill(self.fr, "fr", values, named), _fill(self.en, "en", values, named))


def _fill(text: str, language: Language, values: tuple[object, ...], named: dict[str, object]) -> str:
    spoken = [v.of(language) if isinstance(v, Words) else v for v in values]
    return text.format(*spoken, **{k: v.of(language) if isinstance(v, Words) else v for k, v in named.items()})


class Refused(ValueError):
    """What cannot be taken, and why: a stable code for programs, one sentence for people, and, where it is one of
    several things that were asked for, which one: a form says it there.

    It is raised by what must go on, and returned, as a value, by what only asks (`check`, the referee)."""

    def __init__(self, code: str, words: Words, field: str = "") -> None:
        super().__init__(words.en)
        self.code = code
        self.words = words
        self.field = field

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refused) and self._says() == other._says()

    def __hash__(self) -> int:
        return hash(self._says())

    def _says(self) -> tuple[str, Words, str]:
        return self.code, self.words, self.field

    def __reduce__(self) -> tuple[type[Refused], tuple[str, Words, str]]:
        """It also travels between processes."""
        return Refused, self._says()


def unfit(fr: str, en: str, *values: object) -> Refused:
    """A start that can be read, and from which no match may begin: what it still needs, for whoever is editing it."""
    return Refused("unreadable", Words(fr, en).format(*values), "setup")


def expected(what: Words, came: object, field: str = "") -> Refused:
    """The usual refusal: what is needed, and what came instead, if anything did."""
    if came in ("", (), [], None):
        return Refused("unreadable", Words("Il faut {}.", "This needs {}.").format(what), field)
    words = Words("Il faut {}, et non {}.", "This needs {}, not {}.").format(what, _quoted(came))
    return Refused("unreadable", words, field)


def _quoted(came: object) -> Words:
    """What somebody wrote as one quotes it, in a length that one reads; control characters stay visible."""
    text = repr(came)[1:-1] if isinstance(came, str) else repr(came)
    short = text if len(text) <= 60 else text[:57] + "…"
    return Words(f"« {short} »", f"“{short}”") if isinstance(came, str) else Words(short, short)
