"""From an address to a connection: whether it is allowed at all, the token, and which of the two ways the protocol travels."""

from __future__ import annotations

from desktop.base.errors import HostNotAllowedError
from desktop.base.wording import sentence
from desktop.net.inference.address import RemoteAddress
from desktop.net.inference.calls import note
from desktop.net.inference.grpc_server import GrpcServer
from desktop.net.inference.hosts import AllowedHosts
from desktop.net.inference.http_server import HttpServer
from desktop.net.inference.tokens import token_for
from desktop.net.inference.wire import InferenceServer


def connect(address: RemoteAddress) -> InferenceServer:
    """Return the way to a network; nothing is sent yet. The work that this thread is at may end it (calls.py).

    Raises:
        HostNotAllowedError: the user has not said that this host may get pictures.
        ModelError: what gRPC needs is not installed, or the token cannot be sent.
    """
    if not AllowedHosts().allows(address):
        raise HostNotAllowedError(
            address.host,
            sentence(
                "The network {model} is on {host}, which would get the pictures, and you have not allowed that; "
                "open it by its address in the window, or use 'lightloom remote allow {host2}'.",
                model=address.model,
                host=address.host,
                host2=address.host,
            ),
        )
    token = token_for(address)
    server = GrpcServer(address, token) if address.uses_grpc else HttpServer(address, token)
    note(server)
    return server
