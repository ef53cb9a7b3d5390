"""Read PyTorch's zip archives as untrusted files: kind, records and a copy. All records lie in one folder.

Format: `PyTorchStreamWriter` in caffe2/serialize/inline_container.h of PyTorch.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass, field
from typing import Final

from desktop.base.errors import ModelInvalidError
from desktop.base.wording import sentence

SCRIPT: Final = ".pt"
EXPORTED: Final = ".pt2"
OLD_PROGRAM: Final = "serialized_exported_program.json"
"""A record of `torch.export.save` up to PyTorch 2.7, which puts its records into no folder."""
_MARK: Final = b"PK\x03\x04"
_MOST_RECORDS: Final = 50_000
# Weights are stored as they are; code and JSON are small, however well they are compressed.
_MOST_INFLATED: Final = 256 << 20
# RuntimeError: an archive with a password, or packed in a way that the reader has not (NotImplementedError).
_DAMAGE: Final = (zipfile.BadZipFile, zlib.error, ValueError, EOFError, OSError, RuntimeError, KeyError)


def archive_format(data: bytes) -> str:
    """Return the suffix of a PyTorch archive's kind by its records; '' for other files and mere pickles."""
    if not data.startswith(_MARK):
        return ""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found = archive.namelist()
    except _DAMAGE:
        return ""
    names = {name.partition("/")[2] for name in found}
    if "models/model.json" in names or OLD_PROGRAM in found:
        return EXPORTED
    return SCRIPT if "constants.pkl" in names and any(name.startswith("code/") for name in names) else ""


@dataclass(frozen=True)
class Archive:
    """Records of an archive by name, without their common folder; read once and checked (CRC-32)."""

    name: str
    folder: str
    _zip: zipfile.ZipFile
    names: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def open(cls, data: bytes, name: str) -> Archive:
        """Open an archive; raise ModelInvalidError if it is damaged or would unpack to too much."""
        try:
            archive = zipfile.ZipFile(io.BytesIO(data))
        except _DAMAGE as error:
            raise damaged(name, sentence("its directory cannot be read")) from error
        infos = archive.infolist()
        if len(infos) > _MOST_RECORDS:
            raise damaged(name, sentence("it has more than {most} records", most=_MOST_RECORDS))
        if sum(info.file_size for info in infos) > len(data) + _MOST_INFLATED:
            raise damaged(name, sentence("its records are larger than the file by too much"))
        if any(info.filename == OLD_PROGRAM for info in infos):
            return cls(name, "", archive, frozenset(info.filename for info in infos))
        folders = {info.filename.partition("/")[0] for info in infos}
        names = [info.filename.partition("/")[2] for info in infos]
        if len(folders) != 1 or len(set(names)) != len(names) or "" in names:
            raise damaged(name, sentence("its records do not lie in one folder, or two have one name"))
        return cls(name, folders.pop(), archive, frozenset(names))

    def read(self, record: str) -> bytes:
        """Return a record; raise ModelInvalidError if it is missing or damaged."""
        try:
            return self._zip.read(f"{self.folder}/{record}")
        except _DAMAGE as error:
            raise damaged(
                self.name, sentence("its record '{record}' is missing or damaged", record=record[:80])
            ) from error

    def size(self, record: str) -> int:
        """Bytes of a record; 0 for one that is not there."""
        return self._zip.getinfo(f"{self.folder}/{record}").file_size if record in self.names else 0

    def rewritten(self) -> bytes:
        """Return an archive of the same records, written anew.

        PyTorch finds a zip's directory elsewhere than Python: in this archive both read what was checked.
        """
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as made:
            for name in sorted(self.names):
                made.writestr(f"network/{name}", self.read(name))
        return target.getvalue()


def damaged(name: str, what: str) -> ModelInvalidError:
    """Return the error for an archive that is not as PyTorch writes them."""
    return ModelInvalidError(
        sentence(
            "{name} is not a readable PyTorch file: {what}; download or export it again.",
            name=name,
            what=what,
        )
    )
