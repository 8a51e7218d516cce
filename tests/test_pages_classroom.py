"""A class in real browsers, against a real server: the teacher's page and the pupils', from the code to the marks."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Download, Page, expect

from browser import Screen, Visitor
from class_scenes import CHOOSES, ClassScene
from kit_bots import fetch_kit, running
from looks import faults
from schools import School
from test_pages_screens import AXE, NARROW, WIDE, Theme, accused

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("sealing")]

THEMES: list[Theme] = ["light", "dark"]


@pytest.fixture(scope="module")
def scene(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClassScene]:
    school = School(tmp_path_factory.mktemp("school"), "--lan", "--class-name", "Terminale NSI")
    school.start()
    try:
        scene = ClassScene(school)
        yield scene
        scene.close()
    finally:
        school.server.kill()
        school.client.close()


@pytest.fixture
def school(pages: None, tmp_path: Path) -> Iterator[School]:
    """One without anybody in it."""
    school = School(tmp_path)
    school.start()
    yield school
    school.server.kill()
    school.client.close()


def enter(screen: Screen, school: School, name: str) -> Page:
    """A pupil comes by the link of the QR code."""
    page = screen.open(school.server, f"/class#code={school.code}").page
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Come in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Hello {name}")
    return page


def send(page: Page, text: str) -> None:
    page.get_by_text("A file", exact=True).click()
    file = {"name": "idea.py", "mimeType": "text/x-python", "buffer": text.encode()}
    page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    expect(page.get_by_text("idea.py has been in place since")).to_be_visible()


def test_a_lesson(school: School, visitor: Visitor, tmp_path: Path) -> None:
    """Everything that a teacher and two pupils do, each on their own page, and nobody reloads. One runs the command of
    the page with a kit from it, the other sends a file."""
    teacher, ada, bob = visitor().page, visitor(), visitor(width=390)
    teacher.goto(school.server.url(f"/classroom#token={school.token}"))
    expect(teacher.get_by_role("heading", name="Open a contest")).to_be_visible()
    assert school.token not in teacher.url
    expect(teacher.locator(".code")).to_contain_text(school.code)

    first = enter(ada, school, "Ada")
    expect(first.get_by_role("heading", name="You are in the class.")).to_be_visible()
    expect(teacher.get_by_role("region", name="Pupils").get_by_text("Ada")).to_be_visible()

    teacher.get_by_label("Game").select_option("connect_four")
    teacher.get_by_label("Level 3").uncheck()
    teacher.get_by_text("Other settings").click()
    teacher.get_by_label("Matches of a pairing").select_option("1")
    teacher.get_by_label("Name of the contest").fill("The big night")
    teacher.get_by_role("button", name="Open the contest").click()
    expect(teacher.get_by_role("heading", name="The big night")).to_be_visible()
    expect(teacher.get_by_role("button", name="Start the first round")).to_be_disabled()

    expect(first.get_by_text("Your turn: your program is missing.")).to_be_visible()
    second = enter(bob, school, "Bob")
    send(second, CHOOSES.format(name="Bob", pick=-1))
    kit = fetch_kit(school.server, "connect_four", tmp_path)
    with running(first.locator("code").inner_text(), kit):
        expect(first.get_by_text("Your program is entered.")).to_be_visible()
        teacher.get_by_role("button", name="Accept all 2 that wait").click()
        expect(first.get_by_text("Your program is accepted and ready.")).to_be_visible()
        teacher.get_by_role("button", name="Start the first round").click()
        expect(teacher.get_by_text("Round 1 is over: 3 matches played.")).to_be_visible()
    expect(first.get_by_text("Your program is no longer connected.")).to_be_visible()
    expect(first.get_by_role("button", name="Replay the match against Bob")).to_be_visible()
    expect(second.get_by_text("Bob has 7 actions").first).to_be_visible()  # its own notes
    assert "Bob has" not in first.content()

    with teacher.expect_download() as loading:
        teacher.get_by_role("button", name="Marks (CSV)").click()
    assert set(marks(loading.value)) == {"Ada", "Bob", "level:1"}
    teacher.get_by_role("button", name="Close").click()
    teacher.get_by_role("button", name="Close the contest").click()
    expect(first.get_by_text("This contest is over: you came")).to_be_visible()
    first.get_by_role("button", name="Replay the match against Bob").click()
    first.wait_for_url("**/replay/*")


def marks(download: Download) -> dict[str, dict[str, str]]:
    assert download.suggested_filename == "The-big-night.csv"
    text = Path(download.path()).read_bytes().decode("utf-8-sig")
    return {next(iter(row.values())): row for row in csv.DictReader(io.StringIO(text, newline=""))}


def test_who_may_not_come_in_is_told_why_at_the_field(scene: ClassScene, visitor: Visitor) -> None:
    screen = visitor()
    page = screen.open(scene.school.server, "/class").page
    page.get_by_label("Code of the class").fill("abc def")
    page.get_by_label("Your name").fill("Ada")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Code of the class")).to_be_focused()
    screen.sees("No class has this code on this server.")
    page.get_by_label("Code of the class").fill(scene.school.code.lower())
    page.keyboard.press("Enter")
    expect(page.get_by_label("Your name")).to_be_focused()
    expect(page.locator("#class-name-fault")).to_be_visible()
    screen.open(scene.school.server, "/classroom#token=wrong").sees("This link is not, or no longer, the teacher’s")
    assert "wrong" not in page.url
    screen.complaints = [word for word in screen.complaints if "40" not in word]


def test_a_pupil_is_known_again_and_one_who_was_removed_is_not(scene: ClassScene, visitor: Visitor) -> None:
    screen = visitor()
    page = enter(screen, scene.school, "Passer-by")
    page.reload()
    screen.sees("Hello Passer-by")
    teacher = visitor().page
    scene.teach(teacher)
    teacher.get_by_role("button", name="Remove Passer-by from the class").click()
    teacher.get_by_role("button", name="Remove", exact=True).click()
    screen.sees("The class does not know you")
    page.get_by_role("button", name="Come in").click()
    screen.sees("Hello Passer-by")
    page.get_by_role("button", name="This is not me").click()
    expect(page.get_by_label("Code of the class")).to_have_value(scene.school.code)
    screen.complaints = [word for word in screen.complaints if "403" not in word]


def test_a_file_that_is_none_is_refused_where_it_was_dropped(scene: ClassScene, visitor: Visitor) -> None:
    screen = visitor()
    scene.attend(screen.page, scene.hypatie)
    screen.page.get_by_text("A file", exact=True).click()
    drop = """([name, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name));
      document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
    }"""
    for name, text, said in (
        ("idea.rb", "puts 1", "The server runs files in Python only"),
        ("idea.py", "def choose(:", "Python does not understand line 1"),
        ("idea.py", "x\0y", "This file is no text"),
        ("idea.py", "#" * 300_000, "This file is too large"),
    ):
        screen.page.evaluate(drop, [name, text])
        screen.sees(said)
    screen.complaints = [word for word in screen.complaints if "400" not in word]


def test_pages_come_back_by_themselves_when_the_server_does(school: School, visitor: Visitor) -> None:
    teacher, pupil = visitor(), visitor()
    teacher.open(school.server, f"/classroom#token={school.token}").sees("Open a contest")
    page = enter(pupil, school, "Ada")
    school.server.kill()
    for screen in (teacher, pupil):
        screen.sees("The server does not answer just now.")
    school.start()
    contest = school.open("After the storm")
    for screen in (teacher, pupil):
        screen.sees("After the storm")
        expect(screen.page.get_by_text("The server does not answer just now.")).to_have_count(0)
        screen.complaints = [word for word in screen.complaints if "ERR_CONNECTION" not in word]
    assert contest and "Hello Ada" in page.content()


def test_the_code_can_fill_the_screen(scene: ClassScene, visitor: Visitor) -> None:
    page = visitor(height=720).page
    scene.teach(page)
    small = page.locator(".code").bounding_box()
    page.get_by_role("button", name="Show it large").click()
    large = page.locator(".code").bounding_box()
    assert small and large and large["height"] > 1.5 * small["height"]
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Show it large")).to_be_visible()


@pytest.mark.parametrize("language", ["fr-FR", "en-GB"])
def test_every_size_in_both_languages(scene: ClassScene, visitor: Visitor, language: str) -> None:
    screen = visitor(language)
    server = scene.school.server
    views: dict[str, Callable[[], object]] = {
        "teacher": lambda: scene.teach(screen.page),
        "join": lambda: screen.open(server, f"/class#code={scene.school.code}").page.locator("form").wait_for(),
        "broken": lambda: scene.attend(screen.page, scene.blaise),
        "playing": lambda: scene.attend(screen.page, scene.ada),
        "waits": lambda: scene.attend(screen.page, scene.sophie),
        "nothing": lambda: scene.attend(screen.page, scene.hypatie),
        "contest": lambda: screen.open(server, f"/contest/{scene.played}").page.locator("tbody tr").first.wait_for(),
        "over": lambda: screen.open(server, f"/contest/{scene.over}").page.locator("tbody tr").first.wait_for(),
    }
    found: dict[str, list[str]] = {}
    for name, visit in views.items():
        screen.page.emulate_media(color_scheme="light")
        screen.page.set_viewport_size(WIDE[0])
        screen.page.goto(server.url("/join"))
        screen.page.evaluate("() => localStorage.clear()")
        visit()
        if name == "teacher":
            for folded in screen.page.locator("summary, button.chip").all():
                folded.click()
        found[name] = [fault for theme in THEMES for fault in accused(screen.page, theme)] if AXE.exists() else []
        for size in (*WIDE, *NARROW):
            screen.page.set_viewport_size(size)
            found[name] += [f"{size['width']} × {size['height']}: {fault}" for fault in faults(screen.page)]
    screen.complaints = [word for word in screen.complaints if "404" not in word]
    wrong = {name: said for name, said in found.items() if said}
    assert wrong == {}, json.dumps(wrong, indent=1, ensure_ascii=False)
