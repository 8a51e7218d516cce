"""What a seat is shown, as text: the board, whose turn it is, the clocks, and the story since it last looked.

    a  b  c  d  e  f  g
2   ·  ·  ·  r  ·  ·  ·       · empty   ~ out of sight   # wall; other grounds by their first letters, (fo) forest
1   ·  ·  y  y  ·  ·  ·
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from quincunx.core.card import Card
from quincunx.core.words import Language, Words
from quincunx.mcp.table import Table

SIGNS = {"": "·", "unknown": "~", "wall": "#"}
MEANINGS = {"": Words("vide", "empty"), "unknown": Words("hors de vue", "out of sight"), "wall": Words("mur", "wall")}
END = (".", "!", "?", "…")
MOST_LINES = 80  # of a story: the latest

HEAD = Words("{}, partie {}. Vous êtes {} (place {}).", "{}, match {}. You are {} (seat {}).")
YOURS = Words("C’est à vous de jouer.", "It is your turn.")
THEIRS = Words("C’est à {} de jouer.", "It is the turn of {}.")
OPEN = Words(
    "La partie attend encore un joueur : {}", "The match still waits for a player: {}"
)  # fmt: skip
OVER = Words("La partie est finie. {} {}", "The match is over. {} {}")
WON = Words("Vous avez gagné.", "You have won.")
LOST = Words("Vous avez perdu (rang {} sur {}).", "You have lost (rank {} of {}).")
DRAWN = Words("Égalité.", "It is a draw.")
CLOCKS = Words("Temps : {}.", "Clocks: {}.")
SINCE = Words("Depuis votre dernier coup d’œil :", "Since you last looked:")
NOTHING = Words("Rien de nouveau depuis votre dernier coup d’œil.", "Nothing new since you last looked.")
EARLIER = Words("… ({} lignes plus anciennes)", "… ({} earlier lines)")


def told(table: Table, card: Card, link: str, language: Language) -> str:
    """Everything; the story is taken."""
    board = table.update.get("board")
    parts = [
        HEAD.format(card.name, table.match, card.seat_name(table.seat), table.seat).of(language),
        _standing(table, card, link, language),
        _clocks(table, card, language),
        drawn(board, language) if board else "",
        _story(table.take_story(), card, language),
    ]
    return "\n\n".join(part for part in parts if part)


def _standing(table: Table, card: Card, link: str, language: Language) -> str:
    update = table.update
    if table.over:
        why = update.get("why") or {"fr": "", "en": ""}
        return OVER.format(why[language], _result(table).of(language)).of(language).strip()
    if any(seat["kind"] == "open" for seat in update["seats"]):
        return OPEN.format(link).of(language)
    if table.to_act:
        return YOURS.of(language)
    sides = [card.seat_name(seat).of(language) for seat in update["to_act"]]
    return THEIRS.format(", ".join(sides)).of(language)


def _result(table: Table) -> Words:
    ranks = table.update["outcome"]["ranks"]
    if len(set(ranks)) == 1:
        return DRAWN
    return WON if ranks[table.seat] == 1 else LOST.format(ranks[table.seat], len(ranks))


def _clocks(table: Table, card: Card, language: Language) -> str:
    left = [(seat, ms) for seat, ms in enumerate(table.clocks()) if ms is not None]
    if not left or table.over:
        return ""
    shown = [f"{card.seat_name(seat).of(language)} {ms // 60000}:{ms // 1000 % 60:02}" for seat, ms in left]
    return CLOCKS.format(", ".join(shown)).of(language)


# -- the board --------------------------------------------------------------------------------------------------------


def drawn(board: dict[str, Any], language: Language) -> str:
    grounds: dict[str, str] = dict(SIGNS)
    cells = [[_mark(cell, grounds) for cell in row] for row in board["cells"]]
    width = max(2, *(len(mark) for row in cells for mark in row), *(len(name) for name in board["columns"])) + 1
    margin = max(len(name) for name in board["rows"])
    widest = max(len(row) for row in cells)
    lines = [] if board["hexagonal"] else [" " * margin + "".join(name.rjust(width) for name in board["columns"])]
    for name, row in zip(board["rows"], cells, strict=True):
        shift = " " * ((widest - len(row)) * width // 2)
        lines.append(name.rjust(margin) + shift + "".join(mark.rjust(width) for mark in row))
    used = {mark for row in cells for mark in row}
    legend = [f"{sign} {_meaning(ground, language)}" for ground, sign in grounds.items() if sign in used]
    return "\n".join([*lines, ", ".join(legend), *(note[language] for note in board["notes"])])


def _meaning(ground: str, language: Language) -> str:
    """The grounds of a game are words of its own, the same in every language."""
    return MEANINGS[ground].of(language) if ground in MEANINGS else ground


def _mark(cell: dict[str, Any], grounds: dict[str, str]) -> str:
    if cell["text"]:
        return str(cell["text"])
    ground = str(cell["ground"])
    if ground not in grounds:
        letters = next(n for n in range(2, 40) if f"({ground[:n]})" not in grounds.values() or n >= len(ground))
        grounds[ground] = f"({ground[:letters]})"
    return grounds[ground]


# -- the story --------------------------------------------------------------------------------------------------------


def _story(story: list[dict[str, Any]], card: Card, language: Language) -> str:
    lines = [
        _line(turn, by, [str(event["words"][language]) for event in events], card, language)
        for (turn, by), events in groupby(
            (event for event in story if event.get("line", "always") != "never"),
            lambda event: (event.get("turn", 0), event.get("by", -1)),
        )
    ]
    if not lines:
        return NOTHING.of(language)
    if len(lines) > MOST_LINES:
        lines = [EARLIER.format(len(lines) - MOST_LINES).of(language), *lines[-MOST_LINES:]]
    return "\n".join([SINCE.of(language), *lines])


def _line(turn: int, by: int, clauses: list[str], card: Card, language: Language) -> str:
    colon = "\u00a0:" if language == "fr" else ":"
    side = f" {card.seat_name(by).of(language)}{colon}" if by >= 0 else ""
    text = "; ".join(clauses)
    return f"{turn}.{side} {text}" + ("" if text.endswith(END) else ".")
