"""Text as the name of a file. The text may be a title, an address or what a program of the network told."""

from __future__ import annotations

import re
import sys
from typing import Final

# No system takes these; the rest Windows refuses, or reads as another file's: after ':' stands a stream of one.
_NEVER: Final = re.compile("[/\x00-\x1f\x7f\ud800-\udfff]")
_SELDOM: Final = re.compile(r'[\\:*?"<>|]')
# A leading dot hides a file; Windows drops dots and spaces at the end.
_ENDS: Final = re.compile(r"^\.+|[. ]+$")
_DEVICE: Final = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\..*)?", re.IGNORECASE)

# Most file systems limit names to 255 bytes; numbers and suffixes are added.
_LONGEST: Final = 200


def is_device_name(name: str) -> bool:
    """Return whether Windows takes a name, with any suffix, for a device, such as 'nul' or 'COM1.txt'."""
    return _DEVICE.fullmatch(name) is not None


def portable_name(text: str, *, longest: int = _LONGEST, empty: str = "_") -> str:
    """Return text as a name that every system takes: '_' stands for what one of them refuses, and before the
    name of a device. It has at most `longest` bytes in UTF-8, and is `empty` if nothing is left.
    """
    name = _ENDS.sub("_", _shortened(_SELDOM.sub("_", _NEVER.sub("_", text)), longest)) or empty
    return f"_{name}" if is_device_name(name) else name


def local_name(text: str, *, longest: int = _LONGEST, empty: str = "_", system: str = sys.platform) -> str:
    """Return text as a name that this system takes, unchanged where it can be: for files that are found by the
    name of another one. See `portable_name`.
    """
    if system == "win32":
        return portable_name(text, longest=longest, empty=empty)
    return _shortened(_NEVER.sub("_", text), longest) or empty


def _shortened(name: str, longest: int) -> str:
    return name.encode()[:longest].decode(errors="ignore")
