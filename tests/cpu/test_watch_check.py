"""`watch --check` reports faults of networks and events; disabled events perform nothing."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import windows_marks
from tiny_models import red_or_blue_model, square_detector

from desktop.base.errors import UsageError
from desktop.base.interrupt import Interrupt
from desktop.cli._watch_setup import SetupBuilder, check_sources
from desktop.cli._zones import with_zones
from desktop.cli.watch import COMMAND
from desktop.outputs.events.action import Surroundings
from desktop.outputs.events.delivery import Deliveries
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.preset import save_preset
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.setup.zones import load_zones
from desktop.vision.tracking.events import Occurrence
from desktop.vision.tracking.scene import SceneSpec
from desktop.watch.announced_devices import devices_path
from desktop.watch.config import ConfigError, read_config
from desktop.watch.secrets import Secrets
from desktop.watch.single import only_service
from desktop.watch.supervisor import Supervisor

ROOT = Path(__file__).parents[2]
SECRETS = Secrets({}, lambda name: "")
SOURCE = """[[source]]
name = "door"
address = "screen:"
model = "{model}"
"""
ZONE = """[[source.zones]]
name = "All"
points = [[0, 0], [1, 0], [1, 1]]
"""
EVENTS = """[[source.events]]
name = "On"
zone = "All"
when = "enters"
[[source.events.actions]]
do = "jsonl"
path = "{folder}/on.jsonl"
[[source.events]]
name = "Off"
zone = "All"
when = "enters"
enabled = false
[[source.events.actions]]
do = "jsonl"
path = "{folder}/off.jsonl"
"""


@pytest.fixture
def squares(tmp_path):
    return square_detector(tmp_path / "squares.onnx")


def faults(folder, text):
    """Return the lines of `--check` without the file's name: faults, then notes."""
    path = folder / "watch.toml"
    path.write_text(text, "utf-8")
    read = read_config(path)
    check_sources(read, SECRETS, is_thorough=True)
    return [each.at("") for each in (*read.faults.in_order(), *read.faults.notes)]


def perform(scene):
    """Perform the actions of a scene's events as a source of the service does."""
    deliveries = Deliveries(Surroundings(print), print)
    deliveries.use(scene.events)
    deliveries.take([Occurrence(each.name, "All", "enters", 1.0) for each in scene.events], "door")
    assert deliveries.close(10) == 0


def scene_of(folder, text):
    path = folder / "watch.toml"
    path.write_text(text)
    read = read_config(path)
    builder = SetupBuilder(read.config.sources[0], folder, read.faults, SECRETS)
    scene = builder.setup(FilterLibrary(None)).scene
    assert not read.faults.found
    return scene


def written(folder):
    return sorted(path.name for path in folder.glob("*.jsonl"))


def test_a_disabled_event_performs_nothing(tmp_path, squares):
    text = SOURCE.format(model="squares.onnx") + ZONE + EVENTS.format(folder=tmp_path.as_posix())
    perform(scene_of(tmp_path, text))
    assert written(tmp_path) == ["on.jsonl"]


@pytest.mark.parametrize("key", ["zones", "look"])
def test_a_disabled_event_of_a_file_performs_nothing_with_consent_either(tmp_path, squares, key):
    tables = (ZONE + EVENTS.format(folder=tmp_path.as_posix())).replace("[[source.", "[[")
    (tmp_path / "zones.toml").write_text(tables)
    if key == "look":
        found, _ = load_zones(tmp_path / "zones.toml")
        scene = SceneSpec(zones=found.zones, events=found.events)
        save_preset(Setup(scene=scene), FilterLibrary(None), tmp_path / "zones.toml")
    text = SOURCE.format(model="squares.onnx") + f'{key} = "zones.toml"\nevents = '
    perform(scene_of(tmp_path, text + "false\n"))
    assert written(tmp_path) == []
    perform(scene_of(tmp_path, text + "true\n"))
    assert written(tmp_path) == ["on.jsonl"]
    assert faults(tmp_path, text + "true\n") == [
        f":5: source.door.{key}: Off: This event is disabled: its actions are not performed."
    ]


