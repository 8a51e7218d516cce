"""Whose thought is next: by what clients have had, short ones first; no process and no clock is needed to know."""

from __future__ import annotations

from dataclasses import dataclass

from quincunx.players.queue import GUESS, SHORT, Pace, Queue, guess
from quincunx.players.worker import Job


@dataclass
class Waiting:
    job: Job
    cost: float


def thought(client: str, cost: float, owner: str = "") -> Waiting:
    return Waiting(Job("khet", {}, b"", 0, "random", owner=owner, client=client), cost)


def taken(queue: Queue[Waiting], n: int, quick: bool = False) -> list[tuple[str, float]]:
    found = [queue.take(quick) for _ in range(n)]
    return [(each.job.client or each.job.owner, each.cost) for each in found if each is not None]


def queue_of(*thoughts: Waiting) -> Queue[Waiting]:
    queue: Queue[Waiting] = Queue()
    for each in thoughts:
        queue.add(each)
    return queue


def test_who_has_had_least_is_next_however_many_another_brought() -> None:
    queue = queue_of(*(thought("crowd", 60.0) for _ in range(50)), *(thought("ada", 2.0) for _ in range(3)))
    assert taken(queue, 5) == [("crowd", 60.0), ("ada", 2.0), ("ada", 2.0), ("ada", 2.0), ("crowd", 60.0)]
    queue.add(thought("bob", 5.0))
    assert taken(queue, 2) == [("bob", 5.0), ("crowd", 60.0)]


def test_of_one_client_the_shortest_is_first() -> None:
    queue = queue_of(*(thought("here", 5.0) for _ in range(200)), thought("here", 0.02), thought("here", 1.0))
    assert taken(queue, 3) == [("here", 0.02), ("here", 1.0), ("here", 5.0)]


def test_a_quick_worker_takes_short_thoughts_only() -> None:
    queue = queue_of(*(thought("crowd", 60.0) for _ in range(50)), thought("ada", SHORT), thought("bob", SHORT + 0.1))
    assert taken(queue, 9, quick=True) == [("ada", SHORT)]
    assert len(queue) == 51 and len(list(queue)) == 51


def test_nobody_saves_up() -> None:
    queue = queue_of(*(thought("crowd", 10.0) for _ in range(10)))
    taken(queue, 4)  # it has had 40 s, and the next begins at 30 s
    for _ in range(10):
        queue.add(thought("late", 10.0))
    assert [client for client, _ in taken(queue, 6)] == ["late", "crowd", "late", "crowd", "late", "crowd"]


def test_without_a_client_owners_take_turns_and_what_was_lost_comes_first() -> None:
    queue = queue_of(*(thought("", 1.0, owner="a") for _ in range(3)), thought("", 1.0, owner="b"))
    assert [who for who, _ in taken(queue, 2)] == ["a", "b"]
    queue.add(thought("", 9.0, owner="a"), again=True)
    assert taken(queue, 1) == [("a", 9.0)]


def test_what_a_player_takes_is_guessed_and_then_known() -> None:
    assert guess("alphabeta:time=60") == 60.0 and guess("random") < SHORT and guess("mcts") == GUESS
    assert guess("level:1") < SHORT < guess("level:8") and guess("level:x") == GUESS and guess("mcts:time=x") == GUESS
    pace = Pace()
    pace.learn("khet", "level:8", 0.2)
    assert pace.of("khet", "level:8") == 0.2 and pace.of("garden", "level:8") == guess("level:8")
    pace.learn("khet", "level:8", 0.4)
    assert 0.2 < pace.of("khet", "level:8") < 0.4
    for n in range(2000):
        pace.learn("khet", f"alphabeta:nodes={n + 1}", 1.0)
    assert pace.of("khet", "level:8") == guess("level:8")
