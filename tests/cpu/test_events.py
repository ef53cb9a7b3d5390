"""Delivery of events: each action against an independent receiver, and events that cannot be delivered."""

from __future__ import annotations

import csv
import errno
import io
import json
import logging
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request

import cv2
import numpy as np
import pytest
import windows_marks
from event_rig import Requests, SmallBroker, free_port, mosquitto, mosquitto_on
from waiting import LIMIT_S, until

from desktop.base.errors import UsageError
from desktop.net.http_client import Failed, Redirects
from desktop.outputs.events import _lines, event_actions
from desktop.outputs.events.action import KEYS, EventAction, Note, Postponed, Refused, Surroundings
from desktop.outputs.events.delivery import Deliveries, Delivery, Trouble
from desktop.outputs.events.event_log import read_events
from desktop.vision.tracking.events import ActionSpec, EventSpec, Occurrence, State

HAPPENING = Occurrence("In", "Door", "crosses", 1.25, 'a "person", really', 7, (0.5, 0.625), "forward")
CROWD = Occurrence("Crowd", "Room/2", "above", 2.0, count=6)


def note(occurrence: Occurrence = HAPPENING) -> Note:
    return Note(occurrence, datetime(2026, 11, 22, 12, 0, 0, 250000, UTC), "street.mp4")


class Rig:
    """Deliveries, and what they reported."""

    def __init__(self, *actions: ActionSpec, state: State = "on", answer_s: float = 5.0) -> None:
        self.troubles: queue.Queue[Trouble] = queue.Queue()
        self.notified: list[str] = []
        # It is tried again soon.
        surroundings = Surroundings(self.notified.append, answer_s, first_wait_s=0.02)
        self.deliveries = Deliveries(surroundings, self.troubles.put)
        self.deliveries.use([EventSpec("In", "Door", "crosses", actions=actions, state=state)])

    def happen(self, count: int = 1) -> None:
        for _ in range(count):
            self.deliveries.take([HAPPENING], "street.mp4")

    def texts(self) -> list[str]:
        return [trouble.text for trouble in list(self.troubles.queue)]


@pytest.fixture
def requests() -> Iterator[Requests]:
    server = Requests()
    yield server
    server.close()


# -- the actions ---------------------------------------------------------------------------------------------


def test_every_action_says_what_it_is_and_holds_to_its_fields() -> None:
    actions = event_actions()
    assert list(actions) == [
        "csv",
        "jsonl",
        "snapshot",
        "clip",
        "notification",
        "url",
        "mqtt",
        "home_assistant",
    ]
    for name, action in actions.items():
        assert action.id == name and action.title
        assert action.checked({}) == {field.name: field.default for field in action.fields}
        with pytest.raises(UsageError):
            action.checked({"nonsense": "x"})
        for field in action.fields:
            for unfit in (700, None, ["x"], "two\nlines", "x" * 5000):
                with pytest.raises(UsageError):
                    field.check(unfit)


def test_csv_is_read_back_by_csv(tmp_path: Path) -> None:
    path = tmp_path / "events.csv"
    rig = Rig(ActionSpec("csv", {"path": str(path)}))
    rig.happen(3)
    assert rig.deliveries.close() == 0
    with path.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 3 and tuple(rows[0]) == KEYS
    assert rows[0]["class"] == 'a "person", really' and rows[0]["identity"] == "7"
    assert (float(rows[0]["x"]), rows[0]["direction"], rows[0]["seconds"]) == (0.5, "forward", "")
    # A second run goes on below, with no second head.
    rig = Rig(ActionSpec("csv", {"path": str(path)}))
    rig.happen()
    rig.deliveries.close()
    assert path.read_text().count("time,source") == 1 and len(path.read_text().splitlines()) == 5


