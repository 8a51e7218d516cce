"""Starter kits: a folder with a bot that plays, in the language of one's choice, and one place for one's idea.

A language is a folder of `templates/` with a `language.toml`; what a kit tells of a game is the `kit.toml` of the
game's own folder, if it has one. Neither is listed anywhere else.
"""

from quincunx.kits.languages import Language, language, languages
from quincunx.kits.writing import write_kit

__all__ = ["Language", "language", "languages", "write_kit"]