def test_a_disabled_event_is_not_performed_by_commands_with_events(tmp_path, capsys):
    path = tmp_path / "zones.toml"
    path.write_text((ZONE + EVENTS.format(folder=tmp_path.as_posix())).replace("[[source.", "[["))
    scene = with_zones(SimpleNamespace(zones=str(path), events=True), SceneSpec())
    told = "lightloom: Disabled in their file, so that their actions are not performed: Off.\n"
    assert capsys.readouterr().err == told
    perform(scene)
    assert written(tmp_path) == ["on.jsonl"]


def test_only_disabled_events_need_no_consent(tmp_path, squares):
    tables = (ZONE + EVENTS.format(folder=tmp_path.as_posix())).replace("[[source.", "[[")
    (tmp_path / "zones.toml").write_text(
        tables.replace('when = "enters"\n[', 'when = "enters"\nenabled = false\n[')
    )
    assert len(faults(tmp_path, SOURCE.format(model="squares.onnx") + 'zones = "zones.toml"\n')) == 2


def test_check_lists_events_that_do_nothing_and_finds_no_fault(tmp_path, squares):
    text = SOURCE.format(model=squares.name) + ZONE + EVENTS.format(folder=tmp_path.as_posix())
    text += '[[source.events]]\nname = "Idle"\nzone = "All"\nwhen = "leaves"\n'
    (tmp_path / "watch.toml").write_text(text)
    command = [sys.executable, "-m", "desktop", "watch", "--check", str(tmp_path / "watch.toml")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "watch.toml:15: source.door.events.Off: This event is disabled: its actions are not performed.",
        "watch.toml:23: source.door.events.Idle: This event has no action, so that it does nothing; add one.",
        "watch.toml has no fault: 1 source.",
    ]
    assert written(tmp_path) == []


def test_the_classes_of_the_bundled_detector_are_known(tmp_path):
    zone = ZONE + 'classes = ["Person", "car"]\n'
    assert faults(tmp_path, SOURCE.format(model="detector") + zone) == [
        ":8: source.door.zones.All.classes: 'All' names the class 'Person', which the network does not have; "
        "did you mean 'person'?",
        ":8: source.door.zones.All.classes: 'All' names the class 'car', which the network does not have; "
        "choose one such as person, face.",
    ]
    assert faults(tmp_path, SOURCE.format(model="detector") + ZONE + 'classes = ["person", "face"]\n') == []


def test_the_classes_of_a_detector_without_names_are_those_of_its_family(tmp_path, squares):
    squares.with_suffix(".txt").unlink()
    zone = ZONE + 'classes = ["class 1", "red"]\n'
    (fault,) = faults(tmp_path, SOURCE.format(model="squares.onnx") + zone)
    assert "'All' names the class 'red'" in fault and "choose one such as class 0, class 1." in fault


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ('{ classes = ["rde", "BLUE"] }', "classes: The network has no class 'rde'; did you mean 'red'?"),
        ('{ classes = ["car"] }', "classes: The network has no class 'car'; choose one such as red, blue."),
        (
            '{ classes = "red" }',
            "classes: The setting 'classes' is red; give a list of names, such as [\"person\"].",
        ),
        ('{ tiles = "2" }', "tiles: The setting 'tiles' is \"2\"; give it without quotation marks."),
        ('{ tiles = "two" }', "tiles: The setting 'tiles' is two; give 1 to 4."),
        ("{ tiles = 2.0 }", "tiles: The setting 'tiles' is 2.0; give 1 to 4."),
        (
            "{ top = 3 }",
            "top: It is no setting of a network for object detection; write one of classes, decoder,",
        ),
        ("{ skore = 0.5 }", "skore: This setting is not known; did you mean 'score'?"),
    ],
)
def test_settings_that_a_detector_does_not_have_are_faults(tmp_path, squares, settings, fault):
    (found,) = faults(tmp_path, SOURCE.format(model="squares.onnx") + f"settings = {settings}\n")
    assert found.startswith(f":5: source.door.settings.{fault}")


