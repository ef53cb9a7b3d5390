"""Who may ask the server: token, TLS, addresses; and `lightloom serve` as a program."""

from __future__ import annotations

import datetime
import importlib.util
import ipaddress
import re
import signal
import socket
import subprocess
import sys
import threading
import time
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
from tritonclient.utils import InferenceServerException

from desktop.__main__ import main
from desktop.compute.models.builtin import builtin_models
from desktop.compute.net.loopback import is_loopback, without_port
from desktop.serving.access import read_certificate
from desktop.serving.limits import sizes_for

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


def test_the_example():
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


# -- the command -----------------------------------------------------------------------------------------------------


def refused(capsys, *arguments):
    assert main(["serve", *map(str, arguments)]) in (1, 2)
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


@pytest.mark.parametrize("side", ("grpc", "http"))
def test_a_port_that_is_taken(model, side, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        other = "http" if side == "grpc" else "grpc"
        said = refused(
            capsys, model, "--backend", "onnxruntime", f"--{side}", taken.getsockname()[1], f"--no-{other}"
        )
    assert "cannot listen on 127.0.0.1 port" in said


def test_a_host_in_brackets(model, monkeypatch):
    """An IPv6 address as a URL has it."""
    hosts = []

    async def run(serving, *_):
        hosts.append(serving.host)
        return True

    monkeypatch.setattr("desktop.serving.server.Serving.run", run)
    for host in ("::1", "[::1]"):
        assert main(["serve", str(model), "--backend", "onnxruntime", "--host", host]) == 0
    assert hosts == ["::1", "::1"]


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
def test_the_start_says_where_fewer_calls_are_let_in_than_may_wait(model, monkeypatch, capsys, options, said):
    async def run(*_):
        return True

    monkeypatch.setattr("desktop.serving.server.Serving.run", run)
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


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
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
    # Canceled is what gRPC itself says of a call that comes in the moment in which it ends; none of them was computed.
    assert len(codes) == 4
    assert set(codes) <= {"StatusCode.UNAVAILABLE", "StatusCode.CANCELLED"}
    assert status == 0, err
    assert err.startswith("mine: up to 8 at a time, onnxruntime")
    assert len(err.splitlines()) == 1
