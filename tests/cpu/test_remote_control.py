"""The server of remote control: an OpenAPI client, refusals, limits, malformed requests, and followers."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import json
import random
import re
import socket
import threading
import time
from collections import Counter

import aiohttp
import pytest
from control_rig import TOKEN, ControlRig, OpenApiClient

from desktop.__main__ import main
from desktop.base.errors import ControlError, ServingError
from desktop.base.resources import resource
from desktop.serving.control.access import Peers, check_origin, new_token
from desktop.serving.control.call_queue import CallQueue
from desktop.serving.control.changes import MOST_FOLLOWERS
from desktop.serving.control.page import make_page
from desktop.serving.control.server import MOST_BODY, MOST_CONNECTIONS


@pytest.fixture(scope="module")
def shared():
    with ControlRig() as rig:
        yield rig


@pytest.fixture
def rig(shared):
    shared.program.calls.clear()
    time.sleep(0.2)  # for requests that the limit on their rate counts
    return shared


def test_a_client_that_knows_the_document_alone(rig):
    client = OpenApiClient(rig)
    assert set(client.operations) == {
        *("getState", "getParameters", "setParameters", "getLooks", "applyLook", "play", "pause", "seek"),
        *("record", "snapshot", "undo", "redo", "nextLook", "previousLook"),
    }
    (stage,) = client.call("getParameters")["stages"]
    assert stage["parameters"][0] | {"max": 20.0, "value": 4.0} == stage["parameters"][0]
    found = client.call("setParameters", {"stage": stage["id"], "values": {"radius": 7.5}})
    assert found["stages"][0]["parameters"][0]["value"] == 7.5
    (look,) = client.call("getLooks")["looks"]
    client.call("applyLook", name=look["name"])
    client.call("applyLook", {"fade": 2.5}, name=look["name"])
    client.call("seek", {"position": 3})
    client.call("record", {"on": True})
    client.call("snapshot")
    client.call("nextLook")
    assert client.call("play")["is_playing"] and not client.call("pause")["is_playing"]
    assert rig.program.calls == [
        ("set_values", 1, {"radius": 7.5}),
        ("apply_look", "night_city", None),
        ("apply_look", "night_city", 2.5),
        ("seek", 3.0),
        ("record", True),
        ("snapshot",),
        ("step", 1),
    ]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "said"),
    [
        ("PATCH", "/v1/parameters", {"stage": 9, "values": {"radius": 1}}, 404, "no such stage"),
        ("PATCH", "/v1/parameters", {"stage": 1, "values": {"radius": 99}}, 400, "takes 0 to 20"),
        ("PATCH", "/v1/parameters", {"stage": 1, "values": {}}, 400, "at most 64 values"),
        ("PATCH", "/v1/parameters", {"stage": True, "values": {"radius": 1}}, 400, "'stage' is true"),
        ("PATCH", "/v1/parameters", {"stage": 1}, 400, "no 'values'"),
        ("POST", "/v1/seek", {"position": -1}, 400, "give 0 to"),
        ("POST", "/v1/seek", {"position": 1, "more": 1}, 400, "unknown member"),
        ("POST", "/v1/seek", b"{", 400, "not JSON"),
        ("POST", "/v1/seek", b"[1]", 400, "no JSON object"),
        ("POST", "/v1/seek", b"x" * (MOST_BODY + 1), 413, "larger than"),
        ("POST", "/v1/undo", None, 500, "fault of the server's own"),
        ("GET", "/v1/play", None, 405, "takes POST only"),
        ("GET", "/v1/nothing", None, 404, "nothing at this address"),
        ("GET", "/v1/state?token=" + TOKEN, None, 400, "no query"),
        ("DELETE", "/v1/state", None, 405, "takes GET only"),
    ],
)
def test_a_refusal_is_one_sentence(rig, method, path, body, status, said):
    found, document = rig.ask(method, path, body)
    assert (found, list(document)) == (status, ["error"])
    assert said in document["error"] and document["error"].endswith(".")
    assert rig.program.calls == []


def test_a_wrong_method_is_told_the_right_ones(rig):
    connection = rig.connection()
    connection.request("DELETE", "/v1/state", headers={"Authorization": f"Bearer {TOKEN}"})
    response = connection.getresponse()
    assert (response.status, response.headers["Allow"]) == (405, "GET")
    connection.close()


def test_a_body_of_another_type_is_refused(rig):
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        assert rig.ask("POST", "/v1/seek", b'{"position": 1}', Content_Type=kind)[0] == 400
    assert rig.ask("POST", "/v1/seek", b"x", Content_Encoding="gzip")[0] == 400
    assert rig.program.calls == []


def test_without_a_token_nothing_but_the_page_is_served(rig):
    for method, path in (("GET", "/v1/state"), ("POST", "/v1/record"), ("GET", "/v1/nothing")):
        status, document = rig.ask(method, path, token=None)
        assert status == 401 and "token" in document["error"]
    assert rig.ask("GET", "/", token=None)[0] == 200
    assert rig.ask("GET", "/openapi.json", token=None)[0] == 200


def test_a_foreign_origin_or_host_is_refused_even_with_the_token(rig):
    for origin in ("https://example.com", "null", f"https://{rig.host}", "http://127.0.0.1:1"):
        assert rig.ask("POST", "/v1/play", Origin=origin)[0] == 403
    assert rig.ask("POST", "/v1/play", Origin=f"http://{rig.host}")[0] == 200
    for host in ("example.com", f"example.com:{rig.server.port}", "192.168.1.2", ""):
        assert rig.ask("GET", "/v1/state", Host=host)[0] == 403
    assert rig.ask("GET", "/v1/state", Host=f"localhost:{rig.server.port}")[0] == 200
    assert rig.ask("OPTIONS", "/v1/state", Origin="https://example.com")[0] == 403


def test_hosts_of_a_network():
    for host in ("192.168.1.2:80", "[fe80::1]:80", socket.gethostname(), "localhost"):
        check_origin(f"http://{host}", host, local=False)
    for host in ("example.com", "1.2.3.4.example.com", ""):
        with pytest.raises(ServingError, match="host name"):
            check_origin(None, host, local=False)
    with pytest.raises(ServingError, match="host name"):
        check_origin(None, "192.168.1.2", local=True)


def test_wrong_tokens_are_delayed_and_then_refused():
    with ControlRig() as rig:
        begun = time.monotonic()
        assert [rig.ask("GET", "/v1/state", token="wrong")[0] for _ in range(5)] == [401] * 5
        assert time.monotonic() - begun >= 2.5
        connection = rig.connection()
        connection.request("GET", "/v1/state", headers={"Authorization": f"Bearer {TOKEN}"})
        response = connection.getresponse()
        said = json.loads(response.read())["error"]
        assert response.status == 429 and "Too many wrong tokens" in said
        assert f"wait {response.headers['Retry-After']} seconds" in said
        connection.close()


def test_requests_without_the_token_use_up_no_others():
    with ControlRig(peers=Peers(rate=0.0, burst=3.0)) as rig:
        assert [rig.ask("GET", "/v1/state", token=None)[0] for _ in range(4)] == [401, 401, 401, 429]
        assert rig.ask("GET", "/v1/state")[0] == 200


def test_limits_of_each_peer():
    now = [0.0]
    peers = Peers(lambda: now[0])
    for _ in range(120):
        peers.admit("a")
    with pytest.raises(ServingError, match="Too many requests"):
        peers.admit("a")
    peers.admit("b")
    now[0] = 1.0
    for _ in range(40):
        peers.admit("a")
    for _ in range(5):
        peers.count_failure("a")
    with pytest.raises(ServingError, match="wait 60 seconds"):
        peers.check_failures("a")
    peers.check_failures("b")
    now[0] = 62.0
    peers.check_failures("a")


def test_tokens_differ_and_can_be_typed():
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(len(each) == 19 and each.replace("-", "").isalnum() and each.islower() for each in tokens)


# Of each part of a request, the first one is right.
METHODS = ("PATCH", "GET", "get", "\x00", "A" * 9000)
PATHS = (
    "/v1/parameters",
    "/v1/looks/x/apply",
    "/../../etc/passwd",
    "*",
    "//",
    "/%ff%00",
    "/v1/" + "x" * 9000,
)
VERSIONS = ("HTTP/1.1", "HTTP/9", "HTTP/1.0", "")
TOKENS = (
    f"Authorization: Bearer {TOKEN}",
    "Authorization:",
    "Authorization: Bearer \xff",
    "X: " + "y" * 9000,
)
LENGTHS = ("", "Content-Length: -1", "Content-Length: 99999999999999999999", "Transfer-Encoding: chunked")
TYPES = ("Content-Type: application/json", "Content-Type: ;;=", "Upgrade: websocket\r\nConnection: Upgrade")
BODIES = (
    b"{" * 4000,
    b'{"stage": 1e999, "values": {"radius": NaN}}',
    b'{"stage": 1, "values": {"radius": [[[]]]}}',
    b'{"stage": 1, "values": {"radius": "x", "y": 1e400}}',
    b'{"stage": 1' + b"0" * 400 + b', "values": {}}',
    b"\xff\xfe\x00",
    b"",
)


def malformed(number: random.Random, host: str) -> bytes:
    """Return bytes that are almost a request: the body is wrong, and often another part."""
    body = number.choice(BODIES)
    hosts = (f"Host: {host}", "Host: [", "Host", f"Host: {host}\r\nHost: {host}")
    parts = [METHODS, PATHS, VERSIONS, hosts, TOKENS, (f"Content-Length: {len(body)}", *LENGTHS), TYPES]
    wrong = number.randrange(2 * len(parts))
    chosen = [number.choice(part) if index == wrong else part[0] for index, part in enumerate(parts)]
    lines = [" ".join(chosen[:3]), *number.sample(chosen[3:], 4)]
    data = bytearray("\r\n".join(filter(None, lines)).encode("latin-1") + b"\r\n\r\n" + body)
    if number.random() < 0.2:
        data[number.randrange(len(data))] = number.randrange(256)
    return bytes(data[: number.randrange(1, len(data) + 1)] if number.random() < 0.05 else data)


async def first_bytes(port: int, data: bytes) -> bytes:
    """Return how the response to a request begins; b"" for none, as while the rest of it is missing."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    response = asyncio.ensure_future(reader.read(12))
    try:
        await asyncio.wait({response}, timeout=0.3)
        if not response.done():
            # Of a slow server too there is none when a request that came later has been answered.
            await answered(port)
            await asyncio.wait({response}, timeout=0.3)
        return response.result() if response.done() else b""
    except ConnectionError:
        return b""
    finally:
        response.cancel()
        writer.close()


