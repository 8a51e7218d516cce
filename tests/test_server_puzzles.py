"""Puzzles and lessons over REST: the server judges, and tells nothing before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from settled import IDS

from quincunx.puzzles.lesson import lessons
from quincunx.puzzles.puzzle import shelf
from test_server import Server

pytestmark = pytest.mark.slow  # left out of `make check`


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("puzzles"))
    running.start()
    yield running
    running.kill()


def get(server: Server, path: str, status: int = 200) -> Any:
    answer = httpx.get(server.url(f"/api/{path}"), timeout=60)
    assert answer.status_code == status, answer.text
    return answer.json()


def attempt(server: Server, game: str, id: str, action: str, status: int = 200) -> Any:
    answer = httpx.post(server.url(f"/api/games/{game}/puzzles/{id}/try"), json={"action": action}, timeout=60)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_what_there_is(server: Server) -> None:
    studies = {each["game"]: each for each in get(server, "exercises")}
    assert studies.keys() == set(IDS)
    shown = {each["card"]["id"]: each["puzzles"] for each in get(server, "games")}
    for game, study in studies.items():
        listed = get(server, f"games/{game}/puzzles")
        assert len(listed) == study["puzzles"] == shown[game] == len(shelf(game))
        assert listed[0].keys() == {"id", "rating"}
        assert [each["id"] for each in study["lessons"]] == [each.id for each in lessons(game)]


@pytest.mark.parametrize("game", ("khet", "garden", "casus_belli"))
def test_a_puzzle_is_asked_tried_and_solved(server: Server, game: str) -> None:
    puzzle = shelf(game)[5]
    asked = get(server, f"games/{game}/puzzles/{puzzle.id}")
    assert "answer" not in asked and puzzle.answer in asked["legal"] and asked["shown"]
    wrong = next(text for text in asked["legal"] if text != puzzle.answer)
    assert attempt(server, game, puzzle.id, wrong)["right"] is False
    right = attempt(server, game, puzzle.id, puzzle.answer)
    assert right["right"] is True and right["scenes"][0]["shown"] != asked["shown"]
    solution = get(server, f"games/{game}/puzzles/{puzzle.id}/solution")
    assert solution["answer"] == puzzle.answer and solution["scenes"] == right["scenes"]


def test_lessons_come_with_their_boards(server: Server) -> None:
    for game in ("khet", "chartichaud"):
        for lesson in lessons(game):
            shown = get(server, f"games/{game}/lessons/{lesson.id}")
            assert [step["say"]["fr"] for step in shown["steps"]] == [step.say.fr for step in lesson.steps]
            assert all(step["shown"] for step in shown["steps"])


def test_what_does_not_exist_is_refused_in_words(server: Server) -> None:
    puzzle = shelf("khet")[0].id
    for path in ("games/khet/puzzles/00000000", "games/khet/puzzles/00000000/solution", "games/khet/lessons/nothing"):
        assert get(server, path, 404)["words"]["fr"]
    for path in ("games/nothing/puzzles", "games/khet/puzzles/nonsense"):
        assert get(server, path, 400)["words"]["fr"]
    assert attempt(server, "khet", "00000000", "A1-A2", 404)["code"] == "no_such_puzzle"
    assert attempt(server, "khet", puzzle, "nonsense", 400)["words"]["fr"]
    assert attempt(server, "khet", puzzle, "x" * 1000, 400)["words"]["fr"]
