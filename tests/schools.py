"""A class on a real server, for tests: a teacher and pupils who talk to it over HTTP."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from test_server import Server

IDEA = """
import sys
from view import View

def choose(view: View) -> str:
    print("I am {name}", file=sys.stderr)
    return view.legal[{pick}]
"""


class School:
    """A server that holds a class."""

    def __init__(self, folder: Path, *options: str, **environment: str) -> None:
        self.folder = folder
        environment = {"QUINCUNX_BOTS": str(folder / "bots.json"), **environment}
        self.server = Server(folder, "--classroom", *options, **environment)
        self.code = self.token = self.said = ""
        self.client = httpx.Client(timeout=60)

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self.server.start(stderr=log)
        said = Path(f"{self.server.database}-said")
        self.wait(lambda: "token=" in said.read_text() and said.read_text().endswith("\n"), "it says its class")
        self.said = said.read_text()
        self.code = re.findall(r": ([A-Z]{6})\n", self.said)[0]
        self.token = re.findall(r"#token=(\S+)", self.said)[0]

    def end(self) -> None:
        self.client.close()
        self.server.kill()

    def ask(self, path: str, **body: Any) -> httpx.Response:
        return self.client.post(self.server.url(f"/api/classroom/{path}"), json=body)

    def get(self, path: str) -> httpx.Response:
        return self.client.get(self.server.url(path))

    def told(self, path: str, **body: Any) -> Any:
        answer = self.ask(path, **body)
        assert answer.is_success, answer.text
        return answer.json()

    def refused(self, path: str, **body: Any) -> str:
        """The code of the refusal."""
        answer = self.ask(path, **body)
        assert 400 <= answer.status_code < 500, answer.text
        assert answer.json()["words"]["fr"] and answer.json()["words"]["en"]
        return str(answer.json()["code"])

    def teach(self, path: str, **body: Any) -> Any:
        return self.told(path, token=self.token, **body)

    def page(self) -> Any:
        return self.teach("teacher")

    def open(self, name: str = "Cup", game: str = "connect_four", **more: Any) -> str:
        """With a clock that nothing runs out on, however busy the machine is."""
        return str(self.teach("contests", **{"name": name, "game": game, "turn": 60.0, **more})["id"])

    def contest(self, id: str) -> Any:
        (found,) = [each for each in self.page()["contests"] if each["id"] == id]
        return found

    def entrants(self, id: str) -> dict[str, Any]:
        return {each["name"]: each for each in self.contest(id)["entrants"]}

    def join(self, name: str, **more: Any) -> Pupil:
        joined = self.told("join", code=self.code, name=name, **more)
        return Pupil(self, joined["name"], joined["key"])

    def accept(self, id: str, *names: str, accepted: bool = True) -> None:
        for name in names:
            self.teach(f"contests/{id}/accept", name=name, accepted=accepted)

    def finish_round(self, id: str, seconds: float = 120) -> Any:
        """Until all of it has been played."""
        self.wait(lambda: not self.contest(id)["round"]["running"], "the round ends", seconds)
        return self.contest(id)

    @staticmethod
    def wait(is_so: Callable[[], bool], what: str, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while not is_so():
            assert time.monotonic() < deadline, what
            time.sleep(0.05)


class Pupil:
    def __init__(self, school: School, name: str, key: str) -> None:
        self.school = school
        self.name = name
        self.key = key

    @property
    def who(self) -> dict[str, str]:
        return {"code": self.school.code, "name": self.name, "key": self.key}

    def page(self) -> Any:
        return self.school.told("pupil", **self.who)

    def mine(self, contest: str) -> Any:
        (found,) = [each for each in self.page()["contests"] if each["id"] == contest]
        return found["mine"]

    def upload(self, contest: str, text: str, file: str = "idea.py", **more: Any) -> Any:
        return self.school.told("upload", **self.who, contest=contest, file=file, text=text, **more)