def test_json_lines_are_read_back_by_json(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    rig = Rig(ActionSpec("jsonl", {"path": str(path)}))
    rig.happen(2)
    assert rig.deliveries.close() == 0
    documents = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(documents) == 2 and tuple(documents[0]) == KEYS
    assert documents[0]["zone"] == "Door" and documents[0]["identity"] == 7


def test_events_of_a_file_whose_name_is_not_utf8_are_delivered(tmp_path: Path, requests: Requests) -> None:
    """As strict readers take them: neither an encoding nor JSON has halves of letters."""
    paths = {kind: tmp_path / kind for kind in ("csv", "jsonl")}
    url = {"address": requests.address, "method": "GET"}
    actions = [ActionSpec(kind, {"path": str(path)}) for kind, path in paths.items()]
    actions += [ActionSpec("url", url), ActionSpec("url", url | {"method": "POST"})]
    rig = Rig(*actions)
    rig.deliveries.take([HAPPENING], "caf\udce9.mp4")  # as os.fsdecode reads it, except on Windows
    assert rig.deliveries.close() == 0, rig.texts()
    (row,) = csv.DictReader(paths["csv"].read_bytes().decode().splitlines())
    told = [row["source"], json.loads(paths["jsonl"].read_bytes())["source"]]
    for method, path, body, _ in requests.taken:
        query = parse_qs(urlsplit(path).query)
        told.append(query["source"][0] if method == "GET" else json.loads(body)["source"])
    assert told == ["caf?.mp4"] * 4


def test_lines_with_numbers_and_times_beyond_all_limits_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    event = {"event": "a", "zone": "b", "when": "enters", "class": "cat", "pts": 1.5}
    event |= {"time": "2026-01-02T03:04:05+00:00"}
    long = 10**400
    lines = [
        event | {"pts": long},
        event | {"time": "0001-01-01T00:00:00+14:00"},
        event | {"time": "9999-12-31T23:59:59-12:00"},
        event | {"identity": long, "count": -long, "seconds": long},
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (found,) = read_events(path)
    occurrence = found.occurrence
    assert (occurrence.identity, occurrence.count, occurrence.seconds) == (None, None, 0.0)
    assert found.time.astimezone().year == 2026


def test_names_that_are_formulas_are_texts_in_csv(tmp_path: Path) -> None:
    path = tmp_path / "events.csv"
    sink = event_actions()["csv"].open({"path": str(path)}, Surroundings(print))
    for name in ('=HYPERLINK("http://a")', "+1", "-1", "@x", "plain"):
        sink.deliver(note(replace(HAPPENING, zone=name, label=name)))
    sink.close()
    with path.open(newline="") as stream:
        zones = [row["zone"] for row in csv.DictReader(stream)]
    assert zones == ['\'=HYPERLINK("http://a")', "'+1", "'-1", "'@x", "plain"]


def test_a_box_that_begins_left_of_the_picture_is_numbers_in_csv(tmp_path: Path) -> None:
    path = tmp_path / "events.csv"
    sink = event_actions()["csv"].open({"path": str(path)}, Surroundings(print))
    sink.deliver(note(replace(HAPPENING, box=(-0.02, 0.1, 0.3, 0.9))))
    sink.close()
    with path.open(newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert [float(edge) for edge in row["box"].split()] == [-0.02, 0.1, 0.3, 0.9]


@windows_marks.renaming_open_files
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
@pytest.mark.parametrize("how", ["renamed", "deleted"])
def test_a_file_that_was_renamed_or_deleted_is_begun_anew(tmp_path: Path, kind: str, how: str) -> None:
    """Lines went on into the file that had been renamed, as by logrotate, or into one that nobody could read."""
    path, old = tmp_path / "events", tmp_path / "events.1"
    rig = Rig(ActionSpec(kind, {"path": str(path)}))
    rig.happen(2)
    until(rig.deliveries.is_idle)
    before = path.read_text()
    path.rename(old) if how == "renamed" else path.unlink()
    rig.happen(2)
    assert rig.deliveries.close() == 0
    assert how == "deleted" or old.read_text() == before
    found = path.read_text().splitlines()
    assert len(found) == len(before.splitlines()) and (kind == "jsonl" or found[0] == before.splitlines()[0])


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_line_without_its_end_stays_a_line(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "events"
    rig = Rig(ActionSpec(kind, {"path": str(path)}))
    rig.happen()
    assert rig.deliveries.close() == 0
    before = path.read_text()
    path.write_text(before.removesuffix("\n"))
    rig = Rig(ActionSpec(kind, {"path": str(path)}))
    rig.happen(2)
    assert rig.deliveries.close() == 0
    assert path.read_text().startswith(before)
    assert len(path.read_text().splitlines()) == len(before.splitlines()) + 2


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_csv_that_an_older_version_began_keeps_its_columns(tmp_path: Path, end: str) -> None:
    path = tmp_path / "events.csv"
    old = KEYS[: KEYS.index("score")]
    path.write_text(",".join(old) + end, newline="")
    rig = Rig(ActionSpec("csv", {"path": str(path)}))
    rig.happen()
    assert rig.deliveries.close() == 0
    with path.open(newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert tuple(row) == old and row["direction"] == "forward"


def test_each_action_is_told_of_what_the_others_write(tmp_path: Path, requests: Requests) -> None:
    broker = SmallBroker()
    folder = str(tmp_path / "pictures")
    rig = Rig(
        ActionSpec("mqtt", {"address": f"127.0.0.1:{broker.port}", "topic": "house"}),
        ActionSpec("url", {"address": f"{requests.address}/{{zone}}?of={{event}}"}),
        ActionSpec("snapshot", {"folder": folder}),
        ActionSpec("clip", {"folder": folder, "before": 1.0, "after": 0.0}),
    )
    picture = np.full((36, 64, 4), 200, np.uint8)
    for number in range(10):
        rig.deliveries.clip_buffer.add(lambda: picture, number / 10)
    occurrence = replace(HAPPENING, zone="Door 1/2 é", pts=0.9, score=0.75, box=(0.4, 0.5, 0.6, 0.7))
    rig.deliveries.take([occurrence, occurrence], "street.mp4", lambda: lambda: picture)
    until(lambda: len(broker.messages) == 2 and len(requests.taken) == 2)
    assert rig.deliveries.close(LIMIT_S) == 0
    method, path, body, _ = requests.taken[0]
    assert (method, path) == ("POST", "/Door%201%2F2%20%C3%A9?of=In")
    told = [json.loads(data) for _, data in broker.messages]
    assert json.loads(body) == told[0]
    assert (told[0]["zone"], told[0]["score"], told[0]["box"]) == ("Door 1/2 é", 0.75, [0.4, 0.5, 0.6, 0.7])
    # Two happenings of one picture have a snapshot each, and one clip.
    assert told[0]["clip"] == told[1]["clip"]
    named = {told[0]["snapshot"], told[1]["snapshot"], told[0]["clip"]}
    assert named == {str(each) for each in Path(folder).iterdir()} and len(named) == 3
    broker.close()


@pytest.mark.parametrize("address", ["http://{zone}/x", "http://a/{class}", "http://a/?x={}"])
def test_what_stands_for_nothing_in_an_address_is_refused(address: str) -> None:
    values = {"address": address, "method": "POST", "authorization": ""}
    with pytest.raises(Refused, match="zone"):
        event_actions()["url"].open(values, Surroundings(print))


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
@pytest.mark.parametrize("text", ["Dear Sir,\n", "\n", "{}\n", "alias ls=ls"])
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, kind: str, text: str) -> None:
    path = tmp_path / "letter"
    path.write_text(text)
    rig = Rig(ActionSpec(kind, {"path": str(path)}))
    rig.happen()
    assert rig.deliveries.close() == 1
    assert path.read_text() == text
    advice = "choose another file, or move that one away"
    assert f"already holds something else; {advice}. 1 event was not delivered" in rig.texts()[-1]


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.EACCES, "change its permissions, or choose another {}"),
        (errno.EPERM, "change its permissions, or choose another {}"),
        (errno.ENOSPC, "make room, or choose another {}"),
        (errno.ENOTDIR, "choose another {}"),
        (errno.EROFS, "choose another {}"),
    ],
)
def test_the_advice_on_what_cannot_be_written_is_about_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, advice: str
) -> None:
    said = f"cannot be written: {os.strerror(number)}; {advice}. "

    def fails(*_: object, **__: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(_lines.os, "open", fails)
    rig = Rig(ActionSpec("csv", {"path": str(tmp_path / "events.csv")}))
    rig.happen()
    until(rig.texts)
    rig.deliveries.close(0.1)
    assert said.format("file") in rig.texts()[0]
    monkeypatch.undo()
    rig = Rig(ActionSpec("jsonl", {"path": str(tmp_path / "no" / "events.jsonl")}))
    rig.happen()
    until(rig.texts)
    rig.deliveries.close(0.1)
    assert "; create its folder, or choose another file. Events wait" in rig.texts()[0]
    monkeypatch.setattr(Path, "mkdir", fails)
    rig = Rig(ActionSpec("snapshot", {"folder": str(tmp_path)}))
    rig.deliveries.take([HAPPENING], "x", lambda: lambda: np.zeros((4, 4, 4), np.uint8))
    assert rig.deliveries.close() == 1
    assert said.format("folder") in rig.texts()[-1]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_that_nobody_reads_holds_nothing_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "events.csv")
    rig = Rig(ActionSpec("csv", {"path": str(tmp_path / "events.csv")}))
    rig.happen()
    assert rig.deliveries.close() == 1


