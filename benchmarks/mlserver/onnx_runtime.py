"""A runtime for MLServer that runs an ONNX file by ONNX Runtime; `benchmarks/remote.py` has MLServer load it."""

from __future__ import annotations

import onnxruntime
from mlserver import MLModel
from mlserver.codecs import NumpyCodec
from mlserver.types import InferenceRequest, InferenceResponse


class OnnxModel(MLModel):
    """The file is the settings' `parameters.uri`."""

    async def load(self) -> bool:
        """Read the file."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            self.settings.parameters.uri, options, providers=["CPUExecutionProvider"]
        )
        return True

    async def predict(self, payload: InferenceRequest) -> InferenceResponse:
        """Run it."""
        feeds = {tensor.name: NumpyCodec.decode_input(tensor) for tensor in payload.inputs}
        names = [node.name for node in self._session.get_outputs()]
        found = self._session.run(names, feeds)
        return InferenceResponse(
            model_name=self.name,
            outputs=[NumpyCodec.encode_output(name, array) for name, array in zip(names, found, strict=True)],
        )
