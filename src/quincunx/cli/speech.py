"""Which language the terminal speaks: `--lang`, otherwise the locale's; French if that is French, else English."""

from __future__ import annotations

import os
import sys

from rich.console import Console

from quincunx.core.words import Language, Words

_spoken: Language = "en"

out = Console(highlight=False)
errors = Console(stderr=True, highlight=False)


def choose_language(arguments: list[str]) -> list[str]:
    """Takes `--lang fr` or `--lang=fr` out of the arguments, wherever it stands."""
    global _spoken
    rest: list[str] = []
    asked = None
    words = iter(arguments)
    for word in words:
        if word == "--lang":
            asked = next(words, "")
        elif word.startswith("--lang="):
            asked = word.removeprefix("--lang=")
        else:
            rest.append(word)
    if asked not in (None, "fr", "en"):
        errors.print(
            f"This needs --lang fr or --lang en, not {asked!r}. / Il faut --lang fr ou --lang en.", soft_wrap=True
        )
        sys.exit(2)
    _spoken = _of_locale() if asked is None else "fr" if asked == "fr" else "en"
    return rest


def _of_locale() -> Language:
    named = next((os.environ[n] for n in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(n)), "")
    if not named and sys.platform == "win32":
        import locale

        named = (locale.getlocale()[0] or "").lower()
    return "fr" if named.lower().startswith("fr") else "en"


def language() -> Language:
    return _spoken


def tr(fr: str, en: str) -> str:
    """One of the two, for texts that are needed in the spoken language only."""
    return fr if _spoken == "fr" else en


def say(words: Words) -> None:
    out.print(words.of(_spoken), markup=False)


def complain(words: Words) -> None:
    errors.print(words.of(_spoken), style="red", markup=False, soft_wrap=True)
