"""Images of the documents: each that is shown exists, each that exists is shown, and none is large."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import cv2

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
screenshots = importlib.import_module("screenshots")
sys.path.remove(str(ROOT / "packaging"))
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "training").rglob("*.md")])
SHOWN = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")
FOLDERS = ("screenshots", "contact-sheets")


def shown_images() -> set[Path]:
    """Return the images that pages show, less those of other sites."""
    return {
        (page.parent / link).resolve()
        for page in PAGES
        for link in SHOWN.findall(page.read_text("utf-8"))
        if "://" not in link
    }


def test_each_image_that_a_document_shows_exists() -> None:
    assert [str(path) for path in shown_images() if not path.is_file()] == []


def test_each_image_is_shown_by_a_document() -> None:
    there = {path.resolve() for folder in FOLDERS for path in (ROOT / "docs" / folder).iterdir()}
    assert sorted(str(path) for path in there - shown_images()) == []


def test_screenshots_are_dense_and_small() -> None:
    width, height = (screenshots.DENSITY * n for n in screenshots.SIZE)
    for name in screenshots.SHOTS:
        path = ROOT / "docs" / "screenshots" / f"{name}.webp"
        image = cv2.imread(str(path))
        assert image is not None and image.shape[:2] == (height, width), name
        assert path.stat().st_size <= screenshots.MOST_BYTES, name
