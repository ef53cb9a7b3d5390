"""A model's settings in TOML: in its `config.toml` in a repository, and in the tables of `--config FILE`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import UsageError
from desktop.base.files import read_regular, reason
from desktop.base.toml_text import parse_toml
from desktop.serving.served_model import Batching, ModelLimits, ModelOptions
from desktop.serving.session_pool import Loading
from desktop.vision.backends import backend_choices

_LARGEST: Final = 1 << 16
_MIB: Final = 1 << 20
MOST_VERSIONS: Final = 8
"""Newest versions of a model that are served, unless its settings say fewer."""
_WHOLE: Final[Mapping[str, tuple[int, int]]] = {
    "queue": (1, 65536),
    "concurrency": (1, 65536),
    "max_batch": (1, 256),
    "memory": (16, 1 << 20),
    "versions": (1, MOST_VERSIONS),
}
_DECIMAL: Final[Mapping[str, tuple[float, float]]] = {"deadline": (0.1, 3600), "batch_delay": (0, 1000)}
_PRECISIONS: Final = ("auto", "fp32", "fp16")


@dataclass(frozen=True)
class ModelConfig:
    """Attributes: options: of loading, batching and limits. versions: newest versions that are served."""

    options: ModelOptions
    versions: int = MOST_VERSIONS


def read_model_config(path: Path, usual: ModelOptions) -> ModelConfig:
    """Read a model's `config.toml` over the usual options. Raises UsageError if it is unreadable or invalid."""
    table = _document(path)
    _check(table, str(path))
    return ModelConfig(_applied(table, usual), table.get("versions", MOST_VERSIONS))


def read_configs(path: Path, usual: ModelOptions) -> dict[str, ModelOptions]:
    """Read a file with a table for each model. Raises UsageError if it is unreadable or invalid."""
    found: dict[str, ModelOptions] = {}
    for name, table in _document(path).items():
        if not isinstance(table, dict):
            raise UsageError(f"'{name}' in {path} is no table; write the settings of a model below [NAME].")
        where = f"[{name}] in {path}"
        if "versions" in table:
            raise UsageError(f"{where}: 'versions' is for models of a repository; leave it out.")
        _check(table, where)
        found[name] = _applied(table, usual)
    return found


def _document(path: Path) -> dict[str, Any]:
    try:
        return parse_toml(read_regular(path, _LARGEST))
    except FileNotFoundError:
        raise UsageError(f"There is no file {path}; check its name.") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {reason(error)}; check its permissions.") from error
    except ValueError as error:
        raise UsageError(f"{path} is no valid TOML: {error}; correct it.") from error


def _check(table: Mapping[str, object], where: str) -> None:
    for name, value in table.items():
        correction = _correction(name, value)
        if correction:
            raise UsageError(f"{where}: '{name[:80]}' is {str(value)[:80]!r}; {correction}.")


def _correction(name: str, value: object) -> str:
    """Return what to write instead of a setting; '' if it is valid."""
    if name in _WHOLE:
        least, most = _WHOLE[name]
        fits = type(value) is int and least <= value <= most
        return "" if fits else f"give a whole number from {least} to {most}"
    if name in _DECIMAL:
        low, high = _DECIMAL[name]
        fits = type(value) in (int, float) and isinstance(value, int | float) and low <= value <= high
        return "" if fits else f"give a number from {low:g} to {high:g}"
    if name == "warm":
        return "" if isinstance(value, bool) else "give true or false"
    choices = {"backend": backend_choices(), "precision": _PRECISIONS}.get(name)
    if choices is None:
        known = ", ".join((*_WHOLE, *_DECIMAL, "backend", "precision", "warm"))
        return f"such a setting is not known, so choose from {known}"
    return "" if value in choices else f"choose one of {', '.join(choices)}"


def _applied(table: Mapping[str, Any], usual: ModelOptions) -> ModelOptions:
    loading, batching, limits = usual.loading, usual.batching, usual.limits
    delay_ms, memory_mib = table.get("batch_delay"), table.get("memory")
    return ModelOptions(
        Loading(
            loading.open_gpu,
            table.get("backend", loading.backend),
            table.get("precision", loading.precision),
            table.get("max_batch", loading.max_batch),
            loading.memory_bytes if memory_mib is None else memory_mib * _MIB,
        ),
        Batching(batching.delay_s if delay_ms is None else delay_ms / 1000, table.get("warm", batching.warm)),
        ModelLimits(
            table.get("queue", limits.queue),
            table.get("concurrency", limits.concurrency),
            table.get("deadline", limits.answer_s),
        ),
        usual.pools,
    )
