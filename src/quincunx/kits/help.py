"""What a kit tells of a game: actions by example, the main fields of `shown`, and one thing to read there.

It stands in the `kit.toml` of the game's folder. A game without one is asked itself: actions of a starting position,
and the fields of its view.
"""

from __future__ import annotations

from importlib.resources import files

import msgspec

from quincunx.core.words import Words
from quincunx.games import Game, package


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: str
    fr: str = ""
    en: str = ""

    @property
    def words(self) -> Words:
        return Words(self.fr, self.en)


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    fr: str = ""
    en: str = ""

    @property
    def words(self) -> Words:
        return Words(self.fr, self.en)


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing to read in `shown`: a number, or what some of a list have in their field `read`.

    Of the list those count whose fields are as `where` says; whose field `mine` is one's seat; whose field `others` is
    not; whose field `some` is more than 0.
    """

    fr: str
    en: str
    number: str = ""
    list: str = ""
    read: str = ""
    where: dict[str, str | bool] = {}
    mine: str = ""
    others: str = ""
    some: str = ""

    @property
    def words(self) -> Words:
        return Words(self.fr, self.en)


class GameHelp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    actions: tuple[Action, ...]
    fields: tuple[Field, ...]
    example: Example | None = None  # none: how many actions are legal


def help_of(game: Game) -> GameHelp:
    written = files(package(game.card.id)) / "kit.toml"
    if written.is_file():
        return msgspec.toml.decode(written.read_bytes(), type=GameHelp)
    return _found(game)


def _found(game: Game) -> GameHelp:
    world = game.new()
    seat = max(game.turn(world), 0)
    legal = game.legal(world, seat)
    some = legal[:: max(1, len(legal) // 4)][:4]
    shown = game.show(game.view(world, seat))
    return GameHelp(
        actions=tuple(Action(text) for text in game.texts(world, seat, some)),
        fields=tuple(Field(field.name) for field in msgspec.structs.fields(shown)),
    )
