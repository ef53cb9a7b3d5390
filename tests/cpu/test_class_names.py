"""A public class has a name that no other class of its layer has, so that a search, an import or a message
says which is meant.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
structure = importlib.import_module("structure")

ALLOWED = {
    (
        "compute/gpu",
        "LossWatch",
    ): "one for each WebGPU library; compute/gpu/webgpu.py hands on that of the library in use",
}


def test_public_classes_of_a_layer_have_names_of_their_own():
    homes: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path in structure.python_files("desktop", "lightloom"):
        for name in structure.public_classes(ast.parse(path.read_text(encoding="utf-8"))):
            homes[structure.layer_of(path), name].append(str(path.relative_to(ROOT)))
    assert len(homes) > 1000
    repeated = {key: where for key, where in homes.items() if len(where) > 1}
    assert repeated.keys() == ALLOWED.keys(), repeated
