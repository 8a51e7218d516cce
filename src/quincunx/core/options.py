"""Options and presets as data: pages, commands and documentation are made from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from quincunx.core.words import Words, expected

Value = bool | int | str


class Choice(msgspec.Struct, frozen=True):
    name: str
    label: Words


class Option(msgspec.Struct, frozen=True):
    """One thing that is agreed before a match."""

    name: str
    type: Literal["bool", "int", "choice"]
    default: Value
    label: Words
    low: int = 0  # of an int
    high: int = 0
    choices: tuple[Choice, ...] = ()  # of a choice
    foremost: bool = False  # asked for on the first screen of a form; the others are folded away

    def accept(self, value: object) -> Value:
        """The value, or a refusal that names what was expected."""
        if self.type == "bool" and isinstance(value, bool):
            return value
        if self.type == "int" and isinstance(value, int) and not isinstance(value, bool) and self._in_range(value):
            return value
        if self.type == "choice" and isinstance(value, str) and any(value == c.name for c in self.choices):
            return value
        raise expected(self._wanted(), value, f"options.{self.name}")

    def read(self, text: str) -> Value:
        """The value that somebody typed."""
        word = text.strip().lower()
        if self.type == "bool" and word in ("on", "true", "yes", "oui", "1", "off", "false", "no", "non", "0"):
            return word in ("on", "true", "yes", "oui", "1")
        if self.type == "int" and len(word) <= 20 and word.removeprefix("-").isdecimal():
            return self.accept(int(word))
        return self.accept(text.strip())

    def _in_range(self, value: int) -> bool:
        return self.low <= value <= self.high

    def _wanted(self) -> Words:
        if self.type == "bool":
            return Words("on ou off pour {0}", "on or off for {0}").format(self.name)
        if self.type == "int":
            between = Words("un nombre de {1} à {2} pour {0}", "a number from {1} to {2} for {0}")
            return between.format(self.name, self.low, self.high)
        names = ", ".join(c.name for c in self.choices)
        return Words("un choix parmi {1} pour {0}", "one of {1} for {0}").format(self.name, names)


class Preset(msgspec.Struct, frozen=True):
    """A named set of options; what it does not mention has its default."""

    name: str
    label: Words
    options: dict[str, Value] = {}


class Setup(msgspec.Struct, frozen=True):
    """A named starting position or map, as text."""

    name: str
    label: Words
    text: str


class Length(msgspec.Struct, frozen=True):
    """How long a match is to be, as a form offers it: a map and options on top of the preset that somebody chose. A
    preset that says the same options (Garden's `quick`) is a length of its own, and none of these."""

    name: Literal["short", "normal", "long"]
    label: Words
    text: Words  # what one gets
    setup: str | None = None  # None: drawn, or the game's own start
    options: dict[str, Value] = {}
    usual: bool = False  # chosen until somebody chooses; a form's matter: rules, programs and records know presets only


def short(text: Words, setup: str | None = None, usual: bool = False, **options: Value) -> Length:
    return Length("short", Words("Courte", "Short"), text, setup, options, usual)


def normal(text: Words, setup: str | None = None, usual: bool = False, **options: Value) -> Length:
    return Length("normal", Words("Normale", "Normal"), text, setup, options, usual)


def long(text: Words, setup: str | None = None, usual: bool = False, **options: Value) -> Length:
    return Length("long", Words("Longue", "Long"), text, setup, options, usual)


def settle(
    options: Sequence[Option], presets: Sequence[Preset], preset: str | None, given: Mapping[str, Any]
) -> dict[str, Value]:
    """Every option with its value: the default, the preset's, or the one given. Refuses what nobody offers."""
    chosen = presets[0] if preset is None else next((p for p in presets if p.name == preset), None)
    if chosen is None:
        raise expected(Words("un préréglage parmi {}", "one of the presets {}").format(_names(presets)), preset)
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise expected(Words("une option parmi {}", "one of the options {}").format(_names(options) or "—"), name)
    values = {option.name: option.default for option in options} | chosen.options | dict(given)
    return {name: known[name].accept(value) for name, value in values.items()}


def read_options(options: Sequence[Option], pairs: Sequence[str]) -> dict[str, Value]:
    """`name=value` texts, as a command line gives them."""
    values: dict[str, Value] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        option = next((o for o in options if o.name == name.strip()), None)
        if not equals:
            raise expected(Words("nom=valeur", "name=value"), pair)
        if option is None:
            raise expected(Words("une option parmi {}", "one of the options {}").format(_names(options) or "—"), name)
        values[option.name] = option.read(text)
    return values


def _names(named: Sequence[Option | Preset | Setup]) -> str:
    return ", ".join(n.name for n in named)


def find_setup(setups: Sequence[Setup], name: str) -> Setup:
    found = next((s for s in setups if s.name == name), None)
    if found is None:
        raise expected(Words("une position parmi {}", "one of the setups {}").format(_names(setups) or "—"), name)
    return found