def test_a_classifier_has_no_tiles(tmp_path):
    red_or_blue_model(tmp_path / "colors.onnx")
    text = SOURCE.format(model="colors.onnx") + "settings = { tiles = 2, top = 3 }\n"
    assert faults(tmp_path, text) == [
        ":5: source.door.settings.tiles: It is no setting of a network for classification; write one of top."
    ]


def action(text):
    """A source with one event that has one action."""
    event = '[[source.events]]\nname = "E"\nzone = "All"\nwhen = "enters"\n[[source.events.actions]]\n'
    return SOURCE.format(model="squares.onnx") + ZONE + event + text


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        *(
            (
                f'do = "{kind}"\naddress = "{address}"\n',
                "the broker's address is not one such as broker.local:1883; write",
            )
            for kind in ("mqtt", "home_assistant")
            for address in (
                "broker:0",
                "broker:99999",
                "http://broker",
                "bro ker",
                "broker:port",
                "mqtt://broker/path",
            )
        ),
        *(
            (
                f'do = "url"\naddress = "{address}"\n',
                "the address does not begin with http:// or https://; write it whole",
            )
            for address in ("http://host:0/", "http://host:99999/", "host/x", "http:///x", "http://ho st/")
        ),
        (
            'do = "url"\naddress = "http://me@host/"\n',
            "the address holds a name or a password; give them under 'Authorization' instead.",
        ),
        (
            'do = "mqtt"\naddress = "broker"\ntopic = "a/#"\n',
            "'a/#' is no topic to publish to; write one without +, #",
        ),
        (
            'do = "home_assistant"\naddress = "broker"\nprefix = "a b"\n',
            "'a b' is no discovery prefix; give the one of Home Assistant, by default homeassistant.",
        ),
        (
            'do = "csv"\npath = "{folder}/no/a.csv"\n',
            "there is no folder {folder}/no; create it, or choose another file.",
        ),
        (
            'do = "jsonl"\npath = "{folder}"\n',
            "{folder} cannot be written: Is a directory; choose another file.",
        ),
        (
            'do = "csv"\npath = "squares.txt"\n',
            "{folder}/squares.txt already holds something else; choose another file, or move that one away.",
        ),
        (
            'do = "snapshot"\nfolder = "squares.txt/x"\n',
            "{folder}/squares.txt/x cannot be written: Not a directory; choose another folder.",
        ),
        (
            'do = "csv"\npath = "~no-such-user/x"\n',
            "'~no-such-user/x' is of a user who is not known here; write the full path.",
        ),
    ],
)
def test_an_action_that_cannot_be_done_comes_with_what_to_do(tmp_path, squares, text, fault):
    if sys.platform == "win32" and ("{folder}" in fault or "~" in fault):
        pytest.skip("Windows words these errors otherwise, and '~name' is a plain name there")
    (found,) = faults(tmp_path, action(text.replace("{folder}", tmp_path.as_posix())))
    place = ":12: source.door.events.E.actions.1: This action cannot be done: "
    assert found.startswith(place + fault.replace("{folder}", str(tmp_path)))


@pytest.mark.parametrize(("device", "count"), [("House", 1), ("House {source}", 0)])
def test_two_sources_with_one_home_assistant_device_are_reported(tmp_path, squares, device, count):
    events = EVENTS.replace("jsonl", "home_assistant").replace(
        'path = "{folder}/on.home_assistant"', f'address = "broker"\ndevice = "{device}"'
    )
    events = events.partition('[[source.events]]\nname = "Off"')[0]
    one = SOURCE.format(model=squares.name) + ZONE + events
    found = faults(tmp_path, one + one.replace("door", "gate"))
    assert (
        found
        == [
            ":23: source.gate.events: Source 'door' announces the same Home Assistant device, 'House', and each would "
            "delete the other's entities; add {source} to the device's name."
        ][:count]
    )


def test_a_blank_field_that_is_required_is_a_fault(tmp_path, squares):
    (found,) = faults(tmp_path, action('do = "home_assistant"\naddress = "broker"\ndevice = " "\n'))
    assert found.endswith("The field 'Device' of this action is empty; give it a value.")


