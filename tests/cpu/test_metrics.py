"""Metrics without a GPU: what is counted, how it is told, and a server that nobody can keep busy."""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import socket
import sys
import threading
import time

import numpy as np
import pytest
from metrics_rig import RULES, promtool, scrape
from prometheus_client.parser import text_string_to_metric_families

from desktop.base.errors import MetricsError, UsageError
from desktop.metrics import server as serving
from desktop.metrics.address import Address
from desktop.metrics.exporter import Exporter
from desktop.metrics.family import Family, Reading, added
from desktop.metrics.process_reader import ProcessReader
from desktop.metrics.queue_reader import QueueReader, QueueState
from desktop.pipeline.statistics import Statistics
from desktop.pipeline.totals import BOUNDS, MOST_NAMES, OTHERS, BoundedNames, Histogram, Totals, classes_of
from desktop.vision.tasks.shapes import Box, Label, Line, Mask

TIMES = Family("sample_wait_seconds", "histogram", "How long something waited", ("lane",))
COUNT = Family("sample_things_total", "counter", "Things", ("class",))


class Sample:
    """A reader as a later command would write one."""

    families = (TIMES, COUNT)

    def __init__(self) -> None:
        self.times = Histogram()
        self.classes: dict[str, int] = {}
        self.asked = 0

    def read(self):
        self.asked += 1
        yield Reading(TIMES, self.times, ("0",))
        for name, count in self.classes.items():
            yield Reading(COUNT, count, (name,))


@pytest.fixture
def sample():
    return Sample()


@pytest.fixture
def patience():
    """How long the server lets a connection take; a test that needs another says so."""
    return serving.Patience()


@pytest.fixture
def exporter(sample, patience):
    made = Exporter(Address("127.0.0.1", 0), (sample,), patience)
    made.start()
    yield made
    made.close()


