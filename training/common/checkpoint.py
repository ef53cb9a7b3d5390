"""Checkpoints: everything that a training needs to go on as if it had never stopped.

python -m training.common.checkpoint compact IN OUT      16-bit copies of large tensors, for traveling: half
the bytes
"""

from __future__ import annotations

import argparse
import os
import pickle
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from desktop.base.errors import SourceDamagedError, SourceNotFoundError

VERSION = 1


def save(path: Path, state: dict[str, Any]) -> None:
    """Write `state` (tensors, numbers, texts and containers of them) to `path`, which holds the old or the
    new state at any moment.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    torch.save({"version": VERSION, **state}, new)
    new.replace(path)


def load(path: Path, device: torch.device) -> dict[str, Any]:
    """Return what `save` wrote, its tensors on `device` and, from a compact one, in float32 again.

    Raises:
        SourceNotFoundError: no file there.
        SourceDamagedError: not a checkpoint of this version.
    """
    if not path.exists():
        raise SourceNotFoundError(f"The checkpoint {path} is missing; leave --resume out to start anew.")
    try:
        # Only tensors and plain containers: a checkpoint may come from anywhere.
        state = torch.load(path, map_location=device, weights_only=True)
    except (RuntimeError, EOFError, pickle.UnpicklingError, KeyError) as error:
        raise SourceDamagedError(f"{path} is no checkpoint; resume from another one.") from error
    if not isinstance(state, dict) or state.get("version") != VERSION:
        raise SourceDamagedError(
            f"{path} is a checkpoint of another version; start anew or use that version."
        )
    return _converted(state, {torch.float16: torch.float32, torch.bfloat16: torch.float32}, least=0)


def begin(module: nn.Module, path: Path) -> None:
    """Set a module's weights to the averaged ones of a checkpoint, as the beginning of another training.

    Raises:
        SourceNotFoundError: no file there.
        SourceDamagedError: not a checkpoint of this version, or one of another design.
    """
    averaged = load(path, torch.device("cpu")).get("average")
    try:
        module.load_state_dict(averaged)
    except (AttributeError, RuntimeError, TypeError) as error:
        raise SourceDamagedError(
            f"{path} is a checkpoint of another design; begin with one of this network."
        ) from error


def compact(state: dict[str, Any]) -> dict[str, Any]:
    """Return `state` with large float32 tensors in 16 bits: weights in fp16, whose rounding is far below one
    step's change, and the optimizer's in bf16, whose range holds squares of gradients.
    """
    small = {key: value for key, value in state.items() if key != "optimizer"}
    return {
        **_converted(small, {torch.float32: torch.float16}, least=4096),
        "optimizer": _converted(state.get("optimizer", {}), {torch.float32: torch.bfloat16}, least=4096),
    }


def _converted(value: Any, kinds: dict[torch.dtype, torch.dtype], least: int) -> Any:
    if isinstance(value, Tensor):
        return value.to(kinds[value.dtype]) if value.dtype in kinds and value.numel() >= least else value
    if isinstance(value, dict):
        return {key: _converted(item, kinds, least) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_converted(item, kinds, least) for item in value)
    return value


def main(arguments: list[str] | None = None) -> int:
    """Write a compact copy and print both sizes."""
    parser = argparse.ArgumentParser(
        prog="python -m training.common.checkpoint", description=__doc__.splitlines()[0]
    )
    parser.add_argument("action", choices=("compact",))
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    options = parser.parse_args(arguments)
    save(options.target, compact(load(options.source, torch.device("cpu"))))
    print(
        f"{options.target}: {options.source.stat().st_size / 1e6:.1f} -> {options.target.stat().st_size / 1e6:.1f} MB"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