async def answered(port: int) -> None:
    """Send a request for the state and wait for the response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = (
        "GET /v1/state HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        f"Authorization: Bearer {TOKEN}",
        "Connection: close",
    )
    writer.write("\r\n".join([*lines, "", ""]).encode())
    assert (await reader.read()).startswith(b"HTTP/1.1 200")
    writer.close()


def test_a_thousand_malformed_requests_do_no_harm():
    number = random.Random(5)
    with ControlRig(peers=Peers(rate=1e6, burst=1e6, failures=1000)) as rig:
        before = set(threading.enumerate())

        async def send_all() -> Counter[bytes]:
            # Two connections each, of the 32 that may be without a code.
            few = asyncio.Semaphore(12)

            async def send(data: bytes) -> bytes:
                async with few:
                    return await first_bytes(rig.server.port, data)

            requests = [malformed(number, rig.host) for _ in range(1000)]
            return Counter(await asyncio.gather(*map(send, requests)))

        statuses = asyncio.run(send_all())
        assert all(re.fullmatch(rb"|HTTP/1\.[01] \d{3}", each) for each in statuses), statuses
        refused = sum(count for each, count in statuses.items() if each[9:10] == b"4")
        assert refused > 800, statuses
        assert refused + statuses[b""] + statuses[b"HTTP/1.1 200"] == 1000, statuses
        # Those of earlier tests may end meanwhile.
        assert not set(threading.enumerate()) - before
        assert rig.ask("GET", "/v1/state")[0] == 200
        assert {each[0] for each in rig.program.calls} <= {"seek"}


# -- the program's thread --------------------------------------------------------------------------------------


def test_a_program_that_does_not_respond_holds_up_neither_the_server_nor_memory():
    async def ask_all() -> list[str]:
        calls = CallQueue(lambda: None, most=3, answer_s=0.2)

        async def ask() -> str:
            try:
                await calls.call(lambda: made.append(1))
            except ServingError as error:
                return error.kind
            return ""

        kinds = await asyncio.gather(*(ask() for _ in range(5)))
        calls.run_due()  # none that was given up is made
        calls.close()
        return [*kinds, await ask()]

    made: list[int] = []
    assert sorted(asyncio.run(ask_all())[:5]) == ["full", "full", "late", "late", "late"]
    assert asyncio.run(ask_all())[5] == "unavailable"
    assert made == []


def test_closing_refuses_what_waits():
    with ControlRig() as rig:
        rig.may_run.clear()
        statuses: list[int] = []
        asking = threading.Thread(target=lambda: statuses.append(rig.ask("GET", "/v1/state")[0]))
        asking.start()
        time.sleep(0.3)
        rig.server.close()
        asking.join(10)
        assert statuses == [503]


def test_a_port_that_is_taken():
    with ControlRig() as first, ControlRig() as second:
        second.server.close()
        with pytest.raises(ControlError, match="choose another one"):
            second.server.start(first.server.port)


def test_a_port_that_no_computer_has_fails_at_once():
    with ControlRig() as rig:
        rig.server.close()
        with pytest.raises(OverflowError):
            rig.server.start(1 << 20)


# -- followers -------------------------------------------------------------------------------------------------


def test_changes_are_sent_at_most_ten_times_a_second():
    with ControlRig() as rig:

        async def follow() -> list[dict[str, object]]:
            async with (
                aiohttp.ClientSession() as session,
                session.ws_connect(f"ws://{rig.host}/v1/events") as ws,
            ):
                await ws.send_json({"token": TOKEN})
                while not rig.server.followers:
                    await asyncio.sleep(0.01)
                for step in range(50):
                    rig.program.radius = step / 10
                    rig.server.publish(rig.program.state(), rig.program.parameters())
                    await asyncio.sleep(0.01)
                found = []
                while not found or found[-1]["parameters"]["stages"][0]["parameters"][0]["value"] != 4.9:
                    found.append(await ws.receive_json(timeout=10))
                return found

        found = asyncio.run(follow())
        assert 2 <= len(found) <= 8
        assert "state" in found[0] and all("state" not in each for each in found[1:])


def test_followers_need_the_token_and_are_few():
    with ControlRig() as rig:

        async def connect(session: aiohttp.ClientSession, first: str) -> aiohttp.ClientWebSocketResponse:
            ws = await session.ws_connect(f"ws://{rig.host}/v1/events", origin=f"http://{rig.host}")
            await ws.send_str(first)
            return ws

        async def follow() -> None:
            rig.server.publish(rig.program.state(), rig.program.parameters())
            async with aiohttp.ClientSession() as session:
                for first in ("{}", "[]", json.dumps({"token": "x"}), json.dumps({"token": 5}), "{" * 500):
                    ws = await connect(session, first)
                    assert set(await ws.receive_json(timeout=10)) == {"error"}
                    closing = await ws.receive(timeout=10)
                    assert closing.type is aiohttp.WSMsgType.CLOSE and closing.data == 1008
                open_ones = []
                for _ in range(MOST_FOLLOWERS):
                    open_ones.append(await connect(session, json.dumps({"token": TOKEN})))
                    assert set(await open_ones[-1].receive_json(timeout=10)) == {"state", "parameters"}
                extra = await connect(session, json.dumps({"token": TOKEN}))
                assert "clients follow already" in (await extra.receive_json(timeout=10))["error"]
                assert (await extra.receive(timeout=10)).data == 1013, "its token is right"
                await open_ones[0].send_str("more")
                assert (await open_ones[0].receive(timeout=10)).type is aiohttp.WSMsgType.CLOSE
                with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                    await session.ws_connect(f"ws://{rig.host}/v1/events", origin="https://example.com")

        asyncio.run(follow())


def test_connections_that_send_nothing_end_no_follower():
    with ControlRig() as rig, contextlib.ExitStack() as opened:

        async def follow() -> None:
            rig.server.publish(rig.program.state(), rig.program.parameters())
            async with (
                aiohttp.ClientSession() as session,
                session.ws_connect(f"ws://{rig.host}/v1/events") as ws,
            ):
                await ws.send_json({"token": TOKEN})
                assert "state" in await ws.receive_json(timeout=10)
                for _ in range(2 * MOST_CONNECTIONS):
                    opened.enter_context(socket.create_connection(("127.0.0.1", rig.server.port), 10))
                # Answered after all of them were accepted.
                assert (await asyncio.to_thread(rig.ask, "GET", "/v1/state"))[0] == 200
                rig.program.radius += 1
                rig.server.publish(rig.program.state(), rig.program.parameters())
                assert "parameters" in await ws.receive_json(timeout=10)

        asyncio.run(follow())


def test_a_client_that_leaves_before_its_token_is_no_fault_of_the_server(caplog):
    async def leave(rig: ControlRig) -> None:
        head = (
            f"GET /v1/events HTTP/1.1\r\nHost: {rig.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        reader, writer = await asyncio.open_connection("127.0.0.1", rig.server.port)
        writer.write(head.encode())
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"\x88\x80\x00\x00\x00\x00")  # closes it
        writer.transport.abort()

    with ControlRig() as rig:
        for _ in range(10):
            asyncio.run(leave(rig))
        assert rig.ask("GET", "/v1/state")[0] == 200
        time.sleep(0.3)
    assert "a fault of the server's own" not in caplog.text


# -- the page --------------------------------------------------------------------------------------------------


def test_the_page_runs_its_own_script_alone_and_asks_nobody_else(rig):
    connection = rig.connection()
    connection.request("GET", "/")
    response = connection.getresponse()
    text, policy = response.read().decode(), response.headers["Content-Security-Policy"]
    script = text.partition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy and "default-src 'none'" in policy
    assert f"connect-src 'self' ws://{rig.host}" in policy
    assert "http://" not in text and "https://" not in text and "unsafe" not in policy
    assert response.headers["Cache-Control"] == "no-store"
    connection.close()


def test_texts_of_the_page_cannot_end_its_script():
    page = make_page({"Play": "</script><script>alert(1)"}, 'de"')
    assert page.text.count("<script>") == 1 and 'lang="de&quot;"' in page.text
    assert "https://" not in resource("assets", "remote_control", "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("port", ["80", "x", "99999", ""])
def test_an_option_that_is_no_port(port, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["--control", port])
    assert "is no port; give a number from 1024 to 65535" in capsys.readouterr().err
