"""Looking for a newer version, against a server on loopback; which package keeps a copy up to date."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from desktop.base.errors import UpdateError
from desktop.net.updates import UpdateCheck, channel, check_for_update

_TEXTS = frozenset(
    (
        ".py",
        ".md",
        ".toml",
        ".xml",
        ".yml",
        ".yaml",
        ".rb",
        ".iss",
        ".desktop",
        ".wgsl",
        ".sh",
        ".html",
        ".js",
    )
)


def test_a_build_without_a_site_asks_nobody():
    with pytest.raises(UpdateError, match="has no update site"):
        check_for_update("1.0", site="")


def test_this_source_has_no_site_and_no_package_that_are_not_its_own():
    from desktop.base import version

    assert (version.SITE, version.PACKAGE) == ("", "") or version.SITE.startswith("https://")
    command = version.extra_command("serve")
    assert "pip install" in command and "[serve]" in command
    if not version.PACKAGE:
        assert "'.[serve]'" in command and "checkout" in command


@pytest.fixture
def site():
    """A server whose `answer` is (status, headers, body); a body that is a function gets the connection."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            server.asked.append((self.path, dict(self.headers)))
            status, headers, body = server.answer
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            if callable(body):
                body(self.wfile)
            else:
                self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.asked, server.answer = [], (200, {}, b"")
    server.address = f"http://127.0.0.1:{server.server_port}/latest.json"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def ask(site, own="0.9.0", **options):
    return check_for_update(
        own, site.address, site="https://example.org", schemes=("http", "https"), **options
    )


@pytest.mark.parametrize(
    ("own", "newest", "newer"),
    [
        ("0.9.0", "0.10.0", True),
        ("0.10.0", "0.9.0", False),
        ("1.0.0", "1.0", False),
        ("1.0rc1", "1.0", True),
        ("1.0", "1.0rc1", False),
        ("1.0", "1.0.post1", True),
    ],
)
def test_versions_are_compared_as_versions(site, own, newest, newer):
    site.answer = (200, {}, json.dumps({"version": newest}).encode())
    assert ask(site, own).is_newer is newer
    ((path, headers),) = site.asked
    assert path == "/latest.json"
    # Nothing about the user: no version, no system, no cookie.
    assert set(headers) <= {"Accept", "Accept-Encoding", "Connection", "Host", "User-Agent"}
    assert headers["User-Agent"] == "Lightloom"


@pytest.mark.parametrize(
    "body",
    [
        b"", b"no JSON", b"[]", b"null", b'{"version": 3}', b'{"version": "a b"}', b'{"version": "1.0; rm -rf /"}',
        b'{"version": null}', b"[" * 5000, b"\xff\xfe", b'{"version": "1.0"}' + b" " * (64 << 10),
    ],
)  # fmt: skip
def test_what_is_no_version_is_one_sentence(site, body):
    site.answer = (200, {}, body)
    with pytest.raises(UpdateError, match="the answer is no version") as caught:
        ask(site)
    assert "\n" not in str(caught.value) and "https://example.org" in str(caught.value)


@pytest.mark.parametrize("status", [404, 403, 500, 503])
def test_a_refusal_is_one_sentence(site, status):
    site.answer = (status, {}, b"")
    with pytest.raises(UpdateError, match=str(status)):
        ask(site)


def test_no_other_protocol_is_followed(site):
    for place in ("file:///etc/passwd", "ftp://127.0.0.1/x"):
        site.answer = (302, {"Location": place}, b"")
        with pytest.raises(UpdateError, match="not https"):
            ask(site)


def test_nobody_there(site):
    address = site.address
    site.shutdown()
    site.server_close()
    with pytest.raises(UpdateError, match="Checking for a newer Lightloom failed"):
        check_for_update("1.0", address, schemes=("http",))


def test_a_server_that_dribbles_is_given_up(site):
    """It never stalls: a byte comes ten times a second, for a minute."""

    def dribble(out):
        try:
            for _ in range(600):
                out.write(b" ")
                out.flush()
                time.sleep(0.1)
        except OSError:
            pass

    site.answer = (200, {}, dribble)
    begin = time.monotonic()
    with pytest.raises(UpdateError):
        ask(site, deadline_s=0.5)
    assert time.monotonic() - begin < 30, "long before the minute is over"


@pytest.mark.parametrize("name", ["deb", "flatpak", "winget", "appimage"])
def test_a_package_leaves_its_name(tmp_path, name):
    (tmp_path / "installed-by.txt").write_text(f"{name}\n")
    assert channel(tmp_path / "lightloom") == name


def test_other_ways_of_installing(tmp_path):
    assert channel() == "other", "from source"
    assert channel(tmp_path / "lightloom", tmp_path) == "other"
    (tmp_path / "installed-by.txt").write_bytes(b"\xff")
    assert channel(tmp_path / "lightloom", tmp_path) == "other"
    program = tmp_path / "Lightloom.app" / "Contents" / "MacOS" / "lightloom"
    assert channel(program, tmp_path) == "other"
    (tmp_path / "opt/homebrew/Caskroom/lightloom").mkdir(parents=True)
    assert channel(program, tmp_path) == "brew"


def test_a_look_is_a_value():
    assert UpdateCheck("1.1", "1.0").is_newer and not UpdateCheck("1.0", "1.0").is_newer


def test_nothing_names_a_site_or_a_package_that_is_not_the_projects():
    """Docs, messages and packaging: what they tell people to install or to look at must be there."""
    from desktop.base.version import PACKAGE

    root = Path(__file__).parents[2]
    folders = ("desktop", "docs", "examples", "packaging", "shaders", "assets", "training")
    files = [path for name in folders for path in (root / name).rglob("*") if path.suffix in _TEXTS]
    wrong = ["lightloom.org"] if PACKAGE else ["lightloom.org", "install 'lightloom[", 'install "lightloom[']
    found = []
    for path in (*files, root / "README.md", root / "CONTRIBUTING.md", root / "pyproject.toml"):
        # The files of translations follow the texts of the source.
        if "translations" not in path.parts:
            text = path.read_text("utf-8")
            found += [f"{path.relative_to(root)}: {name}" for name in wrong if name in text]
    assert len(files) > 300 and found == []
