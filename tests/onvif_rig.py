"""A stand-in for an ONVIF camera: answers probes (WS-Discovery) and requests (SOAP), and checks the digest."""

from __future__ import annotations

import base64
import hashlib
import re
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

USER, PASSWORD = "viewer", "pass&word"

_MATCH = """<?xml version="1.0"?>
<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://www.w3.org/2003/05/soap-envelope"
 xmlns:wsa="http://schemas.xmlsoap.org/ws/2004/08/addressing"
 xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery">
<SOAP-ENV:Header><wsa:RelatesTo>{relates}</wsa:RelatesTo></SOAP-ENV:Header>
<SOAP-ENV:Body><d:ProbeMatches><d:ProbeMatch>
<d:Scopes>onvif://www.onvif.org/type/video_encoder onvif://www.onvif.org/name/Front%20door
 onvif://www.onvif.org/hardware/Model_7</d:Scopes>
<d:XAddrs>http://10.9.8.7/onvif/device_service {address}</d:XAddrs>
</d:ProbeMatch></d:ProbeMatches></SOAP-ENV:Body></SOAP-ENV:Envelope>"""
_ENVELOPE = (
    '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:tt="http://www.onvif.org/ver10/schema"'
    ' xmlns:trt="http://www.onvif.org/ver10/media/wsdl"><s:Body>{body}</s:Body></s:Envelope>'
)
_TIME = """<r><tt:UTCDateTime><tt:Time><tt:Hour>3</tt:Hour><tt:Minute>4</tt:Minute><tt:Second>5</tt:Second>
</tt:Time><tt:Date><tt:Year>2001</tt:Year><tt:Month>2</tt:Month><tt:Day>3</tt:Day></tt:Date></tt:UTCDateTime></r>"""
_CAPABILITIES = "<r><tt:Media><tt:XAddr>http://10.0.0.1:{port}/onvif/media</tt:XAddr></tt:Media></r>"
PROFILE = """<trt:Profiles token="{token}"><tt:Name>{name}</tt:Name><tt:VideoEncoderConfiguration>
<tt:Encoding>H264</tt:Encoding><tt:Resolution><tt:Width>{width}</tt:Width><tt:Height>{height}</tt:Height>
</tt:Resolution></tt:VideoEncoderConfiguration></trt:Profiles>"""
_URI = "<r><trt:MediaUri><tt:Uri>rtsp://10.0.0.1:554/{token}?unicast=true</tt:Uri></trt:MediaUri></r>"


class StandInCamera:
    """A camera on this machine; its clock is that of February 3, 2001. `answers` replaces a response."""

    def __init__(self) -> None:
        self.answers: dict[str, bytes] = {}
        self.matches: list[bytes] = []
        self.requested: list[str] = []
        self.refused: tuple[str, ...] = ()
        self.more_profiles = ""
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                status, answer = camera._respond(body)
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._http.server_port}/onvif/device_service"
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", 0))
        self.group: tuple[str, int] = self._udp.getsockname()
        threading.Thread(target=self._answer_probes, daemon=True).start()

    def _answer_probes(self) -> None:
        while True:
            try:
                data, sender = self._udp.recvfrom(65_535)
            except OSError:
                return
            message = re.search(rb"MessageID>([^<]*)<", data)
            assert message is not None and b"NetworkVideoTransmitter" in data
            match = _MATCH.format(relates=message[1].decode(), address=self.address).encode()
            for each in (*self.matches, match):
                self._udp.sendto(each, sender)

    def _respond(self, body: str) -> tuple[int, bytes]:
        name = next(
            each
            for each in ("GetSystemDateAndTime", "GetCapabilities", "GetProfiles", "GetStreamUri")
            if f":{each}" in body
        )
        self.requested.append(name)
        if name in self.answers:
            return 200, self.answers[name]
        if name != "GetSystemDateAndTime" and not _is_signed(body):
            return 401, b""
        token = re.search("ProfileToken>([^<]*)<", body)
        if token is not None and token[1] in self.refused:
            return 500, _ENVELOPE.format(body="<s:Fault/>").encode()
        answer = {
            "GetSystemDateAndTime": _TIME,
            "GetCapabilities": _CAPABILITIES.format(port=self._http.server_port),
            "GetProfiles": "<r>"
            + PROFILE.format(token="sub", name="Small", width=640, height=360)
            + PROFILE.format(token="main", name="Large", width=2560, height=1440)
            + self.more_profiles
            + "</r>",
            "GetStreamUri": _URI.format(token="" if token is None else token[1]),
        }[name]
        return 200, _ENVELOPE.format(body=answer).encode()

    def close(self) -> None:
        """End."""
        self._udp.close()
        self._http.shutdown()
        self._http.server_close()


def _is_signed(body: str) -> bool:
    """Check the digest as WS-Security UsernameToken 1.0 has it, and the camera's own time."""
    found = [
        re.search(f":{name}(?: [^>]*)?>([^<]*)<", body)
        for name in ("Username", "Password", "Nonce", "Created")
    ]
    if None in found:
        return False
    user, digest, nonce, created = (match[1] for match in found if match is not None)
    expected = hashlib.sha1(base64.b64decode(nonce) + created.encode() + PASSWORD.encode()).digest()
    return (
        user == USER
        and digest == base64.b64encode(expected).decode()
        and created.startswith("2001-02-03T03:")
    )
