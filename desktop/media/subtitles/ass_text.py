"""Text of subtitles as FFmpeg's decoders return it: an ASS event, whatever the file's format.

    0,0,Default,,0,0,0,,{\\i1}Hello\\N{\\i0}there       read order, layer, style, speaker, three margins, effect, text

Only italics, bold and "at the top" are used, for readability. Format: http://www.tcax.org/docs/ass-specs.htm
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from desktop.base.files import text_lines
from desktop.media.subtitles.cues import Run

# As much as a screen can show. Longer texts are cut: laying them out takes too long.
_MOST_CHARACTERS: Final = 600
_MOST_LINES: Final = 12
_MOST_READ: Final = 16_384
_TAG: Final = re.compile(r"\{[^}]*\}|\\[Nnh]")
_SWITCH: Final = re.compile(r"\\(b|i|p|an|r)(\d*)")
_AN_ON_TOP: Final = (7, 8, 9)


@dataclass(frozen=True)
class Style:
    """Initial state of a style of the file's header."""

    bold: bool = False
    italic: bool = False
    on_top: bool = False


@dataclass(frozen=True)
class Event:
    """Content of an event."""

    runs: tuple[Run, ...]
    on_top: bool


def styles_of(head: bytes) -> dict[str, Style]:
    """Return the styles by name that the head of an ASS track defines; none where it cannot be read."""
    found: dict[str, Style] = {}
    fields: list[str] = []
    for line in text_lines(head[: 1 << 20].decode("utf-8", "replace")):
        key, _, rest = line.partition(":")
        values = [value.strip() for value in rest.split(",")]
        if key.strip() == "[Events]":
            break
        if key == "Format":
            fields = [value.lower() for value in values]
        elif key == "Style" and len(values) == len(fields):
            named = dict(zip(fields, values, strict=True))
            top = named.get("alignment", "") in ("7", "8", "9")
            style = Style(_is_on(named.get("bold")), _is_on(named.get("italic")), top)
            found[named.get("name", "").lstrip("*")] = style
    return found


def _is_on(value: str | None) -> bool:
    return value not in (None, "", "0")


def read_event(event: bytes, styles: dict[str, Style]) -> Event | None:
    """Return the text of an event, as FFmpeg returns it, in the header's styles, by name; None if empty."""
    parts = event[:_MOST_READ].decode("utf-8", "replace").split(",", 8)
    if len(parts) < 9:
        return None
    style = styles.get(parts[2].lstrip("*"), Style())
    return _Text(style).read(parts[8])


class _Text:
    """Reads one text: what stands between the tags, each piece in the style that the tags before it made."""

    def __init__(self, style: Style) -> None:
        self._style = style
        self._bold, self._italic, self._top = style.bold, style.italic, style.on_top
        self._draws = False
        self._runs: list[Run] = []
        self._left = _MOST_CHARACTERS
        self._lines = 1

    def read(self, text: str) -> Event | None:
        place = 0
        for tag in _TAG.finditer(text):
            self._add(text[place : tag.start()])
            place = tag.end()
            word = tag.group()
            if word.startswith("{"):
                self._switch(word)
            else:
                self._add({"\\N": "\n", "\\n": "\n", "\\h": "\u00a0"}[word])
        self._add(text[place:])
        if not "".join(run.text for run in self._runs).strip():
            return None
        return Event(_trimmed(self._runs), self._top)

    def _add(self, text: str) -> None:
        if self._draws or not text:
            return
        # Control characters have no glyphs; direction marks are left to the layout.
        text = "".join(c for c in text[: self._left] if c == "\n" or c >= " ")
        for line in re.findall(r"[^\n]*\n|[^\n]+", text):
            if self._lines > _MOST_LINES:
                return
            self._lines += line.endswith("\n")
            self._left -= len(line)
            last = self._runs[-1] if self._runs else None
            if last is not None and (last.bold, last.italic) == (self._bold, self._italic):
                self._runs[-1] = Run(last.text + line, last.bold, last.italic)
            else:
                self._runs.append(Run(line, self._bold, self._italic))

    def _switch(self, tags: str) -> None:
        for name, value in _SWITCH.findall(tags):
            number = int(value[:6] or 0)
            if name == "i":
                self._italic = number != 0 if value else self._style.italic
            elif name == "b":
                # A weight from 2 on: 400 is the usual one.
                self._bold = number == 1 or number > 400 if value else self._style.bold
            elif name == "p":
                self._draws = number > 0
            elif name == "an":
                self._top = number in _AN_ON_TOP
            else:
                self._bold, self._italic = self._style.bold, self._style.italic


def _trimmed(runs: list[Run]) -> tuple[Run, ...]:
    """Without empty lines at both ends."""
    kept = list(runs)
    kept[0] = Run(kept[0].text.lstrip("\n"), kept[0].bold, kept[0].italic)
    kept[-1] = Run(kept[-1].text.rstrip(), kept[-1].bold, kept[-1].italic)
    return tuple(run for run in kept if run.text)
