"""The pages' types are what the server says now."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # it makes a whole application

TOOLS = Path(__file__).parent.parent / "tools"


def test_the_schema_of_the_pages_is_fresh() -> None:
    made = runpy.run_path(str(TOOLS / "schema.py"))
    assert made["FILE"].read_text(encoding="utf-8") == made["schema"](), "run `make schema`"
