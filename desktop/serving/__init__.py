"""Server of the Open Inference Protocol (v2) over HTTP and gRPC (docs/serving.md).

The front ends (`http_server.py`, `grpc_server.py`) live on one event loop and share a `Service`. Each
`ServedModel` has a bounded queue and a `Worker`, a thread that batches queued requests and runs them on the
sessions of its `SessionPool`. Only `lightloom serve` imports this package.

Specification: https://github.com/open-inference/open-inference-protocol; binary tensors, statistics and
loading are Triton's extensions (https://github.com/triton-inference-server/server/tree/main/docs/protocol).
"""
