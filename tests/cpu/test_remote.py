"""Networks on inference servers: results are those of the same network here, and nothing that a server does
hurts.
"""

from __future__ import annotations

import contextlib
import random
import threading
import time
import types

import numpy as np
import onnx
import pytest
from inference_rig import ALL, BINARY, SHARED, InferenceServer, Network, certificate, free_port
from key_ring import key_ring
from onnx import TensorProto, helper
from tiny_models import fixed_network, red_or_blue_model, square_detector

from desktop.base.errors import (
    HostNotAllowedError,
    ModelAwayError,
    ModelError,
    ModelUnsupportedError,
    UsageError,
)
from desktop.base.wording import Text
from desktop.net.inference import tokens
from desktop.net.inference.address import as_named, is_remote, parse_address
from desktop.net.inference.breaker import Breaker, retried
from desktop.net.inference.grpc_client import GrpcInferenceClient
from desktop.net.inference.hosts import AllowedHosts
from desktop.net.inference.wire import CallFailed
from desktop.pipeline.running.inputs.input_facts import read_input_facts, save_input
from desktop.vision.backends import backend_choices
from desktop.vision.backends._remote_session import RemoteSession
from desktop.vision.backends.loader import load_session
from desktop.vision.backends.onnxruntime import OnnxRuntimeSession
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks import recognize

WAYS = ("http", "grpc")


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("LIGHTLOOM_REMOTE", str(tmp_path / "remote"))
    monkeypatch.delenv(tokens.VARIABLE, raising=False)


@pytest.fixture
def detector(tmp_path):
    return square_detector(tmp_path / "squares.onnx")


@contextlib.contextmanager
def serving(path, *arguments, parameters=None, **options):
    network = path if isinstance(path, Network) else Network.of_onnx(path, parameters)
    server = InferenceServer(network, *arguments, **options)
    try:
        yield server
    finally:
        server.close()


@contextlib.contextmanager
def session_of(address, **options):
    session = load_session(address, gpu=None, **options).session
    try:
        yield session
    finally:
        session.close()


def picture(session, seed=0):
    chance = np.random.default_rng(seed)
    return {i.name: (chance.random(i.shape) * 255).astype(i.dtype) for i in session.inputs}


class Resting:
    """A session whose breaker is on a clock that is turned by hand."""

    def __init__(self, address):
        self._now = 1000.0
        breaker = Breaker(lambda: self._now)
        self.session = RemoteSession(ModelFile.open(address).remote, {}, {}, breaker=breaker)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session.close()

    def rest(self):
        """Let the breaker's pause pass."""
        self._now += self.session.pause_s


def until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


# -- results -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", [False, True])
@pytest.mark.parametrize("extensions", [ALL, (), (*ALL, SHARED)], ids=["bytes", "plain", "shared"])
def test_results_are_those_of_onnx_runtime_here(detector, extensions, typed):
    local = OnnxRuntimeSession.load(detector)
    with serving(detector, extensions, typed=typed) as server:
        for address in (server.http, server.grpc):
            with session_of(address) as session:
                assert session.capabilities.remote is session and session.backend == "remote"
                assert (session.inputs, session.outputs) == (local.inputs, local.outputs)
                assert ("shared memory" in session.device) == (SHARED in extensions)
                for seed in range(3):
                    feeds = picture(local, seed)
                    want, got = local.run(feeds), session.run(feeds)
                    for name in want:
                        np.testing.assert_allclose(got[name], want[name], atol=1e-6, rtol=0)
        assert not server.regions  # given back


