"""ONVIF cameras: the probe, the streams by a signed request, and senders that are not what they say."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from onvif_rig import PASSWORD, PROFILE, USER, StandInCamera
from waiting import LIMIT_S

from desktop.__main__ import main
from desktop.base.errors import StreamError
from desktop.net.onvif.discovery import NetworkCamera, discover
from desktop.net.onvif.limited_xml import parse
from desktop.net.onvif.streams import PASSWORD_VARIABLE, streams_of

# Unknown, and those of Python's that are none of bytes, fail, or have several bytes a letter.
ENCODINGS = ("foo", "rot13", "hex", "zlib", "undefined", "idna", "gbk", "utf-7", "utf-32")


@pytest.fixture
def camera() -> Iterator[StandInCamera]:
    made = StandInCamera()
    yield made
    made.close()


def test_a_camera_answers_a_probe(camera: StandInCamera) -> None:
    (found,) = discover(0.4, camera.group)
    # The first address of its answer is on another machine and is not taken.
    assert found == NetworkCamera("Front door", "127.0.0.1", camera.address, "Model 7")


def test_answers_that_are_none_are_left_out(camera: StandInCamera) -> None:
    forged = (
        b"<e><RelatesTo>urn:uuid:1</RelatesTo><ProbeMatch><XAddrs>http://127.0.0.1/</XAddrs></ProbeMatch></e>"
    )
    camera.matches = [
        *(b"", b"nonsense", b"<a>" * 5000, b"\xff" * 60_000),
        b'<!DOCTYPE e [<!ENTITY a "aaaa">]><e>&a;</e>',
        forged,
        b'<?xml version="1.0" encoding="foo"?><e/>',
    ]
    assert [found.name for found in discover(0.4, camera.group)] == ["Front door"]


def test_streams_come_by_a_signed_request_largest_first(camera: StandInCamera) -> None:
    large, small = streams_of(camera.address, USER, PASSWORD)
    assert (large.name, large.size, large.codec) == ("Large", (2560, 1440), "H264")
    # Its inner address is replaced by the one where it answered; a password goes nowhere else.
    assert large.address == "rtsp://127.0.0.1:554/main?unicast=true" and small.size == (640, 360)
    with_login = urlsplit(large.address_for(USER, PASSWORD))
    assert (with_login.username, with_login.password) == ("viewer", "pass%26word")
    assert camera.requested == [
        *("GetSystemDateAndTime", "GetCapabilities", "GetProfiles", "GetStreamUri", "GetStreamUri")
    ]


def test_a_profile_without_a_stream_does_not_hide_the_others(camera: StandInCamera) -> None:
    """A camera answers 500 for a profile of its metadata, or of its audio alone."""
    camera.refused = ("main",)
    (found,) = streams_of(camera.address, USER, PASSWORD)
    assert found.name == "Small"
    camera.refused = ("main", "sub")
    with pytest.raises(StreamError, match=r"answered 500"):
        streams_of(camera.address, USER, PASSWORD)


def test_a_camera_that_refuses_each_profile_gets_few_requests(camera: StandInCamera) -> None:
    """Each request carries the login, and cameras lock a user after some that they refuse."""
    more = [f"more{n}" for n in range(8)]
    camera.more_profiles = "".join(PROFILE.format(token=n, name=n, width=64, height=64) for n in more)
    camera.refused = ("main", "sub", *more)
    with pytest.raises(StreamError, match="answered 500"):
        streams_of(camera.address, USER, PASSWORD)
    assert camera.requested.count("GetStreamUri") == 3


def test_refused_profiles_behind_a_stream_do_not_hide_the_others(camera: StandInCamera) -> None:
    """As a recorder refuses its channels that have no camera; its first stream shows that the login is right."""
    more = [f"more{n}" for n in range(5)]
    camera.more_profiles = "".join(PROFILE.format(token=n, name=n, width=64, height=64) for n in more)
    camera.refused = ("main", *more[:-1])
    assert [stream.name for stream in streams_of(camera.address, USER, PASSWORD)] == ["Small", "more4"]


@pytest.mark.parametrize(
    "begun", [b"Content-Length: 1000\r\n\r\n<e>", b"Transfer-Encoding: chunked\r\n\r\n100\r\n<e>"]
)
def test_a_camera_that_stops_in_its_answer_is_not_taken_for_another_device(begun: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            with listening.accept()[0] as link:
                link.recv(65_536)
                link.sendall(b"HTTP/1.1 200 OK\r\n" + begun)
                ended.wait(LIMIT_S)

        ended = threading.Event()
        threading.Thread(target=answer, daemon=True).start()
        port = listening.getsockname()[1]
        with pytest.raises(StreamError, match="does not answer"):
            streams_of(f"http://127.0.0.1:{port}/onvif/device_service", answer_s=0.5)
        ended.set()


@pytest.mark.parametrize(("user", "password"), [("", ""), (USER, "wrong"), ("other", PASSWORD)])
def test_a_wrong_password_is_said_with_advice(camera: StandInCamera, user: str, password: str) -> None:
    with pytest.raises(StreamError, match=r"127\.0\.0\.1 refuses .*; check user and password"):
        streams_of(camera.address, user, password)


@pytest.mark.parametrize(
    ("name", "answer", "said"),
    [
        ("GetCapabilities", b"<html>", "not ONVIF"),
        ("GetCapabilities", b"<a/>" + b" " * 300_000, "not ONVIF"),
        ("GetProfiles", b"<e/>", "offers no stream"),
        ("GetStreamUri", b"<e><MediaUri><Uri>file:///etc/passwd</Uri></MediaUri></e>", "offers no stream"),
        ("GetStreamUri", b"<e><MediaUri><Uri>rtsp://[</Uri></MediaUri></e>", "offers no stream"),
    ],
)
def test_what_is_no_answer_is_refused(camera: StandInCamera, name: str, answer: bytes, said: str) -> None:
    camera.answers[name] = answer
    with pytest.raises(StreamError, match=said):
        streams_of(camera.address, USER, PASSWORD)


@pytest.mark.parametrize(
    "address",
    ["", "camera", "ftp://a/", "file:///etc/passwd", "http://[bad", "http://a:b/", "http://a:99999/"],
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(StreamError, match="is no address of an ONVIF camera; give"):
        streams_of(address)


@pytest.mark.parametrize("year", ["0", "9999", "99999999999", "1" * 5000])
def test_a_camera_of_a_wrong_year_is_asked_with_the_time_here(camera: StandInCamera, year: str) -> None:
    fields = {"Hour": "3", "Minute": "4", "Second": "5", "Year": year}
    fields |= {"Month": "12", "Day": "31"}
    text = "".join(f"<{name}>{value}</{name}>" for name, value in fields.items())
    answer = f"<e><UTCDateTime><Time>{text}</Time><Date>{text}</Date></UTCDateTime></e>"
    camera.answers["GetSystemDateAndTime"] = answer.encode()
    # The stand-in takes no token of today: that one arrives is what is tried.
    with pytest.raises(StreamError, match="refuses"):
        streams_of(camera.address, USER, PASSWORD)
    assert camera.requested == ["GetSystemDateAndTime", "GetCapabilities"]


def test_no_proxy_is_asked(camera: StandInCamera, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert len(streams_of(camera.address, USER, PASSWORD)) == 2


def test_nobody_there_is_said(camera: StandInCamera) -> None:
    camera.close()
    with pytest.raises(StreamError, match="does not answer"):
        streams_of(camera.address, answer_s=0.5)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<a>",
        b"<a></b>",
        b"<a/>" * 2,
        b"<!DOCTYPE a><a/>",
        b"<a>" * 60 + b"</a>" * 60,
        b"<a/>" + b" " * 300_000,
        *(f'<?xml version="1.0" encoding="{name}"?><a/>'.encode() for name in ENCODINGS),
    ],
)
def test_xml_outside_the_limits_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):
        parse(data)


def test_the_command_lists_streams(
    camera: StandInCamera, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASSWORD_VARIABLE, PASSWORD)
    command = ["cameras", "--streams", camera.address, "--user", USER]
    assert main(command) == 0
    assert "Large  2560x1440 H264  rtsp://127.0.0.1:554/main?unicast=true" in capsys.readouterr().out
    assert main([*command, "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in listed] == ["Large", "Small"] and PASSWORD not in json.dumps(listed)
    monkeypatch.setenv(PASSWORD_VARIABLE, "wrong")
    assert main(command) == 1
    assert "check user and password" in capsys.readouterr().err
    assert main(["cameras", "--user", "x"]) == 2
    with pytest.raises(SystemExit):
        main(["cameras", "--network", "--wait", "900"])


def test_the_command_that_finds_no_camera_says_what_to_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cameras", "--network", "--wait", "0.1"]) == 1
    said = capsys.readouterr().err
    assert "check" in said
