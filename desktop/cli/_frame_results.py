"""The result of one frame as commands print it, as lines or as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from desktop.media.frame import Frame
from desktop.media.sources.base import Source

Found = TypeVar("Found")


@dataclass(frozen=True)
class FrameResult(Generic[Found]):
    """The result of a network for one frame, with the frame's source.

    Attributes:
        path: of the input, without passwords.
        file: the same, or the path of the image in a folder of images.
        pts: time of the frame in seconds.
        is_still: True for an image.
        found: the result.
    """

    path: str
    file: str
    pts: float
    is_still: bool
    found: Found

    @classmethod
    def of(cls, path: str, source: Source, frame: Frame, found: Found) -> Self:
        """Return the result for the frame that a source delivered last."""
        info = source.info
        file = str(Path(path) / info.detail["name"]) if info.kind == "folder" else path
        return cls(path, file, frame.pts, info.is_still, found)

    @property
    def title(self) -> str:
        """The line that precedes its results."""
        return self.file if self.is_still else f"{self.file} {self.pts:.3f} s"

    @property
    def place(self) -> dict[str, Any]:
        """The keys of the frame in JSON: `input`, `file`, and `pts` in seconds."""
        return {"input": self.path, "file": self.file, "pts": round(self.pts, 4)}