@pytest.mark.parametrize("way", WAYS)
def test_free_sizes_are_asked_for_or_found(tmp_path, way):
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node("NonZero", ["x"], ["places"]), helper.make_node("Relu", ["x"], ["y"])],
        "free",
        [value("x", TensorProto.FLOAT, ["n", 3, "h", "w"])],
        [value("y", TensorProto.FLOAT, ["n", 3, "h", "w"]), value("places", TensorProto.INT64, [4, "found"])],
    )
    path = tmp_path / "free.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    with (
        serving(path) as server,
        session_of(getattr(server, way), input_shapes={"x": (1, 3, 8, 6)}) as session,
    ):
        assert session.inputs[0].shape == (1, 3, 8, 6) and session.outputs[0].shape == (1, 3, 8, 6)
        array = np.random.default_rng(3).standard_normal((1, 3, 8, 6)).astype(np.float32)
        found = session.run({"x": array})
        np.testing.assert_array_equal(found["y"], np.maximum(array, 0))
        np.testing.assert_array_equal(found["places"], np.array(np.nonzero(array)))
        with pytest.raises(ModelError, match="takes float32"):
            session.run({"x": array[:, :, :4]})
        with pytest.raises(ModelError, match="takes the inputs"):
            session.run({"z": array})
    with serving(path) as server, pytest.raises(ModelUnsupportedError, match="give it a shape that fits"):
        load_session(getattr(server, way), gpu=None, input_shapes={"x": (1, 4, 8, 6)})


@pytest.mark.parametrize("way", WAYS)
def test_pictures_go_as_jpeg_to_who_takes_bytes(way):
    import cv2

    def mean(feeds):
        data = feeds["jpeg"].reshape(-1)[0]
        assert data[:2] == b"\xff\xd8"
        rgb = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)[..., ::-1]
        assert rgb.shape == (40, 60, 3)
        return {"mean": rgb.reshape(-1, 3).mean(0, dtype=np.float64).astype(np.float32)[None]}

    network = Network([("jpeg", "BYTES", [-1, 1])], [("mean", "FP32", [-1, 3])], mean)
    with serving(network, ALL) as server:
        file = ModelFile.open(getattr(server, way))
        assert (file.facts.input_dtype, file.facts.input_shape) == ("uint8", (1, 0, 0, 3))
        with session_of(file, input_shapes={"jpeg": (1, 40, 60, 3)}) as session:
            assert session.inputs[0].dtype == "uint8" and "JPEG" in session.device
            flat = np.full((1, 40, 60, 3), (200, 100, 50), np.uint8)
            # Of one color a JPEG of this quality keeps it to a code value or two.
            np.testing.assert_allclose(session.run({"jpeg": flat})["mean"], [[200, 100, 50]], atol=2)


# -- what it is ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_a_task_is_known_by_shapes_parameters_and_what_stands_beside(tmp_path, way, detector):
    with serving(detector) as server:
        assert recognize(ModelFile.open(getattr(server, way))).task.id == "detection"
    scores = np.full((1, 5), 0.2, np.float32)
    classifier = fixed_network(tmp_path / "five.onnx", {"scores": scores}, (32, 32))
    said = {"task": "classification", "labels": "one,two,three,four,five"}
    with serving(classifier, parameters=said) as server:
        file = ModelFile.open(getattr(server, way))
        assert file.facts.metadata == said and recognize(file).task.id == "classification"
        assert file.facts.softmax  # it gives probabilities, which no metadata say
        assert file.named == as_named(getattr(server, way)) and file.name == "net" and file.is_current()
        file.release()
        assert file.facts.outputs[0].shape == (1, 5) and file.proto.graph.output[0].name == "scores"
    logits = fixed_network(tmp_path / "logits.onnx", {"scores": 5 * scores}, (32, 32))
    with serving(logits) as server:
        assert not ModelFile.open(getattr(server, way)).facts.softmax


def test_what_the_user_says_is_kept_beside_it(tmp_path):
    with serving(red_or_blue_model(tmp_path / "colors.onnx")) as server:
        found = read_input_facts(server.http)
        assert found.model == server.http
        labels = tmp_path / "names.txt"
        labels.write_text("reddish\nbluish\n")
        save_input(found, {"scale": "0..255"}, "classification", labels)
        again = read_input_facts(server.http)
        assert again.plan.scale == "0..255" and again.task == "classification"
        assert again.labels.startswith("net.labels.txt")


