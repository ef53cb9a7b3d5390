"""Who may ask the server: token, TLS, addresses; and `lightloom serve` as a program."""

from __future__ import annotations

import datetime
import gc
import importlib.util
import ipaddress
import json
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import grpc
import numpy as np
import onnxruntime
import pytest
import tritonclient.grpc as triton_grpc
import tritonclient.http as triton_http
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from serving_rig import ServerRig, affine_model
from tritonclient.grpc import service_pb2
from tritonclient.utils import InferenceServerException
from waiting import until

from desktop.__main__ import main
from desktop.net.loopback import is_loopback, without_port
from desktop.serving import session_pool
from desktop.serving.access import read_certificate
from desktop.serving.limits import sizes_for
from desktop.serving.served_model import ServedModel
from desktop.serving.server import Serving
from desktop.vision.backends.loader import load_session
from desktop.vision.models.builtin import builtin_models

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "0123456789abcdefXYZ"
WAIT = 60.0


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return affine_model(tmp_path_factory.mktemp("served") / "affine.onnx")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate of 127.0.0.1 that signs itself: the files of it and of its key."""
    folder = tmp_path_factory.mktemp("tls")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "key.pem").write_bytes(plain)
    return folder / "cert.pem", folder / "key.pem"


def infer(module, client, **options):
    x = np.ones((1, 4), np.float32)
    given = module.InferInput("x", x.shape, "FP32")
    given.set_data_from_numpy(x)
    assert np.array_equal(client.infer("affine", [given], **options).as_numpy("y"), 2 * x + 1)


def test_modules_are_not_searched_for_cycles_while_models_are_loaded_and_unloaded(tmp_path, monkeypatch):
    """Unloading a model collects cycles, and every request waits for that."""
    counts = []
    load = ServedModel.load

    def loaded(model, *arguments):
        counts.append(gc.get_freeze_count())
        load(model, *arguments)

    monkeypatch.setattr(ServedModel, "load", loaded)
    before = gc.get_freeze_count()
    (tmp_path / "broken.onnx").write_bytes(b"no network")
    assert main(["serve", str(tmp_path / "broken.onnx"), "--http", "0", "--grpc", "0"]) == 1
    assert counts[0] > before + 20_000
    assert gc.get_freeze_count() == 0


def test_a_token(model):
    right = {"authorization": f"Bearer {TOKEN}"}
    with ServerRig({"affine": model}, token=TOKEN) as rig:
        for module, address in ((triton_grpc, rig.grpc), (triton_http, rig.http)):
            with module.InferenceServerClient(address) as client:
                assert client.is_server_live()
                assert client.is_server_ready()
                infer(module, client, headers=right)
                for wrong in (
                    None,
                    {"authorization": f"Bearer {TOKEN}x"},
                    {"authorization": f"Basic {TOKEN}"},
                    {"authorization": TOKEN},
                    {"authorization": ""},
                ):
                    with pytest.raises(InferenceServerException, match="token"):
                        infer(module, client, headers=wrong)
                    with pytest.raises(InferenceServerException, match="token"):
                        client.get_server_metadata(headers=wrong)


def test_the_example(capsys):
    """It asks a server of the box's classifier; the answer is that of a session here."""
    spec = importlib.util.spec_from_file_location("ask_server", ROOT / "examples" / "ask_server.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    path = builtin_models()["classifier"].path
    picture = np.random.default_rng(0).random((1, 3, 192, 192)).astype(np.float16)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    (wanted,) = session.run(None, {"image": picture})
    with ServerRig({"classifier": path}) as rig:
        found = example.ask(rig.grpc, picture)
        assert example.main([rig.grpc]) == 0
    (black,) = session.run(None, {"image": np.zeros_like(picture)})
    assert capsys.readouterr().out == f"{int(black.argmax())}\n"
    assert example.main([rig.grpc]) == 1 and rig.grpc in capsys.readouterr().err, "the server is gone"
    # Half precision: a thousandth of the largest.
    assert np.abs(found.astype(float) - wanted.astype(float)).max() <= 1e-3 * float(wanted.max())


def test_tls(model, certificate):
    cert, key = certificate
    with ServerRig({"affine": model}, certificate=read_certificate(cert, key)) as rig:
        with triton_grpc.InferenceServerClient(rig.grpc, ssl=True, root_certificates=str(cert)) as client:
            infer(triton_grpc, client)
        options = {"ca_certs": str(cert)}
        with triton_http.InferenceServerClient(rig.http, ssl=True, ssl_options=options) as client:
            infer(triton_http, client)
        with triton_http.InferenceServerClient(rig.http) as client, pytest.raises(Exception, match=r".*"):
            client.get_server_metadata()
        with grpc.insecure_channel(rig.grpc) as channel, pytest.raises(grpc.RpcError):
            channel.unary_unary("/inference.GRPCInferenceService/ServerLive")(b"", timeout=5)


@pytest.mark.parametrize(
    "host,is_own",
    (
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("localhost", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.0.1", False),
        ("localhost.evil.example", False),
        ("[localhost", False),
        ("", False),
    ),
)
def test_addresses_of_this_machine(host, is_own):
    assert is_loopback(host) is is_own


@pytest.mark.parametrize(
    "header,is_own",
    (
        ("localhost", True),
        ("localhost:8000", True),
        ("127.0.0.1:8000", True),
        ("[::1]", True),
        ("[::1]:8000", True),
        ("[::1].evil.example", False),
        ("[::1]evil.example:8000", False),
        ("[[::1]]", False),
        ("[localhost]", False),
        ("localhost:8000.evil.example", False),
        ("127.0.0.1:@evil.example", False),
        ("localhost/evil.example", False),
        ("evil.example", False),
        ("", False),
    ),
)
def test_host_headers_of_this_machine(header, is_own):
    assert is_loopback(without_port(header)) is is_own


def test_limits_follow_the_models():
    """Two networks: the larger one counts; one of free sizes has the usual limit."""
    small, large = (400, 100), (8_000_000, 2_000_000)
    assert sizes_for([small, large]) == ((1 << 20) + 8_000_000, 32 << 20)
    assert sizes_for([small]) == ((1 << 20) + 400, (1 << 20) + 2400)
    assert sizes_for([small, None]) == (32 << 20, 32 << 20)


# -- the command ---------------------------------------------------------------------------------------------


def refused(capsys, *arguments):
    free = ["--grpc", "0", "--http", "0"]
    assert main(["serve", *free, *map(str, arguments)]) in (1, 2)
    return capsys.readouterr().err


def test_what_is_refused_at_the_start(model, certificate, tmp_path, capsys):
    cert, key = certificate
    short = tmp_path / "short"
    short.write_text("abc\n")
    assert "--token-file" in refused(capsys, model, "--host", "0.0.0.0")
    assert "no line of at least 16" in refused(capsys, model, "--token-file", short)
    assert "cannot be read" in refused(capsys, model, "--token-file", tmp_path / "none")
    assert "both --tls-cert and --tls-key" in refused(capsys, model, "--tls-cert", cert)
    assert "not a certificate and its key" in refused(capsys, model, "--tls-cert", key, "--tls-key", cert)
    assert "Two models are called 'affine'" in refused(capsys, model, model)
    assert "There is no network 'none'" in refused(capsys, "none")
    assert "cannot be a model's name" in refused(capsys, f"a/b={model}")
    assert "nothing to listen on" in refused(capsys, model, "--no-grpc", "--no-http")
    for address in ("grpc://anna:hunter2@host/m", "net=http://anna:hunter2@host/v2/models/m"):
        said = refused(capsys, address)
        assert "on a server already" in said and "hunter2" not in said
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no network")
    assert "'broken' is not served" in refused(capsys, broken)
    assert "nothing to serve" in refused(capsys)
    open_to_all = ("--host", "0.0.0.0", "--insecure")
    assert "--shared-memory is for this machine" in refused(capsys, model, "--shared-memory", *open_to_all)
    for options in ((), ("--insecure",)):
        said = refused(capsys, model, "--shared-memory", *options)
        assert "other users of this machine" in said and "--token-file" in said
    assert "no folder of models" in refused(capsys, "--repository", model)
    (tmp_path / "models").mkdir()
    assert "can be served" in refused(capsys, "--repository", tmp_path / "models", "--poll", "0")
    config = tmp_path / "limits.toml"
    for text, said in (
        ("[other]\nqueue = 1", "[other] in"),
        ("[affine]\nversions = 1", "leave it out"),
        ("affine = 1", "is no table"),
    ):
        config.write_text(text)
        assert said in refused(capsys, model, "--config", config)


def test_what_can_be_refused_is_refused_before_models_are_loaded(
    model, certificate, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr("desktop.serving.served_model.ServedModel.load", lambda *_: pytest.fail("loaded"))
    cert, _ = certificate
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_server(("0.0.0.0", 0)) as everywhere:
        taken, taken_everywhere = server.getsockname()[1], everywhere.getsockname()[1]
        for options, said in (
            (["--access-log", tmp_path / "none" / "log"], "The access log"),
            (["--access-log", tmp_path], "The access log"),
            (["--metrics", f"127.0.0.1:{taken}"], f"127.0.0.1:{taken}"),
            (["--http", taken], f"HTTP cannot listen on 127.0.0.1 port {taken}"),
            (["--grpc", taken], f"gRPC cannot listen on 127.0.0.1 port {taken}"),
            (["--http", taken_everywhere], f"HTTP cannot listen on 127.0.0.1 port {taken_everywhere}"),
            (["--grpc", "8001", "--http", "8001"], "gRPC and HTTP cannot both have the port 8001"),
            (["--host", "192.0.2.1", "--insecure"], "gRPC cannot listen on 192.0.2.1 port 0"),
            (["--host", "no.such.host.invalid", "--insecure"], "gRPC cannot listen on no.such.host.invalid"),
            (["--repository", tmp_path / "none"], "is no folder of models"),
            (["--tls-cert", cert, "--tls-key", tmp_path / "none"], "none"),
            (["--token-file", tmp_path / "none"], "cannot be read"),
        ):
            assert said in refused(capsys, model, *options)


def test_the_ports_are_free_again_after_they_were_checked(model, capsys, monkeypatch):
    """A server that ends leaves connections behind that do not keep the next one from listening."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)), server.accept()[0]:
            pass
    ended = []

    async def run(serving, service, stop, report):
        stop.set()
        ended.append(await whole(serving, service, stop, report))
        return ended[-1]

    whole = Serving.run
    monkeypatch.setattr(Serving, "run", run)
    assert main(["serve", str(model), "--backend", "onnxruntime", "--http", str(port), "--grpc", "0"]) == 0
    assert ended == [True] and f"HTTP 127.0.0.1:{port}" in capsys.readouterr().out


@pytest.mark.parametrize("side", ("grpc", "http"))
def test_a_port_that_is_taken(model, side, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        other = "http" if side == "grpc" else "grpc"
        said = refused(
            capsys, model, "--backend", "onnxruntime", f"--{side}", taken.getsockname()[1], f"--no-{other}"
        )
    assert "cannot listen on 127.0.0.1 port" in said


@pytest.fixture
def ended_at_once(monkeypatch):
    """Servers end as they begin; the hosts that they would have listened on."""
    hosts = []

    async def run(serving, *_):
        hosts.append(serving.host)
        return True

    monkeypatch.setattr("desktop.serving.server.Serving.run", run)
    # The usual ports may be those of another test.
    monkeypatch.setattr("desktop.serving.server.Serving.check_addresses", lambda _: None)
    return hosts


def test_a_host_in_brackets(model, ended_at_once):
    """An IPv6 address as a URL has it."""
    for host in ("::1", "[::1]"):
        assert main(["serve", str(model), "--backend", "onnxruntime", "--host", host]) == 0
    assert ended_at_once == ["::1", "::1"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["--max-batch", "1"],
            "gRPC takes 64 calls at a time and refuses more (RESOURCE_EXHAUSTED), as a request may have 32 MiB",
        ),
        (["--max-batch", "1", "--max-request", "8"], ""),
        (["--max-batch", "1", "--queue", "64"], ""),
        (["--max-batch", "1", "--no-grpc"], ""),
        ([], ""),
    ],
)
@pytest.mark.usefixtures("ended_at_once")
def test_the_start_says_where_fewer_calls_are_let_in_than_may_wait(model, capsys, options, said):
    assert main(["serve", str(model), "--backend", "onnxruntime", *options]) == 0
    error = capsys.readouterr().err
    assert said in error and ("calls at a time" in error) == bool(said)


class Program:
    """`lightloom serve`, started; `grpc` and `http` are where it listens."""

    def __init__(self, *arguments):
        command = [
            sys.executable,
            "-m",
            "desktop",
            "serve",
            *map(str, arguments),
            "--grpc",
            "0",
            "--http",
            "0",
        ]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        lines = {}
        while "HTTP" not in lines:
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read()
            title, address = re.fullmatch(r"(\w+) (\S+)\n", line).groups()
            lines[title] = address
        self.grpc, self.http = lines["gRPC"], lines["HTTP"]

    def end(self, number):
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=WAIT)
        return self.process.returncode, err


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("number", (signal.SIGTERM, signal.SIGINT))
def test_a_signal_ends_it_and_loses_nothing(model, number):
    """Four clients ask again and again: each request is answered rightly, or refused as the server ends."""
    program = Program(f"mine={model}", "--backend", "onnxruntime")
    counts, codes = [0] * 4, []

    def ask(client):
        x = np.full((1, 4), client, np.float32)
        given = triton_grpc.InferInput("x", x.shape, "FP32")
        given.set_data_from_numpy(x)
        with triton_grpc.InferenceServerClient(program.grpc) as asked:
            try:
                while True:
                    assert np.array_equal(asked.infer("mine", [given]).as_numpy("y"), 2 * x + 1)
                    counts[client] += 1
            except InferenceServerException as error:
                codes.append(error.status())

    threads = [threading.Thread(target=ask, args=(client,)) for client in range(4)]
    try:
        for thread in threads:
            thread.start()
        end = time.monotonic() + WAIT
        while min(counts) < 3 and time.monotonic() < end:
            time.sleep(0.01)
        status, err = program.end(number)
    finally:
        if program.process.poll() is None:
            program.process.kill()
    for thread in threads:
        thread.join(WAIT)
    assert min(counts) >= 3
    # Canceled is what gRPC itself says of a call that comes in the moment in which it ends; none of them was
    # computed.
    assert len(codes) == 4
    assert set(codes) <= {"StatusCode.UNAVAILABLE", "StatusCode.CANCELLED"}
    assert status == 0, err
    # A busy machine says first that it is loading.
    told = [line for line in err.splitlines() if "load" not in line]
    assert len(told) == 1 and told[0].startswith("mine: up to 8 at a time, onnxruntime")


def http_request(address, number, width=4):
    """The head and the body of a request for 2 x + 1."""
    body = json.dumps(
        {"inputs": [{"name": "x", "shape": [1, width], "datatype": "FP32", "data": [float(number)] * width}]}
    ).encode()
    head = (
        f"POST /v2/models/mine/infer HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode(), body


def answer_of(connection):
    """Status and document of an answer that ends with its connection."""
    data = b""
    while chunk := connection.recv(65536):
        data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


def frame(kind, flags, stream, payload=b""):
    """A frame of HTTP/2 (RFC 9113, section 4.1)."""
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def grpc_request(address, number):
    """The bytes of a call over HTTP/2: what opens it, its message, and where the message ends the call."""
    request = service_pb2.ModelInferRequest(model_name="mine")
    tensor = request.inputs.add(name="x", datatype="FP32", shape=[1, 4])
    request.raw_input_contents.append(np.full(4, number, np.float32).tobytes())
    assert tensor.name == "x"
    message = request.SerializeToString()
    fields = {
        ":method": "POST",
        ":scheme": "http",
        ":path": "/inference.GRPCInferenceService/ModelInfer",
        ":authority": address,
        "te": "trailers",
        "content-type": "application/grpc",
    }
    # Literal fields without indexing and without Huffman codes (RFC 7541, section 6.2.2).
    head = b"".join(
        b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
        for name, value in fields.items()
    )
    opening = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0) + frame(4, 1, 0) + frame(1, 4, 1, head)
    return opening, struct.pack(">BI", 0, len(message)) + message


def grpc_answer(connection):
    """The message of the answer on stream 1; None where the call ended without one."""
    data = b""
    stream = connection.makefile("rb")
    while head := stream.read(9):
        length, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
        payload = stream.read(length)
        is_ours = int.from_bytes(head[5:], "big") == 1
        data += payload if kind == 0 and is_ours else b""
        if is_ours and flags & 1:
            break
    return service_pb2.ModelInferResponse.FromString(data[5:]) if data else None


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_requests_that_are_half_sent_when_it_ends_are_answered(model):
    """A third stops within its head, two thirds within the body, ten of gRPC within the message."""
    program = Program(f"mine={model}", "--backend", "onnxruntime", "--drain", str(WAIT))
    host, port = program.http.split(":")
    grpc_host, grpc_port = program.grpc.split(":")
    try:
        asked, called = [], []
        for number in range(30):
            head, body = http_request(program.http, number)
            connection = socket.create_connection((host, int(port)))
            whole = head + body
            at = len(head) // 2 if number % 3 == 0 else len(head) + len(body) // 2
            connection.sendall(whole[:at])
            asked.append((number, connection, whole[at:]))
        for number in range(10):
            opening, message = grpc_request(program.grpc, number)
            connection = socket.create_connection((grpc_host, int(grpc_port)))
            connection.sendall(opening + frame(0, 0, 1, message[:7]))
            called.append((number, connection, frame(0, 1, 1, message[7:])))
        # An answer to a whole one says that the loop has read those before it.
        assert urllib.request.urlopen(f"http://{program.http}/v2/health/ready").status == 200
        assert triton_grpc.InferenceServerClient(program.grpc).is_server_ready()
        program.process.send_signal(signal.SIGTERM)
        until(lambda: status_of(program.http) == 400, "it still says that it is ready")
        with socket.create_connection((host, int(port))) as late:
            late.sendall(b"".join(http_request(program.http, 1)))
            assert answer_of(late)[0] == 503
        for _, connection, rest in (*asked, *called):
            connection.sendall(rest)
        for number, connection, _ in asked:
            with connection:
                status, document = answer_of(connection)
            assert (status, document["outputs"][0]["data"]) == (200, [2.0 * number + 1] * 4)
        for number, connection, _ in called:
            with connection:
                answer = grpc_answer(connection)
            assert np.array_equal(
                np.frombuffer(answer.raw_output_contents[0], np.float32), np.full(4, 2 * number + 1)
            )
        _, err = program.process.communicate(timeout=WAIT)
        assert program.process.returncode == 0, err
    finally:
        if program.process.poll() is None:
            program.process.kill()


def status_of(address):
    try:
        return urllib.request.urlopen(f"http://{address}/v2/health/ready").status
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_a_request_that_never_comes_is_told_and_the_status_says_so(model):
    program = Program(f"mine={model}", "--backend", "onnxruntime", "--drain", "1")
    host, port = program.http.split(":")
    try:
        head, body = http_request(program.http, 1)
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(head + body[:5])
            assert status_of(program.http) == 200
            program.process.send_signal(signal.SIGTERM)
            status, document = answer_of(connection)
        assert status == 503 and "ended before" in document["error"]
        _, err = program.process.communicate(timeout=WAIT)
        assert program.process.returncode == 1 and "longer than --drain" in err
    finally:
        if program.process.poll() is None:
            program.process.kill()


def test_a_network_has_run_when_it_is_ready(tmp_path, monkeypatch):
    ran = []

    def load(*arguments, **named):
        loaded = load_session(*arguments, **named)
        whole = loaded.session.run
        loaded.session.run = lambda feeds: ran.append(feeds) or whole(feeds)
        return loaded

    monkeypatch.setattr(session_pool, "load_session", load)
    # Of a fixed batch, so that nothing is tried about joining.
    with ServerRig({"mine": affine_model(tmp_path / "affine.onnx", batch=1)}) as rig:
        assert status_of(rig.http) == 200 and len(ran) == 1
