"""Parts of the service: messages of processes, notifications to systemd, figures, processes that fail."""

from __future__ import annotations

import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import av
import numpy as np
import pytest
from camera_rig import Camera
from waiting import LIMIT_S, until

from desktop.base.child import own_program
from desktop.base.interrupt import Interrupt
from desktop.cli._watch_source import LiveFrames, Reports, end_with, incomplete_reported, recording
from desktop.cli._zones import events_done
from desktop.metrics.engine_reader import FRAMES, LATENCY
from desktop.metrics.family import Reading
from desktop.metrics.queue_reader import WAITING, QueueState
from desktop.outputs.encoding import Encoding
from desktop.outputs.events import clip
from desktop.outputs.recording import Recorder
from desktop.outputs.segment_index import SegmentIndex
from desktop.pipeline.totals import Histogram
from desktop.vision.tracking.events import ActionSpec, EventSpec, Occurrence
from desktop.vision.tracking.scene import SceneSpec, TrackedResult
from desktop.watch.config import Config, Faults, parse_record, parse_source
from desktop.watch.health import FORWARDED, WatchReader, health
from desktop.watch.messages import Counts, Message, added_up, read_message
from desktop.watch.notify import Notifier
from desktop.watch.process import Launch, SourceProcess, SourceStatus
from desktop.watch.secrets import Secrets
from desktop.watch.supervisor import Supervisor

ROOT = Path(__file__).parents[2]


def source(name="door"):
    return parse_source({"name": name, "address": "screen:"}, None, Faults({}, {}), ())


def test_incomplete_results_are_reported_when_they_begin_and_at_the_end(capsys):
    engine = SimpleNamespace(on_tracked_result=[])

    def result(*, has_nan=False, left_out=0):
        found = SimpleNamespace(has_nan=has_nan, left_out=left_out, hint="raise --score.")
        (listener,) = engine.on_tracked_result
        listener(TrackedResult(found, 0.0, (64, 48), ()))
        return capsys.readouterr().err.splitlines()

    with incomplete_reported(engine):
        assert result() == []
        (line,) = result(has_nan=True)
        assert "NaN in 1 of 2 frames" in line
        assert result(has_nan=True) == []
        assert "incomplete; in the worst of them: raise --score." in result(left_out=3)[1]
        assert result() == []
    said = capsys.readouterr().err
    assert "NaN in 2 of 5 frames" in said and "of 1 of 5 frames are incomplete" in said
    assert engine.on_tracked_result == []


def test_a_message_survives_its_line():
    times = Histogram()
    times.add(0.02)
    readings = (Reading(FRAMES, 7.0, ("0",)), Reading(LATENCY, times, ("0",)))
    message = Message(Counts(received=9, dropped=2), "live", "", readings, 3)
    found = read_message(message.line(), FORWARDED)
    assert found.waiting == 3
    assert found.counts == message.counts and found.counts.processed == 7
    assert found.readings[0] == readings[0]
    assert found.readings[1].value.counts == times.counts


@pytest.mark.parametrize(
    "line",
    [b"", b"libva info: VA-API\n", b"[]\n", b'{"counts": {"x": 1}}\n', b'{"counts": {}, "state": "live"}\n'],
)
def test_a_line_that_is_no_message_is_ignored(line):
    assert read_message(line, FORWARDED) is None


def test_readings_of_unknown_families_and_forms_are_ignored():
    good = json.loads(Message(Counts(), "live", "", ()).line())
    unknown = json.dumps({**good, "readings": [["x_total", [], 1.0]]}).encode()
    assert read_message(unknown, FORWARDED).readings == ()
    broken = json.dumps({**good, "readings": [["lightloom_frame_latency_seconds", ["0"], [[1], 2]]]}).encode()
    assert read_message(broken, FORWARDED) is None


def status_of(state, **more):
    values = {"error": "", "counts": Counts(), "lost": 0, "age_s": 0.5, "restarts": 0, "records": False}
    return SourceStatus("door", state, **{**values, **more})


