"""Server address argument shared by the `remote` commands."""

from __future__ import annotations

from desktop.base.errors import UsageError
from desktop.net.inference.address import RemoteAddress, parse_address


def server_named(text: str) -> RemoteAddress:
    """Parse 'host', 'host:port' or the address of a server's network; raise UsageError for other texts."""
    if "://" in text:
        return parse_address(text)
    try:
        return parse_address(f"grpc://{text}/any")
    except UsageError as error:
        raise UsageError("This is no name of a host; give it as host, or host:port.") from error
