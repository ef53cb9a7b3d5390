"""Monitoring of a server: statistics, metrics, its OpenAPI document, and the access log."""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import numpy as np
import pytest
import tritonclient.grpc as triton_grpc
import windows_marks
from metrics_rig import scrape
from prometheus_client.parser import text_string_to_metric_families
from serving_rig import ServerRig, affine_model
from waiting import until

from desktop.base.errors import UsageError
from desktop.cli._serve_metrics import inference_counts
from desktop.metrics.address import Address
from desktop.metrics.exporter import Exporter
from desktop.metrics.inference_reader import InferenceReader
from desktop.serving.access_log import AccessEntry, AccessLog
from desktop.serving.shared_memory import FOLDER, SharedRegions

HAS_SHARED_MEMORY = sys.platform.startswith("linux")
KEY = f"lightloom-test-{os.getpid()}-observed"
TOKEN = "token-of-sixteen-letters"
ONES = {"inputs": [{"name": "x", "shape": [2, 4], "datatype": "FP32", "data": [1] * 8}]}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return affine_model(tmp_path_factory.mktemp("observed") / "affine.onnx")


@pytest.fixture(scope="module")
def rig(model):
    regions = SharedRegions()
    if HAS_SHARED_MEMORY:
        (FOLDER / KEY).write_bytes(bytes(16))
        regions.register("frames", f"/{KEY}", 0, 16)
    with ServerRig({"affine": model}, may_load=True, regions=regions) as found:
        yield found
    regions.close()
    if HAS_SHARED_MEMORY:
        (FOLDER / KEY).unlink()


def ask(rig, method, path, body=None, **headers):
    """Status, headers, and body of a response."""
    connection = http.client.HTTPConnection(rig.http, timeout=60)
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    connection.request(method, path, None if body is None else json.dumps(body), named)
    response = connection.getresponse()
    data = response.read()
    connection.close()
    return response.status, response.headers, data


def infer_by_grpc(rig, name="affine", headers=None):
    with triton_grpc.InferenceServerClient(rig.grpc) as client:
        x = triton_grpc.InferInput("x", [3, 4], "FP32")
        x.set_data_from_numpy(np.ones((3, 4), np.float32))
        return client.infer(name, [x], headers=headers)


# -- statistics, metrics -------------------------------------------------------------------------------------


def test_statistics_are_those_of_the_protocol(model):
    with ServerRig({"affine": model}) as rig:
        before = time.time()
        assert ask(rig, "POST", "/v2/models/affine/infer", ONES)[0] == 200
        infer_by_grpc(rig)
        (found,) = json.loads(ask(rig, "GET", "/v2/models/affine/stats")[2])["model_stats"]
        assert before * 1e3 - 1 <= found["last_inference"] <= time.time() * 1e3 + 1
        assert (found["version"], found["inference_count"], found["execution_count"]) == ("1", 5, 2)
        parts = found["inference_stats"]
        assert {name: each["count"] for name, each in parts.items()} == {
            **{"success": 2, "fail": 0, "queue": 2},
            **{"compute_input": 2, "compute_infer": 2, "compute_output": 2},
        }
        taken = sum(parts[name]["ns"] for name in parts if name not in ("success", "fail"))
        assert 0 < parts["compute_infer"]["ns"] < taken <= parts["success"]["ns"] + 6
        assert [(each["batch_size"], each["compute_infer"]["count"]) for each in found["batch_stats"]] == [
            (2, 1),
            (3, 1),
        ]
        with triton_grpc.InferenceServerClient(rig.grpc) as client:
            (said,) = client.get_inference_statistics("affine").model_stats
        assert said.last_inference == found["last_inference"]
        assert [each.batch_size for each in said.batch_stats] == [2, 3]


