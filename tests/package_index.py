"""A package index on the loopback, and a package in it."""

from __future__ import annotations

import hashlib
import io
import json
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from desktop.outputs.live._user_package import UserPackage

NAME = "camera_of_a_test"
FILE = f"{NAME}-1.0-py3-none-any.whl"
LICENCE = "Do as you like.\n"


def wheel(**files: str) -> bytes:
    """A wheel with a module, a licence and further files."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(f"{NAME}.py", "VALUE = 7\n")
        archive.writestr(f"{NAME}-1.0.dist-info/licenses/LICENSE", LICENCE)
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


def package_of(data: bytes) -> UserPackage:
    """The package whose file is `data`."""
    tags = ("cp3", "test")
    return UserPackage(NAME, "1.0", "GPL 2.0", {tags: (FILE, hashlib.sha256(data).hexdigest())}, tags)


@contextmanager
def index_with(pages: dict[str, bytes]) -> Iterator[str]:
    """Serve pages by their paths; yield the index's address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = pages.get(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/simple"
    finally:
        server.shutdown()
        server.server_close()


def pages_of(data: bytes) -> dict[str, bytes]:
    """The index's page of the package, and its file."""
    page = {
        "files": [{"filename": "other.whl", "url": "x"}, {"filename": FILE, "url": f"../../files/{FILE}"}]
    }
    return {f"/simple/{NAME}/": json.dumps(page).encode(), f"/files/{FILE}": data}
