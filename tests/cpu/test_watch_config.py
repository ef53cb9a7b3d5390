"""The file of `watch`: each fault with its line and key, passwords from elsewhere, and what changed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tiny_models import square_detector

from desktop.base.errors import UsageError
from desktop.base.resources import resource
from desktop.base.toml_text import key_lines
from desktop.cli._watch_setup import check_sources
from desktop.outputs.segment_limits import Retention, SegmentLimit
from desktop.watch.config import ConfigError, read_config
from desktop.watch.secrets import Secrets

ROOT = Path(__file__).parents[2]
GOOD = """
[service]
metrics = "127.0.0.1:9464"
[[source]]
name = "door"
address = "rtsp://viewer:${CAMERA_PASSWORD}@192.168.1.20/stream"
[source.record]
folder = "recordings"
segment = "500MB"
keep = "7d"
keep_size = "50GB"
codec = "h264"
size = "640x"
audio = false
[[source]]
name = "gate"
address = "screen:"
"""


def read(tmp_path, text):
    path = tmp_path / "watch.toml"
    path.write_text(text)
    found = read_config(path)
    assert not found.faults.found
    return found.config


def faults_of(tmp_path, text):
    path = tmp_path / "watch.toml"
    path.write_text(text)
    try:
        faults = read_config(path).faults.in_order()
    except ConfigError as error:
        faults = error.faults
    return [f"{fault.line} {fault.key}: {fault.text}" for fault in faults]


def test_a_file_without_faults(tmp_path):
    config = read(tmp_path, GOOD)
    door, gate = config.sources
    assert str(config.metrics) == "127.0.0.1:9464" and gate.record is None
    assert door.record.target == tmp_path / "recordings" / "door.mp4"
    assert door.record.limit == SegmentLimit(size=500_000_000)
    assert door.record.retention == Retention(7 * 86400.0, 50 * 10**9)
    assert door.record.encoding.size == (640, 0) and not door.record.audio
    assert read(tmp_path, "# a comment moves all lines\n" + GOOD).sources == config.sources
    assert read(tmp_path, GOOD.replace("7d", "8d")).sources[0] != door


def test_a_source_is_another_when_a_file_that_it_names_has_changed(tmp_path):
    text = GOOD.replace('address = "screen:"', 'address = "screen:"\nzones = "zones.toml"')
    (tmp_path / "zones.toml").write_text("a")
    before = read(tmp_path, text).sources
    assert read(tmp_path, text).sources == before
    (tmp_path / "zones.toml").write_text("ab")
    after = read(tmp_path, text).sources
    assert after[0] == before[0] and after[1] != before[1]


def test_a_source_is_another_when_a_look_of_the_library_or_a_file_beside_its_network_has_changed(
    tmp_path, monkeypatch
):
    """A reload after such a change said that all was unchanged, and went on with what had been loaded."""
    looks = tmp_path / "looks"
    looks.mkdir()
    monkeypatch.setattr("desktop.pipeline.setup.known.user_preset_folder", lambda: looks)
    square_detector(tmp_path / "net.onnx")
    path = tmp_path / "watch.toml"
    path.write_text(
        '[[source]]\nname = "door"\naddress = "screen:"\nlook = "evening"\n'
        '[[source]]\nname = "gate"\naddress = "screen:"\nmodel = "net.onnx"\n'
    )

    secrets = Secrets({}, lambda name: "")

    def save_look(strength):
        filters = f'[[filter]]\nname = "sobel"\nvalues = {{ strength = {strength} }}\n'
        (looks / "evening.toml").write_text(f"lightloom = 2\n{filters}")

    def checked_sources():
        read = read_config(path)
        found = check_sources(read, secrets).sources
        assert not read.faults.found
        return found

    save_look(1)
    first = checked_sources()
    assert checked_sources() == first
    save_look(1.25)
    second = checked_sources()
    assert second[0] != first[0] and second[1] == first[1]
    (tmp_path / "net.labels.txt").write_text("cat")
    third = checked_sources()
    assert third[0] == second[0] and third[1] != second[1]


def test_a_source_is_another_when_one_of_its_passwords_has_changed(tmp_path):
    path, password = tmp_path / "watch.toml", tmp_path / "CAMERA_PASSWORD"
    path.write_text(GOOD)
    secrets = Secrets({"CREDENTIALS_DIRECTORY": str(tmp_path)}, lambda name: "")

    def checked_sources(text):
        password.write_text(text)
        return check_sources(read_config(path), secrets).sources

    before = checked_sources("old")
    assert checked_sources("old") == before
    door, gate = checked_sources("new")
    assert door != before[0] and gate == before[1]
    assert "new" not in repr(door)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("[service]", "[servise]", "2 servise: This key is not known; did you mean 'service'?"),
        (
            'keep = "7d"',
            'kept = "7d"',
            "10 source.door.record.kept: This key is not known; did you mean 'keep'?",
        ),
        ('"7d"', '"7 days"', "10 source.door.record.keep: '7 days' is no length of time; write one such as"),
        ('"500MB"', '"ten"', "9 source.door.record.segment: 'ten' is no length of a segment; write a time"),
        ('"50GB"', "50", "11 source.door.record.keep_size: It is not a line of text; write it in quotation"),
        ('"50GB"', '""', "11 source.door.record.keep_size: It is empty; write a text, or leave the key out"),
        ('"screen:"', '" "', "17 source.gate.address: It is empty; write a text"),
        (
            '"screen:"',
            f'"{"x" * 2001}"',
            "17 source.gate.address: It is longer than 2000 letters; shorten it.",
        ),
        (
            '"screen:"',
            '"a\\nb"',
            "17 source.gate.address: It has a line break, or a letter that cannot be shown;",
        ),
        ('"h264"', '"h265"', "12 source.door.record.codec: There is no codec 'h265'; choose one of"),
        ('"h264"', '"vp8"', "12 source.door.record.codec: mp4 files hold no vp8; write one of h264, vp9"),
        ('"640x"', '"640"', "13 source.door.record.size: '640' is no size; write it as 1280x720"),
        ("audio = false", "audio = 0", "14 source.door.record.audio: It is neither true nor false;"),
        ('folder = "recordings"', "", "7 source.door.record: The key 'folder' is missing; add it."),
        pytest.param(
            '"recordings"',
            '"~no-such-user/v"',
            "8 source.door.record.folder: '~no-such-user/v' is of a user who is not known here; write the full path",
            marks=pytest.mark.skipif(sys.platform == "win32", reason="a name like any other there"),
        ),
        ('name = "gate"', "", "15 source.2: The key 'name' is missing; add it."),
        ('"gate"', '"Door"', "16 source.Door.name: Another source has this name; give each its own."),
        ('"gate"', '"../gate"', "16 source.../gate.name: It is no name of a source; use up to 40 letters"),
        ('"127.0.0.1:9464"', '"9464x"', "3 service.metrics: '9464x' is no address to serve metrics at;"),
        ("${CAMERA_PASSWORD}", "geheim", "6 source.door.address: There is a password in it; write ${CAMERA"),
        (
            '"screen:"',
            '"screen:"\nbackend = "wgpu"',
            "18 source.gate.backend: It is about a network, and there",
        ),
        ("[service]", "[service", "2 : This is not TOML:"),
        (GOOD, "[service]\n", "1 source: There is no source; begin one with a line [[source]]."),
    ],
)
def test_each_fault_has_its_line_and_key(tmp_path, old, new, fault):
    found = faults_of(tmp_path, GOOD.replace(old, new, 1))
    assert any(each.startswith(fault) for each in found), found


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (r"C:\users\x", "8 : This is not TOML: Invalid hex value (at line 8, column"),
        (r"C:\my\x", "8 : This is not TOML: Unescaped '\\' in a string (at line 8, column"),
        (r"C:\new", "8 source.door.record.folder: It has a line break, or a letter that cannot be shown;"),
    ],
)
def test_a_path_of_windows_in_quotation_marks_is_told_apart(tmp_path, path, told):
    (fault,) = faults_of(tmp_path, GOOD.replace("recordings", path, 1))
    assert fault.startswith(told)
    assert ("write a path in single ones" in fault) == ("TOML" in told)
    assert read(tmp_path, GOOD.replace('"recordings"', f"'{path}'", 1)).sources


def test_all_faults_are_reported_together(tmp_path):
    text = GOOD.replace('"7d"', '"x"').replace('"640x"', '"x"').replace('"gate"', '"a b"')
    assert [each.split()[0] for each in faults_of(tmp_path, text)] == ["10", "13", "16"]


ACTION = GOOD + '[[source.events]]\nname = "x"\n[[source.events.actions]]\n'


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        ("mqtt", "password", '"geheim"'),
        ("mqtt", "password", '"geheim${HOME}"'),
        ("mqtt", "password", "20261129"),
        ("mqtt", "address", '"mqtts://u:geheim@broker"'),
        ("mqtt", "address", '"u:geheim@broker"'),
        ("url", "address", '"https://u:geheim@host/"'),
        ("url", "address", '"https://host/hook?x=1&access_token=geheim"'),
        ("url", "address", '"https://host/hook?token=${TOKEN}geheim"'),
        ("url", "authorization", '"Bearer geheim"'),
    ],
)
def test_a_literal_password_of_an_action_is_refused(tmp_path, kind, key, value):
    (fault,) = faults_of(tmp_path, f'{ACTION}do = "{kind}"\n{key} = {value}\n')
    assert fault.startswith(f"22 source.gate.events.x.actions.1.{key}: There is a password in it;")
    assert "geheim" not in fault


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        ("mqtt", "password", "${A}"),
        ("mqtt", "address", "mqtts://broker.local:8883"),
        ("url", "address", "https://host/hook?token=${A}&author=me&passage=1"),
        ("url", "address", "https://host/user=a_password=${A}_channel=1"),
        ("url", "authorization", "Bearer ${A}"),
        ("url", "authorization", "${A}:${B}"),
    ],
)
def test_placeholders_in_actions_are_no_passwords(tmp_path, kind, key, value):
    assert len(read(tmp_path, f'{ACTION}do = "{kind}"\n{key} = "{value}"\n').sources) == 2


@pytest.mark.parametrize(
    "address",
    [
        "rtsp://host/s?user=a&password=geheim",
        "rtsp://host/user=a&password=geheim&channel=1",
        "rtsp://host/user=a_password=geheim_channel=1",
        "rtsp://host/user=a,password=geheim,channel=1",
        "http://a:${A}geheim@b/",
        # Characters of it end the host.
        "rtsp://a:12#geheim@b/s",
        "rtsp://a:12/geheim@b/s",
    ],
)
def test_a_literal_password_in_any_part_of_an_address_is_refused(tmp_path, address):
    (fault,) = faults_of(tmp_path, GOOD.replace("screen:", address))
    assert fault.startswith("17 source.gate.address: There is a password in it;") and "geheim" not in fault
    (fault,) = faults_of(tmp_path, f'{GOOD}model = "{address}"\n')
    assert fault.startswith("18 source.gate.model: There is a password in it;")


def test_an_at_that_may_belong_to_the_path_is_refused_with_the_way_to_write_it(tmp_path):
    address = "http://cam:8080/user@host/live"
    (fault,) = faults_of(tmp_path, GOOD.replace("screen:", address))
    assert fault.endswith("If the @ belongs to the path, write it as %40.")
    assert faults_of(tmp_path, GOOD.replace("screen:", address.replace("@", "%40"))) == []
    for host, count in (("box", 1), ("box.local", 0)):
        faults = faults_of(tmp_path, f'{GOOD}model = "grpc://{host}:81/net@2"\n')
        assert len(faults) == count
        assert all(each.endswith("write the host as an IP address or with its domain.") for each in faults)


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(ConfigError, match=r"missing.toml:1: The file cannot be read: No such file"):
        read_config(tmp_path / "missing.toml")


def test_the_example_has_no_fault():
    assert [
        source.name for source in read_config(resource("assets", "watch", "example.toml")).config.sources
    ] == ["door"]


def test_lines_of_keys_around_strings_and_arrays():
    text = '[a]\nb = """\n[x]\nc = 1\n"""\nd = [\n  "]", # ]\n  { e = 1 },\n]\n[[f]]\n[[f.g]]\nh = 1\n[[f]]\n[f.i]\nj.k = 1\n'
    assert key_lines(text) == {
        ("a",): 1,
        ("a", "b"): 2,
        ("a", "d"): 6,
        ("f",): 10,
        ("f", 0): 10,
        ("f", 0, "g"): 11,
        ("f", 0, "g", 0): 11,
        ("f", 0, "g", 0, "h"): 12,
        ("f", 1): 13,
        ("f", 1, "i"): 14,
        ("f", 1, "i", "j", "k"): 15,
    }


def test_passwords_come_from_variable_credential_and_key_ring_in_this_order(tmp_path):
    (tmp_path / "B").write_text("credential\n")
    environment = {"A": "variable", "CREDENTIALS_DIRECTORY": str(tmp_path)}
    secrets = Secrets(environment, lambda name: "ring" if name in "ABC" else "")
    assert secrets.filled(["${A}", "${B}", "${C}"]) == ["variable", "credential", "ring"]
    with pytest.raises(UsageError, match="has no value: set the variable D, or 'keyring set lightloom D'"):
        secrets.filled({"x": {"y": "${D}"}})


def test_a_password_is_encoded_in_an_address_and_hidden_in_texts():
    secrets = Secrets({"P": "p@ss/word"}, lambda name: "")
    table = secrets.filled(
        {"address": "rtsp://a:${P}@host/", "password": "${P}", "model": "https://host/${P}"}
    )
    assert table == {
        "address": "rtsp://a:p%40ss%2Fword@host/",
        "password": "p@ss/word",
        "model": "https://host/p%40ss%2Fword",
    }
    assert secrets.hidden("p@ss/word and p%40ss%2Fword") == "*** and ***"


def checked(folder, text, *more):
    (folder / "watch.toml").write_text(text)
    return subprocess.run(
        [sys.executable, "-m", "desktop", "watch", "--check", str(folder / "watch.toml"), *more],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "", "HOME": str(folder), "PYTHONPATH": str(ROOT), "CAMERA_PASSWORD": "geheim"},
    )


def test_check_reports_what_models_looks_and_zones_lack(tmp_path):
    (tmp_path / "clip.mp4").write_bytes(b"")
    done = checked(
        tmp_path,
        """[[source]]
