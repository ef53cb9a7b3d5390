"""Tunings: kernels that `lightloom model tune` chose by measuring on an adapter, and the file for them.

A stored choice is only compared with the names of valid candidates (`tiles.py`): no content of a file reaches
a shader. A file that is damaged, or of another adapter, driver or engine, is ignored and logged.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from desktop.base.errors import ExportError
from desktop.base.files import read_regular, reason, replace_file
from desktop.base.paths import user_cache_folder
from desktop.base.wording import sentence
from desktop.compute.nn.engine_version import engine_version

if TYPE_CHECKING:
    from desktop.compute.gpu.device import AdapterInfo  # imports wgpu

log = logging.getLogger(__name__)

C = TypeVar("C")
C_co = TypeVar("C_co", covariant=True)
_FORMAT: Final = "lightloom tuning 1"
_LIMIT: Final = 4 << 20
"""Size limit of a file in bytes: some 20,000 shapes."""


@dataclass(frozen=True)
class Decision(Generic[C_co]):
    """The choice of one of several kernels for a shape. A kernel's `str` is its name in a tuning.

    Attributes:
        key: everything about the shape that affects a kernel's time.
        rule: the choice without a tuning.
        others: returns the other valid kernels; most sessions never call it.
        exact: results of all of them are equal to the last bit (integers), not up to rounding.
    """

    key: str
    rule: C_co
    others: Callable[[], Sequence[C_co]]
    chosen: C_co
    exact: bool = False

    @property
    def candidates(self) -> tuple[C_co, ...]:
        """Return all valid kernels, each once, the rule's first."""
        return tuple(dict.fromkeys((self.rule, *self.others())))

    @property
    def tuned(self) -> str:
        """Return the name of the chosen kernel if the rule would not have chosen it; else ''."""
        return "" if self.chosen == self.rule else str(self.chosen)


@dataclass(frozen=True)
class Tuning:
    """Measured choices: the key of a `Decision` -> the name of a kernel. If empty, the rules apply."""

    choices: Mapping[str, str] = field(default_factory=dict)

    def decide(
        self, key: str, rule: C, others: Callable[[], Sequence[C]], *, exact: bool = False
    ) -> Decision[C]:
        """Choose the measured kernel for a shape; the rule's if none was measured or it is not valid here."""
        wanted = self.choices.get(key)
        chosen = rule
        if wanted is not None:
            chosen = next((each for each in others() if str(each) == wanted), rule)
        return Decision(key, rule, others, chosen, exact)

    def updated(self, measured: Mapping[str, str | None]) -> Tuning:
        """Return these choices, replaced by newer ones; None restores the rule."""
        merged: dict[str, str | None] = {**self.choices, **measured}
        return Tuning({key: name for key, name in merged.items() if name is not None})

    @property
    def digest(self) -> str:
        """Return a hash of the choices; '' if there are none."""
        if not self.choices:
            return ""
        return hashlib.sha256(json.dumps(sorted(self.choices.items())).encode()).hexdigest()


# -- the file ------------------------------------------------------------------------------------------------


def tuning_folder() -> Path:
    """Return the user's folder of tunings; it may not exist."""
    return user_cache_folder() / "tuning"


def _owner(adapter: AdapterInfo) -> dict[str, str]:
    return {
        "format": _FORMAT,
        "adapter": adapter.name,
        "backend": adapter.backend,
        "driver": adapter.driver,
        "library": adapter.library,
        "engine": engine_version(),
    }


def tuning_file(folder: Path, adapter: AdapterInfo) -> Path:
    """Return the file of an adapter's tuning: one for each adapter, driver and WebGPU implementation."""
    facts = json.dumps([adapter.name, adapter.backend, adapter.driver, adapter.library])
    return folder / f"{hashlib.sha256(facts.encode()).hexdigest()[:32]}.json"


def load_tuning(folder: Path, adapter: AdapterInfo) -> Tuning:
    """Load the tuning of an adapter for its driver and this engine; empty if none can be trusted."""
    file = tuning_file(folder, adapter)
    try:
        return _read(read_regular(file, _LIMIT), _owner(adapter))
    except FileNotFoundError:
        pass
    except OSError as error:
        log.warning("the tuning %s is ignored: %s", file, reason(error))
    except (ValueError, RecursionError) as error:
        log.warning("the tuning %s is ignored: %s", file, error)
    return Tuning()


def _read(data: bytes, owner: Mapping[str, str]) -> Tuning:
    """Parse a file's choices; raise `ValueError` or `RecursionError` if they are not valid for `owner`."""
    document = json.loads(data)
    if not isinstance(document, dict):
        raise ValueError("it is not a tuning")
    for name, wanted in owner.items():
        if document.get(name) != wanted:
            raise ValueError(f"it was made for another {name}")
    choices = document.get("choices")
    if not isinstance(choices, dict) or not all(isinstance(name, str) for name in choices.values()):
        raise ValueError("its choices are not names")
    return Tuning(choices)


def save_tuning(folder: Path, adapter: AdapterInfo, tuning: Tuning) -> Path:
    """Save a tuning over the adapter's earlier one; return its file. Raise `ExportError` on failure."""
    file = tuning_file(folder, adapter)
    text = json.dumps({**_owner(adapter), "choices": dict(sorted(tuning.choices.items()))}, indent=1)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(file, [text.encode()])
    except OSError as error:
        raise ExportError(
            sentence(
                "The tuning {file} cannot be written: {reason}; make room or set LIGHTLOOM_CACHE to another "
                "folder.",
                file=file,
                reason=reason(error),
            )
        ) from error
    return file


def delete_tunings(folder: Path) -> int:
    """Delete the tunings of all adapters; return their number. Raise `ExportError` if one is left."""
    try:
        files = [file for file in folder.iterdir() if file.suffix in (".json", ".part")]
        for file in files:
            file.unlink()
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise ExportError(
            sentence(
                "The tunings in {folder} cannot be deleted: {reason}; delete the folder.",
                folder=folder,
                reason=reason(error),
            )
        ) from error
    return sum(file.suffix == ".json" for file in files)
