"""Downloads against a server on the loopback that drops, lies, stalls, changes its mind: the file is the
right one or not there.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_server import (
    FileServer,
    Handler,
    answer,
    changed,
    drop_after,
    entry_of,
    serve,
    stall_after,
    trickle,
)
from waiting import LIMIT_S, until

from desktop.base.errors import DownloadError
from desktop.vision.models.library import parts, transfer
from desktop.vision.models.library.access import Access, DownloadProgress
from desktop.vision.models.library.download import Download
from desktop.vision.models.library.parts import (
    ByteRange,
    Partial,
    covers,
    is_strong,
    load_partial,
    plan_parts,
)

SMALL = os.urandom(300_000)
LARGE = os.urandom((9 << 20) + 12_345)


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def server() -> Iterator[FileServer]:
    found = FileServer(SMALL)
    yield found
    found.close()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def access(server: FileServer, **values: object) -> Access:
    return Access(**{"mirror": server.address, "stall_s": 1.0, "attempts": 3, "backoff_s": 0.01, **values})


def fetch(server: FileServer, folder: Path, data: bytes | None = None, **values: object) -> Path:
    """Download and return the file; it must have arrived, whole, and nothing else must be left."""
    data = server.data if data is None else data
    job = Download(entry_of(data), folder, access(server, **values))
    assert job.run()
    assert job.target.read_bytes() == data
    assert names(folder) == ["net.onnx"]
    return job.target


def failure(server: FileServer, folder: Path, data: bytes | None = None, **values: object) -> str:
    """Download and return the sentence that says why not; no file may have appeared."""
    with pytest.raises(DownloadError) as caught:
        Download(entry_of(server.data if data is None else data), folder, access(server, **values)).run()
    assert not (folder / "net.onnx").exists()
    text = str(caught.value)
    assert text.endswith(".") and text.count(". ") == 0, text
    return text


# -- a server that serves well -------------------------------------------------------------------------------


def test_small_file_is_one_request(server, tmp_path):
    seen: list[DownloadProgress] = []
    job = Download(entry_of(SMALL), tmp_path / "new" / "folder", access(server), seen.append)
    assert job.run()
    assert job.target.read_bytes() == SMALL
    assert [(r.path, r.status) for r in server.asked] == [("/net.onnx", 206)]
    assert seen[-1] == DownloadProgress(len(SMALL), len(SMALL))
    assert all(a.done <= b.done for a, b in pairwise(seen))


def test_large_file_comes_in_four_parts(server, tmp_path):
    server.data = LARGE
    fetch(server, tmp_path)
    assert len(server.asked) == 4 and {r.status for r in server.asked} == {206}
    bounds = [len(LARGE) * i // 4 for i in range(5)]
    # The first asks for all and stops reading at its end; the others ask for their own, of the same version.
    assert {(r.range, r.if_range) for r in server.asked} == {
        ("bytes=0-", ""),
        *((f"bytes={a}-{b - 1}", '"one"') for a, b in pairwise(bounds[1:])),
    }


def test_server_without_ranges_is_read_in_one_go(server, tmp_path):
    server.data, server.ranges = LARGE, False
    fetch(server, tmp_path)
    assert [r.status for r in server.asked] == [200]


@pytest.mark.parametrize("etag", ["", 'W/"weak"', "unquoted"])
def test_without_a_strong_tag_there_are_no_parts(server, tmp_path, etag):
    server.data, server.etag = LARGE, etag
    fetch(server, tmp_path)
    assert len(server.asked) == 1


def test_no_length_at_all(server, tmp_path):
    server.ranges = False
    server.script(changed(Content_Length=None))
    fetch(server, tmp_path)


def test_redirect_is_followed(server, tmp_path):
    server.script(answer(302, Location="/elsewhere/blob"))
    fetch(server, tmp_path)
    assert [r.path for r in server.asked] == ["/net.onnx", "/elsewhere/blob"]
    assert server.asked[1].range == "bytes=0-"


# -- connections that break ----------------------------------------------------------------------------------


def test_broken_connection_is_continued_where_it_broke(server, tmp_path):
    server.script(drop_after(100_000), drop_after(70_000))
    fetch(server, tmp_path)
    assert [(r.range, r.if_range) for r in server.asked] == [
        ("bytes=0-", ""),
        ("bytes=100000-299999", '"one"'),
        ("bytes=170000-299999", '"one"'),
    ]


def test_parts_that_break_are_continued(server, tmp_path):
    server.data = LARGE
    server.script(*[drop_after(500_000)] * 4)
    fetch(server, tmp_path)
    assert len(server.asked) == 8 and {r.status for r in server.asked} == {206}


def test_server_without_ranges_that_breaks_begins_again(server, tmp_path):
    server.ranges = False
    server.script(drop_after(100_000), drop_after(200_000))
    fetch(server, tmp_path)
    assert [r.status for r in server.asked] == [200, 200, 200]


def test_connection_that_always_breaks_ends_with_a_sentence(server, tmp_path):
    server.script(then=drop_after(0))
    assert "3 times in a row" in failure(server, tmp_path)
    assert len(server.asked) == 3


def test_nobody_listens(tmp_path, server):
    address = server.address
    server.close()
    with pytest.raises(
        DownloadError, match=r"the connection to 127\.0\.0\.1 failed \(Connection refused\), 2 times"
    ):
        Download(entry_of(SMALL), tmp_path, Access(mirror=address, attempts=2, backoff_s=0.01)).run()


def test_silence_counts_as_broken(server, tmp_path):
    server.script(stall_after(50_000))
    fetch(server, tmp_path, stall_s=0.4)
    assert server.asked[1].range == "bytes=50000-299999"


@pytest.mark.parametrize("behavior", [stall_after(0), trickle, lambda h: h.server.release.wait(LIMIT_S)])
def test_server_that_only_stalls(server, tmp_path, behavior):
    server.script(then=behavior)
    text = failure(server, tmp_path, stall_s=0.3, attempts=2)
    assert "stopped sending, 2 times" in text or "does not answer, 2 times" in text


# -- servers that answer something else ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "word", "requests"),
    [
        (404, "404 (Not Found)", 1),
        (403, "403 (Forbidden)", 1),
        (401, "401", 1),
        (500, "500", 3),
        (204, "204", 1),
    ],
)
def test_status(server, tmp_path, status, word, requests):
    server.script(then=answer(status))
    assert word in failure(server, tmp_path)
    assert len(server.asked) == requests


def test_busy_server_is_asked_again_when_it_says(server, tmp_path):
    server.script(answer(503, Retry_After="1"), answer(500))
    begun = time.monotonic()
    fetch(server, tmp_path)
    assert time.monotonic() - begun >= 1.0
    assert [r.status for r in server.asked] == [503, 500, 206]


def test_server_that_wants_an_hour_is_not_waited_for(server, tmp_path):
    server.script(answer(429, Retry_After="3600"))
    assert "come back in 60 minutes" in failure(server, tmp_path)


def test_redirects_without_end(server, tmp_path):
    server.script(then=answer(302, Location="/net.onnx"))
    assert "round and round" in failure(server, tmp_path)
    assert len(server.asked) < 20


@pytest.mark.parametrize("where", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:text/plain,x"])
def test_redirect_to_something_else_than_the_web(server, tmp_path, where):
    server.script(answer(302, Location=where))
    assert "not https" in failure(server, tmp_path)


def test_https_never_becomes_http(tmp_path, server):
    # An address of the catalogue is https; what it redirects to must be as well.
    assert Access().schemes == ("https",)
    assert Access(mirror="HTTP://mirror.example").schemes == ("https", "http")
    assert Access(mirror="https://mirror.example").schemes == ("https",)


# -- lies ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lie",
    [
        {"Content_Range": "bytes 5-299999/300000"},
        {"Content_Range": "bytes 0-299999/*"},
        {"Content_Range": None},
        {"Content_Range": "bytes 0-400000/300000"},
        {"Content_Length": "299999"},
        {"Content_Range": "bytes 9-3/300000"},
    ],
)
def test_lie_about_a_range_means_no_ranges(server, tmp_path, lie):
    server.script(changed(**lie))
    fetch(server, tmp_path)
    assert [r.range for r in server.asked] == ["bytes=0-", ""]


def test_lie_of_a_later_part(server, tmp_path):
    server.data = LARGE
    server.script(serve, changed(Content_Range=f"bytes 0-99/{len(LARGE)}"))
    fetch(server, tmp_path)
    assert server.asked[-1].range == ""


def test_part_answered_with_another_ones_bytes_fails_the_checksum(server, tmp_path):
    """The head says the right range, the body is of another place: nothing but the checksum can tell."""

    def swap(handler: Handler) -> None:
        body = handler.head()
        handler.wfile.write(body[::-1])

    server.script(then=swap)
    assert "checksum" in failure(server, tmp_path)
    assert names(tmp_path) == []


def test_wrong_bytes(server, tmp_path):
    assert "checksum" in failure(server, tmp_path, bytes(len(SMALL)))
    assert names(tmp_path) == []


@pytest.mark.parametrize("ranges", [True, False])
@pytest.mark.parametrize("size", [299_999, 300_001, 10])
def test_wrong_length(server, tmp_path, ranges, size):
    server.ranges = ranges
    text = failure(server, tmp_path, SMALL[:size] if size < len(SMALL) else SMALL + b"x")
    assert "has 300,000 bytes" in text and f"{size:,}" in text


def test_more_than_it_said(server, tmp_path):
    def oversend(handler: Handler) -> None:
        handler.wfile.write(handler.head(Content_Length=None) + b"more")

    server.ranges = False
    server.script(then=oversend)
    assert "more than the catalogue's 300,000 bytes" in failure(server, tmp_path)


def test_more_than_the_length_is_not_read(server, tmp_path):
    server.script(lambda handler: handler.wfile.write(handler.head() + b"more") and None)
    fetch(server, tmp_path)


def test_endless_body_is_cut_off(server, tmp_path):
    def endless(handler: Handler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not handler.server.release.is_set():
            handler.wfile.write(bytes(1 << 16))

    server.script(then=endless)
    assert "more than" in failure(server, tmp_path)


def test_compressed_though_not_asked_for(server, tmp_path):
    server.script(then=changed(Content_Encoding="gzip"))
    assert "encoding" in failure(server, tmp_path)


@pytest.mark.parametrize(
    "head", [b"\x00\xff garbage\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200]
)
def test_no_http_at_all(server, tmp_path, head):
    server.script(then=lambda handler: handler.wfile.write(head) and None)
    assert "3 times in a row" in failure(server, tmp_path)


# -- another version -----------------------------------------------------------------------------------------


def interrupt(server: FileServer, folder: Path, data: bytes) -> Partial:
    """Leave a download that was interrupted, and return its state."""
    server.data = data
    with pytest.raises(DownloadError):
        Download(entry_of(data), folder, access(server, attempts=1)).run()
    left = load_partial(folder / "net.onnx.part.json", entry_of(data).sha256, len(data))
    assert left is not None and left.done
    server.asked.clear()
    return left


def test_interrupted_download_goes_on_in_the_next_run(server, tmp_path):
    server.script(drop_after(120_000))
    interrupt(server, tmp_path, SMALL)
    fetch(server, tmp_path)
    assert [r.range for r in server.asked] == ["bytes=120000-299999"]


def test_interrupted_parts_go_on(server, tmp_path):
    server.script(then=drop_after(1_000_000))
    left = interrupt(server, tmp_path, LARGE)
    server.script()
    fetch(server, tmp_path)
    assert sum(r.status == 206 for r in server.asked) == len(server.asked) == 4
    assert {r.range for r in server.asked} == {f"bytes={p.next}-{p.stop - 1}" for p in left.parts}


def test_changed_file_is_fetched_anew(server, tmp_path):
    """What is here is of an older version: its bytes must not be mixed with the new ones, though the size is
    the same.
    """
    old = bytes(len(SMALL))
    server.script(drop_after(120_000))
    server.data, server.etag = old, '"old"'
    with pytest.raises(DownloadError):
        Download(entry_of(SMALL), tmp_path, access(server, attempts=1)).run()
    server.data, server.etag = SMALL, '"new"'
    server.asked.clear()
    fetch(server, tmp_path)
    assert [(r.if_range, r.status) for r in server.asked] == [('"old"', 200)]


def test_server_that_ignores_if_range_is_found_out(server, tmp_path):
    """It answers 206 with the tag of another version."""
    server.script(drop_after(120_000))
    server.data = bytes(len(SMALL))
    with pytest.raises(DownloadError):
        Download(entry_of(SMALL), tmp_path, access(server, attempts=1)).run()
    server.data = SMALL
    server.script(changed(ETag='"two"'), then=serve)
    server.asked.clear()
    fetch(server, tmp_path)
    assert [r.range for r in server.asked] == ["bytes=120000-299999", "bytes=0-"]


def test_file_that_changes_between_parts(server, tmp_path):
    server.data = LARGE

    def change(handler: Handler) -> None:
        handler.server.etag = '"two"'
        serve(handler)

    server.script(serve, change)
    fetch(server, tmp_path)
    assert server.asked[-1].if_range == '"two"'


def test_file_that_never_stays_the_same(server, tmp_path):
    server.data = LARGE
    count = iter(range(1000))

    def change(handler: Handler) -> None:
        handler.server.etag = f'"{next(count)}"'
        serve(handler)

    server.script(then=change)
    assert "changes while it is downloaded" in failure(server, tmp_path)


def test_range_that_is_not_there_any_more(server, tmp_path):
    server.script(drop_after(120_000))
    interrupt(server, tmp_path, SMALL)
    server.script(answer(416))
    fetch(server, tmp_path)
    assert [r.range for r in server.asked] == ["bytes=120000-299999", "bytes=0-"]


def test_state_of_another_address_is_not_continued(server, tmp_path):
    server.script(drop_after(120_000))
    interrupt(server, tmp_path, SMALL)
    fetch(server, tmp_path, mirror=f"{server.address}/other")
    assert [r.range for r in server.asked] == ["bytes=0-"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda s: s | {"parts": [[0, 300_000, 400_000]]},
        lambda s: s | {"parts": [[0, 100, 100]]},
        lambda s: s | {"parts": [[0, 300_000, -5]]},
        lambda s: s | {"parts": [[0, 300_000, True]]},
        lambda s: s | {"parts": "all"},
        lambda s: s | {"etag": 'W/"one"'},
        lambda s: s | {"etag": '"a"\r\nHost: evil"'},
        lambda s: s | {"sha256": "0" * 64},
        lambda s: s | {"lightloom": 2},
        lambda s: [],
    ],
)
def test_broken_state_means_a_new_start(server, tmp_path, spoil):
    server.script(drop_after(120_000))
    interrupt(server, tmp_path, SMALL)
    path = tmp_path / "net.onnx.part.json"
    path.write_text(json.dumps(spoil(json.loads(path.read_text()))))
    fetch(server, tmp_path)
    assert [r.range for r in server.asked] == ["bytes=0-"]


def test_bytes_that_a_power_cut_took(server, tmp_path):
    """The state tells of bytes that are zeros on the disk: the checksum finds out, and one new start mends
    it.
    """
    server.script(drop_after(120_000))
    interrupt(server, tmp_path, SMALL)
    (tmp_path / "net.onnx.part").write_bytes(bytes(120_000))
    fetch(server, tmp_path)
    assert [r.range for r in server.asked] == ["bytes=120000-299999", "bytes=0-"]


def test_part_file_that_is_gone_or_too_long(server, tmp_path):
    server.script(drop_after(120_000))
    interrupt(server, tmp_path, SMALL)
    (tmp_path / "net.onnx.part").unlink()
    fetch(server, tmp_path)
    (tmp_path / "net.onnx").unlink()
    (tmp_path / "net.onnx.part").write_bytes(bytes(400_000))
    fetch(server, tmp_path)


# -- stopping ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [SMALL, LARGE], ids=["one part", "four parts"])
def test_stop_and_go_on(server, tmp_path, data):
    server.data = data
    server.script(*[stall_after(100_000)] * 4)
    seen: list[DownloadProgress] = []
    job = Download(entry_of(data), tmp_path, access(server, stall_s=2 * LIMIT_S), seen.append)
    result: list[bool] = []
    thread = threading.Thread(target=lambda: result.append(job.run()))
    thread.start()
    count = 1 if data is SMALL else 4
    # Each part stops there.
    until(lambda: seen and seen[-1].done == 100_000 * count)
    job.stop()
    thread.join(LIMIT_S)  # the threads wait for bytes that never come
    assert result == [False]
    assert not job.target.exists()
    server.script()
    server.asked.clear()
    fetch(server, tmp_path)
    asked = sum(int(r.range.split("-")[1]) - int(r.range[6:].split("-")[0]) + 1 for r in server.asked)
    assert asked == len(data) - 100_000 * count


def test_stop_before_it_begins(server, tmp_path):
    job = Download(entry_of(SMALL), tmp_path, access(server))
    job.stop()
    assert not job.run()
    assert server.asked == [] and not job.target.exists()


def test_stop_while_it_waits_for_the_next_attempt(server, tmp_path):
    server.script(then=answer(503, Retry_After="50"))
    job = Download(entry_of(SMALL), tmp_path, access(server))
    result: list[bool] = []
    thread = threading.Thread(target=lambda: result.append(job.run()))
    thread.start()
    until(lambda: server.asked)
    time.sleep(0.1)
    job.stop()
    thread.join(LIMIT_S)
    assert result == [False]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
def test_killed_process_leaves_what_can_be_continued(server, tmp_path):
    server.data, server.pause_s = LARGE, 0.05
    program = (
        "import sys\nfrom pathlib import Path\n"
        "from desktop.vision.models.library.catalogue import Entry\n"
        "from desktop.vision.models.library.access import Access\n"
        "from desktop.vision.models.library.download import Download\n"
        "mirror, folder, size, sha = sys.argv[1:]\n"
        "entry = Entry('net', 'The net', 'mask', int(size), sha, 'MIT', 'x', ('https://example.invalid/x',))\n"
        "Download(entry, Path(folder), Access(mirror=mirror)).run()\n"
    )
    sha = entry_of(LARGE).sha256
    command = [sys.executable, "-c", program, server.address, str(tmp_path), str(len(LARGE)), sha]
    with subprocess.Popen(command) as process:
        state = tmp_path / "net.onnx.part.json"
        until(lambda: (left := load_partial(state, sha, len(LARGE))) is not None and left.done > 500_000)
        process.kill()
    left = load_partial(state, sha, len(LARGE))
    assert left is not None and not (tmp_path / "net.onnx").exists()
    server.pause_s = 0.0
    server.asked.clear()
    job = Download(entry_of(LARGE), tmp_path, access(server))
    assert job.run()
    assert job.target.read_bytes() == LARGE
    assert {r.range for r in server.asked} == {f"bytes={p.next}-{p.stop - 1}" for p in left.parts if p.left}
    assert names(tmp_path) == ["net.onnx"]


# -- the machine ---------------------------------------------------------------------------------------------


def test_offline_makes_no_request(server, tmp_path):
    assert "set to work offline" in failure(server, tmp_path / "models", offline=True)
    assert server.asked == [] and not (tmp_path / "models").exists()


@pytest.mark.parametrize(
    "mirror", ["ftp://mirror", "mirror.example", "http://", "file:///srv", "http://a b", "http://[x"]
)
def test_mirror_that_is_no_address(tmp_path, mirror):
    with pytest.raises(DownloadError, match="is not an http or https address"):
        Download(entry_of(SMALL), tmp_path, Access(mirror=mirror)).run()


def test_mirror_takes_the_place_of_the_addresses():
    entry = entry_of(SMALL)
    assert Access().addresses(entry) == entry.addresses
    assert Access(mirror="https://m.example/nets/").addresses(entry) == ("https://m.example/nets/net.onnx",)


def test_second_address_where_the_first_fails(secure, tmp_path, certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "cert.pem"))
    entry = entry_of(secure.data, addresses=(f"{secure.address}/gone", f"{secure.address}/here"))
    secure.script(answer(404))
    assert Download(entry, tmp_path, Access()).run()
    assert [r.path for r in secure.asked] == ["/gone", *["/here"] * 4]


def test_two_at_once(server, tmp_path):
    server.script(stall_after(50_000))
    seen: list[DownloadProgress] = []
    job = Download(entry_of(SMALL), tmp_path, access(server, stall_s=2 * LIMIT_S), seen.append)
    thread = threading.Thread(target=job.run)
    thread.start()
    until(lambda: seen and seen[-1].done)
    assert "by another window or command" in failure(server, tmp_path)
    job.stop()
    thread.join(LIMIT_S)
    fetch(server, tmp_path)
    assert not list(tmp_path.glob("*.lock"))


def test_folder_that_cannot_be_made(server, tmp_path):
    (tmp_path / "file").write_text("no folder")
    text = failure(server, tmp_path / "file" / "models")
    assert "cannot be written" in text and server.asked == []


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions don't bind this user")
def test_folder_without_permission(server, tmp_path):
    tmp_path.chmod(0o555)
    try:
        assert "cannot be written" in failure(server, tmp_path)
    finally:
        tmp_path.chmod(0o755)


def test_no_room(server, tmp_path):
    entry = replace(entry_of(SMALL), size=1 << 60)
    with pytest.raises(DownloadError, match="make room or choose another folder"):
        Download(entry, tmp_path, access(server)).run()
    assert server.asked == []


@pytest.mark.parametrize(("code", "word"), [(errno.ENOSPC, "make room"), (errno.EIO, "cannot be written")])
def test_disk_that_fails_on_the_way(server, tmp_path, monkeypatch, code, word):
    written = []

    def write(file, chunk):
        written.append(len(chunk))
        if sum(written) > 100_000:
            raise transfer.DiskFailed(code, os.strerror(code))
        file.write(chunk)

    monkeypatch.setattr(transfer, "_write", write)
    assert word in failure(server, tmp_path)
    assert len(server.asked) == 1
    monkeypatch.undo()
    fetch(server, tmp_path)


def test_proxy_of_the_environment(server, tmp_path, monkeypatch):
    """The mirror's name is not known anywhere; the proxy is asked for it."""
    monkeypatch.setenv("http_proxy", server.address)
    job = Download(entry_of(SMALL), tmp_path, Access(mirror="http://mirror.invalid/nets", backoff_s=0.01))
    assert job.run()
    assert [r.path for r in server.asked] == ["http://mirror.invalid/nets/net.onnx"]


