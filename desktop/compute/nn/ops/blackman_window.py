"""BlackmanWindow: a sum of two cosines, computed when the session is built.

https://onnx.ai/onnx/operators/onnx__BlackmanWindow.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.cosine_window import cosine_window

OPERATOR = cosine_window("BlackmanWindow", 0.42, 0.5, 0.08)