@pytest.mark.parametrize(
    ("states", "silent_s", "works", "status"),
    [
        (["live", "live"], 0.1, True, "ok"),
        (["live", "reconnecting"], 0.1, True, "degraded"),
        (["starting"], 0.1, True, "degraded"),
        (["reconnecting", "restarting"], 0.1, False, "failed"),
        (["live"], 31.0, False, "failed"),
    ],
)
def test_health_is_that_of_the_service_and_of_each_source(states, silent_s, works, status):
    is_well, document = health([status_of(state) for state in states], silent_s)
    found = json.loads(document)
    assert (is_well, found["status"]) == (works, status)
    assert [each["state"] for each in found["sources"]] == states


@pytest.mark.skipif(sys.platform != "linux", reason="abstract names of sockets")
def test_systemd_is_notified_also_at_an_abstract_name():
    name = f"lightloom-{uuid.uuid4()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"\0{name}")
        environment = {"NOTIFY_SOCKET": f"@{name}", "WATCHDOG_USEC": "30000000"}
        notifier = Notifier({**environment, "WATCHDOG_PID": str(os.getpid())})
        notifier.ready("1 of 2 sources live")
        notifier.reloading()
        for _ in range(3):
            notifier.beat()
        notifier.stopping()
        # Not of this process: no heartbeat.
        Notifier({**environment, "WATCHDOG_PID": "1"}).beat()
        Notifier({}).ready("")
        systemd.setblocking(False)
        found = []
        with pytest.raises(BlockingIOError):
            while True:
                found.append(systemd.recv(1000).decode())
    assert found[0] == "READY=1\nSTATUS=1 of 2 sources live"
    assert found[1].startswith("RELOADING=1\nMONOTONIC_USEC=")
    assert found[2:] == ["WATCHDOG=1", "STOPPING=1"]


