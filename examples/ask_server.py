"""Ask `lightloom serve classifier` with Triton's client: python examples/ask_server.py [127.0.0.1:8001]

What goes in is the network's own tensor; a gray picture stands for one here. `lightloom classify` prepares
pictures of all kinds.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
import tritonclient.grpc as triton
from tritonclient.utils import InferenceServerException


def ask(address: str, picture: np.ndarray) -> np.ndarray:
    """Return what the classifier in the box says of a picture, float16 [1, 3, 192, 192]: [1, 1000]
    probabilities.
    """
    client = triton.InferenceServerClient(address)
    x = triton.InferInput("image", picture.shape, "FP16")
    x.set_data_from_numpy(picture)
    return client.infer("classifier", [x]).as_numpy("probabilities")


def main(arguments: Sequence[str]) -> int:
    """Print the number of the class on top; return the exit status."""
    address = arguments[0] if arguments else "127.0.0.1:8001"
    try:
        found = ask(address, np.zeros((1, 3, 192, 192), np.float16))
    except InferenceServerException as error:
        print(f"The server at {address} does not answer: {error.message()}", file=sys.stderr)
        return 1
    print(int(found.argmax()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
