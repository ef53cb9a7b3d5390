"""Streams by WHIP: what is offered to a server, its refusals, and the certificate of the connection.

That video and audio arrive was checked with aiortc, which is no dependency of the tests (docs/facts.md).
"""

from __future__ import annotations

import contextlib
import http.server
import queue
import socket
import struct
import threading

import av
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from waiting import LIMIT_S, until

from desktop.base.errors import ExportError
from desktop.outputs.encoders import encodes
from desktop.outputs.live import live_outputs
from desktop.outputs.live._stream_plan import plan
from desktop.outputs.live._stream_target import target_of, without_secrets
from desktop.outputs.live.output import PictureFormat
from tests.stream_rig import RATE, SIZE, Sender, quarters

OUTPUT = live_outputs()["stream"]
SHOWN = PictureFormat(*SIZE, RATE, sound=True)
KEY = "bearer_1234_secretKey"
needs_whip = pytest.mark.skipif(
    "whip" not in av.formats_available, reason="an FFmpeg without WHIP, as on macOS"
)


def values(address, **given):
    return OUTPUT.checked({"address": address, **given})


class WhipServer:
    """Answers offers with a status and a session description; `offers` are those that came, with their headers."""

    def __init__(self, status, answer=""):
        self.offers = queue.Queue()
        offers = self.offers

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                offer = self.rfile.read(int(self.headers["Content-Length"])).decode()
                offers.put((self.path, self.headers, offer))
                self.send_response(status)
                self.send_header("Content-Type", "application/sdp")
                self.send_header("Location", "/session")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer.encode())

            def log_message(self, *arguments):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(LIMIT_S)


@pytest.mark.parametrize(
    ("address", "sent", "port"),
    [
        ("whip://host/live", "http://host/live", 80),
        ("whips://host/live", "https://host/live", 443),
        ("https://host:8889/live?a=b", "https://host:8889/live?a=b", 8889),
    ],
)
def test_addresses_of_whip_and_their_token(address, sent, port):
    target = target_of(values(address, key=KEY))
    assert (target.kind, target.address, target.port, target.token) == ("whip", sent, port, KEY)
    assert KEY not in repr(target) and target.public == address[: address.index("/live")]
    assert without_secrets(f"{address.replace('host', f'user:{KEY}@host')}/{KEY}") == target.public


def test_an_ffmpeg_without_whip_names_another_way():
    said = OUTPUT.missing(values("whip://host/live"))
    assert (
        not said or said == "This FFmpeg has no WHIP; use the server's RTMP address, such as rtmp://host/app."
    )


@needs_whip
def test_whip_gets_h264_that_every_browser_decodes():
    found = plan(values("whip://host/live"), SHOWN, encodes)
    assert found.choice.encoder.codec == "h264" and "WHIP" in found.notes[0]
    assert found.choice.encoder.name != "libx264" or found.choice.options["profile"] == "baseline"
    with pytest.raises(ExportError, match="does not take"):
        plan(values("whip://host/live", codec="hevc"), SHOWN, encodes)


@needs_whip
@pytest.mark.parametrize(
    ("status", "said"),
    [
        (401, "refuses the stream key: check the key."),
        (404, "has nothing at this path: check the whole address."),
        (500, "failed (HTTP status 5xx): check the server's log."),
    ],
)
def test_a_server_that_refuses_is_told_in_a_sentence(status, said):
    with WhipServer(status) as server:
        sink = OUTPUT.open(values(f"whip://127.0.0.1:{server.port}/live/{KEY}", key=KEY), SHOWN)
        sender = Sender(sink, lambda index: quarters())
        sender.thread.join(LIMIT_S)
        sender.stop()
        path, headers, offer = server.offers.get(timeout=LIMIT_S)
    assert str(sender.error) == f"whip://127.0.0.1:{server.port} {said}"
    assert (path, headers["Authorization"]) == (f"/live/{KEY}", f"Bearer {KEY}")
    assert headers["Content-Type"] == "application/sdp"
    assert "H264/90000" in offer and "opus/48000/2" in offer and "profile-level-id=42" in offer


