"""Looking up a name and connecting: within a request's deadline, and ended with it."""

from __future__ import annotations

import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from waiting import until

from desktop.net.deadline import Deadline
from desktop.net.http_client import HttpClient, Interrupted
from desktop.net.inference.address import parse_address
from desktop.net.inference.http_connection import HttpConnection
from desktop.net.inference.wire import CallFailed
from desktop.net.socket_connect import connect

SLOW = "slow.example"


@pytest.fixture
def hanging(monkeypatch):
    """A name server that does not answer for SLOW: how many ask it."""
    asked, over, real = [], threading.Event(), socket.getaddrinfo

    def look_up(host, *arguments, **options):
        if host == SLOW:
            asked.append(host)
            over.wait()
            raise socket.gaierror(socket.EAI_AGAIN, "not now")
        return real(host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    yield asked
    over.set()


def line():
    return HttpConnection(parse_address(f"http://{SLOW}:8000/v2/models/m"), {})


def test_a_name_server_that_hangs_does_not_outlast_a_call(hanging):
    with pytest.raises(CallFailed, match="did not answer in time"):
        line().request("/v2", limit=100, timeout_s=0.1)
    with pytest.raises(Interrupted, match=r"slow\.example does not answer"):
        HttpClient(0.1, ("http",)).get(f"http://{SLOW}/file", {})
    assert len(hanging) == 2


def test_a_look_up_is_left_behind_when_the_call_is_aborted(hanging):
    with ThreadPoolExecutor(2) as pool:
        asking, client = line(), HttpClient(600.0, ("http",))
        call = pool.submit(asking.request, "/v2", limit=100, timeout_s=600.0)
        get = pool.submit(client.get, f"http://{SLOW}/file", {})
        until(lambda: len(hanging) == 2)
        asking.abort()
        client.abort()
        with pytest.raises(CallFailed, match="the call was ended"):
            call.result()
        with pytest.raises(Interrupted):
            get.result()


def test_a_name_that_is_none_and_one_that_has_several_addresses():
    deadline = Deadline(60)

    def unknown(*_, **__):
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    with pytest.raises(socket.gaierror):
        connect(("none.example", 80), 10.0, deadline, unknown)
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = server.getsockname()
        with socket.create_server(("127.0.0.1", 0)) as closed:
            nobody = closed.getsockname()
        found = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", each) for each in (nobody, place)]
        with connect(("two.example", 80), 10.0, deadline, lambda *_, **__: found) as sock:
            assert sock.getpeername() == place
        found.pop()
        with pytest.raises(ConnectionRefusedError):
            connect(("one.example", 80), 10.0, deadline, lambda *_, **__: found)
    deadline.stop()
