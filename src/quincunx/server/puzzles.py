"""Puzzles and lessons over REST. The server judges: what a page gets before a try does not tell the answer.

All of it is worked out in pool processes from what the games ship; a position is told again from memory.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from quincunx.games import cards, load
from quincunx.match.wire import write
from quincunx.puzzles import puzzle as shelves
from quincunx.puzzles import showing
from quincunx.puzzles.lesson import LessonListed, LessonShown, lesson_shown, lessons
from quincunx.puzzles.showing import Asked, Judged, Solution
from quincunx.server.problems import refusals
from quincunx.server.rest import GameId

MOST_KEPT = 256  # answers; one is some kB

PuzzleId = Annotated[str, PathParameter(pattern="^[0-9a-f]{8}$")]
LessonId = Annotated[str, PathParameter(pattern="^[a-z0-9_]{1,40}$")]


class PuzzleTry(Struct, frozen=True, forbid_unknown_fields=True):
    action: Annotated[str, Meta(max_length=400, description="as the game writes it")]


class PuzzleListed(Struct, frozen=True):
    id: str
    rating: int


class Exercises(Struct, frozen=True):
    """What there is to solve and to learn in a game."""

    game: str
    puzzles: int
    lessons: tuple[LessonListed, ...]


@get("/api/exercises", responses=refusals())
async def exercises() -> list[Exercises]:
    """Of every game that ships puzzles or lessons."""
    found = (Exercises(card.id, len(shelves.shelf(card.id)), lessons(card.id).listed) for card in cards())
    return [each for each in found if each.puzzles or each.lessons]


@get("/api/games/{game:str}/puzzles", responses=refusals(404))
async def list_puzzles(game: GameId) -> list[PuzzleListed]:
    """All of them, the easy ones first."""
    return [PuzzleListed(each.id, each.rating) for each in shelves.shelf(game)]


@get("/api/games/{game:str}/puzzles/{id:str}", responses=refusals(404))
async def show_puzzle(state: State, game: GameId, id: PuzzleId) -> Response[Asked]:
    """Its position, whose turn it is and what is asked; not the solution."""
    shelves.find(game, id)
    return _as_it_is(await state.pool.run(ask, game, id))


@post("/api/games/{game:str}/puzzles/{id:str}/try", responses=refusals(404), status_code=200)
async def try_puzzle(state: State, game: GameId, id: PuzzleId, data: JSONBody[PuzzleTry]) -> Response[Judged]:
    """Right or wrong, and what comes of it; refused if the action may not be played."""
    shelves.find(game, id)
    return _as_it_is(await state.pool.run(judge, game, id, data.action))


@get("/api/games/{game:str}/puzzles/{id:str}/solution", responses=refusals(404))
async def solve_puzzle(state: State, game: GameId, id: PuzzleId) -> Response[Solution]:
    """For those who give up, or want a hint."""
    shelves.find(game, id)
    return _as_it_is(await state.pool.run(solve, game, id))


@get("/api/games/{game:str}/lessons/{id:str}", responses=refusals(404))
async def show_lesson(state: State, game: GameId, id: LessonId) -> Response[LessonShown]:
    """With the board after each of its moves."""
    lessons(game).find(id)
    return _as_it_is(await state.pool.run(teach, game, id))


# -- in a process of the pool ---------------------------------------------------------------------------------------


@lru_cache(MOST_KEPT)
def ask(game: str, id: str) -> bytes:
    return write(showing.asked(load(game), shelves.find(game, id)))


@lru_cache(MOST_KEPT)
def judge(game: str, id: str, action: str) -> bytes:
    return write(showing.judged(load(game), shelves.find(game, id), action))


@lru_cache(MOST_KEPT)
def solve(game: str, id: str) -> bytes:
    return write(showing.solution(load(game), shelves.find(game, id)))


@lru_cache(MOST_KEPT)
def teach(game: str, id: str) -> bytes:
    return write(lesson_shown(load(game), lessons(game).find(id)))


def _as_it_is(content: bytes) -> Response[Any]:
    return Response(content, media_type="application/json")


HANDLERS: tuple[Any, ...] = (exercises, list_puzzles, show_puzzle, try_puzzle, solve_puzzle, show_lesson)
