"""Khet: the numbers of the ruling, the beam, and the positions that are refused."""

from __future__ import annotations

from typing import Any

import pytest

from cases import long_journey, travel
from quincunx.core.board import Event
from quincunx.core.contract import Log
from quincunx.core.options import Value
from quincunx.core.words import Refused
from quincunx.games import GearName, World, load
from quincunx.games.khet import setup, view
from quincunx.games.khet.notation import piece_at, piece_text, square_at, square_name
from quincunx.games.khet.rules import (
    ANUBIS,
    BEAM,
    CLOCKWISE,
    CLOSED_TO,
    COUNTER,
    DRAWN,
    LEAVES,
    PYRAMID,
    RED,
    SCARAB,
    SILVER,
    SQUARES,
    trace,
    turned,
)
from quincunx.search.perft import count_leaves

PERFT = {
    ("classic", True): [81, 6552, 526446],
    ("imhotep", True): [77, 5943, 454177],
    ("dynasty", True): [74, 5426, 396014],
    ("classic", False): [79, 6232, 488186, 37781336],
    ("imhotep", False): [75, 5639, 419729],
    ("dynasty", False): [72, 5136, 364576],
}


@pytest.mark.parametrize("gear", ["interpreted", "compiled"])
@pytest.mark.parametrize("name, rotates", PERFT)
def test_perft(name: str, rotates: bool, gear: GearName) -> None:
    game = load("khet", gear)
    world = game.new(setup=name, pharaoh_rotates=rotates)
    expected = PERFT[name, rotates][: 4 if gear == "compiled" else 2]
    assert [count_leaves(game, world, depth) for depth in range(1, len(expected) + 1)] == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", ["classic", "imhotep", "dynasty"])
def test_perft_interpreted_at_depth_three(name: str) -> None:
    game = load("khet", "interpreted")
    assert count_leaves(game, game.new(setup=name), 3) == PERFT[name, True][2]


@pytest.mark.parametrize(
    "name, beam", [("classic", "J4 H4 H5 J5"), ("imhotep", "J4 I4 I5 J5"), ("dynasty", "J3 F3 F4 H4")]
)
def test_first_beams(name: str, beam: str) -> None:
    """The pieces that the first beam of silver meets; red's is the half turn of it."""
    game = load("khet", "interpreted")
    s = game.state(game.new(setup=name))
    lit, leaves = view.laser(s, SILVER)
    red, red_leaves = view.laser(s, RED)
    assert " ".join(q for q in lit if s.board[square_at(q)]) == beam
    assert lit[-1][1] == ("8" if name != "dynasty" else "1")
    assert (leaves, red_leaves) == (("S", "N") if name == "dynasty" else ("N", "S"))
    assert [SQUARES - 1 - square_at(q) for q in red] == [square_at(q) for q in lit]


def test_a_beam_leaves_where_the_last_mirror_sends_it_and_nowhere_if_a_piece_stops_it() -> None:
    game = load("khet", "interpreted")
    for turn, lit, leaves in (("J4-", "J4", "E"), ("J1-", "F1", "")):
        world = game.new(setup="classic")
        game.apply(world, SILVER, game.parse(world, SILVER, turn))
        s = game.state(world)
        if leaves == "":  # the anubis that was hit is gone: put it back
            s.board[square_at("F1")] = piece_at("AN")
        squares, left = view.laser(s, SILVER)
        assert (squares[-1], left) == (lit, leaves)


def test_the_beams_that_are_shown_are_those_that_the_rules_trace() -> None:
    game = load("khet", "interpreted")
    world = game.new(setup="imhotep")
    for _ in travel(world, long_journey(3, 60), 3):
        s = game.state(world)
        for colour in (SILVER, RED):
            log = Log()
            trace(s, colour, log)
            told = [square_name(event & 0xFFFF) for event in log.events[: log.count] if event >> 32 == BEAM]
            assert list(view.laser(s, colour)[0]) == told


@pytest.mark.parametrize("name", ["classic", "imhotep", "dynasty"])
def test_setups_are_symmetric_under_a_half_turn_with_colours_swapped(name: str) -> None:
    game = load("khet", "interpreted")
    board = game.state(game.new(setup=name)).board
    for square, piece in enumerate(board):
        other = board[SQUARES - 1 - square]
        if piece == 0:
            assert other == 0
        else:
            kind, facing = piece >> 2 & 7, piece & 3
            turned = facing if kind == SCARAB else (facing + 2) % 4
            assert other == (1 - (piece >> 5)) << 5 | kind << 2 | turned


