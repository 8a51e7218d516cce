"""Records as rows in a Parquet file, and back: every row is made again, and no row tells what its seat did not see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from cases import long_journey
from env_cases import GAMES, SMALL
from quincunx.cli import main
from quincunx.core.words import Refused
from quincunx.envs import parquet
from quincunx.envs.encoding import Encoding
from quincunx.games import load
from quincunx.match import Match, MatchRecord, Played, encode
from test_leaks import FOG


def played(id: str, seed: int, most: int = 10**6, **more: Any) -> Match:
    """A match at random."""
    match = Match(load(id, "compiled"), seed=seed, dice=seed, **SMALL.get(id, {}) | more)
    for choice in long_journey(seed, 4000):
        if match.over or match.length >= most:
            break
        legal = match.game.legal(match.world)
        match.act(match.turn, legal[choice % len(legal)])
    return match


def records_of(id: str, n: int = 3, **more: Any) -> list[MatchRecord]:
    return [played(id, seed, **more).record() for seed in range(n)]


@pytest.mark.parametrize("id", GAMES)
def test_what_was_exported_is_verified_and_comes_back(id: str, tmp_path: Path) -> None:
    records, file = records_of(id), tmp_path / "decisions.parquet"
    rows = parquet.export(records, file)
    assert rows == sum(isinstance(e, Played) and e.seat >= 0 for record in records for e in record.entries)
    assert [encode(r) for r in parquet.verify(file, records if id in FOG else ())] == [encode(r) for r in records]


@pytest.mark.parametrize("id", GAMES)
def test_rows_say_what_the_acting_seat_saw_and_did(id: str, tmp_path: Path) -> None:
    match, file = played(id, 5, most=80), tmp_path / "decisions.parquet"
    parquet.export([match.record()], file)
    read, world = parquet.read(file), match.beginning()
    encoding = Encoding(match.game, SMALL.get(id, {}))
    row = 0
    for ply, (seat, action) in enumerate(match.standing):
        if seat >= 0:
            planes, scalars = encoding.observe(match.game.view(world, seat))
            assert (read.match[row], read.ply[row], read.seat[row]) == (0, ply, seat)
            assert np.array_equal(read.planes[row], planes)
            assert np.array_equal(read.scalars[row], scalars)
            assert np.array_equal(read.mask[row], encoding.mask(world, seat).astype(bool))
            assert encoding.action(world, seat, int(read.number[row])) == action
            assert read.mask[row][read.number[row]]
            assert read.action[row] == match.game.text(world, seat, action)
            row += 1
        match.game.apply(world, seat, action)
    assert row == len(read.number)
    assert np.isnan(read.reward).all() == (match.outcome is None)


def test_outcomes_are_those_of_the_seat(tmp_path: Path) -> None:
    match = Match("connect_four")
    for column in "abababa":
        match.play(column)
    parquet.export([match.record()], tmp_path / "won")
    assert parquet.read(tmp_path / "won").reward.tolist() == [1, -1, 1, -1, 1, -1, 1]
    table = pyarrow.parquet.read_table(tmp_path / "won")
    assert table.column("rank").to_pylist() == [1, 2, 1, 2, 1, 2, 1]


def test_what_was_taken_back_did_not_happen(tmp_path: Path) -> None:
    match = Match("connect_four").play("a").play("b").undo().play("c")
    match.resign(0)
    parquet.export([match.record()], tmp_path / "file")
    read = parquet.read(tmp_path / "file")
    assert read.action == ["a", "c"]
    assert read.reward.tolist() == [-1, 1]
    parquet.verify(tmp_path / "file")


def test_an_action_without_a_number_is_kept_as_text(tmp_path: Path) -> None:
    """Of the ways to a cell the encoding knows one."""
    match = Match("casus_belli", seed=1, dice=1, **SMALL["casus_belli"])
    numbers = []
    encoding = Encoding(match.game, SMALL["casus_belli"])
    for choice in long_journey(3, 200):
        legal = match.game.legal(match.world)
        paths = [a for a in legal if a >> 34 == 2 and a & 15 == 2]  # of two steps
        detours = [a & ~(15 << 8) | (a >> 8 & 3) << 10 | (a >> 10 & 3) << 8 for a in paths]  # in the other order
        odd = [a for a in detours if match.game.check(match.world, match.turn, a) is None and a not in legal]
        match.act(match.turn, odd[0] if odd else legal[choice % len(legal)])
        numbers.append(not odd)
    parquet.export([match.record()], tmp_path / "file")
    read = parquet.read(tmp_path / "file")
    assert not all(numbers)
    assert ((read.number >= 0) == np.array(numbers)).all()
    assert encoding.actions == read.layout.actions
    parquet.verify(tmp_path / "file", [match.record()])


# -- secrets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", FOG)
def test_a_file_of_a_game_with_secrets_does_not_hold_the_truth(id: str, tmp_path: Path) -> None:
    records, file = records_of(id, 1), tmp_path / "file"
    parquet.export(records, file)
    assert parquet.header_of(file).records == []
    assert records[0].start.encode() not in file.read_bytes()
    with pytest.raises(Refused, match="name their records too"):
        parquet.verify(file)
    with pytest.raises(Refused, match="name their records too"):
        parquet.verify(file, records_of(id, 3)[1:])  # others of the same game
    parquet.export(records, file, with_records=True)  # somebody asked for it
    assert parquet.verify(file) == records


# -- what is not believed --------------------------------------------------------------------------------------------


def altered(file: Path, column: str, row: int, value: Any) -> None:
    table = pyarrow.parquet.read_table(file)
    values = table.column(column).to_pylist()
    values[row] = value
    k = table.schema.get_field_index(column)
    table = table.set_column(k, table.schema.field(k), pyarrow.array(values, table.schema.field(k).type))
    pyarrow.parquet.write_table(table, file)


@pytest.mark.parametrize("column, value", [("number", 6), ("action", "g"), ("reward", 0.5), ("mask", [False] * 7)])
def test_an_altered_row_is_noticed(column: str, value: Any, tmp_path: Path) -> None:
    file = tmp_path / "file"
    records = records_of("connect_four")
    parquet.export(records, file)
    second = len(records[0].entries)
    altered(file, column, second, value)
    with pytest.raises(Refused, match=r"Match 1 of .* does not give"):
        parquet.verify(file)


def test_a_missing_row_and_one_too_many_are_noticed(tmp_path: Path) -> None:
    file = tmp_path / "file"
    parquet.export(records_of("connect_four"), file)
    table = pyarrow.parquet.read_table(file)
    for other in (table.slice(0, table.num_rows - 1), pyarrow.concat_tables([table, table.slice(0, 1)])):
        pyarrow.parquet.write_table(other.combine_chunks(), file)
        with pytest.raises(Refused, match="does not give"):
            parquet.verify(file)


def test_other_files_and_mixtures_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no parquet")
    pyarrow.parquet.write_table(pyarrow.table({"a": [1]}), tmp_path / "other")
    for name in ("text", "other", "none"):
        with pytest.raises(Refused, match="no file of decisions"):
            parquet.verify(tmp_path / name)
    with pytest.raises(Refused, match="at least one record"):
        parquet.export([], tmp_path / "file")
    with pytest.raises(Refused, match="one is of cultist 13 × 7, another of khet 10 × 8"):
        parquet.export([played("cultist", 1, 3).record(), played("khet", 1, 3).record()], tmp_path / "file")
    with pytest.raises(Refused, match="chartichaud 6 × 5, another of chartichaud 7 × 5"):
        both = [played("chartichaud", 1, 3).record(), played("chartichaud", 1, 3, width=7).record()]
        parquet.export(both, tmp_path / "file")
    assert not list(tmp_path.glob("file*"))


def test_a_record_that_does_not_replay_leaves_no_file(tmp_path: Path) -> None:
    record = played("connect_four", 1).record()
    record.entries[3].action = "a" if record.entries[3].action != "a" else "b"  # type: ignore[union-attr]
    with pytest.raises(Refused, match="Entry 4"):
        parquet.export([record], tmp_path / "file")
    assert not list(tmp_path.iterdir())


# -- the commands ----------------------------------------------------------------------------------------------------


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Its exit code, and what it says, whatever the width of the terminal."""
    with pytest.raises(SystemExit) as end:
        main(list(arguments))
    said = capsys.readouterr()
    return int(end.value.code or 0), " ".join((said.out + said.err).split())


def test_commands_export_and_verify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, file, back = tmp_path / "records", str(tmp_path / "file.parquet"), tmp_path / "back"
    folder.mkdir()
    for n, record in enumerate(records_of("connect_four", 2)):
        (folder / f"connect_four-{n:05}.json").write_bytes(encode(record))
    code, said = command(capsys, "--lang", "en", "export", str(folder), "--to", "parquet", file)
    assert (code, "2 matches" in said) == (0, True)
    code, said = command(capsys, "--lang", "fr", "import-data", file, "--save", str(back))
    assert (code, "Vérifié : 2 parties" in said) == (0, True)
    for each in folder.iterdir():
        assert (back / each.name).read_bytes() == each.read_bytes()
    code, said = command(capsys, "--lang", "en", "export", str(folder), "--to", "csv", file)
    assert (code, "--to parquet FILE" in said) == (2, True)
    code, said = command(capsys, "--lang", "en", "export", str(folder), "--to", "parquet", str(tmp_path))
    assert (code, "cannot be written" in said) == (2, True)