def test_snapshot_is_the_picture(tmp_path: Path) -> None:
    picture = np.random.default_rng(0).integers(0, 255, (48, 64, 4), np.uint8)
    picture[..., 3] = 255
    rig = Rig(ActionSpec("snapshot", {"folder": str(tmp_path / "new")}))
    rig.deliveries.take([HAPPENING, HAPPENING], "x", lambda: lambda: picture)
    assert rig.deliveries.close() == 0
    written = sorted((tmp_path / "new").iterdir())
    assert len(written) == 2 and written[0].name.startswith("In 20")
    assert np.array_equal(cv2.imread(str(written[0]))[..., ::-1], picture[..., :3])


def test_pictures_that_nobody_fetches_are_not_begun(tmp_path: Path) -> None:
    begun, release = [], threading.Event()

    def export() -> Callable[[], np.ndarray]:
        begun.append(1)

        def wait() -> np.ndarray:
            release.wait(LIMIT_S)
            return np.zeros((4, 4, 4), np.uint8)

        return wait

    rig = Rig(ActionSpec("snapshot", {"folder": str(tmp_path)}))
    for _ in range(50):
        rig.deliveries.take([HAPPENING], "x", export)
    assert len(begun) == event_actions()["snapshot"].most_waiting == 4
    release.set()
    assert rig.deliveries.close() == 46


