"""Write the pages of the documentation site into a folder: python packaging/site/pages.py FOLDER

Copies docs/ and generates the reference: the API from the library's names, the command line from the parsers,
filters from their headers and looks from their presets, with images before and after, settings from their
declarations, examples from examples/. mkdocs then builds the site from the folder (`python3 tasks.py docs`).
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
sys.path.append(str(ROOT / "packaging"))

import command_pages  # noqa: E402 (beside this file)
import filter_pages  # noqa: E402
import look_pages  # noqa: E402
import setting_pages  # noqa: E402

import lightloom  # noqa: E402 (the lines above make it importable)

COPIED: Final = (".md", ".png", ".jpg", ".webp")

# The headings of the API's page, with the names under each; every public name is under one.
API: Final = {
    "Networks": ("load", "models", "Network", "BoundTexture", "Input"),
    "Results": (
        *("Result", "Classification", "Prediction", "Detections", "Detection", "Keypoints", "Mask"),
        *("Segmentation", "Depth", "Image", "Likeness"),
    ),
    "Filters": ("Chain", "Stage", "MaskPart", "Layer", "filters", "masks"),
    "Sources": ("open", "Source", "Frame"),
    "Tracks and zones": ("track", "Tracker", "Zones", "Zone", "ZoneCounts", "Line", "LineCounts"),
    "GPU": ("Gpu", "Tensor"),
}
MODULES: Final = ("errors", "plugins")


class PageError(Exception):
    """A page cannot be made; the text says what to change."""


def copy_documents(pages: Path) -> None:
    """Copy docs/, with what GitHub's Markdown has and Python's has not: lists right behind a line of text."""
    for path in sorted((ROOT / "docs").rglob("*")):
        if path.suffix not in COPIED:
            continue
        target = pages / path.relative_to(ROOT / "docs")
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            target.write_text(plain_markdown(path.read_text(encoding="utf-8")), encoding="utf-8")
        else:
            shutil.copyfile(path, target)


def plain_markdown(text: str) -> str:
    """Put an empty line before each list that follows a line of text, and behind each comment."""
    lines: list[str] = []
    in_fence = False
    for line in text.splitlines():
        before = lines[-1] if lines else ""
        begins_list = line.startswith("- ") and before.endswith(":")
        follows_comment = before.endswith("-->")
        if not in_fence and (begins_list or follows_comment):
            lines.append("")
        in_fence ^= line.lstrip().startswith("```")
        lines.append(line)
    return "\n".join(lines) + "\n"


def api_page() -> str:
    """Return the page of the library's names; mkdocstrings fills it from the docstrings.

    Raises:
        PageError: a public name is under no heading.
    """
    listed = {name for names in API.values() for name in names} | {*MODULES, "LightloomError", "__version__"}
    if listed != set(lightloom.__all__):
        names = ", ".join(sorted(listed ^ set(lightloom.__all__)))
        raise PageError(
            f"The page of the API and lightloom.__all__ differ in: {names}; change API in pages.py."
        )
    lines = [
        "# Python API",
        "",
        "::: lightloom",
        "    options:",
        "      members: []",
        "      show_root_heading: false",
    ]
    for heading, names in API.items():
        lines += ["", f"## {heading}", ""]
        lines += [f"::: lightloom.{name}\n" for name in names]
    lines += ["", "## Exceptions", "", "Each has the text of one sentence.", ""]
    lines += [
        f"::: desktop.base.errors.{name}\n    options:\n      members: []\n"
        for name in lightloom.errors.__all__
    ]
    lines += ["", "## Plug-ins", "", "Names of `lightloom.plugins`.", ""]
    lines += [f"::: lightloom.plugins.{name}\n" for name in ("Plugin", "Command", "Offer", "offers")]
    return "\n".join(lines)


def examples_page() -> str:
    """Return the page of examples/: each program's docstring and source."""
    lines = [
        "# Examples in Python",
        "",
        "Complete programs that use [the library](library.md); `examples/` has them, and tests run each.",
    ]
    for path in sorted((ROOT / "examples").glob("*.py")):
        source = path.read_text(encoding="utf-8")
        first = (ast.get_docstring(ast.parse(source)) or "").split("\n", 1)[0]
        lines += [
            "",
            f"## {path.stem.replace('_', ' ').capitalize()}",
            "",
            f"`{path.name}`: {first.split(': python')[0]}.",
            "",
        ]
        lines += ["```python", source.rstrip(), "```"]
    lines += ["", "## A custom filter for the shader example", "", "`threshold.wgsl`:", ""]
    lines += ["```wgsl", (ROOT / "examples" / "threshold.wgsl").read_text(encoding="utf-8").rstrip(), "```"]
    lines += ["", "## A notebook", "", "`notebook.ipynb`:"]
    for cell in json.loads((ROOT / "examples" / "notebook.ipynb").read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        lines += [
            "",
            f"```python\n{text}\n```" if cell["cell_type"] == "code" else re.sub(r"^#+ ", "### ", text),
        ]
    lines += ["", "## A plug-in package", ""]
    for path in sorted((ROOT / "examples" / "plugin").rglob("*")):
        if path.suffix in (".py", ".toml", ".wgsl"):
            language = {".py": "python", ".toml": "toml", ".wgsl": "wgsl"}[path.suffix]
            name = path.relative_to(ROOT / "examples").as_posix()
            lines += [
                "",
                f"`{name}`:",
                "",
                f"```{language}",
                path.read_text(encoding="utf-8").rstrip(),
                "```",
            ]
    return "\n".join(lines) + "\n"


def configuration() -> str:
    """Return mkdocs.yml with the decisions in its navigation."""
    lines = [(ROOT / "packaging" / "site" / "mkdocs.yml").read_text(encoding="utf-8").rstrip()]
    for path in sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md")):
        title = path.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")
        lines.append(f"      - {json.dumps(title, ensure_ascii=False)}: decisions/{path.name}")
    # Both are relative to the file, which goes to build/site.
    return "\n".join(lines) + "\n"


def main(folder: Path) -> int:
    """Write mkdocs.yml and the folder `pages` into `folder`; pages that are there are replaced."""
    pages = folder / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    (pages / "reference").mkdir(parents=True)
    copy_documents(pages)
    generated = {
        "examples.md": examples_page(),
        "reference/api.md": api_page(),
        "reference/command-line.md": command_pages.page(),
        "reference/filters.md": filter_pages.page(pages / "reference" / "filters"),
        "reference/looks.md": look_pages.page(pages / "reference" / "looks"),
        "reference/settings.md": setting_pages.page(),
    }
    for name, text in generated.items():
        (pages / name).write_text(text, encoding="utf-8")
    (folder / "mkdocs.yml").write_text(configuration(), encoding="utf-8")
    print(f"{len(list(pages.rglob('*.md')))} pages in {pages}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: pages.py FOLDER")
    try:
        sys.exit(main(Path(sys.argv[1])))
    except (PageError, filter_pages.PictureError, lightloom.LightloomError) as error:
        sys.exit(str(error))
