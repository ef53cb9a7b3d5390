"""Tensors in system shared memory, by Triton's clients and by hand."""

from __future__ import annotations

import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import tritonclient.grpc as triton_grpc
import tritonclient.http as triton_http
from serving_rig import ServerRig, affine_model
from tritonclient.utils import InferenceServerException, shared_memory
from waiting import LIMIT_S, until

from desktop.base.errors import ServingError
from desktop.net.inference.wire import SharedPart
from desktop.serving.limits import Limits
from desktop.serving.service import InferenceRequest, SharedInput
from desktop.serving.shared_memory import FOLDER, SharedRegions

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="served on Linux only")
SIDES = {"grpc": triton_grpc, "http": triton_http}
KEY = f"lightloom-test-{os.getpid()}"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return affine_model(tmp_path_factory.mktemp("shared") / "affine.onnx")


@pytest.fixture(scope="module")
def rig(model):
    regions = SharedRegions()
    limits = Limits(request_bytes=1 << 20, in_flight_bytes=1 << 20)
    with ServerRig({"affine": model}, limits=limits, regions=regions) as found:
        yield found
    regions.close()


@pytest.fixture(params=SIDES)
def side(request, rig):
    module = SIDES[request.param]
    with module.InferenceServerClient(getattr(rig, request.param)) as client:
        yield module, client
        client.unregister_system_shared_memory()


@pytest.fixture
def region():
    handle = shared_memory.create_shared_memory_region("frames", KEY, 256)
    yield handle
    shared_memory.destroy_shared_memory_region(handle)


def shared_input(module, size=32, offset=0):
    found = module.InferInput("x", [2, 4], "FP32")
    found.set_shared_memory("frames", size, offset)
    return found


def test_inputs_and_outputs_are_shared(side, region):
    module, client = side
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    shared_memory.set_shared_memory_region(region, [x], 16)
    client.register_system_shared_memory("frames", f"/{KEY}", 240, 16)
    output = module.InferRequestedOutput("y")
    output.set_shared_memory("frames", 64, 128)
    found = client.infer("affine", [shared_input(module)], outputs=[output])
    said = found.get_output("y")
    assert np.array_equal(shared_memory.get_contents_as_numpy(region, np.float32, [2, 4], 144), 2 * x + 1)
    assert list(said.shape if module is triton_grpc else said["shape"]) in ([2, 4], ["2", "4"])
    # An output in the response beside inputs in shared memory, and the other way round.
    assert np.array_equal(client.infer("affine", [shared_input(module)]).as_numpy("y"), 2 * x + 1)
    sent = module.InferInput("x", [2, 4], "FP32")
    sent.set_data_from_numpy(x + 1)
    client.infer("affine", [sent], outputs=[output])
    assert np.array_equal(shared_memory.get_contents_as_numpy(region, np.float32, [2, 4], 144), 2 * x + 3)


def test_regions_are_listed_and_unregistered(side, region):
    module, client = side
    client.register_system_shared_memory("frames", f"/{KEY}", 128, 64)
    client.register_system_shared_memory("others", KEY, 256)
    status = client.get_system_shared_memory_status()
    listed = status.regions.values() if module is triton_grpc else status
    names = {
        (each.name, each.byte_size) if module is triton_grpc else (each["name"], each["byte_size"])
        for each in listed
    }
    assert names == {("frames", 128), ("others", 256)}
    client.unregister_system_shared_memory("frames")
    client.unregister_system_shared_memory("frames")
    with pytest.raises(InferenceServerException, match="no region 'frames'"):
        client.get_system_shared_memory_status("frames")
    with pytest.raises(InferenceServerException, match="no region 'frames'"):
        client.infer("affine", [shared_input(module)])


def test_wrong_parts_are_refused(side, region):
    module, client = side
    client.register_system_shared_memory("frames", f"/{KEY}", 256)
    with pytest.raises(InferenceServerException, match="has 32 bytes, not 31"):
        client.infer("affine", [shared_input(module, 31)])
    with pytest.raises(InferenceServerException, match="not within the 256 of the region"):
        client.infer("affine", [shared_input(module, 32, 230)])
    output = module.InferRequestedOutput("y")
    output.set_shared_memory("frames", 31, 0)
    with pytest.raises(InferenceServerException, match="An output has 32 bytes, and its place"):
        client.infer("affine", [shared_input(module)], outputs=[output])
    with pytest.raises(InferenceServerException, match="already; unregister it first"):
        client.register_system_shared_memory("frames", f"/{KEY}", 256)


def test_a_region_that_is_cut_off_is_told_of(rig, region):
    with triton_http.InferenceServerClient(rig.http) as client:
        client.register_system_shared_memory("frames", f"/{KEY}", 256)
        os.truncate(FOLDER / KEY, 8)
        with pytest.raises(InferenceServerException, match="was cut off"):
            client.infer("affine", [shared_input(triton_http)])
        client.unregister_system_shared_memory()
        os.truncate(FOLDER / KEY, 256)
    assert rig.service.held == 0