def test_notification_is_a_sentence() -> None:
    rig = Rig(ActionSpec("notification"))
    rig.happen()
    rig.deliveries.close()
    assert rig.notified == ['In: a "person", really 7 crosses Door forward']


def test_url_is_posted_and_got(requests: Requests) -> None:
    spec = {"address": f"{requests.address}/hook?key=1", "authorization": "Bearer x"}
    rig = Rig(ActionSpec("url", spec), ActionSpec("url", {**spec, "method": "GET"}))
    rig.happen()
    assert rig.deliveries.close() == 0
    posted, got = sorted(requests.taken, reverse=True)
    assert (posted[0], posted[1], posted[3]) == ("POST", "/hook?key=1", "Bearer x")
    assert json.loads(posted[2])["event"] == "In"
    assert got[0] == "GET"
    query = parse_qs(urlsplit(got[1]).query)
    assert (query["key"], query["zone"], query["identity"]) == (["1"], ["Door"], ["7"])
    assert "seconds" not in query


def test_a_busy_server_is_asked_again_and_one_that_refuses_is_not(requests: Requests) -> None:
    requests.status = 503
    rig = Rig(ActionSpec("url", {"address": requests.address}))
    rig.happen()
    until(lambda: len(requests.taken) >= 2)
    requests.status = 200
    until(rig.deliveries.is_idle)
    assert rig.deliveries.undelivered == 0
    until(lambda: rig.texts()[-1:] == [""])
    assert "answered 503" in rig.texts()[0] and "Events wait" in rig.texts()[0]
    requests.status = 404
    asked = len(requests.taken)
    rig.happen()
    until(rig.deliveries.is_idle)
    assert rig.deliveries.close() == 1 and len(requests.taken) == asked + 1
    assert "answered 404" in rig.texts()[-1] and "1 event was not delivered" in rig.texts()[-1]


def test_a_key_for_one_server_is_not_given_to_another(requests: Requests) -> None:
    other = Requests()
    requests.sends_on_to = other.address + "/elsewhere"
    values = {"address": requests.address, "method": "GET", "authorization": "Bearer x"}
    rig = Rig(ActionSpec("url", values))
    rig.happen()
    assert rig.deliveries.close() == 0
    assert requests.taken[0][3] == "Bearer x"
    assert other.taken == [("GET", "/elsewhere", b"", None)]
    other.close()


@pytest.mark.parametrize(
    "address",
    [
        "ftp://a/b",
        "file:///etc/passwd",
        "a b",
        "http://",
        "http://a:x/",
        "javascript:1",
        "http://u:p@a/",
        "http://u@a",
    ],
)
def test_only_http_is_called(address: str) -> None:
    with pytest.raises(Refused):
        event_actions()["url"].open(
            {"address": address, "method": "POST", "authorization": ""}, Surroundings(print)
        )


