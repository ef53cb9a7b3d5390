"""Ask `lightloom serve classifier` with Triton's client: python examples/ask_server.py [127.0.0.1:8001]

What goes in is the network's own tensor; a gray picture stands for one here. `lightloom classify` prepares pictures of all kinds.
"""

from __future__ import annotations

import sys

import numpy as np
import tritonclient.grpc as triton


def ask(address: str, picture: np.ndarray) -> np.ndarray:
    """Return what the classifier in the box says of a picture, float16 [1, 3, 192, 192]: [1, 1000] probabilities."""
    client = triton.InferenceServerClient(address)
    x = triton.InferInput("image", picture.shape, "FP16")
    x.set_data_from_numpy(picture)
    return client.infer("classifier", [x]).as_numpy("probabilities")


if __name__ == "__main__":
    found = ask(
        sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:8001", np.zeros((1, 3, 192, 192), np.float16)
    )
    print(int(found.argmax()))
