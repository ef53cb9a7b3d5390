"""The page of the settings, from their declarations: of networks' tasks, of events' actions, of live outputs."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from typing import Final

from desktop.base.fields import Field, Line
from desktop.outputs import live
from desktop.outputs.events import event_actions
from desktop.outputs.live.output import LiveOutput
from desktop.vision.tasks import all_tasks
from desktop.vision.tasks.task import Setting

_HEAD: Final = ("", "| setting | default | values | meaning |", "| --- | --- | --- | --- |")


def page() -> str:
    """Return the page."""
    lines = [
        "# Settings",
        "",
        "The names are those of looks, zone files and Python arguments. Filters have [a page of their own](filters.md); options of "
        "commands are on [the command line's](command-line.md).",
        "",
        "## Networks",
        "",
        "`lightloom.load` and looks take these by name; most are options of commands too. A default of none is the network's own.",
    ]
    for task in all_tasks():
        lines += ["", f"### {task.title}", "", f"Task `{task.id}`: {task.summary}."]
        lines += _field_rows(task.settings)
    lines += [
        "",
        "## Actions of events",
        "",
        "[Zones, lines, counts and events](../zones.md) describes events.",
    ]
    for action in event_actions().values():
        lines += ["", f"### {action.title}", "", f"Action `{action.id}`.", *_field_rows(action.fields)]
    lines += ["", "## Live outputs", "", "[Outputs](../outputs.md) describes what each needs."]
    for output in _live_outputs():
        systems = f" On {', '.join(output.systems)}." if output.systems else ""
        lines += [
            "",
            f"### {output.title}",
            "",
            f"Output `{output.id}`.{systems}",
            *_field_rows(output.fields),
        ]
    return "\n".join(lines) + "\n"


def _live_outputs() -> list[LiveOutput]:
    """Return the outputs of every system, not of this one alone."""
    modules = (
        importlib.import_module(each.name)
        for each in pkgutil.iter_modules(live.__path__, f"{live.__name__}.")
    )
    return sorted(
        (each.OUTPUT for each in modules if hasattr(each, "OUTPUT")), key=lambda each: (each.order, each.id)
    )


def _field_rows(fields: Iterable[Field]) -> list[str]:
    rows = []
    for each in fields:
        text = each.help or each.label or (each.option if isinstance(each, Setting) else "")
        needed = " Required." if isinstance(each, Line) and each.required else ""
        rows.append(_row(each.name, each.default, each.values, f"{text}{needed}"))
    return [*_HEAD, *rows] if rows else ["", "No settings."]


def _row(name: str, default: object, values: str, text: str) -> str:
    if default is None or default in ("", ()):
        shown = ""
    else:
        shown = f"`{str(default).lower() if isinstance(default, bool) else default}`"
    meaning = " ".join(str(text).replace("|", "\\|").split())
    return f"| `{name}` | {shown} | {values} | {meaning} |"
