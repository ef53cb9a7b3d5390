"""The service with a camera that asks for a password: events, segments, metrics, reload, a crash, an orderly end."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import quote

import av
import psutil
import pytest
from camera_rig import Camera
from event_rig import SmallBroker, free_port
from inference_rig import InferenceServer, Network
from metrics_rig import scrape
from tiny_models import square_detector, squares
from waiting import until

ROOT = Path(__file__).parents[2]
PASSWORD = "p@ss/w0rd%:geheim"
BROKER_PASSWORD = "Br0ker-geheim"

CONFIG = """
[service]
metrics = "127.0.0.1:{port}"

[[source]]
name = "door"
address = "{address}"
model = "squares.onnx"
backend = "onnxruntime"
settings = {{ score = 0.3 }}

[[source.zones]]
name = "All of it"
points = [[0, 0], [1, 0], [1, 1], [0, 1]]

[[source.events]]
name = "Something red"
zone = "All of it"
when = "enters"
classes = ["red"]
[[source.events.actions]]
do = "jsonl"
path = "{folder}/events.jsonl"
[[source.events.actions]]
do = "mqtt"
address = "127.0.0.1:{broker}"
user = "lightloom"
password = "${{BROKER_PASSWORD}}"

[source.record]
folder = "recordings"
segment = "2s"
format = "mkv"
"""
SECOND = """
[[source]]
name = "gate"
address = "{address}"
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")


class NotifySocket:
    """The socket of systemd, with what was sent to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.messages: list[dict[str, str]] = []
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while data := self._socket.recv(4096):
            self.messages.append(dict(line.split("=", 1) for line in data.decode().splitlines()))

    def count(self, key: str) -> int:
        return sum(key in message for message in self.messages)


class Service:
    """`lightloom watch` in a process; `lines` is its standard error so far."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "desktop", "watch", "watch.toml", "--report", "report.json"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                "PYTHONUNBUFFERED": "1",
                "LIGHTLOOM_LOGS": str(folder / "logs"),
                **environment,
            },
        )
        self.lines: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stderr:
            self.lines.append(line)

    def wait_for(self, words: str, count: int = 1) -> None:
        until(
            lambda: sum(words in line for line in self.lines) >= count or self.process.poll() is not None,
            lambda: self.lines,
        )
        assert sum(words in line for line in self.lines) >= count, (self.lines, self.process.returncode)


def health(port):
    status, text = scrape(port, "/healthz")
    return status, {source["name"]: source for source in json.loads(text)["sources"]}


@pytest.mark.parametrize("more", ["", SECOND], ids=["one", "two"])
def test_a_camera_is_watched_from_start_to_end(tmp_path, more):
    camera, broker, port = Camera(squares(), 10.0), SmallBroker(), free_port()
    camera.login = f"viewer:{PASSWORD}"
    systemd = NotifySocket(tmp_path / "notify")
    square_detector(tmp_path / "squares.onnx")
    address = camera.address.replace("http://", "http://viewer:${CAMERA_PASSWORD}@")
    config = CONFIG.format(address=address, port=port, broker=broker.port, folder=tmp_path)
    (tmp_path / "watch.toml").write_text(config)
    service = Service(
        tmp_path,
        CAMERA_PASSWORD=PASSWORD,
        BROKER_PASSWORD=BROKER_PASSWORD,
        NOTIFY_SOCKET=str(systemd.path),
        WATCHDOG_USEC="600000",
    )
    try:
        until(lambda: systemd.count("READY") or service.process.poll() is not None, lambda: service.lines)
        folder = tmp_path / "recordings"
        until(lambda: len(list(folder.glob("door-*Z.mkv"))) >= 1, lambda: service.lines)
        status, sources = health(port)
        assert status == 200 and sources["door"]["state"] == "live"
        assert sources["door"]["last_frame_age_s"] < 60
        told = scrape(port)[1]
        assert 'lightloom_watch_up{source="door"} 1.0' in told
        assert 'lightloom_zone_entered_total{class="red",lane="door",zone="All of it"} 1.0' in told

        # A broken file changes nothing; another source begins, and the first one goes on.
        (child,) = psutil.Process(service.process.pid).children()
        (tmp_path / "watch.toml").write_text(config.replace("model =", "modell ="))
        service.process.send_signal(signal.SIGHUP)
        service.wait_for("watch.toml:8: source.door.modell: This key is not known; did you mean 'model'?")
        service.wait_for("The configuration was not changed; correct it and reload again.")
        (tmp_path / "watch.toml").write_text("# the same\n" + config + more.format(address=address))
        service.process.send_signal(signal.SIGHUP)
        started = "gate" if more else "none"
        service.wait_for(f"The configuration was read again: started: {started}, ended: none, 1 unchanged.")
        until(lambda: set(health(port)[1]) == ({"door", "gate"} if more else {"door"}), lambda: service.lines)
        until(
            lambda: all(each["state"] == "live" for each in health(port)[1].values()), lambda: service.lines
        )
        until(lambda: systemd.count("RELOADING") == 2 and systemd.count("READY") == 3)
        assert child.is_running()

        command_lines = [each.cmdline() for each in psutil.Process(service.process.pid).children()]
        # A source whose process is killed begins again; the other is left alone.
        child.kill()
        service.wait_for("door: its process was ended by signal 9; it is started again in 1 s.")
        until(lambda: health(port)[1]["door"]["state"] == "live", lambda: service.lines)
        until(lambda: systemd.count("WATCHDOG") >= 3)
        figures = scrape(port)[1] + scrape(port, "/healthz")[1]
    finally:
        service.process.send_signal(signal.SIGTERM)
        printed = service.process.communicate(timeout=120)[0]
        camera.stop()
    assert service.process.returncode == 0, service.lines
    assert systemd.count("STOPPING") == 1

    door, *others = json.loads((tmp_path / "report.json").read_text())["sources"]
    frames = door["frames"]
    assert frames["received"] == sum(frames[k] for k in ("dropped", "recorded", "unrecorded", "lost"))
    assert frames["recorded"] == sum(map(played, folder.glob("door-*Z.mkv"))) and not list(
        folder.glob("*part*")
    )
    assert door["restarts"] == 1 and door["state"] == "stopped"
    assert all(each["restarts"] == 0 and each["frames"]["received"] > 0 for each in others)
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    assert len(events) == 2 and {event["class"] for event in events} == {"red"}
    assert [json.loads(payload)["event"] for _, payload in broker.messages] == ["Something red"] * 2
    assert all(BROKER_PASSWORD.encode() in user for user in broker.users)

    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    shown = "".join([printed, *service.lines, figures, str(command_lines), str(systemd.messages)]).encode()
    for secret in (PASSWORD, quote(PASSWORD, safe=""), BROKER_PASSWORD):
        assert secret.encode() not in written + shown
    broker.close()


