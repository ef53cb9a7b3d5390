"""Files, command lines and requests of version 0.1 still mean what they meant: tests/version_0_1/, whose
README.md says what each is.
"""

from __future__ import annotations

import base64
import csv
import http.client
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import grpc
import pyarrow.parquet
import pytest
from google.protobuf import json_format
from serving_rig import ServerRig
from tritonclient.grpc import service_pb2

from desktop.__main__ import main
from desktop.base.console import Parser
from desktop.base.paths import (
    user_cache_folder,
    user_config_folder,
    user_export_folder,
    user_filter_folder,
    user_label_folder,
    user_log_folder,
    user_model_folder,
    user_preset_folder,
    user_remote_folder,
    user_state_folder,
)
from desktop.base.plugins import Decisions
from desktop.media.playlist_file import read_playlist
from desktop.metrics.engine_reader import EngineReader
from desktop.metrics.process_reader import ProcessReader
from desktop.metrics.queue_reader import QueueReader
from desktop.net.inference.address import parse_address
from desktop.net.inference.hosts import AllowedHosts
from desktop.outputs.events import event_actions
from desktop.outputs.events.action import Note, Surroundings
from desktop.outputs.export_queue import ExportQueue
from desktop.outputs.journal import Journal, PictureRecord, SavedMask
from desktop.outputs.result_format import About
from desktop.outputs.results import result_formats
from desktop.pipeline.chain.spec import StageSpec
from desktop.pipeline.filters.former import take_strength
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.interpolation.spec import InterpolationSpec
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.bundle import open_preset
from desktop.pipeline.setup.known import known_preset
from desktop.pipeline.setup.preset import load_preset
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.setup.zones import ZoneTables, load_zones
from desktop.plugins.labeling.data.project import Project
from desktop.spread.run_journal import RunJournal
from desktop.ui.forms.settings import Settings
from desktop.ui.shell.session import last_folder, read_source, read_tiles
from desktop.vision.models.labels import read_labels
from desktop.vision.models.library.catalogue import read_catalogue
from desktop.vision.models.library.checksum import sha256_of
from desktop.vision.models.library.parts import load_partial
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import choose_preprocess
from desktop.vision.models.settings import labels_path, read_settings
from desktop.vision.models.sidecar import is_builtin
from desktop.vision.tasks import stated_task
from desktop.vision.tasks.shapes import Box, Label, Line, Points, Polygon
from desktop.vision.tracking.anonymize import AnonymizeSpec
from desktop.vision.tracking.events import EventSpec, Occurrence
from desktop.vision.tracking.track import TrackSpec
from desktop.vision.tracking.zones import AnyZone, LineSpec

KEPT = Path(__file__).resolve().parent.parent / "version_0_1"
# What journals call the shapes.
SHAPES = {
    Box: "Box",
    Label: "Label",
    Line: "Line",
    Points: "Points",
    Polygon: "Polygon",
    SavedMask: "SavedMask",
}
PRESETS = sorted(path.stem for path in (KEPT / "presets").glob("*.toml"))


def expected(name: str) -> Any:
    """What a file of the folder has to mean."""
    return json.loads((KEPT / name).read_text("utf-8"))


def plain(value: Any, folder: Path = KEPT) -> Any:
    """Return a value as JSON has it; paths below `folder` begin with '{folder}', and have slashes on every
    system.
    """
    if isinstance(value, str | Path):
        text = str(value)
        return "{folder}" + text.removeprefix(str(folder)).replace("\\", "/") if str(folder) in text else text
    if isinstance(value, TrackSpec):
        return track_json(value)  # without what came later
    if is_dataclass(value) and not isinstance(value, type):
        kind = {"shape": SHAPES[type(value)]} if type(value) in SHAPES else {}
        return kind | {field.name: plain(getattr(value, field.name), folder) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(inner, folder) for key, inner in value.items()}
    if isinstance(value, Iterable):
        return [plain(inner, folder) for inner in value]
    return value


# -- presets -------------------------------------------------------------------------------------------------


def setup_json(setup: Setup, folder: Path = KEPT) -> Any:
    """Return all that a setup says, in the words of a preset."""
    found = {
        "filter": [
            {"name": stage.filter, "enabled": stage.enabled, "values": values_json(stage)}
            for stage in setup.chain.stages
        ],
        "network": setup.network and network_json(setup.network),
        "track": setup.scene.track and track_json(setup.scene.track),
        **zones_json(ZoneTables(setup.scene.zones, setup.scene.events, setup.scene.heat_map)),
        "anonymize": setup.anonymize and anonymize_json(setup.anonymize),
        "interpolation": setup.interpolation and interpolation_json(setup.interpolation),
    }
    return plain(found, folder)


