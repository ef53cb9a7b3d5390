"""The server of the Open Inference Protocol, asked by Triton's own clients and by hand."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import gzip
import json
import socket
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from unittest.mock import MagicMock

import grpc
import numpy as np
import onnxruntime
import pytest
import tritonclient.grpc as triton_grpc
import tritonclient.http as triton_http
from aiohttp import web
from google.protobuf import json_format
from onnx import TensorProto
from serving_rig import CPU, ServerRig, affine_model, mean_model, two_inputs_model
from tiny_models import color_vector_model, red_or_blue_model
from tritonclient.grpc import service_pb2, service_pb2_grpc
from tritonclient.utils import InferenceServerException

from desktop.serving.http_connections import LimitedServer
from desktop.serving.limits import Limits
from desktop.serving.served_model import Batching
from desktop.serving.session_pool import SessionPool

SIDES = ("grpc", "http")
MODULES = {"grpc": triton_grpc, "http": triton_http}
WAIT = 60.0


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    return {
        "affine": affine_model(folder / "affine.onnx"),
        "half": affine_model(folder / "half.onnx", elem=TensorProto.FLOAT16),
        "whole": affine_model(folder / "whole.onnx", elem=TensorProto.INT32, batch=1),
        "mean": mean_model(folder / "mean.onnx"),
        "two": two_inputs_model(folder / "two.onnx"),
        "vector": color_vector_model(folder / "vector.onnx", batch="N"),
        "colors": red_or_blue_model(folder / "colors.onnx"),
    }


LIMITS = Limits(request_bytes=1 << 20, json_bytes=1 << 18, in_flight_bytes=128 << 20)


@pytest.fixture(scope="module")
def server(files):
    with ServerRig(files, limits=LIMITS, batching=Batching(delay_s=0.02), may_load=True) as rig:
        yield rig


@pytest.fixture(params=SIDES)
def side(request, server):
    module = MODULES[request.param]
    with module.InferenceServerClient(getattr(server, request.param)) as client:
        yield module, client


def given(module, **arrays):
    names = {"float32": "FP32", "float16": "FP16", "int32": "INT32", "bool": "BOOL"}
    inputs = []
    for name, array in arrays.items():
        inputs.append(module.InferInput(name, array.shape, names[str(array.dtype)]))
        inputs[-1].set_data_from_numpy(array)
    return inputs


def locally(path, feeds):
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return dict(zip([o.name for o in session.get_outputs()], session.run(None, feeds), strict=True))


def fields(document):
    """Of a message, or of JSON, the same."""
    if not isinstance(document, dict):
        document = json_format.MessageToDict(document, preserving_proto_field_name=True)
    return document


# -- the protocol, by Triton's clients -----------------------------------------------------------------------


def test_health_and_metadata(side, server):
    _, client = side
    assert client.is_server_live()
    assert client.is_server_ready()
    assert client.is_model_ready("affine")
    # As Triton's server answers: what is not there is not ready, which is no error.
    assert not client.is_model_ready("none") and not client.is_model_ready("affine", "9")
    assert fields(client.get_server_metadata())["name"] == "lightloom"
    found = fields(client.get_model_metadata("vector"))
    assert found["name"] == "vector"
    assert found["platform"] == "lightloom_onnxruntime"
    (described,) = found["inputs"]
    assert described["datatype"] == "FP32"
    assert [int(n) for n in described["shape"]] == [-1, 3, 32, 32]
    assert [int(n) for n in found["outputs"][0]["shape"]] == [-1, 20]
    config = fields(client.get_model_config("vector"))
    assert int(config.get("config", config)["max_batch_size"]) == 8
    index = client.get_model_repository_index()
    names = [m.name for m in index.models] if hasattr(index, "models") else [m["name"] for m in index]
    assert set(names) == {m.name for m in server.models.all}


def test_a_timeout_of_0_is_none(side):
    module, client = side
    x = np.ones((1, 4), np.float32)
    assert np.array_equal(client.infer("affine", given(module, x=x), timeout=0).as_numpy("y"), 2 * x + 1)


def test_a_timeout_of_another_type_is_refused(server):
    message = service_pb2.ModelInferRequest(model_name="affine")
    message.inputs.add(name="x", datatype="FP32", shape=[1, 4])
    message.raw_input_contents.append(np.ones((1, 4), np.float32).tobytes())
    message.parameters["timeout"].string_param = "1000"
    with grpc.insecure_channel(server.grpc) as channel, pytest.raises(grpc.RpcError) as refused:
        service_pb2_grpc.GRPCInferenceServiceStub(channel).ModelInfer(message)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "timeout" in refused.value.details()


@pytest.mark.parametrize("rows", (1, 3, 8))
def test_results_are_those_of_the_backend(side, files, rows):
    module, client = side
    x = np.random.default_rng(rows).random((rows, 3, 32, 32), np.float32)
    found = client.infer("vector", given(module, x=x), request_id="7")
    wanted = locally(files["vector"], {"x": x})["embedding"]
    assert found.as_numpy("embedding").shape == wanted.shape
    assert np.abs(found.as_numpy("embedding") - wanted).max() <= 1e-6
    assert fields(found.get_response())["id"] == "7"


def test_a_network_of_a_fixed_batch_is_run_by_itself(side, files, server):
    module, client = side
    x = np.random.default_rng(1).random((1, 3, 32, 32), np.float32)
    wanted = locally(files["colors"], {"x": x})["y"]
    assert np.abs(client.infer("colors", given(module, x=x)).as_numpy("y") - wanted).max() <= 1e-6
    assert server.model("colors").description.max_batch == 0
    with pytest.raises(InferenceServerException, match="takes the shape"):
        client.infer("colors", given(module, x=np.repeat(x, 2, 0)))


def test_rows_that_look_at_each_other_are_not_joined(server):
    """A free first dimension that is no batch: joined or padded, its results would be those of others."""
    assert server.model("mean").description.max_batch == 0
    assert server.model("affine").description.max_batch == 8
    x = np.random.default_rng(2).random((3, 4), np.float32)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: ask_mean(server, x), range(8)))
    for found in results:
        assert np.abs(found - (x - x.mean(0))).max() <= 1e-6


def ask_mean(server, x):
    with triton_grpc.InferenceServerClient(server.grpc) as client:
        return client.infer("mean", given(triton_grpc, x=x)).as_numpy("y")


def test_several_inputs_sizes_and_types(side):
    module, client = side
    for size in (1, 5):
        a = np.arange(4 * size, dtype=np.float32).reshape(2, 2, size)
        c = np.array([[True, False, True], [False, False, True]])
        found = client.infer("two", given(module, a=a, b=a * 2, c=c))
        assert np.array_equal(found.as_numpy("sum"), a * 3)
        assert np.array_equal(found.as_numpy("flag"), ~c)


def test_outputs_that_are_asked_for(side):
    module, client = side
    a, c = np.ones((1, 2, 2), np.float32), np.zeros((1, 3), bool)
    wanted = [module.InferRequestedOutput("flag")]
    found = client.infer("two", given(module, a=a, b=a, c=c), outputs=wanted)
    assert found.as_numpy("flag").all()
    assert found.as_numpy("sum") is None


@pytest.mark.parametrize("name,dtype", (("half", np.float16), ("whole", np.int32)))
def test_other_types_as_bytes(side, name, dtype):
    module, client = side
    x = np.array([[1, 2, 3, 4]], dtype)
    assert np.array_equal(client.infer(name, given(module, x=x)).as_numpy("y"), 2 * x + 1)


@pytest.mark.parametrize("algorithm", ("gzip", "deflate"))
def test_compressed_requests(server, algorithm):
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    with triton_http.InferenceServerClient(server.http) as client:
        found = client.infer("affine", given(triton_http, x=x), request_compression_algorithm=algorithm)
    assert np.array_equal(found.as_numpy("y"), 2 * x + 1)
    status, _, said = post(server, "/v2/models/affine/infer", b"not packed", encoding=algorithm)
    assert status == 400, said


def test_json_alone(server):
    entry = {"name": "x", "datatype": "FP32", "shape": [2, 4], "data": [[1, 2, 3, 4], [5, 6, 7, 8.5]]}
    status, headers, said = post(server, "/v2/models/affine/versions/1/infer", {"inputs": [entry], "id": "a"})
    assert status == 200
    document = json.loads(said)
    assert document["outputs"] == [
        {"name": "y", "datatype": "FP32", "shape": [2, 4], "data": [3, 5, 7, 9, 11, 13, 15, 18]}
    ]
    assert document["id"] == "a"
    assert "inference-header-content-length" not in headers


def test_numbers_that_json_cannot_hold_are_told_of(server):
    x = np.array([[np.inf, 1, 2, 3]], np.float32)
    with triton_http.InferenceServerClient(server.http) as client:
        assert np.isinf(client.infer("affine", given(triton_http, x=x)).as_numpy("y")[0, 0])
        plain = [triton_http.InferRequestedOutput("y", binary_data=False)]
        with pytest.raises(InferenceServerException, match="not finite"):
            client.infer("affine", given(triton_http, x=x), outputs=plain)


# -- joining -------------------------------------------------------------------------------------------------


def test_requests_that_wait_are_joined(files):
    """Held back behind a first one, eight requests of one row become one run, and each client gets its own
    rows.
    """
    with ServerRig({"affine": files["affine"]}, batching=Batching(delay_s=20.0)) as rig:
        model = rig.model("affine")
        rows = [np.full((1, 4), n, np.float32) for n in range(8)]
        futures = [model.submit({"x": row}, WAIT) for row in rows]
        for row, future in zip(rows, futures, strict=True):
            assert np.array_equal(future.result(WAIT)["y"], 2 * row + 1)
        figures = model.statistics.snapshot()
    assert {rows: each.runs for rows, each in figures.batches.items()} == {8: 1}
    assert (figures.requests, figures.rows, figures.runs) == (8, 8, 1)


def test_batches_are_padded_and_cut(server):
    model = server.model("affine")
    for rows in (1, 3, 5, 7, 8):
        x = np.arange(rows * 4, dtype=np.float32).reshape(rows, 4)
        assert np.array_equal(model.submit({"x": x}, WAIT).result(WAIT)["y"], 2 * x + 1)


def test_a_memory_budget_makes_batches_smaller_not_wrong(files):
    size = files["affine"].stat().st_size
    tight = replace(CPU, memory_bytes=size * 4)
    with ServerRig({"affine": files["affine"]}, loading=tight) as rig:
        x = np.arange(32, dtype=np.float32).reshape(8, 4)
        assert np.array_equal(rig.model("affine").submit({"x": x}, WAIT).result(WAIT)["y"], 2 * x + 1)


# -- what is refused -----------------------------------------------------------------------------------------


def post(server, path, body, *, encoding="", headers=(), method="POST"):
    """Status, headers with small names and body of an answer; the connection is closed by the server."""
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close", *headers]
    if encoding:
        lines.append(f"Content-Encoding: {encoding}")
    if not any(line.lower().startswith(("content-length", "transfer-encoding")) for line in headers):
        lines.append(f"Content-Length: {len(body)}")
    return answer_to(server, "\r\n".join(lines).encode() + b"\r\n\r\n" + body)


def answer_to(server, data):
    host, port = server.http.split(":")
    with socket.create_connection((host, int(port)), WAIT) as client:
        client.sendall(data)
        answer = b"".join(iter(lambda: client.recv(1 << 16), b""))
    top, _, said = answer.partition(b"\r\n\r\n")
    first, *rest = top.decode("latin1").split("\r\n")
    found = dict(line.lower().split(": ", 1) for line in rest)
    return int(first.split()[1]), found, said.decode()


def entry(**changes):
    return {"name": "x", "datatype": "FP32", "shape": [1, 4], "data": [1, 2, 3, 4], **changes}


BAD_REQUESTS = {
    "no JSON": b"{",
    "no object": b"[]",
    "not UTF-8": b'{"inputs": "\xff"}',
    "nested without end": b"[" * 100_000,
    "NaN": json.dumps({"inputs": [entry(data=[float("nan"), 1, 2, 3])]}).encode(),
    "infinite": b'{"inputs": [{"name": "x", "datatype": "FP32", "shape": [1, 4], "data": [1e999, 1, 2, 3]}]}',
    "a number of 5000 digits": b'{"id": ' + b"9" * 5000 + b"}",
    "no inputs": {},
    "inputs that are none": {"inputs": 3},
    "an input that is none": {"inputs": [3]},
    "unknown input": {"inputs": [entry(name="z")]},
    "a name that is none": {"inputs": [entry(name=["x"])]},
    "twice": {"inputs": [entry(), entry()]},
    "negative sizes": {"inputs": [entry(shape=[-1, -4])]},
    "no sizes": {"inputs": [entry(shape=[])]},
    "a batch of none": {"inputs": [entry(shape=[0, 4], data=[])]},
    "sizes that are none": {"inputs": [entry(shape=[True, 4.0])]},
    "a product that overflows 64 bits": {"inputs": [entry(shape=[1 << 62, 4])]},
    "another type": {"inputs": [entry(datatype="FP64")]},
    "no type of the protocol": {"inputs": [entry(datatype="float")]},
    "BYTES": {"inputs": [entry(datatype="BYTES", data=["a", "b", "c", "d"])]},
    "texts": {"inputs": [entry(data=["1", "2", "3", "4"])]},
    "nulls": {"inputs": [entry(data=[None, 1, 2, 3])]},
    "truths": {"inputs": [entry(data=[True, 1, 2, 3])]},
    "too few": {"inputs": [entry(data=[1])]},
    "uneven": {"inputs": [entry(data=[[1, 2], 3, 4])]},
    "no data": {"inputs": [{"name": "x", "datatype": "FP32", "shape": [1, 4]}]},
    "larger than its type": {"inputs": [entry(data=[1e300, 1, 2, 3])]},
    "more bytes than there are": {"inputs": [entry(data=0, parameters={"binary_data_size": 16})]},
    "unknown output": {"inputs": [entry()], "outputs": [{"name": "z"}]},
    "an output twice": {"inputs": [entry()], "outputs": [{"name": "y"}, {"name": "y"}]},
    "shared memory": {"inputs": [entry(parameters={"shared_memory_region": "a"})]},
    "parameters that are none": {"inputs": [entry(parameters=[])]},
    "too many rows": {"inputs": [entry(shape=[9, 4], data=[1.0] * 36)]},
    "an id that is none": {"inputs": [entry()], "id": 3},
    "a time that is none": {"inputs": [entry()], "parameters": {"timeout": -1}},
}


@pytest.mark.parametrize("what", BAD_REQUESTS)
def test_a_wrong_request_gets_one_sentence(server, what):
    status, _, said = post(server, "/v2/models/affine/infer", BAD_REQUESTS[what])
    assert status == 413 if what == "a product that overflows 64 bits" else status == 400, said
    text = json.loads(said)["error"]
    assert text.endswith((".", ")."))
    assert text.isprintable()


def test_integers_have_the_range_of_their_type(server):
    for last, status in ((255, 200), (-(2**31), 200), (2**31, 400), (-(2**31) - 1, 400), (1.5, 400)):
        request = {"inputs": [entry(datatype="INT32", data=[1, 2, 3, last])]}
        assert post(server, "/v2/models/whole/infer", request)[0] == status


@pytest.mark.parametrize("size", (0, 15, 17, -1, 1 << 70, "16", 16.0, None))
def test_lies_about_binary_tensors(server, size):
    raw = {"name": "x", "datatype": "FP32", "shape": [1, 4], "parameters": {"binary_data_size": size}}
    head = json.dumps({"inputs": [raw]}).encode()
    length = f"Inference-Header-Content-Length: {len(head)}"
    assert post(server, "/v2/models/affine/infer", head + bytes(16), headers=[length])[0] == 400


@pytest.mark.parametrize("length", ("0", "-1", "1e3", "99999", "9" * 40, "\u00b2".encode().decode("latin1")))
def test_lies_about_the_length_of_the_json(server, length):
    line = f"Inference-Header-Content-Length: {length}"
    assert post(server, "/v2/models/affine/infer", {"inputs": [entry()]}, headers=[line])[0] == 400


def test_bytes_that_belong_to_nothing_and_bools_that_are_none(server):
    head = json.dumps({"inputs": [entry()]}).encode()
    line = f"Inference-Header-Content-Length: {len(head)}"
    assert post(server, "/v2/models/affine/infer", head + b"more", headers=[line])[0] == 400
    pair = [{**entry(name=n), "shape": [1, 2, 2]} for n in "ab"]
    flag = {"name": "c", "datatype": "BOOL", "shape": [1, 3], "parameters": {"binary_data_size": 3}}
    head = json.dumps({"inputs": [*pair, flag]}).encode()
    line = f"Inference-Header-Content-Length: {len(head)}"
    assert post(server, "/v2/models/two/infer", head + b"\0\1\1", headers=[line])[0] == 200
    assert post(server, "/v2/models/two/infer", head + b"\0\1\2", headers=[line])[0] == 400


def test_sizes_are_refused_before_they_are_read(server):
    head = b"POST /v2/models/affine/infer HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    assert answer_to(server, head + b"Content-Length: 99999999999\r\n\r\n")[0] == 413
    assert server.service.held == 0
    chunk = b"10000\r\n" + bytes(1 << 16) + b"\r\n"
    status, _, said = answer_to(server, head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 21)
    assert status == 413, said
    until(lambda: server.service.held == 0)
    bomb = gzip.compress(bytes(64 << 20))
    assert post(server, "/v2/models/affine/infer", bomb, encoding="gzip")[0] == 413
    assert post(server, "/v2/models/affine/infer", b"{" + b" " * LIMITS.json_bytes + b"}")[0] == 413


def test_chunks_without_a_length_are_read(server):
    body = json.dumps({"inputs": [entry()]}).encode()
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
    status, _, said = post(server, "/v2/models/affine/infer", chunks, headers=["Transfer-Encoding: chunked"])
    assert status == 200, said


@pytest.mark.parametrize(
    "path", ("/", "/v2/models/none", "/v2/models/affine/versions/2", "/v2/x", "/v2/models//infer", "/%00")
)
def test_addresses_where_nothing_is(server, path):
    assert post(server, path, b"", method="GET")[0] == 404
    # That of a model takes no POST, whichever model it is.
    assert post(server, path, b"{}")[0] == (
        405 if path.startswith("/v2/models/") and "//" not in path else 404
    )


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/v2/models/affine/infer", "POST"),
        ("PUT", "/v2/models/affine/versions/1/infer", "POST"),
        ("GET", "/v2/repository/index", "POST"),
        ("DELETE", "/v2/repository/models/affine/load", "POST"),
        ("GET", "/v2/systemsharedmemory/region/a/register", "POST"),
        ("POST", "/v2", "GET, HEAD"),
        ("POST", "/v2/models/affine", "GET, HEAD"),
        ("PATCH", "/v2/models/affine/versions/1/config", "GET, HEAD"),
        ("POST", "/v2/models/stats", "GET, HEAD"),
        ("POST", "/v2/health/live", "GET, HEAD"),
        ("POST", "/v2/systemsharedmemory/status", "GET, HEAD"),
        ("POST", "/openapi.json", "GET, HEAD"),
    ],
)
def test_other_methods_of_an_address_are_told_with_those_that_it_takes(server, method, path, allowed):
    status, headers, said = post(server, path, b"", method=method)
    assert status == 405 and headers["allow"].upper() == allowed
    assert json.loads(said)["error"] == f"This address takes {allowed.replace(', ', ' and ')} only."


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"inputs": [\n1,,2]}', "The request is not JSON: line 2, character 3; correct it."),
        (
            b'{"inputs": NaN}',
            "The request is not JSON: NaN is no number there; replace it.",
        ),
        (b'{"inputs": -Infinity}', "-Infinity is no number there; replace it."),
        (b"\xff\xfe{}", "The request is not JSON: it is not UTF-8; encode it."),
        (b"[" * 100_000, "The request is not JSON"),
        (b'{"a": ' + b"9" * 100_000 + b"}", "The request is not JSON that a server takes; correct it."),
    ],
)
def test_what_is_no_json_is_told_with_its_place(server, body, said):
    status, _, answer = post(server, "/v2/models/affine/infer", body)
    assert status == 400 and said in json.loads(answer)["error"]


def test_a_batch_that_is_too_large_is_told_apart_from_different_ones(server):
    inputs = [entry(shape=[1000, 4], data=[1] * 4000)]
    status, _, answer = post(server, "/v2/models/affine/infer", {"inputs": inputs})
    assert status == 400
    assert json.loads(answer)["error"] == (
        "The model 'affine' takes 8 rows at a time, not 1000; send fewer, or raise --max-batch."
    )


def test_pages_in_browsers_get_no_answer(server):
    assert post(server, "/v2", b"", method="GET", headers=["Origin: http://evil.example"])[0] == 403
    foreign = b"GET /v2 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    assert answer_to(server, foreign)[0] == 403


def until(holds):
    end = time.monotonic() + WAIT
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


# -- gRPC ----------------------------------------------------------------------------------------------------


def message(**changes):
    found = service_pb2.ModelInferRequest(model_name=changes.pop("model", "affine"))
    found.inputs.add(
        name="x", datatype=changes.pop("datatype", "FP32"), shape=changes.pop("shape", [1, 4])
    ).contents.fp32_contents.extend(changes.pop("data", [1, 2, 3, 4]))
    return found


def call(server, request, name="ModelInfer", **options):
    data = request if isinstance(request, bytes) else request.SerializeToString()
    with grpc.insecure_channel(server.grpc) as channel:
        method = channel.unary_unary(f"/inference.GRPCInferenceService/{name}")
        return method(data, timeout=WAIT, **options)


def refusal(server, request, **options):
    with pytest.raises(grpc.RpcError) as caught:
        call(server, request, **options)
    return caught.value.code().name


def test_typed_contents(server):
    answer = service_pb2.ModelInferResponse.FromString(call(server, message()))
    assert np.array_equal(np.frombuffer(answer.raw_output_contents[0], "<f4"), [3, 5, 7, 9])


@pytest.mark.parametrize(
    "changes",
    (
        {"shape": [-1, 4]},
        {"shape": [1 << 62, 1 << 62]},
        {"shape": [1, 4, 1]},
        {"shape": [2, 4]},
        {"datatype": "BYTES"},
        {"datatype": "FP64"},
        {"data": []},
        {"data": [1.0] * 5},
    ),
)
def test_wrong_messages(server, changes):
    assert refusal(server, message(**changes)) == "INVALID_ARGUMENT"


def test_other_wrong_messages(server):
    assert refusal(server, message(model="none")) == "NOT_FOUND"
    assert refusal(server, b"\xff\xff") == "INVALID_ARGUMENT"
    both = message()
    both.raw_input_contents.append(bytes(16))
    assert refusal(server, both) == "INVALID_ARGUMENT"
    short = message(data=[])
    short.inputs[0].ClearField("contents")
    short.raw_input_contents.append(bytes(15))
    assert refusal(server, short) == "INVALID_ARGUMENT"
    assert refusal(server, message(), name="ModelStreamInfer") == "UNIMPLEMENTED"
    assert refusal(server, message(data=[1.0] * (1 << 19))) == "RESOURCE_EXHAUSTED"


def test_a_compressed_message_does_not_unpack(server):
    """Of 60 MB of zeros 60 KB arrive, less than a request may have."""
    bomb = service_pb2.ModelInferRequest(model_name="affine", raw_input_contents=[bytes(60 << 20)])
    assert refusal(server, bomb, compression=grpc.Compression.Gzip) == "RESOURCE_EXHAUSTED"
    assert server.service.held == 0
    assert call(server, message(), compression=grpc.Compression.Gzip)


@pytest.fixture
def no_collection():
    """Nothing is freed but by its last reference, as in a large process, where the collector looks at old
    things rarely.
    """
    gc.disable()
    yield
    gc.enable()


def test_one_connection_may_send_many_messages_that_are_none(server, no_collection):
    """grpcio keeps the stream of each that it cannot read, and of one whose error is in a cycle; after 256 a
    connection takes no more.
    """
    with grpc.insecure_channel(server.grpc) as channel:
        infer = channel.unary_unary("/inference.GRPCInferenceService/ModelInfer")
        for _ in range(300):
            with pytest.raises(grpc.RpcError) as caught:
                infer(b"\xff", timeout=WAIT, wait_for_ready=True)
            assert caught.value.code().name == "INVALID_ARGUMENT", caught.value.details()


# -- under load, loading, ending -----------------------------------------------------------------------------


class Gate:
    """Holds back a model's runs until it is opened. `pools` is for the options of the model."""

    def __init__(self):
        self.opened, self.entered = threading.Event(), threading.Event()

    def pools(self, model, loading):
        return (GatedPool(model, loading, self),)


