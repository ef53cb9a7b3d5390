"""Label files, and labels in a network's metadata."""

from __future__ import annotations

from pathlib import Path

from desktop.vision.models.labels import choose_labels, metadata_labels, metadata_names, read_labels
from fuzz.harness import Harness
from fuzz.material import ROOT, written


def _read(data: bytes, folder: Path) -> None:
    text = data.decode("utf-8", "replace")
    for key in ("names", "labels"):
        metadata = {key: text}
        metadata_labels(metadata)
        metadata_names(metadata)
        choose_labels(3, metadata=metadata)
    read_labels(written(folder / "l.txt", data))
    written(folder / "n.labels.txt", data)
    choose_labels(3, model=folder / "n.onnx")


def _seeds(folder: Path) -> list[bytes]:
    return [
        (ROOT / "assets" / "labels" / "coco.txt").read_bytes(),
        b"a\nb\nc\n",
        b"\xef\xbb\xbfa\r\nb\r\nc\r\n",
        b"{0: 'a', 1: 'b', 2: 'c'}",
        b'["a", "b", "c"]',
        b'{"0": "a", "7": "b"}',
        b"a,b,c",
    ]


HARNESS = Harness(
    _read,
    _seeds,
    (b"[", b"{", b"(", b"{0:", b"'a', ", b'"', b"0: 'a',", b"#", b"-", b"~", b"1e9: "),
    memory_mb=400,
)
