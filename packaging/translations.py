"""Renew the catalogues of the window's languages: `python3 tasks.py translate`.

Finds every text in the source, lets Qt's lupdate bring `assets/translations/*.ts` up to date, keeping what is
translated, and compiles them (catalogues.py). Prints what has still to be translated; Qt Linguist or any
editor of .ts files does that.

Texts are found here and handed to lupdate as a list: its own reader of Python loses the class where `tr` is
called through a name or within an f-string, and knows neither our `sentence(...)` nor the headers of filters.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import catalogues  # noqa: E402 (beside this file)

from desktop.ui.kit.language import CONTEXT, LANGUAGES  # noqa: E402 (the line above makes it importable)

FOLDER: Final = ROOT / "assets" / "translations"


@dataclass(frozen=True, order=True)
class Message:
    """Text to translate: its context (a class, or `CONTEXT`), the English text, and whether it has
    plural forms.
    """

    context: str
    source: str
    plural: bool = False


def catalogue(language: str) -> Path:
    """Return the .ts file of a language."""
    return FOLDER / f"lightloom_{language}.ts"


def find_messages() -> set[Message]:
    """Find all texts of the program.

    Raises:
        ValueError: a text to be translated is no literal.
    """
    found = set(_data())
    for path in sorted((ROOT / "desktop").rglob("*.py")):
        try:
            found |= set(messages_of(path.read_text(encoding="utf-8")))
        except ValueError as error:
            raise ValueError(f"{path.relative_to(ROOT)}:{error}") from error
    # A text with and without plural forms is one entry of a catalogue.
    return found - {Message(m.context, m.source) for m in found if m.plural}


def messages_of(source: str) -> Iterator[Message]:
    """Yield the texts of a Python file: of `tr`, `translate`, `sentence`, `plural` and `counted`.

    Raises:
        ValueError: a text is no literal; it begins with the line.
    """
    yield from _walk(ast.parse(source), "")


def _walk(node: ast.AST, owner: str) -> Iterator[Message]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield from _of_call(child, owner)
        yield from _walk(child, child.name if isinstance(child, ast.ClassDef) else owner)


def _of_call(call: ast.Call, owner: str) -> Iterator[Message]:
    by_name = isinstance(call.func, ast.Name)
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    if name == "tr":
        if not owner:
            raise ValueError(
                f"{call.lineno}: outside of a class `tr` does not know its context; use QCoreApplication.translate"
            )
        yield Message(owner, _literal(call, 0), len(call.args) > 2)
    elif name == "translate" and len(call.args) >= 2 and isinstance(call.args[0], ast.Constant):
        yield Message(_literal(call, 0), _literal(call, 1), len(call.args) > 3)
    elif by_name and name == "sentence":
        yield Message(CONTEXT, _literal(call, 0))
    elif by_name and name == "plural":
        yield Message(CONTEXT, _literal(call, 2), True)
    elif by_name and name == "counted":
        many = _literal(call, 2) if len(call.args) > 2 else f"{_literal(call, 1)}s"
        yield Message(CONTEXT, f"%n {many}", True)


def _literal(call: ast.Call, index: int) -> str:
    given = call.args[index] if index < len(call.args) else None
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        return given.value
    raise ValueError(f"{call.lineno}: a text to be translated must be a literal")


def _data() -> Iterator[Message]:
    """Yield the words of built-in filters, masks and networks, the catalogue and the looks."""
    from desktop.pipeline.filters.library import FilterLibrary
    from desktop.pipeline.setup.known import looks
    from desktop.vision.models.builtin import builtin_models
    from desktop.vision.models.library.catalogue import read_catalogue

    words: list[str] = []
    library = FilterLibrary()
    for item in (*library.filters.values(), *library.masks.values()):
        words += [item.title, item.group, item.help]
        for param in item.params:
            words += [param.label, param.help, param.unit, *param.choices]
    for model in builtin_models().values():
        words += [model.title, model.help, model.licence]
    for entry in read_catalogue().values():
        words += [entry.title, entry.help, entry.classes, entry.licence]
    for look in looks():
        words += [look.title, look.purpose] if look.is_bundled else []
    yield from (Message(CONTEXT, word) for word in words if any(letter.isalpha() for letter in word))


def _listing(messages: set[Message]) -> str:
    """Lay messages out as C++, which lupdate reads best."""
    lines = []
    for message in sorted(messages):
        macro = "QT_TRANSLATE_N_NOOP" if message.plural else "QT_TRANSLATE_NOOP"
        lines.append(f"{macro}({_quoted(message.context)}, {_quoted(message.source)});")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def read_catalogue_file(path: Path) -> dict[Message, tuple[str, ...]]:
    """Read a .ts file: each message with its translation, or one a plural form; empty texts for what is not
    translated.
    """
    found = {}
    for context in ElementTree.parse(path).getroot().iterfind("context"):
        for entry in context.iterfind("message"):
            message = Message(
                context.findtext("name", ""), entry.findtext("source", ""), entry.get("numerus") == "yes"
            )
            translation = entry.find("translation")
            assert translation is not None
            forms = tuple(form.text or "" for form in translation.iterfind("numerusform"))
            done = translation.get("type") is None
            found[message] = (forms or (translation.text or "",)) if done else ("",) * max(1, len(forms))
    return found


def _tool(name: str) -> Path:
    folder = Path(sys.executable).parent
    return folder / (f"pyside6-{name}.exe" if os.name == "nt" else f"pyside6-{name}")


def _run(*command: str | Path) -> None:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{done.stdout}{done.stderr}")


def main() -> int:
    """Renew all catalogues."""
    messages = find_messages()
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        listing = Path(folder, "texts.cpp")
        listing.write_text(_listing(messages), encoding="utf-8")
        for language in LANGUAGES:
            path = catalogue(language)
            only = ["-pluralonly"] if language == "en" else []
            languages = ["-source-language", "en", "-target-language", language]
            options = ["-locations", "none", "-no-obsolete", "-no-ui-lines", *only, *languages]
            _run(_tool("lupdate"), *options, listing, "-ts", path)
            entries = read_catalogue_file(path)
            missing = [message for message, forms in entries.items() if not all(forms)]
            print(f"{path.name}: {len(entries)} texts, {len(missing)} to translate")
            for message in missing[:20]:
                print(f"  {message.context}: {message.source}")
    catalogues.compile_stale(FOLDER)
    return 0


if __name__ == "__main__":
    sys.exit(main())
