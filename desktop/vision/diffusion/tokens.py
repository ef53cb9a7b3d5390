"""CLIP's tokenizer from a folder's vocabulary and merges (Radford et al. 2021, arXiv:2103.00020).

Other parts of a `tokenizer.json` are ignored: its regular expressions are untrusted, and CLIP's are known.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from desktop.base.errors import LightloomError, ModelInvalidError, UsageError
from desktop.base.files import read_regular, reason
from desktop.base.version import extra_command
from desktop.base.wording import sentence
from desktop.vision.diffusion.contents import (
    MERGES,
    TOKENIZER_FILE,
    VOCABULARY,
    has_tokenizer,
    has_vocabulary,
    missing_tokenizer,
)
from desktop.vision.diffusion.document import Document

START: Final = "<|startoftext|>"
END: Final = "<|endoftext|>"
LENGTH: Final = 77
_MOST_BYTES: Final = 32 << 20
_MOST_ENTRIES: Final = 1 << 20
_LONGEST_PROMPT: Final = 20_000
_WORDS: Final = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"


@dataclass(frozen=True)
class Tokens:
    """A tokenized prompt: `ids` int64 [length]: start, words, end, padding; `dropped` did not fit."""

    ids: np.ndarray
    dropped: str


class Tokenizer:
    """Converts prompts to `length` tokens, start and end included."""

    def __init__(self, encoder: Any, pad: int, length: int) -> None:
        """Use `read_tokenizer`."""
        self._encoder = encoder
        self._pad = pad
        self.length = length
        self._start, self._end = encoder.token_to_id(START), encoder.token_to_id(END)

    def encode(self, prompt: str) -> Tokens:
        """Tokenize a prompt, truncated as in training; raise UsageError for over 20,000 or bad characters."""
        if len(prompt) > _LONGEST_PROMPT:
            raise UsageError(
                sentence(
                    "The prompt has {count} characters; {most} are enough.",
                    count=len(prompt),
                    most=_LONGEST_PROMPT,
                )
            )
        if not _is_text(prompt):
            raise UsageError(sentence("The prompt has bytes that are no text in UTF-8; write it in UTF-8."))
        words = self._encoder.encode(prompt, add_special_tokens=False).ids
        room = self.length - 2
        kept, rest = words[:room], words[room:]
        ids = [self._start, *kept, self._end]
        ids += [self._pad] * (self.length - len(ids))
        return Tokens(np.array(ids, np.int64), self._encoder.decode(rest).strip() if rest else "")


def read_tokenizer(folder: Path, length: int = LENGTH, vocabulary: int = 0) -> Tokenizer:
    """Read `vocab.json` and `merges.txt`, or `tokenizer.json`, and the padding of `tokenizer_config.json`.

    `length` includes start and end; `vocabulary` is the number of tokens that the text encoder knows, 0 if
    unknown. Raises ModelInvalidError for unfit files, LightloomError without the package `tokenizers`.
    """
    words, merges = _vocabulary(folder)
    pad = _pad(folder)
    for name in (START, END, pad):
        if name not in words:
            raise _damaged(folder, sentence("its vocabulary lacks '{token}'", token=name[:40]))
    most = max(words.values())
    if vocabulary and most >= vocabulary:
        raise _damaged(
            folder,
            sentence(
                "it has {count} tokens and the text encoder knows {known}", count=most + 1, known=vocabulary
            ),
        )
    return Tokenizer(_built(words, merges, pad), words[pad], length)


def _built(words: dict[str, int], merges: list[tuple[str, str]], pad: str) -> Any:
    try:
        import tokenizers
        from tokenizers import decoders, models, normalizers, pre_tokenizers
    except ImportError as error:
        raise LightloomError(
            sentence(
                "Prompts need the package tokenizers, which is not installed: {command}.",
                command=extra_command("diffusion"),
            )
        ) from error
    built = tokenizers.Tokenizer(
        models.BPE(words, merges, continuing_subword_prefix="", end_of_word_suffix="</w>", unk_token=END)
    )
    built.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(tokenizers.Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    split = pre_tokenizers.Split(tokenizers.Regex(_WORDS), behavior="removed", invert=True)
    built.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(add_prefix_space=False)])
    built.decoder = decoders.BPEDecoder("</w>")
    # Including the padding, as in transformers: with SD 2's pad, '!' is another token than in CLIP.
    built.add_special_tokens([START, END, pad])
    return built


def _vocabulary(folder: Path) -> tuple[dict[str, int], list[tuple[str, str]]]:
    if has_vocabulary(folder):
        words, lines = _json(folder / VOCABULARY), _text(folder / MERGES).split("\n")
        merges: Any = [line for line in lines if line.strip() and not line.startswith("#version")]
    elif has_tokenizer(folder):
        model = _json(folder / TOKENIZER_FILE).get("model")
        if not isinstance(model, dict) or model.get("type", "BPE") != "BPE":
            raise _damaged(folder, sentence("tokenizer.json is not CLIP's"))
        words, merges = model.get("vocab"), model.get("merges")
    else:
        raise missing_tokenizer(folder)
    return _checked(folder, words, merges)


def _checked(folder: Path, words: Any, merges: Any) -> tuple[dict[str, int], list[tuple[str, str]]]:
    if not isinstance(words, dict) or not 2 <= len(words) <= _MOST_ENTRIES:
        raise _damaged(folder, sentence("its vocabulary is none"))
    if any(type(n) is not int or not 0 <= n < _MOST_ENTRIES or not _is_text(w) for w, n in words.items()):
        raise _damaged(folder, sentence("its vocabulary is none"))
    if not isinstance(merges, list) or len(merges) > _MOST_ENTRIES:
        raise _damaged(folder, sentence("its merges are none"))
    pairs = []
    for merge in merges:
        pair = merge.split() if isinstance(merge, str) else merge
        # The library panics or raises for tokens outside the vocabulary.
        if not isinstance(pair, list) or len(pair) != 2 or any(not isinstance(each, str) for each in pair):
            raise _damaged(folder, sentence("its merges are none"))
        if any(each not in words for each in (*pair, "".join(pair))):
            raise _damaged(folder, sentence("a merge makes what its vocabulary lacks"))
        pairs.append((pair[0], pair[1]))
    return words, pairs


def _is_text(word: str) -> bool:
    """Return False for unpaired surrogates, possible in JSON and terminal input; the library refuses them."""
    return not any("\ud800" <= character <= "\udfff" for character in word)


def _pad(folder: Path) -> str:
    for name in ("tokenizer_config.json", "special_tokens_map.json"):
        if (folder / name).exists():
            said = Document.read(folder / name).values.get("pad_token")
            said = said.get("content") if isinstance(said, dict) else said
            if isinstance(said, str) and said:
                return said
    return END


def _text(path: Path) -> str:
    try:
        return read_regular(path, _MOST_BYTES).decode("utf-8")
    except UnicodeDecodeError as error:
        raise _damaged(path.parent, sentence("{name} is no text", name=path.name)) from error
    except (OSError, ValueError) as error:
        raise ModelInvalidError(
            sentence(
                "tokenizer/{name} cannot be read ({reason}); export it again.",
                name=path.name,
                reason=reason(error),
            )
        ) from error


def _json(path: Path) -> Any:
    try:
        found = json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise _damaged(path.parent, sentence("{name} is not valid JSON", name=path.name)) from error
    if not isinstance(found, dict):
        raise _damaged(path.parent, sentence("{name} is not a JSON object", name=path.name))
    return found


def _damaged(folder: Path, what: str) -> ModelInvalidError:
    return ModelInvalidError(
        sentence(
            "The tokenizer of {folder} is damaged: {what}; download or export it again.",
            folder=folder.parent.name,
            what=what,
        )
    )