def test_metrics_have_tritons_names(model):
    with ServerRig({"affine": model}) as rig:
        exporter = Exporter(Address("127.0.0.1", 0), (InferenceReader(lambda: inference_counts(rig.models)),))
        exporter.start()
        try:
            for _ in range(3):
                assert ask(rig, "POST", "/v2/models/affine/infer", ONES)[0] == 200
            late = {**ONES, "parameters": {"timeout": 1}}
            assert ask(rig, "POST", "/v2/models/affine/infer", late)[0] == 504
            # The late one is answered before it leaves the queue.
            until(lambda: not rig.model("affine").statistics.snapshot().waiting)
            status, text = scrape(exporter.address.port)
        finally:
            exporter.close()
    assert status == 200
    values = {
        (sample.name, sample.labels.get("reason", "")): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.labels.get("model") == "affine" and sample.labels["version"] == "1"
    }
    assert values["nv_inference_request_success", ""] == 3
    assert values["nv_inference_request_failure", "REJECTED"] == 1
    assert values["nv_inference_request_failure", "BACKEND"] == 0
    assert values["nv_inference_count", ""] == 6
    assert values["nv_inference_exec_count", ""] in (3, 4)  # the late one may have begun
    assert values["nv_inference_pending_request_count", ""] == 0
    times = [
        values[f"nv_inference_{part}_duration_us", ""]
        for part in ("queue", "compute_input", "compute_infer", "compute_output")
    ]
    assert 0 < sum(times) <= values["nv_inference_request_duration_us", ""] + 4
    assert "nv_inference_count_total" not in text and "process_resident_memory_bytes" in text


# -- HEAD, OpenAPI -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def document(rig):
    return json.loads(ask(rig, "GET", "/openapi.json")[2])


def filled(path):
    return path.replace("{model}", "affine").replace("{version}", "1").replace("{region}", "frames")


def test_every_address_is_read_by_get_and_head(rig, document):
    paths = [path for path, item in document["paths"].items() if "get" in item]
    assert len(paths) == 15
    for path in paths:
        if "{region}" in path and not HAS_SHARED_MEMORY:
            continue
        status, headers, body = ask(rig, "GET", filled(path))
        assert status == 200, path
        head, its_headers, nothing = ask(rig, "HEAD", filled(path))
        assert (head, nothing) == (200, b"")
        assert its_headers.get("Content-Length", "0") == headers["Content-Length"] == str(len(body))
        assert its_headers.get("Content-Type") == headers.get("Content-Type")
    assert ask(rig, "HEAD", "/v2/models/none")[0] == 404
    assert ask(rig, "HEAD", "/v2/models/affine/infer")[0] == 405


