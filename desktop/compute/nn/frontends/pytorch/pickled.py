"""Check the tensors that a TorchScript file's pickles declare, without running anything.

PyTorch takes a tensor's length from the pickle, not from its record (`readArchiveAndTensors` in
torch/csrc/jit/serialization/import_read.cpp), and would read other memory. Classes become inert objects.
"""

from __future__ import annotations

import io
import pickle
from typing import Any, Final

from desktop.base.wording import sentence
from desktop.compute.nn.frontends.pytorch.archive import Archive, damaged

_WIDTHS: Final = {
    "ByteStorage": 1, "CharStorage": 1, "BoolStorage": 1, "HalfStorage": 2, "BFloat16Storage": 2, "ShortStorage": 2,
    "IntStorage": 4, "FloatStorage": 4, "LongStorage": 8, "DoubleStorage": 8, "ComplexFloatStorage": 8, "ComplexDoubleStorage": 16,
}  # fmt: skip
"""Bytes of an element, by the class that the pickle names."""
_DAMAGE: Final = (
    pickle.UnpicklingError,
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    TypeError,
    ValueError,
)
"""Exceptions that a damaged pickle causes."""
_FOLDERS: Final = {"data.pkl": "data/", "constants.pkl": "constants/"}


def check_lengths(archive: Archive) -> None:
    """Raise ModelInvalidError if a tensor's record is shorter than declared, or a pickle is unreadable."""
    for record, folder in _FOLDERS.items():
        if record in archive.names:
            reader = _Reader(archive.read(record), archive, folder)
            try:
                reader.load()
            except _DAMAGE as error:
                raise damaged(
                    archive.name, sentence("its record '{record}' is missing or damaged", record=record)
                ) from error


class _Nothing:
    """Placeholder for an object of any class: accepts everything, keeps nothing."""

    def __new__(cls, *_: object) -> _Nothing:
        return super().__new__(cls)

    def __setstate__(self, state: object) -> None:
        """Ignore the state."""

    def __setitem__(self, key: object, value: object) -> None:
        """Ignore an entry, such as one of an OrderedDict."""

    def append(self, value: object) -> None:
        """Ignore an entry of a list."""

    def __hash__(self) -> int:
        return id(self)


class _Reader(pickle.Unpickler):
    """Unpickler that only checks the tensors' storage."""

    def __init__(self, data: bytes, archive: Archive, folder: str) -> None:
        super().__init__(io.BytesIO(data))
        self._archive, self._folder = archive, folder

    def find_class(self, module: str, name: str) -> Any:
        """Return a class of that name that does nothing."""
        return type(name, (_Nothing,), {})

    def persistent_load(self, pid: Any) -> Any:
        """Check a storage ('storage', class, key, device, elements); raise ModelInvalidError if too short."""
        mark, kind, key, _, count = pid
        if mark != "storage" or not isinstance(key, str) or type(count) is not int:
            raise ValueError("no storage")
        if not 0 <= count * _WIDTHS[kind.__name__] <= self._archive.size(f"{self._folder}{key}"):
            raise damaged(self._archive.name, sentence("the weights '{name}' are cut off", name=key[:80]))
        return _Nothing()