@pytest.mark.parametrize(
    "address", ["rtsp://host:99999/1", "rtsp://host:0/1", "rtsp://a b/1", "http://host:x/1"]
)
def test_an_address_that_cannot_be_connected_to_is_a_fault(tmp_path, address):
    (found,) = faults(tmp_path, f'[[source]]\nname = "a"\naddress = "{address}"\n')
    assert found.startswith(":3: source.a.address: The host or the port of the address ")
    assert address.rpartition("/")[0] in found and "a number from 1 to 65535" in found
    assert faults(tmp_path, '[[source]]\nname = "a"\naddress = "udp://@:5000"\n') == []


def test_metrics_that_cannot_be_served_are_told(tmp_path):
    text = '[service]\nmetrics = "{}"\n[[source]]\nname = "a"\naddress = "screen:"\n'
    # Of the block that documents use: no machine has it.
    (found,) = faults(tmp_path, text.format("192.0.2.1:9464"))
    assert found.startswith(
        ":2: service.metrics: Metrics cannot be served at 192.0.2.1:9464: this machine has no such"
    )
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        path = tmp_path / "watch.toml"
        path.write_text(text.format(f"127.0.0.1:{port}"))
        read = read_config(path)
        check_sources(read, SECRETS, is_thorough=True)
        # The service itself has it while it runs, so that this is no fault.
        assert not read.faults.found
        assert [note.text for note in read.faults.notes] == [
            f"A program listens at 127.0.0.1:{port} already: this service, or another one."
        ]
    assert faults(tmp_path, text.format(f"127.0.0.1:{port}")) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            '[source]\nname = "a"\n',
            "1: source: It is a single table; write its line as [[source]], in double brackets.",
        ),
        (
            '[[source]]\nname = "a"\naddress = "192.168.1.20/stream"\n',
            "3: source.a.address: It is no camera, screen or stream; write one such as camera, screen: or rtsp://",
        ),
        (
            '[[source]]\nname = "a"\naddress = "sample"\n',
            "3: source.a.address: It is a file or the sample; 'watch' is for cameras, screens and streams: use",
        ),
        (
            '[[source]]\nname = "a"\naddress = "screen:"\nlook = "cinemma"\n',
            "4: source.a.look: There is no look cinemma; did you mean 'cinema'?",
        ),
        (
            '[[source]]\nname = "a"\naddress = "screen:"\nevery_frame = true\n',
            "4: source.a.every_frame: It is about what a network finds, and there is none; add the key 'model'.",
        ),
        (
            SOURCE.format(model="squares.onnx") + "events = true\n",
            "5: source.door.events: There is no event that it could be about; leave it out, or add 'zones'.",
        ),
        (
            SOURCE.format(model="squares.onnx") + 'zones = ["a.toml"]\n',
            "5: source.door.zones.1: an entry of 'zones' is not a table and was left out.",
        ),
        (
            SOURCE.format(model="squares.onnx") + 'zones = { name = "Z" }\n',
            "5: source.door.zones: 'zones' is not a list of tables and was left out; begin each with a line in double",
        ),
        (
            SOURCE.format(model="squares.onnx") + 'zones = "squares.onnx"\n',
            "5: source.door.zones: squares.onnx is not a zone file: it is not UTF-8; correct it",
        ),
        (
            SOURCE.format(model="squares.onnx") + 'settings = { decoder = "yolovx" }\n',
            "5: source.door.settings.decoder: There is none of this name; did you mean 'yolo",
        ),
        (
            SOURCE.format(model="squares.onnx") + 'task = "classification"\n',
            "4: source.door.model: squares.onnx is not a classifier: its output 'y' has the shape [1, 84, 7]",
        ),
        (
            SOURCE.format(model="folder"),
            "4: source.door.model: {folder} is a folder without a network in it;",
        ),
        (
            '[service]\nadapter = "no such card"\n[[source]]\nname = "a"\naddress = "screen:"\n',
            "2: service.adapter: No GPU adapter is called 'no such card'",
        ),
    ],
)
def test_what_was_silent_or_unclear(tmp_path, squares, text, fault):
    (tmp_path / "folder").mkdir()
    (found,) = faults(tmp_path, text)
    assert found.startswith(f":{fault.replace('{folder}', str(tmp_path / 'folder'))}")


