"""`quincunx mcp` through the protocol's own client: the tools, a whole match, some turns under fog, and refusals."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from settled import CARDS

from quincunx.core.words import Language
from quincunx.match import Match, Played, decode
from test_server import Server

pytest.importorskip("mcp", reason="the extra quincunx[mcp] is not installed")

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from quincunx.mcp.rules import SHIPPED, rules_of
from quincunx.mcp.telling import drawn

pytestmark = pytest.mark.slow  # a server is started

SOURCE = Path(__file__).parent.parent / "src"


class Model:
    """Calls tools as a language model would."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session

    async def __call__(self, tool: str, **arguments: Any) -> str:
        answer = await self.session.call_tool(tool, arguments)
        assert not answer.is_error, answer.content
        return self._text(answer)

    async def refused(self, tool: str, **arguments: Any) -> str:
        answer = await self.session.call_tool(tool, arguments)
        assert answer.is_error, answer.content
        return self._text(answer)

    @staticmethod
    def _text(answer: Any) -> str:
        return "".join(part.text for part in answer.content)


@asynccontextmanager
async def model(folder: Path, *arguments: str, lang: str = "en") -> AsyncIterator[Model]:
    command = ["-m", "quincunx", "--lang", lang, "mcp", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    with (folder / "stderr.txt").open("w") as errors:
        parameters = StdioServerParameters(command=sys.executable, args=command, env=environment)
        async with stdio_client(parameters, errors) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            yield Model(session)


def play(folder: Path, server: Server, talk: Callable[[Model], Awaitable[None]], lang: str = "en") -> None:
    async def both() -> None:
        async with model(folder, "--server", server.url(""), lang=lang) as one:
            await talk(one)

    asyncio.run(both())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.kill()


def test_a_whole_match_of_connect_four(tmp_path: Path, server: Server) -> None:
    async def talk(ask: Model) -> None:
        tools = (await ask.session.list_tools()).tools
        assert [tool.name for tool in tools] == [
            "list_games", "rules", "new_match", "sit_down", "look", "legal_actions", "play", "wait_for_turn", "resign",
        ]  # fmt: skip
        assert "connect_four: Connect Four." in await ask("list_games")
        assert "four" in await ask("rules", game="connect_four")
        said = await ask("new_match", game="connect_four", against="random")
        assert "You are" in said and "It is your turn." in said and server.url("/match/") in said
        turns = 0
        while "The match is over." not in said:
            legal = (await ask("legal_actions")).split()
            assert set(legal) <= set("abcdefg")
            assert f" {legal[0]}" in await ask("look")
            await ask("play", actions=legal[turns % len(legal)])
            said = await ask("wait_for_turn", seconds=30)
            turns += 1
        assert turns >= 4 and re.search("You have won|You have lost|It is a draw", said)
        shown = json.loads(await ask("look", format="json"))
        assert shown["outcome"]["reason"] == "played" and shown["shown"] and shown["seat"] == 0
        assert await ask.refused("play", actions="d") == "Action 1 (d): The match is over."
        assert await ask("legal_actions") == "Nothing to play now."

    play(tmp_path, server, talk)


def test_some_turns_of_chartichaud_under_fog(tmp_path: Path, server: Server) -> None:
    async def talk(ask: Model) -> None:
        said = await ask("new_match", game="chartichaud", against="greedy", preset="telecom", seconds_per_turn=100)
        assert "You are Side A (seat 0)." in said and re.search(r"Clocks: Side A 1:[34]\d, Side B 1:40\.", said)
        for _ in range(3):
            shown = json.loads(await ask("look", format="json"))
            (mine,) = {(place["x"], place["y"]) for place in shown["shown"]["places"] if place["stacks"]} & {(0, 0)}
            assert mine == (0, 0)
            seen = [place for place in shown["shown"]["places"] if place["seen"]]
            assert all(max(place["x"], place["y"]) <= 4 for place in seen) and "purse" in shown["shown"]
            assert all(stack["owner"] == 0 for place in seen for stack in place["stacks"])
            said = await ask("play", actions=["end"])
            said = await ask("wait_for_turn")
            assert "It is your turn." in said and "~" in said
        moves = (await ask("legal_actions", containing="move civilian 0,0")).splitlines()
        assert moves == ["move civilian 0,0 east", "move civilian 0,0 south"]
        wrong = await ask.refused("play", actions=["move civilian 0,0 east", "move civilian 0,0 north", "end"])
        assert wrong == "Action 2 (move civilian 0,0 north): The map ends there."
        said = await ask("look")
        assert "a civilian goes from 0,0 to 1,0" in said and "It is your turn." in said
        assert "Nothing new since you last looked." in await ask("look")
        assert "You have lost" in await ask("resign")

    play(tmp_path, server, talk)


def test_where_no_server_runs_one_is_opened_and_two_models_meet_there(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    async def both() -> None:
        (tmp_path / "b").mkdir()
        own = ("--port", str(port), "--database", str(tmp_path / "matches.db"), "--name", "Ada")
        async with (
            model(tmp_path, *own) as ada,
            model(tmp_path / "b", "--server", f"http://127.0.0.1:{port}", "--name", "Bob") as bob,
        ):
            said = await ada("new_match", game="connect_four", against=None)
            head, link, *_ = said.splitlines()
            assert f"The match still waits for a player: {link}" in said
            assert await bob.refused("look") == "You sit nowhere: new_match or sit_down first."
            assert "It is the turn of" in await bob("sit_down", link=link)
            assert "It is your turn." in await ada("wait_for_turn", seconds=20)
            await ada("play", actions="d")
            assert "It is your turn." in await bob("wait_for_turn", seconds=20)
            assert await bob.refused("play", actions="z") != ""
            match, token = re.findall(r"match=(\S+) seat=0 token=(\S+)", head)[0]
            assert "not to the server" in await bob.refused("sit_down", link=f"http://192.0.2.1:9/match/{match}")
            assert (
                await bob.refused("sit_down", match=match, token="x" * 20) == "This token is of no seat in this match."
            )
            assert await bob.refused("sit_down", match=match) == "This seat is taken."
            again = await ada("sit_down", link=f"http://127.0.0.1:{port}/match/{match}#seat=0&token={token}")
            assert "(seat 0)" in again and "Since you last looked:" in again
            assert "You have won." in (await bob("resign"), await ada("wait_for_turn", seconds=20))[1]

    asyncio.run(both())
    assert f"here is one, http://127.0.0.1:{port}" in (tmp_path / "stderr.txt").read_text()


def test_a_seat_survives_a_restart_of_the_server(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()

    async def talk(ask: Model) -> None:
        said = await ask("new_match", game="connect_four", against="random")
        await ask("play", actions="d")
        assert "It is your turn." in await ask("wait_for_turn")
        await asyncio.to_thread(server.kill)
        lost = asyncio.create_task(ask("play", actions="e"))
        await asyncio.to_thread(server.start)
        assert "(seat 0)" in await lost
        assert "It is your turn." in await ask("wait_for_turn", seconds=120)  # whose lease it was must run out
        id = re.findall(r"match=(\S+)", said)[0]
        record = decode(httpx.get(server.url(f"/api/matches/{id}/record"), timeout=30).content)
        assert [each.action for each in record.entries if isinstance(each, Played) and each.seat == 0] == ["d", "e"]

    try:
        play(tmp_path, server, talk)
    finally:
        server.kill()


def test_a_server_that_does_not_answer_is_refused() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        command = ["-m", "quincunx", "--lang", "en", "mcp", "--server", f"127.0.0.1:{free.getsockname()[1]}"]
        ran = subprocess.run(
            [sys.executable, *command], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(SOURCE)}
        )
    assert ran.returncode == 2 and ran.stdout == "" and ran.stderr.startswith("No Quincunx answers at")


def test_refusals_and_texts_are_french_where_the_command_is(tmp_path: Path, server: Server) -> None:
    async def talk(ask: Model) -> None:
        assert await ask.refused("look") == "Vous n’êtes assis nulle part\u00a0: new_match ou sit_down d’abord."
        assert "Il faut un jeu parmi" in await ask.refused("new_match", game="chess")
        assert "Puissance" in await ask("list_games")
        said = await ask("new_match", game="connect_four", against="random", seat=1)
        assert "C’est à" in said

    play(tmp_path, server, talk, lang="fr")


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_game_has_rules_as_text(language: Language) -> None:
    for card in CARDS:
        text = rules_of(card.id, language)
        assert text.startswith(f"# {card.name.of(language)}\n") and "```board" not in text and len(text) > 1000


def test_the_rules_are_shipped_where_they_are_looked_for() -> None:
    said = tomllib.loads((SOURCE.parent / "pyproject.toml").read_text("utf-8"))
    shipped = said["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert {SOURCE / path for path in shipped.values()} == {SHIPPED / "rules", SHIPPED / "reference"}
    assert all((SOURCE.parent / folder).is_dir() for folder in shipped)


def test_a_board_as_text() -> None:
    match = Match("connect_four").play("d").play("d").play("c")
    board = match.game.board(match.game.view(match.world, 0))
    lines = drawn(msgspec.to_builtins(board), "en").splitlines()
    assert lines[0].split() == list("abcdefg") and lines[7] == "· empty"
    assert lines[5].split()[1:] == ["·", "·", "·", "r", "·", "·", "·"]
    assert lines[6].split()[1:] == ["·", "·", "y", "y", "·", "·", "·"]


def test_grounds_that_look_alike_have_signs_of_their_own() -> None:
    def cell(ground: str) -> dict[str, str]:
        return {"text": "", "ground": ground}

    row = [cell(ground) for ground in ("", "unknown", "wall", "forest", "fort", "tower")]
    board = {"columns": list("abcdef"), "rows": ["1"], "cells": [row], "notes": [], "hexagonal": False}
    lines = drawn(board, "en").splitlines()
    assert lines[1].split()[1:] == ["·", "~", "#", "(fo)", "(for)", "(to)"]
    assert lines[2] == "· empty, ~ out of sight, # wall, (fo) forest, (for) fort, (to) tower"
