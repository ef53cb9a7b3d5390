"""Two GPUs of one name are two, and each can be chosen: with stand-ins, as few machines have them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from desktop.base.errors import NoAdapterError
from desktop.compute.gpu import device
from desktop.compute.gpu.dawn import adapters as dawn

H100 = "NVIDIA H100"


def adapter(name, backend="Vulkan", kind="DiscreteGPU", **properties):
    info = {"device": name, "backend_type": backend, "adapter_type": kind, "vendor": "", "description": "1.0"}
    return SimpleNamespace(info=info, properties=properties)


@pytest.fixture
def machine(monkeypatch):
    listed = [
        adapter(H100),
        adapter(H100),
        adapter("llvmpipe", kind="CPU"),
        adapter(H100, "OpenGL"),
        adapter(H100, "OpenGL"),
    ]
    monkeypatch.setattr(device.webgpu, "listed", lambda: listed)
    return listed


def test_each_of_them_has_a_name_of_its_own(machine):
    found = device.list_adapters()
    assert [str(info) for info in found] == [
        "NVIDIA H100 (Vulkan, discrete)",
        "NVIDIA H100 no. 2 (Vulkan, discrete)",
        "NVIDIA H100 (OpenGL, discrete)",
        "NVIDIA H100 no. 2 (OpenGL, discrete)",
        "llvmpipe (Vulkan, software)",
    ]
    assert len(set(found)) == len(found)
    # What is measured and kept holds for both.
    assert {info.name for info in found if not info.is_software} == {H100}


def chosen(name):
    """The adapter that is tried first, by what it says of itself and as the library has it."""
    return device._candidates(name)[0]


def test_each_of_them_can_be_chosen_by_it(machine):
    for info in device.list_adapters():
        assert chosen(info.choice)[0] == info
    assert chosen("h100 no. 2")[1] is machine[1]
    assert chosen("h100")[1] is machine[0]
    assert [chosen(f"#{n}")[1] for n in range(3)] == [machine[0], machine[1], machine[0]]
    with pytest.raises(NoAdapterError, match=r"no\. 3"):
        chosen("h100 no. 3")


def test_dawn_lists_both_and_what_is_listed_twice_once():
    first, second = ({"device_uuid": bytes([n] * 16), "driver_uuid": bytes(16)} for n in (1, 2))
    every = [
        adapter(H100, vulkan_uuids=first),
        adapter(H100, vulkan_uuids=second),
        adapter(H100, vulkan_uuids=second),
        adapter("GeForce", "D3D12", d3d={"luid": 7}),
        adapter("GeForce", "D3D12", d3d={"luid": 8}),
        adapter("Apple M2", "Metal"),
        adapter("Apple M2", "Metal"),
        adapter("Null backend", "Null"),
    ]
    extensions = SimpleNamespace(get_adapter_properties=lambda each: each.properties)
    api = SimpleNamespace(_enumerate_all_adapters=lambda: every)
    assert dawn.listed(api, extensions) == [every[0], every[1], *every[3:7]]
    # A version that has no such list has its own.
    api = SimpleNamespace(enumerate_adapters_sync=lambda: every[:1])
    assert dawn.listed(api, extensions) == every[:1]
