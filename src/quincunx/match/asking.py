"""What somebody asks at the table that is no move, and how the referee is asked."""

from __future__ import annotations

from quincunx.match import wire
from quincunx.match.referee import Referee, Ruling


def asked(referee: Referee, word: wire.Ask, at: int, alone: bool) -> Ruling:
    """`alone`: all the others are computers, who let anything be taken back."""
    match word.what:
        case "resign":
            return referee.resign(word.seat, at)
        case "draw":
            return referee.offer_draw(word.seat, at)
        case "decline_draw":
            return referee.decline_draw(word.seat, at)
        case "take_back":
            return referee.ask_take_back(word.seat, at, alone)
        case "allow_take_back" | "refuse_take_back":
            return referee.answer_take_back(word.seat, word.what == "allow_take_back", at)
        case "abort":
            return referee.abort(word.seat, at)
