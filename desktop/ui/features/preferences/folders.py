"""Test of a folder that a setting names."""

from __future__ import annotations

import tempfile
from pathlib import Path

from desktop.base.files import reason
from desktop.base.wording import sentence


def folder_fault(path: Path, *, written: bool, usual: bool = False) -> str:
    """Return why a folder cannot be used; '' if it can. The absence of the `usual` folder is no fault.

    If `written`, it or its nearest existing parent is tested by writing, since permissions are unreliable on
    Windows, for root, and on read-only media.
    """
    if not path.is_absolute():
        return sentence("{folder} is no whole path; begin with the root.", folder=path)
    there = path
    try:
        while not there.exists() and there != there.parent:
            there = there.parent
        if not there.is_dir():
            return sentence("{folder} is not a folder; choose another one.", folder=there)
        if not written:
            return "" if there == path or usual else sentence("{folder} is not there any more.", folder=path)
        with tempfile.TemporaryFile(dir=there):
            pass
    except (OSError, ValueError) as error:
        return sentence(
            "{folder} cannot be written: {reason}; choose another one.", folder=there, reason=reason(error)
        )
    if there == path or usual:
        return ""
    return sentence("{folder} is not there; it is made when it is needed.", folder=path)
