"""Every backend on every device found here as a benchmark candidate, loaded as for a user."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from desktop.bench.inference.candidate import HOST, Candidate, wall
from desktop.bench.inference.networks import Network, module
from desktop.bench.inference.peers import Feeds, Peer, PeerError
from desktop.compute.nn.frontends.formats import ONNX
from desktop.vision.backends import backends
from desktop.vision.backends.backend import Backend
from desktop.vision.backends.loader import load_session


def device_peers() -> dict[str, Peer]:
    """Return a peer per backend and device, such as 'onnxruntime:cpu'; without the engine itself."""
    return {
        f"{backend.name}:{device.name}": partial(_candidates, backend, device.name)
        for backend in backends()
        for device in backend.find_devices().devices
    }


def _candidates(
    backend: Backend, device: str, network: Network | None, path: Path, feeds: Feeds
) -> Iterator[Candidate]:
    file = path if ONNX in backend.capabilities.formats else _exported(network, path, feeds)
    begin = time.perf_counter()
    session = load_session(file, gpu=None, backend=backend.name, device=device).session
    # The names of an export of PyTorch's are its own.
    arrays = dict(zip((info.name for info in session.inputs), feeds.values(), strict=True))
    session.run(arrays)
    yield Candidate(
        f"{backend.name}:{device}",
        session.precision,
        HOST,
        wall(partial(session.run, arrays)),
        time.perf_counter() - begin,
        close=session.close,
    )


def _exported(network: Network | None, path: Path, feeds: Feeds) -> Path:
    if network is None:
        raise PeerError("PyTorch runs its own networks only")
    target = path.with_suffix(".pt2")
    if not target.exists():
        import torch

        picture = torch.from_numpy(next(iter(feeds.values())))
        torch.export.save(torch.export.export(module(network), (picture,)), target)
    return target