def values_json(stage: StageSpec) -> dict[str, Any]:
    """Return a stage's values; the opacity is the `strength` of filters that had one."""
    assert stage.blend == "normal" and stage.mask is None
    values = dict(stage.values)
    if "strength" in expected("filters.json").get(stage.filter, {}):
        values.setdefault("strength", stage.opacity)
    return values


def network_json(spec: NetworkSpec) -> dict[str, Any]:
    """Return a network's table."""
    return {
        # One in the box by its name, as presets have it.
        "model": Path(spec.model).stem if is_builtin(Path(spec.model)) else spec.model,
        "backend": spec.backend,
        "precision": spec.precision,
        "device": spec.device,
        "every": spec.every,
        "on_result": spec.on_result,
        "preprocess": spec.preprocess,
        "task": spec.task,
        "settings": spec.settings,
        "second": spec.second and network_json(spec.second),
        "things": spec.things,
        "enlarge": spec.enlarge,
    }


def track_json(spec: TrackSpec) -> dict[str, Any]:
    """Return the table of tracking."""
    return {
        "score": spec.score,
        "overlap": spec.overlap,
        "hits": spec.hits,
        "remember": spec.remember,
        "by_class": spec.by_class,
        "trail": spec.trail,
    }


def anonymize_json(spec: AnonymizeSpec) -> dict[str, Any]:
    """Return the table of what is hidden."""
    return {
        "classes": spec.classes,
        "kind": spec.kind,
        "blocks": spec.blocks,
        "margin": spec.margin,
        "outline": spec.outline,
        "hold": spec.hold,
        "unseen": spec.unseen,
    }


def interpolation_json(spec: InterpolationSpec) -> dict[str, Any]:
    """Return the table of frame interpolation."""
    return {"model": spec.model, "rate": spec.rate, "backend": spec.backend}


def zones_json(found: ZoneTables) -> dict[str, Any]:
    """Return zones, events and whether there is a heat map."""
    return {
        "zones": [zone_json(zone) for zone in found.zones],
        "events": [event_json(event) for event in found.events],
        "heat_map": found.heat_map,
    }


def zone_json(zone: AnyZone) -> dict[str, Any]:
    """Return a zone's or a line's table."""
    return {
        "name": zone.name,
        "kind": "line" if isinstance(zone, LineSpec) else "polygon",
        "points": zone.points,
        "classes": zone.classes,
        "anchor": zone.anchor,
        "color": zone.color,
    }


def event_json(event: EventSpec) -> dict[str, Any]:
    """Return an event's table."""
    return {
        "name": event.name,
        "zone": event.zone,
        "when": event.when,
        "direction": event.direction,
        "seconds": event.seconds,
        "above": event.above,
        "classes": event.classes,
        "actions": [{"do": action.kind, **action.values} for action in event.actions],
        "enabled": event.enabled,
    }


@pytest.mark.parametrize("name", PRESETS)
def test_presets(name):
    loaded = load_preset(KEPT / "presets" / f"{name}.toml", FilterLibrary())
    assert loaded.warnings == ()
    found = {"setup": setup_json(loaded.setup), "shaders": plain(loaded.shaders)}
    assert found == expected(f"presets/{name}.json")


def test_presets_have_each_filter_of_0_1():
    stages = [stage for name in PRESETS for stage in expected(f"presets/{name}.json")["setup"]["filter"]]
    assert {stage["name"] for stage in stages} >= set(expected("filters.json"))


def test_filters_and_their_parameters():
    library = FilterLibrary()
    for name, params in expected("filters.json").items():
        there = {
            param.name: {"type": param.type, "default": plain(param.default), "choices": list(param.choices)}
            for param in library.get(name).params
        }
        for param, kept in params.items():
            if param == "strength" and param not in there:
                # The opacity, which is 1 to begin with.
                assert (kept["type"], kept["default"]) == ("float", 1.0), name
                assert take_strength(library.get(name), {param: 0.25}) == ({}, 0.25), name
                continue
            now = there[param]
            assert (now["type"], now["default"]) == (kept["type"], kept["default"]), (name, param)
            assert set(kept["choices"]) <= set(now["choices"]), (name, param)