class Clock:
    """A clock that is set."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def run_until(process, condition):
    def step():
        process.step()
        return condition()

    until(step)


def test_a_process_that_fails_is_started_again_later_and_later(tmp_path):
    clock, lines = Clock(), []
    launch = Launch(("no-such-command-of-lightloom",), tmp_path)
    process = SourceProcess(source(), launch, FORWARDED, lambda name, text: lines.append(text), clock)
    for number, wait in enumerate((1, 2), 1):
        run_until(process, lambda count=number: process.restarts == count)
        assert lines[-1].endswith(f"ended with status 2; it is started again in {wait} s.")
        process.step()
        assert process.pid is None
        clock.now += wait
    assert process.status.state == "restarting" and process.status.age_s is None
    process.stop()
    assert process.is_over


def test_readings_of_processes_have_the_sources_name(tmp_path):
    class Stub(SourceProcess):
        @property
        def message(self):
            readings = (Reading(FRAMES, 7.0, ("0",)), Reading(WAITING, 1, ("events",)))
            return Message(Counts(received=8, dropped=1), "live", "", readings)

    process = Stub(source(), Launch((), tmp_path), FORWARDED, lambda name, text: None)
    found = {(each.family.name, each.labels): each.value for each in WatchReader(lambda: [process]).read()}
    assert found["lightloom_frames_total", ("door",)] == 7.0
    assert found["lightloom_queue_length", ("events",)] == 1
    assert found["lightloom_watch_restarts_total", ("door",)] == 0


def test_counts_are_added_up():
    one = Counts(*range(1, 9))
    assert asdict(one + one) == {name: 2 * value for name, value in asdict(one).items()}


@pytest.mark.parametrize(
    ("lost", "recorded", "recovered", "still"), [(0, 5, 7, 0), (3, 8, 4, 0), (9, 12, 0, 2)]
)
def test_recovered_frames_that_were_never_lost_are_counted_on_their_own(lost, recorded, recovered, still):
    # Of 12 recorded frames 7 are of a segment that was left unfinished.
    counts = Counts(received=6, dropped=1, recorded=12, recovered=7)
    before = Counts(received=lost)
    total, left = added_up(before, lost, counts)
    assert (total.recorded, total.recovered, left) == (recorded, recovered, still)
    assert total.received == total.dropped + total.recorded + total.unrecorded + left


def test_totals_survive_a_reload_that_changes_or_removes_a_source(tmp_path):
    ended = set()

    def report(name, text):
        if "ended with status 2" in text:
            ended.add(name)
            if ended == {"door", "gate"}:
                supervisor.request_reload()

    def reload():
        supervisor.stop()
        return Config((replace(source("door"), every_frame=True),))

    launch = Launch(("no-such-command-of-lightloom",), tmp_path)
    config = Config((source("door"), source("gate")))
    supervisor = Supervisor(config, lambda config: launch, FORWARDED, report, Notifier({}))
    supervisor.run(reload)
    assert [status.name for status in supervisor.statuses] == ["door"]
    door, gate = supervisor.totals
    assert door.restarts >= 1 and (gate.name, gate.state) == ("gate", "stopped") and gate.restarts >= 1


def test_a_service_that_is_stopped_before_it_runs_ends(tmp_path):
    supervisor = Supervisor(
        Config((source(),)),
        lambda config: Launch((), tmp_path),
        FORWARDED,
        lambda name, text: None,
        Notifier({}),
    )
    supervisor.stop()
    assert supervisor.run(lambda: Config(()))
    assert [status.state for status in supervisor.statuses] == ["stopped"]


def reloading(config, reload, launch):
    """Run a supervisor that reloads once; return it and its reports."""
    lines = []
    supervisor = Supervisor(
        config, launch, FORWARDED, lambda name, text: lines.append(text), Notifier({}), stop_s=5.0
    )

    def read():
        try:
            return reload()
        finally:
            supervisor.stop()

    supervisor.request_reload()
    supervisor.run(read)
    return supervisor, lines


def test_a_reload_survives_any_fault_of_reading_the_file(tmp_path):
    def fail():
        raise RuntimeError("Could not determine home directory.")

    launch = Launch(("no-such-command-of-lightloom",), tmp_path)
    supervisor, lines = reloading(Config((source(),)), fail, lambda config: launch)
    assert "The configuration was not changed; correct it and reload again." in lines
    assert [each.name for each in supervisor.statuses] == ["door"]


def messages_in(stream):
    return [read_message(line, FORWARDED) for line in stream.getvalue().splitlines()]


def leave_unfinished(target, frames):
    """Leave the segment of a process that was killed."""
    path = target.with_name(f"{target.stem}-20261129T091500Z{target.suffix}")
    index = SegmentIndex(target)
    index.begin(path, datetime(2026, 11, 29, 9, 15, tzinfo=UTC))
    index.close()
    recorder = Recorder(path, (64, 48), 10.0, Encoding("mpeg4"), wait=True)
    for number in range(frames):
        recorder.add(np.zeros((48, 64, 4), np.uint8), number / 10)
    recorder.close()
    path.rename(recorder.part)


def test_a_segment_of_a_killed_process_is_completed_before_the_first_frame(tmp_path):
    table = {"folder": str(tmp_path), "format": "mov", "codec": "mpeg4"}
    spec = parse_record(table, "door", tmp_path, Faults({}, {}), ())
    leave_unfinished(spec.target, 12)
    stream = io.BytesIO()
    reports = Reports(stream, Secrets({}))
    with recording(spec, LiveFrames("screen:", spec, Interrupt(), reports), reports):
        # It was sent, so that it counts if this process is killed now.
        message = messages_in(stream)[-1]
        # In this state a process has time.
        assert message.state == "starting"
        assert message.counts == Counts(recorded=12, recovered=12)


def test_a_process_reports_while_it_reads_a_long_segment():
    stream = io.BytesIO()
    with Reports(stream, Secrets({})).busy(every_s=0.01):
        until(lambda: len(messages_in(stream)) >= 3)


def test_a_camera_that_does_not_open_is_one_break_until_it_is_back(capsys):
    camera = Camera(np.zeros((48, 64, 3), np.uint8))
    camera.login = "viewer:password"
    reports = Reports(io.BytesIO(), Secrets({}))
    live = LiveFrames(camera.address, None, Interrupt(), reports, waits=(0.01, 0.02))

    def on_idle():
        # Connections that are still to be refused would be let in.
        if camera.refused >= 3:
            camera.login = ""

    next(frames := live.frames(on_idle))
    frames.close()
    camera.stop()
    printed = capsys.readouterr().err
    assert camera.connections >= 4 and reports.counts.breaks == 1
    assert printed.count("It is opened again as soon as that is possible.") == 1
    assert printed.count(" is back.") == 1


def test_a_recording_without_the_audio_of_its_source_says_so(tmp_path, capsys):
    camera = Camera(np.zeros((48, 64, 3), np.uint8))
    spec = parse_record({"folder": str(tmp_path)}, "door", tmp_path, Faults({}, {}), ())
    live = LiveFrames(camera.address, spec, Interrupt(), Reports(io.BytesIO(), Secrets({})))
    next(frames := live.frames(lambda: None))
    live.sound.notify("The audio cannot be decoded.")
    frames.close()
    live.close()
    camera.stop()
    assert "The audio cannot be decoded." in capsys.readouterr().err


def test_a_process_ends_in_order_when_its_standard_input_is_closed():
    """With `os.kill`, Windows ended the test's own process here."""
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    reading, writing = os.pipe()
    try:
        with Interrupt() as interrupt, os.fdopen(reading, "rb") as stream:
            asked = threading.Event()
            interrupt.on_request.append(asked.set)
            end_with(stream)
            os.write(writing, b"more\n")
            assert not interrupt.is_requested
            os.close(writing)
            until(asked.is_set)
            interrupt.acknowledge()
            assert interrupt.is_requested
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_source_that_fails_ends_with_status_1(tmp_path):
    """Its thread that waits for the end of standard input held a lock, for which Python aborted the process."""
    (tmp_path / "a.onnx").write_bytes(b"no network")
    table = {"name": "door", "address": "rtsp://127.0.0.1:1/x", "model": "a.onnx"}
    document = {"table": table, "folder": str(tmp_path), "adapter": ""}
    command = [*own_program(), "watch", "--source-from-stdin"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdin.write(json.dumps(document).encode() + b"\n")
        process.stdin.flush()
        # Standard input stays open, as the supervisor keeps it.
        assert process.wait(LIMIT_S) == 1
        assert b"a.onnx is not a readable ONNX network" in process.stderr.read()


def test_a_complete_segment_is_reported_at_once(tmp_path):
    """Its frames counted as lost if the process was killed before the next message."""
    table = {"folder": str(tmp_path), "format": "mov", "codec": "mpeg4", "segment": "1s"}
    spec = parse_record(table, "door", tmp_path, Faults({}, {}), ())
    stream = io.BytesIO()
    reports = Reports(stream, Secrets({}))
    with recording(spec, LiveFrames("screen:", spec, Interrupt(), reports), reports) as recorder:
        before = len(messages_in(stream))
        for number in range(25):
            recorder.add(np.zeros((48, 64, 4), np.uint8), number / 10)
        until(lambda: len(messages_in(stream)) > before)
        assert messages_in(stream)[-1].counts.recorded == 10


def test_a_segment_has_the_size_that_the_camera_has_by_then(tmp_path):
    """All later ones had the first size, for as long as the service ran."""
    table = {"folder": str(tmp_path), "format": "mov", "codec": "mpeg4", "segment": "1s"}
    spec = parse_record(table, "door", tmp_path, Faults({}, {}), ())
    reports = Reports(io.BytesIO(), Secrets({}))
    with recording(spec, LiveFrames("screen:", spec, Interrupt(), reports), reports) as recorder:
        for number in range(35):
            size = (48, 64) if number < 15 else (96, 128)
            recorder.add(np.zeros((*size, 4), np.uint8), number / 10)
    sizes = []
    index = SegmentIndex(spec.target)
    index.close()
    for segment in index.segments:
        with av.open(str(segment.path)) as container:
            sizes.append((container.streams.video[0].width, container.streams.video[0].height))
    assert sizes == [(64, 48), (64, 48), (128, 96), (128, 96)]


def test_frames_of_a_live_source_do_not_wait_for_a_clip(tmp_path, monkeypatch):
    """A clip begins with the frames of seconds ago; the recording lost those that came until it had caught up."""
    may_write = threading.Event()

    class SlowRecorder(Recorder):
        def add(self, *arguments, **options):
            may_write.wait(LIMIT_S)
            super().add(*arguments, **options)

    monkeypatch.setattr(clip, "Recorder", SlowRecorder)
    action = ActionSpec("clip", {"folder": str(tmp_path), "before": 10.0, "after": 1.0})
    scene = SceneSpec(events=(EventSpec("In", "Door", actions=(action,)),))
    occurrence = Occurrence("In", "Door", "enters", 10.0)
    shown = threading.Event()

    def show(events):
        for number in range(400):
            events.buffer_picture(np.zeros((48, 64, 4), np.uint8), number / 20)
            if number == 200:
                events.take(TrackedResult(None, 10.0, (64, 48), (), occurrences=(occurrence,)), "door")
            time.sleep(0.002)
        shown.set()

    try:
        with events_done(None, scene, waits=False) as events:
            threading.Thread(target=show, args=(events,), daemon=True).start()
            assert shown.wait(LIMIT_S / 2)
            may_write.set()
    finally:
        may_write.set()
    assert events.undelivered == 0
    assert len(list(tmp_path.glob("*.mp4"))) == 1


def scene_with(action):
    return SceneSpec(events=(EventSpec("In", "Door", actions=(action,)),))


def happen(events):
    occurrence = Occurrence("In", "Door", "enters", 1.0)
    events.take(TrackedResult(None, 1.0, (64, 48), (), occurrences=(occurrence,)), "door")


def test_an_event_that_is_given_up_is_reported_while_the_source_runs(tmp_path):
    """It was in the figures of the service only at its end, which may be months later."""
    stream = io.BytesIO()
    reports = Reports(stream, Secrets({}))
    # A folder: no line is ever written there.
    with events_done(None, scene_with(ActionSpec("jsonl", {"path": str(tmp_path)}))) as events:
        reports.read_events(events.queue)
        happen(events)

        def is_told():
            reports.send("live")
            return messages_in(stream)[-1].counts.undelivered

        assert until(is_told) == 1
    assert messages_in(stream)[-1].waiting == 0


def start_code(monkeypatch, code):
    """Have the processes of sources run some Python."""

    def start(arguments, folder, output, **options):
        command = [sys.executable, "-c", code]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=output)

    monkeypatch.setattr("desktop.watch.process.start_own", start)


