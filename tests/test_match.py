"""Matches and their records: what is written replays to the same state, and what was touched is noticed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import CASES, Case, every_case, journeys, seeds
from quincunx.core.contract import NOBODY
from quincunx.core.words import Refused, Words
from quincunx.games import load
from quincunx.match import Match, MatchRecord, Played, Seat, decode, encode, replay
from quincunx.match.failures import FAILURES
from quincunx.match.match import ranks_of
from quincunx.match.record import Happened


def played(case: Case, seed: int, journey: list[int]) -> Match:
    match = Match(
        load(case.game, "interpreted"), case.preset, setup=case.setup, seed=seed, dice=seed, **dict(case.options)
    )
    for n, choice in enumerate(journey):
        if match.over:
            break
        legal = match.game.legal(match.world)
        match.act(match.turn, legal[choice % len(legal)], at=n)
    return match


@every_case
@given(seed=seeds, journey=journeys)
def test_a_record_replays_in_every_gear(case: Case, seed: int, journey: list[int]) -> None:
    match = played(case, seed, journey)
    data = encode(match.record())
    for gear in ("interpreted", "compiled"):
        again = replay(decode(data), gear)
        assert again.game.to_bytes(again.world) == match.game.to_bytes(match.world)
        assert encode(again.record()) == data


@every_case
@given(seed=seeds, journey=journeys, back=st.integers(1, 9))
def test_what_is_taken_back_never_happened(case: Case, seed: int, journey: list[int], back: int) -> None:
    """Except in the record, which remembers everything and still replays."""
    match = played(case, seed, [])
    worlds = [match.game.to_bytes(match.world)]
    for choice in journey:
        if match.over:
            break
        legal = match.game.legal(match.world)
        match.act(match.turn, legal[choice % len(legal)])
        worlds.append(match.game.to_bytes(match.world))
    for _ in range(min(back, len(worlds) - 1)):
        match.undo()
        worlds.pop()
        assert match.game.to_bytes(match.world) == worlds[-1]
    data = encode(match.record())
    assert encode(replay(decode(data)).record()) == data


def test_who_left_is_back_when_that_is_taken_back() -> None:
    match = Match(load("connect_four", "interpreted")).play("d").resign(0).undo()
    assert not match.gone and not match.over
    for text in ("d", "a", "d", "a", "d", "a", "d"):
        match.play(text)
    assert match.outcome is not None and match.outcome.ranks == [1, 2]
    again = replay(decode(encode(match.record())))
    assert again.record() == match.record()


def test_who_left_before_what_is_taken_back_stays_away() -> None:
    match = Match(load("casus_belli", "interpreted"), seats=3, width=11, height=11, seed=1)
    match.forfeit(2, "seal twice")
    assert match.gone == match.forfeited == {2}
    match.act(match.turn, match.game.legal(match.world)[0])
    match.undo()
    assert match.gone == match.forfeited == {2}


def test_undo_restores_the_position_before() -> None:
    match = Match("khet")
    texts = [str(match)]
    for move in ("H2-G1", "F8-F7", "E4+"):
        match.play(move)
        texts.append(str(match))
    for text in reversed(texts[:-1]):
        match.undo()
        assert str(match) == text
    with pytest.raises(Refused, match="nothing to take back"):
        match.undo()


def test_events_end_a_match_and_are_kept_with_their_reason() -> None:
    ends: list[tuple[Callable[[Match], Match], list[int]]] = [
        (lambda m: m.resign(0), [2, 1]),
        (lambda m: m.time_out(1), [1, 2]),
        (lambda m: m.forfeit(1, "dropped dead"), [1, 2]),
        (lambda m: m.agree_draw(), [1, 1]),
        (lambda m: m.abort(), [1, 1]),
    ]
    for end, ranks in ends:
        match = end(Match("khet").play("H2-G1"))
        assert match.over and match.turn == NOBODY and match.legal() == []
        assert match.outcome is not None and match.outcome.ranks == ranks
        again = replay(decode(encode(match.record())))
        assert again.record() == match.record()
        with pytest.raises(Refused, match="over"):
            match.play("F8-F7")
        with pytest.raises(Refused, match="over"):
            match.resign(0)


BOTS = [Seat("ada", "bot:ada"), Seat("bob", "bot:bob")]
FAILED = [
    ("exited", ("3",), "The program ended (exit code 3).", "Le programme s’est arrêté (code 3)."),
    (
        "refused",
        ("3", "z9", "column_full"),
        "3 answers refused in one turn; the last one: z9 (This column is full)",
        "3 réponses refusées dans un tour\u202f; la dernière\u202f: z9 (Cette colonne est pleine)",
    ),
    ("invalid", ("{}", "garbage"), "Invalid answer: {} (unreadable)", "Réponse interdite\u202f: {} (illisible)"),
    ("no_action", (), "No action came.", "Aucune action n’est venue."),
    # as records were written before
    (
        "exited: The program ended (exit code 1). stderr: … KeyError: 'shown'",
        (),
        "The program ended (exit code 1).",
        "Le programme s’est arrêté (code 1).",
    ),
    (
        "late: The program did not answer in time. stderr: hm",
        (),
        "The program did not answer in time.",
        "Le programme n’a pas répondu à temps.",
    ),
]


@pytest.mark.parametrize("reason, detail, english, french", FAILED)
def test_why_a_seat_failed_is_told_in_both_languages(
    reason: str, detail: tuple[str, ...], english: str, french: str
) -> None:
    match = Match("connect_four", players=BOTS).forfeit(0, reason, detail, "its last words")
    again = replay(decode(encode(match.record())))
    for why in (match.why(), again.why()):
        assert why == Words(f"Jaune est déclaré forfait. {french}", f"Yellow forfeits the match. {english}")
    assert isinstance(entry := again.entries[-1], Happened) and (entry.detail, entry.notes) == (
        detail,
        "its last words",
    )


@pytest.mark.parametrize("reason", ["dropped dead", "", "weather: it rained", "exited"])
def test_a_reason_without_words_is_left_out(reason: str) -> None:
    match = Match("connect_four", players=BOTS).forfeit(0, reason)
    assert match.why() == Words("Jaune est déclaré forfait.", "Yellow forfeits the match.")


def test_every_failure_quotes_the_same_in_both_languages() -> None:
    for words in FAILURES.values():
        assert words.fr.count("{}") == words.en.count("{}")


@pytest.mark.parametrize("end", [lambda m: m.forfeit(0, "3 SHOOT 99"), lambda m: m.time_out(0)])
def test_an_illegal_line_scores_minus_one_on_the_site(end: Callable[[Match], Match]) -> None:
    match = end(Match("cultist", "codingame", seed=1))
    assert match.outcome is not None and match.outcome.scores == [-1, 1] and match.outcome.ranks == [2, 1]
    record = match.record()
    assert replay(record).outcome == match.outcome
    older = msgspec.structs.replace(record, outcome=msgspec.structs.replace(match.outcome, scores=[1, 1]))
    assert replay(older).outcome == older.outcome  # as it was written before there was a penalty
    false = msgspec.structs.replace(record, outcome=msgspec.structs.replace(match.outcome, scores=[5, 1]))
    with pytest.raises(Refused, match="outcome"):
        replay(false)


def test_giving_up_breaks_no_rule_and_other_presets_have_no_penalty() -> None:
    for match in (Match("cultist", "codingame", seed=1).resign(0), Match("cultist", seed=1).forfeit(0, "3 SHOOT 99")):
        assert match.outcome is not None and match.outcome.scores == [1, 1] and match.outcome.ranks == [2, 1]


def test_ranks_share_equal_scores() -> None:
    assert ranks_of([5, 7, 7, 1]) == [3, 1, 1, 4]


def test_a_record_says_all_that_the_design_asks_for() -> None:
    match = Match("khet", setup="dynasty", seed=7, players=[Seat("Ada", "person"), Seat("Bot", "alphabeta:depth=2")])
    match.play("E2-D2", at=1500)
    built = msgspec.json.decode(encode(match.record()))
    assert built["format"] == 1 and built["game"] == "khet" and built["rules"] == 1 and built["seed"] == 7
    assert built["options"] == {"pharaoh_rotates": True, "draws": True}
    assert built["start"] == match.game.position(match.game.new(setup="dynasty"))
    assert built["seats"][1] == {"name": "Bot", "player": "alphabeta:depth=2"}
    (entry,) = built["entries"]
    assert entry == {"kind": "action", "seat": 0, "action": "E2-D2", "at": 1500, "digest": entry["digest"]}
    assert built["outcome"] is None


def whole_record() -> MatchRecord:
    case = next(case for case in CASES if case.game == "khet")
    return played(case, 3, list(range(17, 4000, 37))).record()


def edits() -> list[tuple[str, Any]]:
    record = msgspec.to_builtins(whole_record())
    first = record["entries"][0]
    return [
        ("format", 2),
        ("game", "chess"),
        ("game", "connect_four"),
        ("rules", 2),
        ("options", {**record["options"], "speed": 3}),
        ("options", {**record["options"], "draws": "maybe"}),
        ("options", {**record["options"], "position": "x"}),
        ("start", record["start"].replace("pSE", "pNE", 1)),
        ("start", ""),
        ("start_digest", "0" * 16),
        ("seats", record["seats"][:1]),
        ("seats", "Ada"),
        ("entries", record["entries"][1:]),
        ("entries", [*record["entries"], first]),
        ("entries", [{**first, "action": "A1-A2"}, *record["entries"][1:]]),
        ("entries", [{**first, "action": "?"}, *record["entries"][1:]]),
        ("entries", [{**first, "seat": 1}, *record["entries"][1:]]),
        ("entries", [{**first, "seat": 99}, *record["entries"][1:]]),
        ("entries", [{**first, "digest": "0" * 16}, *record["entries"][1:]]),
        ("entries", [{**first, "extra": 1}, *record["entries"][1:]]),
        ("entries", [{"kind": "event", "event": "take_back", "at": 0, "kept": 5}, *record["entries"]]),
        ("entries", [{"kind": "event", "event": "resign", "at": 0, "seat": 7}]),
        ("entries", [{"kind": "event", "event": "explode", "at": 0}]),
        ("outcome", None),
        ("outcome", {**record["outcome"], "ranks": [1, 1]}),
        ("outcome", {**record["outcome"], "reason": "resign"}),
        ("surprise", 1),
    ]


@pytest.mark.parametrize("number", range(len(edits())))
def test_an_edited_record_is_refused_with_one_sentence(number: int) -> None:
    field, value = edits()[number]
    data = msgspec.json.encode({**msgspec.to_builtins(whole_record()), field: value})
    with pytest.raises(Refused) as refused:
        replay(decode(data))
    assert refused.value.words.fr and "\n" not in refused.value.words.en


def test_a_replay_reads_every_action_once(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(load("khet", "interpreted"), setup="classic").play("H2-G1").play("A5+").undo().play("A5-")
    read: list[str] = []
    parse = match.game.notation.parse

    def noting(terms: Any, s: Any, seat: int, text: str) -> Any:
        read.append(text)
        return parse(terms, s, seat, text)

    monkeypatch.setattr(match.game.notation, "parse", noting)
    assert replay(match.record(), match.game).record() == match.record()
    assert read == ["H2-G1", "A5+", "A5-"]


def test_a_record_from_before_an_option_existed_has_its_default() -> None:
    """That is how rules may change without changing an old match: the default of a new option is the old rule."""
    record = whole_record()
    record.options = {"pharaoh_rotates": True}
    assert replay(record).world.options == {"pharaoh_rotates": True, "draws": True}


@given(cut=st.integers(0, 5000), noise=st.binary(max_size=6))
def test_a_damaged_record_is_refused_or_replays(cut: int, noise: bytes) -> None:
    data = encode(whole_record())
    cut = min(cut, len(data) - 1)
    broken = data[:cut] + noise + data[cut + len(noise) + (1 if not noise else 0) :]
    try:
        again = replay(decode(broken))
    except Refused:
        return
    assert again.record().entries  # a changed name or time is not an error


def test_a_match_reads_well_in_a_repl() -> None:
    match = Match("khet", setup="classic").play("H2-G1")
    assert repr(match) == "<Match khet, 1 actions, seat 1 to act>"
    assert str(match).splitlines()[0].split() == list("ABCDEFGHIJ")
    assert isinstance(match.record().entries[0], Played)


@pytest.mark.parametrize(
    "wrong, reason",
    [
        ({"game": "chess"}, "one of the games"),
        ({"game": "khet", "preset": "x"}, "one of the presets"),
        ({"game": "khet", "setup": "x"}, "one of the setups classic, imhotep, dynasty, not “x”"),
        ({"game": "khet", "position": "x"}, "a piece"),
        ({"game": "khet", "draws": 1}, "on or off for draws, not 1"),
        ({"game": "khet", "speed": 1}, "one of the options pharaoh_rotates, draws, not “speed”"),
        ({"game": "khet", "players": [Seat("Ada")]}, "2 players, not 1"),
    ],
)
def test_a_match_that_cannot_be_is_refused(wrong: dict[str, Any], reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        Match(**wrong)