def test_a_bundle(tmp_path, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_PRESETS", str(tmp_path))
    loaded = open_preset(KEPT / "presets" / "whole.lightloom", FilterLibrary())
    assert loaded.warnings == ()
    (folder,) = (tmp_path / "imported").iterdir()
    found = {"setup": setup_json(loaded.setup, folder), "shaders": plain(loaded.shaders, folder)}
    assert found == expected("presets/whole.lightloom.json")
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files >= set(expected("presets/whole.lightloom.files.json"))


@pytest.mark.parametrize("name", ["zones.toml", "zones.json"])
def test_files_of_zones(name):
    found, warnings = load_zones(KEPT / "zones" / name)
    assert warnings == ()
    assert plain(zones_json(found)) == expected("zones/expected.json")


# -- what the window and the commands keep -------------------------------------------------------------------


def copied(name: str, tmp_path: Path) -> Path:
    """Return a copy of a folder or a file that its reader may change."""
    source, target = KEPT / name, tmp_path / Path(name).name
    return shutil.copytree(source, target) if source.is_dir() else Path(shutil.copy(source, target))


def test_settings(tmp_path):
    settings = Settings(copied("settings/settings.ini", tmp_path))
    assert settings.problem == ""
    found = {setting.key: getattr(settings, setting.name) for setting in Settings.all()}
    values = expected("settings/settings.json")
    # No notice tells of a driver's faults any more; what the file says of it is ignored.
    assert "drivers_told" not in found and values.pop("drivers_told")
    for key, value in values.items():
        now = bytes(found[key].toHex()).decode() if hasattr(found[key], "toHex") else plain(found[key])
        assert now == value, key


def test_allowed_hosts():
    assert list(AllowedHosts(KEPT / "settings" / "hosts.txt").all()) == expected("settings/hosts.json")


def test_decisions_about_plugins():
    decisions = Decisions(KEPT / "settings" / "plugins.json")
    for name, package, decision in expected("settings/plugins.expected.json"):
        assert decisions.of(name, package) == decision


def test_the_last_session():
    folder, wanted = KEPT / "last_session", expected("last_session/expected.json")
    assert plain(read_source(folder)) == wanted["source"]
    tiles = read_tiles(folder)
    assert plain(tiles) == wanted["tiles"]
    for name in ("setup.toml", *(tile.setup for tile in tiles if tile.setup)):
        loaded = load_preset(folder / name, FilterLibrary())
        assert loaded.warnings == ()
        assert setup_json(loaded.setup) == wanted[name]


def test_a_playlist():
    found = read_playlist(KEPT / "playlist" / "list.m3u8")
    assert found.left_out == 0
    entries = [{"spec": each.spec, "title": each.title, "seconds": each.seconds} for each in found.entries]
    assert plain(entries) == expected("playlist/expected.json")


def test_what_stands_beside_a_network():
    path, wanted = KEPT / "models" / "squares.onnx", expected("models/squares.json")
    file = ModelFile.open(path)
    plan, _ = choose_preprocess(path, file.facts)
    assert plain(plan.to_dict()) == wanted["preprocess"]
    task = stated_task(path)
    assert task is not None
    assert task.id == wanted["task"]
    assert read_settings(path) == wanted["sidecar"]
    assert list(read_labels(labels_path(path)).names) == wanted["labels"]


def test_a_catalogue_of_the_users_own():
    found = [
        {
            "id": entry.id,
            "title": entry.title,
            "task": entry.task,
            "help": entry.help,
            "bytes": entry.size,
            "sha256": entry.sha256,
            "licence": entry.licence,
            "source": entry.source,
            "addresses": entry.addresses,
            "width": entry.width,
            "height": entry.height,
            "layout": entry.layout,
            "colors": entry.colors,
            "classes": entry.classes,
            "labels": entry.labels,
            "settings": entry.settings,
            "file": entry.file_name,
        }
        for entry in read_catalogue(KEPT / "models" / "catalogue.toml").values()
    ]
    assert plain(found) == expected("models/catalogue.json")


def test_where_things_are_kept(tmp_path, monkeypatch):
    functions = {
        "LIGHTLOOM_CACHE": user_cache_folder,
        "LIGHTLOOM_CONFIG": user_config_folder,
        "LIGHTLOOM_EXPORTS": user_export_folder,
        "LIGHTLOOM_FILTERS": user_filter_folder,
        "LIGHTLOOM_LABELS": user_label_folder,
        "LIGHTLOOM_LOGS": user_log_folder,
        "LIGHTLOOM_MODELS": user_model_folder,
        "LIGHTLOOM_PRESETS": user_preset_folder,
        "LIGHTLOOM_REMOTE": user_remote_folder,
        "LIGHTLOOM_STATE": user_state_folder,
    }
    for variable, folder_of in functions.items():
        monkeypatch.setenv(variable, str(tmp_path / variable))
        assert folder_of() == tmp_path / variable
    # The files by their names in these folders.
    shutil.copytree(KEPT / "settings", user_config_folder())
    settings = Settings.load()
    assert settings.volume == expected("settings/settings.json")["sound/volume"]
    assert list(AllowedHosts().all()) == expected("settings/hosts.json")
    for name, package, decision in expected("settings/plugins.expected.json"):
        assert Decisions().of(name, package) == decision
    assert last_folder(settings.path) == user_config_folder() / "last_session"
    (user_preset_folder()).mkdir()
    shutil.copy(KEPT / "presets" / "remote.toml", user_preset_folder() / "mine.toml")
    assert known_preset("mine") == user_preset_folder() / "mine.toml"
    for address, folder in expected("settings/remote.json").items():
        assert parse_address(address).folder == folder


def test_a_download_goes_on():
    wanted = expected("models/partial.json")
    found = load_partial(KEPT / "models" / "partial.state", wanted["sha256"], wanted["size"])
    assert found is not None
    assert (found.address, found.etag) == (wanted["address"], wanted["etag"])
    assert [[part.start, part.stop, part.done] for part in found.parts] == wanted["parts"]


def test_the_list_of_exports(tmp_path):
    queue = ExportQueue(copied("exports", tmp_path))
    try:
        found = [
            {
                "id": each.job.id,
                "source": each.job.source,
                "target": each.job.target.as_posix(),
                "encoding": each.job.encoding.json(),
                "range": each.job.span.text,
                "overlay": each.job.overlay,
                "adapter": each.job.adapter,
                "subtitles": each.job.subtitles,
                "decoding": each.job.decoding,
                "audio_track": each.job.audio_track,
                "state": each.state,
                "text": str(each.text),
                "part": each.part,
            }
            for each in queue.exports
        ]
        wanted = expected("exports/expected.json")
        assert plain(found) == wanted["exports"]
        assert queue.resume_promised() == len(wanted["promised"])
        assert [each.job.id for each in queue.exports if each.state == "waiting"] == wanted["promised"]
    finally:
        queue.close()


# -- journals ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["whole", "torn"])
def test_the_journal_of_a_run(name, tmp_path):
    wanted = expected("journals/run.json")
    journal = Journal.resume(copied(f"journals/{name}.journal", tmp_path), wanted["run"])
    try:
        assert plain(list(journal.records())) == wanted["records"]
        assert plain(journal.inputs) == wanted["inputs"]
        # It goes on behind the last whole line.
        journal.begin_input(2, "third.mp4")
        (first, *_) = journal.records(0)
        journal.add(2, first)
        journal.end_input(2)
    finally:
        journal.close()
    again, _ = Journal.read(journal.path)
    try:
        assert plain(list(again.records(2))) == wanted["records"][:1]
        assert len(list(again.records())) == len(wanted["records"]) + 1
    finally:
        again.close()


@pytest.mark.parametrize("name", ["whole", "torn"])
def test_the_ledger_of_a_spread_run(name, tmp_path):
    wanted, folder = expected("journals/ledger.json"), copied("journals/pieces", tmp_path)
    if name == "torn":
        shutil.copy(KEPT / "journals" / "torn.jsonl", folder / "done.jsonl")
    run_journal = RunJournal.open(folder, wanted["identity"])
    try:
        assert {str(number): name for number, name in run_journal.pieces.items()} == wanted["pieces"]
        for number in run_journal.pieces:
            assert sha256_of(run_journal.path_of(number)) == wanted["sha256"][str(number)]
    finally:
        run_journal.close(delete=False)


@pytest.mark.parametrize("name", ["whole", "torn"])
def test_labels_that_are_being_made(name, tmp_path):
    wanted = expected("journals/labels.json")
    shutil.copy(KEPT / "journals" / f"{name}-labels.jsonl", tmp_path / "lightloom-labels.jsonl")
    project = Project(tmp_path)
    try:
        assert list(project.label_set.classes) == wanted["classes"]
        pictures = {picture: plain(labels) for picture, labels in project.label_set.pictures.items()}
        assert pictures == wanted["pictures"]
        # It goes on behind the last whole line.
        project.use_classes("Another class", (*project.label_set.classes, "bird"))
    finally:
        project.close()
    again = Project(tmp_path)
    again.close()
    assert list(again.label_set.classes) == [*wanted["classes"], "bird"]
    assert {picture: plain(labels) for picture, labels in again.label_set.pictures.items()} == wanted[
        "pictures"
    ]


# -- command lines -------------------------------------------------------------------------------------------


class Caught(Exception):
    """What a parser that was about to parse is caught with."""


def parser_of(command: list[str], monkeypatch: pytest.MonkeyPatch) -> Parser:
    """Return the parser of a command, [] for the window's, as the program makes it."""
    found: list[Parser] = []

    def catch(parser: Parser, *_: object) -> None:
        found.append(parser)
        raise Caught

    with monkeypatch.context() as patched, pytest.raises(Caught):
        patched.setattr(Parser, "parse_args", catch)
        main(command or ["--version"])
    return found[0]


def values_of(parser: Parser, typed: list[str]) -> dict[str, Any]:
    """Return what a parser makes of a line."""
    found = vars(parser.parse_args(typed))
    return {name: plain(value) for name, value in found.items() if name != "run"}


def values_changed(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Return each value that is another one, as (before, after)."""
    return [(before[name], value) for name, value in after.items() if value != before[name]]


@pytest.mark.parametrize("kept", expected("commands.json"), ids=lambda kept: " ".join(kept["command"]))
def test_command_lines(kept, monkeypatch):
    command = kept["command"]
    parser = parser_of(command, monkeypatch)
    # Those of a group are parsed by the group's parser.
    usual = [*command[1:], *kept["usual"]]
    before = values_of(parser, usual)
    for value in kept["usual_values"]:
        assert value in before.values(), value
    for option in kept["options"]:
        after = values_of(parser, [*usual, *option["typed"]])
        assert values_changed(before, after) == [(option["default"], option["value"])], option
        for choice in option["choices"]:
            values_of(parser, [*usual, option["typed"][0], choice])


def test_an_analysis_that_was_stopped_goes_on(tmp_path, monkeypatch):
    folder = copied("analyze", tmp_path)
    monkeypatch.chdir(folder)
    assert main([*expected("analyze/command.json"), "--resume"]) == 0
    found = [json.loads(line) for line in (folder / "out.jsonl").read_text("utf-8").splitlines()]
    wanted = expected("analyze/expected.json")
    assert len(found) == len(wanted)
    for line, kept in zip(found, wanted, strict=True):
        assert_has(line, kept)


# -- what others read ----------------------------------------------------------------------------------------


def assert_has(found: Any, kept: Any) -> None:
    """Check that all that was kept is there and says the same; more keys may be there, and numbers may differ
    by rounding.
    """
    if isinstance(kept, dict):
        assert kept.keys() <= found.keys()
        for key, value in kept.items():
            assert_has(found[key], value)
    elif isinstance(kept, list):
        assert len(found) == len(kept), (found, kept)
        for value, wanted in zip(found, kept, strict=True):
            assert_has(value, wanted)
    elif isinstance(kept, float):
        assert found == pytest.approx(kept, abs=1e-3)
    elif isinstance(kept, str):
        assert found.replace(os.sep, "/") == kept  # paths of Windows
    else:
        assert found == kept


def written_results(name: str, folder: Path) -> Path:
    """Write what the journal of 0.1 has seen in a format, and return the file or the folder."""
    journal, _ = Journal.read(KEPT / "journals" / "whole.journal")
    about = About("detector", ("person", "dog", "text", "cat", "bird"), tracked=True, inputs=2)
    records: list[PictureRecord] = list(journal.records())
    journal.close()
    target = folder / f"results{'' if name in ('mot', 'yolo') else f'.{name}'}"
    result_formats()[name].write(lambda: iter(records), target, about)
    return target


def test_results_as_json_lines(tmp_path):
    kept = (KEPT / "results" / "results.jsonl").read_text("utf-8").splitlines()
    found = written_results("jsonl", tmp_path).read_text("utf-8").splitlines()
    assert_has([json.loads(line) for line in found], [json.loads(line) for line in kept])


def test_results_as_coco(tmp_path):
    assert_has(
        json.loads(written_results("coco", tmp_path).read_text("utf-8")), expected("results/results.coco")
    )


def rows(path: Path) -> list[list[str]]:
    """Return the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))


