"""Scene cuts as a file: CSV or JSON lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from desktop.base.errors import OutputError, UsageError
from desktop.base.files import reason, replace_file
from desktop.base.wording import sentence
from desktop.media.scene_cuts import Cut
from desktop.outputs.csv_text import csv_line


def _csv(cuts: Iterable[Cut]) -> str:
    rows = (csv_line((cut.frame, f"{cut.pts:.6f}", f"{cut.difference:.1f}")) for cut in cuts)
    return "".join((csv_line(("frame", "time", "difference")), *rows))


def _json_lines(cuts: Iterable[Cut]) -> str:
    return "".join(
        json.dumps({"frame": cut.frame, "time": round(cut.pts, 6), "difference": round(cut.difference, 1)})
        + "\n"
        for cut in cuts
    )


CUT_LISTS: Final[Mapping[str, Callable[[Iterable[Cut]], str]]] = {
    ".csv": _csv,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
}
"""Writers of lists by the ending of a file's name."""


def check_cut_list(path: Path) -> None:
    """Raise UsageError for a name whose ending is none of `CUT_LISTS`."""
    if path.suffix.lower() not in CUT_LISTS:
        raise UsageError(
            sentence(
                "The list of cuts can't be written to {path}: its ending names no format; choose one of {suffixes}.",
                path=path,
                suffixes=", ".join(CUT_LISTS),
            )
        )


def write_cut_list(path: Path, cuts: Iterable[Cut]) -> None:
    """Write a list in the format of the name's ending; OutputError if it cannot be written."""
    check_cut_list(path)
    try:
        replace_file(path, [CUT_LISTS[path.suffix.lower()](cuts).encode()])
    except OSError as error:
        raise OutputError(
            sentence(
                "The list of cuts can't be written to {path}: {reason}; choose another folder.",
                path=path,
                reason=reason(error),
            )
        ) from error
