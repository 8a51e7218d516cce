"""A release is refused where it would give something else than it says; its notes are what the changelog says."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import dist
import notes
import pages
import pytest
import release
import trial

from quincunx import __version__

ROOT = Path(__file__).parent.parent
CHANGELOG = """# Changelog

Words before.

## [1.2.0] – unreleased

### Added

- A door, see [the page](docs/door.md) and [elsewhere](https://example.org/door).

## [1.1.0] – 2026-01-31

- A window.

## [1.0.0] – 2026-01-01
"""


def test_the_notes_are_what_stands_under_the_version_and_lead_nowhere_into_the_repository() -> None:
    said = notes.entry_of("1.2.0", CHANGELOG)
    assert said.notes() == (
        "# Quincunx 1.2.0\n\n### Added\n\n- A door, see the page and [elsewhere](https://example.org/door).\n"
    )
    assert "window" in notes.entry_of("1.1.0", CHANGELOG).text


def test_a_version_of_which_the_changelog_says_nothing_is_refused() -> None:
    with pytest.raises(notes.Unsaid, match=r"no heading “## \[2\.0\.0\] – date”"):
        notes.entry_of("2.0.0", CHANGELOG)
    with pytest.raises(notes.Unsaid, match=r"nothing about 1\.0\.0"):
        notes.entry_of("1.0.0", CHANGELOG)


def test_our_own_changelog_has_notes_for_our_version() -> None:
    assert notes.version() == __version__
    assert len(notes.entry_of(__version__, notes.CHANGELOG.read_text("utf-8")).notes().splitlines()) > 3


def test_without_a_date_nothing_is_released() -> None:
    release.refuse_undated(notes.entry_of("1.1.0", CHANGELOG))
    with pytest.raises(release.Refused, match=r"“unreleased” behind 1\.2\.0"):
        release.refuse_undated(notes.entry_of("1.2.0", CHANGELOG))


def test_a_tree_with_anything_uncommitted_is_refused(tmp_path: Path) -> None:
    with pytest.raises(release.Refused, match="made from a clone"):
        release.refuse_dirt(tmp_path)
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    release.refuse_dirt(tmp_path)
    (tmp_path / "forgotten.py").write_text("")
    with pytest.raises(release.Refused, match=r"not clean: forgotten\.py"):
        release.refuse_dirt(tmp_path)


def test_a_wheel_without_pages_or_documents_is_told(tmp_path: Path) -> None:
    python = "quincunx/server/site/play/python/pyodide.asm.wasm"  # without it nobody plays without a server
    packed(tmp_path / "a.whl", dist.WANTED - {"quincunx/server/site/index.html", python})
    with pytest.raises(pages.Failed, match=rf"a\.whl lacks quincunx/server/site/index\.html, {python}\.$"):
        dist.expect(tmp_path / "a.whl", dist.WANTED)


def test_a_file_that_the_zip_of_the_sources_does_not_give_is_told(tmp_path: Path) -> None:
    one, other = packed(tmp_path / "one.whl", {"a.py", "b.py"}), packed(tmp_path / "other.whl", {"a.py", "c.py"})
    assert release.different(one, other) == ["b.py", "c.py"]
    assert release.different(one, one) == []


def packed(file: Path, names: set[str]) -> Path:
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return file


def test_whoever_builds_a_wheel_has_what_documents_are_made_with() -> None:
    """pip builds where nothing is installed but this; test of the whole: `make release`."""
    needed = {re.split("[>=<]", each)[0] for each in tomllib.loads(_project())["build-system"]["requires"]}
    imported = "import sys; before = set(sys.modules); sys.path[:0] = ['src', 'tools']; from documents import building"
    imported += ", generated, lessons; [make() for make in generated.PAGES.values()];\n"
    imported += "[lessons.page(name, 'en') for name in lessons.names()]; print(*set(sys.modules) - before)"
    absent = "import sys; sys.modules.update(dict.fromkeys(['gymnasium', 'typer', 'rich', 'litestar', 'openskill'])); "
    ran = subprocess.run([sys.executable, "-c", absent + imported], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    loaded = {name.partition(".")[0] for name in ran.stdout.split()}
    assert {"markdown_it", "pygments", "msgspec", "numpy"} <= loaded
    assert {"markdown-it-py", "pygments", "msgspec", "numpy"} <= needed


def _project() -> str:
    return (ROOT / "pyproject.toml").read_text("utf-8")


def test_sums_are_those_of_what_is_given(tmp_path: Path) -> None:
    (tmp_path / "quincunx-1.whl").write_bytes(b"abc")
    (tmp_path / "other").write_bytes(b"")
    release.write_sums(tmp_path)
    assert (tmp_path / "SHA256SUMS").read_text() == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  quincunx-1.whl\n"
    )


def test_this_python_is_among_those_it_is_tried_with() -> None:
    assert "{}.{}".format(*sys.version_info) in trial.pythons()
