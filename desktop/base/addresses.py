"""Addresses of hosts: 'scheme://host:port/path' to connect to, and 'HOST:PORT' to listen at or send to."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

LOOPBACK: Final = "127.0.0.1"
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
# A scheme without its two slashes, or a user with a password; one letter before a colon is a drive of Windows.
_SCHEMES: Final = "(?:rtsps?|rtmps?|https?|tcp|udp|rtp|srt|whips?|grpcs?)"
_INCOMPLETE: Final = re.compile(
    rf"{_SCHEMES}:(?!//)|(?:{_SCHEMES}[/\\]+)?[^/\\:]{{2,}}:.*@", re.IGNORECASE | re.DOTALL
)
_END_OF_HOST: Final = re.compile(r"[/?#]")
_IN_BRACKETS: Final = re.compile(r"(^|@)\[[^\]/?#@]*\]")
_QUERY_WITH_NAMES: Final = re.compile(r"[^?#]*\?[\w.\[\]-]+=[^#]*")
# No user has a name like this: an address of IPv4 or IPv6.
_NUMERIC_HOST: Final = re.compile(r"(?:\d{1,3}(?:\.\d{1,3}){3}|\[[^\]]*\])(?::\d{1,5})?")
_SEPARATORS: Final = re.compile(r"[^\w.-]+")
# In a path of some cameras: user=a_password=b_channel=1.
_NEXT_NAME: Final = re.compile(r"_[A-Za-z]+=")
# As cameras and services name them in a query or, as some cameras do, in a path: /user=a&password=b.
_SECRET_NAME: Final = re.compile(
    r"[\w.-]*(?:pass|passwd|password|passcode|pwd|token|secret|api[_-]?key)|pw|psw|auth|authorization|key|sig|signature",
    re.IGNORECASE,
)
_PORT: Final = re.compile(r":?([0-9]{1,5})")
_GREATEST_PORT: Final = 65535


def is_address(text: str) -> bool:
    """True for 'scheme://...', whatever the scheme."""
    return _ADDRESS.match(text) is not None


def is_incomplete_address(text: str) -> bool:
    """True for a text that is no address and looks like one of which the scheme or a slash is missing, as in
    'rtsp:/user:pw@host' and 'user:pw@host'. A file may have such a name; if there is none, do not repeat the text.
    """
    return not is_address(text) and _INCOMPLETE.match(text) is not None


def split_address(text: str) -> SplitResult:
    """Split an address that a network can connect to; it may lack a host.

    Raises:
        ValueError: the host has a space, a character that cannot be shown, an unmatched bracket, or between its
            dots nothing or more than 63 characters; or the port is no number from 1 to 65535.
    """
    # urlsplit leaves out line breaks and tabs, and `port` raises ValueError.
    parts = urlsplit(text)
    host = text.partition("://")[2] or text
    host = _END_OF_HOST.split(host, maxsplit=1)[0]
    if parts.port == 0 or not host.isprintable() or " " in host:
        raise ValueError(f"invalid host or port (address of {len(text)} characters)")
    _check_name(parts.hostname or "")
    return parts


def _check_name(host: str) -> None:
    # Python's sockets raise this while connecting, where only errors of the system are expected.
    try:
        host.encode("idna")
    except UnicodeError:
        raise ValueError(f"invalid host name ({len(host)} characters)") from None


def split_endpoint(text: str) -> tuple[str, int]:
    """Return host and port of 'HOST:PORT' or of 'PORT' alone, which is this machine's; port 0 is allowed, and an
    IPv6 address stands in brackets.

    Raises:
        ValueError: the text is neither.
    """
    if found := _PORT.fullmatch(text):
        host, port = LOOPBACK, int(found[1])
    else:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname or "", -1 if parts.port is None else parts.port
        if not host or parts.netloc != text or "@" in text or not host.isprintable() or " " in host:
            raise ValueError(f"invalid host (address of {len(text)} characters)")
        _check_name(host)
    if not 0 <= port <= _GREATEST_PORT:
        raise ValueError(f"invalid port (address of {len(text)} characters)")
    return host, port


def public_address(address: str) -> str:
    """Return an address without user, password, query and fragment, fit to be shown and logged. In its path all that
    follows a name such as 'password=' is replaced by an ellipsis.

    Where a character of a password may have ended the host ('rtsp://user:12/34@host/'), what precedes the last @ is
    replaced by an ellipsis, or all of it where the rest may be part of a query. Only the scheme remains of an address
    with an unmatched bracket.
    """
    scheme, _, rest = address.partition("://")
    if _is_ambiguous(address) and not _NUMERIC_HOST.fullmatch(_split_host(rest)[0].rpartition("@")[2]):
        if not _has_at_in_query(address):
            host, path = _split_host(rest.rpartition("@")[2])
            return f"{scheme}://…@{host}{_public_path(path)}"
        if not _has_clear_host(address):
            return f"{scheme}://…"
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return f"{scheme}://"
    if ":" in host:
        host = f"[{host}]"
    try:
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        port = ""
    return f"{parts.scheme}://{host}{port}{_public_path(parts.path)}"


def public_name(name: str) -> str:
    """Return the name of an input, fit to be shown, logged and written to results: of an address `public_address`,
    a path or another text as it is.
    """
    return public_address(name.strip()) if is_address(name.strip()) else name


def _split_host(rest: str) -> tuple[str, str]:
    """Return what follows '://' as user, host and port, and as the path, query and fragment."""
    host = _END_OF_HOST.split(rest, maxsplit=1)[0]
    return host, rest[len(host) :]


def _public_path(path: str) -> str:
    """Return a path without query, fragment and secrets."""
    return _redacted(re.split(r"[?#]", path, maxsplit=1)[0])


def _redacted(path: str) -> str:
    """Return a path without what follows the first name of a secret: the value may have any character in it."""
    start = _secret_start(path)
    return path[:start] + ("…" if path[start:] else "")


def _secret_start(text: str) -> int:
    """Return where the first secret begins in a path or a part of a query, such as 'user=a_password=b': behind its
    name; the length of the text if there is none.
    """
    start = 0
    for before in text.split("=")[:-1]:
        start += len(before) + 1
        # Cameras separate such pairs by & ; , | and others.
        if _SECRET_NAME.fullmatch(_SEPARATORS.split(unquote(before))[-1]):
            return start
    return len(text)


def secret_values(address: str) -> tuple[str, ...]:
    """Return the values in path, query and fragment that are secrets by their names, such as 'password'.

    Raises ValueError for an unmatched bracket.
    """
    parts = urlsplit(address)
    pairs = re.split(r"[/?&;,#]", f"{parts.path}?{parts.query}#{parts.fragment}")
    found = (_NEXT_NAME.split(pair[_secret_start(pair) :], maxsplit=1)[0] for pair in pairs)
    return tuple(filter(None, found))


def _is_ambiguous(address: str) -> bool:
    """Return True if a character of a password may have ended the host: the last @ is behind it, and a colon before that."""
    rest = address.partition("://")[2]
    before, at, _ = rest.rpartition("@")
    return bool(at and _END_OF_HOST.search(before) and ":" in _IN_BRACKETS.sub(r"\1", before))


def _has_at_in_query(address: str) -> bool:
    """Return True if the last @ of an address is in the value of a query, such as '?user=a&mail=b@c'."""
    behind = _split_host(address.partition("://")[2])[1]
    return _QUERY_WITH_NAMES.fullmatch(behind.rpartition("@")[0]) is not None


def _has_clear_host(address: str) -> bool:
    """Return True if what stands before the first of the characters / ? # is no user with a part of a password: a valid
    host that has a dot or brackets, or comes after a user and a password.
    """
    try:
        parts = split_address(address)
    except ValueError:
        return False
    user, at, host = parts.netloc.rpartition("@")
    # A user without a password is rather the first half of an email address, which is the user.
    return ":" in user if at else re.search(r"[.\]]|^localhost:", host) is not None


def has_hidden_password(address: str) -> bool:
    """Return True if a password with one of the characters / ? # has ended the host. An address with a clear host, or whose
    @ is in the value of a query, is taken as it stands.
    """
    return _is_ambiguous(address) and not (_has_clear_host(address) or _has_at_in_query(address))


def has_secrets(address: str) -> bool:
    """Return True if an address contains secrets (user name, password, query), which are stored only with consent."""
    try:
        parts = urlsplit(address)
        has_user = bool(parts.username or parts.password or parts.query)
        has_named = _redacted(parts.path) != parts.path or bool(secret_values(address))
        return has_user or has_named or _is_ambiguous(address)
    except ValueError:
        return True