@pytest.mark.parametrize("header", ["Bearer \u00e9", "a\r\nHost: b", "a\x7f"])
def test_a_header_that_no_request_can_hold_is_refused(header: str) -> None:
    values = {"address": "http://a", "method": "POST", "authorization": header}
    with pytest.raises(Refused, match="Authorization"):
        event_actions()["url"].open(values, Surroundings(print))


def test_a_key_is_not_given_to_the_same_server_without_tls() -> None:
    handler = Redirects(("http", "https"))
    for scheme, kept in (("https", True), ("http", False)):
        asked = Request("https://a.example/x", headers={"Authorization": "Bearer x"})
        following = handler.redirect_request(
            asked, io.BytesIO(), 302, "", Message(), f"{scheme}://a.example/y"
        )
        assert following is not None and following.has_header("Authorization") is kept


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_body_is_not_lost_on_its_way_to_another_address(code: int) -> None:
    handler = Redirects(("http", "https"))
    asked = Request("https://a.example/x", data=b"{}")
    with pytest.raises(Failed, match=r"^a\.example sends the request on"):
        handler.redirect_request(asked, io.BytesIO(), code, "", Message(), "https://a.example/y")


def test_a_server_that_asks_for_years_holds_nothing_up(requests: Requests) -> None:
    requests.status, requests.retry_after = 503, "999999999"
    troubles: list[Trouble] = []
    action = event_actions()["url"]
    values = action.checked({"address": requests.address})
    asked = Delivery(action, values, Surroundings(print), troubles.append, give_up_s=0.3)
    asked.put(note())
    asked.put(note())
    until(asked.is_idle)
    assert asked.undelivered == 2 and len(requests.taken) >= 4
    asked.close()
    asked.join(LIMIT_S)


def test_names_of_snapshots_fit(tmp_path: Path) -> None:
    snapshot = event_actions()["snapshot"]
    picture = np.zeros((4, 4, 4), np.uint8)
    sink = snapshot.open({"folder": str(tmp_path)}, Surroundings(print))
    for name in ("\U0001f6aa" * 80, "../../a", "..", "a/b", "CON"):
        told = Note(replace(HAPPENING, event=name), datetime.now(UTC), picture=lambda: picture)
        sink.deliver(told)
    assert len(list(tmp_path.iterdir())) == 5 and not list(tmp_path.parent.glob("a*"))


@pytest.mark.skipif(sys.platform == "win32", reason="'~name' is a name like any other there")
def test_folders_of_unknown_users_are_refused() -> None:
    for kind, field in (("snapshot", "folder"), ("csv", "path"), ("jsonl", "path")):
        with pytest.raises(Refused, match="not known here"):
            event_actions()[kind].open({field: "~no-such-user/x"}, Surroundings(print))


def test_mqtt_by_a_broker_of_the_test() -> None:
    broker = SmallBroker()
    rig = Rig(ActionSpec("mqtt", {"address": f"127.0.0.1:{broker.port}", "topic": "house/{zone}/{event}"}))
    rig.deliveries.use(
        [
            EventSpec(
                name,
                "Door",
                actions=(ActionSpec("mqtt", {"address": f"127.0.0.1:{broker.port}", "user": "u"}),),
            )
            for name in ("In", "Crowd")
        ]
    )
    rig.deliveries.take([HAPPENING, CROWD], "x")
    assert rig.deliveries.close(10) == 0
    # The slash of a zone's name would make another topic.
    assert [topic for topic, _ in broker.messages] == ["lightloom/Door", "lightloom/Room_2"]
    assert json.loads(broker.messages[1][1])["count"] == 6
    assert len(broker.users) == 1 and b"\x00\x01u" in broker.users[0]
    broker.close()


def test_mqtt_waits_for_a_broker_that_comes_later() -> None:
    port = free_port()
    rig = Rig(ActionSpec("mqtt", {"address": f"localhost:{port}".replace("localhost", "127.0.0.1")}))
    rig.happen(3)
    time.sleep(0.3)
    broker = SmallBroker(port)
    until(lambda: len(broker.messages) == 3)
    until(rig.deliveries.is_idle)
    assert rig.deliveries.close() == 0
    broker.close()


def test_mqtt_that_refuses_is_said() -> None:
    broker = SmallBroker(refuses=5)
    rig = Rig(ActionSpec("mqtt", {"address": f"mqtt://127.0.0.1:{broker.port}"}), answer_s=0.3)
    rig.happen(2)
    until(rig.texts)
    assert "127.0.0.1 refuses (Not authorized)" in rig.texts()[0]
    assert rig.deliveries.close(0.1) == 2
    broker.close()


