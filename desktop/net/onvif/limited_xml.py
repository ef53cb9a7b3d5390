"""XML of untrusted senders, within limits: no document types and entities, few elements, little depth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

MOST_BYTES: Final = 256 << 10
_MOST_ELEMENTS: Final = 5000
_DEEPEST: Final = 40


@dataclass
class Element:
    """An element: its name and attributes without namespaces, its text, and its children."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def all(self, name: str) -> Iterator[Element]:
        """Yield the elements of a name below this one, in the order of the document."""
        for child in self.children:
            if child.name == name:
                yield child
            yield from child.all(name)

    def first(self, *names: str) -> Element | None:
        """Return the first element below this one that the names lead to, one below the other."""
        found: Element | None = self
        for name in names:
            found = None if found is None else next(found.all(name), None)
        return found

    def text_at(self, *names: str) -> str:
        """Return the text of `first`, '' if there is none."""
        found = self.first(*names)
        return "" if found is None else found.text.strip()


class _Builder:
    def __init__(self) -> None:
        self.root = Element("")
        self._open = [self.root]
        self._count = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > _MOST_ELEMENTS or len(self._open) > _DEEPEST:
            raise ValueError("too many elements")
        element = Element(_local(name), {_local(key): value for key, value in attributes.items()})
        self._open[-1].children.append(element)
        self._open.append(element)

    def end(self, name: str) -> None:
        self._open.pop()

    def text(self, data: str) -> None:
        self._open[-1].text += data

    def refuse(self, *_: object) -> None:
        raise ValueError("a document type")


def parse(data: bytes) -> Element:
    """Return an element whose only child is the document's; ValueError if it is no XML within the limits."""
    if len(data) > MOST_BYTES:
        raise ValueError("too long")
    builder, parser = _Builder(), expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = builder.start, builder.end
    parser.CharacterDataHandler = builder.text
    parser.StartDoctypeDeclHandler = builder.refuse
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, LookupError) as error:  # LookupError: an encoding that Python does not know
        raise ValueError(str(error)) from error
    return builder.root


def _local(name: str) -> str:
    return name.rpartition(":")[2]
