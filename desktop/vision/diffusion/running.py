"""Run the parts of a pipeline: the device, the backend, and progress reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from desktop.base.errors import ModelError
from desktop.base.paths import user_cache_folder
from desktop.base.wording import Text, sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Precision, Session
from desktop.vision.backends.loader import load_session
from desktop.vision.diffusion.part import Part, about

if TYPE_CHECKING:
    from desktop.compute.nn.compile.cache import SessionCache  # imports onnx

CACHE_BYTES: Final = 16 << 30
"""Limit of prepared parts, in a folder of their own: a UNet alone exceeds the limit of all other networks."""


@dataclass(frozen=True)
class Progress:
    """Progress: a description, and the share done."""

    text: Text
    done: int = 0
    total: int = 0


@dataclass(frozen=True, kw_only=True)
class Context:
    """Execution context of the parts; for backend, precision and device see `load_session`.

    Attributes:
        gpu: the adapter; None for backends that need none.
        cache: cache of prepared parts: 'user' for the user's cache folder, None for no cache.
        check: called between pieces of work; may raise to cancel.
        tell: callback with the next piece of work.
        used: callback with a part's backend and the reason for it.
    """

    gpu: Gpu | None
    backend: str = "auto"
    precision: Precision = "auto"
    device: str = "auto"
    cache: SessionCache | Literal["user"] | None = "user"
    check: Callable[[], None] = lambda: None
    tell: Callable[[Progress], None] = lambda progress: None
    used: Callable[[Part, Session, str], None] = field(default=lambda part, session, reason: None)

    @contextmanager
    def opened(self, part: Part, shapes: Mapping[str, tuple[int, ...]]) -> Iterator[Session]:
        """Open a session of a part, closed on exit, for shapes by name (unknown names are ignored).

        Raises:
            ModelError: it cannot be read, or no backend supports it.
        """
        self.check()
        known = {each.name: shapes[each.name] for each in part.inputs if each.name in shapes}
        with about(part):
            loaded = load_session(
                part.path,
                gpu=self.gpu,
                backend=self.backend,
                precision=self.precision,
                device=self.device,
                input_shapes=known,
                cache=_user_cache() if self.cache == "user" else self.cache,
            )
        try:
            self.used(part, loaded.session, loaded.reason)
            self.check()
            yield loaded.session
        finally:
            loaded.session.close()


def _user_cache() -> SessionCache:
    from desktop.compute.nn.compile.cache import SessionCache

    return SessionCache(user_cache_folder() / "pipelines", CACHE_BYTES)


def check_numbers(part: Part, values: np.ndarray) -> None:
    """Raise ModelError for values that are not finite, such as fp16 overflows: the image would be black."""
    if not np.isfinite(values).all():
        raise ModelError(
            sentence(
                "{part} gave values that are no numbers; choose fp32 (--precision fp32) or another backend, or download it again.",
                part=part,
            )
        )


def run(session: Session, feeds: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Run a session on arrays, converted to its input types."""
    dtypes = {info.name: info.dtype for info in session.inputs}
    # Not `ascontiguousarray`, which adds a dimension to a scalar: some timesteps have none.
    return session.run(
        {name: np.asarray(array, dtypes.get(name), order="C") for name, array in feeds.items()}
    )
