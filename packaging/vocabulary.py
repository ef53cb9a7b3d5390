"""Count the retired terms of docs/glossary.md: `python packaging/vocabulary.py [--write] [TERM...]`.

Without a term: each term's count and how many packaging/vocabulary.json allows; status 1 if one is above.
`--write` lowers what is allowed to the counts of today and adds new terms. With terms: the places where they
occur. *Text* is prose: paragraphs of documents, comments, docstrings and strings with a space in them, all
without `code`. A label of the window that a document quotes in italics (*Zoom in*) is not counted there, but
in the module that defines it. A *name* is that of a module, class or function, split at underscores and
capitals.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
GLOSSARY: Final = Path("docs", "glossary.md")
ALLOWED: Final = Path("packaging", "vocabulary.json")
_ROW: Final = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ((?:text|name)(?:, name)?) \|$", re.MULTILINE)
_CODE: Final = re.compile(r"^```.*?^```|^ {4}.*?$|``?[^`\n]+``?", re.DOTALL | re.MULTILINE)
_LINK: Final = re.compile(r"\]\([^)]*\)")
_KEPT: Final = re.compile(r"picture[- ]in[- ]picture", re.IGNORECASE)
_LABEL: Final = re.compile(r"(?<![*\w])\*(?=[A-Z])[^*]{1,80}\*(?!\*)")
_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True)
class Term:
    """A retired term.

    Attributes:
        forms: the words of it, lower case.
        replacement: what is written now.
        kinds: 'text', 'name' or both.
    """

    forms: tuple[str, ...]
    replacement: str
    kinds: tuple[str, ...]

    def counted_as(self) -> list[str]:
        """Return the names under which the term is counted, one for each kind."""
        return [f"{self.forms[0]} ({kind})" for kind in self.kinds]


@dataclass(frozen=True)
class Place:
    """An occurrence of a retired term: its key, 'file:line', and the line or name that has it."""

    key: str
    where: str
    line: str


def retired_terms(glossary: str) -> list[Term]:
    """Parse the table of retired terms."""
    return [
        Term(tuple(forms.split(", ")), replacement, tuple(kinds.split(", ")))
        for forms, replacement, kinds in _ROW.findall(glossary)
    ]


def sources(root: Path = ROOT) -> list[Path]:
    """Return the documents and modules of a checkout in which terms are counted: all that readers of the
    program see.
    """
    modules = [path for folder in ("desktop", "lightloom") for path in (root / folder).rglob("*.py")]
    documents = [path for path in (root / "docs").rglob("*.md") if path != root / GLOSSARY]
    return sorted([*modules, *documents, root / "README.md", root / "CONTRIBUTING.md"])


def _blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def _plain(text: str) -> str:
    for pattern in (_CODE, _LINK, _KEPT):
        text = pattern.sub(_blank, text)
    return text


def prose(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Yield the pieces of a file's prose, without code, with the number of the line on which each begins."""
    if path.suffix != ".py":
        yield 1, _plain(_LABEL.sub(_blank, text))
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            # Not indented: four spaces would be code.
            yield node.lineno, _plain(re.sub(r"^ +", "", node.value, flags=re.MULTILINE))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], _plain(token.string)


def names(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Yield the names that a file defines, its own first, with their lines."""
    if path.suffix != ".py":
        return
    yield 1, path.stem
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name


def places(terms: list[Term], path: Path, text: str) -> Iterator[Place]:
    """Yield each occurrence of a retired term in a file."""
    where = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
    texts = {form: term.counted_as()[0] for term in terms if "text" in term.kinds for form in term.forms}
    words = {form: term.counted_as()[-1] for term in terms if "name" in term.kinds for form in term.forms}
    longest_first = "|".join(sorted(texts, key=len, reverse=True)).replace(" ", r"\s+")
    pattern = re.compile(rf"\b(?:{longest_first})s?\b", re.IGNORECASE)
    for line, piece in prose(path, text):
        for match in pattern.finditer(piece):
            form = " ".join(match[0].lower().split())
            key = texts.get(form) or texts[form.removesuffix("s")]
            begin = piece.rfind("\n", 0, match.start()) + 1
            shown = piece[begin:].split("\n", 1)[0].strip()
            yield Place(key, f"{where}:{line + piece.count(chr(10), 0, match.start())}", shown)
    for line, name in names(path, text):
        for word in {each.lower() for each in _WORDS.findall(name)}:
            key = words.get(word) or words.get(word.removesuffix("s"))
            if key:
                yield Place(key, f"{where}:{line}", name)


def find(root: Path = ROOT) -> list[Place]:
    """Return every occurrence of a retired term in a checkout."""
    terms = retired_terms((root / GLOSSARY).read_text(encoding="utf-8"))
    return [
        place for path in sources(root) for place in places(terms, path, path.read_text(encoding="utf-8"))
    ]


def counts(found: list[Place], root: Path = ROOT) -> dict[str, int]:
    """Count occurrences by key; a term that does not occur has 0."""
    counted = Counter(place.key for place in found)
    terms = retired_terms((root / GLOSSARY).read_text(encoding="utf-8"))
    return {key: counted[key] for term in terms for key in term.counted_as()}


def allowed(root: Path = ROOT) -> dict[str, int]:
    """Read how often each term may occur; a term that is not listed may not."""
    file = root / ALLOWED
    stored: dict[str, int] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return stored


def main(arguments: list[str], root: Path = ROOT) -> int:
    """List counts or places, or lower what is allowed; return the exit status."""
    found = find(root)
    chosen = {text.lower() for text in arguments if text != "--write"}
    if chosen:
        print(
            "\n".join(f"{each.where}: {each.line}" for each in found if each.key.rsplit(" (", 1)[0] in chosen)
        )
        return 0
    now, limits = counts(found, root), allowed(root)
    if "--write" in arguments:
        lower = {key: min(count, limits.get(key, count)) for key, count in now.items()}
        (root / ALLOWED).write_text(json.dumps(lower, indent=1) + "\n", "utf-8")
    for key, count in now.items():
        print(f"{count:6} of {limits.get(key, 0):6}  {key}")
    return int("--write" not in arguments and any(count > limits.get(key, 0) for key, count in now.items()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