@pytest.mark.parametrize(
    "values",
    [
        {"address": "http://x"},
        {"address": "x:y"},
        {"address": "mqtt://user:word@x"},
        {"address": "a", "topic": "a/+/b"},
        {"address": "a", "topic": "a/#"},
        {"address": "a", "topic": ""},
    ],
)
def test_mqtt_addresses_and_topics_that_are_none(values: dict[str, str]) -> None:
    action = event_actions()["mqtt"]
    with pytest.raises(Refused):
        action.open(action.checked(values), Surroundings(print))


@pytest.mark.skipif(
    mosquitto() is None, reason="mosquitto is not installed; the broker of the test stands in for it"
)
def test_mqtt_by_mosquitto_which_goes_and_comes_back(tmp_path: Path) -> None:
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion

    port = free_port()
    taken: list[tuple[str, Any]] = []
    ready = threading.Event()

    def listener() -> Client:
        # Its session lasts: what is published while it is away is kept for it.
        client = Client(CallbackAPIVersion.VERSION2, client_id="listener", clean_session=False)
        client.on_message = lambda _c, _d, message: taken.append((message.topic, json.loads(message.payload)))
        client.on_connect = lambda c, *_: c.subscribe("lightloom/#", qos=1)
        client.on_subscribe = lambda *_: ready.set()
        client.reconnect_delay_set(1, 1)
        client.connect("127.0.0.1", port)
        client.loop_start()
        assert ready.wait(LIMIT_S)
        return client

    rig = Rig(ActionSpec("mqtt", {"address": f"127.0.0.1:{port}"}))
    with mosquitto_on(port, tmp_path):
        client = listener()
        rig.happen(2)
        until(lambda: len(taken) == 2)
        until(rig.deliveries.is_idle)
        ready.clear()
    rig.happen(3)  # nobody is there
    with mosquitto_on(port, tmp_path):
        assert ready.wait(LIMIT_S)
        until(rig.deliveries.is_idle)
        until(lambda: len(taken) >= 5)
    client.loop_stop()
    assert rig.deliveries.close() == 0
    assert {topic for topic, _ in taken} == {"lightloom/Door"} and taken[0][1]["identity"] == 7


# -- what cannot be delivered --------------------------------------------------------------------------------