def test_results_as_csv(tmp_path):
    kept, found = rows(KEPT / "results" / "results.csv"), rows(written_results("csv", tmp_path))
    # Columns may be added behind those that there were.
    assert [row[: len(kept[0])] for row in found] == kept


def test_results_as_parquet(tmp_path):
    table = pyarrow.parquet.read_table(written_results("parquet", tmp_path))
    kept = expected("results/parquet.json")
    there = {field.name: str(field.type) for field in table.schema}
    assert_has(there, kept["columns"])
    assert_has(plain(table.to_pylist()), kept["rows"])


@pytest.mark.parametrize("name", ["mot", "yolo"])
def test_results_as_folders(name, tmp_path):
    found, kept = written_results(name, tmp_path), KEPT / "results" / name
    files = sorted(path.relative_to(kept) for path in kept.rglob("*") if path.is_file())
    assert files
    for file in files:
        assert (found / file).read_text("utf-8") == (kept / file).read_text("utf-8"), file


def note() -> Note:
    """An event, as it is told."""
    occurrence = Occurrence(
        "Comes in", "Door", "enters", 0.5, "person", 7, (0.2, 0.4), score=0.9, box=(0.1, 0.2, 0.3, 0.4)
    )
    time = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    return Note(occurrence, time, "street.mp4", files={"snapshot": Path("shot.png")})


