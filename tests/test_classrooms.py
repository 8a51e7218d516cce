"""The classrooms of a store, on SQLite and a real PostgreSQL server: one class whoever opens it, one pupil for a name,
one round for a number, uploads that take each other's place."""

from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from quincunx.server.classroom import Classroom
from quincunx.store.classrooms import LONGEST_NOTES, MOST_PUPILS, StoredClassroom, StoredUpload
from quincunx.store.contests import StoredContest
from stores import Stores

pytestmark = pytest.mark.slow  # left out of `make check`

numbers = count()


class Class:
    """One class with a contest, opened in two stores."""

    def __init__(self, stores: Stores) -> None:
        self.stores = stores
        number = next(numbers)
        self.fresh = StoredClassroom(f"id{number}", f"Class {number}", f"CODE{number}", "hash")
        self.one, self.two = stores.one.classrooms, stores.two.classrooms
        self.id = stores.run(self.one.open(self.fresh)).id
        self.contest = f"arena-{self.id}"
        stored = StoredContest(self.contest, "Cup", "khet", "{}", 0)
        stores.run(self.one.new_contest(self.id, stored, "swiss", 2))

    def enter(self, name: str, key_hash: str, accepted: bool = True) -> None:
        entering = self.stores.one.entrants.enter(self.contest, name, "upload", "upload:x", key_hash, accepted)
        self.stores.run(entering)

    def names(self) -> list[str]:
        return [pupil.name for pupil in self.stores.run(self.two.pupils(self.id))]


@pytest.fixture
def klass(stores: Stores) -> Class:
    return Class(stores)


def test_a_class_that_is_opened_again_is_the_same(klass: Class) -> None:
    again = msgspec.structs.replace(klass.fresh, id="other", code="OTHERS", teacher_hash="another")
    found = klass.stores.run(klass.two.open(again))
    assert (found.id, found.code, found.teacher_hash) == (klass.id, klass.fresh.code, "hash")


def test_two_who_open_a_class_at_once_open_one(stores: Stores) -> None:
    number = next(numbers)

    async def both() -> set[str]:
        made = [StoredClassroom(f"n{number}{x}", f"New {number}", f"N{number}{x}", x) for x in "abcd"]
        stored = (stores.one.classrooms, stores.two.classrooms)
        opened = await asyncio.gather(*(stored[n % 2].open(each) for n, each in enumerate(made)))
        return {each.id for each in opened}

    assert len(stores.run(both())) == 1


def test_a_code_is_of_one_class(klass: Class) -> None:
    other = StoredClassroom("x" + klass.id, "Other " + klass.id, klass.fresh.code, "")
    assert klass.stores.code(klass.two.open(other)) == "taken"


def test_the_teacher_may_get_another_token(klass: Class) -> None:
    klass.stores.run(klass.one.set_teacher(klass.id, "new"))
    assert klass.stores.run(klass.two.teacher_hash(klass.id)) == "new"


def test_a_name_is_of_whoever_has_its_key(klass: Class) -> None:
    run = klass.stores.run
    assert run(klass.one.join(klass.id, "Ada", "a")).name == "Ada"
    assert run(klass.two.join(klass.id, "Ada", "a")).name == "Ada"
    assert run(klass.two.join(klass.id, "ADA", "a")).name == "Ada"
    assert klass.stores.code(klass.two.join(klass.id, "Ada", "b")) == "name_taken"
    assert klass.stores.code(klass.two.join(klass.id, "aDA", "b")) == "name_taken"
    run(klass.one.join(klass.id, "bob", "b"))
    assert klass.names() == ["Ada", "bob"]
    assert run(klass.two.pupil(klass.id, "Bob")) is None


def test_of_many_who_want_a_name_at_once_one_gets_it(klass: Class) -> None:
    async def rush() -> list[object]:
        doors = (klass.one, klass.two)
        wanted = [doors[n % 2].join(klass.id, ("Eve", "eve")[n % 2], str(n)) for n in range(8)]
        return await asyncio.gather(*wanted, return_exceptions=True)

    refused = [each for each in klass.stores.run(rush()) if isinstance(each, Exception)]
    assert len(refused) == 7 and len(klass.names()) == 1


def test_a_class_has_an_end(klass: Class) -> None:
    async def all() -> None:
        await asyncio.gather(*(klass.one.join(klass.id, f"p{n}", "k") for n in range(MOST_PUPILS)))

    klass.stores.run(all())
    assert klass.stores.code(klass.one.join(klass.id, "one more", "k")) == "full"