def test_mirrors_as_the_ruling_words_them() -> None:
    """Directions N E S W = 0..3. PNE: travelling S leaves E, travelling W leaves N; the other two sides destroy it."""
    north, east, south, west = range(4)
    assert LEAVES[PYRAMID << 2] == [-1, -1, east, north]
    slash, backslash = LEAVES[SCARAB << 2 | 1], LEAVES[SCARAB << 2]
    assert (slash[north], slash[east], slash[south], slash[west]) == (east, north, west, south)
    assert (backslash[north], backslash[west], backslash[south], backslash[east]) == (west, north, east, south)
    assert LEAVES[ANUBIS << 2 | north] == [
        -1,
        -1,
        -2,
        -1,
    ]  # a beam that travels south meets the front of one facing north


def at(text: str, **options: Any) -> World:
    return load("khet", "interpreted").new(position=text, **options)


def refusal(world: World, seat: int, text: str) -> str | None:
    refused = world.game.check(world, seat, world.game.parse(world, seat, text))
    return refused.code if refused else None


def test_a_reserved_square_is_closed_to_the_piece_that_moves_only() -> None:
    assert [square_name(q) for q in range(SQUARES) if CLOSED_TO[q] == SILVER] == [
        "A8", "I8", "A7", "A6", "A5", "A4", "A3", "A2", "A1", "I1",
    ]  # fmt: skip
    game = load("khet", "interpreted")
    world = at("xS9 1kS8 10 pNE9 1S/8 10 9KN 9XN silver 0")
    assert refusal(world, SILVER, "B4-A5") == "closed"
    world = at("xS9 2kS7 10 1pNE8 s/9 10 9KN 9XN red 0")
    game.apply(world, RED, game.parse(world, RED, "A4-B5"))  # the pyramid is swapped onto A4: its own colour's square
    world = at("xS9 2kS7 10 1PNE8 s/9 10 9KN 9XN red 0")
    game.apply(world, RED, game.parse(world, RED, "A4-B5"))  # and a silver one too, though A4 is closed to silver
    assert piece_text(game.state(world).board[square_at("A4")]) == "PNE"


@pytest.mark.parametrize(
    "piece, code",
    [("pNE", None), ("PNE", None), ("aN", None), ("AN", None), ("s/", "occupied"), ("kN", "occupied")],
)
def test_scarabs_swap_with_pyramids_and_anubis_of_either_colour(piece: str, code: str | None) -> None:
    """Never with a pharaoh, a sphinx or a scarab."""
    king = "10" if piece == "kN" else "1kS8"
    world = at(f"xS9 {king} 10 4{piece}5 3S/6 10 9KN 9XN silver 0")
    game = world.game
    assert refusal(world, SILVER, "D4-E5") == code
    if code is None:
        game.apply(world, SILVER, game.parse(world, SILVER, "D4-E5"))
        board = game.state(world).board
        assert piece_text(board[square_at("E5")]) == "S/"
        assert piece_text(board[square_at("D4")]) == piece  # nothing turns


def test_other_pieces_do_not_swap() -> None:
    world = at("xS9 1kS8 10 4pNE5 3AN6 10 9KN 9XN silver 0")
    assert refusal(world, SILVER, "D4-E5") == "occupied"


def test_the_sphinx_has_two_facings_and_never_moves() -> None:
    world = at("xS9 1kS8 10 10 10 10 9KN 9XN silver 0")
    game = world.game
    texts = [game.text(world, SILVER, a) for a in game.legal(world)]
    assert [t for t in texts if t.startswith("J1")] == ["J1-"]
    assert refusal(world, SILVER, "J1-J2") == "off_board"
    assert refusal(world, SILVER, "J1+") == "no_such_turn"


def test_one_s_own_laser_destroys_as_well_and_loses_the_game() -> None:
    world = at("xS9 1kS8 10 10 10 10 8KN1 9XN silver 0")
    game = world.game
    game.apply(world, SILVER, game.parse(world, SILVER, "I2-J2"))
    assert game.over(world) and game.scores(world) == [-1, 1]


def test_the_option_pharaoh_rotates() -> None:
    for rotates in (True, False):
        world = at("xS9 1kS8 10 10 10 10 8KN1 9XN silver 0", pharaoh_rotates=rotates)
        code = refusal(world, SILVER, "I2+")
        assert code == (None if rotates else "no_such_turn")


def shuffle(world: World, turns: int) -> None:
    """Both sides turn a pharaoh to and fro."""
    game = world.game
    for n in range(turns):
        seat = game.turn(world)
        king = "E1" if seat == SILVER else "F8"
        game.apply(world, seat, game.parse(world, seat, king + ("+" if n % 4 < 2 else "-")))


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    game = load("khet", "interpreted")
    world = game.new()
    shuffle(world, 7)
    assert not game.over(world)
    shuffle(world, 0)
    game.apply(world, RED, game.parse(world, RED, "F8-"))
    assert game.over(world) and game.scores(world) == [0, 0]
    assert game.position(world).endswith("drawn")
    without = game.new(draws=False)
    shuffle(without, 60)
    assert not game.over(without)


