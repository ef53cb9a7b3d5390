"""Converts exceptions to the errors that clients get, and logs those that are bugs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Final

from desktop.base.errors import GpuError, LightloomError, ModelMemoryError, RefusalKind, ServingError

log = logging.getLogger(__name__)

HTTP_STATUS: Final[Mapping[RefusalKind, int]] = {
    "invalid": 400,
    "missing": 404,
    "conflict": 409,
    "full": 429,
    "large": 413,
    "unavailable": 503,
    "late": 504,
    "denied": 401,
    "forbidden": 403,
    "failed": 500,
}


def fault_of(error: BaseException) -> ServingError:
    """Return the error to report to a client; a bug is logged with its traceback."""
    if isinstance(error, ServingError):
        return error
    if isinstance(error, LightloomError):
        return ServingError("failed", str(error))
    log.error("a fault of the server's own", exc_info=error)
    return ServingError("failed", f"A fault of the server's own ({type(error).__name__}); its log has more.")


def loading_fault(error: Exception) -> ServingError:
    """Return the error for a network that cannot be loaded: 'invalid' for its file and settings, 'unavailable' for
    lack of memory or of a device, and 'failed' for a bug, which is logged with its traceback.
    """
    if isinstance(error, ServingError):
        return error
    if isinstance(error, MemoryError):
        return ServingError(
            "unavailable", "There is not enough memory to load it; end other programs, or serve fewer models."
        )
    if isinstance(error, GpuError | ModelMemoryError):
        return ServingError("unavailable", str(error))
    if isinstance(error, LightloomError):
        return ServingError("invalid", str(error))
    log.error("a network could not be loaded", exc_info=error)
    return ServingError(
        "failed",
        f"It could not be loaded ({type(error).__name__}: {str(error) or 'no message'}); standard error says more.",
    )


def log_client_fault(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """Log protocol errors of clients (a failed handshake, a reset) instead of printing them."""
    log.info("%s: %r", context.get("message"), context.get("exception"))
