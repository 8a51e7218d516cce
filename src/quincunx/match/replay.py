"""Playing a record again: every action is checked, and every digest compared."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from quincunx.core.options import settle
from quincunx.core.words import Refused, Words, expected
from quincunx.games import Game, GearName, load
from quincunx.match.match import Match
from quincunx.match.record import LEAVING, Entry, Happened, MatchRecord, Outcome, Played


def replay(record: MatchRecord, gear: GearName | Game | None = None) -> Match:
    """Plays a record again and compares every digest; Refused where it departs from what was recorded."""
    game = gear if isinstance(gear, Game) else load(record.game, gear)
    if record.rules != game.card.version:
        words = Words(
            "Partie jouée selon la version {1} des règles ; ici, c’est la {0}.",
            "Played by version {1} of the rules; here it is {0}.",
        )
        raise Refused("other_rules", words.format(game.card.version, record.rules))
    options: dict[str, Any] = {**settle(game.options, game.presets, None, record.options)}
    if not record.seats:
        raise expected(Words("un nom par place", "a name for each seat"), record.seats)
    match = Match.unplayed(game, record.start, record.seats, record.seed, options)
    expect_start(match, record.start_digest)
    for number, entry in enumerate(record.entries, 1):
        expect_possible(match, number, entry)
        match.take(entry)
        expect_position(match, number, entry)
    expect_outcome(match, record.outcome)
    return match


def expect_start(match: Match, digest: str) -> None:
    _expect("start", digest, match.game.position_digest(match.world))


def expect_possible(match: Match, number: int, entry: Entry) -> None:
    """Before a match follows an entry: may it be?"""
    if match.over and not (isinstance(entry, Happened) and entry.event == "take_back"):
        _expect(number, Words("rien après la fin", "nothing after the end"), _name(entry))
    if isinstance(entry, Played):
        _check_action(match, number, entry)
    else:
        _check_event(match, number, entry)


def expect_position(match: Match, number: int, entry: Entry) -> None:
    """After it: did it lead to where it led when it was written?"""
    if isinstance(entry, Played):
        _expect(number, entry.digest, match.game.position_digest(match.world))


def expect_outcome(match: Match, outcome: Outcome | None) -> None:
    if match.forfeited and match.outcome and outcome:  # records of 0.1 keep the points of who broke a rule
        plain = replace(match.outcome, scores=match.game.scores(match.world))
        match.outcome = plain if outcome == plain else match.outcome
    _expect("outcome", outcome, match.outcome)


def _name(entry: Entry) -> str:
    return entry.action if isinstance(entry, Played) else entry.event


def _check_action(match: Match, number: int, entry: Played) -> None:
    game = match.game
    refusal = game.check(match.world, entry.seat, match.meant(entry))
    if refusal:
        reason = Words(refusal.words.fr.rstrip("."), refusal.words.en.rstrip("."))
        why = Words("{0!r} ({1})", "{0!r} ({1})").format(entry.action, reason)
        _expect(number, Words("une action légale", "a legal action"), why)


def _check_event(match: Match, number: int, entry: Happened) -> None:
    if entry.event == "take_back":
        if not 0 <= entry.kept < match.length:
            fewer = Words("moins de {} actions gardées", "fewer than {} actions kept").format(match.length)
            _expect(number, fewer, entry.kept)
    elif entry.event in LEAVING or entry.seat is not None:
        seats = [seat for seat in range(len(match.seats)) if seat not in match.gone]
        if entry.seat not in seats:
            _expect(number, Words("une place parmi {}", "one of the seats {}").format(seats), entry.seat)


def _expect(where: object, wanted: object, came: object) -> None:
    if wanted != came:
        words = Words("Entrée {} : il faut {}, et non {}.", "Entry {}: this needs {}, not {}.")
        raise Refused("broken_record", words.format(where, wanted, came))