def test_it_is_chosen_by_the_address_and_for_nothing_else(detector):
    assert "remote" not in backend_choices()  # it is no choice: an address has it, a file cannot
    with serving(detector) as server:
        loaded = load_session(server.http, gpu=None)
        loaded.session.close()
        assert loaded.reason == "its address names a server."
        with pytest.raises(
            ModelUnsupportedError, match="is computed by its server; choose the backend 'auto'"
        ):
            load_session(server.http, gpu=None, backend="onnxruntime")
    with pytest.raises(ModelUnsupportedError, match="does not read"):
        load_session(detector, gpu=None, backend="remote")


def test_addresses():
    good = {
        "grpc://Host/m": "grpc://host:8001/m",
        "grpc:/host:1/m": "grpc://host:1/m",  # as a path has it
        "grpc:\\host:1\\m": "grpc://host:1/m",
        "grpcs://[::1]:9/m/versions/2": "grpcs://[::1]:9/m/versions/2",
        "http://host/v2/models/a.b-c/": "http://host:8000/v2/models/a.b-c",
        "https://host/v2/models/m/versions/3": "https://host:443/v2/models/m/versions/3",
    }
    for text, kept in good.items():
        assert is_remote(text) and as_named(text) == kept == as_named(kept)
    for text in (
        "http://host/stream.mjpeg",
        "rtsp://host/v2/models/m",
        "/models/net.onnx",
        "C:\\nets\\a.onnx",
        "",
    ):
        assert not is_remote(text) and as_named(text) == text
    for text in (
        "grpc://host",
        "grpc://host/",
        "grpc://host:0/m",
        "grpc://host:70000/m",
        "grpc://ho st/m",
        "grpc://host/m?x=1",
        "grpc://host/a/b",
        "grpc://[1.2.3.4]/m",
        "http://h/v2/models/../x",
        "grpc://" + "a" * 700,
    ):
        with pytest.raises(UsageError):
            parse_address(text)
            raise AssertionError(text)
    loops = {"localhost": True, "127.8.0.1": True, "[::1]": True, "localhost.evil": False, "10.0.0.1": False}
    for host, is_loop in loops.items():
        assert parse_address(f"grpc://{host}/m").is_loopback is is_loop


@pytest.mark.parametrize("host", ["dns", "unix", "ipv4", "xds", "vsock", "[::1]"])
def test_grpc_takes_a_host_for_a_host(host, monkeypatch):
    """gRPC reads 'dns:8001' as the host 8001, and 'unix:8001' as a socket's file, if it is not told
    otherwise.
    """
    asked = []

    class Client:
        def __init__(self, target, **_):
            asked.append(target)

        def get_server_metadata(self, **_):
            return types.SimpleNamespace(name="a", version="1", extensions=[])

    monkeypatch.setattr("tritonclient.grpc.InferenceServerClient", Client)
    assert GrpcInferenceClient(parse_address(f"grpc://{host}:8001/m"), "").server(1.0).name == "a"
    assert asked == [f"dns:///{host}:8001"]


# -- who gets pictures, and tokens ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "damaged", [b"pictures.example\n\xff\xfe", b"a.example\n" * 10_000], ids=["bytes", "large"]
)
def test_a_list_of_hosts_that_cannot_be_read_is_kept_aside(tmp_path, damaged):
    hosts = AllowedHosts(tmp_path / "hosts.txt")
    for kept in ("hosts.txt.unreadable", "hosts.txt.unreadable1"):
        (tmp_path / "hosts.txt").write_bytes(damaged)
        assert hosts.all() == ()
        assert f"is kept as {kept}; " in hosts.allow("other.example")
        assert (tmp_path / kept).read_bytes() == damaged
        assert hosts.all() == ("other.example",)
    assert hosts.allow("third.example") == ""
    assert hosts.all() == ("other.example", "third.example")


def test_a_host_gets_nothing_before_it_is_allowed(monkeypatch):
    asked = []
    monkeypatch.setattr("socket.create_connection", lambda *given, **_: asked.append(given))
    for address in ("grpc://pictures.example:8001/m", "http://pictures.example:8000/v2/models/m"):
        with pytest.raises(HostNotAllowedError, match="which would receive the images") as caught:
            ModelFile.open(address)
        assert caught.value.host == "pictures.example"
    assert not asked
    hosts = AllowedHosts()
    hosts.allow("pictures.example")
    hosts.allow("other.example")
    assert AllowedHosts().all() == ("pictures.example", "other.example")
    assert hosts.allows(parse_address("grpcs://Pictures.example/m"))
    hosts.remove("pictures.example")
    assert AllowedHosts().all() == ("other.example",)


