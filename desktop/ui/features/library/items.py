"""Items of the gallery: effects, presets as looks, and networks, with the chains of their previews."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QCoreApplication

from desktop.base.errors import LightloomError
from desktop.net.inference.address import is_remote
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.network_previews import NetworkRequest
from desktop.pipeline.previews.chains import Obstacle, obstacle_of
from desktop.ui.features.library.search import finds_words, ranked
from desktop.ui.kit.language import translated

if TYPE_CHECKING:
    # Imported with the first network that is listed.
    from desktop.ui.features.networks.network_list import ListedNetwork
    from desktop.vision.models.library.catalogue import Entry

ItemKind = Literal["effect", "preset", "network"]

FAVORITES: Final = "*favorites"
"""The group of all favorites, beside those of the filters."""

_GROUPS: Final = ("Color", "Tone", "Blur", "Detail", "Edges", "Stylize", "Geometry", "Light", "Key", "Time")
_RECENT: Final = 6
_BUTTONS: Final = {"stop": "close", "download": "download", "pause": "pause", "unlist": "trash"}


@dataclass(frozen=True)
class ListedPreset:
    """A preset of the gallery, where it is called a look.

    Attributes:
        name: the stem of a bundled preset, the path of another.
        title, help: in the window's language.
        chain: its stages; None until they are read, or if they cannot be.
        is_own: True if it is the user's and not bundled.
    """

    name: str
    title: str
    path: Path
    help: str = ""
    chain: ChainSpec | None = None
    is_own: bool = False


@dataclass(frozen=True)
class InUse:
    """What the chain has: the filters of its stages, and the look it began with.

    Attributes:
        look: the displayed title of the look.
        look_path: its file; '' if that is not known, and then the title decides.
    """

    filters: frozenset[str] = frozenset()
    look: str = ""
    look_path: str = ""


@dataclass(frozen=True)
class GalleryItem:
    """An effect, a preset or a network of the gallery.

    Attributes:
        name: the id of a filter, the name of a preset, or the key of a network.
        title, help: in the window's language; the first line of `help` is its purpose.
        group: the filter's; '' for a preset.
        chain: what its preview shows; None if that is not known.
        obstacle: why it has no preview of its own.
        is_favorite: whether the user starred it.
        path: the file of a preset, or of a network that is there.
        is_used: whether the chain has it.
        is_own: of a preset: whether it is the user's and not bundled.
        facts: of a network: its task, size and license, or how far its download is.
        download_size: of a network that can be downloaded: its size.
        network: of a network: its state.
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
    is_used: bool = False
    facts: str = ""
    download_size: str = ""
    network: ListedNetwork | None = None
    is_own: bool = False

    @property
    def key(self) -> str:
        """The key of its preview."""
        return f"{self.kind} {self.name}"

    @property
    def request(self) -> NetworkRequest | None:
        """The preview to compute of a look with a network, or of a network that is on the disk."""
        if self.kind == "preset" and self.obstacle == "network" and self.chain is not None:
            return NetworkRequest(chain=self.chain)
        if self.network is None or self.path is None or is_remote(str(self.path)):
            return None
        return NetworkRequest(model=str(self.path))

    @property
    def purpose(self) -> str:
        """One line that says what it is for."""
        return self.help.partition("\n")[0]

    @property
    def icon(self) -> str:
        """The icon that stands for a missing preview."""
        if self.network is None:
            return "image"
        from desktop.ui.features.networks.items import task_icon

        return task_icon(self.network.item.task)

    @property
    def size(self) -> str:
        """What a network that is not there takes, or how much of it has arrived."""
        return self.facts.partition(" · ")[0] if self.is_cancelable else self.download_size

    @property
    def button(self) -> str:
        """The icon of its button: a plus, or what can be done with a network."""
        return _BUTTONS.get(self.network.main_command, "plus") if self.network is not None else "plus"

    @property
    def is_button_shown(self) -> bool:
        """Whether the button is visible without the pointer: of a network that is not there."""
        return self.network is not None and self.network.main_command not in ("use", "stop")

    @property
    def is_cancelable(self) -> bool:
        """Whether a cross, for what has arrived of a network, is in place of the star."""
        return self.network is not None and self.network.removal in ("cancel", "discard")


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


def _effect(item: Filter, library: FilterLibrary, favorites: Iterable[str], used: InUse) -> GalleryItem:
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
        is_used=item.id in used.filters,
    )


def _preset(
    listed: ListedPreset, library: FilterLibrary, favorites: Iterable[str], used: InUse
) -> GalleryItem:
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
        is_used=str(listed.path) == used.look_path if used.look_path else listed.title == used.look,
        is_own=listed.is_own,
    )


