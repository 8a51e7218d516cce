"""What becomes of one rule, written into docs/technical/compiler.md: python tools/compiled.py

A test compares, so that the page says what the compiler does. The target is named, so that it is the same everywhere.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import llvmlite.binding as llvm

from quincunx.core.compile import native
from quincunx.core.compile.front import lower
from quincunx.core.engine import Gear, rule
from quincunx.core.structure import Structure, i8, i16

PAGE = Path(__file__).parent.parent / "docs" / "technical" / "compiler.md"
TRIPLE = "x86_64-unknown-linux-gnu"


class Purse(Structure):
    owner: i8
    coins: i16


@rule
def pay(purse: Purse, price: int) -> bool:
    """False, and nothing happens, if there is not enough."""
    if price > purse.coins:
        return False
    purse.coins -= price
    return True


def sections() -> dict[str, str]:
    """The rule, LLVM's text as the front end writes it, the same optimised, and machine code."""
    plan = Gear("doc", {}, compiled=True).plan(pay)
    before = str(lower([plan], checked=False)).replace("define internal", "define")
    before = before.replace(f'"{plan.name}"', "pay").replace(f"{Purse.__module__}.", "")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(cpu="x86-64", opt=3)
    with llvm.create_context() as context:
        module = llvm.parse_assembly(before + "attributes #0 = { nounwind }\n", context)
        module.triple, module.data_layout = TRIPLE, str(machine.target_data)
        native.optimise(module, machine)
        after, code = str(module), machine.emit_assembly(module)
        module.close()
    rule_text = inspect.getsource(Purse) + "\n\n" + inspect.getsource(pay)
    return {"rule": rule_text, "before": before, "after": _function(after), "machine": _instructions(code)}


def _function(text: str) -> str:
    found = re.search(r"^define.*?^}", text, re.MULTILINE | re.DOTALL)
    assert found
    return found.group() + "\n"


def _instructions(code: str) -> str:
    """Without what an assembler is told besides."""
    lines = [line.partition("#")[0].rstrip() for line in code.splitlines()]
    kept = [line for line in lines if (line and not line.lstrip().startswith(".")) or line.startswith(".LBB")]
    return "\n".join(kept).expandtabs(8) + "\n"


def written(page: str) -> str:
    """The page with these sections between its marks."""
    for name, text in sections().items():
        language = "python" if name == "rule" else "llvm" if name != "machine" else "asm"
        block = f"<!-- {name} -->\n```{language}\n{text.strip()}\n```\n<!-- end -->"
        head, _, rest = page.partition(f"<!-- {name} -->")
        page = head + block + rest.partition("<!-- end -->")[2]
    return page


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), encoding="utf-8")
