"""Every screen, light and dark, wide and narrow: axe finds nothing, and nothing sticks out at the side."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import Visitor
from screens import Screens
from test_server import Server

pytestmark = pytest.mark.slow

AXE = Path(__file__).parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="module")
def screens(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screens]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield Screens(running)
    running.kill()


@pytest.mark.parametrize("theme, width", [("light", 1440), ("dark", 390)])
def test_axe_finds_nothing(screens: Screens, visitor: Visitor, theme: str, width: int) -> None:
    if not AXE.exists():
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("axe-core is not installed: make web")
    screen = visitor("en-GB", width, theme=theme)
    found: dict[str, Any] = {}
    for name, visit in screens.all().items():
        visit(screen.page)
        screen.page.evaluate(AXE.read_text())
        result = screen.page.evaluate("async () => (await axe.run()).violations")
        wrong = [f"{v['id']}: {v['nodes'][0]['html'][:160]}" for v in result]
        beyond = screen.page.evaluate(
            "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        if beyond > 1:
            wrong.append(f"{beyond} px stick out")
        if wrong:
            found[name] = wrong
    screen.complaints = [word for word in screen.complaints if "404" not in word]  # one screen is about just that
    assert found == {}, json.dumps(found, indent=1)
