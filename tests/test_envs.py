"""Environments of PettingZoo and Gymnasium: their own tests on every game and preset, and our laws."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import permutations
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

import quincunx.envs
from env_cases import GAMES, PRESETS, SIMULTANEOUS, settings
from quincunx.core.random import seeded
from quincunx.core.words import Refused
from quincunx.envs.episode import Episode
from quincunx.envs.picture import ansi
from quincunx.envs.rewards import rewards_of
from quincunx.envs.versions import name_of
from quincunx.games import Game, load
from test_leaks import CASUS_BELLI, CHARTICHAUD, FOG, STARTS, leak_number, leaky, other_world, worlds_of

every_preset = pytest.mark.parametrize("id, preset", PRESETS)

# What PettingZoo says of observations that have planes, scalars and a mask; its own games are on lists that excuse them
KNOWN = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",  # of an agent whose match is over
)


@contextmanager
def excused() -> Iterator[None]:
    with warnings.catch_warnings():
        for message in KNOWN:
            warnings.filterwarnings("ignore", message)
        yield


# -- PettingZoo ------------------------------------------------------------------------------------------------------


@every_preset
def test_aec_passes_the_tests_of_pettingzoo(id: str, preset: str) -> None:
    def make(**more: Any) -> Any:
        return quincunx.envs.aec(id, **settings(id, preset), **more)

    with excused():
        api_test(make(), 30)
        api_test(make(texts=True, longest=5), 10)
        seed_test(make, 20)


@pytest.mark.slow
@every_preset
def test_aec_passes_them_for_longer_and_on_the_usual_boards(id: str, preset: str) -> None:
    with excused():
        api_test(quincunx.envs.aec(id, preset=preset), 300)
        seed_test(lambda: quincunx.envs.aec(id, preset=preset), 300)


@pytest.mark.parametrize("id", GAMES)
def test_every_way_to_render(id: str, capsys: pytest.CaptureFixture[str]) -> None:
    with excused():
        render_test(lambda render_mode: quincunx.envs.aec(id, render_mode=render_mode, **settings(id)))
    assert "\x1b[" in capsys.readouterr().out  # `human` is printed
    with pytest.raises(Refused, match="human, ansi, rgb_array"):
        quincunx.envs.aec(id, render_mode="hologram")


def test_a_picture_shows_whose_pieces_stand_where() -> None:
    env = quincunx.envs.aec("connect_four", render_mode="rgb_array")
    env.reset()
    empty = env.render()
    env.step(3)
    changed = np.argwhere((env.render() != empty).any(axis=2))
    assert len(changed) > 500
    assert (changed.min(axis=0) >= (28 + 5 * 48, 28 + 3 * 48)).all()  # column d of the lowest row, and no other cell
    assert (changed.max(axis=0) < (28 + 6 * 48, 28 + 4 * 48)).all()


@pytest.mark.parametrize("id", GAMES)
def test_all_pictures_of_a_match_have_one_size(id: str) -> None:
    env = quincunx.envs.aec(id, render_mode="rgb_array", **settings(id))
    env.reset(seed=1)
    random, sizes = np.random.default_rng(1), set()
    for step in range(40):
        if env.terminations[env.agent_selection]:
            break
        env.step(random.choice(env.observe(env.agent_selection)["action_mask"].nonzero()[0]))
        if step % 5 == 0:
            sizes.add(env.render().shape)
    assert len(sizes) == 1


@pytest.mark.parametrize("preset", ["seed", "final"])
@pytest.mark.parametrize("id", SIMULTANEOUS)
def test_parallel_passes_the_tests_of_pettingzoo(id: str, preset: str) -> None:
    def make(**more: Any) -> Any:
        return quincunx.envs.parallel(id, **settings(id, preset), **more)

    with excused():
        parallel_api_test(make(), 200)  # a whole match
        parallel_api_test(make(texts=True, longest=9), 20)
        parallel_seed_test(make, 20)


def test_one_seed_repeats_every_match_of_a_parallel_environment() -> None:
    """PettingZoo's own test chooses without the masks, and its matches are over at once."""
    found = []
    for _ in range(2):
        env, random, story = (
            quincunx.envs.parallel("casus_belli", **settings("casus_belli")),
            np.random.default_rng(1),
            [],
        )
        for match in range(2):
            seen, _ = env.reset(seed=9 if match == 0 else None)
            story.append(env.episode.world.position)
            for _ in range(30):
                masks = {agent: each["action_mask"].nonzero()[0] for agent, each in seen.items()}
                seen, *_, infos = env.step({agent: int(random.choice(mask)) for agent, mask in masks.items()})
                story.append(str([seen[agent]["observation"]["planes"].tobytes() for agent in seen]) + str(infos))
        found.append(story)
    assert found[0] == found[1]
    assert found[0][0] != found[0][31]  # another start


