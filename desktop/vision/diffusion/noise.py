"""Normal noise from a seed: the same numbers on every machine and adapter."""

from __future__ import annotations

import numpy as np

from desktop.base.errors import UsageError
from desktop.base.wording import sentence

MOST_SEED = (1 << 63) - 1


class Noise:
    """A stream of normal numbers from a seed: Philox, made by NumPy, as logarithms differ between GPUs."""

    def __init__(self, seed: int) -> None:
        """Begin a stream; raise UsageError if the seed is negative or has more than 63 bits."""
        if not 0 <= seed <= MOST_SEED:
            raise UsageError(
                sentence("The seed {seed} is none; choose 0 to {most}.", seed=str(seed)[:30], most=MOST_SEED)
            )
        self._generator = np.random.Generator(np.random.Philox(seed))

    def draw(self, shape: tuple[int, ...]) -> np.ndarray:
        """Return the next numbers, float32."""
        return self._generator.standard_normal(shape, np.float32)
