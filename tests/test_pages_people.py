"""Two people in two browsers: names, an opponent of one's strength, phrases in each one's language, a prepared move, a
rated end, another device, and being forgotten."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Page, expect

from browser import Visitor
from looks import faults
from test_pages_screens import AXE, Theme, accused
from test_server import Server

pytestmark = pytest.mark.slow

PICTURES = os.environ.get("PICTURES")  # a folder for those who want to look


@pytest.fixture(scope="module")
def server(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("server"))
    started.start()
    yield started
    started.kill()


def looked_at(page: Page, name: str) -> None:
    """Nothing is clipped, and axe has nothing to say."""
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/{name}.png", full_page=True)
    themes: tuple[Theme, ...] = ("dark", "light") if AXE.exists() else ()
    assert faults(page) + [said for theme in themes for said in accused(page, theme)] == []


def test_two_people_meet_talk_and_are_rated(server: Server, visitor: Visitor) -> None:
    ada, bob = visitor("fr"), visitor("en")
    ada.page.set_viewport_size({"width": 390, "height": 844})
    bob.page.set_viewport_size({"width": 1440, "height": 900})
    ada.open(server, "/me").page.get_by_label("Votre nom").fill("Ada")
    looked_at(ada.page, "who")
    ada.press("C’est moi")
    ada.page.get_by_role("link", name="Trouver un adversaire").click()
    ada.page.get_by_label("Jeu").select_option("connect_four")
    looked_at(ada.page, "lobby")
    ada.press("Chercher un adversaire")
    ada.sees("Nous cherchons…")
    looked_at(ada.page, "seeking")
    bob.open(server, "/lobby").page.get_by_label("First, your name").fill("Bob")
    bob.press("That’s me")
    bob.sees("not rated yet")
    looked_at(bob.page, "waiting")
    bob.press("Play", exact=True)
    for each in (ada, bob):
        each.page.wait_for_url("**/match/*")
        expect(each.page.get_by_role("grid")).to_be_visible()
    assert ada.page.url == bob.page.url
    assert httpx.get(server.url("/api/seeks")).json() == []  # who has found somebody looks for nobody else

    bob.press("Say…")
    bob.press("Good luck!")
    ada.sees("Bonne chance\u00a0!")
    looked_at(bob.page, "table")
    looked_at(ada.page, "table-phone")
    ada.press("Masquer les messages")
    bob.press("Say…")
    bob.press("Thanks!")
    bob.sees("Thanks!")
    expect(ada.page.get_by_text("Merci\u00a0!")).to_have_count(0)
    assert not ada.page.get_by_role("button", name="Annuler le coup").count()  # it counts

    seat = bob.page.evaluate("JSON.parse(localStorage['quincunx.matches'])[0].seats[0].seat")
    first, second = (bob, ada) if seat == 0 else (ada, bob)
    box = {bob: "Move in notation", ada: "Coup en notation"}
    for each, action in ((first, "a"), (second, "b"), (first, "c")):
        field = each.page.get_by_label(box[each])
        expect(field).to_be_enabled()
        field.fill(action)
        field.press("Enter")
    prepare = {bob: "Prepare my move", ada: "Préparer mon coup"}
    first.press(prepare[first])
    first.page.get_by_role("grid").get_by_role("gridcell").nth(3).click()
    first.sees({bob: "Move prepared:", ada: "Coup préparé\u00a0:"}[first])
    looked_at(first.page, "prepared")
    field = second.page.get_by_label(box[second])
    expect(field).to_be_enabled()
    field.fill("e")
    field.press("Enter")
    expect(second.page.get_by_label(box[second])).to_be_enabled()  # it was played at once

    bob.press("Match")
    bob.press("Resign")
    bob.press("Yes")
    ada.sees("Votre classement")
    bob.sees("Your rating: ")
    looked_at(bob.page, "rated")
    ada.open(server, "/me").sees("gagnée")
    looked_at(ada.page, "me-phone")
    bob.open(server, "/me").sees("lost")
    looked_at(bob.page, "me")
    assert ada.complaints == [] and bob.complaints == []


def test_somebody_moves_to_another_device_makes_a_friend_and_is_forgotten(server: Server, visitor: Visitor) -> None:
    zoe = visitor("en")
    zoe.open(server, "/me").page.get_by_label("Your name").fill("Zoé")
    zoe.press("That’s me")
    zoe.press("On another device")
    link = zoe.page.get_by_label("Secret link").input_value()
    looked_at(zoe.page, "device")
    friend = visitor("en")
    friend.open(server, "/me").page.get_by_label("Your name").fill("Yves")
    friend.press("That’s me")
    friend.sees("My friends")
    zoe.page.keyboard.press("Escape")
    friends = zoe.page.get_by_label("Your friend link").input_value()
    with zoe.page.expect_download() as saved:
        zoe.press("Download my data")
    assert saved.value.suggested_filename == "quincunx.json"
    told = json.loads(saved.value.path().read_text("utf-8"))
    assert told["person"]["name"] == "Zoé" and told["browser"]
    zoe.open(server, "/new/khet").press("Keep this setup among my favourites")
    expect(zoe.page.get_by_role("button", name="Keep this setup among my favourites", pressed=True)).to_be_visible()
    zoe.open(server, "/me").sees("Khet · Classic")
    zoe.press("Remove Classic from the favourites")
    zoe.sees("The star beside a setup, when you prepare a match, keeps it here.")
    friend.open(server, "/join").page.goto(friends)
    friend.sees("You and Zoé are friends now.")

    phone = visitor("en")
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    phone.page.goto(link)
    phone.press("Yes, that’s me")
    phone.sees("Yves")
    key = link.partition("key=")[2]
    assert len(key) == 32 and not any(key in url for url in asked) and key not in phone.page.url
    phone.press("Forget me")
    phone.press("Yes, forget me")
    phone.page.wait_for_url(server.url("/"))
    zoe.page.reload()
    expect(zoe.page.get_by_label("Your name")).to_be_visible()
    friend.open(server, "/me").sees("Send this link to somebody")
    expect(friend.page.get_by_text("Zoé")).to_have_count(0)
    zoe.complaints = [word for word in zoe.complaints if "404" not in word]  # the server knows that key no more
