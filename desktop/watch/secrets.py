"""Passwords of a configuration: `${NAME}` stands for a variable, a credential of systemd or an entry of the key ring."""

from __future__ import annotations

import hmac
import json
import os
import re
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit

from desktop.base.addresses import has_hidden_password, secret_values
from desktop.base.errors import UsageError
from desktop.base.files import read_regular
from desktop.net.inference.tokens import from_key_ring

PLACEHOLDER: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]{0,63})\}")
HIDDEN: Final = "***"
_LONGEST: Final = 8192
# A shorter one would blank out parts of words.
_SHORTEST_HIDDEN: Final = 3
_ADDRESS_KEY: Final = "address"
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_SCHEME: Final = re.compile(r"(?:Bearer|Basic|Digest|Token)\s+", re.IGNORECASE)


def is_literal(secret: str) -> bool:
    """True if a password, or a header 'Bearer ...', consists of more than placeholders."""
    return bool(PLACEHOLDER.sub("", _SCHEME.sub("", secret, count=1)).strip(" :"))


def has_literal_password(text: str, key: str = "") -> bool:
    """True if a text, the value of a key, is an address with a password in it that is not a placeholder.

    Raises ValueError for an address that is none.
    """
    if not _ADDRESS.match(text):
        if key != _ADDRESS_KEY:
            return False
        text = f"//{text}"
    if has_hidden_password(text):
        return True
    return any(map(is_literal, [urlsplit(text).password or "", *secret_values(text)]))


class Secrets:
    """Fills in placeholders, and hides what it filled in from texts."""

    def __init__(
        self,
        environment: Mapping[str, str] | None = None,
        key_ring: Callable[[str], str] = from_key_ring,
    ) -> None:
        """`environment` is this process's by default; `key_ring` returns '' for a name without an entry."""
        self._environment = os.environ if environment is None else environment
        self._key_ring = key_ring
        # A reload and the removal of devices fill in at the same time; one that was forgotten would not be hidden.
        self._lock = threading.Lock()
        self._filled: frozenset[str] = frozenset()
        self._digest_key = os.urandom(32)

    def _value(self, name: str) -> str:
        # Read each time: the key ring may have another one at the next reload.
        value = self._environment.get(name) or self._credential(name) or self._key_ring(name)
        if not value or len(value) > _LONGEST or not value.isprintable():
            raise UsageError(
                f"${{{name}}} has no value: set the variable {name}, or 'keyring set lightloom {name}'."
            )
        with self._lock:
            self._filled |= {value}
        return value

    def _credential(self, name: str) -> str:
        """Return a credential that systemd passed (LoadCredential=), '' for none."""
        folder = self._environment.get("CREDENTIALS_DIRECTORY", "")
        try:
            return read_regular(Path(folder) / name, _LONGEST).decode().strip() if folder else ""
        except (OSError, ValueError):
            return ""

    def filled(self, value: Any, key: str = "") -> Any:
        """Return a TOML value with its placeholders filled in, percent-encoded in addresses.

        Raises UsageError for a placeholder without a value.
        """
        if isinstance(value, dict):
            return {name: self.filled(each, name) for name, each in value.items()}
        if isinstance(value, list):
            return [self.filled(each, key) for each in value]
        if not isinstance(value, str):
            return value

        is_quoted = key == _ADDRESS_KEY or _ADDRESS.match(value) is not None

        def one(found: re.Match[str]) -> str:
            secret = self._value(found[1])
            return quote(secret, safe="") if is_quoted else secret

        return PLACEHOLDER.sub(one, value)

    def digest(self, filled: Any) -> str:
        """Return what tells one filled-in value from another, and nothing else: it is keyed by a random number of
        this object's, so that no password can be found by trying.
        """
        return hmac.new(self._digest_key, json.dumps(filled, default=str).encode(), "sha256").hexdigest()

    def hidden(self, text: str) -> str:
        """Return a text without the secrets that were filled in, in plain and percent-encoded form. Thread-safe."""
        forms = {form for value in self._filled for form in (value, quote(value, safe=""))}
        for form in sorted(forms, key=len, reverse=True):
            if len(form) >= _SHORTEST_HIDDEN:
                text = text.replace(form, HIDDEN)
        return text
