"""PyAV's `open`, alike on every version that pyproject.toml allows."""

from __future__ import annotations

from typing import Any, Final

import av

# Metadata is often not UTF-8. PyAV 19 keeps such bytes as surrogates and writes them back as they were; 18 does so if it is told to,
# by an argument that 19 has no more. Its signature can't be asked (compiled), and trying would hide a TypeError of our own.
_METADATA: Final[dict[str, Any]] = (
    {} if int(av.__version__.split(".")[0]) >= 19 else {"metadata_errors": "surrogateescape"}
)


def open_container(file: Any, mode: str = "r", **arguments: Any) -> Any:
    """Call `av.open`: texts of the metadata are UTF-8, other bytes in them are surrogates ("surrogateescape"), in both directions.

    Args:
        file: path as text, address, or binary file.
        mode: "r" or "w".
        arguments: any other of `av.open`, except those about metadata.

    Returns:
        An `av.container.InputContainer` or `OutputContainer`.

    Raises:
        av.FFmpegError, OSError, ValueError: as `av.open` does.
    """
    # Its stubs list the arguments of their own version only.
    opening: Any = av.open
    return opening(file, mode, **_METADATA, **arguments)