def _network(listed: ListedNetwork, favorites: Iterable[str]) -> GalleryItem:
    item = listed.item
    return GalleryItem(
        "network",
        item.key,
        item.title,
        item.help,
        item.section,
        is_favorite=item.key in favorites,
        path=Path(item.path) if item.path else None,
        is_used=listed.is_used,
        facts=" · ".join(part for part in _facts(listed) if part),
        download_size=_download_size(item.entry),
        network=listed,
    )


def _download_size(entry: Entry | None) -> str:
    from desktop.vision.models.library.store import format_size

    return format_size(entry.size) if entry is not None else ""


def _facts(listed: ListedNetwork) -> tuple[str, ...]:
    from desktop.ui.features.networks.items import task_title
    from desktop.vision.models.library.store import format_size

    item, progress, translate = listed.item, listed.progress, QCoreApplication.translate
    if listed.is_downloading and item.entry is not None:
        done = progress.done if progress is not None else item.done
        of = translate("LibraryPanel", "{0} of {1}").format(format_size(done), format_size(item.entry.size))
        rate = format_size(progress.rate) if progress is not None and progress.rate else ""
        return of, translate("LibraryPanel", "{0}/s").format(rate) if rate else ""
    state = {
        "partial": translate("LibraryPanel", "interrupted"),
        "damaged": translate("LibraryPanel", "damaged"),
        "missing": translate("LibraryPanel", "missing") if item.section == "recent" else "",
    }.get(item.state, "")
    return state, task_title(item.task), item.note


def _favorites_first(items: Sequence[GalleryItem], recent: Sequence[str]) -> list[GalleryItem]:
    """Return items with favorites first, then the newest of those used recently."""
    lately = {name: place for place, name in enumerate(recent[:_RECENT])}

    def order(item: GalleryItem) -> tuple[int, int]:
        if item.is_favorite:
            return (0, 0)
        return (1, lately[item.name]) if item.name in lately else (2, 0)

    return sorted(items, key=order)


def effects(
    library: FilterLibrary, group: str, favorites: Sequence[str], recent: Sequence[str], used: InUse
) -> list[GalleryItem]:
    """Return the filters of a group, '' for all: favorites, those used recently, then by group and title."""
    found = [
        _effect(item, library, favorites, used)
        for item in library.filters.values()
        if group in ("", item.group) or (group == FAVORITES and item.id in favorites)
    ]
    found.sort(key=lambda item: (_group_order(item.group), item.title.casefold()))
    return _favorites_first(found, recent) if not group else found


def presets(
    listed: Iterable[ListedPreset],
    library: FilterLibrary,
    favorites: Sequence[str],
    recent: Sequence[str],
    used: InUse,
) -> list[GalleryItem]:
    """Return the presets as items: the user's before the bundled ones, of each first favorites, then those
    used recently.
    """
    own_first = sorted(listed, key=lambda each: not each.is_own)
    own = sum(each.is_own for each in own_first)
    found = [_preset(each, library, favorites, used) for each in own_first]
    return _favorites_first(found[:own], recent) + _favorites_first(found[own:], recent)


def networks(listed: Iterable[ListedNetwork], section: str, favorites: Sequence[str]) -> list[GalleryItem]:
    """Return the networks of a section, '' for all: favorites, then built-in, downloaded, own, and others."""
    found = [
        _network(each, favorites)
        for each in listed
        if section in ("", each.item.section) or (section == FAVORITES and each.item.key in favorites)
    ]
    return _favorites_first(found, ()) if not section else found


def matching_items(
    text: str,
    library: FilterLibrary,
    listed: Iterable[ListedPreset],
    listed_networks: Iterable[ListedNetwork],
    favorites: Mapping[ItemKind, Sequence[str]],
    used: InUse,
) -> dict[ItemKind, list[GalleryItem]]:
    """Return what a search finds: filters, best first, presets by title and purpose, and networks."""
    found = [each for each in listed if finds_words(text, f"{each.title} {each.help}")]
    there = [each for each in listed_networks if finds_words(text, each.item.words)]
    # One that is called so before those that only mention it.
    there.sort(key=lambda each: text.strip().casefold() not in each.item.title.casefold())
    return {
        "effect": [
            _effect(item, library, favorites["effect"], used)
            for item in ranked(text, library.filters.values())
        ],
        "preset": [_preset(each, library, favorites["preset"], used) for each in found],
        "network": [_network(each, favorites["network"]) for each in there],
    }
