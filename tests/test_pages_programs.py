"""Programs in the pages: a match of a real one with its log, step by step beside the board; and a seat for one that is
plugged in from elsewhere, from the form of a new match to its first move."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from browser import Screen, Visitor
from looks import faults
from quincunx.players.programs import bots
from quincunx.players.programs.flight import Turn, read_flight
from test_pages_screens import AXE, NARROW, WIDE, accused
from test_programs import POLITE
from test_server import HERE, Server

pytestmark = pytest.mark.slow

CHATTY = POLITE.replace(
    "        print(json",
    """        print(f"I see {len(update['legal'])} actions", file=sys.stderr, flush=True)
        if count == 2:
            print('{"type": "play", "id": "x", "seat": 0, "action": "nowhere"}', flush=True)
            if json.loads(sys.stdin.readline())["type"] != "refused":
                raise SystemExit(1)
        if count == 4:
            time.sleep(30)
        print(json""",
).replace("import json, sys", "import json, sys, time")
GAME = "cultist"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Two matches of a program that says what it sees, is refused once and in the end falls asleep."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "chatty.py").write_text(CHATTY)
    (folder / "polite.py").write_text(POLITE)
    before, os.environ["QUINCUNX_BOTS"] = os.environ.get("QUINCUNX_BOTS"), str(folder / "bots.json")
    bots.add("polite", f"program:{sys.executable} {folder / 'polite.py'}")
    bots.add("chatty", f"program:{sys.executable} {folder / 'chatty.py'}")
    run("match", GAME, "bot:chatty", "greedy", "--games", "2", "--time", "1", "--save", folder, "--log", folder)
    yield folder
    del os.environ["QUINCUNX_BOTS"]
    if before is not None:
        os.environ["QUINCUNX_BOTS"] = before


@pytest.fixture(scope="module")
def server(pages: None, folder: Path) -> Iterator[Server]:
    running = Server(folder)
    running.start()
    yield running
    running.kill()


def run(*words: object) -> None:
    command = [sys.executable, "-m", "quincunx", *map(str, words)]
    subprocess.run(command, check=True, timeout=120, capture_output=True, env={**os.environ, "PYTHONPATH": "src"})


def files(folder: Path, number: int = 0) -> tuple[Path, Path]:
    stem = f"{GAME}-{number:05}"
    return folder / f"{stem}.json", folder / f"{stem}.flight.jsonl"


def turns_of(folder: Path) -> list[Turn]:
    return read_flight(files(folder)[1].read_bytes())[1]


def open_files(screen: Screen, server: Server, *paths: Path) -> Locator:
    """Through the page of records, to the log beside the replay."""
    screen.open(server, "/records")
    screen.page.locator("input[type=file]").set_input_files(paths)
    log = screen.page.get_by_role("complementary", name="A program’s log")
    expect(log).to_be_visible()
    return log


def import_record(server: Server, folder: Path) -> str:
    headers = {"Content-Type": "application/json"}
    content = files(folder)[0].read_bytes()
    answer = httpx.post(server.url("/api/records"), content=content, headers=headers, timeout=60)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def part(log: Locator, heading: str) -> Locator:
    return log.locator("section", has=log.page.get_by_role("heading", name=heading))


def folded(log: Locator, name: str) -> Locator:
    return log.locator("summary", has=log.page.get_by_text(name, exact=True))


def stands_at(page: Page, at: int) -> None:
    expect(page.locator(".count")).to_contain_text(f"{at} /")


# -- the log beside a replay -----------------------------------------------------------------------------------------


def test_every_question_is_shown_at_its_position(server: Server, folder: Path, visitor: Visitor) -> None:
    screen, turns = visitor(), turns_of(folder)
    log = open_files(screen, server, *files(folder))
    assert [len(turn.refused) for turn in turns] == [0, 1, 0, 0] and turns[-1].trouble.startswith("late")
    for number, turn in enumerate(turns):
        stands_at(screen.page, turn.after)
        expect(log.get_by_text(f"Question {number + 1} of {len(turns)}")).to_be_visible()
        update = json.loads(turn.told.splitlines()[-1])
        told = part(log, "What it was told")
        expect(told).to_contain_text(f"{len(update['legal'])} legal actions")
        for event in update["story"]:
            expect(told).to_contain_text(event["words"]["en"])
        expect(part(log, "stderr")).to_contain_text(f"I see {len(update['legal'])} actions")
        answered = part(log, "What it answered")
        if turn.said:
            expect(answered.locator("pre")).to_have_text(turn.said)
            action = json.loads(turn.said[-1])["action"]
            expect(log.locator(".action")).to_have_text(action)
        else:
            expect(answered).to_contain_text("Nothing.")
        screen.page.keyboard.press("n")
    expect(log).to_contain_text("The program did not answer in time.")


def test_a_position_between_two_questions_shows_the_one_before(server: Server, folder: Path, visitor: Visitor) -> None:
    page = (screen := visitor()).page
    log = open_files(screen, server, *files(folder))
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    stands_at(page, 3)
    expect(log.get_by_text("Question 2 of 4")).to_be_visible()
    log.get_by_role("button", name="Previous question").click()  # first to where it was asked
    stands_at(page, 2)
    expect(log).to_contain_text("nowhere")
    expect(log.locator(".refused")).to_contain_text("not “nowhere”")
    log.get_by_role("button", name="Previous question").click()
    stands_at(page, 0)
    expect(log.get_by_role("button", name="Previous question")).to_be_disabled()
    page.keyboard.press("End")
    stands_at(page, 6)
    expect(log.get_by_role("button", name="Next question")).to_be_disabled()


def test_the_chart_and_the_list_of_troubles_lead_there(server: Server, folder: Path, visitor: Visitor) -> None:
    page = (screen := visitor()).page
    log = open_files(screen, server, *files(folder))
    box = log.locator(".chart svg").bounding_box()
    assert box is not None
    for number, turn in enumerate(turns_of(folder)):
        page.mouse.click(box["x"] + box["width"] * (number + 0.5) / 4, box["y"] + box["height"] / 2)
        stands_at(page, turn.after)
        expect(log.get_by_text(f"Question {number + 1} of 4")).to_be_visible()
    troubles = log.get_by_role("list", name="Trouble and refusals").get_by_role("button")
    expect(troubles).to_have_text(["move 3 · refused", "move 7 · out of time"])
    troubles.first.click()
    stands_at(page, 2)
    assert log.locator(".chart .mark").count() == 2 and log.locator(".chart polyline").get_attribute("points")


def test_what_its_seat_sees_unfolds(server: Server, folder: Path, visitor: Visitor) -> None:
    screen = visitor()
    log = open_files(screen, server, *files(folder))
    update = json.loads(turns_of(folder)[0].told.splitlines()[-1])
    folded(log, "shown").click()
    units = folded(log, "units")
    expect(units).to_contain_text(f"{len(update['shown']['units'])} items")
    units.click()
    expect(folded(log, "0").first).to_be_visible()
    log.locator("summary", has_text="legal actions").click()
    expect(log.locator(".actions code")).to_have_text(update["legal"])


def test_a_log_stays_in_the_browser_and_is_sent_nowhere(server: Server, folder: Path, visitor: Visitor) -> None:
    page = (screen := visitor()).page
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.post_data or ""))
    log = open_files(screen, server, *files(folder))
    page.reload()
    expect(log.get_by_text("Question 1 of 4")).to_be_visible()
    assert any('"start_digest"' in body for body in sent) and not any('"told"' in body for body in sent)
    log.get_by_role("button", name="Back to the match").click()
    expect(log).to_have_count(0)
    again = page.get_by_role("button", name="The program’s log")
    expect(again).to_be_focused()
    again.click()
    log.get_by_role("button", name="Remove this log").click()
    button = page.get_by_role("button", name="A program’s log")
    expect(button).to_be_focused()
    page.reload()
    expect(button).to_be_visible()
    expect(log).to_have_count(0)
    with page.expect_file_chooser() as chooser:
        button.click()
    chooser.value.set_files(files(folder)[1])
    expect(log.get_by_text("Question 1 of 4")).to_be_visible()


DROP = """([name, text]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], name));
  for (const kind of ['dragover', 'drop'])
    document.body.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: carried }));
}"""


def test_files_of_other_matches_and_damaged_ones_are_refused(server: Server, folder: Path, visitor: Visitor) -> None:
    page = (screen := visitor()).page
    own = files(folder)[1].read_text()
    lines = own.splitlines(keepends=True)
    screen.open(server, f"/replay/{import_record(server, folder)}")
    expect(page.get_by_role("button", name="A program’s log")).to_be_visible()
    for text, words in (
        (files(folder, 1)[1].read_text(), "belongs to another match"),
        (own.replace(f'"{GAME}"', '"khet"', 1), "belongs to another match"),
        ("".join([*lines[:2], lines[2][:40] + "\n", *lines[3:]]), "its line 3 cannot be read"),
    ):
        page.evaluate(DROP, ["some.flight.jsonl", text])
        expect(page.get_by_role("alert")).to_contain_text(words)
    page.evaluate(DROP, ["own.flight.jsonl", own[:-30]])  # cut off, as of a match that was
    log = page.get_by_role("complementary", name="A program’s log")
    expect(log.get_by_text("Question 1 of 3")).to_be_visible()
    expect(log).to_contain_text("The end of this log is missing.")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_log_alone_wants_its_match(server: Server, folder: Path, visitor: Visitor) -> None:
    page = visitor("fr-FR").open(server, "/records").page
    page.locator("input[type=file]").set_input_files(files(folder)[1])
    expect(page.get_by_role("alert")).to_contain_text("ouvrez avec lui le fichier de sa partie")
    page.locator("input[type=file]").set_input_files([files(folder)[0], files(folder, 1)[1]])
    expect(page.get_by_role("alert")).to_contain_text("celui d’une autre partie")


@pytest.mark.parametrize("sizes", [WIDE, NARROW])
def test_a_log_is_readable_in_every_size(
    server: Server, folder: Path, visitor: Visitor, sizes: list[ViewportSize]
) -> None:
    if not AXE.exists():
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("axe-core is not installed: make web")
    page = (screen := visitor()).page
    page.set_viewport_size(sizes[0])
    log = open_files(screen, server, *files(folder))
    page.keyboard.press("n")
    stands_at(page, 2)
    folded(log, "shown").click()
    wrong = accused(page, "light") + accused(page, "dark")
    for size in sizes:
        page.set_viewport_size(size)
        wrong += [f"{size['width']} × {size['height']}: {fault}" for fault in faults(page)]
    assert wrong == []


# -- seats of programs -----------------------------------------------------------------------------------------------


def test_a_seat_for_a_program_from_elsewhere(server: Server, folder: Path, visitor: Visitor) -> None:
    screen, stranger = visitor(), visitor()
    page = screen.open(server, "/new/connect_four").page
    page.get_by_label("Opponent").select_option("A program, over the network")
    page.get_by_label("Your name").fill("Ada")
    screen.press("Begin", exact=True)
    command = page.locator(".command")
    expect(command).to_contain_text("quincunx bot --server")
    words = command.inner_text().split()
    token = words[words.index("--seat") + 1]
    players = page.get_by_role("list", name="Players")
    expect(players.get_by_role("listitem").nth(1)).to_contain_text("disconnected")
    expect(players.get_by_role("listitem").nth(1)).to_contain_text("program")
    expect(players.get_by_role("listitem").nth(0)).not_to_contain_text("program")

    stranger.open(server, page.url.removeprefix(server.url("")))
    others = stranger.page.get_by_role("list", name="Players")
    expect(others.get_by_role("listitem").nth(1)).to_contain_text("program")
    assert token not in stranger.page.content() and stranger.page.locator(".command").count() == 0

    plugged = subprocess.Popen(
        [sys.executable, "-m", *words[:-1], sys.executable, str(folder / "polite.py")],
        env={**os.environ, "PYTHONPATH": "src"}, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        expect(command).to_have_count(0)
        screen.types("d")
        expect(page.get_by_role("list", name="Players").locator("li.acts")).to_contain_text("Ada")
        expect(players.get_by_role("listitem").nth(1)).not_to_contain_text("disconnected")
    finally:
        plugged.kill()
        plugged.wait()
    expect(command).to_contain_text(token)  # it went: one may plug in another


def test_programs_of_this_computer_are_among_the_opponents(server: Server, visitor: Visitor) -> None:
    screen = visitor("fr-FR")
    page = screen.open(server, "/new/connect_four").page
    opponents = page.get_by_label("Adversaire")
    expect(opponents.locator("optgroup[label='Vos programmes'] option")).to_have_text(["chatty", "polite"])
    opponents.select_option("polite")
    screen.press("Commencer", exact=True)
    program = page.get_by_role("list", name="Joueurs").get_by_role("listitem").nth(1)
    expect(program).to_contain_text("polite")
    expect(program).to_contain_text("programme")
    expect(program).not_to_contain_text("déconnecté")


def test_lists_and_replays_say_who_is_a_program(server: Server, visitor: Visitor) -> None:
    made = server.make("connect_four", HERE, {"kind": "computer", "player": "bot:polite"}, public=True)
    client = server.sit(made["id"], made["seats"][0]["token"])
    client.play("m", 0, "d")
    while not [event for update in client.updates for event in update["story"] if event["by"] == 1]:
        client.receive()
    client.send(type="ask", seat=0, what="resign")
    while not client.now()["outcome"]:
        client.receive()
    page = visitor().open(server, "/records").page
    expect(page.get_by_role("listitem").first).to_contain_text("Ada against polite (program)")
    page.goto(server.url(f"/replay/{made['id']}"))
    stands_at(page, 0)
    page.keyboard.press("ArrowRight")
    expect(page.locator("h2.move")).to_contain_text("Ada")
    expect(page.locator("h2.move")).not_to_contain_text("program")
    page.keyboard.press("ArrowRight")
    expect(page.locator("h2.move")).to_contain_text("polite")
    expect(page.locator("h2.move")).to_contain_text("program")
