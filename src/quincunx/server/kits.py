"""Starter kits as archives, for those who have a browser and nothing else: the folder that `quincunx new-bot` makes."""

from __future__ import annotations

import asyncio
import io
import tempfile
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.params import FromQuery, PathParameter

from quincunx.core.words import Language
from quincunx.kits import language, languages, write_kit
from quincunx.server.problems import refusals
from quincunx.server.rest import GameId

MOST_KEPT = 64  # a kit is a few kB
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the date of every file: the same kit is the same bytes

LanguageId = Annotated[str, PathParameter(pattern="^[a-z0-9_]{1,40}$")]


class KitLanguage(msgspec.Struct, frozen=True):
    id: str
    name: str
    idea: str  # the file for one's own idea


@get("/api/kits", responses=refusals())
async def list_kits() -> list[KitLanguage]:
    """The languages in which there is a kit for every game."""
    return [KitLanguage(id, language(id).name, language(id).idea) for id in languages()]


@get("/api/kits/{game:str}/{made_in:str}", responses=refusals(404), media_type="application/zip")
async def kit(game: GameId, made_in: LanguageId, spoken: FromQuery[Language] = "en") -> Response[bytes]:
    """A folder with a bot that plays, and one file for one's own idea."""
    packed = await asyncio.to_thread(archive, game, made_in, spoken)
    headers = {"Content-Disposition": f'attachment; filename="{name_of(game, made_in)}.zip"'}
    return Response(packed, media_type="application/zip", headers=headers)


def name_of(game: str, made_in: str) -> str:
    return f"{game}-{made_in}"


@lru_cache(MOST_KEPT)
def archive(game: str, made_in: str, spoken: Language) -> bytes:
    packed = io.BytesIO()
    with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as zip:
        folder = Path(place, name_of(game, made_in))
        write_kit(game, made_in, folder, spoken)
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                zip.writestr(_entry(file, Path(place)), file.read_bytes())
    return packed.getvalue()


def _entry(file: Path, place: Path) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(file.relative_to(place).as_posix(), LONG_AGO)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (file.stat().st_mode & 0o755) << 16
    return entry


HANDLERS: tuple[Any, ...] = (list_kits, kit)
