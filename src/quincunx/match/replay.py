"""Playing a record again: every action is checked, and every digest compared."""

from __future__ import annotations

from typing import Any

from quincunx.core.options import settle
from quincunx.core.words import Refused, Words
from quincunx.games import GearName, load
from quincunx.match.match import Match
from quincunx.match.record import Happened, MatchRecord, Played


def replay(record: MatchRecord, gear: GearName | None = None) -> Match:
    """Plays a record again and compares every digest; Refused where it departs from what was recorded."""
    game = load(record.game, gear)
    if record.rules != game.card.version:
        words = Words("Partie jouée selon les règles {1}, ici {0}.", "Expected rules version {} but got {}.")
        raise Refused("other_rules", words.format(game.card.version, record.rules))
    options: dict[str, Any] = {**settle(game.options, game.presets, None, record.options)}
    match = Match(game, position=record.start, seed=record.seed or 0, players=record.seats, **options)
    match.entries.clear()
    match._standing.clear()
    match._rebuild()
    _expect("start", record.start_digest, game.checksum(match.world))
    for number, entry in enumerate(record.entries, 1):
        _repeat(match, number, entry)
    if record.outcome is not None and game.over(match.world) and match.outcome is None:
        match._settle(0)
    _expect("outcome", record.outcome, match.outcome)
    match.seed = record.seed or 0
    return match


def _repeat(match: Match, number: int, entry: Played | Happened) -> None:
    game = match.game
    if isinstance(entry, Happened):
        if entry.event == "take_back":
            if entry.kept >= match.length or entry.kept < 0:
                _expect(number, f"fewer than {match.length} actions kept", entry.kept)
            del match._standing[entry.kept :]
            match._rebuild()
            match.entries.append(entry)
        else:
            match._end(entry.event, entry.seat, entry.at, entry.reason)
        return
    if match.outcome is not None:
        _expect(number, "nothing after the end", entry.action)
    action = game.parse(match.world, entry.seat, entry.action)
    refusal = game.check(match.world, entry.seat, action)
    if refusal:
        _expect(number, "a legal action", f"{entry.action}: {refusal.words.en}")
    match._apply(entry.seat, action, entry.at)
    _expect(number, entry.digest, game.checksum(match.world))
    if game.over(match.world):
        match._settle(entry.at)


def _expect(where: object, wanted: object, came: object) -> None:
    if wanted != came:
        words = Words("Entrée {} : attendu {}, trouvé {}.", "Entry {}: expected {} but got {}.")
        raise Refused("broken_record", words.format(where, wanted, came))
