"""What a UNet attends to: a prompt's embeddings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from desktop.compute.diffusion.folder import Folder, embedding_output
from desktop.compute.diffusion.running import Context, run
from desktop.compute.diffusion.tokens import LENGTH, Tokenizer, read_tokenizer
from desktop.errors import ModelInvalidError
from desktop.wording import sentence


@dataclass(frozen=True)
class Embeddings:
    """Prompts as the UNet takes them.

    Attributes:
        states: float32 [prompts, tokens, width].
        dropped: of each prompt what did not fit; '' where all of it did.
    """

    states: np.ndarray
    dropped: tuple[str, ...]


def tokenizer_of(folder: Folder) -> Tokenizer:
    """Read a folder's tokenizer for its text encoder.

    Raises:
        ModelInvalidError: see `read_tokenizer`.
        LightloomError: the package `tokenizers` is missing.
    """
    vocabulary = folder.text_encoder.config.whole("vocab_size", 0, 0, 1 << 24)
    return read_tokenizer(folder.tokenizer, text_length(folder), vocabulary)


def text_length(folder: Folder) -> int:
    """Return how many tokens the text encoder is given.

    Raises:
        ModelInvalidError: it was exported for fewer than 3, or for thousands.
    """
    length = folder.text_encoder.needed("input_ids", 2).shape[1] or LENGTH
    if not 3 <= length <= 1024:
        raise ModelInvalidError(
            sentence(
                "{part} was exported for {length} tokens; export it for {usual}.",
                part=folder.text_encoder,
                length=length,
                usual=LENGTH,
            )
        )
    return length


def embed(folder: Folder, context: Context, prompts: Sequence[str]) -> Embeddings:
    """Run the text encoder on prompts, one after the other; it leaves the device at once.

    Raises:
        ModelError: a part of the folder is damaged, or no backend takes the text encoder.
        LightloomError: the package `tokenizers` is missing.
    """
    tokens = [tokenizer_of(folder).encode(prompt) for prompt in prompts]
    name = embedding_output(folder.text_encoder).name
    shapes = {"input_ids": (folder.text_encoder.needed("input_ids", 2).shape[0] or 1, len(tokens[0].ids))}
    found = []
    with context.opened(folder.text_encoder, shapes) as session:
        for each in tokens:
            context.check()
            ids = np.broadcast_to(each.ids, shapes["input_ids"])
            found.append(run(session, {"input_ids": ids})[name][:1].astype(np.float32))
    states = np.concatenate(found)
    _check_width(folder, states.shape[2])
    return Embeddings(states, tuple(each.dropped for each in tokens))


def _check_width(folder: Folder, width: int) -> None:
    if folder.text_width not in (0, width):
        raise ModelInvalidError(
            sentence(
                "The text encoder of {folder} gives embeddings of {given} numbers and its UNet takes {wanted}; they are of two pipelines.",
                folder=folder.name,
                given=width,
                wanted=folder.text_width,
            )
        )
