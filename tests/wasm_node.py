"""WebAssembly in Node, for tests: files of a module and its description, and tests/wasm.mjs to ask it."""

from __future__ import annotations

import json
import struct
import subprocess
from base64 import b64encode
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from quincunx.core.compile.wasm import Portable

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "tests" / "wasm.mjs"


def write(made: Portable, folder: Path, name: str) -> None:
    (folder / f"{name}.wasm").write_bytes(made.code)
    (folder / f"{name}.json").write_text(json.dumps(made.description))


def ask(folder: Path, name: str, asked: dict[str, Any]) -> Any:
    command = [node(), "--no-warnings", str(SCRIPT), str(folder), name]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def node() -> str:
    """The Node that the pages are built with. (benchmarks/ has a pages.py too.)"""
    spec = spec_from_file_location("tools_pages", ROOT / "tools" / "pages.py")
    assert spec and spec.loader
    pages = module_from_spec(spec)
    spec.loader.exec_module(pages)
    return str(pages.where_node()[0])


def packed(value: Any) -> Any:
    """As it travels."""
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if isinstance(value, float):
        return struct.pack(">d", value).hex()
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value
