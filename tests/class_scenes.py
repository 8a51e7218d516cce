"""A class for tests and pictures: contests in every state that a page shows, played by real files and computers."""

from __future__ import annotations

import json
from contextlib import ExitStack

from playwright.sync_api import Page
from websockets.sync.client import connect

from schools import Pupil, School

CHOOSES = """
import sys
from view import View

def choose(view: View) -> str:
    print({name!r}, "has", len(view.legal), "actions", file=sys.stderr)
    return view.legal[{pick}]
"""
BREAKS = """
import sys
from view import View

def choose(view: View) -> str:
    print("looking for the best of", len(view.legal), "actions", file=sys.stderr)
    return view.legal[1000]
"""
LONG = "Gabrielle Émilie du Châtelet"


class ClassScene:
    """`played`: a round is over, one file breaks, two wait to be accepted, one of them connected from elsewhere;
    `over`: a contest that was closed."""

    def __init__(self, school: School) -> None:
        self.school = school
        self.ada, self.blaise, self.emilie = (school.join(name) for name in ("Ada", "Blaise", LONG))
        self.gaspard, self.sophie, self.hypatie = (school.join(name) for name in ("Gaspard", "Sophie", "Hypatie"))
        self.sockets = ExitStack()
        self.over = self._over()
        self.played = self._played()

    def close(self) -> None:
        self.sockets.close()

    def _over(self) -> str:
        id = self.school.open("Coupe d’automne", computers=["greedy", "random"], matches=1)
        self._send(id, self.ada, 0)
        self.school.accept(id, "Ada")
        self.school.teach(f"contests/{id}/round")
        self.school.finish_round(id)
        self.school.teach(f"contests/{id}/close")
        return id

    def _played(self) -> str:
        id = self.school.open("Puissance 4, le grand soir", computers=["level:1", "greedy"], turn=2, matches=1)
        self._send(id, self.ada, 0)
        self.blaise.upload(id, BREAKS)
        self._send(id, self.emilie, -1)
        self.school.accept(id, "Ada", "Blaise", LONG)
        self.school.teach(f"contests/{id}/round")
        self.school.finish_round(id)
        self.sophie.upload(id, CHOOSES.format(name="Sophie", pick=1), "mon_programme_de_puissance_4_version_12.py")
        self._connect(id, self.gaspard)
        return id

    def _send(self, id: str, pupil: Pupil, pick: int) -> None:
        pupil.upload(id, CHOOSES.format(name=pupil.name, pick=pick))

    def _connect(self, id: str, pupil: Pupil) -> None:
        """A program that is there, and has nothing to do as long as it is not accepted."""
        socket = self.sockets.enter_context(connect(f"ws://127.0.0.1:{self.school.server.port}/ws/arena/{id}"))
        socket.send(json.dumps({"type": "enter", "name": pupil.name, "key": pupil.key}))
        assert json.loads(socket.recv(timeout=60))["type"] == "entered"

    def teach(self, page: Page) -> None:
        """The teacher's page, as if opened with the link."""
        page.goto(self.school.server.url(f"/classroom#token={self.school.token}"))
        page.locator("main h2").first.wait_for()

    def attend(self, page: Page, pupil: Pupil) -> None:
        """A pupil's page, in a browser that the pupil has used before."""
        page.goto(self.school.server.url("/join"))
        page.evaluate("(who) => localStorage.setItem('quincunx.class.pupils', JSON.stringify([who]))", pupil.who)
        page.goto(self.school.server.url("/class"))
        page.locator("main h2").first.wait_for()
