"""In-memory labels of many images, with undo; `project.py` stores them.

A step stores only the changed images: the complete state would take a gigabyte for 200 steps on 100,000
images. Proposals are only added to images that no step has changed, so that undo never removes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from desktop.plugins.labeling.data.labels import Picture, class_name

_LIMIT: Final = 500
_NOTHING: Final = Picture()


Lists = tuple[tuple[str, ...], tuple[str, ...]] | None
"""The list of classes before and after; None where it stayed."""


@dataclass(frozen=True)
class Edit:
    """A step of undo.

    Attributes:
        before, after: the changed images, by name.
        classes: see `Lists`.
        key: consecutive edits with the same key are one step; None for a separate step.
    """

    title: str
    before: Mapping[str, Picture] = field(default_factory=dict)
    after: Mapping[str, Picture] = field(default_factory=dict)
    classes: Lists = None
    key: object = None


class LabelSet:
    """Labels by image name; each change returns the changed names. Not thread-safe.

    `classes` are names in index order, including all that any image uses.
    """

    def __init__(self, classes: Iterable[str] = (), pictures: Mapping[str, Picture] | None = None) -> None:
        self._pictures: dict[str, Picture] = dict(pictures or {})
        self.classes = tuple(dict.fromkeys(classes))
        for picture in self._pictures.values():
            self._learn(picture)
        self._done: list[Edit] = []
        self._undone: list[Edit] = []
        self._open = False

    # -- what there is ---------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Picture:
        """Return an image's labels; none for one that is unknown."""
        return self._pictures.get(name, _NOTHING)

    @property
    def pictures(self) -> Mapping[str, Picture]:
        """Images with labels."""
        return self._pictures

    @property
    def undo_title(self) -> str:
        """Title of the edit that `undo` takes back, '' for none."""
        return self._done[-1].title if self._done else ""

    @property
    def redo_title(self) -> str:
        """Title of the edit that `redo` restores, '' for none."""
        return self._undone[-1].title if self._undone else ""

    def is_touched(self, name: str) -> bool:
        """Return whether an image has labels or undo would restore some: proposals must skip it."""
        return not self[name].is_empty or any(name in edit.before for edit in (*self._done, *self._undone))

    # -- changes ---------------------------------------------------------------------------------------------

    def edit(
        self, title: str, changes: Mapping[str, Picture], key: object = None, classes: Iterable[str] = ()
    ) -> frozenset[str]:
        """Change images, as one step; new class names are appended to the list, those of `classes` first."""
        after = {name: picture for name, picture in changes.items() if picture != self[name]}
        before = {name: self[name] for name in after}
        listed = self.classes
        self.classes = tuple(dict.fromkeys((*listed, *classes)))
        self._put(after)
        if not after and self.classes == listed:
            return frozenset()
        self._push(Edit(title, before, after, self._change_of(listed), key))
        return frozenset(after)

    def use_classes(self, title: str, classes: Iterable[str]) -> frozenset[str]:
        """Make another list of classes, as one step; those that are used stay, behind the others."""
        listed = self.classes
        wanted = [name for text in classes if (name := class_name(text))]
        self.classes = tuple(dict.fromkeys((*wanted, *self._used(listed))))
        if self.classes != listed:
            self._push(Edit(title, classes=(listed, self.classes)))
        return frozenset()

    def rename_class(self, title: str, old: str, new: str) -> frozenset[str]:
        """Rename a class in all images, as one step; it is merged with an existing class of that name."""
        name, listed = class_name(new), self.classes
        if not name or old not in listed or name == old:
            return frozenset()
        before = {at: picture for at, picture in self._pictures.items() if old in picture.classes()}
        after = {at: _renamed(picture, old, name) for at, picture in before.items()}
        self.classes = tuple(dict.fromkeys(name if each == old else each for each in listed))
        self._put(after)
        self._push(Edit(title, before, after, (listed, self.classes)))
        return frozenset(after)

    def take_in(self, proposals: Mapping[str, Picture]) -> frozenset[str]:
        """Store a network's proposals for images without manual labels; not a step of undo."""
        free = {name: picture for name, picture in proposals.items() if not self.is_touched(name)}
        free = {name: picture for name, picture in free.items() if not picture.is_empty}
        self._put(free)
        return frozenset(free)

    def undo(self) -> Edit | None:
        """Take the last step back, and return it; None where there is none."""
        self.seal()
        if not self._done:
            return None
        edit = self._done.pop()
        self._undone.append(edit)
        self._go(edit.before, edit.classes)
        return edit

    def redo(self) -> Edit | None:
        """Bring a step back that was undone, and return it; None where there is none."""
        self.seal()
        if not self._undone:
            return None
        edit = self._undone.pop()
        self._done.append(edit)
        self._go(edit.after, edit.classes and edit.classes[::-1])
        return edit

    def seal(self) -> None:
        """The next edit is a step of its own, even if its key is the same."""
        self._open = False

    # -- how -------------------------------------------------------------------------------------------------

    def _push(self, edit: Edit) -> None:
        self._undone.clear()
        last = self._done[-1] if self._done else None
        if self._open and last is not None and edit.key is not None and last.key == edit.key:
            # An image that the first of them did not change was before as it is before this one.
            before = {**edit.before, **last.before}
            classes = _joined(last.classes, edit.classes)
            self._done[-1] = replace(edit, before=before, after={**last.after, **edit.after}, classes=classes)
        else:
            self._done.append(edit)
            del self._done[:-_LIMIT]
        self._open = True

    def _go(self, pictures: Mapping[str, Picture], classes: Lists) -> None:
        if classes is not None:
            to, left = classes
            # Names that came meanwhile, with proposals, are in neither list.
            self.classes = (*to, *(name for name in self.classes if name not in to and name not in left))
        self._put(pictures)
        if classes is not None:
            self.classes = tuple(dict.fromkeys((*self.classes, *self._used(classes[1]))))

    def _put(self, pictures: Mapping[str, Picture]) -> None:
        for name, picture in pictures.items():
            if picture.is_empty:
                self._pictures.pop(name, None)
            else:
                self._pictures[name] = picture
                self._learn(picture)

    def _learn(self, picture: Picture) -> None:
        if not set(new := picture.classes()) <= set(self.classes):
            self.classes = tuple(dict.fromkeys((*self.classes, *new)))

    def _used(self, among: Iterable[str]) -> tuple[str, ...]:
        used = {name for picture in self._pictures.values() for name in picture.classes()}
        return tuple(name for name in among if name in used)

    def _change_of(self, listed: tuple[str, ...]) -> Lists:
        return None if listed == self.classes else (listed, self.classes)


def _joined(first: Lists, last: Lists) -> Lists:
    if first is None or last is None:
        return first or last
    return (first[0], last[1])


def _renamed(picture: Picture, old: str, new: str) -> Picture:
    items = tuple(replace(item, label=new) if item.label == old else item for item in picture.items)
    return replace(picture, items=items, word=new if picture.word == old else picture.word)
