"""HannWindow: a raised cosine, computed when the session is built.

https://onnx.ai/onnx/operators/onnx__HannWindow.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.cosine_window import cosine_window

OPERATOR = cosine_window("HannWindow", 0.5, 0.5, 0.0)
