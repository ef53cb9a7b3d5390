"""List the networks of the library as values: bundled, downloaded, in the catalogue, and the user's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from desktop.media.sources.file_kinds import is_pipeline
from desktop.net.inference.address import is_remote
from desktop.ui.kit.language import translated
from desktop.vision.models.builtin import BuiltinModel, builtin_models, title_of
from desktop.vision.models.library.catalogue import Entry
from desktop.vision.models.library.store import ModelStore, State, format_size
from desktop.vision.tasks import task_named

Section = Literal["builtin", "downloaded", "recent", "catalogue"]
SECTIONS: Final[tuple[Section, ...]] = ("builtin", "downloaded", "recent", "catalogue")


# A built-in network is named without a path in the chain; the catalogue may have the same name.
BOX: Final = "box:"


@dataclass(frozen=True)
class Item:
    """A network in the list.

    Attributes:
        task: '' for unknown.
        path: its file, or ''.
        state: of the file; 'missing' for a user's file that no longer exists.
        done: received bytes of an interrupted download.
        words: text to search.
    """

    key: str
    section: Section
    title: str
    task: str = ""
    note: str = ""
    help: str = ""
    path: str = ""
    entry: Entry | None = None
    state: State = "ready"
    done: int = 0
    words: str = ""


def find_items(
    store: ModelStore, recent: Iterable[str], builtin: Mapping[str, BuiltinModel] | None = None
) -> list[Item]:
    """List the bundled networks (or `builtin`), the folder and recent files. Blocks if a drive is slow."""
    items: list[Item] = []
    for model in (builtin_models() if builtin is None else builtin).values():
        title, note = translated(model.title), translated(model.help)
        words = f"{model.name} {model.title} {title} {model.task} {model.help} {note}"
        items.append(
            Item(
                f"{BOX}{model.name}",
                "builtin",
                title,
                model.task,
                translated(model.licence),
                note,
                str(model.path),
                words=words,
            )
        )
    for entry in store.catalogue.values():
        holding = store.holding(entry)
        items.append(
            Item(
                key=entry.id,
                section="downloaded" if holding.state == "ready" else "catalogue",
                title=translated(entry.title),
                task=entry.task,
                note=f"{format_size(entry.size)} · {translated(entry.licence)}",
                help="\n".join(
                    translated(t) for t in (entry.help, entry.input_text, entry.classes, entry.source) if t
                ),
                path=str(store.path(entry)) if holding.state == "ready" else "",
                entry=entry,
                state=holding.state,
                done=holding.done,
                words=f"{entry.id} {entry.title} {entry.task} {entry.licence} {entry.help} {translated(entry.help)} {entry.classes}",
            )
        )
    known = {item.path for item in items}
    items += [_own(path) for path in recent if path not in known]
    order = {section: index for index, section in enumerate(SECTIONS)}
    return sorted(items, key=lambda item: order[item.section])


def _own(path: str) -> Item:
    try:
        there = is_remote(path) or Path(path).is_file() or is_pipeline(path)
    except (OSError, ValueError):
        there = False
    state: State = "ready" if there else "missing"
    return Item(
        path, "recent", title_of(Path(path)), help=path, path=path if there else "", state=state, words=path
    )


def names_of(item: Item) -> set[str]:
    """Return the texts by which a chain names a network: its path, and a built-in one's name."""
    name = item.key.removeprefix(BOX) if item.section == "builtin" else ""
    return {item.path, name} - {""}


def task_title(task: str) -> str:
    """Return a task's displayed name; '' for an unknown one."""
    found = task_named(task)
    return translated(found.title) if found is not None else ""


def task_icon(task: str) -> str:
    """Return the name of the icon of a task's networks, also of an unknown task."""
    found = task_named(task)
    return found.icon if found is not None else "network"


def stage_of(task: str) -> str:
    """Return the filter that most networks of a task become; '' for analysis networks."""
    found = task_named(task)
    return found.usual_stage if found is not None else ""