@pytest.mark.parametrize("id", [id for id in GAMES if id not in SIMULTANEOUS])
def test_in_turn_is_not_at_once(id: str) -> None:
    with pytest.raises(Refused, match=rf"use quincunx.envs.aec\('{id}'\)"):
        quincunx.envs.parallel(id)


def test_who_has_sealed_waits_for_the_others() -> None:
    env = quincunx.envs.parallel("casus_belli", **settings("casus_belli"))
    seen, _ = env.reset(seed=1)
    order = int(seen["player_1"]["action_mask"].nonzero()[0][1])
    seen, _, _, _, infos = env.step({"player_0": 0, "player_1": order})
    assert infos["player_0"]["action"] == "seal"
    assert infos["player_1"]["action"] != "seal"
    assert seen["player_0"]["action_mask"].nonzero()[0].tolist() == [0]  # to seal again, which does nothing
    assert seen["player_1"]["action_mask"].sum() > 1
    before = env.episode.game.state(env.episode.world).turn
    seen, _, _, _, infos = env.step({"player_0": 0, "player_1": 0})
    assert env.episode.game.state(env.episode.world).turn == before + 1
    assert all(each["action_mask"].sum() > 1 for each in seen.values())
    assert "action" not in infos["player_0"]


def test_who_is_to_act_says_something_and_who_has_sealed_nothing_else() -> None:
    env = quincunx.envs.parallel("casus_belli", **settings("casus_belli"))
    seen, _ = env.reset(seed=1)
    begun = env.episode.world.position
    with pytest.raises(Refused, match="player_1 is to act: give its number"):
        env.step({"player_0": 0})
    assert env.episode.world.position == begun and env.episode.steps == 0
    order = int(seen["player_1"]["action_mask"].nonzero()[0][1])
    env.step({"player_0": 0, "player_1": order})
    with pytest.raises(Refused, match=r"player_0 has sealed its orders .* nothing but 0, not 3"):
        env.step({"player_0": 3, "player_1": 0})
    assert env.episode.steps == 2
    env.step({"player_1": 0})  # a seat that waits need not say so
    assert env.episode.steps == 3


@pytest.mark.parametrize("id", SIMULTANEOUS)
def test_parallel_environments_are_rendered_as_text_and_as_a_picture(id: str) -> None:
    sizes = set()
    for watch in (0, 1):
        text, picture = (
            quincunx.envs.parallel(id, **settings(id), render_mode=mode, watch=watch) for mode in ("ansi", "rgb_array")
        )
        for env in (text, picture):
            env.reset(seed=1)
        episode = text.episode
        assert text.render() == ansi(episode.game.board(episode.game.view(episode.world, watch)))
        sizes.add(picture.render().shape)
        assert picture.render().dtype == np.uint8 and len(np.unique(picture.render())) > 2
    assert len(sizes) == 1 and sizes.pop()[2] == 3


# -- Gymnasium -------------------------------------------------------------------------------------------------------


