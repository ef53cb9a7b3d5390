"""Describes a release to the package managers: Flatpak, winget, Homebrew, and the file that the check for
updates reads.

    python packaging/channels.py URL SUMS FOLDER

URL is where the release's files are, SUMS what `sha256sum` said of them, FOLDER gets the descriptions.
Version, checksums and addresses come from the release alone: the templates in packaging/channels have
@VERSION@, @URL@, @SITE@ and @SHA256 FILE@.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import check_release

sys.path.insert(0, str(check_release.ROOT))
from desktop.base.version import SITE

TEMPLATES: Final = Path(__file__).resolve().parent / "channels"
_SUM: Final = re.compile(r"([0-9a-f]{64}) [ *](\S+)")


class ChannelError(Exception):
    """A description cannot be made; one sentence."""


def read_sums(text: str) -> dict[str, str]:
    """Return the checksums of `sha256sum`'s output by file name.

    Raises:
        ChannelError: a line is none of its.
    """
    found = [_SUM.fullmatch(line) for line in text.splitlines() if line]
    if not all(found):
        raise ChannelError("The checksums are not what sha256sum writes.")
    return {match[2]: match[1] for match in found if match}


def render(version: str, url: str, sums: Mapping[str, str]) -> dict[str, str]:
    """Return the descriptions by file name.

    Args:
        version: of the release.
        url: the folder of its files, without a slash at the end.
        sums: SHA-256 in hexadecimal digits by file name.

    Raises:
        ChannelError: a file that is described has no checksum.
    """

    def checksum(match: re.Match[str]) -> str:
        if match[1] not in sums:
            raise ChannelError(f"The release has no {match[1]}, which {path.name} describes.")
        # winget writes them in capitals.
        return sums[match[1]].upper() if path.suffix == ".yaml" else sums[match[1]]

    rendered = {}
    for path in sorted(TEMPLATES.iterdir()):
        text = path.read_text(encoding="utf-8")
        # Without a site of its own the release's folder is what there is to be looked at.
        site = SITE or url.rstrip("/")
        for name, value in (("VERSION", version), ("URL", url.rstrip("/")), ("SITE", site)):
            text = text.replace(f"@{name}@", value)
        rendered[path.name] = re.sub(r"@SHA256 ([^@\s]+)@", checksum, text)
    return rendered


def main(arguments: Sequence[str]) -> int:
    """Write the descriptions; return the exit status."""
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    url, sums, folder = arguments[0], Path(arguments[1]), Path(arguments[2])
    try:
        files = render(check_release.version(), url, read_sums(sums.read_text(encoding="utf-8")))
    except ChannelError as error:
        print(error, file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
