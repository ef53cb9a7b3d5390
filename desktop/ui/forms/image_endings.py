"""Endings of the names of image files that forms take.

Apart from the editors, whose package imports all of its modules: importing one of them while a thread imports
the package fails now and then.
"""

from __future__ import annotations

from typing import Final

ENDINGS: Final = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff", ".avif")