def test_a_fault_of_another_source_hides_none(tmp_path, squares):
    door = SOURCE.format(model="squares.onnx") + "events = true\n"
    other = '[[source]]\nname = "a"\naddress = "screen:"\nlook = "cinemma"\n'
    none = "There is no event that it could be about; leave it out, or add 'zones'."
    for text in (door + other, other + door):
        found = faults(tmp_path, text)
        assert len(found) == 2 and sum(each.endswith(none) for each in found) == 1, found
    # Its own fault may be why there are none.
    (found,) = faults(tmp_path, f'{door}look = "cinemma"\n')
    assert "There is no look cinemma" in found


@windows_marks.links
def test_a_folder_behind_a_broken_link_cannot_be_written(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "gone").symlink_to("nothing")
    for name in ("loop", "gone"):
        text = f'[[source]]\nname = "a"\naddress = "screen:"\nrecord = {{ folder = "{name}/x" }}\n'
        (found,) = faults(tmp_path, text)
        assert found.startswith(
            f":4: source.a.record.folder: {tmp_path / name / 'x'} cannot be written by this user"
        )


def test_an_event_whose_action_has_a_fault_is_not_said_to_have_none(tmp_path, squares):
    (found,) = faults(tmp_path, action('do = "clip"\nbefore = -1\n'))
    assert found == ":14: source.door.events.E.actions.1.before: E: 'before' is -1; give 0 to 25."


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ("# \u00e9".encode("latin-1"), "it is not UTF-8; save it in that encoding."),
        (b"# x\n" * 300_000, "it is larger than 1 MiB; divide its sources between two files."),
    ],
)
def test_a_configuration_that_cannot_be_read_comes_with_what_to_do(tmp_path, data, fault):
    (tmp_path / "watch.toml").write_bytes(data)
    with pytest.raises(ConfigError, match=f"The file cannot be read: {fault}"):
        read_config(tmp_path / "watch.toml")


@windows_marks.links
def test_relative_paths_of_a_linked_configuration_begin_at_the_link_also_while_it_runs(tmp_path, monkeypatch):
    """`--check` looked beside the link, and the running service beside the file that it leads to."""
    for name in ("real", "named"):
        (tmp_path / name).mkdir()
    (tmp_path / "real" / "watch.toml").write_text(SOURCE.format(model="squares.onnx"))
    square_detector(tmp_path / "named" / "squares.onnx")
    path = tmp_path / "named" / "watch.toml"
    path.symlink_to(tmp_path / "real" / "watch.toml")
    launched = []

    class Stub(Supervisor):
        def __init__(self, config, launch, *more, **others):
            super().__init__(config, launch, *more, **others)
            launched.append(launch(config).folder)

        def run(self, reload):
            reload()
            return True

    monkeypatch.setattr("desktop.watch.supervisor.Supervisor", Stub)
    monkeypatch.chdir(path.parent)
    options = SimpleNamespace(config="watch.toml", check=False, example=False, report=None)
    options.source_from_stdin, options.interrupt = False, Interrupt()
    assert COMMAND.run(options) == 0
    assert launched == [path.parent]
    # The list of devices stays the configuration's when the link leads to another file.
    before = devices_path(path)
    path.unlink()
    (tmp_path / "other.toml").write_text("")
    path.symlink_to(tmp_path / "other.toml")
    assert devices_path(path) == before == devices_path(Path("watch.toml"))