def test_who_is_removed_plays_no_more_and_the_name_is_free(klass: Class) -> None:
    run = klass.stores.run
    run(klass.one.join(klass.id, "Ada", "a"))
    klass.enter("Ada", "a")
    run(klass.one.keep_upload(klass.contest, StoredUpload("Ada", "bot.py", "program", b"x")))
    run(klass.one.remove(klass.id, "Ada"))
    assert run(klass.stores.two.entrants.known(klass.contest, "Ada")) is None
    assert run(klass.two.upload(klass.contest, "Ada")) is None and klass.names() == []
    assert klass.stores.code(klass.one.remove(klass.id, "Ada")) == "no_such_pupil"
    run(klass.two.join(klass.id, "Ada", "new"))  # another browser, perhaps
    klass.enter("Ada", "new", accepted=False)


def test_contests_of_a_class_are_for_its_pupils(klass: Class) -> None:
    run = klass.stores.run
    run(klass.one.join(klass.id, "Ada", "a"))
    run(klass.two.check_entry(klass.contest, "Ada", "a"))
    assert klass.stores.code(klass.two.check_entry(klass.contest, "Ada", "b")) == "not_yours"
    assert klass.stores.code(klass.two.check_entry(klass.contest, "Bob", "a")) == "not_yours"
    run(klass.two.check_entry("of nobody", "Bob", "a"))


def test_contests_of_a_class_are_its_own(klass: Class) -> None:
    other = Class(klass.stores)
    (found,) = klass.stores.run(klass.two.contests(klass.id))
    assert (found.contest, found.format, found.matches) == (klass.contest, "swiss", 2)
    assert [each.contest for each in klass.stores.run(klass.two.contests(other.id))] == [other.contest]
    assert klass.stores.run(klass.stores.two.contests.get(klass.contest)).name == "Cup"


def test_of_two_who_start_a_round_one_does(klass: Class) -> None:
    run = klass.stores.run
    run(klass.one.begin_round(klass.contest, 1, [("Ada", "Bob"), ("Eve", "Dan")]))
    assert klass.stores.code(klass.two.begin_round(klass.contest, 1, [])) == "running"
    run(klass.two.begin_round(klass.contest, 2, [("Ada", "Eve")]))
    found = run(klass.one.rounds(klass.contest))
    assert [(each.number, each.meetings) for each in found] == [
        (1, [("Ada", "Bob"), ("Eve", "Dan")]),
        (2, [("Ada", "Eve")]),
    ]


def test_an_upload_takes_the_place_of_the_one_before(klass: Class) -> None:
    run = klass.stores.run
    run(klass.one.keep_upload(klass.contest, StoredUpload("Ada", "a.py", "program", b"first \xc3\xa9")))
    run(klass.one.note(klass.contest, "Ada", "x" * 9000 + "last\0 words"))
    run(klass.one.note(klass.contest, "Ada", ""))  # won before it was asked for anything
    noted = run(klass.two.uploads(klass.contest))["Ada"]
    assert noted.notes.endswith("xxlast� words") and len(noted.notes) == LONGEST_NOTES and noted.text == b""
    run(klass.two.keep_upload(klass.contest, StoredUpload("Ada", "b.py", "codingame", b"second")))
    found = run(klass.one.upload(klass.contest, "Ada"))
    assert found is not None and (found.file, found.kind, found.text, found.notes) == (
        "b.py", "codingame", b"second", "",
    )  # fmt: skip
    assert run(klass.one.upload(klass.contest, "Bob")) is None


def test_a_contest_goes_with_all_that_is_its(klass: Class) -> None:
    run = klass.stores.run
    run(klass.one.begin_round(klass.contest, 1, []))
    run(klass.one.keep_upload(klass.contest, StoredUpload("Ada", "a.py", "program", b"")))
    run(klass.stores.one.contests.delete(klass.contest))
    assert run(klass.two.contests(klass.id)) == [] and run(klass.two.rounds(klass.contest)) == []


def test_the_same_command_is_the_same_class_with_the_same_link(
    stores: Stores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINCUNX_BOTS", str(tmp_path / "bots.json"))
    nothing: Any = None
    name = f"Held {next(numbers)}"

    def opened(name: str = name) -> Classroom:
        return stores.run(Classroom.open(stores.one, nothing, nothing, nothing, name))

    first, again, other = opened(), opened(), opened(name + " B")
    assert (first.stored.code, first.token) == (again.stored.code, again.token)
    assert other.stored.code != first.stored.code and other.token != first.token
    stores.run(first.check_teacher(first.token))
    assert stores.code(first.check_teacher(other.token)) == "not_yours"
    (tmp_path / "classrooms.json").unlink()  # another computer, or the file was lost: a new link, the old one is void
    later = opened()
    assert later.stored.code == first.stored.code and later.token != first.token
    assert stores.code(first.check_teacher(first.token)) == "not_yours"
    stores.run(first.check_teacher(later.token))
