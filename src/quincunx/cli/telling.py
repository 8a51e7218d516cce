"""The story in the terminal: turn and side once, then what happened: "12. Red: anubis G8–F7; the beam dies on A1."."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from rich.text import Text

from quincunx.cli.drawing import owner_style
from quincunx.cli.speech import language, out, tr
from quincunx.core.board import Event
from quincunx.core.card import Card

END = (".", "!", "?", "…")


class Teller:
    """Tells one match; what need not be said again it says once."""

    def __init__(self, card: Card) -> None:
        self._card = card
        self._once: set[str] = set()

    def tell(self, events: Iterable[Event]) -> None:
        by = -1
        for turn, told in groupby(filter(self._is_worth_a_line, events), lambda event: event.turn):
            chapters: list[tuple[int, list[Event]]] = []
            for event in told:  # dice belong to whoever acted before them
                if chapters and event.by in (by, -1):
                    chapters[-1][1].append(event)
                else:
                    by = event.by
                    chapters.append((by, [event]))
            for side, chapter in chapters:
                self._print(turn, side, chapter)

    def _is_worth_a_line(self, event: Event) -> bool:
        if event.line == "never" or event.words.en in self._once:
            return False
        if event.line == "once":
            self._once.add(event.words.en)
        return True

    def _print(self, turn: int, side: int, chapter: list[Event]) -> None:
        name = f" {self._card.seat_name(side).of(language())}{tr(chr(0xA0), '')}:" if side >= 0 else ""
        line = Text(f"{turn}.{name} ", style=owner_style(side) if side >= 0 else "")
        line.append(_joined([event.words.of(language()) for event in chapter]), style="not bold dim")
        out.print(line, soft_wrap=True)


def _joined(clauses: list[str]) -> str:
    told = ""
    for clause in clauses:
        told += clause if not told else f" {clause}" if told.endswith(END) else f"{tr(chr(0x202F), '')}; {clause}"
    return told if told.endswith(END) else f"{told}."
