"""A real browser for tests: Debian's Chromium, driven by Playwright, against a real server.

    screen = visitor("fr")                       # a person with a browser of their own
    screen.open(server, "/")

Where Chromium is missing, root on Debian installs it (tools/system.sh). Without one the tests that need it are skipped,
and the summary says so; with CI=true they fail.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, TimeoutError, expect, sync_playwright

from test_server import Server

ROOT = Path(__file__).parent.parent
MISSING = "there is no Chromium here"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SENT = "() => !document.querySelector('form input[spellcheck=false]')?.value"  # the box is empty again, or gone
LONG = 60_000  # milliseconds that anything may take on a busy machine
expect.set_options(timeout=LONG)


class Screen:
    """One person's browser window."""

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self.page.set_default_timeout(LONG)
        self.complaints: list[str] = []  # of the browser: errors, refused scripts
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda word: self._complain(word.text) if word.type == "error" else None)

    def _complain(self, text: str) -> None:
        if "beforeunload" not in text:  # a test that reloads at once is nobody whom one could ask
            self.complaints.append(text)

    def open(self, server: Server, path: str) -> Screen:
        self.page.goto(server.url(path))
        return self

    def sees(self, what: str | Locator) -> Locator:
        found = self.page.get_by_text(what).first if isinstance(what, str) else what
        expect(found).to_be_visible()
        return found

    def press(self, name: str, exact: bool = False) -> None:
        self.page.get_by_role("button", name=name, exact=exact).first.click()

    def sit(self, match: str, *held: dict[str, Any], server: Server) -> Screen:
        """Comes with the links of its seats."""
        for each in held:
            self.open(server, f"/match/{match}#seat={each['seat']}&token={each['token']}")
            self.page.wait_for_url(server.url(f"/match/{match}"))
            self.page.wait_for_timeout(50)
        if len(held) > 1:
            self.page.reload()
        return self

    @property
    def notation(self) -> Locator:
        return self.page.get_by_label("Move in notation")

    def types(self, action: str) -> None:
        """An action in notation, by the keyboard alone."""
        expect(self.notation).to_be_enabled()
        self.page.keyboard.press("/")
        expect(self.notation).to_be_focused()
        self.page.keyboard.type(action)
        for _ in range(20):  # whoever types faster than the page learns whose turn it is, is refused and asks again
            self.page.keyboard.press("Enter")
            with suppress(TimeoutError):
                self.page.wait_for_function(SENT, timeout=3000)
                break
        self.page.keyboard.press("Escape")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    program = _find() or _install()
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


Visitor = Callable[..., Screen]


@pytest.fixture
def visitor(chromium: Browser) -> Iterator[Visitor]:
    """Makes people with browsers of their own: `visitor()`, `visitor("fr-FR", 390)`. None of them may complain."""
    contexts: list[BrowserContext] = []
    screens: list[Screen] = []

    def come(
        language: str = "en-GB",
        width: int = 1280,
        motion: bool = False,
        theme: str = "light",
        height: int = 860,
        phone: bool = False,
    ) -> Screen:
        context = chromium.new_context(
            locale=language, viewport={"width": width, "height": height}, color_scheme=theme,  # type: ignore[arg-type]
            reduced_motion="no-preference" if motion else "reduce", has_touch=phone, is_mobile=phone,
        )  # fmt: skip
        contexts.append(context)
        screens.append(Screen(context))
        return screens[-1]

    yield come
    complaints = [complaint for screen in screens for complaint in screen.complaints]
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def pages() -> None:
    """The built pages."""
    with _one_at_a_time("pages"):
        subprocess.run([sys.executable, "tools/pages.py"], cwd=ROOT, check=True, timeout=900)


@pytest.fixture(scope="session")
def offline_games(pages: None) -> None:
    """The built games that need no server; the pages' engines are theirs, too."""
    with _one_at_a_time("offline"):
        subprocess.run([sys.executable, "tools/offline.py"], cwd=ROOT, check=True, timeout=900)


@pytest.fixture(scope="session")
def documents(offline_games: None) -> None:
    """The built site, as a server has it under /docs."""
    with _one_at_a_time("documents"):
        subprocess.run([sys.executable, "tools/docs.py"], cwd=ROOT, check=True, timeout=900)


@contextmanager
def _one_at_a_time(what: str) -> Iterator[None]:
    """Of several test processes one does the work, the others wait and find it done."""
    with open(Path(tempfile.gettempdir(), f"quincunx-{what}.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _find() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def _install() -> str | None:
    with _one_at_a_time("chromium"):
        if _find() is None:
            subprocess.run(["sh", "tools/system.sh", "chromium:chromium"], cwd=ROOT, capture_output=True)
    return _find()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if MISSING in str(report.longrepr)]
    if skipped:
        terminalreporter.write_line(f"NOT TESTED in a browser, {len(skipped)} tests: {MISSING}.", red=True, bold=True)