def test_proxy_of_a_kind_that_is_not_known_is_not_passed_by(server, tmp_path, monkeypatch):
    monkeypatch.setenv("http_proxy", "socks5://127.0.0.1:1")
    assert "proxy settings" in failure(server, tmp_path)
    assert server.asked == []


# -- https ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> Path:
    """A certificate of one's own for the loopback, and its key in one file."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    folder = tmp_path_factory.mktemp("tls")
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=127.0.0.1",
    ]
    files = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run([*command, *files], cwd=folder, check=True, capture_output=True)
    (folder / "both.pem").write_text((folder / "key.pem").read_text() + (folder / "cert.pem").read_text())
    return folder


@pytest.fixture
def secure(certificate) -> Iterator[FileServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "both.pem")
    found = FileServer(LARGE, context)
    yield found
    found.close()


def test_certificate_that_nobody_vouches_for(secure, tmp_path):
    text = failure(secure, tmp_path)
    assert "the certificate of 127.0.0.1 is not valid" in text and "clock and proxy" in text


def test_https_in_parts_stopped_and_continued(secure, tmp_path, certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "cert.pem"))
    secure.script(*[stall_after(100_000)] * 4)
    seen: list[DownloadProgress] = []
    job = Download(entry_of(LARGE), tmp_path, access(secure, stall_s=2 * LIMIT_S), seen.append)
    result: list[bool] = []
    thread = threading.Thread(target=lambda: result.append(job.run()))
    thread.start()
    until(lambda: seen and seen[-1].done == 400_000)
    job.stop()
    thread.join(LIMIT_S)
    assert result == [False]
    fetch(secure, tmp_path)
    assert len(secure.asked) == 8


def test_https_does_not_lead_to_http(secure, server, tmp_path, certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "cert.pem"))
    secure.script(answer(302, Location=f"{server.address}/net.onnx"))
    assert "not https" in failure(secure, tmp_path)
    assert server.asked == []


def test_https_through_a_proxy(secure, server, tmp_path, certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "cert.pem"))
    monkeypatch.setenv("https_proxy", server.address)
    fetch(secure, tmp_path)
    assert {r.path for r in server.asked} == {f"127.0.0.1:{secure.server_port}"}
    assert len(server.asked) == len(secure.asked) == 4


# -- properties ----------------------------------------------------------------------------------------------


@given(st.integers(1, 1 << 34), st.integers(1, 64))
def test_parts_are_the_file(size, connections):
    plan = plan_parts(size, connections)
    assert covers(plan, size)
    assert len(plan) <= connections
    assert max(p.left for p in plan) - min(p.left for p in plan) <= 1
    assert len(plan) == 1 or min(p.left for p in plan) >= parts.SMALLEST_PART
    assert size > parts.PARALLEL_FROM or len(plan) == 1


@given(
    st.lists(st.tuples(st.integers(-5, 50), st.integers(-5, 50), st.integers(-5, 50)), max_size=5),
    st.integers(1, 50),
)
def test_covers_is_the_definition(rows, size):
    """Against the plain meaning: every byte in exactly one part, in order, and no part claims more than it
    holds.
    """
    expected = bool(rows) and all(a < b and 0 <= done <= b - a for a, b, done in rows)
    expected = expected and [byte for a, b, _ in rows for byte in range(a, b)] == list(range(size))
    assert covers([ByteRange(*row) for row in rows], size) == expected


@given(st.text(max_size=12))
def test_strong_tags_are_safe_to_send(text):
    assert is_strong(f'"{text}"') == all(0x21 <= ord(c) < 0x7F and c != '"' for c in text)
    assert not is_strong(f'W/"{text}"')


@settings(max_examples=25)
@given(
    st.lists(st.one_of(st.integers(0, 90_000), st.sampled_from([404, 500, 416])), max_size=6),
    st.booleans(),
    st.booleans(),
)
def test_whatever_breaks_the_file_is_right_or_absent(tmp_path_factory, faults, ranges, tagged):
    """Any row of breaks and errors, over two runs: the file that appears is the right one, else there is a
    sentence.
    """
    folder = tmp_path_factory.mktemp("models")
    data = bytes(range(256)) * 400
    server = FileServer(data)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(parts, "PARALLEL_FROM", 40_000)
            patch.setattr(parts, "SMALLEST_PART", 10_000)
            server.ranges, server.etag = ranges, '"tag"' if tagged else ""
            server.script(*[answer(f) if f in (404, 500, 416) else drop_after(f) for f in faults])
            for _ in range(8):
                try:
                    assert Download(entry_of(data), folder, access(server)).run()
                    break
                except DownloadError:
                    assert not (folder / "net.onnx").exists()
            assert (folder / "net.onnx").read_bytes() == data
    finally:
        server.close()


HEADERS = [
    "Content-Length",
    "Content-Range",
    "ETag",
    "Content-Encoding",
    "Transfer-Encoding",
    "Location",
    "Retry-After",
]
VALUES = st.one_of(
    st.sampled_from(
        [
            "",
            "0",
            "-1",
            "9" * 5000,
            "300",
            "bytes 0-299/300",
            "bytes */300",
            "chunked",
            '"one"',
            "W/",
            "identity",
            "http://[",
            "//",
        ]
    ),
    st.text(st.characters(min_codepoint=33, max_codepoint=255), max_size=20),
)


@settings(max_examples=60)
@given(
    st.sampled_from([200, 200, 206, 206, 301, 304, 416, 429, 503, 999]),
    st.dictionaries(st.sampled_from(HEADERS), VALUES, max_size=4),
    st.one_of(st.just(bytes(range(256)) + bytes(44)), st.binary(max_size=400)),
)
def test_whatever_a_server_answers_is_a_file_or_a_sentence(tmp_path_factory, status, headers, body):
    """No answer, however wrong, gives another error than a sentence, or another file than the right one."""
    folder = tmp_path_factory.mktemp("models")
    data = bytes(range(256)) + bytes(44)

    def nonsense(handler: Handler) -> None:
        lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in headers.items())]
        handler.wfile.write("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)

    server = FileServer(data)
    try:
        server.script(then=nonsense)
        job = Download(entry_of(data), folder, access(server, stall_s=0.5, attempts=2))
        try:
            assert job.run()
            assert job.target.read_bytes() == data
        except DownloadError:
            assert not job.target.exists()
    finally:
        server.close()


# -- servers that never end ----------------------------------------------------------------------------------


def _until_closed(handler, *pieces, head=b""):
    """Send a head, then the pieces again and again, one in a twentieth of a second."""
    handler.wfile.write(head)
    for _ in range(600):
        for piece in pieces:
            handler.wfile.write(piece)
            if handler.server.release.wait(0.05):
                return


def _continue_for_ever(handler):
    _until_closed(handler, b"HTTP/1.1 100 Continue\r\n\r\n")


def _dribble_a_header(handler):
    _until_closed(handler, b"x", head=b"HTTP/1.1 200 OK\r\nX-Long: ")


def _dribble_headers(handler):
    _until_closed(handler, b"X-A: b\r\n", head=b"HTTP/1.1 200 OK\r\n")


def _dribble_a_status(handler):
    _until_closed(handler, b"0", head=b"HTTP/1.1 ")


def _dribble_a_chunk_length(handler):
    _until_closed(handler, b"0", head=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")


def _dribble_a_chunk_extension(handler):
    _until_closed(handler, b"y", head=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=")


def _dribble_trailers(handler):
    _until_closed(
        handler, b"X: y\r\n", head=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nA\r\n0\r\n"
    )


def _dribble_the_body(handler):
    _until_closed(
        handler, b"z", head=b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(handler.server.data)
    )


def _redirect_slowly(handler):
    time.sleep(0.15)
    handler.wfile.write(
        b"HTTP/1.1 302 Found\r\nLocation: /again%d\r\nContent-Length: 0\r\n\r\n" % time.monotonic_ns()
    )


@pytest.mark.parametrize(
    "behave",
    [
        _continue_for_ever,
        _dribble_a_header,
        _dribble_headers,
        _dribble_a_status,
        _dribble_a_chunk_length,
        _dribble_a_chunk_extension,
        _dribble_trailers,
        _dribble_the_body,
        _redirect_slowly,
    ],
)
def test_a_server_that_dribbles_is_given_up(server, tmp_path, behave):
    """The test's own time limit is what would end it; nothing here is measured."""
    server.script(then=behave)
    access = Access(mirror=server.address, stall_s=0.4, attempts=2, backoff_s=0.01)
    with pytest.raises(DownloadError):
        Download(entry_of(server.data), tmp_path, access).run()


def test_a_slow_but_steady_body_is_not_given_up(server, tmp_path):
    def steady(handler):
        body = handler.head()
        for at in range(0, len(body), 2048):
            handler.wfile.write(body[at : at + 2048])
            time.sleep(0.1)

    # 3 s in all, which is longer than silence may last; a busy machine is late by less.
    server.data = bytes(range(256)) * 240
    server.script(steady)
    access = Access(mirror=server.address, stall_s=2.0, attempts=1)
    assert Download(entry_of(server.data), tmp_path, access).run()
