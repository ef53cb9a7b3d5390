"""Measure the structure of the code: lines per layer, crowded folders, repeated class names, private access
in tests, retired terms.

    python benchmarks/structure.py              print a table
    python benchmarks/structure.py --json       print JSON, for a comparison with docs/structure.json

Only `import lightloom` is run, to time it; everything else is read from the source files.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "packaging"))
vocabulary: Final = importlib.import_module("vocabulary")

_CROWDED: Final = 25
"""Largest number of Python files in a folder, subfolders not counted, that is not reported as crowded."""
_QUESTIONS: Final = ("What", "Which", "Where", "How")
_TURNS: Final = 5
_LARGE: Final = ("compute", "vision", "pipeline")
"""Layers that are counted by folder."""


@dataclass(frozen=True)
class Structure:
    """Measurements of a checkout.

    Attributes:
        lines: of Python, blank lines and comments included, by layer: a folder of desktop/, or of one of its
            large layers.
        files: Python files of desktop/ and lightloom/.
        crowded: number of files of each folder with more than 25 Python files, subfolders not counted.
        repeated_classes: public class names that occur more than once in a layer.
        setting_homes: modules that declare a class with a field `default`, subclasses excepted.
        question_docstrings: module docstrings that begin with What, Which, Where or How.
        private_in_tests: accesses to `_name` attributes of other objects in tests.
        patches_in_tests: calls of `monkeypatch.setattr`.
        retired_words: occurrences of terms that docs/glossary.md retires, in documents, docstrings, comments
            and sentences.
        retired_names: modules, classes and functions with a name that docs/glossary.md retires.
        document_words: of docs/*.md and README.md.
        longest_line: characters.
        import_s: seconds of `import lightloom`, the median of five new processes.
    """

    lines: dict[str, int]
    files: int
    crowded: dict[str, int]
    repeated_classes: int
    setting_homes: int
    question_docstrings: int
    private_in_tests: int
    patches_in_tests: int
    retired_words: int
    retired_names: int
    document_words: int
    longest_line: int
    import_s: float


def python_files(*folders: str) -> list[Path]:
    """Return the Python files below folders of the checkout, sorted."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def layer_of(path: Path) -> str:
    """Name the layer of a module: 'compute/media' of desktop/media/sources/video.py."""
    parts = path.relative_to(ROOT).parts
    if parts[0] != "desktop":
        return parts[0]
    depth = 3 if parts[1] == "compute" and len(parts) > 3 else 2
    return "/".join(parts[1:depth]) if len(parts) > 2 else "desktop"


def public_classes(tree: ast.Module) -> Iterator[str]:
    """Yield the names of a module's classes that do not begin with an underscore."""
    return (
        node.name for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )


def private_reads(tree: ast.Module) -> int:
    """Count `x._name` where x is neither `self`, `cls` nor `super()`."""
    return sum(
        isinstance(node, ast.Attribute)
        and re.match(r"_[^_]", node.attr) is not None
        and ast.unparse(node.value) not in ("self", "cls", "super()")
        for node in ast.walk(tree)
    )


def declares_settings(tree: ast.Module) -> bool:
    """Return whether a module has a class with a field `default`, which is not the default of a base class's
    field.
    """
    return any(
        isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == "default"
        for parent in ast.walk(tree)
        if isinstance(parent, ast.ClassDef)
        and {ast.unparse(base) for base in parent.bases} <= {"ABC", "Protocol"}
        for node in parent.body
    )


def import_seconds() -> float:
    """Return the median time of `import lightloom` in new processes, without the first, whose files are not
    cached.
    """
    times = []
    for _ in range(_TURNS + 1):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import lightloom"], cwd=ROOT, check=True)
        whole = time.perf_counter() - begin
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], cwd=ROOT, check=True)
        times.append(whole - (time.perf_counter() - begin))
    return round(statistics.median(times[1:]), 3)


def measure() -> Structure:
    """Measure the checkout."""
    own = python_files("desktop", "lightloom")
    texts = {path: path.read_text(encoding="utf-8") for path in own}
    trees = {path: ast.parse(text) for path, text in texts.items()}
    lines: Counter[str] = Counter()
    for path, text in texts.items():
        lines[layer_of(path)] += text.count("\n")
    classes = Counter((layer_of(path), name) for path, tree in trees.items() for name in public_classes(tree))
    beside = Counter(str(path.parent.relative_to(ROOT)) for path in own)
    tests = [path.read_text(encoding="utf-8") for path in python_files("tests")]
    documents = [
        path.read_text(encoding="utf-8") for path in (*(ROOT / "docs").glob("*.md"), ROOT / "README.md")
    ]
    retired = vocabulary.counts(vocabulary.find())
    return Structure(
        lines=dict(sorted(lines.items())),
        files=len(own),
        crowded={name: count for name, count in sorted(beside.items()) if count > _CROWDED},
        repeated_classes=sum(count > 1 for count in classes.values()),
        setting_homes=sum(map(declares_settings, trees.values())),
        question_docstrings=sum(
            (ast.get_docstring(tree) or "").startswith(_QUESTIONS) for tree in trees.values()
        ),
        private_in_tests=sum(private_reads(ast.parse(text)) for text in tests),
        patches_in_tests=sum(text.count("monkeypatch.setattr") for text in tests),
        retired_words=sum(count for key, count in retired.items() if key.endswith("(text)")),
        retired_names=sum(count for key, count in retired.items() if key.endswith("(name)")),
        document_words=sum(len(text.split()) for text in documents),
        longest_line=max(len(line) for text in texts.values() for line in text.splitlines()),
        import_s=import_seconds(),
    )


def table(found: Structure) -> str:
    """Format the measurements, one a line."""
    rows: list[tuple[str, object]] = []
    for name, value in asdict(found).items():
        if isinstance(value, dict):
            rows += [(f"{name} {key}", number) for key, number in value.items()]
            rows.append((f"{name} in all", sum(value.values()) if name == "lines" else len(value)))
        else:
            rows.append((name, value))
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value:>9}" for name, value in rows)


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--json", action="store_true", help="as JSON")
    found = measure()
    print(json.dumps(asdict(found), indent=1) if parser.parse_args().json else table(found))


if __name__ == "__main__":
    main()