@every_preset
def test_gymnasium_finds_and_checks_every_game(id: str, preset: str) -> None:
    given = settings(id, preset)
    env = gymnasium.make(f"quincunx/{name_of(id)}", opponent="random", seat="random", **given)
    check_env(env.unwrapped)


def test_names_are_those_that_the_documents_say() -> None:
    known = sorted(name for name in gymnasium.registry if name.startswith("quincunx/"))
    assert known == [f"quincunx/{name}-v1" for name in
                     ("CasusBelli", "Chartichaud", "ConnectFour", "Cultist", "Garden", "Khet")]  # fmt: skip


@pytest.mark.parametrize("opponent", ["greedy", "level:2", "mcts:simulations=20"])
def test_any_player_by_name_is_an_opponent(opponent: str) -> None:
    env = gymnasium.make("quincunx/ConnectFour-v1", opponent=opponent, seat=1)
    seen, info = env.reset(seed=3)
    assert len(info["replies"]) == 1  # who begins has begun
    assert seen["observation"]["planes"].sum() == 1
    reward, terminated = 0.0, False
    while not terminated:
        action = int(seen["action_mask"].nonzero()[0][0])
        seen, reward, terminated, _, info = env.step(action)  # type: ignore[assignment]
    assert info["action"] in "abcdefg"
    assert reward in (-1, 0, 1)


def test_the_seat_is_drawn_and_the_seed_repeats_it() -> None:
    env = gymnasium.make("quincunx/Cultist-v1", opponent="random", seat="random")
    first, again = [[env.reset(seed=seed if k == 0 else None)[1]["seat"] for k in range(20)] for seed in (5, 5)]
    assert set(first) == {0, 1}
    assert first == again


def test_opponents_and_seats_that_do_not_exist() -> None:
    with pytest.raises(Refused, match="a seat from 0 to 1, or random"):
        gymnasium.make("quincunx/Khet-v1", seat=2)
    with pytest.raises(Refused, match="2 opponents"):
        gymnasium.make("quincunx/CasusBelli-v1", opponent=["random"])
    with pytest.raises(Refused, match="one of the players"):
        gymnasium.make("quincunx/Khet-v1", opponent="nobody")


def test_three_opponents_of_different_kinds() -> None:
    given = {**settings("casus_belli"), "seats": 4, "longest": 60}
    env = gymnasium.make("quincunx/CasusBelli-v1", opponent=["random", "greedy", "random"], seat=2, **given)
    _, info = env.reset(seed=1)
    assert "replies" not in info  # orders are secret
    truncated = False
    while not truncated:
        _, _, terminated, truncated, info = env.step(0)
        assert not terminated
        assert "replies" not in info


# -- laws ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scores", [(3, 1), (1, 1), (5, 2, 2), (1, 2, 3, 4), (0, 0, 0), (9, 9, 1)])
def test_rewards_sum_to_nothing_and_follow_ranks(scores: tuple[int, ...]) -> None:
    for each in permutations(scores):
        rewards = rewards_of(each)
        assert abs(sum(rewards)) < 1e-9
        assert all((a > b) == (x > y) for a, x in zip(rewards, each, strict=True)
                   for b, y in zip(rewards, each, strict=True))  # fmt: skip
    assert rewards_of((3, 1)) == [1, -1]
    assert rewards_of((4, 3, 2)) == [1, 0, -1]
    assert rewards_of((4, 3, 2), gone={0}) == [-1, 1, 0]


def play(env: Any, seed: int, steps: int) -> None:
    """A match at random, begun anew when it is over."""
    random = np.random.default_rng(seed)
    env.reset(seed=seed)
    for _ in range(steps):
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            env.reset()
            agent = env.agent_selection
        env.step(random.choice(env.observe(agent)["action_mask"].nonzero()[0]))