def test_an_address_that_stalls_keeps_nobody_waiting_and_nothing_is_lost_silently(
    requests: Requests, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    requests.stalls.set()
    path = tmp_path / "events.jsonl"
    rig = Rig(
        ActionSpec("url", {"address": requests.address}),
        ActionSpec("jsonl", {"path": str(path)}),
        answer_s=0.3,
    )
    with caplog.at_level(logging.WARNING):
        rig.happen(1200)  # six minutes if each waited
        until(lambda: path.exists() and len(path.read_text().splitlines()) >= 1000)
        # What was said while they still came told of fewer.
        said = "Call an address: 127.0.0.1 does not answer. 200 events were not delivered; the log has them."
        until(lambda: said in rig.texts(), rig.texts)
        lost = rig.deliveries.close(0.2)
    delivered = len(path.read_text().splitlines())
    # Of the address all are lost: 200 found no room, 1000 were still waiting. Of the file at most those that
    # found no room.
    assert lost == 1200 + (1200 - delivered)
    assert sum("not delivered to 127.0.0.1" in message for message in caplog.messages) == 1200


class Full:
    """A disk with so much room; `os.write` of a file on it."""

    def __init__(self, room: int) -> None:
        self.room = room
        self._write = os.write

    def write(self, descriptor: int, data: bytes) -> int:
        part = bytes(data)[: self.room]
        if not part:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.room -= len(part)
        return self._write(descriptor, part)


def test_a_full_disk_cuts_no_line_and_is_said_and_goes_on_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "events.csv"
    disk = Full(600)
    monkeypatch.setattr(_lines.os, "write", disk.write)
    rig = Rig(ActionSpec("csv", {"path": str(path)}))
    rig.happen(40)
    until(rig.texts)
    assert "No space left on device" in rig.texts()[0] and "events.csv cannot be written" in rig.texts()[0]
    assert path.read_bytes().endswith(b"\n")
    disk.room = 1 << 20
    until(rig.deliveries.is_idle)
    assert rig.deliveries.close() == 0
    with path.open(newline="") as stream:
        assert len(list(csv.DictReader(stream))) == 40
    assert rig.texts()[-1] == ""


def test_what_is_tried_too_long_is_given_up_and_counted() -> None:
    given_up = []

    class Never:
        def deliver(self, note: Note) -> None:
            raise Postponed("the cat is on it")

        def give_up(self) -> None:
            given_up.append(1)

        def close(self) -> None:
            given_up.append(2)

    action = EventAction(
        id="never", title="Never", order=0, fields=(), open=lambda *_: Never(), target=lambda _: "cat"
    )
    troubles: list[Trouble] = []
    never = Delivery(action, {}, Surroundings(print), troubles.append, give_up_s=0.1)
    never.put(note())
    until(never.is_idle)
    never.close()
    never.join(LIMIT_S)
    assert (never.undelivered, given_up) == (1, [1, 2])
    assert troubles[0].text == "Never: the cat is on it. Events wait, and it is tried again."
    assert troubles[-1].text == "Never: the cat is on it. 1 event was not delivered; the log has it."


def test_a_mistake_of_an_action_ends_nothing() -> None:
    class Broken:
        def deliver(self, note: Note) -> None:
            raise ZeroDivisionError("oh")

        def give_up(self) -> None: ...

        def close(self) -> None: ...

    action = EventAction(
        id="broken", title="Broken", order=0, fields=(), open=lambda *_: Broken(), target=lambda _: ""
    )
    troubles: list[Trouble] = []
    broken = Delivery(action, {}, Surroundings(print), troubles.append)
    broken.put(note())
    broken.put(note())
    until(broken.is_idle)
    broken.close()
    broken.join(LIMIT_S)
    assert broken.undelivered == 2


def test_what_hangs_does_not_keep_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    hangs = threading.Event()

    class Hangs:
        def deliver(self, note: Note) -> None:
            hangs.wait(LIMIT_S)

        def give_up(self) -> None: ...

        def close(self) -> None: ...

    action = EventAction(
        id="hangs", title="Hangs", order=0, fields=(), open=lambda *_: Hangs(), target=lambda _: ""
    )
    stuck = Delivery(action, {}, Surroundings(print), lambda _: None)
    for _ in range(3):
        stuck.put(note())
    stuck.close(0.0)
    stuck.join(0.1)
    assert stuck.undelivered == 3
    hangs.set()


@pytest.mark.parametrize(("zone", "is_sent"), [("..", False), (".", False), ("...", True), ("a..b", True)])
def test_a_name_does_not_lead_to_another_folder_of_an_address(requests: Requests, zone, is_sent) -> None:
    rig = Rig(ActionSpec("url", {"address": f"{requests.address}/hooks/{{zone}}/new?of=.."}))
    rig.deliveries.take([replace(HAPPENING, zone=zone)])
    if is_sent:
        until(lambda: len(requests.taken) == 1)
        assert requests.taken[0][1] == f"/hooks/{zone}/new?of=.."
    assert rig.deliveries.close(LIMIT_S) == (0 if is_sent else 1)
    assert is_sent or not requests.taken


def test_events_that_are_switched_off_do_nothing(tmp_path: Path) -> None:
    path = tmp_path / "events.csv"
    rig = Rig(ActionSpec("csv", {"path": str(path)}), state="off")
    rig.happen(5)
    assert rig.deliveries.close() == 0 and not path.exists()


def test_an_action_that_lacks_its_address_is_said_once() -> None:
    rig = Rig(ActionSpec("url"), ActionSpec("telepathy"))
    rig.happen(3)
    assert rig.deliveries.close() == 6, "two actions of three events, which a command's status tells"
    assert rig.texts() == [
        "An event's action 'url' is not done: its field 'Address' is empty.",
        "An event's action 'telepathy' is not known and is not done.",
    ]


def test_two_events_write_to_one_file(tmp_path: Path) -> None:
    spec = ActionSpec("csv", {"path": str(tmp_path / "events.csv")})
    rig = Rig()
    rig.deliveries.use([EventSpec(name, "Door", actions=(spec,)) for name in ("In", "Crowd")])
    for _ in range(10):
        rig.deliveries.take([HAPPENING, CROWD])
    rig.deliveries.close()
    lines = (tmp_path / "events.csv").read_text().splitlines()
    assert len(lines) == 21 and sum(line.startswith("time,") for line in lines) == 1