def test_a_scarab_that_turned_twice_stands_as_before() -> None:
    """It has two orientations, so the position repeats after two turns of a scarab and not after four."""
    game = load("khet", "interpreted")
    world = game.new()
    start = game.key(world)
    for seat, text in ((0, "E4+"), (1, "F5+"), (0, "E4+"), (1, "F5+")):
        game.apply(world, seat, game.parse(world, seat, text))
    assert game.key(world) == start


def test_a_hundred_quiet_turns_are_a_draw() -> None:
    game = load("khet", "interpreted")
    text = game.position(game.new())
    world = game.new(position=text.replace("silver 0", "silver 99"))
    assert not game.over(world)
    game.apply(world, SILVER, game.parse(world, SILVER, "E1+"))
    assert game.state(world).result == DRAWN


def test_a_destroyed_piece_starts_the_count_again() -> None:
    game = load("khet", "interpreted")
    for seed in range(30):
        world = game.new()
        before = list(game.state(world).board)
        for _ in travel(world, long_journey(seed, 40), seed):
            board = list(game.state(world).board)
            if sum(map(bool, board)) < sum(map(bool, before)):
                assert game.state(world).quiet == 0
                return
            before = board
    pytest.fail("no piece was ever destroyed")


CLASSIC = setup.SETUPS[0].text


@pytest.mark.parametrize(
    "old, new, reason",
    [
        ("kS", ".", "^Red needs a pharaoh.$"),
        ("XN", ".", "^Silver needs its sphinx on J1.$"),
        ("XN", "XE", "^Silver: the sphinx on J1 must face the board.$"),
        ("xS", "xN", "^Red: the sphinx on A8 must face the board.$"),
        ("aS   kS", "kN   kS", "^Red has 2 pharaohs: 1 at most.$"),
        (".    .    .    PNW", "PNW  .    .    .", "^Silver may not stand on A6, the other side’s square.$"),
        ("pSE  .    PNW", "PNW  .    pSE", "^Red may not stand on J5, the other side’s square.$"),
        ("PNE  .    .", "pNE  .    .", "^Red has 8 pyramids: 7 at most.$"),
        ("s/", "zz", "a piece"),
        ("XN", "XN .", "80 squares"),
    ],
)
def test_a_setup_that_may_not_begin_a_match_is_refused(old: str, new: str, reason: str) -> None:
    options: dict[str, Value] = {"pharaoh_rotates": True, "draws": True}
    assert old in CLASSIC
    with pytest.raises(Refused, match=reason):
        setup.load(options, CLASSIC.replace(old, new, 1), 0)


def test_a_setup_that_is_over_with_every_first_move_is_refused() -> None:
    """Silver's laser looks at the red pharaoh; if it is turned away, it hits silver's own."""
    options: dict[str, Value] = {"pharaoh_rotates": True, "draws": True}
    over = "xS8KN 10 10 10 10 10 10 4kN4XW"
    with pytest.raises(Refused, match=r"^Every first move would end the game\.$"):
        setup.load(options, over, 0)
    setup.load(options, over.replace("8KN", "9").replace("xS9 10", "xS9 2KN7"), 0)


def test_pieces_read_back() -> None:
    for colour in (SILVER, RED):
        for kind in (1, 2, 3, 4, 5):
            for facing in range(2 if kind == SCARAB else 4):
                piece = colour << 5 | kind << 2 | facing
                assert piece_at(piece_text(piece)) == piece


def test_the_story_of_a_turn_traces_the_beam() -> None:
    game = load("khet", "compiled")
    world = game.new()
    events = game.tell(world, 0, game.apply_and_log(game.clone(world), 0, game.parse(world, 0, "H2-G1"), 0))
    assert [type(e).__name__ for e in events] == ["Moved", "Beam"]
    assert events[1].cells == ("J2", "J3", "J4", "I4", "H4", "H5", "I5", "J5", "J6", "J7", "J8")
    assert isinstance(events[1], view.Beam) and events[1].directions == "NNNWWNEENNN"


def fold(board: list[int], events: list[Event]) -> None:
    """What a page does: it changes the picture by what it is told."""
    for event in events:
        squares = [square_at(name) for name in event.cells]
        if isinstance(event, view.Moved):
            board[squares[0]], board[squares[1]] = board[squares[1]], board[squares[0]]
        elif isinstance(event, view.Turned):
            board[squares[0]] = turned(board[squares[0]], CLOCKWISE if event.clockwise else COUNTER)
        elif isinstance(event, view.Destroyed):
            assert piece_text(board[squares[0]]) == event.piece
            board[squares[0]] = 0


def test_the_story_folded_over_a_view_gives_the_next_one() -> None:
    game = load("khet", "interpreted")
    for seed in range(20):
        world = game.new(setup=("classic", "imhotep", "dynasty")[seed % 3])
        board = list(game.state(world).board)
        for step in travel(world, long_journey(seed, 120), seed):
            assert list(game.state(world).board) == board
            fold(board, game.tell(world, 0, game.apply_and_log(game.clone(world), *step, 0)))
        assert list(game.state(world).board) == board
