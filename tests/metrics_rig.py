"""A real Prometheus for tests, and what they scrape with."""

from __future__ import annotations

import http.client
import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from event_rig import free_port

ASSETS = Path(__file__).parents[1] / "assets" / "metrics"
RULES = ASSETS / "lightloom.rules.yml"
DASHBOARD = ASSETS / "grafana_dashboard.json"


def program(name: str) -> str:
    """Return where 'prometheus' or 'promtool' is; the test is skipped where it is not installed."""
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed (Debian: apt install prometheus)")
    return path


def promtool(*arguments: str, text: str | None = None) -> str:
    """Run promtool and return what it says; it must find nothing."""
    done = subprocess.run(
        [program("promtool"), *arguments], input=text, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def scrape(port: int, path: str = "/metrics", headers: dict[str, str] | None = None) -> tuple[int, str]:
    """Return the status and the text of a request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


class Prometheus:
    """One that runs, asked by its HTTP API (https://prometheus.io/docs/prometheus/latest/querying/api/)."""

    def __init__(self, port: int) -> None:
        self._address = f"http://127.0.0.1:{port}"

    def is_ready(self) -> bool:
        """Tell whether it answers."""
        try:
            with urlopen(f"{self._address}/-/ready", timeout=10) as answer:
                return answer.status == 200
        except OSError:
            return False

    def get(self, path: str, **query: str) -> dict:
        """Return the data of an answer."""
        with urlopen(f"{self._address}/api/v1/{path}?{urlencode(query)}", timeout=10) as answer:
            document = json.load(answer)
        assert document["status"] == "success", document
        return document["data"]

    def values(self, query: str) -> list[float]:
        """Return the values of a query now, those that are numbers."""
        found = [float(row["value"][1]) for row in self.get("query", query=query)["result"]]
        return [value for value in found if value == value]


@contextmanager
def prometheus_on(target: str, folder: Path) -> Iterator[Prometheus]:
    """Run Prometheus within, with the recording rules, scraping a target each half second."""
    port = free_port()
    settings = folder / "prometheus.yml"
    settings.write_text(
        "global: {scrape_interval: 500ms, evaluation_interval: 500ms}\n"
        f"rule_files: ['{RULES}']\n"
        "scrape_configs:\n"
        f"  - {{job_name: lightloom, static_configs: [{{targets: ['{target}']}}]}}\n"
    )
    promtool("check", "config", str(settings))
    with (folder / "prometheus.log").open("w") as log:
        process = subprocess.Popen(
            [
                program("prometheus"),
                f"--config.file={settings}",
                f"--storage.tsdb.path={folder / 'data'}",
                f"--web.listen-address=127.0.0.1:{port}",
            ],
            stdout=log,
            stderr=log,
        )
        try:
            prometheus = Prometheus(port)
            ends = time.monotonic() + 60
            while not prometheus.is_ready():
                assert process.poll() is None and time.monotonic() < ends, (
                    folder / "prometheus.log"
                ).read_text()
                time.sleep(0.1)
            yield prometheus
        finally:
            process.terminate()
            process.wait(60)
