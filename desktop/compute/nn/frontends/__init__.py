"""Model files to graphs: ONNX, its external data, its functions inlined, its structure checked."""
