"""Nets: every gear counts alike, files that do not fit are refused, `net:FILE` plays, and a training that is killed
goes on to the very net that it would have come to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from cases import long_journey, travel
from quincunx.cli.app import run
from quincunx.core import hints, net
from quincunx.core.words import Refused
from quincunx.games import Game, GearName, cards, load
from quincunx.learning import run as learning
from quincunx.learning.lessons import scale_of
from quincunx.learning.plan import Log, Plan, resumed
from quincunx.learning.recipes import recipe
from quincunx.learning.training import UNITS, Lesson, forward, fresh, gradient
from quincunx.players import make, nets
from quincunx.players.roster import settings
from quincunx.server.computers import MOST
from quincunx.tournament.score import score_of
from quincunx.tournament.series import Series

GAMES = [card.id for card in cards() if load(card.id, "interpreted").net_inputs is not None]
GEARS: tuple[GearName, ...] = ("interpreted", "compiled", "checked")
SMALL = ["--positions", "500", "--thought", "10", "--epochs", "2", "--proof", "0", "--jobs", "1"]
Arrays = dict[str, Any]


def drawn(game: Game, seed: int, by_hand: bool = True) -> Arrays:
    """A net of the largest numbers that a file may hold."""
    random, shape = np.random.default_rng(seed), game.net_inputs
    most = net.LARGEST // (shape.MOST + 1)
    return {
        "rows": random.integers(-most, most + 1, (shape.INPUTS, UNITS)).astype(np.int16),
        "first": random.integers(-most, most + 1, UNITS).astype(np.int16),
        "straight": random.integers(-(2**12), 2**12, shape.INPUTS).astype(np.int32),
        "last": random.integers(-(2**12), 2**12, UNITS).astype(np.int32),
        "ends": np.array([300 if by_hand else 0, -77], np.int32),
    }


def written(folder: Path, game: str, seed: int = 1, **changed: Any) -> Path:
    file, rules = folder / "net.npz", load(game, "interpreted")
    nets.write(file, rules, drawn(rules, seed) | changed, {})
    return file


def worlds(game: str, gear: GearName, n: int = 40) -> list[Any]:
    rules = load(game, gear)
    world, found = rules.new(seed=5), []
    for _ in travel(world, long_journey(5, n), 5):
        found.append(rules.clone(world))
    return found


def by_numpy(arrays: Arrays, inputs: list[int], hand: int) -> int:
    """What core/net.py says, without its lanes."""
    sums = arrays["first"].astype(int) + arrays["rows"].astype(int)[inputs].sum(0)
    units = np.clip(sums, 0, 1 << net.ONE_BITS)
    factor, constant = arrays["ends"].tolist()
    straight = constant + int(arrays["straight"][inputs].sum())
    total = (straight << 2 * net.ONE_BITS) + int((units * units * arrays["last"].astype(int)).sum())
    value = (total >> 2 * net.ONE_BITS + net.FINE_BITS) + (hand * factor >> net.HAND_BITS)
    return int(max(-9999, min(9999, value)))


@pytest.mark.parametrize("by_hand", [True, False])
@pytest.mark.parametrize("game", GAMES)
def test_every_gear_says_what_numpy_says(game: str, by_hand: bool, tmp_path: Path) -> None:
    arrays = drawn(load(game, "interpreted"), 3, by_hand)
    nets.write(tmp_path / "net.npz", load(game, "interpreted"), arrays, {})
    said = []
    for gear in GEARS:
        playing, _ = nets.with_net(load(game, gear), str(tmp_path / "net.npz"))
        judge, look, list_inputs, hand = playing.gear.bind_all([hints.evaluate, net.looks, net.inputs, net.by_hand])
        room, told = playing.gear.ints(playing.net_inputs.MOST), []
        for world in worlds(game, gear):
            terms, state = world.terms[0], world.rows[0]
            seat = look(terms, state)
            found = [int(one) for one in room[: list_inputs(terms, state, seat, room)]]
            assert all(0 <= one < playing.net_inputs.INPUTS for one in found)
            value = judge(terms, state, seat)
            assert value == by_numpy(arrays, found, hand(terms, state, seat))
            assert judge(terms, state, 1 - seat) == -value
            told.append(value)
        said.append(told)
    assert said[0] == said[1] == said[2] and len(set(said[0])) > 5


@pytest.mark.parametrize("game", GAMES)
def test_a_net_plays_the_same_actions_in_every_gear(game: str, tmp_path: Path) -> None:
    file = written(tmp_path, game)
    budget = "nodes=60" if nets.search_of(load(game, "interpreted")) == "alphabeta" else "simulations=6"
    chosen = []
    for gear in GEARS:
        player = make(f"net:{file},{budget}", load(game, gear), 7)
        there = [world for world in worlds(game, gear, 12) if world.game.turn(world) >= 0][::4]
        chosen.append([player.choose(world.game.view(world, world.game.turn(world))) for world in there])
    assert chosen[0] == chosen[1] == chosen[2] and chosen[0]


def test_a_net_plays_matches_to_their_end(tmp_path: Path) -> None:
    file = written(tmp_path, "cultist")
    bouts = list(Series("cultist", (f"net:{file},nodes=50", "random"), 2, opening=2).run())
    assert all(bout.efforts[0].nodes > 0 for bout in bouts)
    assert bouts[0].record.seats[0].player == f"net:{file},nodes=50"


def spoilt(file: Path, change: Callable[[dict[str, Any]], None]) -> None:
    with np.load(file) as found:
        arrays = dict(found)
    change(arrays)
    np.savez(file, **arrays)


def about(**changes: Any) -> Callable[[dict[str, Any]], None]:
    def change(arrays: dict[str, Any]) -> None:
        told = msgspec.json.decode(arrays["about"].tobytes()) | changes
        arrays["about"] = np.frombuffer(msgspec.json.encode(told), np.uint8)

    return change


def larger(arrays: dict[str, Any]) -> None:
    arrays["rows"][0, 0] = net.LARGEST // (load("cultist", "interpreted").net_inputs.MOST + 1) + 1


SPOILT: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "another game": (about(game="khet"), "made for khet"),
    "other rules": (about(digest="0" * 16), "trained again"),
    "another format": (about(format=2), "format 1"),
    "unknown habits": (about(habits={"speed": 1}), "habits"),
    "a weight too large": (larger, "rows: from"),
    "another shape": (lambda arrays: arrays.update(last=arrays["last"][:5]), "last"),
    "fractions": (lambda arrays: arrays.update(first=arrays["first"] / 2), "first"),
    "an array missing": (lambda arrays: arrays.pop("straight"), "straight"),
}


@pytest.mark.parametrize("what", SPOILT)
def test_a_file_that_does_not_fit_is_refused_with_the_reason(what: str, tmp_path: Path) -> None:
    file, (change, words) = written(tmp_path, "cultist"), SPOILT[what]
    make(f"net:{file}", load("cultist", "interpreted"))
    spoilt(file, change)
    os.utime(file, (1, 1))  # read again, whatever the clock's grain
    with pytest.raises(Refused, match=words):
        make(f"net:{file}", load("cultist", "interpreted"))


def test_what_is_no_net_at_all_is_refused(tmp_path: Path) -> None:
    rules = load("cultist", "interpreted")
    for name, data in {"empty": b"", "text": b"a net", "pickle": b"\x80\x04K\x01.", "zip": b"PK\x03\x04rest"}.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(Refused, match="not a net"):
            make(f"net:{tmp_path / name}", rules)
    with pytest.raises(Refused, match="not a net"):
        make(f"net:{tmp_path / 'nowhere.npz'}", rules)
    with pytest.raises(Refused, match="does not say what a net looks at"):
        make("net", load("connect_four", "interpreted"))


def test_a_server_opens_no_file_for_whoever_asks(tmp_path: Path) -> None:
    """Nor does it say whether there is one."""
    for file in (written(tmp_path, "cultist"), tmp_path / "nowhere.npz"):
        with pytest.raises(Refused, match="without a file"):
            settings(f"net:{file},nodes=10", load("cultist", "interpreted"), MOST)


# -- training --------------------------------------------------------------------------------------------------------


def test_the_gradient_is_the_slope_of_the_cross_entropy() -> None:
    random = np.random.default_rng(2)
    some = Lesson(random.integers(0, 7, (5, 3)), random.normal(0, 1, 5).astype("f4"), random.random(5).astype("f4"))
    weights = fresh(6, True, 4)
    weights.straight[:-1] = random.normal(0, 0.3, 6)

    def entropy() -> float:
        chance = forward(weights, some)[0].astype(float)
        return float(-(some.target * np.log(chance) + (1 - some.target) * np.log(1 - chance)).mean())

    found = gradient(weights, some)
    for name, at in [("rows", (2, 5)), ("straight", 3), ("first", 1), ("last", 7), ("ends", 0), ("ends", 1)]:
        array = getattr(weights, name)
        before, ends = array[at], []
        for step in (1e-2, -1e-2):
            array[at] = before + step
            ends.append(entropy())
        array[at] = before
        assert getattr(found, name)[at] == pytest.approx((ends[0] - ends[1]) / 2e-2, abs=2e-4), name


def test_the_scale_of_values_is_found() -> None:
    random = np.random.default_rng(1)
    values = random.normal(0, 600, 20_000)
    assert scale_of(values, random.random(20_000) < 1 / (1 + np.exp(-values / 350))) == pytest.approx(350, rel=0.05)


def arrays_of(folder: Path) -> dict[str, list[Any]]:
    with np.load(folder / "net.npz") as found:
        return {name: found[name].tolist() for name in found.files}


def test_a_training_that_is_killed_goes_on_to_the_same_net(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert run(["train", "cultist", "--folder", str(whole), *SMALL]) == 0
    command = [sys.executable, "-m", "quincunx", "train", "cultist", "--folder", str(broken), *SMALL]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for = time.monotonic() + 120
    while not list(broken.glob("round-1/positions-00000.npz")) and process.poll() is None:
        assert time.monotonic() < wait_for
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
    process.wait(60)
    assert run(["train", "cultist", "--folder", str(broken), *SMALL]) == 0
    assert arrays_of(broken) == arrays_of(whole)
    log = msgspec.json.decode((broken / "training.json").read_bytes())
    assert [each["number"] for each in log["epochs"]] == [1, 2] and log["rounds"][0]["positions"] >= 500
    assert "<svg" in (broken / "curves.svg").read_text()
    assert run(["train", "cultist", "--folder", str(broken), *SMALL, "--thought", "11"]) == 2  # of another training
    make(f"net:{broken / 'net.npz'},nodes=20", load("cultist"))


@pytest.mark.parametrize("where", ["keep", "save"])
def test_a_training_that_ends_between_weights_and_log_loses_no_epoch(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed when one of the two is written and the other is not."""
    owner: Any = learning if where == "keep" else Log
    write, written = getattr(owner, where), list[Any]()

    def write_and_end(*given: Any) -> None:
        write(*given)
        if where == "keep" or given[0].epochs:
            written.append(given)
            raise KeyboardInterrupt

    plan = Plan("cultist", 1, 1, 200, 10, 8, 3, 0.01, 0.0, 0.5, True)
    with ThreadPoolExecutor(1) as jobs:
        monkeypatch.setattr(owner, where, write_and_end)
        with pytest.raises(KeyboardInterrupt):
            learning.train(resumed(tmp_path, plan), tmp_path, jobs, 1, lambda *_: None)
        monkeypatch.undo()
        learning.train(resumed(tmp_path, plan), tmp_path, jobs, 1, lambda *_: None)
    assert written and [each.number for each in resumed(tmp_path, plan).epochs] == [1, 2, 3]


def test_a_game_without_inputs_cannot_be_trained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", "connect_four", "--folder", str(tmp_path)]) == 2
    assert "net.py" in capsys.readouterr().err and not list(tmp_path.iterdir())


SHIPPED = [game for game in GAMES if nets.shipped(load(game, "interpreted")) is not None]


@pytest.mark.parametrize("game", SHIPPED)
def test_a_shipped_net_fits_its_game_and_its_log_says_that_it_is_better(game: str) -> None:
    """Whoever changes the evaluation or the inputs trains the net anew, or takes it away."""
    rules = load(game, "interpreted")
    nets.find("", rules)
    kept = Path(__file__).parent.parent / "docs" / "learning" / f"{game}.json"
    log = msgspec.json.decode(kept.read_bytes(), type=Log)
    assert log.plan == recipe(game, 0, {}) and log.proof is not None
    found = score_of(log.proof.scores)
    assert (found.mean, found.low, found.high) == (log.proof.score, log.proof.low, log.proof.high)
    assert found.low > 0.55 and found.pairs >= 200
    assert settings("net:nodes=10", rules, MOST) == {"nodes": 10}  # also at a server
