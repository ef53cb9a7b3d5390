"""Start an inference server, query it by HTTP, end it: python examples/serve_and_query.py [MODEL.onnx]

The server speaks the Open Inference Protocol, as Triton and KServe do, so any of their clients will do; here
it is Python's own urllib. Needs the extra `serve`. docs/serving.md has the rest; ask_server.py asks by gRPC.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
from numpy.typing import NDArray


@contextmanager
def server(model: str) -> Iterator[str]:
    """Run `lightloom serve` for as long as the context lasts; give the address of its HTTP side."""
    command = [sys.executable, "-m", "lightloom", "serve", f"net={model}", "--http", "0", "--grpc", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        # It prints a line for each side once it listens: "HTTP 127.0.0.1:8000".
        for line in process.stdout:
            if line.startswith("HTTP "):
                yield f"http://{line.split()[1]}"
                return
        raise RuntimeError("the server ended before it listened; its reason is on standard error")
    finally:
        process.terminate()
        process.communicate()


def describe(address: str) -> dict[str, Any]:
    """Return the names, types and shapes of the network's inputs and outputs."""
    with urlopen(f"{address}/v2/models/net") as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def infer(address: str, name: str, array: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
    """Return the network's outputs for an input of 32-bit floats."""
    given = {"name": name, "datatype": "FP32", "shape": array.shape, "data": array.ravel().tolist()}
    request = Request(f"{address}/v2/models/net/infer", json.dumps({"inputs": [given]}).encode())
    with urlopen(request) as answer:
        outputs = json.load(answer)["outputs"]
    return {each["name"]: np.array(each["data"], np.float32).reshape(each["shape"]) for each in outputs}


def main(arguments: Sequence[str]) -> int:
    """Serve a network with an input of 32-bit floats and print what it gives for zeros; return the exit
    status.
    """
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    with server(arguments[0]) as address:
        (given,) = describe(address)["inputs"]
        zeros = np.zeros([max(1, size) for size in given["shape"]], np.float32)
        for name, values in infer(address, given["name"], zeros).items():
            print(name, values.shape, values.ravel()[:5])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
