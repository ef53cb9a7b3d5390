"""`lightloom filters`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from desktop.base import console
from desktop.base.errors import UsageError
from desktop.base.paths import user_filter_folder
from desktop.cli import Command
from desktop.cli._options import add_listing_options
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.header import filter_text, parse_filter, read_filter
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.publishing import LICENSES, Publication, publish, usual_name
from desktop.pipeline.masks.blending import BLEND, BLEND_MODES, OPACITY
from desktop.pipeline.masks.spec import JOINS, MASK_FIELDS


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_listing_options(parser)
    parser.add_argument(
        "--masks",
        action="store_true",
        help="list the kinds of masks and the blend modes instead (docs/masks.md)",
    )
    parser.add_argument(
        "--translate",
        metavar="FILE",
        type=Path,
        help="print a filter in GLSL (.fs of ISF, .glsl or .frag of Shadertoy) as WGSL instead (docs/isf.md)",
    )
    parser.add_argument(
        "--publish",
        metavar="FILTER",
        help="write a filter of yours (name, or path of its file) as a package that pip installs as a plug-in",
    )
    parser.add_argument("--author", default="", help="with --publish: your name")
    parser.add_argument("--license", choices=tuple(LICENSES), help="with --publish (default: MIT)")
    parser.add_argument(
        "--package", metavar="NAME", help="with --publish: its name (default: lightloom-FILTER)"
    )
    parser.add_argument(
        "--into", metavar="FOLDER", help="with --publish: where it is written (default: here)"
    )


def _run(options: argparse.Namespace) -> int:
    if options.translate is not None:
        return _translate(options.translate)
    library = FilterLibrary(user_filter_folder())
    if options.publish is not None:
        return _publish(options, library)
    if any((options.author, options.license, options.package, options.into)):
        raise UsageError("--author, --license, --package and --into go with --publish.")
    if options.masks:
        return _list_masks(library, as_json=options.json)
    items = sorted(library.filters.values(), key=lambda f: (f.group, f.title))
    if options.json:
        table = [{**_table(f), "builtin": f.builtin, "params": [asdict(p) for p in f.params]} for f in items]
        errors = {path: str(error) for path, error in library.errors.items()}
        console.out_json({"filters": table, "errors": errors})
        return 0
    _list(items)
    for error in library.errors.values():
        console.fail(error)
    return 0


def _translate(path: Path) -> int:
    text = filter_text(path)
    # The description is checked too.
    parse_filter(text, str(path), builtin=False)
    for line in text.splitlines():
        console.out(line)
    return 0


def _publish(options: argparse.Namespace, library: FilterLibrary) -> int:
    path = Path(options.publish)
    item = read_filter(path) if path.suffix else library.get(options.publish)
    about = Publication(options.package or usual_name(item), options.author, options.license or "MIT")
    console.out(str(publish(item, about, Path(options.into or "."))))
    return 0


def _table(item: Filter) -> dict[str, Any]:
    table = {"name": item.id, "title": item.title, "group": item.group, "help": item.help}
    return {**table, "inputs": item.inputs} if item.inputs else table


def _list(items: Iterable[Filter]) -> None:
    for item in items:
        console.out(f"{item.id:22} {item.group:12} {item.help}")
        if item.inputs:
            console.out(f"    reads {', '.join(item.inputs)} (docs/filters.md, Inputs)")
        for param in item.params:
            given = "".join(f" (with {name}={'|'.join(map(str, values))})" for name, values in param.when)
            console.out(f"    {param.name:18} {param.expects}; {param.help}{given}")


def _list_masks(library: FilterLibrary, *, as_json: bool) -> int:
    kinds = sorted(library.masks.values(), key=lambda kind: (kind.group, kind.title))
    settings = (OPACITY, BLEND, *MASK_FIELDS.values())
    if as_json:
        console.out_json(
            {
                "masks": [{**_table(kind), "params": [asdict(p) for p in kind.params]} for kind in kinds],
                "joins": JOINS,
                "blend_modes": [{"name": name, "title": str(title)} for name, title in BLEND_MODES.items()],
                "settings": [
                    {"name": s.name, "expects": str(s.expects), "default": s.default, "help": str(s.help)}
                    for s in settings
                ],
            }
        )
        return 0
    _list(kinds)
    console.out("")
    console.out(f"@{'mask':21} kinds joined with + (add), - (subtract) and & (intersect); ! inverts a kind")
    for setting in settings:
        console.out(f"@{setting.name:21} {setting.expects}; {setting.help}")
    return 0


COMMAND: Final = Command("List the filters with their parameters.", _run, _add_options)