class GatedPool(SessionPool):
    def __init__(self, model, loading, gate):
        super().__init__(model, loading)
        self._gate = gate

    def run_again(self, feeds):
        self._gate.entered.set()
        assert self._gate.opened.wait(WAIT)
        return super().run_again(feeds)


@pytest.fixture
def gate():
    return Gate()


@pytest.fixture
def small(files, gate):
    limits = Limits(request_bytes=1 << 20, queue=2, answer_s=WAIT, drain_s=WAIT)
    with ServerRig({"affine": files["affine"]}, limits=limits, may_load=True, pools=gate.pools) as rig:
        yield rig


def in_background(work, *arguments):
    future = Future()

    def run():
        try:
            future.set_result(work(*arguments))
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future


def test_a_full_queue_refuses_at_once(small, gate):
    first = in_background(call, small, message())
    assert gate.entered.wait(WAIT)
    model = small.model("affine")
    waiting = [in_background(call, small, message()) for _ in range(2)]
    until(lambda: model.statistics.snapshot().waiting == 2)
    assert refusal(small, message()) == "RESOURCE_EXHAUSTED"
    status, headers, said = post(small, "/v2/models/affine/infer", {"inputs": [entry()]})
    assert (status, headers["retry-after"]) == (429, "1"), said
    gate.opened.set()
    for each in (first, *waiting):
        assert each.result(WAIT)
    assert model.statistics.snapshot().refused == {"full": 2}


