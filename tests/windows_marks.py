"""Marks for tests of what Windows does not have."""

from __future__ import annotations

import sys

import pytest

renaming_open_files = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows neither renames nor deletes a file that is open"
)
line_breaks_in_names = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no control characters in names"
)
colons_in_names = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no colons in names")
long_names_of_linux = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows reports a name that is too long as a missing file"
)
links = pytest.mark.skipif(sys.platform == "win32", reason="Windows asks for a privilege for symbolic links")
needs_dev_fd = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no /dev/fd")
