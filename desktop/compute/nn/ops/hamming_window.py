"""HammingWindow: a raised cosine on a pedestal, computed when the session is built.

https://onnx.ai/onnx/operators/onnx__HammingWindow.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.cosine_window import cosine_window

OPERATOR = cosine_window("HammingWindow", 25 / 46, 21 / 46, 0.0)