def test_calls_beyond_those_of_grpc_are_refused_and_http_is_not(files, gate):
    """8 calls of a quarter of the memory's eighth: the ninth is refused, though the queue has room, and asked
    by HTTP it waits.
    """
    limits = Limits(request_bytes=256 << 20, queue=128, answer_s=WAIT, drain_s=WAIT)
    assert limits.rpcs == 8
    with ServerRig({"affine": files["affine"]}, limits=limits, pools=gate.pools) as rig:
        waiting = [in_background(call, rig, message())]
        assert gate.entered.wait(WAIT)
        waiting += [in_background(call, rig, message()) for _ in range(7)]
        model = rig.model("affine")
        until(lambda: model.statistics.snapshot().waiting == 7)
        assert refusal(rig, message()) == "RESOURCE_EXHAUSTED"
        by_http = in_background(post, rig, "/v2/models/affine/infer", {"inputs": [entry()]})
        until(lambda: model.statistics.snapshot().waiting == 8)
        gate.opened.set()
        assert all(each.result(WAIT) for each in waiting) and by_http.result(WAIT)[0] == 200


def test_a_client_that_gives_up_is_not_computed(small, gate):
    first = in_background(call, small, message())
    assert gate.entered.wait(WAIT)
    late = message()
    late.parameters["timeout"].int64_param = 1000
    assert refusal(small, late) == "DEADLINE_EXCEEDED"
    request = {"inputs": [entry()], "parameters": {"timeout": 1000}}
    assert post(small, "/v2/models/affine/infer", request)[0] == 504
    gate.opened.set()
    assert first.result(WAIT)
    until(lambda: small.model("affine").statistics.snapshot().waiting == 0)
    assert call(small, message())
    assert small.model("affine").statistics.snapshot().requests == 2