# A client's greeting in DTLS 1.2 as WebRTC sends it: ECDSA on P-256 and X25519, SRTP.
CURVES = struct.pack("!HHHHH", 10, 6, 4, 23, 29)
SIGNATURES = struct.pack("!HHHH", 13, 4, 2, 0x0403)
SRTP = struct.pack("!HHHHB", 14, 5, 2, 1, 0)
POINTS = struct.pack("!HHBB", 11, 2, 1, 0)


def greeting(cipher=0xC02B):
    extensions = CURVES + SIGNATURES + SRTP + POINTS
    body = b"\xfe\xfd" + bytes(range(32)) + b"\0\0" + struct.pack("!HH", 2, cipher) + b"\1\0"
    body += struct.pack("!H", len(extensions)) + extensions
    message = b"\1" + len(body).to_bytes(3, "big") + bytes(5) + len(body).to_bytes(3, "big") + body
    return b"\x16\xfe\xff" + bytes(8) + struct.pack("!H", len(message)) + message


def certificate_in(datagram):
    """The certificate of a handshake, None if the datagram has none."""
    while len(datagram) > 25 and datagram[0] == 22:
        size = int.from_bytes(datagram[11:13], "big")
        message, datagram = datagram[13 : 13 + size], datagram[13 + size :]
        if message[0] == 11:
            # The header of 12 bytes, then the lengths of the list and of the certificate.
            return x509.load_der_x509_certificate(message[18:])
    return None


@contextlib.contextmanager
def receiver():
    """A receiver of WebRTC that has answered the request of ICE: the sender, its socket and the sender's address."""
    with socket.socket(type=socket.SOCK_DGRAM) as peer:
        peer.bind(("127.0.0.1", 0))
        peer.settimeout(LIMIT_S)
        address, port = peer.getsockname()
        description = (
            f"v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0 1\r\na=ice-lite\r\n"
            f"m=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:0\r\na=ice-ufrag:abcd\r\na=ice-pwd:{'p' * 24}\r\n"
            f"a=fingerprint:sha-256 {':'.join(['AB'] * 32)}\r\na=setup:active\r\na=recvonly\r\n"
            f"a=candidate:1 1 udp 2130706431 {address} {port} typ host\r\n"
            f"m=video 9 UDP/TLS/RTP/SAVPF 106\r\na=mid:1\r\na=recvonly\r\n"
        )
        with WhipServer(201, description) as server:
            sink = OUTPUT.open(values(f"http://127.0.0.1:{server.port}/live"), SHOWN)
            sender = Sender(sink, lambda index: quarters())
            asked, sent_from = peer.recvfrom(4096)
            assert asked[:2] == b"\0\1"  # a binding request of ICE
            peer.sendto(b"\1\1\0\0" + asked[4:20], sent_from)
            peer.settimeout(0.2)
            try:
                yield sender, peer, sent_from
            finally:
                sender.stop()


@needs_whip
def test_the_connection_has_a_certificate_that_receivers_of_webrtc_accept():
    found = []
    with receiver() as (_, peer, sent_from):

        def has_come():
            peer.sendto(greeting(), sent_from)
            with contextlib.suppress(TimeoutError):
                while not any(found):
                    found.append(certificate_in(peer.recv(4096)))
            return any(found)

        until(has_come, "no certificate comes")
    assert isinstance(found[-1].public_key().curve, ec.SECP256R1)


@needs_whip
def test_a_receiver_with_which_no_encryption_is_possible_is_named():
    """It offers nothing but RC4, which no client accepts any more: that is no fault of the address or the key."""
    with receiver() as (sender, peer, sent_from):

        def is_over():
            with contextlib.suppress(OSError):  # it does not listen any more
                peer.sendto(greeting(cipher=0x0005), sent_from)
                peer.recv(4096)
            return sender.error is not None

        until(is_over, "it goes on")
    said = str(sender.error)
    assert said.startswith("The encrypted connection to http://127.0.0.1:") and "TLS and DTLS" in said