def exported_values(exporter) -> dict[str, float]:
    status, text = scrape(exporter.address.port)
    assert status == 200
    return {
        f"{sample.name}{sorted(sample.labels.items())}": sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


# -- what is counted -----------------------------------------------------------------------------------------


def test_a_histogram_counts_as_numpy_does():
    values = np.random.default_rng(1).lognormal(-4.5, 1.5, 5000)
    values[:3] = BOUNDS[5], BOUNDS[0], 100.0
    histogram = Histogram()
    for value in values.tolist():
        histogram.add(value)
    # NumPy's bins are closed below, Prometheus' above.
    expected, _ = np.histogram(-values, [-np.inf, *(-b for b in reversed(BOUNDS)), np.inf])
    assert histogram.counts == expected[::-1].tolist()
    assert histogram.total == pytest.approx(values.sum(), rel=1e-9)
    assert list(BOUNDS) == sorted(set(BOUNDS))
    assert max(b / a for a, b in itertools.pairwise(BOUNDS)) <= 1.67


def test_totals_go_on_where_the_statistics_begin_anew():
    statistics = Statistics(on_gpu=True)
    statistics.totals = totals = Totals()
    statistics.uploaded(2.0)
    statistics.timed("filter:1", 4.0, 1.0)
    statistics.timed("filter:2", None, 1.0)
    statistics.finished(10.0, 9.5, follows=True)
    statistics.finished(11.0, 9.5, follows=True)  # the same picture once more: no latency
    statistics.skipped()
    statistics.analyzed(20.0)
    statistics.reset()
    statistics.finished(20.0, 19.0, follows=True)
    assert (totals.frames, totals.skipped, totals.results) == (3, 1, 1)
    assert sum(totals.latency.counts) == 2 and totals.latency.total == pytest.approx(1.5)
    assert totals.inference.total == pytest.approx(0.02)
    assert totals.gpu["filter:1"].total == pytest.approx(0.004)
    assert sum(totals.gpu["filter:2"].counts) == 0 and sum(totals.cpu["upload"].counts) == 1
    statistics.timed("filter:2", 1.0, 1.0)
    statistics.retain_stages({2})
    assert set(totals.gpu) == {"filter:2", "upload"}


def test_things_are_counted_once_whatever_shapes_show_them():
    box = Box("person", 0, 0, 0, 1, 1, thing=4)
    shapes = (
        box,
        Box("person", 0, 0, 0, 1, 1, thing=4),
        Box("car", 1, 0, 0, 1, 1),
        Box("car", 1, 0, 0, 1, 1),
        Label("cat", 0.8),
        Label("dog", 0.1),
        Label("sky", 0.5, colored=True),
        Mask("sky", 3, None, is_class=True),
        Line("", 0, ((0, 0), (1, 1))),
    )
    assert sorted(classes_of(shapes)) == ["car", "car", "cat", "person", "sky"]


def test_strangers_names_are_bounded_and_printable():
    names = BoundedNames()
    assert names.of("a\nb\x1b\ud800") == "a\\nb\\x1b\\ud800"
    assert len(names.of("x" * 10_000)) <= 64 and len(names.of("\x1b" * 64)) <= 64
    found = {names.of(f"class {number}") for number in range(1000)}
    assert len(found) == MOST_NAMES - 3 + 1 and OTHERS in found
    assert names.of("class 1") == "class 1", "one that was there keeps its name"


# -- how it is told ------------------------------------------------------------------------------------------


def test_what_is_scraped_is_what_was_counted(exporter, sample):
    for value in (0.0002, 0.004, 0.004, 50.0):
        sample.times.add(value)
    sample.classes = {'a"b\\c\nd': 2, "ü": 1}
    values = exported_values(exporter)
    assert values["sample_wait_seconds_count[('lane', '0')]"] == 4
    assert values["sample_wait_seconds_sum[('lane', '0')]"] == pytest.approx(50.0082)
    buckets = {key.split("'le', '")[1].split("'")[0]: v for key, v in values.items() if "_bucket" in key}
    assert (buckets["0.0002"], buckets["0.003"], buckets["0.005"], buckets["7.0"], buckets["+Inf"]) == (
        *(1, 1, 3, 3, 4),
    )
    assert values["sample_things_total[('class', 'a\"b\\\\c\\nd')]"] == 2
    assert values["sample_things_total[('class', 'ü')]"] == 1


def test_promtool_finds_nothing(exporter, sample):
    sample.times.add(0.1)
    sample.classes = {"cat": 3}
    assert promtool("check", "metrics", text=scrape(exporter.address.port)[1]) == ""
    assert "14 rules" in promtool("check", "rules", str(RULES))


def test_percentiles_of_the_rules_are_near_those_of_the_values(tmp_path):
    """Promtool computes them from buckets of known values; they lie in the bucket of NumPy's percentile."""
    values = np.random.default_rng(3).gamma(4.0, 0.005, 4000)
    histogram = Histogram()
    for value in values.tolist():
        histogram.add(value)
    series, total = [], 0
    for bound, count in zip((*BOUNDS, "+Inf"), histogram.counts, strict=True):
        total += count
        series.append(
            {
                "series": f'lightloom_frame_latency_seconds_bucket{{job="j",instance="i",lane="0",le="{bound}"}}',
                "values": f"0+{total}x10",
            }
        )
    checks = []
    for percent in (50, 90, 99):
        # Where Prometheus puts it: straight between the bounds of its bucket.
        rank = percent / 100 * total
        below = np.concatenate(([0], np.cumsum(histogram.counts)))
        bucket = int(np.searchsorted(below[1:], rank))
        low, high = (0.0, *BOUNDS)[bucket], BOUNDS[bucket]
        assert (
            low <= np.percentile(values, percent) * 1.001 and np.percentile(values, percent) <= high * 1.001
        )
        value = low + (high - low) * (rank - below[bucket]) / histogram.counts[bucket]
        near = f"abs(lane:lightloom_frame_latency_seconds:p{percent}_1m - {float(value)!r}) < bool 1e-9"
        labels = '{job="j",instance="i",lane="0"}'
        checks.append(
            {"expr": near, "eval_time": "2m", "exp_samples": [{"labels": labels, "value": 1}]},
        )
    document = {
        "rule_files": [str(RULES)],
        "evaluation_interval": "15s",
        "tests": [{"interval": "15s", "input_series": series, "promql_expr_test": checks}],
    }
    (tmp_path / "test.yml").write_text(json.dumps(document))
    promtool("test", "rules", str(tmp_path / "test.yml"))


def test_readings_with_equal_labels_are_added_up(exporter, sample):
    rows = added([Reading(COUNT, 2, ("x",)), Reading(COUNT, 3, ("x",)), Reading(COUNT, 1, ("y",))])
    assert rows == {COUNT: {("x",): 5, ("y",): 1}}
    one, other = Histogram(), Histogram()
    one.add(0.1)
    other.add(0.2)
    [both] = added([Reading(TIMES, one, ("0",)), Reading(TIMES, other, ("0",))])[TIMES].values()
    assert sum(both.counts) == 2 and both.total == pytest.approx(0.3) and sum(one.counts) == 1


def test_two_readers_of_one_name_are_refused():
    with pytest.raises(ValueError, match="sample_wait_seconds"):
        Exporter(Address("127.0.0.1", 0), (Sample(), Sample()))


def test_queues_and_the_process():
    reader = QueueReader(lambda: (QueueState("recording", 2, 5),))
    assert [(r.family.name, r.value, r.labels) for r in reader.read()] == [
        ("lightloom_queue_length", 2, ("recording",)),
        ("lightloom_queue_dropped_total", 5, ("recording",)),
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="the library reads /proc")
def test_other_systems_tell_of_the_process_as_the_library_does_here(exporter):
    ours = {reading.family.name: reading.value for reading in ProcessReader().read()}
    theirs = exported_values(exporter)
    assert ours["process_resident_memory_bytes"] == pytest.approx(
        theirs["process_resident_memory_bytes[]"], rel=0.2
    )
    assert ours["process_cpu_seconds_total"] == pytest.approx(theirs["process_cpu_seconds_total[]"], rel=0.2)
    assert ours["process_start_time_seconds"] == pytest.approx(
        theirs["process_start_time_seconds[]"], rel=0, abs=2
    )


# -- where ---------------------------------------------------------------------------------------------------


def test_addresses():
    for text, host, port in (
        ("9464", "127.0.0.1", 9464),
        (":9464", "127.0.0.1", 9464),
        ("0.0.0.0:80", "0.0.0.0", 80),
        ("[::1]:0", "::1", 0),
        ("localhost:9464", "localhost", 9464),
    ):
        assert Address.of(text) == Address(host, port)
        assert Address.of(str(Address.of(text))) == Address.of(text)
    for text in (
        "",
        "x",
        "127.0.0.1",
        "a:b",
        "a:70000",
        "70000",
        "http://a:1",
        "a:1/x",
        "u@a:1",
        "::1:1",
        "a\n:1",
    ):
        with pytest.raises(UsageError):
            Address.of(text)


def test_a_port_that_is_taken_and_hosts_that_are_not_here(exporter, sample):
    for address, words in (
        (exporter.address, "has that port"),
        (Address("192.0.2.1", 0), "no such address"),  # RFC 5737: nobody's
        (Address("no-such-host.invalid", 1), "the host is unknown"),
        (Address("a" * 300, 1), "the host is unknown"),
    ):
        with pytest.raises(MetricsError, match=words):
            Exporter(address, (sample,))


def test_a_missing_package_is_one_sentence(monkeypatch, sample):
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(MetricsError, match=r"pip install '\.\[metrics\]'"):
        Exporter(Address("127.0.0.1", 0), (sample,))


def test_nobody_is_asked_after_the_end(sample):
    exporter = Exporter(Address("127.0.0.1", 0), (sample,))
    exporter.start()
    exported_values(exporter)
    exporter.close()
    asked = sample.asked
    with pytest.raises(OSError):
        scrape(exporter.address.port)
    assert sample.asked == asked == 1
    Exporter(exporter.address, (Sample(),)).close()  # the port is free again


# -- strangers -----------------------------------------------------------------------------------------------


def raw(port: int, data: bytes, *, closes: bool = True) -> bytes:
    """Send bytes; return what comes back until the connection ends."""
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(data)
            if closes:
                connection.shutdown(socket.SHUT_WR)
        found = b""
        with contextlib.suppress(ConnectionError):
            while part := connection.recv(65536):
                found += part
    return found


def serving_threads() -> int:
    return sum("process_request_thread" in thread.name for thread in threading.enumerate())


def test_a_head_without_end_is_refused(exporter):
    port = exporter.address.port
    long = b"x" * serving.MOST_HEAD_BYTES
    for head in (
        b"GET /" + long,
        b"GET / HTTP/1.1\r\nA: " + long,
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 5000,
    ):
        answer = raw(port, head)
        # Where more was sent than is read, the system may cut the answer off.
        assert answer == b"" or b" 431 " in answer.splitlines()[0], answer[:200]
    assert exported_values(exporter)


def test_only_metrics_are_there_and_only_read(exporter):
    port = exporter.address.port
    assert [scrape(port, path)[0] for path in ("/metrics", "/", "/other", "/favicon.ico")] == [
        *(200, 200, 404, 404),
    ]
    assert (
        b" 405 " in raw(port, b"POST /metrics HTTP/1.1\r\nContent-Length: 9999999999\r\n\r\n").splitlines()[0]
    )
    assert "sample_things" not in scrape(port, "/metrics?name[]=sample_wait_seconds_sum")[1]


def test_a_page_that_comes_by_a_name_of_its_own_gets_nothing(exporter):
    """DNS rebinding: the browser's connection is from this machine, the name is not of it."""
    port = exporter.address.port
    for host, status in (
        ("evil.example", 403),
        (f"evil.example:{port}", 403),
        ("127.0.0.1.evil.example", 403),
    ):
        assert scrape(port, headers={"Host": host})[0] == status
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", "LOCALHOST", f"[::1]:{port}"):
        assert scrape(port, headers={"Host": host})[0] == 200


@pytest.mark.parametrize("patience", [serving.Patience(while_full_s=0.1)])
def test_those_who_say_nothing_keep_nobody_out(exporter):
    with contextlib.ExitStack() as silent:
        for _ in range(3 * serving.MOST_CONNECTIONS):
            silent.enter_context(socket.create_connection(("127.0.0.1", exporter.address.port), 60))
        assert exported_values(exporter)
        assert serving_threads() <= serving.MOST_CONNECTIONS


@pytest.mark.parametrize("patience", [serving.Patience(deadline_s=0.3)])
def test_who_dribbles_is_cut_off(exporter):
    with socket.create_connection(("127.0.0.1", exporter.address.port), 60) as connection:
        ends = time.monotonic() + 60
        with contextlib.suppress(OSError):
            while time.monotonic() < ends:
                connection.sendall(b"G")
                time.sleep(0.02)
        assert time.monotonic() < ends
    assert exported_values(exporter)


@pytest.mark.parametrize("patience", [serving.Patience(deadline_s=0.3)])
def test_who_does_not_read_is_cut_off(exporter, sample):
    sample.classes = {f"{number} {'x' * 60}": number for number in range(20_000)}
    with socket.create_connection(("127.0.0.1", exporter.address.port), 60) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
        ends = time.monotonic() + 60
        while (sample.asked == 0 or serving_threads()) and time.monotonic() < ends:
            time.sleep(0.05)
    assert serving_threads() == 0


def test_requests_get_a_twentieth_of_a_core():
    """The clock is the test's own."""
    now = [0.0]
    budget = serving.Budget(lambda: now[0])
    served = 0.0
    while now[0] < 100.0:
        if budget.has_some():
            budget.spend(0.01)
            served += 0.01
        else:
            now[0] += 0.025
    assert 4.9 < served < 5.0 + 0.3


def test_anything_may_be_sent(exporter, capfd):
    """Broken requests are answered or dropped; the next scrape is whole, nothing is printed, no thread is
    left.
    """
    chance = random.Random(5)
    whole = b"GET /metrics?name[]=a HTTP/1.1\r\nHost: a\r\nAccept: application/openmetrics-text; version=1.0.0\r\n\r\n"
    for number in range(60):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 8)):
            at = chance.randrange(len(data))
            data[at : at + chance.randrange(3)] = chance.randbytes(chance.randrange(4))
        raw(exporter.address.port, chance.randbytes(200) if number % 6 == 0 else bytes(data))
    assert exported_values(exporter)
    ends = time.monotonic() + 60
    while serving_threads() and time.monotonic() < ends:
        time.sleep(0.02)
    assert serving_threads() == 0
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "version", ["1e.1e", "", "x", "1.", ".", "-1", "\xb2", "9" * 5000, "1.0.0.0.0", "1.0.0x"]
)
@pytest.mark.parametrize("kind", ["application/openmetrics-text", "text/plain"])
def test_a_version_that_is_none_gets_plain_text(exporter, caplog, kind, version):
    accepted = f"Accept: text/html, {kind}; version={version}; charset=utf-8\r\n".encode("latin-1")
    answer = raw(exporter.address.port, b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n" + accepted + b"\r\n")
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.0 200 ") and b"text/plain; version=0.0.4" in head
    assert list(text_string_to_metric_families(body.decode())) and not caplog.records


@pytest.mark.parametrize("version", ["1.0.0", "0.0.1", "1.0.0 "])
def test_a_version_of_the_format_is_what_is_told(exporter, version):
    accepted = f"Accept: application/openmetrics-text;version={version},text/plain\r\n".encode()
    answer = raw(exporter.address.port, b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n" + accepted + b"\r\n")
    kind = b"text/plain" if version == "0.0.1" else b"application/openmetrics-text"
    assert answer.startswith(b"HTTP/1.0 200 ") and b"Content-Type: " + kind in answer


def test_a_reader_that_fails_is_no_traceback_for_strangers(exporter, sample, caplog, capfd):
    sample.read = lambda: 1 / 0
    status, text = scrape(exporter.address.port)
    assert status == 500 and "Traceback" not in text and "metrics could not be written" in caplog.text
    assert capfd.readouterr() == ("", "")