@pytest.mark.parametrize("id", GAMES)
def test_the_end_is_worth_what_the_scores_say(id: str) -> None:
    env = quincunx.envs.aec(id, **settings(id))
    random = np.random.default_rng(4)
    env.reset(seed=4)
    while not any(env.terminations.values()):
        assert not any(env.rewards.values())
        env.step(random.choice(env.observe(env.agent_selection)["action_mask"].nonzero()[0]))
    scores = env.episode.world.scores()
    assert list(env.rewards.values()) == rewards_of(scores)
    assert env.episode.world.over


@pytest.mark.parametrize("id", GAMES)
def test_a_saved_match_goes_on_as_it_did(id: str) -> None:
    env = quincunx.envs.aec(id, texts=True, **settings(id))
    play(env, 8, 9)
    saved = env.save()
    ends = []
    for _ in range(2):
        env.restore(saved)
        texts, random = [], np.random.default_rng(1)
        for _ in range(12):  # dice included
            agent = env.agent_selection
            if env.terminations[agent]:
                break
            env.step(random.choice(env.observe(agent)["action_mask"].nonzero()[0]))
            texts.append(env.infos[agent]["action"])
        ends.append((texts, env.episode.game.digest(env.episode.world)))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("id", GAMES)
def test_info_has_the_action_and_the_legal_ones_as_texts(id: str) -> None:
    env = quincunx.envs.aec(id, texts=True, **settings(id))
    env.reset(seed=2)
    for _ in range(10):
        agent = env.agent_selection
        if env.terminations[agent]:
            break
        numbers = env.observe(agent)["action_mask"].nonzero()[0]
        legal = env.infos[agent]["legal"]
        seat = env.possible_agents.index(agent)
        assert len(legal) == len(set(legal)) == len(numbers)
        assert sorted(legal) == sorted(env.episode.world.legal(seat))
        env.step(numbers[-1])
        assert env.infos[agent]["action"] == legal[-1]


def test_an_illegal_action_loses_or_is_raised() -> None:
    env = quincunx.envs.aec("connect_four")
    env.reset()
    for _ in range(6):
        env.step(0)
    env.step(0)  # the column is full
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": -1, "player_1": 1}
    assert env.infos["player_0"] == {"illegal": "This column is full."}
    assert not env.observe("player_1")["action_mask"].any()
    strict = quincunx.envs.aec("connect_four", illegal="raise")
    strict.reset()
    with pytest.raises(Refused, match="no legal action"):
        strict.step(7)
    strict.step(6)  # it goes on
    assert strict.infos["player_0"] == {"action": "g"}


def test_an_order_that_is_not_offered_any_more_is_no_way_to_play_for_ever() -> None:
    env = quincunx.envs.aec("casus_belli", illegal="raise", **settings("casus_belli"))
    env.reset(seed=1)
    first = int(env.observe("player_0")["action_mask"].nonzero()[0][1])
    env.step(first)
    with pytest.raises(Refused, match="no legal action"):  # the rules would let it replace the first
        env.step(first)


def test_a_bound_truncates() -> None:
    env = quincunx.envs.aec("khet", longest=6)
    play(env, 1, 6)
    assert env.truncations == {"player_0": True, "player_1": True}
    assert not any(env.terminations.values())
    assert not any(env.rewards.values())


def test_environments_travel_to_other_processes() -> None:
    """As they were made: the match begins anew there."""
    given = settings("casus_belli")
    envs: list[Any] = [
        quincunx.envs.aec("casus_belli", longest=7, **given),
        quincunx.envs.parallel("casus_belli", longest=7, **given),
        gymnasium.make("quincunx/CasusBelli-v1", opponent="greedy", seat=1, longest=7, **given).unwrapped,
    ]
    for env in envs:
        twin = pickle.loads(pickle.dumps(env))
        assert twin.episode.longest == 7
        assert data_equivalence(env.reset(seed=4), twin.reset(seed=4), exact=True)
        assert env.episode.world.position == twin.episode.world.position


