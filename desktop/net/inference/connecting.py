"""Connect to an address: check permission, get the token, create the client for HTTP or gRPC."""

from __future__ import annotations

from desktop.base.errors import HostNotAllowedError
from desktop.base.wording import sentence
from desktop.net.inference.address import RemoteAddress
from desktop.net.inference.calls import note
from desktop.net.inference.grpc_client import GrpcInferenceClient
from desktop.net.inference.hosts import AllowedHosts
from desktop.net.inference.http_client import HttpInferenceClient
from desktop.net.inference.tokens import token_for
from desktop.net.inference.wire import InferenceClient


def connect(address: RemoteAddress) -> InferenceClient:
    """Return the client of a network without sending anything.

    This thread's current work may end it (calls.py). Raise HostNotAllowedError if the user has not allowed
    this host to receive images, ModelError if gRPC's packages are missing or the token cannot be sent.
    """
    if not AllowedHosts().allows(address):
        raise HostNotAllowedError(
            address.host,
            sentence(
                "The network {model} is on {host}, which would receive the images, and you have not "
                "allowed that; open it by its address in the window, or use 'lightloom remote allow "
                "{host2}'.",
                model=address.model,
                host=address.host,
                host2=address.host,
            ),
        )
    token = token_for(address)
    client = GrpcInferenceClient(address, token) if address.uses_grpc else HttpInferenceClient(address, token)
    note(client)
    return client
