"""Files of GLSL as filters: what they are and their translation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from desktop.base.errors import FilterError
from desktop.base.wording import sentence
from desktop.pipeline.filters.translation.isf import translate_isf
from desktop.pipeline.filters.translation.isf_header import read_header, split_header
from desktop.pipeline.filters.translation.shadertoy import is_shadertoy, translate_shadertoy

_VERTEX: Final = (".vs", ".vert")


def translated(path: Path, read: Callable[[Path], str]) -> str:
    """Return the WGSL of a filter in GLSL, with its description; `read` returns a file's text.

    Raises FilterError: the file cannot be read, or uses what is not translated.
    """
    text = read(path)
    try:
        return _translated(text, path, read)
    except RecursionError as error:
        raise FilterError(
            sentence("{path}: its expressions are nested too deep; use functions.", path=path)
        ) from error
    except FilterError as error:
        raise FilterError(sentence("{path}: {error}", path=path, error=error), error.line) from error


def _translated(text: str, path: Path, read: Callable[[Path], str]) -> str:
    parts = split_header(text)
    if parts is not None:
        header, fragment = parts
        beside = next((file for end in _VERTEX if (file := path.with_suffix(end)).is_file()), None)
        return translate_isf(read_header(header), fragment, None if beside is None else read(beside), path)
    if is_shadertoy(text):
        return translate_shadertoy(text, path)
    raise FilterError(
        sentence(
            "It begins with no ISF header (JSON in a comment) and has no mainImage() of Shadertoy; "
            "add one of them."
        )
    )
