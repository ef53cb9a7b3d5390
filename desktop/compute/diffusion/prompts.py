"""Prompts that change while pictures are made: read on a thread, and blended into one another."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np

from desktop.compute.diffusion.folder import Folder
from desktop.compute.diffusion.running import Context
from desktop.compute.diffusion.text import embed
from desktop.errors import LightloomError, ModelError
from desktop.wording import sentence

Prompts = tuple[str, ...]
_KEPT: Final = 16


@dataclass(frozen=True)
class Blend:
    """Embeddings on their way to others, in a straight line.

    Attributes:
        start, goal: float32 [prompts, tokens, width].
        began, seconds: when it began, and how long it takes.
    """

    start: np.ndarray
    goal: np.ndarray
    began: float = 0.0
    seconds: float = 0.0

    def at(self, now: float) -> np.ndarray:
        """Return the embeddings of a moment, float32."""
        if not self.is_moving(now):
            return self.goal
        share = np.float32((now - self.began) / self.seconds)
        return self.start + share * (self.goal - self.start)

    def is_moving(self, now: float) -> bool:
        """Tell whether later moments have others."""
        return now - self.began < self.seconds

    def turned(self, goal: np.ndarray, now: float, seconds: float) -> Blend:
        """Return the way from where this one is to another goal."""
        return Blend(self.at(now), goal, now, seconds)


class PromptReader:
    """Has the text encoder read prompts on a thread, the newest first; those that came meanwhile are passed over.

    The text encoder is on the device while it reads, and embeddings of the last prompts are kept. Weighed: leaving it there, which saves
    the half second that loading it anew takes and costs a quarter of a gigabyte in half precision.
    """

    def __init__(self, folder: Folder, context: Context) -> None:
        """Nothing is read yet."""
        self._folder, self._context = folder, context
        self._thread = ThreadPoolExecutor(1, "prompts")
        self._known: OrderedDict[str, np.ndarray] = OrderedDict()
        self._wanted: Prompts = ()
        self._reading: tuple[Prompts, Future[np.ndarray]] | None = None

    def ask(self, prompts: Prompts) -> None:
        """Want other prompts; a row of them is as long as the UNet's batch."""
        self._wanted = prompts

    def take(self, *, wait: bool = False) -> np.ndarray | None:
        """Return the embeddings of the prompts that are wanted, float32 [prompts, tokens, width]; None while they are being read.

        Args:
            wait: until they are there.

        Raises:
            ModelError: the tokenizer or the text encoder cannot be used.
            LightloomError: the package `tokenizers` is missing.
        """
        try:
            return self._take(wait)
        except LightloomError:
            raise
        except Exception as error:  # a library's own, or the driver's, of a stranger's file
            raise ModelError(
                sentence(
                    "The text encoder of {folder} did not read the prompt ({reason}); choose another prompt or folder.",
                    folder=self._folder.name,
                    reason=(str(error).strip() or type(error).__name__).splitlines()[0].rstrip("."),
                )
            ) from error

    def _take(self, wait: bool) -> np.ndarray | None:
        while self._missing():
            if self._reading is None:
                missing = self._missing()
                self._reading = missing, self._thread.submit(self._read, missing)
            prompts, future = self._reading
            if not future.done() and not wait:
                return None
            self._reading = None
            self._known |= zip(prompts, future.result(), strict=True)
        for prompt in self._wanted:
            self._known.move_to_end(prompt)
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return np.stack([self._known[prompt] for prompt in self._wanted])

    def _missing(self) -> Prompts:
        return tuple(dict.fromkeys(prompt for prompt in self._wanted if prompt not in self._known))

    def _read(self, prompts: Prompts) -> np.ndarray:
        return embed(self._folder, self._context, prompts).states

    def close(self) -> None:
        """End the thread; what it reads is waited for."""
        self._thread.shutdown(wait=True, cancel_futures=True)