def test_keys_of_events():
    assert_has(note().json(), expected("events/note.json"))


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_files_of_events_go_on(kind, tmp_path):
    path = copied(f"events/events.{kind}", tmp_path)
    before = path.read_text("utf-8").splitlines()
    sink = event_actions()[kind].open({"path": str(path)}, Surroundings(lambda _: None))
    sink.deliver(note())
    sink.close()
    lines = path.read_text("utf-8").splitlines()
    assert lines[:-1] == before
    if kind == "csv":
        assert lines[-1] == before[-1]
    else:
        assert_has(json.loads(lines[-1]), json.loads(before[-1]))


def test_metrics():
    families = {
        family.name: {"kind": family.kind, "labels": list(family.labels)}
        for family in (*EngineReader.families, *QueueReader.families, *ProcessReader.families)
    }
    assert_has(families, expected("metrics.json"))


# -- requests ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server():
    with ServerRig({"affine": KEPT / "presets" / "models" / "tiny.onnx"}, may_load=True) as rig:
        yield rig


def asked_by_http(server: ServerRig, kept: dict[str, Any]) -> dict[str, Any]:
    """Send a request that was kept; return what is answered, in the same form."""
    host, port = server.http.split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=60)
    body = base64.b64decode(kept["body"])
    connection.request(kept["method"], kept["path"], body, kept["headers"])
    answer = connection.getresponse()
    data, length = answer.read(), answer.getheader("Inference-Header-Content-Length")
    connection.close()
    at = len(data) if length is None else int(length)
    document = json.loads(data[:at]) if at else None
    if answer.status >= 400:
        document = sorted(document)  # what an error says may be said otherwise
    return {"status": answer.status, "document": document, "data": base64.b64encode(data[at:]).decode()}


def asked_by_grpc(server: ServerRig, kept: dict[str, Any]) -> dict[str, Any]:
    """Send a request that was kept; return what is answered, in the same form."""
    name = kept["call"]
    with grpc.insecure_channel(server.grpc) as channel:
        method = channel.unary_unary(f"/inference.GRPCInferenceService/{name}")
        try:
            data = method(base64.b64decode(kept["message"]), timeout=60)
        except grpc.RpcError as error:
            return {"status": error.code().name, "document": None}
    message = getattr(service_pb2, f"{name}Response").FromString(data)
    return {
        "status": "OK",
        "document": json_format.MessageToDict(message, preserving_proto_field_name=True),
    }


def test_requests_by_http(server):
    # In their order: the last ones unload the network and load it again.
    for kept in expected("requests/http.json"):
        assert_has(asked_by_http(server, kept["request"]), kept["answer"])


def test_requests_by_grpc(server):
    for kept in expected("requests/grpc.json"):
        assert_has(asked_by_grpc(server, kept["request"]), kept["answer"])