def test_starts_are_drawn_anew_unless_one_is_asked_for() -> None:
    def starts(**given: Any) -> set[str]:
        env, found = quincunx.envs.aec("cultist", **given), set()
        for k in range(5):
            env.reset(seed=7 if k == 0 else None)
            found.add(env.episode.world.position)
        return found

    assert len(starts()) == 5
    assert starts() == starts()
    assert len(starts(start_seed=3)) == 1


def test_a_match_may_begin_at_a_position() -> None:
    env = quincunx.envs.aec("connect_four")
    env.reset(options={"position": "7/7/7/7/3r3/3y3"})
    assert env.observe("player_0")["observation"]["planes"].sum() == 2


def test_after_a_match_there_is_nothing_to_play() -> None:
    env = gymnasium.make("quincunx/ConnectFour-v1", disable_env_checker=True)
    env.reset(options={"position": "7/7/7/yr5/yr5/yr5"})
    assert env.step(0)[1:3] == (1, True)
    with pytest.raises(Refused, match="The match is over"):  # and the match that was won stays so
        env.step(3)
    with pytest.raises(Refused, match="a match that is over"):
        env.reset(options={"position": "7/7/y6/yr5/yr5/yr5"})
    together = quincunx.envs.parallel("casus_belli", **settings("casus_belli"), longest=1)
    together.reset(seed=1)
    together.step({"player_0": 0, "player_1": 0})
    assert together.step({}) == ({}, {}, {}, {}, {})


def test_before_a_match_there_is_nothing_to_see() -> None:
    with pytest.raises(Refused, match=r"Begin with reset\(\)"):
        quincunx.envs.aec("khet").observe("player_0")


# -- secrets ---------------------------------------------------------------------------------------------------------


def told_apart(game: Game, start: dict[str, Any], seed: int) -> str | None:
    """An observation that changes when what its seat may not know is drawn again, or None."""
    episode = Episode(game, **start)
    random = seeded(seed)
    for world in worlds_of(game, start, seed, every=11):
        for seat in range(episode.seats):
            twin = other_world(game, world, seat, random)
            seen = []
            for each in (world, twin):
                episode._world = each
                seen.append((episode.observe(seat), episode.legal_texts(seat)))
            if not data_equivalence(seen[0], seen[1], exact=True):
                return f"seat {seat} in {game.position(world)}"
    return None


@pytest.mark.parametrize("id, start", [(id, start) for id in FOG for start in STARTS[id]], ids=str)
def test_an_observation_is_the_view_of_its_seat_and_nothing_else(id: str, start: dict[str, Any]) -> None:
    assert told_apart(load(id, "compiled"), start, 1) is None


@pytest.mark.parametrize(
    "id, field, value",
    [("chartichaud", "own_purse", CHARTICHAUD["purse"]), ("casus_belli", "orb", CASUS_BELLI["cell"])],
)
def test_the_law_notices_a_leak(id: str, field: str, value: Any) -> None:
    game = leaky(load(id, "interpreted"), leak_number(field, value))
    assert any(told_apart(game, start, seed) for start in STARTS[id] for seed in range(2))


# -- what is not there -----------------------------------------------------------------------------------------------


def test_what_is_missing_is_said_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(Refused, match=r"pip install 'quincunx\[envs\]'"):
        quincunx.envs.aec("khet")


def test_nothing_heavy_is_imported_unasked() -> None:
    """Without the extras the encodings are there all the same; and whoever only plays imports none of them."""
    code = """
import sys
for name in ("gymnasium", "pettingzoo", "pyspiel", "pyarrow", "PIL"):
    sys.modules[name] = None
import quincunx
assert "quincunx.envs" not in sys.modules
from importlib.util import find_spec
import importlib.util
importlib.util.find_spec = lambda name, package=None: None if name == "gymnasium" else find_spec(name, package)
from quincunx.envs.encoding import Encoding
assert Encoding("connect_four").actions == 7
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
