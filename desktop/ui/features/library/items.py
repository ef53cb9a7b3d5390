"""Items of the gallery: effects, and presets as looks, with the chains of their previews."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from PySide6.QtCore import QCoreApplication

from desktop.base.errors import LightloomError
from desktop.pipeline.chain.runner import ChainSpec
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.previews.chains import Obstacle, obstacle_of
from desktop.ui.features.library.search import finds_words, ranked
from desktop.ui.kit.language import translated

ItemKind = Literal["effect", "preset"]

FAVORITES: Final = "*favorites"
"""The group of all favorites, beside those of the filters."""

_GROUPS: Final = ("Color", "Tone", "Blur", "Detail", "Edges", "Stylize", "Geometry", "Light", "Key", "Time")
_RECENT: Final = 6


@dataclass(frozen=True)
class ListedPreset:
    """A preset of the gallery, where it is called a look.

    Attributes:
        name: the stem of a bundled preset, the path of another.
        title, help: in the window's language.
        chain: its stages; None until they are read, or if they cannot be.
    """

    name: str
    title: str
    path: Path
    help: str = ""
    chain: ChainSpec | None = None


@dataclass(frozen=True)
class GalleryItem:
    """An effect or a preset of the gallery.

    Attributes:
        name: the id of a filter, or the name of a preset.
        title, help: in the window's language.
        group: the filter's; '' for a preset.
        chain: what its preview shows; None if that is not known.
        obstacle: why it has no preview of its own.
        is_favorite: whether the user starred it.
        path: the file of a preset.
    """

    kind: ItemKind
    name: str
    title: str
    help: str = ""
    group: str = ""
    chain: ChainSpec | None = None
    obstacle: Obstacle = ""
    is_favorite: bool = False
    path: Path | None = None

    @property
    def key(self) -> str:
        """The key of its preview."""
        return f"{self.kind} {self.name}"


def group_title(name: str) -> str:
    """Return the displayed name of a filter group; a user-defined group keeps its name."""
    return {
        "Mine": QCoreApplication.translate("LibraryPanel", "Mine"),
        "Color": QCoreApplication.translate("LibraryPanel", "Color"),
        "Tone": QCoreApplication.translate("LibraryPanel", "Tone"),
        "Blur": QCoreApplication.translate("LibraryPanel", "Blur"),
        "Detail": QCoreApplication.translate("LibraryPanel", "Detail"),
        "Edges": QCoreApplication.translate("LibraryPanel", "Edges"),
        "Stylize": QCoreApplication.translate("LibraryPanel", "Stylize"),
        "Geometry": QCoreApplication.translate("LibraryPanel", "Geometry"),
        "Lens": QCoreApplication.translate("LibraryPanel", "Lens"),
        "Light": QCoreApplication.translate("LibraryPanel", "Light"),
        "Networks": QCoreApplication.translate("LibraryPanel", "Networks"),
        "Key": QCoreApplication.translate("LibraryPanel", "Key"),
        "Time": QCoreApplication.translate("LibraryPanel", "Time"),
    }.get(name, translated(name))


def groups_of(library: FilterLibrary) -> list[str]:
    """Return the names of the filters' groups in the order of the gallery."""
    return sorted({item.group for item in library.filters.values()}, key=_group_order)


def _group_order(name: str) -> tuple[bool, int, str]:
    return (name != "Mine", _GROUPS.index(name) if name in _GROUPS else len(_GROUPS), name)


def _effect(item: Filter, library: FilterLibrary, favorites: Iterable[str]) -> GalleryItem:
    try:
        chain = ChainSpec().added(item.id, item.check({}))
        obstacle = obstacle_of(chain, library)
    except LightloomError:
        chain, obstacle = None, "unknown"
    return GalleryItem(
        "effect",
        item.id,
        translated(item.title),
        translated(item.help),
        item.group,
        chain,
        obstacle,
        item.id in favorites,
    )


def _preset(listed: ListedPreset, library: FilterLibrary, favorites: Iterable[str]) -> GalleryItem:
    obstacle = obstacle_of(listed.chain, library) if listed.chain is not None else ""
    return GalleryItem(
        "preset",
        listed.name,
        listed.title,
        listed.help,
        chain=listed.chain,
        obstacle=obstacle,
        is_favorite=listed.name in favorites,
        path=listed.path,
    )


def _favorites_first(items: Sequence[GalleryItem], recent: Sequence[str]) -> list[GalleryItem]:
    """Return items with favorites first, then the newest of those used recently."""
    lately = {name: place for place, name in enumerate(recent[:_RECENT])}

    def order(item: GalleryItem) -> tuple[int, int]:
        if item.is_favorite:
            return (0, 0)
        return (1, lately[item.name]) if item.name in lately else (2, 0)

    return sorted(items, key=order)


def effects(
    library: FilterLibrary, group: str, favorites: Sequence[str], recent: Sequence[str]
) -> list[GalleryItem]:
    """Return the filters of a group, '' for all: favorites, those used recently, then by group and title."""
    found = [
        _effect(item, library, favorites)
        for item in library.filters.values()
        if group in ("", item.group) or (group == FAVORITES and item.id in favorites)
    ]
    found.sort(key=lambda item: (_group_order(item.group), item.title.casefold()))
    return _favorites_first(found, recent) if not group else found


def presets(
    listed: Iterable[ListedPreset], library: FilterLibrary, favorites: Sequence[str], recent: Sequence[str]
) -> list[GalleryItem]:
    """Return the presets as items: favorites, those used recently, then the rest in its order."""
    return _favorites_first([_preset(each, library, favorites) for each in listed], recent)


def matching_items(
    text: str,
    library: FilterLibrary,
    listed: Iterable[ListedPreset],
    favorites: Mapping[ItemKind, Sequence[str]],
) -> list[GalleryItem]:
    """Return what a search finds: filters, best first, then presets by title and purpose."""
    filters = [_effect(item, library, favorites["effect"]) for item in ranked(text, library.filters.values())]
    found = [each for each in listed if finds_words(text, f"{each.title} {each.help}")]
    return filters + [_preset(each, library, favorites["preset"]) for each in found]
