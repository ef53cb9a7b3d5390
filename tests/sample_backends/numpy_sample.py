"""A backend of one file: onnx's reference implementation, which computes every operator with NumPy."""

from __future__ import annotations

import numpy as np
from onnx.reference import ReferenceEvaluator

from desktop.compute.nn.session import Session, SessionCapabilities, TensorInfo
from desktop.vision.backends.backend import Backend, Capabilities, LoadRequest
from desktop.vision.models.model_file import ModelFile


class NumpySession:
    """See `Session`."""

    backend, device, precision = "numpy", "NumPy", "fp32"
    capabilities = SessionCapabilities()

    def __init__(self, model: ModelFile, request: LoadRequest) -> None:
        self._network = ReferenceEvaluator(model.proto)
        shapes = request.input_shapes or {}
        self.inputs = tuple(
            self._info(node, shapes.get(node.name)) for node in self._network.proto_.graph.input
        )
        zeros = {info.name: np.zeros(info.shape, info.dtype) for info in self.inputs}
        self.outputs = tuple(TensorInfo(n, v.shape, str(v.dtype)) for n, v in self.run(zeros).items())

    @staticmethod
    def _info(node, given) -> TensorInfo:
        return TensorInfo(
            node.name, tuple(given or (d.dim_value for d in node.type.tensor_type.shape.dim)), "float32"
        )

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """See `Session.run`."""
        return dict(zip(self._network.output_names, self._network.run(None, feeds), strict=True))

    def close(self) -> None:
        """See `Session.close`."""


def load(model: ModelFile, request: LoadRequest) -> Session:
    """Read a network."""
    return NumpySession(model, request)


BACKEND = Backend(
    name="numpy",
    title="NumPy",
    capabilities=Capabilities(encodes=False, devices=("cpu",), precisions=("fp32",)),
    priority=0,
    load=load,
)
