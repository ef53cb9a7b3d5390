"""Optional packages that the window installs into a folder of the user's: exact files, by their checksums.

Their licences do not allow a bundle of Lightloom to carry them, but allow their users to install them.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import http.client
import importlib
import importlib.machinery
import importlib.util
import io
import json
import os
import platform
import shutil
import sys
import sysconfig
import tempfile
import threading
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin

from desktop.base.errors import DownloadError, ExportError
from desktop.base.files import reason
from desktop.base.paths import user_package_folder
from desktop.base.wording import sentence
from desktop.net.http_client import Failed, HttpClient, Interrupted, RangeGone

INDEX: Final = "https://pypi.org/simple"
_SIMPLE: Final = "application/vnd.pypi.simple.v1+json"
_LARGEST_INDEX: Final = 4 << 20
_LARGEST_FILE: Final = 16 << 20
_LARGEST_UNPACKED: Final = 64 << 20
_MOST_FILES: Final = 1000
_STALL_S: Final = 15.0
_DEADLINE_S: Final = 120.0
_LONGEST_LICENCE: Final = 200_000


def wheel_tags() -> tuple[str, str]:
    """Return the tag of this Python and the system's name in wheels, e.g. ('cp313', 'win_amd64'); '' for the
    first where wheels do not fit: another implementation, or threads without the lock.
    """
    is_usual = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
    python = f"cp{sys.version_info.major}{sys.version_info.minor}" if is_usual else ""
    if sys.platform == "win32":
        return python, f"win_{platform.machine().lower()}"
    return python, f"{sys.platform}_{platform.machine().lower()}"


@dataclass(frozen=True)
class Download:
    """A package's file, checked.

    Attributes:
        data: the wheel.
        licence: its text, as the wheel has it.
    """

    data: bytes
    licence: str


@dataclass(frozen=True)
class UserPackage:
    """A package of the index that can be installed for this Python and system.

    Attributes:
        name: in the index, and of its module.
        version: of the files below.
        licence: its name, such as 'GPL 2.0'.
        wheels: the file and its SHA-256 by `wheel_tags`.
        tags: of this Python and system.
    """

    name: str
    version: str
    licence: str
    wheels: Mapping[tuple[str, str], tuple[str, str]]
    tags: tuple[str, str] = ("", "")

    @property
    def is_offered(self) -> bool:
        """Whether there is a file for this Python and system."""
        return self.tags in self.wheels

    @property
    def folder(self) -> Path:
        """The folder that it is installed in; another Python has another one."""
        return user_package_folder() / f"{self.name}-{self.version}-{self.tags[0]}"

    def find(self, module: str) -> object:
        """Return the specification of a module: an installed one's, else that of the user's folder, or None."""
        found = importlib.util.find_spec(module)
        return found or importlib.machinery.PathFinder.find_spec(module, [str(self.folder)])

    def load(self, module: str) -> Any:
        """Import a module, also from the user's folder."""
        if importlib.util.find_spec(module) is None and str(self.folder) not in sys.path:
            # Behind all others: nothing that Lightloom needs is taken from there.
            sys.path.append(str(self.folder))
            importlib.invalidate_caches()
        return importlib.import_module(module)

    def download(self, index: str = "") -> Download:
        """Fetch the file and check it; takes seconds. LIGHTLOOM_PACKAGE_INDEX names another index.

        Args:
            index: the address of a package index (PEP 691), '' for the usual one.

        Raises:
            DownloadError: it cannot be had, or is not the file that was tried.
        """
        name, checksum = self.wheels[self.tags]
        index = (index or os.environ.get("LIGHTLOOM_PACKAGE_INDEX") or INDEX).rstrip("/")
        # Plain http only where the user's own index has it.
        client = HttpClient(_STALL_S, ("https", "http") if index.startswith("http:") else ("https",))
        # A server that sends a byte now and then never times out.
        deadline = threading.Timer(_DEADLINE_S, client.abort)
        deadline.daemon = True
        deadline.start()
        try:
            page = f"{index}/{self.name}/"
            address = _address_in(self._get(client, page, _SIMPLE, _LARGEST_INDEX), name)
            if not address:
                raise self._failed(sentence("{index} has no file {name}", index=index, name=name))
            data = self._get(client, urljoin(page, address), "*/*", _LARGEST_FILE)
        finally:
            deadline.cancel()
        if hashlib.sha256(data).hexdigest() != checksum:
            raise self._failed(
                sentence("{index} gave another file than the one that Lightloom knows", index=index)
            )
        return Download(data, _licence_in(data))

    def install(self, download: Download) -> None:
        """Unpack a file into the user's folder.

        Raises:
            ExportError: the folder cannot be written, or the file holds too much.
        """
        folder = self.folder
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            half = Path(tempfile.mkdtemp(prefix=f"{self.name}.", suffix=".part", dir=folder.parent))
            try:
                with zipfile.ZipFile(io.BytesIO(download.data)) as wheel:
                    entries = wheel.infolist()
                    if len(entries) > _MOST_FILES or sum(e.file_size for e in entries) > _LARGEST_UNPACKED:
                        raise OSError(errno.EFBIG, sentence("it holds too much"))
                    wheel.extractall(half)
                shutil.rmtree(folder, ignore_errors=True)
                half.rename(folder)
                importlib.invalidate_caches()
            except zipfile.BadZipFile as error:
                raise OSError(errno.EINVAL, sentence("it is no archive")) from error
            finally:
                shutil.rmtree(half, ignore_errors=True)
        except (OSError, ValueError) as error:
            raise ExportError(
                sentence(
                    "{name} cannot be installed in {folder}: {reason}; check the folder's permissions and "
                    "the free space.",
                    name=self.name,
                    folder=folder,
                    reason=reason(error),
                )
            ) from error

    def _get(self, client: HttpClient, address: str, accept: str, limit: int) -> bytes:
        try:
            with contextlib.closing(client.get(address, {"Accept": accept})) as response:
                data = b""
                while len(data) <= limit and (part := response.read1(limit + 1 - len(data))):
                    data += part
                    response.deadline.put_off()
        except (Failed, Interrupted, RangeGone) as error:
            raise self._failed(str(error) or sentence("the file has gone")) from error
        except (OSError, http.client.HTTPException) as error:
            raise self._failed(sentence("the connection broke off")) from error
        if len(data) > limit:
            raise self._failed(sentence("the server sends more than is allowed"))
        return data

    def _failed(self, why: str) -> DownloadError:
        return DownloadError(
            sentence(
                "{name} was not downloaded: {why}; check the network and try again.", name=self.name, why=why
            )
        )


def _address_in(page: bytes, name: str) -> str:
    """Return the address of a file in an index page (PEP 691), '' if it is not there or the page is broken."""
    try:
        files = json.loads(page)["files"]
        return next((str(each["url"]) for each in files if each["filename"] == name), "")
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""


def _licence_in(wheel: bytes) -> str:
    with (
        contextlib.suppress(zipfile.BadZipFile, KeyError, OSError),
        zipfile.ZipFile(io.BytesIO(wheel)) as archive,
    ):
        for entry in archive.infolist():
            is_licence = Path(entry.filename).name.upper().startswith(("LICEN", "COPYING"))
            if is_licence and entry.file_size <= _LONGEST_LICENCE:
                return archive.read(entry).decode("utf-8", "replace")
    return ""
