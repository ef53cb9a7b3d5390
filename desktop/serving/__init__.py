"""The server of the Open Inference Protocol (v2): networks answer over HTTP and gRPC (docs/serving.md).

Requests come in by a front end (`http_server.py`, `grpc_server.py`), both of which live on one event loop and share a `Service`. A
`ServedModel` has a queue, which is bounded, and a `Worker`: one thread that joins what waits and runs it on the sessions of its
`SessionPool`. Nothing here is imported by the rest of the program but by `lightloom serve`.

Specification: https://github.com/open-inference/open-inference-protocol; binary tensors, statistics and loading are Triton's extensions
(https://github.com/triton-inference-server/server/tree/main/docs/protocol).
"""
