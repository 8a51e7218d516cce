"""Writes a kit: the templates of its language, filled with what it tells of its game.

A line that ends in {{a name}} becomes as many lines as that has, each with what stands before it; so templates are
files of their language, with names in comments. The example is code: it takes the place of the whole comment.
"""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import wrap

from quincunx.core.words import Language as Spoken
from quincunx.core.words import Refused, Words
from quincunx.games import load
from quincunx.kits.help import Example, GameHelp, help_of
from quincunx.kits.languages import Language, language, templates

NAMED = re.compile(r"\{\{(\w+)\}\}")
LAST = re.compile(r"(.*)\{\{(\w+)\}\}")
CODE = "example"  # the one name that stands for code
README = re.compile(r"README\.(fr|en)\.md")
MAKEFILE = "Makefile"
WIDTH = 110  # of a comment

TITLE = Words(
    "Votre idée pour {game} : choisir une des actions permises.",
    "Your idea for {game}: choose one of the legal actions.",
)
ACTIONS = Words("Ce qu’est une action :", "What an action is:")
FIELDS = Words("Ce que dit view.shown, entre autres :", "What view.shown says, among other things:")
LEGAL = Words("actions permises", "legal actions")
LABEL = Words("{} :", "{}:")
OR_MAKE = Words(
    "# la première ligne construit le bot (ou make), la seconde le lance",
    "# the first line builds the bot (so does make), the second one starts it",
)


def write_kit(id: str, made_in: str, folder: Path, spoken: Spoken) -> Language:
    """A kit for the game of that id, into a folder that is not there yet, or is empty."""
    game, chosen = load(id, "interpreted"), language(made_in)
    told = help_of(game)
    values = {
        "id": game.card.id,
        "game": game.card.name.of(spoken),
        "language": chosen.name,
        "idea": chosen.idea,
        "needs": chosen.needs.of(spoken),
        "run": chosen.run,
        "build": chosen.build,
        "build_lines": f"{OR_MAKE.of(spoken)}\n{chosen.build}\n{chosen.run}" if chosen.build else chosen.run,
        "product": chosen.product,
        "sources": chosen.sources,
        "title": TITLE.format(game=game.card.name).of(spoken),
        "help": _comment(told, spoken),
        "actions": "\n".join(_row(each.text, each.words, spoken) for each in told.actions),
        "fields": "\n".join(_row(each.name, each.words, spoken) for each in told.fields),
        CODE: example(chosen, told.example, spoken),
    }
    texts = {file.name: file.read_text("utf-8") for file in templates(made_in)}
    if not chosen.build:
        del texts[MAKEFILE]
    _write(folder, {_name(name, spoken): fill(text, values) for name, text in texts.items() if _name(name, spoken)})
    return chosen


def _name(name: str, spoken: Spoken) -> str:
    """Of a template in the kit; none for a README in the other language."""
    found = README.fullmatch(name)
    return name if found is None else "README.md" if found[1] == spoken else ""


def _row(name: str, words: Words, spoken: Spoken) -> str:
    return f"| `{name}` | {words.of(spoken)} |"


def _comment(told: GameHelp, spoken: Spoken) -> str:
    """For the file of one's idea."""
    actions = _listed([(each.text, each.words.of(spoken)) for each in told.actions])
    fields = _listed([(each.name, each.words.of(spoken)) for each in told.fields])
    return "\n".join([ACTIONS.of(spoken), *actions, "", FIELDS.of(spoken), *fields])


def _listed(rows: list[tuple[str, str]]) -> list[str]:
    """Names in one column, and what they mean in another."""
    widest = max(len(name) for name, _ in rows)
    lines: list[str] = []
    for name, meaning in rows:
        margin = " " * (widest + 4)
        lines += wrap(meaning, WIDTH, initial_indent=f"  {name:{widest}}  ", subsequent_indent=margin) or [f"  {name}"]
    return lines


def example(chosen: Language, asked: Example | None, spoken: Spoken) -> str:
    """Code of that language that reads what is asked for, and notes it on stderr."""
    written = chosen.example
    if asked is None:
        return fill(written.count, {"label": LABEL.format(LEGAL).of(spoken)})
    label = LABEL.format(asked.words).of(spoken)
    if asked.number:
        return fill(written.number, {"label": label, "field": asked.number})
    conditions = [
        fill(written.true, {"field": name}) if value is True else fill(written.text, {"field": name, "value": value})
        for name, value in asked.where.items()
        if isinstance(value, str) or value
    ]
    for snippet, name in ((written.mine, asked.mine), (written.others, asked.others), (written.some, asked.some)):
        conditions += [fill(snippet, {"field": name})] if name else []
    values = {"label": label, "list": asked.list, "read": asked.read, "conditions": written.joined.join(conditions)}
    return fill(written.list, values)


def fill(text: str, values: dict[str, str]) -> str:
    return "\n".join(_filled(line, values) for line in text.split("\n"))


def _filled(line: str, values: dict[str, str]) -> str:
    last = LAST.fullmatch(line)
    if last is not None and not NAMED.search(last[1]):
        before, name = last.groups()
        if name == CODE:
            before = before[: len(before) - len(before.lstrip())]
        return "\n".join((before + each).rstrip() for each in values[name].split("\n"))
    return NAMED.sub(lambda found: values[found[1]], line)


def _write(folder: Path, texts: dict[str, str]) -> None:
    try:
        if folder.exists() and any(folder.iterdir()):
            words = Words("Le dossier {} n’est pas vide.", "The folder {} is not empty.")
            raise Refused("not_empty", words.format(folder))
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        words = Words("Le dossier {} ne peut pas être écrit ({}).", "The folder {} cannot be written ({}).")
        raise Refused("unwritable_file", words.format(folder, error.strerror)) from None