@pytest.mark.parametrize("way", WAYS)
def test_a_host_that_is_forgotten_gets_no_more_pictures(detector, monkeypatch, way):
    monkeypatch.setattr("desktop.net.inference.address.RemoteAddress.is_loopback", False)
    AllowedHosts().allow("localhost")
    with serving(detector) as server, Resting(getattr(server, way)) as resting:
        session = resting.session
        feeds = picture(session)
        want = session.run(feeds)
        AllowedHosts().remove("localhost")
        before = server.inferences
        with pytest.raises(ModelAwayError, match="do not allow its host"):
            session.run(feeds)
        assert server.inferences == before
        AllowedHosts().allow("localhost")
        resting.rest()
        np.testing.assert_array_equal(session.run(feeds)["y"], want["y"])


@pytest.mark.parametrize("way", WAYS)
def test_a_token_is_shown_to_its_server_alone_and_never_told(detector, monkeypatch, way, caplog):
    secret = "s3cret-token"
    with key_ring() as ring, serving(detector, token=secret) as server, serving(detector) as other:
        address = getattr(server, way)
        with pytest.raises(ModelError, match="wants a token"):
            ModelFile.open(address)
        ring.kept["lightloom", parse_address(address).server] = "wrong"
        with pytest.raises(ModelError, match="wants a token") as caught:
            ModelFile.open(address)
        assert "wrong" not in str(caught.value)
        ring.kept["lightloom", parse_address(address).server] = secret
        with session_of(address) as session:
            session.run(picture(session))
            told = (address, session.device, repr(session.calls), str(ModelFile.open(address).named))
        with session_of(getattr(other, way)):
            assert not any("authorization" in headers for headers in other.seen)
        ring.kept.clear()
        monkeypatch.setenv(tokens.VARIABLE, f"elsewhere:1=no {parse_address(address).server}={secret}")
        ModelFile.open(address)
    assert not any(secret in text for text in (*told, caplog.text))


def test_a_token_does_not_go_unencrypted_to_another_machine(monkeypatch):
    monkeypatch.setenv(tokens.VARIABLE, "far.example:8001=abc far.example:443=abc bad.example:443=a\x07b")
    with pytest.raises(ModelError, match="would send it unencrypted; use grpcs://"):
        tokens.token_for(parse_address("grpc://far.example/m"))
    assert tokens.token_for(parse_address("grpcs://far.example/m")) == "abc"
    assert tokens.token_for(parse_address("grpcs://elsewhere.example/m")) == ""
    with pytest.raises(ModelError, match="signs in it"):
        tokens.token_for(parse_address("grpcs://bad.example/m"))


def test_a_password_in_an_address_is_refused_and_not_repeated():
    with pytest.raises(UsageError) as caught:
        parse_address("http://anna:hunter2@host/v2/models/m")
    assert "hunter2" not in str(caught.value) and "key ring" in str(caught.value)
    with pytest.raises(UsageError) as caught:
        parse_address("grpc://host/m?token=hunter2")
    assert "hunter2" not in str(caught.value)
    # The slash is a part of the password '12/hunter2'.
    with pytest.raises(UsageError) as caught:
        parse_address("grpc://anna:12/hunter2@host")
    assert "hunter2" not in str(caught.value) and "key ring" in str(caught.value)


@pytest.mark.parametrize(
    ("address", "model"),
    [
        ("grpc://10.0.0.7:8001/net@2", "net@2"),
        ("grpc://server.example:8001/net@2", "net@2"),
        ("grpc://localhost:8001/net@2", "net@2"),
        ("grpc://[::1]:8001/net@2", "net@2"),
        ("grpc://server/net@2", "net@2"),
        ("http://server:8000/v2/models/net@2", "net@2"),
    ],
)
def test_a_network_may_have_an_at_sign_in_its_name(address, model):
    assert parse_address(address).model == model


