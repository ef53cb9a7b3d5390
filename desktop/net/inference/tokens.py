"""Server tokens, from the key ring or the environment only, so that presets, lists and logs have none."""

from __future__ import annotations

import logging
import os
from typing import Final

from desktop.base.errors import LibraryError, ModelError
from desktop.base.version import extra_command
from desktop.base.wording import sentence
from desktop.net.inference.address import RemoteAddress

log = logging.getLogger(__name__)

VARIABLE: Final = "LIGHTLOOM_REMOTE_TOKENS"
"""Environment variable of `host:port=token`, separated by blanks. Each is sent to its server alone."""
_SERVICE: Final = "lightloom"
_LONGEST: Final = 8192


def token_for(address: RemoteAddress) -> str:
    """Return a server's token or ''; raise ModelError if malformed or the connection is not encrypted."""
    token = _from_environment(address.server) or from_key_ring(address.server)
    if not token:
        return ""
    # It becomes the value of a header, where a line break would begin another one (RFC 9110 §5.5).
    if len(token) > _LONGEST or not all("!" <= sign <= "~" for sign in token):
        raise ModelError(
            sentence(
                "The token for {server} has signs in it that no token has; keep it anew in the key ring.",
                server=address.server,
            )
        )
    if not (address.is_secure or address.is_loopback):
        raise ModelError(
            sentence(
                "There is a token for {server}, and {scheme} would send it unencrypted; use {secure}:// or "
                "remove the token.",
                server=address.server,
                scheme=address.scheme,
                secure=f"{address.scheme}s",
            )
        )
    return token


def store_token(server: str, token: str) -> None:
    """Keep a token in the key ring ('' removes it); raise LibraryError if there is none, or it refuses."""
    try:
        import keyring
        import keyring.errors
    except ImportError as error:
        raise LibraryError(
            sentence(
                "Tokens are kept by the package keyring, which is not installed: {command}.",
                command=extra_command("remote"),
            )
        ) from error
    try:
        if token:
            keyring.set_password(_SERVICE, server, token)
        elif keyring.get_password(_SERVICE, server) is not None:
            keyring.delete_password(_SERVICE, server)
    except Exception as error:  # each system's key ring has exceptions of its own
        raise LibraryError(
            sentence(
                "The system's key ring does not keep the token ({reason}); unlock it, or use the variable "
                "{variable}.",
                reason=type(error).__name__,
                variable=VARIABLE,
            )
        ) from error


def _from_environment(server: str) -> str:
    for pair in os.environ.get(VARIABLE, "").split():
        name, equals, token = pair.partition("=")
        if equals and name.lower() == server:
            return token
    return ""


def from_key_ring(name: str) -> str:
    """Return the secret that the system's key ring has for a name of Lightloom's, '' without one."""
    try:
        import keyring

        return keyring.get_password(_SERVICE, name) or ""
    except ImportError:
        return ""
    except (
        Exception
    ) as error:  # no key ring on this system, or a locked one: a server without tokens is used without
        log.info("no key ring: %s", type(error).__name__)
        return ""
