"""Networks of the benchmark, exported from PyTorch and torchvision, with random (seeded) weights.

The style network is Johnson's (Johnson, Alahi, Fei-Fei, "Perceptual losses for real-time style transfer and
super-resolution", ECCV 2016) with instance normalization, reflection padding and nearest upsampling.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import UsageError


@dataclass(frozen=True)
class Network:
    """Network to measure, with a float32 input (1, 3, size, size); `make` builds the `torch.nn.Module`."""

    name: str
    size: int
    make: Callable[[], Any]


def _torchvision(name: str) -> Callable[[], Any]:
    def make() -> Any:
        import torchvision

        return getattr(torchvision.models, name)(weights=None)

    return make


def _style() -> Any:
    from torch import nn

    def conv(inputs: int, outputs: int, kernel: int, stride: int = 1) -> list[Any]:
        return [nn.ReflectionPad2d(kernel // 2), nn.Conv2d(inputs, outputs, kernel, stride)]

    def block(inputs: int, outputs: int, kernel: int, stride: int = 1) -> list[Any]:
        return [*conv(inputs, outputs, kernel, stride), nn.InstanceNorm2d(outputs, affine=True), nn.ReLU()]

    class Residual(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            layers = [*block(128, 128, 3), *conv(128, 128, 3), nn.InstanceNorm2d(128, affine=True)]
            self.body = nn.Sequential(*layers)

        def forward(self, x: Any) -> Any:
            return x + self.body(x)

    up = nn.Upsample(scale_factor=2, mode="nearest")
    layers = [
        *block(3, 32, 9),
        *block(32, 64, 3, 2),
        *block(64, 128, 3, 2),
        *(Residual() for _ in range(5)),
        up,
        *block(128, 64, 3),
        up,
        *block(64, 32, 3),
        *conv(32, 3, 9),
    ]
    # Not the numbers that Sequential gives by itself: pnnx makes Python names of them.
    return nn.Sequential(OrderedDict((f"layer{index}", layer) for index, layer in enumerate(layers)))


NETWORKS: Final = (
    Network("squeezenet1_1", 224, _torchvision("squeezenet1_1")),
    Network("mobilenet_v2", 224, _torchvision("mobilenet_v2")),
    Network("mobilenet_v3_large", 224, _torchvision("mobilenet_v3_large")),
    Network("resnet50", 224, _torchvision("resnet50")),
    Network("style512", 512, _style),
)


def has_torch() -> bool:
    """True where torch and torchvision can be imported."""
    from importlib.util import find_spec

    return find_spec("torch") is not None and find_spec("torchvision") is not None


def module(network: Network) -> Any:
    """Return the network in evaluation mode, with reproducible weights; raise UsageError without PyTorch."""
    if not has_torch():
        raise UsageError(
            f"The network '{network.name}' is exported from torchvision, which is not installed; "
            "install torch and torchvision or give ONNX files with --models."
        )
    import torch

    torch.manual_seed(0)
    made = network.make().eval()
    with torch.no_grad():
        for each in made.modules():
            if isinstance(each, torch.nn.BatchNorm2d):
                # Fresh statistics are 0 and 1, which exporters fold to nothing.
                each.running_mean.normal_(0, 0.1)
                each.running_var.uniform_(0.5, 1.5)
    return made


def export(network: Network, folder: Path) -> Path:
    """Write ONNX (opset 17, float32, fixed shapes) unless it exists; raise UsageError as `module` does."""
    path = folder / f"{network.name}.onnx"
    if path.exists():
        return path
    import torch

    picture = torch.zeros(1, 3, network.size, network.size)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module(network),
            (picture,),
            str(path),
            opset_version=17,
            input_names=["input"],
            output_names=["output"],
            dynamo=False,
        )
    return path
