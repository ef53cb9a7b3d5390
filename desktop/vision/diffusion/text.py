"""Compute the text embeddings of prompts, to which a UNet attends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from desktop.base.errors import ModelInvalidError
from desktop.base.wording import sentence
from desktop.vision.diffusion.folder import Folder, embedding_output
from desktop.vision.diffusion.running import Context, check_numbers, run
from desktop.vision.diffusion.tokens import LENGTH, Tokenizer, read_tokenizer

_MOST_PROMPTS: Final = 64


@dataclass(frozen=True)
class Embeddings:
    """Embeddings of prompts, float32 [prompts, tokens, width], and the part of each that did not fit."""

    states: np.ndarray
    dropped: tuple[str, ...]


def tokenizer_of(folder: Folder) -> Tokenizer:
    """Read a folder's tokenizer for its text encoder; for errors see `read_tokenizer`."""
    vocabulary = folder.text_encoder.config.integer("vocab_size", 0, 0, 1 << 24)
    return read_tokenizer(folder.tokenizer, text_length(folder), vocabulary)


def text_length(folder: Folder) -> int:
    """Return the number of tokens of the input; raise ModelInvalidError if below 3 or in the thousands."""
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
    """Run the text encoder on prompts, one after the other, then unload it.

    Raises ModelError for an unusable part, UsageError for a prompt, LightloomError without `tokenizers`.
    """
    tokens = [tokenizer_of(folder).encode(prompt) for prompt in prompts]
    name = embedding_output(folder.text_encoder).name
    shapes = {"input_ids": (_batch(folder), len(tokens[0].ids))}
    found = []
    with context.opened(folder.text_encoder, shapes) as session:
        for each in tokens:
            context.check()
            ids = np.broadcast_to(each.ids, shapes["input_ids"])
            found.append(_checked(folder, run(session, {"input_ids": ids})[name]))
    states = np.concatenate(found)
    return Embeddings(states, tuple(each.dropped for each in tokens))


def _batch(folder: Folder) -> int:
    """Return the batch size of the text encoder."""
    batch = folder.text_encoder.needed("input_ids", 2).shape[0] or 1
    if batch > _MOST_PROMPTS:
        raise ModelInvalidError(
            sentence(
                "{part} was exported for {batch} prompts at a time; export it for one.",
                part=folder.text_encoder,
                batch=batch,
            )
        )
    return batch


def _checked(folder: Folder, states: np.ndarray) -> np.ndarray:
    """Return the first prompt's embeddings; a file's output may differ from its declaration."""
    if states.ndim != 3:
        raise ModelInvalidError(
            sentence(
                "{part} gives {shape} where embeddings of [batch, tokens, width] are needed; export it "
                "again.",
                part=folder.text_encoder,
                shape=list(states.shape),
            )
        )
    _check_width(folder, states.shape[2])
    embeddings = states[:1].astype(np.float32)
    check_numbers(folder.text_encoder, embeddings)
    return embeddings


def _check_width(folder: Folder, width: int) -> None:
    if folder.text_width not in (0, width):
        raise ModelInvalidError(
            sentence(
                "The text encoder of {folder} gives embeddings of {given} numbers and its UNet takes "
                "{wanted}; they are of two pipelines.",
                folder=folder.name,
                given=width,
                wanted=folder.text_width,
            )
        )