@pytest.mark.parametrize("way", WAYS)
def test_tls(detector, tmp_path, monkeypatch, way):
    pair = certificate(tmp_path)
    with serving(detector, tls=pair) as server:
        address = getattr(server, way)
        assert address.startswith(f"{way}s://")
        with pytest.raises(ModelError, match=r"is not valid|cannot be reached"):
            ModelFile.open(address)
        monkeypatch.setenv("SSL_CERT_FILE", str(pair[0]))
        with session_of(address) as session:
            assert session.run(picture(session))["y"].shape == (1, 84, 7)


# -- what may go wrong ---------------------------------------------------------------------------------------

FAULTS = {
    "lie": "its metadata promised float32[1, 84, 7]",
    "garbage": "not of the Open Inference Protocol",
    "error": "broke",
    "busy": "ready",
    "close": ("the connection broke", "ready"),
    "redirect": ("a host to which images are not sent", "does not speak"),
    "huge": "large",
    "stall": "did not answer in time",
    "dribble": "did not answer in time",
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("way", WAYS)
def test_whatever_a_server_does_is_one_sentence_and_passes(detector, way, fault):
    with serving(detector) as server, Resting(getattr(server, way)) as resting:
        session = resting.session
        usual_s = session.timeout_s
        feeds = picture(session)
        want = session.run(feeds)
        if fault in ("stall", "dribble"):
            session.timeout_s = 0.3
        server.fault = fault
        with pytest.raises(ModelAwayError) as caught:
            session.run(feeds)
        said, expected = caught.value.args[0], FAULTS[fault]
        assert isinstance(said, Text) and str(caught.value).isprintable()
        assert (expected if isinstance(expected, str) else expected[way == "grpc"]) in str(caught.value)
        assert session.calls.away == said
        server.fault = ""
        session.timeout_s = usual_s
        resting.rest()
        np.testing.assert_array_equal(session.run(feeds)["y"], want["y"])
        assert session.calls.away == "" and session.pause_s == 0


@pytest.mark.parametrize("way", WAYS)
def test_while_the_breaker_is_open_nobody_asks(detector, way):
    with serving(detector) as server, Resting(getattr(server, way)) as resting:
        session = resting.session
        feeds, before = picture(session), server.inferences
        server.fault = "error"
        for _ in range(3):
            with pytest.raises(ModelAwayError):
                session.run(feeds)
        assert session.pause_s > 0
        server.fault = ""
        with pytest.raises(ModelAwayError, match="broke"):
            session.run(feeds)
        assert server.inferences == before


@pytest.mark.parametrize("extensions", [ALL, (*ALL, SHARED)], ids=["bytes", "shared"])
def test_a_server_that_was_killed_and_comes_back(detector, extensions):
    port = free_port()
    with serving(detector, extensions, port=port) as server:
        resting = Resting(server.http)
        session = resting.session
        feeds = picture(session)
        want = session.run(feeds)
    for _ in range(2):  # on the connection that was open, and on a new one
        with pytest.raises(ModelAwayError):
            session.run(feeds)
    assert session.pause_s > 0
    other = Network([("x", "FP32", [1, 3, 32, 32])], [("y", "FP32", [1, 2])], lambda feeds: {})
    with serving(other, extensions, port=port):
        resting.rest()
        with pytest.raises(ModelAwayError, match="another network under this name"):
            session.run(feeds)
    with serving(detector, extensions, port=port):
        resting.rest()
        np.testing.assert_array_equal(session.run(feeds)["y"], want["y"])
        session.close()


@pytest.mark.parametrize("way", WAYS)
def test_closing_does_not_wait_for_a_server(detector, way):
    with serving(detector) as server:
        session = load_session(getattr(server, way), gpu=None).session
        feeds, failed = picture(session), []
        server.fault = "stall"

        def run():
            try:
                session.run(feeds)
            except ModelAwayError as error:
                failed.append(str(error))

        thread = threading.Thread(target=run)
        before = len(server.seen)
        thread.start()
        until(lambda: len(server.seen) > before)
        session.abort()
        thread.join(session.timeout_s / 2)
        assert not thread.is_alive() and "the call was ended" in failed[0]
        session.close()


@pytest.mark.parametrize("way", WAYS)
def test_metadata_that_are_none(detector, way):
    bad = {
        "no inputs or no outputs": Network([], [], dict),
        "of the type BF16": Network([("x", "BF16", [1])], [("y", "FP32", [1])], dict),
        "not of the Open": Network([("x", "FP32", [1] * 9)], [("y", "FP32", [1])], dict),
        "not of the Open Inference": Network([("x", "FP32", [-7])], [("y", "FP32", [1])], dict),
        "more than 512 MiB": Network([("x", "FP32", [1 << 30])], [("y", "FP32", [1])], dict),
        "gives texts": Network([("x", "FP32", [1])], [("y", "BYTES", [1])], dict),
        "bytes beside": Network([("x", "BYTES", [1]), ("z", "FP32", [1])], [("y", "FP32", [1])], dict),
    }
    for said, network in bad.items():
        with serving(network) as server, pytest.raises(ModelError, match=said):
            ModelFile.open(getattr(server, way))
    with serving(detector) as server, pytest.raises(ModelError, match="cannot be had from"):
        ModelFile.open(getattr(server, way).replace("net", "nets"))
    with pytest.raises(ModelError, match="cannot be reached"):
        ModelFile.open(
            f"grpc://127.0.0.1:{free_port()}/net"
            if way == "grpc"
            else f"http://127.0.0.1:{free_port()}/v2/models/net"
        )


def test_grpc_without_its_package_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tritonclient.grpc", None)
    with pytest.raises(ModelError, match=r"pip install '\.\[remote\]'"):
        ModelFile.open("grpc://localhost:1/m")


# -- times ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_network_time_is_apart_from_the_servers_where_it_tells(detector, way):
    with serving(detector) as server, session_of(getattr(server, way)) as session:
        feeds = picture(session)

        def has_server_time():
            session.run(feeds)
            return session.calls.server_ms is not None

        until(has_server_time)
        # The rig says 2 ms of work and 0.5 ms in its queue for each.
        calls = session.calls
        assert 0 < calls.server_ms <= 2.5 + 1e-9
        assert "network and packing" in calls.detail and "queue" in calls.detail
    with serving(detector, (BINARY,)) as server, session_of(getattr(server, way)) as session:
        session.run(picture(session))
        assert session.calls.server_ms is None and "does not tell its own time" in session.calls.detail


# -- breaker and retries -------------------------------------------------------------------------------------


def test_the_breaker_opens_half_opens_and_closes():
    now = [0.0]
    breaker = Breaker(lambda: now[0], random.Random(1))
    late, gone = CallFailed("late"), CallFailed("gone", untouched=True)
    for _ in range(2):
        breaker.failed(late)
        assert breaker.pause_s == 0 and not breaker.is_half_open
    breaker.failed(late)
    waits = []
    for _ in range(8):
        waits.append(breaker.pause_s)
        now[0] += breaker.pause_s
        assert breaker.is_half_open
        breaker.failed(late)
    for wait, usual in zip(waits, (1, 2, 4, 8, 15, 15, 15, 15), strict=True):
        assert 0.75 * usual <= wait <= 1.25 * usual
    assert len(set(waits[4:])) == 4  # jitter
    breaker.succeeded()
    assert breaker.pause_s == 0 and not breaker.is_half_open
    breaker.failed(gone)
    assert breaker.pause_s > 0


def test_only_what_was_not_taken_up_is_sent_again():
    calls = []

    def call(error):
        def fail(left):
            calls.append(left)
            raise error

        return fail

    stop = threading.Event()
    with pytest.raises(CallFailed):
        retried(call(CallFailed("gone", untouched=True)), 60.0, stop)
    assert len(calls) == 3 and calls[0] > calls[1] > calls[2]
    calls.clear()
    with pytest.raises(CallFailed):
        retried(call(CallFailed("late")), 60.0, stop)
    assert len(calls) == 1
    calls.clear()
    stop.set()
    with pytest.raises(CallFailed):
        retried(call(CallFailed("gone", untouched=True)), 60.0, stop)
    assert len(calls) == 1
