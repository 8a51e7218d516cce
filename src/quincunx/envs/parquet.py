"""Decisions in a Parquet file: written from records, read into arrays, and verified by replaying.

    export(records, "khet.parquet")
    decisions = read("khet.parquet")             arrays, quickly
    records = verify("khet.parquet")             every row made again and compared

A file of a game without secrets holds its records, so that it can be verified by itself. Of the others it holds their
digests only, and nothing but what the seats saw: whoever verifies brings the records; or asked for them in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from quincunx.core.words import Refused, Words
from quincunx.envs.decisions import Decision, Layout, layout_of, record_digest, rows_of
from quincunx.envs.missing import needed
from quincunx.games import load
from quincunx.match import MatchRecord

FORMAT = 1
KEY = b"quincunx"
TOGETHER = 64  # matches in a row group

NOT_OURS = Words("{} n’est pas un fichier de décisions de Quincunx.", "{} is no file of decisions of Quincunx.")
OTHER = Words(
    "{} a été écrit selon d’autres règles ou un autre encodage de {}.",
    "{} was written by other rules or another encoding of {}.",
)
RECORDS_NEEDED = Words(
    "{} ne contient pas ses parties, à cause de leurs secrets : donnez aussi les parties enregistrées.",
    "{} does not hold its matches, because of their secrets: name their records too.",
)
UNWRITABLE = Words("Le fichier {} ne peut pas être écrit ({}).", "The file {} cannot be written ({}).")
DEPARTS = Words(
    "La partie {} de {} ne donne pas les décisions du fichier.",
    "Match {} of {} does not give the decisions that the file has.",
)


class Header(msgspec.Struct, frozen=True):
    """What the file says of itself."""

    format: int
    layout: Layout
    digests: list[str]  # of the records, in their order
    records: list[MatchRecord] = []  # themselves, if they may be known


@dataclass(frozen=True)
class Decisions:
    """All rows of a file, column by column: the first index is the decision."""

    layout: Layout
    match: NDArray[np.int32]
    ply: NDArray[np.int32]
    seat: NDArray[np.int16]
    planes: NDArray[np.int8]
    scalars: NDArray[np.int32]
    mask: NDArray[np.bool_]
    number: NDArray[np.int32]
    action: list[str]
    reward: NDArray[np.float32]  # nan of matches that go on


def export(records: Sequence[MatchRecord], file: str | Path, with_records: bool = False) -> int:
    """Writes every decision of these matches; returns how many there are. A match that does not replay leaves no file
    behind."""
    layout = layout_of(records)
    shown = with_records or load(layout.game, "interpreted").card.open
    header = Header(FORMAT, layout, [record_digest(record) for record in records], list(records) if shown else [])
    schema = _schema(layout).with_metadata({KEY: msgspec.json.encode(header)})
    written, part = 0, Path(f"{file}.part")
    try:
        with needed("pyarrow.parquet", "data").ParquetWriter(part, schema, compression="zstd") as writer:
            for table in _tables(records, schema):
                writer.write_table(table)
                written += table.num_rows
        part.replace(file)
    except OSError as error:
        raise Refused("unwritable_file", UNWRITABLE.format(file, error.strerror or error)) from None
    finally:
        part.unlink(missing_ok=True)
    return written


def _schema(layout: Layout) -> Any:
    pa = needed("pyarrow", "data")
    height, width = layout.size
    return pa.schema(
        [
            ("match", pa.int32()),
            ("ply", pa.int32()),
            ("seat", pa.int16()),
            ("planes", pa.list_(pa.int8(), len(layout.planes) * height * width)),
            ("scalars", pa.list_(pa.int32(), len(layout.scalars))),
            ("mask", pa.list_(pa.bool_(), layout.actions)),
            ("number", pa.int32()),
            ("action", pa.string()),
            ("reward", pa.float32()),
            ("rank", pa.int16()),
            ("score", pa.int64()),
        ]
    )


def _tables(records: Sequence[MatchRecord], schema: Any) -> Iterator[Any]:
    """A row group after the other, so that no more than one is in memory."""
    for first in range(0, len(records), TOGETHER):
        some = enumerate(records[first : first + TOGETHER], first)
        table = _table([row for number, record in some for row in rows_of(record, number)], schema)
        if table.num_rows:
            yield table


def _table(rows: list[Decision], schema: Any) -> Any:
    pa = needed("pyarrow", "data")
    columns = []
    for field in schema:
        values = [getattr(row, field.name) for row in rows]
        if not hasattr(field.type, "list_size"):
            columns.append(pa.array(values, field.type))
            continue
        flat = np.concatenate([v.reshape(-1) for v in values]) if values else np.zeros(0, np.int8)
        inner = pa.array(flat.astype(bool) if field.name == "mask" else flat, field.type.value_type)
        columns.append(pa.FixedSizeListArray.from_arrays(inner, field.type.list_size))
    return pa.Table.from_arrays(columns, schema=schema)


# -- reading ---------------------------------------------------------------------------------------------------------


def header_of(file: str | Path) -> Header:
    """Refused if it is another file, or one of other rules."""
    parquet, pa = needed("pyarrow.parquet", "data"), needed("pyarrow", "data")
    try:
        found = (parquet.read_schema(file).metadata or {}).get(KEY, b"")
        header = msgspec.json.decode(found, type=Header)
    except (OSError, pa.ArrowInvalid, msgspec.DecodeError):
        raise Refused("not_decisions", NOT_OURS.format(file)) from None
    if header.format != FORMAT:
        raise Refused("not_decisions", NOT_OURS.format(file))
    card, encoding = load(header.layout.game, "interpreted").card, load(header.layout.game, "interpreted").encoding
    if encoding is None or (card.version, encoding.VERSION) != (header.layout.rules, header.layout.encoding):
        raise Refused("other_rules", OTHER.format(file, card.name))
    return header


def read(file: str | Path) -> Decisions:
    """Everything as arrays, as it stands in the file."""
    layout = header_of(file).layout
    table = needed("pyarrow.parquet", "data").read_table(file)
    shape = (len(layout.planes), *layout.size)

    def column(name: str) -> Any:
        return table.column(name).combine_chunks()

    def lists(name: str) -> Any:
        return column(name).flatten().to_numpy(zero_copy_only=False)

    rows = table.num_rows
    return Decisions(
        layout,
        column("match").to_numpy(),
        column("ply").to_numpy(),
        column("seat").to_numpy(),
        lists("planes").reshape(rows, *shape),
        lists("scalars").reshape(rows, len(layout.scalars)),
        lists("mask").reshape(rows, layout.actions),
        column("number").to_numpy(),
        column("action").to_pylist(),
        column("reward").to_numpy(zero_copy_only=False),
    )


def verify(file: str | Path, records: Sequence[MatchRecord] = ()) -> list[MatchRecord]:
    """Replays every match, makes its rows again and compares them with the file; returns the records, in their order.
    `records` are searched for those that the file does not hold."""
    header = header_of(file)
    found = _own_or_given(header, records, file)
    stored = needed("pyarrow.parquet", "data").ParquetFile(file)
    groups = 0
    for table in _tables(found, _schema(header.layout)):
        if groups == stored.num_row_groups:
            raise Refused("departs", DEPARTS.format(table.column("match")[0], file))
        _compare(table, stored.read_row_group(groups).replace_schema_metadata(None), file)
        groups += 1
    if groups < stored.num_row_groups:
        raise Refused("departs", DEPARTS.format(len(found), file))
    return found


def _compare(ours: Any, theirs: Any, file: str | Path) -> None:
    """Refused at the first match that differs."""
    if ours.equals(theirs):
        return
    rows = min(ours.num_rows, theirs.num_rows)
    same = [ours.slice(k, 1).equals(theirs.slice(k, 1)) for k in range(rows)]
    row = same.index(False) if False in same else rows
    longer = ours if ours.num_rows > row else theirs
    raise Refused("departs", DEPARTS.format(longer.column("match")[row], file))


def _own_or_given(header: Header, records: Sequence[MatchRecord], file: str | Path) -> list[MatchRecord]:
    known = {record_digest(record): record for record in (*header.records, *records)}
    if any(digest not in known for digest in header.digests):
        raise Refused("records_needed", RECORDS_NEEDED.format(file))
    return [known[digest] for digest in header.digests]
