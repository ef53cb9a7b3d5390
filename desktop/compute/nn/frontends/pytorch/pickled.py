"""Check the tensors that a TorchScript file's pickles declare, without running anything.

PyTorch's loader takes the length of a tensor's memory from the pickle and not from the record that holds it
(`readArchiveAndTensors` in torch/csrc/jit/serialization/import_read.cpp): a length that is too large reads
other memory of this process. So the lengths are compared before it gets the file. Classes that a pickle names
are never looked up: each is replaced by an object that does nothing.
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
    """Check that the record of each tensor in a TorchScript file is as long as declared.

    Raises:
        ModelInvalidError: a record is shorter, or a pickle cannot be read.
    """
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
        """Compare the declaration of a tensor's storage, ('storage', class, key, device, elements), with its
        record.

        Raises:
            ModelInvalidError: the record is shorter.
        """
        mark, kind, key, _, count = pid
        if mark != "storage" or not isinstance(key, str) or type(count) is not int:
            raise ValueError("no storage")
        if not 0 <= count * _WIDTHS[kind.__name__] <= self._archive.size(f"{self._folder}{key}"):
            raise damaged(self._archive.name, sentence("the weights '{name}' are cut off", name=key[:80]))
        return _Nothing()
