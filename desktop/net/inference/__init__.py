"""The client of the Open Inference Protocol, version 2 (github.com/open-inference/open-inference-protocol): networks on a server."""
