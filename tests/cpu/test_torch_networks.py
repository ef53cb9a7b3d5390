"""Networks with layers of many kinds, as PyTorch's files: what they give is what PyTorch's own modules give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch_models import save_script  # noqa: E402

from desktop.compute.nn.frontends.pytorch.networks import load_network  # noqa: E402

nn, F = torch.nn, torch.nn.functional


class Grouped(nn.Module):
    """Dilated and grouped convolutions, group and instance normalization, a tensor whose strides are 0."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 12, 3, padding=2, dilation=2, groups=3)
        self.norm, self.other = nn.GroupNorm(4, 12), nn.InstanceNorm2d(6, affine=True)
        self.second, self.slope = nn.ConvTranspose2d(12, 6, 4, 2, 1, groups=2), nn.PReLU(6)
        self.register_buffer("scale", torch.full((1,), 3.0).expand(6))

    def forward(self, x: torch.Tensor) -> Any:
        y = self.slope(self.other(self.second(F.silu(self.norm(self.first(x))))))
        return y * self.scale[:, None, None], F.max_pool2d(y, 3, return_indices=True)


class Recurrent(nn.Module):
    """LSTM and GRU in both directions."""

    def __init__(self) -> None:
        super().__init__()
        self.long, self.gated = nn.LSTM(8, 16, 2, batch_first=True, bidirectional=True), nn.GRU(32, 5)

    def forward(self, x: torch.Tensor) -> Any:
        y, (h, c) = self.long(x)
        return self.gated(y)[0], h, c


class Attends(nn.Module):
    """Attention and what stands around it."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)

    def forward(self, x: torch.Tensor) -> Any:
        mask = torch.ones(6, 6).tril() > 0
        y = F.scaled_dot_product_attention(x, x, x, attn_mask=mask)
        return self.layer(y), x.masked_fill(x < 0, float("-inf")), torch.softmax(x, -1).std(1)


class Resized(nn.Module):
    """Resampling in all ways, to sizes that hang on the input's."""

    def forward(self, x: torch.Tensor) -> Any:
        large = F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)
        cubic = F.interpolate(x, scale_factor=2.0, mode="bicubic", align_corners=True)
        near = F.interpolate(large, size=[x.shape[2], x.shape[3]], mode="nearest")
        place = torch.full((1, 5, 5, 2), 0.3)
        return large + cubic, near.reshape(1, 3, -1).mean(-1), F.grid_sample(x, place, align_corners=False)


class Typed(nn.Module):
    """Several inputs and types, among them those whose export has checks that give nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.both = nn.Embedding(50, 8), nn.Bilinear(8, 8, 4)

    def forward(self, ids: torch.Tensor, x: torch.Tensor) -> Any:
        y = self.words(ids.to(torch.int64)).mean(1)
        return self.both(y, x).to(torch.float64).cumsum(1), x.topk(2)[0], x.argmax(1), x > 0


class Loops(nn.Module):
    """A loop whose length and steps hang on the input's size."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for i in range(1, x.shape[2], 5):
            x = torch.tanh(x) if i % 2 else x.roll(i, 2)
        return x


AUTO = torch.export.Dim.AUTO
CASES = {
    "grouped": (Grouped, ((1, 3, 20, 24),), None),
    "recurrent": (Recurrent, ((1, 7, 8),), None),
    "attends": (Attends, ((1, 6, 16),), None),
    "resized": (Resized, ((1, 3, 16, 18),), {"x": {2: AUTO, 3: AUTO}}),
    "typed": (Typed, (9, (1, 8)), None),
    "loops": (Loops, ((1, 3, 16, 16),), None),
}


def flat(value: Any) -> list[torch.Tensor]:
    return [value] if isinstance(value, torch.Tensor) else [each for part in value for each in flat(part)]


def given(shapes: tuple[Any, ...]) -> list[torch.Tensor]:
    """Numbers for each shape; whole ones where there is a length alone."""
    return [
        torch.arange(n, dtype=torch.int32)[None] if isinstance(n, int) else torch.randn(n) for n in shapes
    ]


@pytest.mark.parametrize("kind", [".pt2", ".pt"])
@pytest.mark.parametrize("case", CASES)
def test_layers_of_all_kinds_give_what_pytorch_gives(tmp_path: Path, case: str, kind: str) -> None:
    made, shapes, free = CASES[case]
    torch.manual_seed(0)
    net, inputs, path = made().eval(), given(shapes), tmp_path / f"net{kind}"
    if kind == ".pt":
        save_script(net, path)
    else:
        torch.export.save(torch.export.export(net, tuple(inputs), dynamic_shapes=free), path)
    network = load_network(path.read_bytes(), kind, path.name, "cpu")
    if free:
        inputs = [torch.randn(1, 3, 30, 22)]
    with torch.inference_mode():
        found, expected = list(network.call(*inputs).values()), flat(net(*inputs))
    assert [(each.shape, each.dtype) for each in found] == [(each.shape, each.dtype) for each in expected]
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-5)


class Twice(nn.Module):
    """Two dictionaries with the same key."""

    def forward(self, x: torch.Tensor) -> list[dict[str, torch.Tensor]]:
        return [{"box": x}, {"box": x + 1.0}]


def test_outputs_of_one_name_are_all_given(tmp_path: Path) -> None:
    Twice.forward.__annotations__ |= {"x": torch.Tensor, "return": list[dict[str, torch.Tensor]]}
    path = save_script(Twice(), tmp_path / "net.pt")
    found = load_network(path.read_bytes(), ".pt", path.name, "cpu").call(torch.zeros(1))
    assert {name: float(tensor) for name, tensor in found.items()} == {"box": 0.0, "box_": 1.0}
