"""Check the host arrays given to a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from desktop.base.errors import ModelError
from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo


def check_feeds(feeds: Mapping[str, np.ndarray], inputs: Sequence[TensorInfo], name: str) -> None:
    """Check arrays against a network's inputs (of file `name`); raise ModelError if one does not fit."""
    known = {info.name: info for info in inputs}
    for given in feeds.keys() - known.keys():
        raise ModelError(
            sentence(
                "{name} has no input '{name2}'; it has {known}.",
                name=name,
                name2=given,
                known=", ".join(known),
            )
        )
    for wanted, info in known.items():
        if wanted not in feeds:
            raise ModelError(
                sentence("{name} needs a value for its input '{name2}'.", name=name, name2=wanted)
            )
        array = feeds[wanted]
        if tuple(array.shape) != info.shape or str(array.dtype) != info.dtype:
            raise ModelError(
                sentence(
                    "Input '{name}' of {name2} takes {dtype}{shape}, not {dtype2}{shape2}.",
                    name=wanted,
                    name2=name,
                    dtype=info.dtype,
                    shape=list(info.shape),
                    dtype2=array.dtype,
                    shape2=list(array.shape),
                )
            )