@pytest.mark.parametrize(
    ("head", "status", "said"),
    [
        (b"GET /" + b"a" * 9000 + b" HTTP/1.1", 431, "head is too long"),
        (b"GET /v2 HTTP/1.1\r\nA: " + b"b" * 9000, 431, "head is too long"),
        (b"GET /v2 HTTP/1.1" + b"\r\nA: b" * 200, 431, "head is too long"),
        (b"GET /v2 HTTP/1.1\r\nHost", 400, "no valid HTTP/1.1"),
    ],
    ids=["long address", "long line", "many lines", "no colon"],
)
def test_a_head_that_is_refused_is_answered_in_json(rig, head, status, said):
    host, port = rig.http.split(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(head + b"\r\n\r\n")
        response = http.client.HTTPResponse(connection)
        response.begin()
        body = json.loads(response.read())
    assert (response.status, response.headers["Content-Type"]) == (status, "application/json")
    assert list(body) == ["error"] and said in body["error"]


def schema_of(document, content):
    """A schema with all others, that its references lead to."""
    return {**content["application/json"]["schema"], "components": document["components"]}


def test_responses_fit_the_openapi_document(rig, document):
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    place = {"key": f"/{KEY}", "offset": 4, "byte_size": 8}
    bodies = {"infer": ONES, "inferOfVersion": ONES, "repositoryIndex": {"ready": True}}
    bodies |= {"registerSharedMemory": place}
    asked = set()
    for path, item in document["paths"].items():
        for method in ("get", "post"):
            operation = item.get(method)
            if operation is None or operation["operationId"].startswith(("unload", "unregister")):
                continue
            if "{region}" in path and not HAS_SHARED_MEMORY:
                continue
            body = bodies.get(operation["operationId"])
            if body is not None:
                jsonschema.validate(body, schema_of(document, operation["requestBody"]["content"]))
            address = path.replace("{region}", "others") if body is place else path
            status, _, data = ask(rig, method.upper(), filled(address), body)
            content = operation["responses"][str(status)].get("content")
            assert status == 200 and bool(content) == bool(data), path
            if content:
                jsonschema.validate(json.loads(data), schema_of(document, content))
            asked.add(operation["operationId"])
    assert {"infer", "modelConfigOfVersion", "statistics", "loadModel"} <= asked
    status, _, data = ask(rig, "GET", "/v2/models/none")
    refusal = document["components"]["responses"][f"Refused{status}"]
    jsonschema.validate(json.loads(data), schema_of(document, refusal["content"]))
    names = [
        o["operationId"] for item in document["paths"].values() for o in item.values() if "responses" in o
    ]
    assert len(names) == len(set(names))


# -- the access log ------------------------------------------------------------------------------------------

COMBINED = re.compile(
    r'127\.0\.0\.1 - - \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] "([^"]*)" (\d{3}) (\d+|-) '
    r'"((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)" \d+'
)


def logged(model, folder, form, work):
    reports = []
    log = AccessLog(folder / "access.log", form, reports.append)
    with ServerRig({"affine": model}, token=TOKEN, access_log=log) as rig:
        work(rig)
    log.close()
    assert reports == []
    return (folder / "access.log").read_text().splitlines()


def test_the_combined_format_without_secrets(model, tmp_path):
    bearer = f"Bearer {TOKEN}"

    def work(rig):
        named = {"User_Agent": 'a "test"\\', "Referer": "http://anna:hunter2@host/page?secret=1"}
        assert (
            ask(rig, "POST", "/v2/models/affine/infer?secret=1", ONES, Authorization=bearer, **named)[0]
            == 200
        )
        assert ask(rig, "GET", "/v2/models/affine", Authorization="Bearer wrong-secret")[0] == 401
        assert ask(rig, "HEAD", "/v2/health/live")[0] == 200
        infer_by_grpc(rig, headers={"authorization": bearer})
        with pytest.raises(Exception, match="token"):
            infer_by_grpc(rig, headers={"authorization": "Bearer wrong-secret"})

    lines = logged(model, tmp_path, "combined", work)
    found = [COMBINED.fullmatch(line) for line in lines]
    assert all(found), lines
    # A response is noted after the client has it.
    found.sort(key=lambda each: ("HTTP/2" in each[1], each[2], -len(each[5])))
    service = "/inference.GRPCInferenceService"
    assert [(each[1], each[2]) for each in found] == [
        ("POST /v2/models/affine/infer HTTP/1.1", "200"),
        ("HEAD /v2/health/live HTTP/1.1", "200"),
        ("GET /v2/models/affine HTTP/1.1", "401"),
        (f"POST {service}/ModelInfer HTTP/2.0", "200"),
        (f"POST {service}/ModelInfer HTTP/2.0", "401"),
    ]
    assert int(found[0][3]) > 100 and found[1][3] == "-"
    assert found[0][4] == "http://host/page" and found[0][5] == 'a \\"test\\"\\\\'
    assert "grpc-python" in found[3][5]
    assert not any(secret in "".join(lines) for secret in ("secret", "hunter2", TOKEN))


def test_json_with_the_status_of_grpc(model, tmp_path):
    def work(rig):
        with pytest.raises(Exception, match="no model"):
            infer_by_grpc(rig, "none", {"authorization": f"Bearer {TOKEN}"})
        assert ask(rig, "GET", "/v2/models/%E2%80%A8")[0] == 401

    lines = map(json.loads, logged(model, tmp_path, "json", work))
    first, second = sorted(lines, key=lambda line: line["path"])
    assert (first["status"], first["grpc_status"], first["client"]) == (404, "NOT_FOUND", "127.0.0.1")
    assert abs(first["seconds"]) < 60 and first["time"].endswith("Z")
    assert second["status"] == 401 and "grpc_status" not in second


@windows_marks.renaming_open_files
def test_a_renamed_log_is_begun_again(tmp_path):
    path = tmp_path / "access.log"
    log = AccessLog(path, "json", lambda _: None)
    entry = AccessEntry("::1", "GET", "/v2", "HTTP/1.1", 200, 1, 0.1)
    log.note(entry)
    until(path.read_text)
    path.rename(tmp_path / "access.log.1")
    log.note(entry)
    log.close()
    assert path.read_text().count("\n") == (tmp_path / "access.log.1").read_text().count("\n") == 1
    assert path.stat().st_mode & 0o077 == 0


@windows_marks.renaming_open_files
def test_a_log_that_cannot_be_written_is_told(tmp_path):
    with pytest.raises(UsageError, match="choose another file"):
        AccessLog(tmp_path, "combined", lambda _: None)
    reports = []
    folder = tmp_path / "logs"
    folder.mkdir()
    log = AccessLog(folder / "access.log", "combined", reports.append)
    (folder / "access.log").unlink()
    folder.rmdir()
    log.note(AccessEntry("::1", "GET", "/v2", "HTTP/1.1", 200, 1, 0.1))
    log.close()
    assert "cannot be written" in reports[0] and reports[1].startswith("1 requests are missing")


@windows_marks.renaming_open_files
def test_a_log_is_written_again_once_that_is_possible(tmp_path):
    reports = []
    folder = tmp_path / "logs"
    folder.mkdir()
    path = folder / "access.log"
    log = AccessLog(path, "json", reports.append)
    entry = AccessEntry("::1", "GET", "/v2", "HTTP/1.1", 200, 1, 0.1)
    path.unlink()
    folder.rmdir()
    log.note(entry)
    until(lambda: len(reports) == 1)
    log.note(entry)
    time.sleep(0.05)
    folder.mkdir()
    log.note(entry)
    until(lambda: path.exists() and path.read_text().count("\n") >= 1)
    written = path.read_text().count("\n")
    log.close()
    assert len(reports) == 2 and reports[1].startswith(f"{3 - written} requests are missing")
    assert "could not be written" in reports[1]


HALF_WRITTEN = """
import resource, signal, sys
from pathlib import Path
from desktop.serving.access_log import AccessEntry, AccessLog
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path, reports = Path(sys.argv[1]), []
log = AccessLog(path, "json", reports.append)
entry = AccessEntry("::1", "GET", "/v2", "HTTP/1.1", 200, 1, 0.1)
length = len(entry.json()) + 1
resource.setrlimit(resource.RLIMIT_FSIZE, (length + 10, resource.RLIM_INFINITY))
log.note(entry)
log.note(entry)
while not reports:
    pass
assert path.stat().st_size == length + 10
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
log.note(AccessEntry("::1", "GET", "/v2/models", "HTTP/1.1", 200, 1, 0.1))
log.close()
"""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_log_that_hangs_does_not_hold_up_the_end(tmp_path):
    path, reports = tmp_path / "pipe", []
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    log = AccessLog(path, "json", reports.append)
    for _ in range(10_000):
        log.note(AccessEntry("::1", "GET", "/v2", "HTTP/1.1", 200, 1, 0.1))
    begun = time.monotonic()
    log.close(0.1)
    assert time.monotonic() - begun < 5
    slow, lost = reports
    os.close(reader)
    assert "takes lines too slowly" in slow
    assert int(lost.split()[0]) > 1000 and "written too slowly" in lost


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_needs_a_reader_and_takes_lines_of_the_next_one(tmp_path):
    path, reports = tmp_path / "pipe", []
    os.mkfifo(path)
    with pytest.raises(UsageError, match="named pipe that nothing reads; start its reader first"):
        AccessLog(path, "json", reports.append)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    log = AccessLog(path, "json", reports.append)
    os.close(reader)
    entry = AccessEntry("::1", "GET", "/v2", "HTTP/1.1", 200, 1, 0.1)
    log.note(entry)
    until(lambda: reports == ["Nothing reads the access log any more; start its reader again."])
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    log.note(entry)
    log.close()
    assert os.read(reader, 4096).count(b"\n") == 1
    os.close(reader)
    assert reports[1:] and reports[1].startswith("1 requests are missing")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told_once_and_requests_are_answered(model):
    reports = []
    log = AccessLog(Path("/dev/full"), "combined", reports.append)
    with ServerRig({"affine": model}, access_log=log) as rig:
        for _ in range(3):
            assert ask(rig, "POST", "/v2/models/affine/infer", ONES)[0] == 200
            until(lambda: len(reports) == 1)
    log.close()
    assert "No space left on device" in reports[0] and "make room" in reports[0]
    assert reports[1].startswith("3 requests are missing") and len(reports) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="needs RLIMIT_FSIZE")
def test_a_line_that_is_half_written_is_completed_before_the_next(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", HALF_WRITTEN, str(tmp_path / "access.log")],
        capture_output=True,
        text=True,
        cwd=Path(__file__).resolve().parents[2],
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "access.log").read_text().splitlines()
    assert [json.loads(line)["path"] for line in lines] == ["/v2", "/v2", "/v2/models"]
