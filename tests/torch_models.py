"""Networks in PyTorch's formats, made of plain layers with random weights."""

from __future__ import annotations

import json
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")


class Block(torch.nn.Module):
    """A residual block of He et al. 2016, figure 2."""

    def __init__(self, inner: int, outer: int, stride: int) -> None:
        super().__init__()
        self.first = torch.nn.Conv2d(inner, outer, 3, stride, 1, bias=False)
        self.first_norm = torch.nn.BatchNorm2d(outer)
        self.second = torch.nn.Conv2d(outer, outer, 3, 1, 1, bias=False)
        self.second_norm = torch.nn.BatchNorm2d(outer)
        self.way = torch.nn.Conv2d(inner, outer, 1, stride) if stride > 1 else torch.nn.Identity()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(self.first_norm(self.first(x)))
        return torch.relu(self.second_norm(self.second(y)) + self.way(x))


def resnet18(classes: int = 1000) -> torch.nn.Module:
    """ResNet-18 in evaluation mode, with batch normalizations that do something."""
    torch.manual_seed(0)
    layers: list[torch.nn.Module] = [
        torch.nn.Conv2d(3, 64, 7, 2, 3, bias=False),
        torch.nn.BatchNorm2d(64),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(3, 2, 1),
    ]
    inner = 64
    for outer, stride in ((64, 1), (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1)):
        layers.append(Block(inner, outer, stride))
        inner = outer
    net = torch.nn.Sequential(
        *layers, torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(512, classes)
    )
    for each in net.modules():
        if isinstance(each, torch.nn.BatchNorm2d):
            each.running_mean.normal_(0, 0.1)
            each.running_var.uniform_(0.5, 1.5)
    return net.eval()


def small() -> torch.nn.Module:
    """A network of two layers for pictures of 32 x 32."""
    torch.manual_seed(1)
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 4, 3, 2, 1), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(1024, 5)
    ).eval()


def save_exported(net: torch.nn.Module, path: Path, size: int) -> Path:
    """Write a `.pt2` for pictures of a size."""
    torch.export.save(torch.export.export(net, (torch.zeros(1, 3, size, size),)), path)
    return path


def save_script(net: torch.nn.Module, path: Path, *, traced: int = 0) -> Path:
    """Write a TorchScript file; traced for pictures of a size, or scripted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = torch.jit.trace(net, torch.zeros(1, 3, traced, traced)) if traced else torch.jit.script(net)
        torch.jit.save(made, str(path))
    return path


def save_onnx(net: torch.nn.Module, path: Path, size: int) -> Path:
    """Write an ONNX file of the same weights."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(net, (torch.zeros(1, 3, size, size),), path, dynamo=False, opset_version=17)
    return path


def changed(path: Path, target: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """Write an archive whose records were changed, added or taken away; names are without their folder."""
    with zipfile.ZipFile(path) as archive:
        folder = archive.namelist()[0].partition("/")[0]
        records = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
    change(records)
    with zipfile.ZipFile(target, "w") as made:
        for name, data in records.items():
            made.writestr(f"{folder}/{name}", data)
    return target


def changed_json(record: str, change: Callable[[Any], None]) -> Callable[[dict[str, bytes]], None]:
    """A change of a record that is JSON."""

    def apply(records: dict[str, bytes]) -> None:
        value = json.loads(records[record])
        change(value)
        records[record] = json.dumps(value).encode()

    return apply