def test_a_process_that_leaves_another_one_with_its_output_holds_nothing_up(tmp_path, monkeypatch):
    """The service waited until that ended to close its output, and was silent for as long."""
    other = "import sys, time; print('x', flush=True); time.sleep(30)"
    start_code(
        monkeypatch,
        f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {other!r}]); sys.exit(9)",
    )
    monkeypatch.setattr("desktop.watch.process._LAST_LINES_S", 0.2)
    lines = []
    process = SourceProcess(source(), Launch((), tmp_path), FORWARDED, lambda name, text: lines.append(text))
    begun = time.monotonic()
    run_until(process, lambda: process.restarts)
    assert time.monotonic() - begun < 25
    assert lines == ["its process ended with status 9; it is started again in 1 s."]
    process.stop()


def test_the_number_of_undelivered_events_never_decreases():
    """A thread that had read it before another one wrote its older value last."""
    stream = io.BytesIO()
    reports = Reports(stream, Secrets({}))
    numbers = iter((1, 2))
    has_read, has_sent = threading.Event(), threading.Event()

    def queue():
        state = QueueState("events", 0, next(numbers))
        if state.dropped == 1:
            has_read.set()
            # The other thread sends now, or waits for this one.
            has_sent.wait(0.5)
        return state

    def send():
        reports.send("live")
        has_sent.set()

    reports.read_events(queue)
    first = threading.Thread(target=reports.send, args=("live",))
    first.start()
    assert has_read.wait(LIMIT_S)
    second = threading.Thread(target=send)
    second.start()
    first.join(LIMIT_S)
    second.join(LIMIT_S)
    assert [message.counts.undelivered for message in messages_in(stream)] == [1, 2]


@pytest.mark.parametrize(
    ("waiting", "told"), [(3, " 3 queued events were lost."), (1, " 1 queued event was lost."), (0, "")]
)
def test_events_that_wait_when_a_process_is_killed_are_counted(tmp_path, monkeypatch, waiting, told):
    """Then nobody performs them, nor is their text in the log."""
    message = Message(Counts(received=5, undelivered=1), "live", waiting=waiting)
    code = f"import sys; sys.stdin.readline(); sys.stdout.write({message.line().decode()!r}); sys.exit(9)"

    start_code(monkeypatch, code)
    lines = []
    process = SourceProcess(source(), Launch((), tmp_path), FORWARDED, lambda name, text: lines.append(text))
    run_until(process, lambda: process.restarts)
    assert process.status.counts.undelivered == 1 + waiting
    assert lines == [f"its process ended with status 9; it is started again in 1 s.{told}"]
    process.stop()
