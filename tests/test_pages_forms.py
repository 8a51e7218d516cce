"""Forms in a real browser: what is wrong stands beside its field, one click begins a match, pages open on top."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from browser import Screen, Visitor
from quincunx.games import cards
from test_server import Server

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.kill()


def match_of(server: Server, page: Page) -> dict[str, Any]:
    page.wait_for_url("**/match/**")
    found: dict[str, Any] = httpx.get(server.url(f"/api/matches/{page.url.rpartition('/')[2]}")).json()
    return found


def is_in_sight(screen: Screen, place: Locator) -> None:
    expect(place).to_be_in_viewport()
    box, button = place.bounding_box(), screen.page.locator("form .begin").bounding_box()
    assert box and button and box["y"] + box["height"] <= button["y"]  # nor under what sticks to the lower edge


def test_the_number_of_players_that_was_typed_last_is_the_one_that_plays(server: Server, visitor: Visitor) -> None:
    """The form counted the seats of the picture, which comes a moment later: begin was refused, far below the fold."""
    ada = visitor()
    ada.open(server, "/new/casus_belli")
    expect(ada.page.get_by_role("img", name="Starting position").locator("svg").first).to_be_attached()
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url) if "/preview" in request.url else None)
    ada.page.get_by_label("Number of players").press_sequentially("\b12\b")  # 2 → 12 → 1, at which nothing is asked
    ada.page.get_by_label("Number of players").fill("4")
    ada.press("Begin")
    assert len(match_of(server, ada.page)["names"]) == 4
    assert len(asked) <= 2


def test_what_is_wrong_stands_beside_its_field_in_sight_and_has_the_focus(server: Server, visitor: Visitor) -> None:
    ada = visitor("fr-FR", height=640)
    ada.open(server, "/new/casus_belli")
    seats = ada.page.get_by_label("Nombre de joueurs")
    seats.fill("500")
    ada.page.evaluate("scrollTo(0, 0)")
    ada.press("Commencer")
    expect(seats).to_be_focused()
    is_in_sight(ada, ada.page.get_by_text("Un nombre de 2 à 100."))
    seats.fill("2")
    expect(ada.page.get_by_role("alert")).to_have_count(0)

    ada.page.get_by_text("Plus d’options").click()  # what the server refuses, inside what is folded away
    ada.page.get_by_label("Pendule").select_option("fischer")
    ada.page.get_by_label("Réserve (minutes)").fill("0")
    ada.page.get_by_label("Réserve (minutes)").blur()
    ada.page.get_by_text("Plus d’options").click()
    ada.press("Commencer")
    is_in_sight(ada, ada.page.get_by_text("La réserve est trop courte"))
    expect(ada.page.get_by_label("Pendule")).to_be_focused()
    assert "/new/" in ada.page.url
    ada.complaints.clear()  # Chromium reports every refusal


def test_lengths_and_clans_are_chosen_on_the_first_screen(server: Server, visitor: Visitor) -> None:
    ada = visitor()
    ada.open(server, "/new/casus_belli")
    expect(ada.page.get_by_label("Position or map")).to_have_value("pit")
    ada.sees("In the fog, each player sees only what their units see.")
    expect(ada.page.get_by_text("The map will be drawn at random.")).to_have_count(0)
    ada.page.get_by_text("Long", exact=True).click()
    ada.sees("The map will be drawn at random.")
    expect(ada.page.get_by_label("Number of players")).to_have_value("3")
    ada.page.get_by_label("Number of players").fill("5")
    expect(ada.page.get_by_label("Custom")).to_be_checked()

    ada.open(server, "/new/garden")
    for side, clan in (("A", "lumberjacks"), ("B", "cooks")):
        expect(ada.page.get_by_label(f"Clan of player {side}")).to_be_visible()
        ada.page.get_by_label(f"Clan of player {side}").select_option(clan)
    expect(ada.page.get_by_label("The attacker’s dice")).to_be_hidden()
    ada.sees("An example: yours will be drawn at random.")
    ada.page.get_by_label("Position or map").select_option("pond")
    ada.sees("The match begins like this.")
    ada.page.get_by_text("Short", exact=True).click()
    ada.press("Begin")
    id = match_of(server, ada.page)["id"]
    options = server.sit(id).welcome["options"]
    assert (options["clan0"], options["clan1"], options["rounds"]) == ("lumberjacks", "cooks", 20)


@pytest.mark.parametrize("card", cards(), ids=lambda card: str(card.id))
def test_one_click_on_the_home_page_plays_the_computer(server: Server, visitor: Visitor, card: Any) -> None:
    ada = visitor("fr-FR", 390)
    ada.open(server, "/")
    name = f"Jouer contre l’ordinateur\u00a0: {card.name.fr}"
    ada.press(name)
    made = match_of(server, ada.page)
    assert made["game"] == card.id and made["kinds"] == ["person", "computer"] and made["names"][1] == "level:2"


def test_a_page_opens_at_its_heading_and_at_the_top(server: Server, visitor: Visitor) -> None:
    ada = visitor("fr-FR", 390)
    ada.open(server, "/")
    for way, heading, title in (
        ("Autres façons de jouer\u00a0: Puissance 4", "Puissance 4", "Nouvelle partie\u00a0: Puissance 4"),
        ("Lire les règles", "Puissance 4", "Règles\u00a0: Puissance 4"),
        ("Rejoindre", "Rejoindre une partie", "Rejoindre une partie"),
        ("Problèmes", "Problèmes et leçons", "Problèmes et leçons"),
    ):
        ada.page.get_by_role("link", name=way, exact=True).first.press("Enter")
        expect(ada.page).to_have_title(f"{title} — Quincunx")
        expect(ada.page.get_by_role("heading", level=1, name=heading)).to_be_focused()
        assert ada.page.evaluate("scrollY") == 0
    ada.page.go_back()
    expect(ada.page.get_by_role("heading", level=1, name="Rejoindre une partie")).to_be_focused()