def test_what_waits_when_the_server_ends_is_answered(small, gate):
    waiting = [in_background(call, small, message()) for _ in range(2)]
    assert gate.entered.wait(WAIT)
    over_http = in_background(post, small, "/v2/models/affine/infer", {"inputs": [entry()]})
    until(lambda: small.service.waiting == 3)
    small.begin_stop()
    until(lambda: small.service.is_draining)
    assert post(small, "/v2/health/live", b"", method="GET")[0] == 200
    assert post(small, "/v2/health/ready", b"", method="GET")[0] == 400
    assert post(small, "/v2/models/affine/infer", {"inputs": [entry()]})[0] == 503
    assert refusal(small, message()) == "UNAVAILABLE"
    gate.opened.set()
    for each in waiting:
        assert each.result(WAIT)
    assert over_http.result(WAIT)[0] == 200
    assert small.stop()


@pytest.mark.parametrize("sent", ["half a head", "half a body", "whole"])
def test_a_second_request_on_a_connection_is_waited_for(small, gate, sent):
    """It begins to come while the first is computed, and the server ends before that is done (pipelining)."""
    body = json.dumps({"inputs": [entry()]}).encode()
    head = (
        f"POST /v2/models/affine/infer HTTP/1.1\r\nHost: {small.http}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    whole = head.encode() + body
    at = {"half a head": len(head) // 2, "half a body": len(head) + len(body) // 2, "whole": len(whole)}[sent]
    host, port = small.http.rsplit(":", 1)
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(whole)
        assert gate.entered.wait(WAIT)
        connection.sendall(whole[:at])
        # An answer on another connection says that the loop has read what came before.
        assert post(small, "/v2/health/live", b"", method="GET")[0] == 200
        small.begin_stop()
        until(lambda: small.service.is_draining)
        gate.opened.set()
        connection.sendall(whole[at:])
        answers = b""
        while chunk := connection.recv(1 << 16):
            answers += chunk
    assert answers.count(b"HTTP/1.1 200") == 2, answers
    assert small.stop()


def test_unload_and_load(side):
    module, client = side
    x = np.ones((1, 4), np.float32)
    client.unload_model("affine")
    assert not client.is_model_ready("affine")
    # As Triton's strict readiness: what a client unloaded is not waited for, and a probe ends no server for it.
    assert client.is_server_ready()
    with pytest.raises(InferenceServerException, match="not loaded"):
        client.infer("affine", given(module, x=x))
    client.load_model("affine")
    assert client.is_model_ready("affine")
    assert np.array_equal(client.infer("affine", given(module, x=x)).as_numpy("y"), 2 * x + 1)
    with pytest.raises(InferenceServerException, match="no model"):
        client.load_model("none")
    with pytest.raises(InferenceServerException, match="no parameters"):
        client.load_model("affine", config='{"backend": "x"}')


def test_a_model_that_cannot_be_loaded_again_makes_the_server_unready(files, tmp_path):
    path = tmp_path / "affine.onnx"
    path.write_bytes(files["affine"].read_bytes())
    with ServerRig({"affine": path}, may_load=True) as rig:
        client = MODULES["http"].InferenceServerClient(rig.http)
        client.unload_model("affine")
        assert client.is_server_ready()
        path.write_bytes(b"broken")
        with pytest.raises(InferenceServerException):
            client.load_model("affine")
        assert not client.is_server_ready()
        client.unload_model("affine")
        assert client.is_server_ready()


def test_clients_may_not_unload_by_default(files):
    with ServerRig({"affine": files["affine"]}) as rig:
        assert post(rig, "/v2/repository/models/affine/unload", b"")[0] == 403
        request = service_pb2.RepositoryModelUnloadRequest(model_name="affine")
        assert refusal(rig, request, name="RepositoryModelUnload") == "PERMISSION_DENIED"


def test_many_clients_get_their_own_answers(server):
    """64 clients of both kinds, rows of their own; nothing is lost or mixed up."""

    def ask(number):
        module = MODULES[SIDES[number % 2]]
        with module.InferenceServerClient(getattr(server, SIDES[number % 2])) as client:
            for turn in range(5):
                x = np.full((1 + number % 3, 4), number * 10 + turn, np.float32)
                assert np.array_equal(client.infer("affine", given(module, x=x)).as_numpy("y"), 2 * x + 1)

    with ThreadPoolExecutor(64) as pool:
        list(pool.map(ask, range(64)))
    assert server.service.held == 0


# -- slow clients --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def impatient(files):
    limits = Limits(request_bytes=1 << 20, head_s=0.5, body_s=0.5, connections=8)
    with ServerRig({"affine": files["affine"]}, limits=limits) as rig:
        yield rig


def drips(server, begin, drip):
    """What is sent slowly until the server hangs up, and its answer."""
    host, port = server.http.split(":")
    with socket.create_connection((host, int(port)), WAIT) as client:
        client.sendall(begin)
        client.settimeout(0.02)
        end = time.monotonic() + WAIT
        answer = b""
        while time.monotonic() < end:
            try:
                client.sendall(drip)
                more = client.recv(1 << 16)
            except TimeoutError:
                continue
            except OSError:
                return answer
            if not more:
                return answer
            answer += more
    raise AssertionError("the server listens for ever")


def test_a_head_that_never_ends(impatient):
    assert drips(impatient, b"GET /v2 HTTP/1.1\r\nHost: localhost\r\n", b"X: y\r\n") == b""


def test_a_body_that_never_ends(impatient):
    begin = b"POST /v2/models/affine/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{"
    assert b" 504 " in drips(impatient, begin, b" ").partition(b"\r\n")[0]
    until(lambda: impatient.service.held == 0)


def has_ended(client):
    try:
        return client.recv(1 << 16) == b""
    except ConnectionError:
        return True


def test_connections_without_a_request_keep_no_client_out(files):
    """Heads that never end, and clients that only connect: the oldest makes way for the next one."""
    with ServerRig({"affine": files["affine"]}, limits=Limits(connections=4)) as rig:
        host, port = rig.http.split(":")
        with contextlib.ExitStack() as opened:
            answered = opened.enter_context(socket.create_connection((host, int(port)), WAIT))
            answered.sendall(b"GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b" 200 " in answered.recv(1 << 16)
            idle = []
            for number in range(3):
                idle.append(opened.enter_context(socket.create_connection((host, int(port)), WAIT)))
                if number:
                    idle[-1].sendall(b"POST /v2/models/affine/infer HTTP/1.1\r\nHost: localhost\r\n")
            for _ in range(3):
                assert post(rig, "/v2/health/live", b"", method="GET")[0] == 200
            assert has_ended(idle[0])
            # One that was answered goes last of those without a request.
            answered.sendall(b"GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b" 200 " in answered.recv(1 << 16)


def test_one_connection_too_many_is_closed_if_all_others_have_requests(files):
    with ServerRig({"affine": files["affine"]}, limits=Limits(connections=2)) as rig:
        host, port = rig.http.split(":")
        body = json.dumps({"inputs": [entry()]}).encode()
        head = (
            b"POST /v2/models/affine/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
            % len(body)
        )
        with contextlib.ExitStack() as opened:
            busy = [opened.enter_context(socket.create_connection((host, int(port)), WAIT)) for _ in range(2)]
            for client in busy:
                client.sendall(head)
            until(lambda: rig.service.held == 2 * len(body))
            late = opened.enter_context(socket.create_connection((host, int(port)), WAIT))
            assert has_ended(late)
            for client in busy:
                client.sendall(body)
                assert b" 200 " in client.recv(1 << 16)


@pytest.mark.parametrize("turns", range(5))
def test_a_request_that_was_read_just_now_is_none_of_a_silent_connection(turns):
    """Another connection at any turn of the loop between the request's head and its handler's start."""

    async def connect() -> bool:
        is_over = asyncio.Event()

        async def respond(request: web.BaseRequest) -> web.Response:
            request.protocol.begin_response(request)
            await is_over.wait()
            request.protocol.end_response()
            return web.Response()

        server = LimitedServer(respond)
        server.most = 1
        listening = await asyncio.get_running_loop().create_server(server, "127.0.0.1", 0)
        host, port = listening.sockets[0].getsockname()
        reader, writer = await asyncio.open_connection(host, port)
        (connection,) = await until_any(server)
        connection.data_received(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for _ in range(turns):
            await asyncio.sleep(0)
        late = server()
        late.connection_made(MagicMock(asyncio.Transport, is_closing=lambda: False))
        is_over.set()
        found = await reader.read(12)
        late.connection_lost(None)
        writer.close()
        listening.close()
        await server.shutdown(1.0)
        return found == b"HTTP/1.1 200"

    async def until_any(server):
        while not server.connections:
            await asyncio.sleep(0.01)
        return server.connections

    assert asyncio.run(connect())
