"""Find ONVIF cameras in the local network by WS-Discovery: a probe by multicast, and the matches that come.

A module of its own: the kept library for it, WSDiscovery, is under the LGPL and answers probes itself; this
needs one message.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

import psutil

from desktop.base.addresses import split_address
from desktop.base.errors import StreamError
from desktop.base.files import reason
from desktop.base.printable import printable
from desktop.base.wording import sentence
from desktop.net.onvif.limited_xml import Element, parse

GROUP: Final = ("239.255.255.250", 3702)
MOST_CAMERAS: Final = 256
_MOST_DATAGRAMS: Final = 2000
_DATAGRAM: Final = 65_535
_AGAIN_S: Final = 0.5  # datagrams are lost
_LONGEST_NAME: Final = 80
_NAME: Final = "onvif://www.onvif.org/name/"
_HARDWARE: Final = "onvif://www.onvif.org/hardware/"
# WS-Discovery 2005/04, section 5.2, with the type of ONVIF's core specification, section 7.3.
_PROBE: Final = (
    '<?xml version="1.0" encoding="utf-8"?>'
    '<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"'
    ' xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing"'
    ' xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery"'
    ' xmlns:n="http://www.onvif.org/ver10/network/wsdl"><e:Header>'
    "<a:MessageID>{message}</a:MessageID>"
    "<a:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</a:To>"
    "<a:Action>http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe</a:Action>"
    "</e:Header><e:Body><d:Probe><d:Types>n:NetworkVideoTransmitter</d:Types></d:Probe></e:Body></e:Envelope>"
)


@dataclass(frozen=True)
class NetworkCamera:
    """A camera that answered: its name, host, and the address of its device service."""

    name: str
    host: str
    address: str
    hardware: str = ""


def discover(wait_s: float = 3.0, group: tuple[str, int] = GROUP) -> tuple[NetworkCamera, ...]:
    """Return the cameras that answer a probe within `wait_s` seconds, by name. Raises OSError without network.

    Counts only what answers this probe, and only addresses of the host that sent the answer: no other
    machine can lead a user's password elsewhere.
    """
    message = f"urn:uuid:{uuid.uuid4()}"
    probe = _PROBE.format(message=message).encode()
    found: dict[str, NetworkCamera] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 1)
        link.bind(("", 0))
        begun = time.monotonic()
        _send(link, probe, group)
        is_repeated = False
        for _ in range(_MOST_DATAGRAMS):
            passed = time.monotonic() - begun
            if passed >= wait_s or len(found) >= MOST_CAMERAS:
                break
            if not is_repeated and passed >= _AGAIN_S:
                _send(link, probe, group)
                is_repeated = True
            link.settimeout(max(0.01, min(_AGAIN_S, wait_s - passed)))
            with contextlib.suppress(TimeoutError, ConnectionError):
                data, sender = link.recvfrom(_DATAGRAM)
                for camera in _cameras_of(data, message, str(sender[0])):
                    found.setdefault(camera.address, camera)
    return tuple(sorted(found.values(), key=lambda camera: (camera.name.casefold(), camera.host)))


def search_cameras(wait_s: float = 3.0) -> tuple[NetworkCamera, ...]:
    """Return what `discover` finds. Raises StreamError without network."""
    try:
        return discover(wait_s)
    except OSError as error:
        raise StreamError(
            sentence(
                "The network cannot be searched for cameras: {reason}; check the connection and the firewall.",
                reason=reason(error),
            )
        ) from error


def _send(link: socket.socket, probe: bytes, group: tuple[str, int]) -> None:
    """Send the probe through every network; OSError if none takes it."""
    if not ipaddress.ip_address(group[0]).is_multicast:
        link.sendto(probe, group)
        return
    failure: OSError | None = None
    is_sent = False
    for own in _own_addresses():
        try:
            link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(own))
            link.sendto(probe, group)
            is_sent = True
        except OSError as error:
            failure = error
    if not is_sent:
        raise failure or OSError("there is no network")


def _own_addresses() -> Iterator[str]:
    for addresses in psutil.net_if_addrs().values():
        for each in addresses:
            if each.family == socket.AF_INET:
                yield each.address


def _cameras_of(data: bytes, message: str, sender: str) -> Iterator[NetworkCamera]:
    """Yield the cameras of an answer; nothing for one that answers another probe or is no valid answer."""
    try:
        root = parse(data)
    except ValueError:
        return
    if root.text_at("RelatesTo") != message:
        return
    for match in root.all("ProbeMatch"):
        address = next((a for a in match.text_at("XAddrs").split() if _host(a) == sender), "")
        if address:
            yield _camera(match, address, sender)


def _camera(match: Element, address: str, sender: str) -> NetworkCamera:
    scopes = match.text_at("Scopes").split()
    name, hardware = (
        next((scope[len(prefix) :] for scope in scopes if scope.startswith(prefix)), "")
        for prefix in (_NAME, _HARDWARE)
    )
    return NetworkCamera(_shown(name) or sender, sender, address, _shown(hardware))


def _shown(scope: str) -> str:
    return printable(unquote(scope[: 3 * _LONGEST_NAME]).replace("_", " ").strip())[:_LONGEST_NAME]


def _host(address: str) -> str:
    """Return the host of an address of HTTP, '' for anything else."""
    try:
        parts = split_address(address)
    except ValueError:
        return ""
    return (parts.hostname or "") if parts.scheme in ("http", "https") and "@" not in parts.netloc else ""
