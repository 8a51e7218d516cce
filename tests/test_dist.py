"""What is given to others: the zip of the sources, which has nothing that was built, and what npm is told to fetch."""

from __future__ import annotations

import importlib.util
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
TOOLS = ROOT / "tools"


@pytest.fixture
def dist(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(TOOLS))
    spec = importlib.util.spec_from_file_location("dist", TOOLS / "dist.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_zip_has_the_sources_and_equal_sources_make_equal_zips(dist: Any, tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        dist.write_zip(tmp_path / name, "top")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    entries = {entry.filename: entry for entry in zipfile.ZipFile(tmp_path / "one.zip").infolist()}
    for needed in (
        "Makefile",
        "constraints.txt",
        "web/package-lock.json",
        "docs/rules/khet.fr.md",
        "tests/test_laws.py",
    ):
        assert f"top/{needed}" in entries
    assert entries["top/.ci/run"].external_attr >> 16 & 0o111
    built = ("node_modules", "__pycache__", ".venv", ".git")
    assert not any(set(built) & set(name.split("/")) or "server/pages/" in name for name in entries)


def test_without_git_the_same_files_are_found(dist: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unpacked, played with, and packed again: what was made meanwhile stays out."""
    dist.write_zip(tmp_path / "one.zip", "top")
    zipfile.ZipFile(tmp_path / "one.zip").extractall(tmp_path)
    for made in (
        "web/node_modules/vite/x.js",
        "src/quincunx/server/pages/index.html",
        "src/__pycache__/a.pyc",
        "dist/a.whl",
    ):
        (tmp_path / "top" / made).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "top" / made).write_text("made")
    before = dist.sources()
    monkeypatch.setattr(dist, "ROOT", tmp_path / "top")
    assert dist.sources() == before


def test_lock_files_vouch_for_every_package_and_name_no_registry(dist: Any) -> None:
    """What npm writes has a digest for each; where packages come from is the business of whoever installs them."""
    locks = [ROOT / file for file in dist.sources() if Path(file).name == "package-lock.json"]
    assert len(locks) == 2
    for lock in locks:
        locked = json.loads(lock.read_text())["packages"]
        wanted = json.loads(lock.with_name("package.json").read_text())["dependencies"]
        assert {name: locked[f"node_modules/{name}"]["version"] for name in wanted} == wanted
        for name, entry in locked.items():
            if name:  # the first one is the folder itself
                assert re.fullmatch(r"sha512-[A-Za-z0-9+/]{86}==", entry.get("integrity", "")), name
            said = {key: value for key, value in entry.items() if key != "funding"}  # whom its authors thank
            assert "://" not in json.dumps(said) and "resolved" not in entry, name


def test_every_platform_s_bundler_is_in_the_lock() -> None:
    locked = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    there = {name.rpartition("binding-")[2] for name in locked if "@rolldown/binding-" in name}
    assert {"linux-x64-gnu", "linux-x64-musl", "linux-arm64-gnu", "darwin-arm64", "darwin-x64"} <= there
    assert {"win32-x64-msvc", "win32-arm64-msvc"} <= there
