"""What is given to others: the zip of the sources has everything, and nothing that was built."""

from __future__ import annotations

import importlib.util
import zipfile
from pathlib import Path
from typing import Any

import pytest

TOOLS = Path(__file__).parent.parent / "tools"


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
