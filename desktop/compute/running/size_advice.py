"""Advise the user when a network does not load at an assumed size: exporters declare sizes free that the graph fixes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from desktop.compute.models.model_file import ModelFile
from desktop.compute.models.sidecar import sidecar_path
from desktop.compute.tasks.task import Size
from desktop.errors import ModelInvalidError, ModelUnsupportedError
from desktop.wording import sentence


@contextmanager
def size_advised(file: ModelFile, assumed: Size | None) -> Iterator[None]:
    """Add to a refusal that the size (width, height) was only assumed, and where to state it; None if it was not.

    Raises:
        ModelUnsupportedError: the refusal with the advice.
    """
    try:
        yield
    except (ModelInvalidError, ModelUnsupportedError) as error:
        if assumed is None:
            raise
        raise ModelUnsupportedError(
            sentence(
                "{error} Nothing says the input's size, so {width}x{height} was assumed; state width and height under [preprocess] in "
                "{sidecar}.",
                error=error,
                width=assumed[0],
                height=assumed[1],
                sidecar=sidecar_path(file.path).name,
            ),
            error.refusals if isinstance(error, ModelUnsupportedError) else (),
        ) from error
