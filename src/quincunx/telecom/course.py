"""Match after match: clients take their seats, computers think, clocks run out, and every record is kept.

A match begins when the one before is over: the clients of the one before are told the end, those that come then get
the next seats. After the last one the server stays until every client has been shown the end, or for some seconds.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from quincunx.core.words import Language, Refused, Words
from quincunx.match import Match, Seat
from quincunx.match.clock import ClockRule
from quincunx.players import Player
from quincunx.players.programs.flight import FlightRecorder, free_file
from quincunx.players.programs.program import Program, closing_programs
from quincunx.players.table import Table as Programs
from quincunx.telecom.door import Door, Page
from quincunx.telecom.http import HttpServer
from quincunx.telecom.table import Listen, Table

SLICE = 0.05  # seconds after which one looks whether a program is late
FAREWELL = 5.0  # seconds for a client to ask how it ended
NUMBER = Words("Partie {} sur {}.", "Match {} of {}.")
CRASHED = Words("{} ne joue plus : {}", "{} plays no more: {}")


class Plan(NamedTuple):
    games: int
    begin: Callable[[int], Match]  # the match with this number, from 0
    keep: Callable[[int, Match], None]  # hears of every match that is over
    rule: ClockRule
    computers: Mapping[int, Player | Program]
    private: bool
    pages: Mapping[str, Page]
    log: Path | None = None  # the folder that keeps the dialogues of programs


class Course:
    def __init__(self, plan: Plan, tell: Listen, language: Language) -> None:
        self._plan = plan
        self._tell = tell
        self._bell = asyncio.Event()
        self._began = time.monotonic()
        self._clients = [seat for seat in range(2) if seat not in plan.computers]
        self.door = Door(self._now, language, plan.private, plan.pages, self._bell.set)

    async def run(self, host: str, port: int, listening: Callable[[int], None]) -> None:
        """Until all matches are over."""
        server = HttpServer(self.door.answer)
        listening(await server.open(host, port))
        try:
            with closing_programs(self._plan.computers.values()):
                for number in range(self._plan.games):
                    await self._play(number)
            await self._farewell()
        finally:
            await server.close()

    def _now(self) -> int:
        return round(1000 * (time.monotonic() - self._began))

    async def _play(self, number: int) -> None:
        if self._plan.games > 1:
            self._tell(NUMBER.format(number + 1, self._plan.games))
        match = self._plan.begin(number)
        for seat, player in self._plan.computers.items():
            if isinstance(player, Player):
                player.begin(number)
            match.seats[seat] = Seat(player.name.removeprefix("bot:"), player.name)
        table = Table(match, self._clients, self._plan.rule, self._tell)
        with FlightRecorder(self._plan.log and free_file(self._plan.log, match.game.card.id)) as recorder:
            await self._see_to(table, self._seat_programs(table, recorder))
        self._plan.keep(number, match)

    async def _see_to(self, table: Table, programs: Programs) -> None:
        """From its beginning to its end."""
        match = table.match
        programs.welcome()
        self._began = time.monotonic()
        self.door.last, self.door.table = self.door.table, table
        while not table.over:
            player_to_act = self._plan.computers.get(match.turn)
            if player_to_act is None or not table.full:
                await self._wait(table)
            elif isinstance(player_to_act, Program):
                await self._answer(table, programs)
            else:
                await self._think(table, match.turn, player_to_act)
            table.expire(self._now())
        programs.farewell()

    def _seat_programs(self, table: Table, recorder: FlightRecorder) -> Programs:
        """Programs sit as they do everywhere (players/table.py): with clocks of their own; a late one ends its turn."""
        programs = [p if isinstance(p, Program) else None for p in map(self._plan.computers.get, range(2))]
        for seat, program in enumerate(programs):
            if program is not None:
                table.leave_clock(seat)

        def play(seat: int, action: int) -> None:
            table.act(seat, action, self._now())

        others = Programs(table.match, programs, late="fallback", recorder=recorder, play=play)
        table.played = others.hear
        return others

    async def _answer(self, table: Table, programs: Programs) -> None:
        """A program's turn, or a part of it. Others may look on meanwhile."""
        played = table.match.length
        programs.step(patience=0.0)
        table.tell_end()
        if not table.over and table.match.length == played:
            await asyncio.to_thread(programs.wait_for_programs, SLICE)

    async def _think(self, table: Table, seat: int, player: Player) -> None:
        """What it chooses too late is not played: its turn is over."""
        game, played = table.match.game, table.match.length
        try:
            action = await asyncio.to_thread(player.choose, game.view(table.match.world, seat))
            if table.match.length == played:
                table.act(seat, action, self._now())
        except asyncio.CancelledError:
            player.cancel()  # nobody waits for it any more
            raise
        except Refused as refused:
            if table.match.turn == seat and table.match.length == played:
                self._tell(CRASHED.format(player.name, refused.words))
                table.forfeit(seat, refused.code, self._now())

    async def _wait(self, table: Table) -> None:
        """Until something happens, or a clock has run out."""
        deadline = table.deadline()
        seconds = None if deadline is None else max(0, deadline - self._now()) / 1000 + 0.001
        self._bell.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._bell.wait()
        except TimeoutError:
            pass

    async def _farewell(self) -> None:
        until = time.monotonic() + FAREWELL
        tables = [table for table in (self.door.last, self.door.table) if table is not None]
        while any(table.unaware for table in tables) and time.monotonic() < until:
            await asyncio.sleep(0.02)
