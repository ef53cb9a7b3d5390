"""Advise the user when a network fails to load at an assumed size: a graph may fix sizes declared free."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from desktop.base.errors import ModelInvalidError, ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.sidecar import sidecar_path
from desktop.vision.tasks.task import Size


@contextmanager
def size_advised(file: ModelFile, assumed: Size | None) -> Iterator[None]:
    """Add to a ModelUnsupportedError that the size (width, height) was assumed, and where to state it."""
    try:
        yield
    except (ModelInvalidError, ModelUnsupportedError) as error:
        if assumed is None:
            raise
        raise ModelUnsupportedError(
            sentence(
                "{error} Nothing says the input's size, so {width}x{height} was assumed; state width and "
                "height under [preprocess] in "
                "{sidecar}.",
                error=error,
                width=assumed[0],
                height=assumed[1],
                sidecar=sidecar_path(file.path).name,
            ),
            error.refusals if isinstance(error, ModelUnsupportedError) else (),
        ) from error
