"""Addresses: what a host and a port are, and what of an address may be shown."""

from __future__ import annotations

import pytest

from desktop.base.addresses import (
    has_hidden_password,
    has_secrets,
    public_address,
    split_address,
    split_endpoint,
)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("http://host", "host", None),
        ("http://host:1/a", "host", 1),
        ("http://HOST:65535", "host", 65535),
        ("rtsp://anna:pa%2Fss@host:554/a b", "host", 554),
        ("mqtt://[::1]:1883", "::1", 1883),
        ("http://host:/a", "host", None),
        ("udp://:1234", None, 1234),
    ],
)
def test_hosts_and_ports(text, host, port):
    parts = split_address(text)
    assert (parts.hostname, parts.port) == (host, port)


@pytest.mark.parametrize(
    "text",
    [
        "http://host:0",
        "http://host:65536",
        "http://host:x",
        "http://host:-1",
        "http://host:+1",
        "http://host:\uff15\uff15",
        "http://ho st/a",
        "http://ho\tst/a",
        "http://ho\nst/a",
        "http://ho\0st/a",
        "http://[::1/a",
        "http://[zz]/a",
        # Python's sockets raise UnicodeError for these.
        "http://ho..st/a",
        f"http://{'a' * 64}.local/a",
    ],
)
def test_addresses_that_no_network_connects_to(text):
    with pytest.raises(ValueError):
        split_address(text)


@pytest.mark.parametrize(
    "text",
    ["", "x", "host", "host:", ":", "host:65536", "::1:1", "u@a:1", "a:1/x", "a\0:1", "a b:1", "a..b:1"],
)
def test_texts_that_are_no_endpoint(text):
    with pytest.raises(ValueError):
        split_endpoint(text)


def test_endpoints():
    assert split_endpoint("9000") == split_endpoint(":9000") == ("127.0.0.1", 9000)
    assert split_endpoint("host:0") == ("host", 0)
    assert split_endpoint("[::1]:9000") == ("::1", 9000)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("rtsp://anna:hunter2@host:554/a?token=hunter2#hunter2", "rtsp://host:554/a"),
        ("rtsp://anna:hunter2@[::1]:554/a", "rtsp://[::1]:554/a"),
        ("rtsp://anna:hunter2@host:x/a", "rtsp://host/a"),
        ("rtsp://anna:hunter2@[::1/a", "rtsp://"),
        # A character of the password ends the host: the rest of the password must not be shown as a path.
        ("rtsp://anna:hunter2/hunter2@host/a", "rtsp://…@host/a"),
        ("rtsp://anna:12/hunter2@host:554/a?hunter2", "rtsp://…@host:554/a"),
        ("rtsp://anna:12?hunter2@host/a", "rtsp://…@host/a"),
        ("rtsp://anna:12#hunter2@host/a", "rtsp://…@host/a"),
        ("rtsp://an/na:hunter2@host/a", "rtsp://…@host/a"),
        ("rtsp://anna:12/hunter2#hunter2@host/a", "rtsp://…@host/a"),
        ("rtsp://anna:hunter2/hunter2?hunter2@host/a", "rtsp://…@host/a"),
        ("rtsp://anna:hunter2@hunter2/hunter2@host/a", "rtsp://…@host/a"),
        ("rtsp://anna:[hunter2]/x@host/a", "rtsp://…@host/a"),
        # The user is an email address.
        ("rtsp://anna@mail.com:hunter2/hunter2@host/a", "rtsp://…@host/a"),
        ("rtsp://anna@mail.com:12/hunter2@host/a", "rtsp://…@host/a"),
        # The last @ is in the value of a query, which does not begin the host.
        ("http://cam:80/a?user=anna&pwd=p@hunter2", "http://…"),
        ("http://cam:80?user=anna&pwd=p@hunter2", "http://…"),
        ("http://cam.local:80/a?user=anna&pwd=p@hunter2", "http://cam.local:80/a"),
        ("rtsp://192.168.1.5:80/a@b?pwd=p@hunter2", "rtsp://192.168.1.5:80/a@b"),
        # Some cameras have the password in the path.
        (
            "rtsp://10.0.0.5:554/user=a&password=hunter2&channel=1",
            "rtsp://10.0.0.5:554/user=a&password=…",
        ),
        ("rtsp://10.0.0.5/user=a_password=hunter2_channel=1.sdp", "rtsp://10.0.0.5/user=a_password=…"),
        ("http://host/a;pass%77d=hunter2/b", "http://host/a;pass%77d=…"),
        ("http://host/user=a%26password=hunter2", "http://host/user=a%26password=…"),
        # The password has a character in it that separates others.
        ("rtsp://host/user=a&password=p/hunter2&ch=1", "rtsp://host/user=a&password=…"),
        ("rtsp://host/user=a&password=/hunter2", "rtsp://host/user=a&password=…"),
        ("rtsp://host/password=p&hunter2", "rtsp://host/password=…"),
        ("rtsp://host/password=p_a=hunter2", "rtsp://host/password=…"),
        ("rtsp://host/a;user=b,password=hunter2,d=e", "rtsp://host/a;user=b,password=…"),
        ("rtsp://host/user=b|password=hunter2|d=e", "rtsp://host/user=b|password=…"),
    ],
)
def test_what_is_shown_of_an_address_has_no_secret(address, shown):
    assert public_address(address) == shown and "hunter2" not in shown
    assert has_secrets(address)


@pytest.mark.parametrize(
    "address",
    [
        *(
            "rtsp://host:554/a",
            "http://host/@anna/a.m3u8",
            "udp://@:1234",
            "http://[::1]/a@b",
            "http://host:80/a",
        ),
        *("http://host/author=anna;keys=2/pass", "http://host/a/password="),
    ],
)
def test_an_address_without_secrets_is_shown_whole(address):
    assert not has_secrets(address)
    assert public_address(address) == address.replace("@:", ":")


@pytest.mark.parametrize(
    ("address", "is_hidden"),
    [
        ("rtsp://anna:12#x@host/a", True),
        ("rtsp://anna:12/x#y@host/a", True),
        ("rtsp://anna@mail.com:12/x@host/a", True),
        ("rtsp://anna@mail.com:x/y@host/a", True),
        ("rtsp://anna:pw@host/a", False),
        ("rtsp://anna:pw@host/@b", False),
        ("http://192.168.1.5:80/a@b", False),
        ("http://host:80/a?mail=a@b", False),
    ],
)
def test_a_password_that_ended_the_host_is_distinguished_from_other_addresses(address, is_hidden):
    assert has_hidden_password(address) == is_hidden
