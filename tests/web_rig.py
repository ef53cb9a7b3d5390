"""A site in a real browser: Chromium without a window on its own software adapter, and a server of files that
can misbehave.
"""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import re
import shutil
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
needs_browser = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed (Debian: chromium-driver)"
)
WAIT = 120.0
"""Seconds for what takes one on an idle machine."""

# SwiftShader gives an adapter where there is no GPU; the rest keeps a browser without the net from trying to
# reach it.
FLAGS = (
    *("--headless", "--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"),
    *("--disable-dev-shm-usage", "--no-first-run", "--disable-quic", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--window-size=1280,800"),
)

CANVAS = (
    "--enable-features=Vulkan",
    "--use-vulkan=swiftshader",
    "--use-angle=swiftshader",
    "--ignore-gpu-blocklist",
)
"""More flags, with which a WebGPU canvas is drawn by SwiftShader, too: without them Chromium's GPU process
ends at the first one.
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder with ranges, unless `SiteServer.faults` does something else for a path."""

    server: SiteServer

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        name = self.path.partition("?")[0].lstrip("/")
        self.server.asked[name] += 1
        self.server.ranges.append((name, self.headers.get("Range", "")))
        fault = self.server.faults.get(name)
        if self.server.is_down:
            self.close_connection = True
        elif fault is not None and fault(self):
            pass
        elif self.headers.get("Range"):
            self._send_range(name)
        else:
            super().do_GET()

    def _send_range(self, name: str) -> None:
        data = (Path(self.directory) / name).read_bytes()
        begin = int(re.fullmatch(r"bytes=(\d+)-", self.headers["Range"]).group(1))
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {begin}-{len(data) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(data) - begin))
        self.end_headers()
        self.wfile.write(data[begin:])


class SiteServer(http.server.ThreadingHTTPServer):
    """`asked`: requests by name; `ranges`: (name, Range) of each; `faults`: by name, what answers for a file,
    if it returns True.
    """

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        self.asked: Counter[str] = Counter()
        self.ranges: list[tuple[str, str]] = []
        self.faults: dict[str, Callable[[Handler], bool]] = {}
        self.is_down = False

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


@contextlib.contextmanager
def served(folder: Path) -> Iterator[SiteServer]:
    """Serve a folder within."""
    server = SiteServer(folder)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Browser:
    """Chromium, driven."""

    def __init__(self, *flags: str) -> None:
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service

        self._profile = tempfile.mkdtemp(prefix="chromium-")
        options = Options()
        options.binary_location = CHROMIUM
        for flag in (*FLAGS, f"--user-data-dir={self._profile}", *flags):
            options.add_argument(flag)
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.driver.set_script_timeout(WAIT)

    def close(self) -> None:
        self.driver.quit()
        shutil.rmtree(self._profile, ignore_errors=True)

    def run(self, script: str, *arguments: Any) -> Any:
        """Run a script that returns something."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, script: str, *arguments: Any) -> Any:
        """Return what a script gives once that is true."""
        until = time.monotonic() + WAIT
        while not (found := self.run(f"return {script}", *arguments)):
            assert time.monotonic() < until, f"{script} is still {found!r}; the page says {self.message!r}"
            time.sleep(0.05)
        return found

    def call(self, script: str, *arguments: Any) -> Any:
        """Run the body of an async function; return what it returns.

        Raises:
            AssertionError: it failed.
        """
        asked = "const done = arguments[arguments.length - 1], given = [...arguments];"
        body = f"{asked} (async () => {{ {script} }})().then((found) => done([true, found]), (error) => done([false, String(error)]));"
        is_done, found = self.driver.execute_async_script(body, *arguments)
        assert is_done, found
        return found

    @property
    def message(self) -> str:
        """What the page tells."""
        return str(self.run("return document.getElementById('message')?.textContent || ''"))

    @property
    def state(self) -> str:
        """'starting', 'ready', 'failed' or 'stopped'."""
        return str(self.run("return document.body.dataset.state"))

    def open(self, address: str) -> None:
        """Open a site; return when it is ready, or has failed."""
        self.driver.get(address)
        self.wait("document.body.dataset.state !== 'starting'")

    def show(self, picture: Path) -> None:
        """Give the page a picture by its button; return when it was drawn and looked at, or refused."""
        drawn = self.run("return document.body.dataset.drawn || '0'")
        self.driver.find_element("id", "file").send_keys(str(picture))
        self.wait(
            "document.body.dataset.drawn > Number(arguments[0]) || document.getElementById('message').textContent",
            drawn,
        )

    @property
    def predictions(self) -> list[str]:
        """The names that are shown, best first."""
        return list(
            self.run(
                "return [...document.querySelectorAll('#predictions li > span:first-child')].map((e) => e.textContent)"
            )
        )


def plan_of(site: Path) -> dict[str, Any]:
    """Return a site's plan."""
    return json.loads((site / "plan.json").read_text("utf-8"))
