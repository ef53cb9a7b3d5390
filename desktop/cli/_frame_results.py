"""What a command prints of a frame: where it is from, and what was found in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from desktop.media.frame import Frame
from desktop.media.sources.base import Source

Found = TypeVar("Found")


@dataclass(frozen=True)
class FrameResult(Generic[Found]):
    """What was found in a frame. `path`: of the input, as it may be shown; `file`: of the image, in a folder of images."""

    path: str
    file: str
    pts: float
    is_still: bool
    found: Found

    @classmethod
    def of(cls, path: str, source: Source, frame: Frame, found: Found) -> Self:
        """Return that of the frame which a source delivered last."""
        info = source.info
        file = str(Path(path) / info.detail["name"]) if info.kind == "folder" else path
        return cls(path, file, frame.pts, info.is_still, found)

    @property
    def title(self) -> str:
        """The line above its results."""
        return self.file if self.is_still else f"{self.file} {self.pts:.3f} s"

    @property
    def place(self) -> dict[str, Any]:
        """Where it is from, as JSON."""
        return {"input": self.path, "file": self.file, "pts": round(self.pts, 4)}