def test_a_camera_goes_on_while_the_inference_server_is_away(tmp_path):
    """The server is absent at the start, comes, goes and comes back: one process records all of it."""
    camera, port, serving = Camera(squares(), 10.0), free_port(), free_port()
    model = Network.of_onnx(square_detector(tmp_path / "squares.onnx"))
    config = CONFIG.format(address=camera.address, port=port, broker=1, folder=tmp_path)
    # Its names are not in its metadata.
    config = config.replace('classes = ["red"]\n', "")
    config = config.replace('"squares.onnx"', f'"http://localhost:{serving}/v2/models/net"')
    begin, rest = config.split('[[source.events.actions]]\ndo = "mqtt"')
    config = (begin + rest[rest.index("[source.record]") :]).replace('backend = "onnxruntime"\n', "")
    (tmp_path / "watch.toml").write_text(config)
    folder, events, server = tmp_path / "recordings", tmp_path / "events.jsonl", None
    service = Service(tmp_path)

    def door():
        return health(port)[1]["door"]

    def recorded():
        return door()["frames"]["recorded"]

    try:
        service.wait_for("door: The source goes on without results; its network is loaded once the server")
        until(lambda: recorded() > 0, lambda: service.lines)
        assert door()["state"] == "live" and "cannot be had from localhost" in door()["error"]
        assert not events.exists() or not events.read_text()

        server = InferenceServer(model, port=serving)
        until(lambda: events.exists() and events.read_text(), lambda: service.lines)
        until(lambda: door()["error"] == "", lambda: service.lines)
        server.close()
        service.wait_for("door: No results of net from localhost")
        until(lambda: "The request is repeated automatically" in door()["error"], lambda: service.lines)
        before = recorded()
        until(lambda: recorded() > before, lambda: service.lines)

        server = InferenceServer(model, port=serving)
        until(lambda: door()["error"] == "", lambda: service.lines)
        before = server.inferences
        until(lambda: server.inferences > before + 3, lambda: service.lines)
    finally:
        service.process.send_signal(signal.SIGTERM)
        service.process.communicate(timeout=120)
        camera.stop()
        if server is not None:
            server.close()
    assert service.process.returncode == 0, service.lines
    (door_report,) = json.loads((tmp_path / "report.json").read_text())["sources"]
    assert door_report["restarts"] == 0
    assert door_report["frames"]["recorded"] == sum(map(played, folder.glob("door-*Z.mkv"))) > 0


def played(path):
    with av.open(str(path)) as container:
        return sum(1 for _ in container.decode(video=0))