name = "a"
address = "rtsp://x:${NO_SUCH_PASSWORD}@host/"
[[source]]
name = "b"
address = "rtsp://x:${CAMERA_PASSWORD}@host/"
model = "missing.onnx"
task = "detektion"
backend = "cuda"
settings = { scor = 1, top = "x" }
overlay = 1
track = { remembr = 3 }
[[source.zones]]
name = "Door"
points = [[0, 0]]
[[source.zones]]
name = "Hall"
points = [[0, 0], [1.5, 0], [1, 1]]
[[source.events]]
name = "In"
zone = "Hal"
when = "enters"
[[source.events]]
name = "Out"
zone = "Hall"
when = "leaves"
[[source.events.actions]]
do = "jsonl"
path = "/no/such/folder/events.jsonl"
[[source.events.actions]]
do = "url"
address = "ftp://host/"
[[source.events.actions]]
do = "snapshot"
folder = "clip.mp4/snapshots"
[[source.events.actions]]
do = "mqtt"
address = "broker"
topic = "a/#"
password = "${NO_SUCH_PASSWORD}"
[[source.events.actions]]
do = "url"
[[source]]
address = "ws://host/"
record = { folder = "x", kep = "7d" }
[[source]]
name = "c"
address = "clip.mp4"
look = "~no-such-user/look.toml"
events = true
[[source]]
name = "e"
address = "screen:"
record = { folder = "clip.mp4/recordings" }
model = "~no-such-user/x.onnx"
zones = "~no-such-user/zones.toml"
[[source]]
name = "d"
address = "gopher://host/"
""",
    )
    assert done.returncode == 1 and not done.stdout
    lines = done.stderr.splitlines()
    meant = [
        "watch.toml:3: source.a.address: ${NO_SUCH_PASSWORD} has no value: set the variable NO_SUCH_PASSWORD, or",
        "watch.toml:7: source.b.model: There is no model file missing.onnx; give an .onnx",
        "watch.toml:8: source.b.task: There is no task 'detektion'; did you mean 'detection'?",
        "watch.toml:9: source.b.backend: There is no backend 'cuda'; write one of",
        "watch.toml:10: source.b.settings.scor: This setting is not known; did you mean 'score'?",
        "watch.toml:10: source.b.settings.top: The setting 'top' is x; give",
        "watch.toml:11: source.b.overlay: It is neither true nor false;",
        "watch.toml:12: source.b.track.remembr:",
        "watch.toml:15: source.b.zones.Door.points: 'Door' was left out: its points are not",
        "watch.toml:18: source.b.zones.Hall.points: a corner of 'Hall' is outside the frame",
        "watch.toml:21: source.b.events.In.zone: 'In' was left out: its 'zone' is \"Hal\"; did you mean 'Hall'?",
        f"watch.toml:27: source.b.events.Out.actions.1: This action cannot be done: there is no folder {tmp_path / '/no/such/folder'};",
        "watch.toml:30: source.b.events.Out.actions.2: This action cannot be done: the address does not begin",
        f"watch.toml:33: source.b.events.Out.actions.3: This action cannot be done: {tmp_path / 'clip.mp4' / 'snapshots'} cannot",
        "watch.toml:36: source.b.events.Out.actions.4: This action cannot be done: 'a/#' is no topic to publish to;",
        "watch.toml:40: source.b.events.Out.actions.4.password: ${NO_SUCH_PASSWORD} has no value: set the variable",
        "watch.toml:41: source.b.events.Out.actions.5: The field 'Address' of this action is empty; give it a value.",
        "watch.toml:43: source.3: The key 'name' is missing; add it.",
        "watch.toml:44: source.3.address: Addresses that begin with ws:// can't be opened: use one of",
        "watch.toml:45: source.3.record.kep: This key is not known; did you mean 'keep'?",
        "watch.toml:48: source.c.address:",
        "watch.toml:49: source.c.look:",
        "watch.toml:50: source.c.events: It is about what a network finds, and there is none; add the key 'model'.",
        f"watch.toml:54: source.e.record.folder: {tmp_path / 'clip.mp4' / 'recordings'} cannot be written by this",
        "watch.toml:55: source.e.model: There is no model file ~no-such-user/x.onnx; give an .onnx",
        "watch.toml:56: source.e.zones:",
        "watch.toml:59: source.d.address: Addresses that begin with gopher:// can't be opened: use one of",
    ]
    for sentence in meant:
        assert any(line.startswith(sentence) for line in lines), (sentence, lines)
    assert lines[-1] == f"lightloom: watch.toml has {len(lines) - 1} faults; nothing was started."
    assert len(lines) == len(meant) + 1, lines


def test_check_of_a_good_file(tmp_path):
    done = checked(tmp_path, GOOD)
    assert (done.returncode, done.stdout) == (0, "watch.toml has no fault: 2 sources.\n"), done.stderr


CLASSES = """[[source]]
name = "door"
address = "screen:"
model = "squares.onnx"
[[source.zones]]
name = "All"
points = [[0, 0], [1, 0], [1, 1]]
classes = ["Red"]
[[source.events]]
name = "In"
zone = "All"
when = "enters"
classes = ["red", "green"]
[[source.events.actions]]
do = "jsonl"
path = "events.jsonl"
"""


def test_classes_that_the_network_does_not_have_are_faults(tmp_path):
    square_detector(tmp_path / "squares.onnx")
    (tmp_path / "squares.labels.txt").write_text("red\nblue\n")
    path = tmp_path / "watch.toml"
    path.write_text(CLASSES)
    config = read_config(path)
    check_sources(config, Secrets({}, lambda name: ""), is_thorough=True)
    assert [fault.at("") for fault in config.faults.in_order()] == [
        ":8: source.door.zones.All.classes: 'All' names the class 'Red', which the network does not have; "
        "did you mean 'red'?",
        ":13: source.door.events.In.classes: 'In' names the class 'green', which the network does not have; "
        "choose one such as red, blue.",
    ]
    path.write_text(CLASSES.replace("Red", "red").replace("green", "blue"))
    config = read_config(path)
    check_sources(config, Secrets({}, lambda name: ""), is_thorough=True)
    assert not config.faults.found and not (tmp_path / "events.jsonl").exists()


def test_the_service_starts_whatever_only_check_finds():
    unit = (ROOT / "packaging" / "linux" / "lightloom-watch.service").read_text("utf-8")
    commands = [line for line in unit.splitlines() if line.startswith("ExecStart")]
    assert commands == ["ExecStart=/usr/bin/lightloom watch /etc/lightloom/watch.toml"]


@pytest.mark.skipif(sys.platform != "linux", reason="a folder in which not even root can make files")
def test_only_check_wants_the_folder_to_be_writable_now(tmp_path):
    """A disk that is away for a while is no reason not to start: recording is tried again."""
    path = tmp_path / "watch.toml"
    path.write_text(GOOD.replace('"recordings"', '"/proc/no/such/folder"'))
    secrets = Secrets({"CAMERA_PASSWORD": "geheim"}, lambda name: "")
    for is_thorough, count in ((False, 0), (True, 1)):
        config = read_config(path)
        check_sources(config, secrets, is_thorough=is_thorough)
        assert len(config.faults.found) == count, config.faults.found


def test_an_action_behind_one_that_is_unknown_is_not_given_its_place(tmp_path):
    path = tmp_path / "watch.toml"
    path.write_text(
        '[[source]]\nname = "door"\naddress = "rtsp://camera/1"\n'
        '[[source.zones]]\nname = "A"\nkind = "polygon"\npoints = [[0, 0], [1, 0], [1, 1]]\n'
        '[[source.events]]\nname = "E"\nzone = "A"\nwhen = "enters"\n'
        '[[source.events.actions]]\ndo = "blow"\n'
        '[[source.events.actions]]\ndo = "mqtt"\naddress = "broker:1883"\ntopic = "a/#"\n'
    )
    config = read_config(path)
    check_sources(config, Secrets({}, lambda name: ""), is_thorough=True)
    topic = [fault.at("") for fault in config.faults.in_order() if "topic" in fault.at("")]
    assert len(topic) == 1 and ":14: source.door.events.E.actions.2: This action cannot be done" in topic[0]
