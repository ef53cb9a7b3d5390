"""Remote backend: networks on servers with the Open Inference Protocol, such as Triton and KServe."""

from __future__ import annotations

from typing import Final

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.session import Session
from desktop.vision.backends.backend import AvailableDevices, Backend, Capabilities, LoadRequest
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.remote import REMOTE


def _load(model: ModelFile, request: LoadRequest) -> Session:
    if model.remote is None:
        raise ModelUnsupportedError(
            sentence("{name} is on no server; choose another backend for it.", name=model.name)
        )
    # imported here, because it imports encoders of images
    from desktop.vision.backends._remote_session import RemoteSession

    lacking = model.facts.input_name if model.facts.lacks_batch else ""
    return RemoteSession(model.remote, request.input_shapes or {}, request.input_values or {}, lacking)


BACKEND: Final = Backend(
    name="remote",
    title="Server (Open Inference Protocol)",
    capabilities=Capabilities(
        encodes=False, devices=("server",), precisions=(), formats=(REMOTE,), offered=False
    ),
    priority=0,
    load=_load,
    find_devices=lambda: AvailableDevices(
        notes=(sentence("The address of a network names the server that computes it."),)
    ),
)