HOLDING = """
import sys
from pathlib import Path
from desktop.watch.single import only_service
with only_service(Path(sys.argv[1]), print):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_service_with_one_configuration_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_STATE", str(tmp_path / "state"))
    path = tmp_path / "watch.toml"
    path.write_text('[[source]]\nname = "a"\naddress = "rtsp://127.0.0.1:1/x"\n')
    command = [sys.executable, "-c", HOLDING, str(path)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout.readline() == "held\n"
        second = [sys.executable, "-m", "desktop", "watch", str(path)]
        done = subprocess.run(second, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 2 and "Another process watches with watch.toml already" in done.stderr
        # Checking is no second service, and another configuration is another.
        checked = subprocess.run([*second, "--check"], cwd=ROOT, capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stderr
        with only_service(tmp_path / "other.toml", pytest.fail):
            pass
        first.communicate("")
    with only_service(path, pytest.fail):
        pass


def test_where_nothing_can_be_locked_the_service_runs_and_says_so(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LIGHTLOOM_STATE", str(tmp_path / "file"))
    told = []
    with only_service(tmp_path / "watch.toml", told.append):
        pass
    (text,) = told
    assert text.startswith(str(tmp_path / "file")) and text.endswith(
        "a second service with watch.toml would not be refused. Set LIGHTLOOM_STATE to a folder that can be written."
    )


@windows_marks.links
def test_a_second_service_is_refused_after_the_link_of_a_mounted_configuration_has_changed(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("LIGHTLOOM_STATE", str(tmp_path / "state"))
    path = tmp_path / "watch.toml"
    (tmp_path / "folder").mkdir()
    path.symlink_to(tmp_path / "a.toml")
    with only_service(path, pytest.fail):
        path.unlink()
        path.symlink_to(tmp_path / "b.toml")
        for name in (path, tmp_path / "folder" / ".." / "watch.toml"):
            with pytest.raises(UsageError, match="Another process"), only_service(name, pytest.fail):
                pass


def test_a_file_that_is_no_network_is_a_fault(tmp_path):
    (tmp_path / "a.onnx").write_bytes(b"no network")
    (fault,) = faults(tmp_path, SOURCE.format(model="a.onnx"))
    assert fault.startswith(":4: source.door.model: ") and "a.onnx" in fault


SIDECAR = "squares.onnx.lightloom.toml"


@pytest.mark.parametrize(
    ("sidecar", "fault"),
    [
        (
            "[input]\nturn = true\n",
            f"The key 'input.turn' in {SIDECAR} is unknown and was left out; did you mean 'turns'?",
        ),
        ("[output]\nsound = 1\n", f"The key 'output.sound' in {SIDECAR} is unknown and was left out."),
        (
            "[input]\nworking = 320\n",
            f"The key 'input.working' in {SIDECAR} is not for object detection and was left out.",
        ),
        (
            "decodr = 'yolox'\n",
            f"The key 'decodr' in {SIDECAR} is unknown and was left out; did you mean 'decoder'?",
        ),
        ("[preprocess]\nsize = 3\n", "The preprocessing field 'size' is unknown and was left out."),
        (
            "[input]\nturns = true\n",
            f"turns = true under [input] in {SIDECAR} has no effect: the input is as wide as high; leave it out.",
        ),
        (
            "[input]\nturns = 'yes'\n",
            f"The settings {SIDECAR}, [input]: 'turns' must be true or false; docs/models.md",
        ),
    ],
)
def test_what_has_no_effect_beside_a_network_is_a_fault(tmp_path, squares, sidecar, fault):
    (tmp_path / SIDECAR).write_text(sidecar)
    (found,) = faults(tmp_path, SOURCE.format(model="squares.onnx"))
    assert found.startswith(f":4: source.door.model: {fault}")


def test_a_good_file_beside_a_network_is_no_fault(tmp_path):
    square_detector(tmp_path / "squares.onnx", size=(64, 32))
    (tmp_path / SIDECAR).write_text(
        "task = 'detection'\ndecoder = 'yolox'\n[input]\nname = 'x'\nturns = true\n[preprocess]\ncolors = 'BGR'\n"
    )
    assert faults(tmp_path, SOURCE.format(model="squares.onnx")) == []


def test_the_network_of_a_look_is_checked_too(tmp_path, squares):
    (tmp_path / SIDECAR).write_text("[input]\nturn = true\n")
    setup = Setup(network=NetworkSpec(str(squares)), network_enabled=True)
    save_preset(setup, FilterLibrary(None), tmp_path / "look.toml")
    (fault,) = faults(tmp_path, '[[source]]\nname = "a"\naddress = "screen:"\nlook = "look.toml"\n')
    assert fault.startswith(":4: source.a.look: The key 'input.turn'")
