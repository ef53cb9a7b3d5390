"""All filters: the bundled ones, and those of the user's folder, which may change at any time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from desktop.base.disk_cache import cached
from desktop.base.errors import FilterError
from desktop.base.plugins import provided
from desktop.base.resources import resource
from desktop.base.wording import sentence
from desktop.compute.gpu.shader import split_front_matter
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.header import FILTER_SUFFIXES, parse_filter, read_filter, read_text


def _bundled_filters(folder: Path, cache: Path | None = None) -> dict[str, Filter]:
    """Return the filters of a folder by id; `cache` may hold their descriptions, slow to parse."""
    texts = {str(path): read_text(path) for path in sorted(folder.glob("*.wgsl"))}

    def parse() -> dict[str, dict[str, Any]]:
        return {path: split_front_matter(text, path) for path, text in texts.items()}

    tables = parse() if cache is None else cached(cache, "bundled", repr(texts), parse)
    found = (parse_filter(text, path, builtin=True, description=tables[path]) for path, text in texts.items())
    return {item.id: item for item in found}


@dataclass
class FilterLibrary:
    """All filters: bundled ones, and those of `user_folder`, which `refresh` reads again.

    A user's file hides a bundled one of the same name; the last valid version of one in `errors`, if any,
    stays in `filters`.
    """

    user_folder: Path | None = None
    cache: Path | None = None
    filters: dict[str, Filter] = field(default_factory=dict)
    errors: dict[str, FilterError] = field(default_factory=dict)
    _stamps: dict[Path, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.filters |= _bundled_filters(resource("shaders", "filters"), self.cache)
        for path in provided("filters"):
            self.add(Path(path))
        self.refresh()

    def refresh(self) -> tuple[str, ...]:
        """Read the user's folder again; return the ids of filters that are new, changed or removed."""
        if self.user_folder is None or not self.user_folder.is_dir():
            return ()
        paths = sorted(p for p in self.user_folder.iterdir() if p.suffix.lower() in FILTER_SUFFIXES)
        changed = self._remove(set(self._stamps) - set(paths))
        for path in paths:
            try:
                stat = path.stat()
            except OSError:
                continue
            stamp = (stat.st_mtime_ns, stat.st_size)
            if self._stamps.get(path) != stamp:
                self._stamps[path] = stamp
                changed.append(path.stem)
                self.add(path)
        return tuple(changed)

    def _remove(self, gone: Iterable[Path]) -> list[str]:
        ids: list[str] = []
        for path in gone:
            del self._stamps[path]
            self.errors.pop(str(path), None)
            item = self.filters.get(path.stem)
            if item is not None and item.path == str(path):
                del self.filters[path.stem]
                bundled = resource("shaders", "filters") / f"{path.stem}.wgsl"
                if bundled.exists():
                    self.filters[path.stem] = read_filter(bundled, builtin=True)
            ids.append(path.stem)
        return ids

    @cached_property
    def masks(self) -> Mapping[str, Filter]:
        """The kinds of parts of masks by name, whose red is the coverage; read when the first mask is used."""
        return _bundled_filters(resource("shaders", "masks"))

    @cached_property
    def mask_steps(self) -> Mapping[str, Filter]:
        """What is done with masks after their parts, by name."""
        return _bundled_filters(resource("shaders", "masks", "steps"))

    @cached_property
    def layer_steps(self) -> Mapping[str, Filter]:
        """Shaders that draw layers, by name."""
        return _bundled_filters(resource("shaders", "layers"))

    def mask(self, kind: str) -> Filter:
        """Return a kind of part of a mask; raise FilterError if there is none of that name."""
        if kind not in self.masks:
            raise FilterError(
                sentence(
                    "There is no mask called '{kind}'; there are: {kinds}.",
                    kind=kind[:40],
                    kinds=", ".join(self.masks),
                )
            )
        return self.masks[kind]

    def add(self, path: Path) -> Filter | None:
        """Take in one file from anywhere; on an error note it in `errors` and return None."""
        try:
            item = read_filter(path)
        except FilterError as error:
            self.errors[str(path)] = error
            return None
        self.errors.pop(str(path), None)
        self.filters[item.id] = item
        return item

    def take(self, path: Path) -> Filter:
        """Take in one file from anywhere; raise FilterError if it is invalid."""
        item = self.add(path)
        if item is None:
            raise self.errors[str(path)]
        return item

    def use_text(self, path: Path, text: str) -> Filter:
        """Use a text in the place of a user's file, until that changes; raise FilterError if it cannot be read."""
        item = parse_filter(text, str(path), builtin=False)
        self.errors.pop(str(path), None)
        self.filters[item.id] = item
        return item

    def get(self, filter_id: str) -> Filter:
        """Return a filter; raise FilterError if there is none of that name."""
        try:
            return self.filters[filter_id]
        except KeyError:
            for path, error in self.errors.items():
                if Path(path).stem == filter_id:
                    raise error from None
            raise FilterError(
                sentence(
                    "There is no filter called '{filter_id}'; 'lightloom filters' lists them.",
                    filter_id=filter_id,
                )
            ) from None
