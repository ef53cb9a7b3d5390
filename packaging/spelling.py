"""American spelling, everywhere: `python packaging/spelling.py` lists what is British, with --write it is
changed.

    python packaging/spelling.py [--write] [PATH...]      (files or folders; by default the whole checkout)

American because the formats, WGSL, ONNX, Qt and NumPy are: `color` is in every filter's header, `normalize`
in ONNX. Identifiers and texts of the window change too; the catalogues of the languages follow their texts,
so that nothing is to be translated again (`tasks.py translate` then makes the .qm files). Kept is what files
of users and others hold: values of choices and keys, among them `licence` in a network's table, and so that
word altogether; and `catalogue`, which is right in both. codespell was weighed: it looks at whole words, so
`neighbour_at` and `ColourOrder` pass it.
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent

_STEMS: Final = {
    "colour": "color",
    "grey": "gray",
    "centred": "centered",
    "centre": "center",
    "centring": "centering",
    "neighbour": "neighbor",
    "favour": "favor",
    "fa&vour": "fa&vor",
    "fa&amp;vour": "fa&amp;vor",
    "honour": "honor",
    "behaviour": "behavior",
    "labelled": "labeled",
    "labelling": "labeling",
    "cancelled": "canceled",
    "cancelling": "canceling",
    "travelled": "traveled",
    "travelling": "traveling",
    "modelled": "modeled",
    "modelling": "modeling",
    "dialogue": "dialog",
    "artefact": "artifact",
    "analysed": "analyzed",
    "analysing": "analyzing",
    "learnt": "learned",
}
# With 'ise', 'ising' and 'isation' behind them.
_IZE: Final = (
    "character|equal|final|general|initial|local|maxim|minim|normal|optim|organ|quant|random|real|recogn|regular|serial|special|stabil"
    "|standard|styl|summar|synchron|token|util|vector|visual"
)
_BRITISH: Final = re.compile("|".join([*_STEMS, rf"(?:{_IZE})is(?=e|ing|ation)"]), re.IGNORECASE)

# What files of users, or of others, hold.
_KEPT_IN_SHADERS: Final = re.compile(r"^(?:choices|when|default|tags) =.*$", re.MULTILINE)
_KEPT: Final = re.compile(
    r"""(["'])(?:colours?|grey|GREY)\1|=(?:colours?|grey)\b|library/favourites|colour_order|colour = (?:1"|"red")|cancelled\(\)"""
    r"|CancelledError|StatusCode\.CANCELLED|(?:Primary|Secondary|Outline|Back)Colour|Dialogue:"
)

FOLDERS: Final = (
    "desktop",
    "shaders",
    "docs",
    "tests",
    "packaging",
    "training",
    "benchmarks",
    "examples",
    "assets",
    ".github",
)
_SUFFIXES: Final = frozenset((".py", ".md", ".wgsl", ".toml", ".yml", ".spec", ".iss", ".sh"))
# These have the words themselves.
_EXEMPT: Final = (
    "packaging/spelling.py",
    "tests/cpu/test_spelling.py",
    "docs/glossary.md",
    "packaging/locks",
)


def american(text: str) -> str:
    """Return a text in American spelling, letters as large as they were."""
    return _BRITISH.sub(lambda match: _as_large(_american_of(match[0].lower()), match[0]), text)


def _american_of(word: str) -> str:
    return _STEMS.get(word) or word.removesuffix("is") + "iz"


def _as_large(word: str, model: str) -> str:
    if model.isupper():
        return word.upper()
    return word.capitalize() if model[0].isupper() else word


def mended(path: Path, text: str) -> str:
    """Return a file's text in American spelling but for what is kept."""
    parts, at = [], 0
    for kept in (_KEPT_IN_SHADERS if path.suffix == ".wgsl" else _KEPT).finditer(text):
        parts += [american(text[at : kept.start()]), kept[0]]
        at = kept.end()
    return "".join([*parts, american(text[at:])])


def files(places: list[Path], root: Path = ROOT) -> Iterator[Path]:
    """Give the files with prose or code of the project's own in these places of a checkout."""
    for place in places:
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.suffix in _SUFFIXES and not path.relative_to(root).as_posix().startswith(_EXEMPT):
                yield path


def british(path: Path, root: Path = ROOT) -> list[str]:
    """Return 'file:line: text' of each line of a file that would be changed."""
    before = path.read_text(encoding="utf-8").splitlines()
    after = mended(path, "\n".join(before)).splitlines()
    where = path.relative_to(root).as_posix()
    return [
        f"{where}:{n}: {a.strip()}" for n, (a, b) in enumerate(zip(before, after, strict=True), 1) if a != b
    ]


def follow_texts(root: Path = ROOT) -> int:
    """Rename the texts in a checkout's catalogues that the source now has in American spelling; return how
    many.
    """
    sys.path.insert(0, str(ROOT / "packaging"))
    import translations

    catalogues = [
        root / translations.catalogue(language).relative_to(ROOT) for language in translations.LANGUAGES
    ]
    if not any(path.exists() for path in catalogues):
        return 0
    texts = {message.source for message in translations.find_messages()}
    count = 0

    def follow(match: re.Match[str]) -> str:
        nonlocal count
        is_new = html.unescape(match[1]) not in texts and html.unescape(american(match[1])) in texts
        count += is_new
        return f"<source>{american(match[1])}</source>" if is_new else match[0]

    for path in catalogues:
        # Not through a parser of XML: it would write all other lines in its own way.
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"<source>(.*?)</source>", follow, text, flags=re.DOTALL), encoding="utf-8")
    return count


def main(arguments: list[str], root: Path = ROOT) -> int:
    """List or change what a checkout has; return the exit status."""
    write = "--write" in arguments
    named = [Path(text).resolve() for text in arguments if text != "--write"]
    places = named or [*(root / name for name in FOLDERS), root / "tasks.py", *root.glob("*.md")]
    found = [line for path in files(places, root) for line in british(path, root)]
    print("\n".join(found))
    if write:
        for path in files(places, root):
            text = path.read_bytes().decode("utf-8")
            if mended(path, text) != text:
                path.write_bytes(mended(path, text).encode("utf-8"))
        print(
            f"{len(found)} lines changed; {follow_texts(root)} texts of the catalogues follow: now tasks.py translate, then tasks.py lint"
        )
        return 0
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
