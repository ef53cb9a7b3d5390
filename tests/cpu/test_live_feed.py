"""Feeds of live outputs, against outputs that write down what they are given."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from waiting import LIMIT_S, until

from desktop.base.errors import DeviceLostError, ExportError, UsageError
from desktop.base.fields import Secret, Selection
from desktop.outputs.live.feed import CommonOptions, Feeds, common_fields
from desktop.outputs.live.output import LiveOutput, PictureFormat, SinkFigures
from desktop.outputs.picture_queue import AHEAD, PictureQueue, SharedFetch

PLAIN = CommonOptions(overlay=False, mirrored=False)
FORMAT = PictureFormat(4, 2, 30.0)


def picture(value):
    made = np.zeros((2, 4, 4), np.uint8)
    made[:, :, 0] = np.arange(4) + 10 * value
    return made


class Sink:
    """Writes down what it is given; `gate` holds it in `write`, `fails` has an error for each."""

    def __init__(self):
        self.gate = threading.Event()
        self.gate.set()
        self.written, self.heard, self.threads = [], [], set()
        self.fails, self.closed = [], 0

    def write(self, picture, at):
        self.threads.add(threading.current_thread())
        self.gate.wait(LIMIT_S)
        if self.fails:
            raise self.fails.pop(0)
        self.written.append((picture, at))

    def send_audio(self, samples, at):
        self.heard.append((samples, at))

    def figures(self):
        return SinkFigures(len(self.written))

    def close(self):
        self.threads.add(threading.current_thread())
        self.closed += 1


def output(sink, name="sample", **more):
    def open_sink(values, pictures):
        sink.threads.add(threading.current_thread())
        sink.values, sink.pictures = values, pictures
        return sink

    return LiveOutput(id=name, title=name, order=0, fields=(), missing=lambda _: "", open=open_sink, **more)


@pytest.fixture
def changes():
    """The threads on which the state of an output changed."""
    return []


@pytest.fixture
def feeds(changes):
    made = Feeds(lambda: changes.append(threading.current_thread()))
    yield made
    made.close()


def running(feeds, made, common_options=PLAIN, **more):
    feed = feeds.begin(made, {}, FORMAT, common_options, **more)
    until(lambda: feed.state == "running")
    return feed


def offer(feeds, value, at=0.0):
    feeds.offer(lambda overlay: lambda: picture(value), at)


def test_pictures_come_in_their_order_on_one_thread_that_is_not_ours(feeds):
    sink = Sink()
    running(feeds, output(sink))
    for value in range(5):
        offer(feeds, value, value / 10)
        until(lambda count=value + 1: len(sink.written) == count)
    feeds.close()
    assert [at for _, at in sink.written] == [0.0, 0.1, 0.2, 0.3, 0.4]
    assert all(np.array_equal(got, picture(value)) for value, (got, _) in enumerate(sink.written))
    assert len(sink.threads) == 1 and threading.current_thread() not in sink.threads
    assert sink.closed == 1 and sink.pictures == FORMAT


def test_a_picture_that_finds_three_waiting_is_left_out_and_never_fetched(feeds):
    sink, begun = Sink(), []
    sink.gate.clear()
    feed = running(feeds, output(sink))
    offer(feeds, 0)
    until(lambda: feed.figures().waiting == 0)  # it has been fetched, and is being written
    for value in range(1, 8):
        feeds.offer(lambda overlay, v=value: begun.append(v) or (lambda: picture(v)), 0.0)
    assert begun == list(range(1, 1 + AHEAD)) and feed.figures().dropped == 7 - AHEAD
    sink.gate.set()
    until(lambda: len(sink.written) == 1 + AHEAD)
    offer(feeds, 9)
    until(lambda: len(sink.written) == 2 + AHEAD)
    assert feed.figures().dropped == 7 - AHEAD and feed.figures().sink.pictures == 2 + AHEAD


def test_two_outputs_fetch_a_picture_once_and_once_more_with_what_is_seen(feeds):
    sinks = [Sink() for _ in range(3)]
    fetched, looks = [], (PLAIN, PLAIN, CommonOptions(overlay=True, mirrored=True))
    for number, (sink, common_options) in enumerate(zip(sinks, looks, strict=True)):
        running(feeds, output(sink, f"sample {number}"), common_options)

    def export(overlay):
        return lambda: fetched.append(overlay) or picture(5 if overlay else 1)

    feeds.offer(export, 1.0)
    until(lambda: all(sink.written for sink in sinks))
    assert sorted(fetched) == [False, True]
    first, second, third = (sink.written[0][0] for sink in sinks)
    assert first is second and not first.flags.writeable
    assert np.array_equal(third, picture(5)[:, ::-1])


def test_an_output_that_fails_ends_with_its_sentence_and_the_others_go_on(feeds, changes, caplog):
    good, bad, broken = Sink(), Sink(), Sink()
    bad.fails, broken.fails = [ExportError("The line is cut.")], [ValueError("odd")]
    ended = [running(feeds, output(sink, name)) for sink, name in ((bad, "bad"), (broken, "broken"))]
    running(feeds, output(good, "good"))
    offer(feeds, 1)
    until(lambda: all(feed.state == "failed" for feed in ended))
    assert ended[0].error == "The line is cut." and "odd" in ended[1].error and "broken" in ended[1].error
    assert bad.closed == broken.closed == 1 and changes
    offer(feeds, 2)
    until(lambda: len(good.written) == 2)
    assert feeds.is_any_on and not bad.written
    # Switched on again it works.
    running(feeds, output(bad, "bad"))
    offer(feeds, 3)
    until(lambda: len(bad.written) == 1)


def test_an_output_that_cannot_be_opened_says_why_and_nothing_else_happens(feeds):
    def refuse(values, pictures):
        raise ExportError("There is no such device.")

    sample = output(Sink())
    feed = feeds.begin(
        LiveOutput(id="x", title="x", order=0, fields=(), missing=sample.missing, open=refuse),
        {},
        FORMAT,
        PLAIN,
    )
    until(lambda: feed.state == "failed")
    assert feed.error == "There is no such device." and not feeds.is_any_on
    offer(feeds, 1)


def test_a_picture_that_is_lost_with_its_device_is_all_that_is_lost(feeds):
    sink = Sink()
    feed = running(feeds, output(sink))

    def lost():
        raise DeviceLostError("gone")

    feeds.offer(lambda overlay: lost, 0.0)
    offer(feeds, 4)
    until(lambda: sink.written)
    assert feed.state == "running" and np.array_equal(sink.written[0][0], picture(4))


def test_the_last_picture_is_given_again_where_the_output_asks_for_that(feeds):
    steady, other = Sink(), Sink()
    running(feeds, output(steady, "steady", repeat_s=0.01))
    running(feeds, output(other, "other"))
    offer(feeds, 7, 1.0)
    until(lambda: len(steady.written) >= 4)
    assert all(np.array_equal(got, picture(7)) for got, _ in steady.written)
    times = [at for _, at in steady.written[1:]]
    assert times == sorted(times) and len(other.written) == 1


def test_what_was_shown_before_things_were_hidden_goes_out_no_more(feeds):
    sink = Sink()
    feed = running(feeds, output(sink, repeat_s=0.01))
    sink.gate.clear()
    offer(feeds, 1, time.perf_counter())
    until(lambda: feed.figures().waiting == 0)  # it is being written
    offer(feeds, 2, time.perf_counter())
    offer(feeds, 2, time.perf_counter())
    feeds.discard_shown()
    sink.gate.set()
    # A device that hears nothing is taken for dead: it gets a black picture until there is another one.
    until(lambda: len(sink.written) >= 4)
    assert feed.figures().waiting == 0 and np.array_equal(sink.written[0][0], picture(1))
    assert all((got[..., :3] == 0).all() and (got[..., 3] == 255).all() for got, _ in sink.written[1:])
    offer(feeds, 3, time.perf_counter())
    until(lambda: np.array_equal(sink.written[-1][0], picture(3)))
    assert not any(np.array_equal(got, picture(2)) for got, _ in sink.written)


def test_switched_on_and_off_fifty_times_the_device_is_opened_for_the_last_time_alone(feeds):
    first, opened = Sink(), []
    running(feeds, output(first))
    first.gate.clear()
    offer(feeds, 1)
    until(lambda: feeds.get("sample").figures().waiting == 0)
    made = output(Sink())

    def open_sink(values, pictures):
        opened.append(first.closed)
        return made.open(values, pictures)

    again = LiveOutput(id="sample", title="", order=0, fields=(), missing=made.missing, open=open_sink)
    for _ in range(50):
        feeds.begin(again, {}, FORMAT, PLAIN)
        feeds.end("sample")
    last = feeds.begin(again, {}, FORMAT, PLAIN)
    first.gate.set()
    until(lambda: last.state == "running")
    assert opened == [1]


def test_sound_is_heard_until_the_end_and_follows_the_source(feeds):
    sink, listeners = Sink(), []

    def listen(listener):
        listeners.append(listener)
        return lambda: listeners.remove(listener)

    def other(listener):
        listeners.append(("other", listener))
        return lambda: listeners.remove(("other", listener))

    running(feeds, output(sink), listen=listen)
    (listener,) = listeners
    samples = np.ones((3, 2), np.float32)
    listener(2.5, samples)
    assert sink.heard[0][1] == 2.5 and sink.heard[0][0] is samples
    feeds.set_audio_source(other)
    assert [kind for kind, _ in listeners] == ["other"]
    feeds.end("sample")
    assert not listeners
    feeds.set_audio_source(listen)
    assert not listeners


def test_switched_off_and_on_again_the_device_is_let_go_before(feeds):
    first, second, order = Sink(), Sink(), []
    first.gate.clear()
    first.close = lambda: order.append("closed")
    running(feeds, output(first))
    offer(feeds, 1)
    feeds.end("sample")

    def open_second(values, pictures):
        order.append("opened")
        return second

    made = output(second)
    again = feeds.begin(
        LiveOutput(id="sample", title="", order=0, fields=(), missing=made.missing, open=open_second),
        {},
        FORMAT,
        PLAIN,
    )
    first.gate.set()
    until(lambda: again.state == "running")
    assert order == ["closed", "opened"]


def test_what_every_output_is_asked_is_named_as_the_look():
    made = output(Sink(), overlay=False)
    fields = {field.name: field.default for field in common_fields(made)}
    assert CommonOptions(**fields) == PLAIN
    with pytest.raises(UsageError, match="sample"):
        made.checked({"nothing": 1})


def test_what_a_secret_is_stands_in_no_refusal():
    field = Secret(name="key", label="Key")
    for value in ("live_123\tsecret", "live_123" * 1000, 123456):
        with pytest.raises(UsageError, match="'key' cannot be that") as caught:
            field.check(value)
        assert "123" not in str(caught.value)
    with pytest.raises(UsageError, match="'size' is 7; give small, large"):
        Selection(name="size", label="Size", choices=("small", "large")).check(7)


def test_a_queue_counts_what_is_fetched_as_waiting_until_it_is_there():
    waiting = PictureQueue()
    for value in range(AHEAD):
        waiting.offer(lambda v=value: lambda: picture(v), 0.0)
    waiting.offer(lambda: None, 0.0)
    assert waiting.dropped == 1
    fetch, _ = waiting.take()
    waiting.offer(lambda: None, 0.0)
    assert waiting.dropped == 2
    fetch()
    waiting.offer(lambda: None, 0.0)
    assert waiting.dropped == 2
    waiting.end()
    assert len(list(waiting)) == AHEAD - 1
    with pytest.raises(TimeoutError):
        waiting.take(0.01)


def test_what_goes_wrong_with_a_shared_picture_everybody_is_told():
    calls = []

    def fetch():
        calls.append(1)
        raise DeviceLostError("gone")

    shared = SharedFetch(fetch)
    for _ in range(2):
        with pytest.raises(DeviceLostError):
            shared()
    assert len(calls) == 1