@pytest.mark.parametrize(
    ("key", "offset", "size", "said"),
    [
        ("../etc/passwd", 0, 1, "no key of shared memory"),
        ("/a/b", 0, 1, "no key of shared memory"),
        ("", 0, 1, "no key of shared memory"),
        ("/..", 0, 1, "no key of shared memory"),
        ("/{ours}-none", 0, 1, "create it first"),
        ("/{ours}", 0, 257, "has 256 bytes, less than the 257"),
        ("/{ours}", 250, 7, "less than the 257"),
        ("/{ours}", -1, 7, "'offset' is -1"),
        ("/{ours}", 0, 0, "'byte_size' is 0"),
        ("/{ours}", 0, True, "'byte_size' is True"),
        ("/{ours}", 0, 1 << 62, "'byte_size' is"),
    ],
)
def test_wrong_regions_are_refused(region, key, offset, size, said):
    # The process's number is not in the parameters: each worker would have tests of other names.
    regions = SharedRegions()
    with pytest.raises(ServingError, match=r".") as caught:
        regions.register("frames", key.format(ours=KEY), offset, size)
    assert said in str(caught.value)


def test_links_and_too_many_regions_are_refused(region, tmp_path):
    regions = SharedRegions()
    link = FOLDER / f"{KEY}-link"
    link.symlink_to(tmp_path)
    try:
        with pytest.raises(ServingError, match="cannot be opened"):
            regions.register("frames", link.name, 0, 1)
    finally:
        link.unlink()
    for number in range(256):
        regions.register(str(number), KEY, 0, 1)
    with pytest.raises(ServingError, match="256 regions are registered"):
        regions.register("one more", KEY, 0, 1)
    assert len(regions.status()) == 256
    regions.close()
    assert regions.status() == []
    with pytest.raises(ServingError, match="no region '0'"):
        regions.read(SharedPart("0", 0, 1))


def test_a_copy_holds_up_no_other_client(region):
    size = 1 << 29
    os.truncate(FOLDER / KEY, size)  # of holes, which take no memory
    regions = SharedRegions()
    regions.register("frames", KEY, 0, size)
    begun = time.monotonic()
    reader = threading.Thread(target=regions.read, args=(SharedPart("frames", 0, size),))
    reader.start()
    longest = 0.0
    while reader.is_alive():
        before = time.monotonic()
        regions.status()
        longest = max(longest, time.monotonic() - before)
        time.sleep(0.001)
    assert longest < (time.monotonic() - begun) / 10
    # What is unregistered while it is copied is copied to its end.
    found = []
    reader = threading.Thread(target=lambda: found.append(regions.read(SharedPart("frames", 0, size))))
    reader.start()
    time.sleep(0.01)
    regions.close()
    reader.join()
    assert len(found[0]) == size


class StuckRegions(SharedRegions):
    """Regions that are read once `is_free` is set."""

    def __init__(self):
        super().__init__()
        self.is_free = threading.Event()

    def read(self, part):
        assert self.is_free.wait(LIMIT_S)
        return super().read(part)


def test_reading_inputs_counts_towards_the_deadline_and_few_wait_for_it(model, region):
    regions = StuckRegions()
    regions.register("frames", KEY, 0, 256)
    limits = Limits(answer_s=0.2, queue=40)
    with ServerRig({"affine": model}, limits=limits, regions=regions) as rig:
        sides = [(module, getattr(rig, name)) for name, module in SIDES.items()]
        late = pytest.raises(InferenceServerException, match=r"did not answer within 0\.2 seconds")
        for module, address in sides:
            with module.InferenceServerClient(address) as client, late:
                client.infer("affine", [shared_input(module)])
        # Those that wait for a thread are given up, those that are read are not.
        part = SharedPart("frames", 0, 32)
        request = InferenceRequest(
            {}, ("y",), answer_s=LIMIT_S, shared={"x": SharedInput("FP32", (2, 4), part)}
        )
        rig.service.limits = replace(limits, answer_s=LIMIT_S)

        def ask():
            try:
                rig.service.infer_here(rig.model("affine"), request, lambda _: None)
            except ServingError as error:
                return error.kind
            return "answered"

        with ThreadPoolExecutor(60) as pool:
            asked = [pool.submit(ask) for _ in range(60)]
            until(lambda: sum(each.done() for each in asked) >= 20)
            assert {each.result() for each in asked if each.done()} == {"full"}
            regions.is_free.set()
            kinds = [each.result() for each in asked]
        assert 38 <= kinds.count("answered") <= 40
        until(lambda: rig.service.held == 0)
        # There is room again.
        assert ask() == "answered"
    regions.close()


def test_it_is_off_by_default(model, region):
    with ServerRig({"affine": model}) as rig:
        for name, module in SIDES.items():
            with module.InferenceServerClient(getattr(rig, name)) as client:
                known = client.get_server_metadata()
                extensions = known.extensions if module is triton_grpc else known["extensions"]
                assert "system_shared_memory" not in extensions
                with pytest.raises(InferenceServerException, match="--shared-memory allows it"):
                    client.register_system_shared_memory("frames", f"/{KEY}", 256)
                with pytest.raises(InferenceServerException, match="--shared-memory allows it"):
                    client.infer("affine", [shared_input(module)])
