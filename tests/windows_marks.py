"""Marks for tests of what Windows does not have."""

from __future__ import annotations

import sys

import pytest

links = pytest.mark.skipif(sys.platform == "win32", reason="Windows asks for a privilege for symbolic links")
