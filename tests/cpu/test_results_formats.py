"""Every format of results, read back by its own ecosystem's reader: names and numbers come back as they went
in, whatever is in them.
"""

from __future__ import annotations

import contextlib
import csv
import errno
import io
import json
import math
import os
import random
import string
import sys
from pathlib import Path

import numpy as np
import onnx
import pandas
import pyarrow.parquet
import pytest
from onnx import TensorProto, helper, numpy_helper
from pycocotools import mask as coco_mask
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval
from ruamel.yaml import YAML
from windows_locks import use_windows_locks
from windows_marks import needs_dev_fd

from desktop.base.errors import ExportError, UsageError
from desktop.base.files import PartFile
from desktop.outputs import result_format
from desktop.outputs.collect import Span, describe_run
from desktop.outputs.detections import detections_of
from desktop.outputs.journal import Journal, PictureRecord, SavedMask
from desktop.outputs.result_format import About, write_chunks
from desktop.outputs.results import format_for, result_formats
from desktop.outputs.run_lengths import from_run_lengths, outline_of, run_lengths
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.vision.tasks.shapes import Box, Label, Line, Mask, Points, Polygon
from desktop.vision.tasks.task import Result
from desktop.vision.tracking.scene import SceneSpec, TrackedResult


class Shown(Result):
    """A result of no words."""

    def json(self):
        return {}

    def lines(self):
        return ()

    def shapes(self):
        return ()


CHARACTERS = (
    string.ascii_letters
    + ",;\"'\n\r\t\\ #:-=+@{}[]|<>&%"
    + "\x00\x01\x1b\x7f\x85\u2028\u202e\ufeff äß中😀\ud800"
)
NUMBERS = (0.0, 0.25, 0.5, 1.0, math.nan, math.inf, -math.inf, 1e-30, 0.123456789)


def disk(rows: int, columns: int, x: float, y: float, radius: float) -> np.ndarray:
    across, down = np.meshgrid(np.arange(columns), np.arange(rows))
    return (across - x) ** 2 + (down - y) ** 2 <= radius**2


def name(generator: random.Random) -> str:
    return "".join(generator.choices(CHARACTERS, k=generator.randint(0, 12)))


def random_record(generator: random.Random, frame: int, *, masks: bool = False) -> PictureRecord:
    shapes = []
    for thing in range(generator.randint(0, 4)):
        x, y = generator.uniform(0, 0.7), generator.uniform(0, 0.7)
        common = {
            "score": generator.choice(NUMBERS),
            "identity": generator.choice((None, thing + 1)),
            "thing": thing,
        }
        index = generator.randint(0, 5)
        label = f"{index}{name(generator)}"
        shapes.append(Box(label, index, x, y, x + 0.2, y + 0.25, **common))
        if generator.random() < 0.3:
            points = tuple((generator.choice((x, math.nan)), y + 0.1) for _ in range(3))
            sure = generator.choice(((), (0.5, 0.0, 1.0), (0.0, 0.0, 0.0)))
            shapes.append(Points(label, index, points, ((0, 1),), **common, confidences=sure))
        if generator.random() < 0.3:
            shapes.append(Polygon(label, index, ((x, y), (x + 0.2, y + 0.1), (x + 0.1, y + 0.25)), **common))
        if masks and generator.random() < 0.5:
            inside = disk(48, 64, x * 64 + 6, y * 48 + 6, 5)
            shapes.append(
                SavedMask(label, index, x, y, x + 0.2, y + 0.25, (64, 48), run_lengths(inside), **common)
            )
    shapes += [Label(name(generator), generator.choice(NUMBERS), 7) for _ in range(generator.randint(0, 2))]
    shapes.append(Line("way", 0, ((0.1, 0.1), (0.2, 0.3))))
    result = {"score": generator.choice(NUMBERS), "names": [name(generator)], "deep": {"of": [math.nan]}}
    return PictureRecord(
        f"in {name(generator)}.mp4",
        f"a{name(generator)}.mp4",
        frame,
        frame / 25,
        (64, 48),
        tuple(shapes),
        result,
    )


def same(one: object, other: object) -> bool:
    """Equal, with NaN the same as NaN."""
    return repr(one) == repr(other)


@pytest.fixture
def written(tmp_path):
    """Writes records in a format; returns the path."""

    def write(records: list[PictureRecord], name: str, target: str, about: About | None = None) -> Path:
        path = tmp_path / target
        chosen = format_for(path, name)
        chosen.check(about or About(), path)
        chosen.write(lambda: iter(records), path, about or About())
        return path

    return write


SEEDS = range(12)


def records_of(seed: int, *, masks: bool = False) -> list[PictureRecord]:
    generator = random.Random(seed)
    return [random_record(generator, frame, masks=masks) for frame in range(1, 9)]


def plain(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round(value, 6)


# -- the journal ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_a_journal_gives_back_what_was_put_in(tmp_path, seed):
    records = records_of(seed, masks=True)
    journal = Journal.begin(tmp_path / "j", {"inputs": ["a"]})
    for place, record in enumerate(records):
        journal.add(place % 2, record)
    expected = records[::2] + records[1::2]
    assert all(same(a, b) for a, b in zip(journal.records(), expected, strict=True))
    assert all(same(a, b) for a, b in zip(journal.records(1), records[1::2], strict=True))
    assert journal.pictures == 8
    journal.delete()
    assert not (tmp_path / "j").exists()


def test_a_run_goes_on_behind_the_last_whole_line(tmp_path):
    """Cut off at every byte of its last lines: what is whole stays, what is torn is written anew."""
    path, run = tmp_path / "j", {"inputs": ["a", "b"], "size": (1, 2)}
    journal = Journal.begin(path, run)
    journal.begin_input(0, "a")
    first, second, third = records_of(3)[:3]
    journal.add(0, first)
    journal.end_input(0)
    journal.begin_input(1, "b")
    journal.add(1, second)
    journal.close()
    whole = path.read_bytes()
    before = whole.rindex(b"\n", 0, -1) + 1
    for cut in (*range(before, len(whole), 7), len(whole)):
        path.write_bytes(whole[:cut])
        journal = Journal.resume(path, run)
        kept = cut == len(whole)
        assert journal.inputs[0].ended and journal.inputs[0].pictures == 1
        assert not journal.inputs[1].ended and journal.inputs[1].pictures == int(kept)
        journal.add(1, third)
        expected = [first, *([second] if kept else []), third]
        assert all(same(a, b) for a, b in zip(journal.records(), expected, strict=True))
        journal.close()


def test_another_run_is_refused(tmp_path):
    Journal.begin(tmp_path / "j", {"inputs": ["a"], "network": {"score": 0.5}}).close()
    with pytest.raises(UsageError, match=r"another one \(inputs\.1, network\.score\)"):
        Journal.resume(tmp_path / "j", {"inputs": ["b"], "network": {"score": 0.4}})
    with pytest.raises(UsageError, match="no run to go on with"):
        Journal.resume(tmp_path / "none", {})
    (tmp_path / "text").write_text("nothing of the kind\n")
    with pytest.raises(UsageError, match="no journal"):
        Journal.resume(tmp_path / "text", {})
    assert (tmp_path / "text").read_text() == "nothing of the kind\n"


def test_files_beside_two_networks_of_one_name_are_told_apart(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.onnx").write_bytes(name.encode())
        (tmp_path / name / "model.onnx.lightloom.toml").write_text(f'task = "detection"  # {name}\n')
    second = NetworkSpec(str(tmp_path / "b" / "model.onnx"))
    spec = NetworkSpec(str(tmp_path / "a" / "model.onnx"), second=second)

    def run():
        return describe_run(["x.mp4"], spec, SceneSpec(), Span())

    first = run()
    Journal.begin(tmp_path / "j", first).close()
    # One from before they were apart: both networks' files by name, of one name the second's.
    apart = first.pop("second_sidecars")
    Journal.begin(tmp_path / "old", {**first, "sidecars": {**first["sidecars"], **apart}}).close()
    Journal.begin(tmp_path / "oldest", {k: v for k, v in first.items() if k != "sidecars"}).close()
    for name in ("j", "old", "oldest"):
        Journal.resume(tmp_path / name, run()).close()
    (tmp_path / "a" / "model.onnx.lightloom.toml").write_text('[preprocess]\ncolors = "BGR"\n')
    with pytest.raises(UsageError, match=r"another one \(sidecars\.model\.onnx\.lightloom\.toml\)"):
        Journal.resume(tmp_path / "j", run())
    (tmp_path / "b" / "model.onnx.lightloom.toml").write_text('[preprocess]\ncolors = "BGR"\n')
    for name, key in (("j", "second_sidecars"), ("old", "sidecars")):
        with pytest.raises(UsageError, match=rf"{key}\.model\.onnx\.lightloom\.toml"):
            Journal.resume(tmp_path / name, run())


def network_with_weights_apart(path, input_name):
    weights = numpy_helper.from_array(np.arange(300, dtype=np.float32).reshape(3, 100), "weights")
    graph = helper.make_graph(
        [
            helper.make_node("GlobalAveragePool", [input_name], ["means"]),
            helper.make_node("Flatten", ["means"], ["flat"]),
            helper.make_node("MatMul", ["flat", "weights"], ["scores"]),
        ],
        "net",
        [helper.make_tensor_value_info(input_name, TensorProto.FLOAT, [1, 3, 32, 32])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, 100])],
        [weights],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, path, save_as_external_data=True, location="weights.bin", size_threshold=100)


@pytest.mark.parametrize(
    ("input_name", "changed", "what"),
    [
        ("pixel_values", "config.json", r"beside\.config\.json"),
        ("pixel_values", "preprocessor_config.json", r"beside\.preprocessor_config\.json"),
        ("image", "weights.bin", r"beside\.weights\.bin"),
        ("image", "config.json", ""),  # another program's
    ],
)
def test_a_journal_is_of_what_lies_beside_the_network(tmp_path, input_name, changed, what):
    network_with_weights_apart(tmp_path / "model.onnx", input_name)
    for name in ("config.json", "preprocessor_config.json"):
        (tmp_path / name).write_text('{"do_normalize": false}')

    def run():
        spec = NetworkSpec(str(tmp_path / "model.onnx"))
        return describe_run(["x.mp4"], spec, SceneSpec(), Span())

    Journal.begin(tmp_path / "j", run()).close()
    old = {key: value for key, value in run().items() if key not in ("beside", "second_beside")}
    Journal.begin(tmp_path / "old", old).close()
    Journal.resume(tmp_path / "j", run()).close()
    path = tmp_path / changed
    path.write_bytes(path.read_bytes()[:-1] + b" }" if path.suffix == ".json" else bytes(1200))
    with pytest.raises(UsageError, match=rf"another one \({what}\)") if what else contextlib.nullcontext():
        Journal.resume(tmp_path / "j", run()).close()
    Journal.resume(tmp_path / "old", run()).close()


@pytest.mark.parametrize("system", ["linux", "win32"])
def test_a_journal_is_one_runs(tmp_path, monkeypatch, system):
    if system == "win32":
        use_windows_locks(monkeypatch)
    path, run = tmp_path / "j", {"inputs": ["a"]}
    journal = Journal.begin(path, run)
    journal.begin_input(1, "a")
    for again in (Journal.begin, Journal.resume):
        with pytest.raises(ExportError, match=r"Another run writes to .*j; wait for it, or end it"):
            again(path, run)
    # What the first has written is there.
    assert b'"number": 1' in path.read_bytes()
    journal.close()
    journal = Journal.resume(path, run)
    assert 1 in journal.inputs
    journal.delete()
    assert not path.exists()
    Journal.begin(path, run).delete()


def test_a_damaged_journal_is_one_sentence_and_stays(tmp_path):
    path, run = tmp_path / "j", {"inputs": ["a"]}
    journal = Journal.begin(path, run)
    journal.begin_input(0, "a")
    for record in records_of(3)[:3]:
        journal.add(0, record)
    journal.end_input(0)
    journal.close()
    whole = path.read_bytes()
    picked = random.Random(5)
    for _ in range(150):
        broken = bytearray(whole)
        for _ in range(picked.randint(1, 3)):
            broken[picked.randrange(len(broken))] = picked.choice(b'{}[]",:0 9nax\n\xff')
        path.write_bytes(broken)
        try:
            journal = Journal.resume(path, run)
        except UsageError:
            assert path.read_bytes() == broken
        else:
            assert len(list(journal.records())) == journal.pictures
            journal.close()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join((*lines[:2], b'{"picture": 5}\n', *lines[3:])))
    with pytest.raises(UsageError, match=r"Line 3 of .* is damaged"):
        Journal.resume(path, run)
    for last in (b'{"picture": 5}\n', b"[" * 100_000 + b"\n", b'{"end": {"number": 1e999}}\n', b"\0" * 50):
        path.write_bytes(b"".join((*lines[:-1], last)))
        journal = Journal.resume(path, run)
        assert journal.pictures == 3 and not journal.inputs[0].ended
        journal.close()


def test_a_file_of_something_else_is_no_journal(tmp_path):
    (tmp_path / "j").write_text("my diary")
    with pytest.raises(ExportError, match="another file of this name"):
        Journal.begin(tmp_path / "j", {})
    assert (tmp_path / "j").read_text() == "my diary"
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(ExportError, match="not a file"):
            Journal.begin(tmp_path / "pipe", {})


@needs_dev_fd
def test_results_go_into_the_pipe_of_standard_output(tmp_path):
    read, write = os.pipe()
    target = Path(f"/dev/fd/{write}")
    assert write_chunks(target, [b"a,b\n"]) == (target,)
    part = PartFile(target)
    part.path.write_bytes(b"c\n")
    part.publish()
    os.close(write)
    with os.fdopen(read, "rb") as stream:
        assert stream.read() == b"a,b\nc\n"


# -- formats -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_json_lines_by_pandas(written, seed):
    records = records_of(seed)
    path = written(records, "", "r.jsonl")
    lines = path.read_bytes().splitlines()
    assert len(lines) == len(records)

    def refused(text: str) -> None:
        raise AssertionError(f"{text} is no JSON")

    for line, record in zip(lines, records, strict=True):
        found = json.loads(line, parse_constant=refused)
        assert (found["input"], found["file"], found["frame"]) == (record.input, record.file, record.frame)
        things = detections_of(record)
        assert [thing["label"] for thing in found["things"]] == [thing.label for thing in things]
        assert [thing["identity"] for thing in found["things"]] == [thing.identity for thing in things]
        boxes = [s for s in record.shapes if isinstance(s, Box)]
        assert [t["score"] for t in found["things"]] == [plain(box.score) for box in boxes]
        for thing, box in zip(found["things"], boxes, strict=True):
            expected = (box.left * 64, box.top * 48, box.right * 64, box.bottom * 48)
            assert thing["box"] == pytest.approx(expected, abs=6e-4)
        words = [s for s in record.shapes if isinstance(s, Label)]
        assert [(w["label"], w["value"]) for w in found["labels"]] == [
            (w.label, plain(w.value)) for w in words
        ]
        assert found["result"]["deep"] == {"of": [None]}
    whole = path.read_text("utf-8").replace("\\ud800", "?")  # half a pair, which pandas takes for no text
    table = pandas.read_json(io.StringIO(whole), lines=True, convert_dates=False)
    assert list(table["frame"]) == [record.frame for record in records]
    assert list(table["file"]) == [record.file.replace("\ud800", "?") for record in records]


def rows(records: list[PictureRecord]) -> list[tuple]:
    """(file, frame, label, index, score, identity) of each row, as UTF-8 can say it."""
    found = []
    for record in records:
        found += [
            (record.file, record.frame, s.label, s.index, plain(s.value), None)
            for s in record.shapes
            if isinstance(s, Label)
        ]
        found += [
            (record.file, record.frame, t.label, t.index, t.score, t.identity) for t in detections_of(record)
        ]
    return [
        (file.replace("\ud800", "?"), frame, label.replace("\ud800", "?"), *rest)
        for file, frame, label, *rest in found
    ]


def as_spreadsheets_need_it(text):
    """A text that they would take for a formula has an apostrophe before it."""
    return "'" + text if text and text[0] in "=+-@\t\r" else text


@pytest.mark.parametrize("seed", SEEDS)
def test_csv_by_pythons_reader_and_pandas(written, seed):
    records = records_of(seed)
    path = written(records, "", "r.csv")
    expected = [
        (as_spreadsheets_need_it(e[0]), e[1], as_spreadsheets_need_it(e[2]), *e[3:]) for e in rows(records)
    ]
    with path.open(encoding="utf-8", newline="") as stream:
        found = list(csv.DictReader(stream))
    assert [(r["file"], int(r["frame"]), r["label"], int(r["index"])) for r in found] == [
        e[:4] for e in expected
    ]
    assert [float(r["score"]) if r["score"] else None for r in found] == [e[4] for e in expected]
    assert [int(r["identity"]) if r["identity"] else None for r in found] == [e[5] for e in expected]
    for row in found:
        assert row["points"] == "" or all(len(pair) == 2 for pair in json.loads(row["points"]))
    # pandas ends a cell at a NUL and takes a lone return for the end of a line, unless Python's reader reads
    # for it.
    table = pandas.read_csv(
        path, engine="python", keep_default_na=False, na_values={"score": [""], "identity": [""]}
    )
    assert list(table["label"]) == [e[2] for e in expected]
    assert [None if math.isnan(v) else v for v in table["score"]] == [e[4] for e in expected]


@pytest.mark.parametrize("seed", SEEDS)
def test_parquet_by_pyarrow_and_pandas(written, seed):
    records = records_of(seed)
    path = written(records, "", "r.parquet")
    expected = rows(records)
    table = pyarrow.parquet.read_table(path)
    found = table.to_pylist()
    assert [
        tuple(r[k] for k in ("file", "frame", "label", "index", "score", "identity")) for r in found
    ] == expected
    assert (
        str(table.schema.field("left").type) == "double"
        and str(table.schema.field("identity").type) == "int64"
    )
    sure = [r["confidences"] for r in found if r["left"] is not None]
    assert [tuple(c) for c in sure] == [t.confidences for record in records for t in detections_of(record)]
    points = [t.points for record in records for t in detections_of(record)]
    given = [r["points"] for r in found if r["left"] is not None]
    assert all(same([tuple(p) for p in g], list(p)) for g, p in zip(given, points, strict=True))
    assert list(pandas.read_parquet(path)["label"]) == [e[2] for e in expected]


def test_tables_of_nothing_have_their_columns(written):
    empty = [PictureRecord("a", "a", 1, 0.0, (64, 48), ())]
    columns = list(pandas.read_csv(written(empty, "", "r.csv")).columns)
    assert list(pandas.read_parquet(written(empty, "", "r.parquet")).columns) == columns
    assert json.loads(written(empty, "", "r.jsonl").read_text())["things"] == []


@pytest.mark.parametrize("seed", SEEDS)
def test_coco_by_pycocotools(written, seed):
    records = records_of(seed, masks=True)
    path = written(records, "coco", "r.json", About(labels=("zero", "one, too")))
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO(str(path))
    assert len(coco.imgs) == len(records) and len({i["file_name"] for i in coco.imgs.values()}) == len(
        records
    )
    things = [(place, t) for place, record in enumerate(records, 1) for t in detections_of(record)]
    found = [coco.anns[key] for key in sorted(coco.anns)]
    for (place, thing), annotation in zip(things, found, strict=True):
        left, top, right, bottom = thing.box
        assert annotation["image_id"] == place and annotation["category_id"] == thing.index + 1
        assert annotation["bbox"] == pytest.approx([left, top, right - left, bottom - top], abs=2e-3)
        assert annotation.get("score") == thing.score and annotation.get("track_id") == thing.identity
        if thing.mask is not None:
            inside = coco.annToMask(annotation)
            np.testing.assert_array_equal(inside, from_run_lengths(thing.mask.counts, thing.mask.size))
            assert annotation["area"] == inside.sum()
        elif thing.outline:
            assert coco.annToMask(annotation).sum() == pytest.approx(annotation["area"], abs=16)
        if thing.points:
            seen = [p is not None for p in thing.confident_points()]
            assert [v == 2 for v in annotation["keypoints"][2::3]] == seen and annotation[
                "num_keypoints"
            ] == sum(seen)
    names = {c["id"]: c["name"] for c in coco.cats.values()}
    assert names[1] == "zero" and names[2] == "one, too"
    assert {a["category_id"] for a in found} <= names.keys()


def test_coco_is_evaluated_against_itself(written):
    """The whole way that a user goes: truth and results by pycocotools, with an average precision of 1."""
    generator = random.Random(2)
    records = []
    for frame in range(1, 6):
        boxes = [
            Box("thing", k, x / 4, 0.2, x / 4 + 0.2, 0.6, generator.uniform(0.5, 1))
            for k, x in enumerate(range(3))
        ]
        records.append(PictureRecord("d", f"{frame}.jpg", frame, 0.0, (640, 480), tuple(boxes), still=True))
    path = written(records, "coco", "r.json")
    with contextlib.redirect_stdout(io.StringIO()):
        truth = COCO(str(path))
        results = truth.loadRes([dict(a) for a in truth.anns.values()])
        evaluation = COCOeval(truth, results, "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    assert evaluation.stats[0] == pytest.approx(1.0)
    assert [i["file_name"] for i in truth.imgs.values()] == [f"{n}.jpg" for n in range(1, 6)]


@pytest.mark.parametrize("seed", SEEDS)
def test_mot_by_pandas(written, seed):
    records = records_of(seed)
    path = written(records, "mot", "r.txt", About(tracked=True))
    followed = [(r.frame, t) for r in records for t in detections_of(r) if t.identity is not None]
    if not followed:
        assert path.read_text() == ""
        return
    table = pandas.read_csv(path, header=None)
    assert table.shape == (len(followed), 10) and (table[[7, 8, 9]] == -1).all().all()
    assert list(zip(table[0], table[1], strict=True)) == [(frame, t.identity) for frame, t in followed]
    expected = [(t.box[0] + 1, t.box[1] + 1, t.box[2] - t.box[0], t.box[3] - t.box[1]) for _, t in followed]
    np.testing.assert_allclose(table[[2, 3, 4, 5]].to_numpy(), expected, atol=0.01)
    np.testing.assert_allclose(
        table[6], [1.0 if t.score is None else t.score for _, t in followed], atol=1e-6
    )


def test_mot_of_several_inputs_is_a_folder(written, tmp_path):
    """Of files that also a file system that takes 'A' for 'a' tells apart."""
    box = Box("a", 0, 0.1, 0.1, 0.2, 0.2, 0.5, identity=1)
    inputs = ("x/a.mp4", "b.mp4", "y/a.mp4", "A.mp4")
    records = [PictureRecord(name, name, 1, 0.0, (10, 10), (box,)) for name in inputs]
    path = written(records, "mot", "all", About(tracked=True, inputs=4))
    assert sorted(p.name for p in path.iterdir()) == ["A-3.txt", "a-2.txt", "a.txt", "b.txt"]


def test_mot_of_an_input_given_twice_has_a_file_of_each(written):
    """Tracks begin anew with each input, so that one file of both would have two objects of one number."""
    boxes = [Box("a", 0, x, 0.1, x + 0.1, 0.2, 0.5, identity=1) for x in (0.1, 0.4, 0.7)]
    records = [
        PictureRecord("a.mp4", "a.mp4", frame, 0.0, (10, 10), (box,))
        for frame, box in ((1, boxes[0]), (2, boxes[1]), (1, boxes[2]))
    ]
    path = written(records, "mot", "all", About(tracked=True, inputs=2))
    tables = {file.name: pandas.read_csv(file, header=None) for file in path.iterdir()}
    assert {name: list(table[0]) for name, table in tables.items()} == {"a.txt": [1, 2], "a-2.txt": [1]}
    assert {name: list(table[2]) for name, table in tables.items()} == {"a.txt": [2, 5], "a-2.txt": [8]}


def test_coco_names_images_apart_that_differ_only_in_case(written):
    inputs = ("a.jpg", "A.jpg", "x/a.jpg", "a.JPG", "b.jpg")
    records = [PictureRecord(name, name, 1, 0.0, (10, 10), (), still=True) for name in inputs]
    document = json.loads(written(records, "coco", "r.json").read_text())
    names = [image["file_name"] for image in document["images"]]
    assert names == ["a.jpg", "A-2.jpg", "a-3.jpg", "a-4.JPG", "b.jpg"]


@pytest.mark.parametrize("seed", SEEDS)
def test_yolo_by_a_yaml_reader_and_numpy(written, seed):
    records = records_of(seed)
    path = written(records, "yolo", "set", About(labels=("zero", "one")))
    data = YAML(typ="safe", pure=True).load((path / "data.yaml").read_text("utf-8"))
    labels = {t.index: t.label for r in reversed(records) for t in reversed(detections_of(r))}
    labels = {**{i: n.replace("\ud800", "?") for i, n in labels.items()}, 0: "zero", 1: "one"}
    assert data["names"] == labels and data["path"] == "."
    assert ("kpt_shape" in data) == any(t.points for r in records for t in detections_of(r))
    files = sorted((path / "labels").iterdir(), key=lambda p: p.name)
    assert len(files) == len(records)
    count = 0
    for file in files:
        for line in file.read_text().splitlines():
            values = np.array([float(v) for v in line.split()])
            assert values[0] == int(values[0]) and np.isfinite(values).all()
            assert ((values[1:] >= 0) & (values[1:] <= 2)).all()
            count += 1
    assert count == sum(len(detections_of(r)) for r in records)
    classes = (path / "classes.txt").read_text("utf-8").split("\n")
    assert classes[0] == "zero" and len(classes) == max(labels) + 2


def test_yolo_has_boxes_outlines_and_points_in_their_forms(written):
    box = Box("b", 0, 0.1, 0.2, 0.5, 0.6, 0.9)
    body = (
        Box("p", 1, 0.0, 0.0, 1.0, 0.5, thing=0),
        Points("p", 1, ((0.25, 0.25), (math.nan, 0.5)), thing=0),
    )
    ship = Polygon("s", 2, ((0.5, 0.5), (0.75, 0.5), (0.75, 1.5)))
    inside = np.zeros((10, 20), bool)
    inside[2:5, 4:10] = True
    mask = SavedMask("m", 3, 0.2, 0.2, 0.5, 0.5, (20, 10), run_lengths(inside))
    path = written(
        [PictureRecord("d", "d/x.jpg", 1, 0.0, (20, 10), (box, *body, ship, mask), still=True)], "yolo", "set"
    )
    lines = (path / "labels" / "x.txt").read_text().splitlines()
    assert lines[0] == "0 0.3 0.4 0.4 0.4"
    assert lines[1] == "1 0.5 0.25 1 0.5 0.25 0.25 2 0 0 0"
    assert lines[2] == "2 0.5 0.5 0.75 0.5 0.75 1"
    corners = np.array([float(v) for v in lines[3].split()[1:]]).reshape(-1, 2) * (20, 10)
    assert sorted(map(tuple, corners.round(3))) == [(4, 2), (4, 5), (10, 2), (10, 5)]
    with pytest.raises(ExportError, match=r"labels in .* already"):
        written([], "yolo", "set")


@pytest.mark.parametrize("name", ["coco", "mot", "yolo"])
def test_words_about_the_whole_picture_are_refused_before_the_work(tmp_path, name):
    about = About(network="Classifier", finds=False, tracked=True)
    with pytest.raises(UsageError, match="Classifier classifies whole images"):
        result_formats()[name].check(about, tmp_path / "x.txt")


def test_what_a_format_asks_for(tmp_path):
    formats = result_formats()
    assert {"jsonl", "csv", "parquet", "coco", "mot", "yolo"} <= formats.keys()
    with pytest.raises(UsageError, match="turn on tracking"):
        formats["mot"].check(About(), tmp_path / "x.txt")
    with pytest.raises(
        UsageError, match=r"must end in \.jsonl, \.ndjson, \.csv, \.parquet; for coco, mot, yolo"
    ):
        format_for(Path("x.json"))
    with pytest.raises(UsageError, match=r"must end in \.json for COCO"):
        format_for(Path("x.csv"), "coco")


@pytest.mark.parametrize("name", ["=1+1", "+49", "-rf", "@SUM(A1)", "\tcat"])
def test_a_name_that_is_a_formula_to_a_spreadsheet_is_told_of(name):
    csv_format, about = result_formats()["csv"], About(labels=("cat", name))
    assert csv_format.note(about) == (
        f"The class '{name}' has an apostrophe before it in the file, so that a spreadsheet does not take it for a formula."
    )
    assert csv_format.note(About(labels=("cat", "a=b", "x-ray", ""))) == ""
    assert result_formats()["jsonl"].note(about) == ""


def test_without_pyarrow_one_sentence_names_it(monkeypatch, tmp_path):

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ExportError, match=r"pip install '\.\[parquet\]'"):
        result_formats()["parquet"].check(About(), tmp_path / "x.parquet")


@pytest.mark.parametrize(
    ("name", "target"), [("jsonl", "r.jsonl"), ("csv", "r.csv"), ("coco", "r.json"), ("parquet", "r.parquet")]
)
def test_a_full_disk_is_one_sentence_and_the_old_file_stays(monkeypatch, tmp_path, name, target):
    path = tmp_path / target
    path.write_text("what was there")

    @contextlib.contextmanager
    def full(_):
        class Disk(io.BytesIO):
            def write(self, data):
                raise OSError(errno.ENOSPC, "No space left on device")

            writelines = write

        yield Disk()

    monkeypatch.setattr(result_format, "replaced", full)
    with pytest.raises(ExportError, match="No space left on device") as caught:
        result_formats()[name].write(lambda: iter(records_of(1)), path, About())
    assert str(caught.value).count("\n") == 0 and path.read_text() == "what was there"


def test_a_broken_off_export_leaves_the_old_file(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("what was there")

    def broken():
        yield records_of(1)[0]
        raise ExportError("the journal is gone")

    with pytest.raises(ExportError):
        result_formats()["csv"].write(broken, path, About())
    assert path.read_text() == "what was there" and list(tmp_path.iterdir()) == [path]


def test_a_mask_of_a_class_has_the_box_of_its_pixels():
    """It covers the whole picture, and says by its pixels alone where the class is."""
    inside = np.zeros((20, 40), np.uint8)
    inside[5:10, 8:16] = 1
    nothing = np.zeros((20, 40), np.uint8)
    masks = (
        *(Label("a", 0.05, 0), Label("b", 0.0, 1)),
        *(
            Mask("", index, None, is_class=True, reader=lambda v=v: v)
            for index, v in enumerate((inside, nothing))
        ),
    )
    record = PictureRecord.of(TrackedResult(Shown(), 0.0, (40, 20), masks), "x", "x", 1, still=True)
    (thing,) = detections_of(record)
    assert (thing.label, thing.box) == ("a", (8, 5, 16, 10)) and sum(thing.mask.counts[1::2]) == 40


# -- masks ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_run_lengths_are_cocos(seed):
    generator = np.random.default_rng(seed)
    inside = (
        generator.random((int(generator.integers(1, 30)), int(generator.integers(1, 30))))
        < generator.random()
    )
    counts, (rows_, columns) = run_lengths(inside), inside.shape
    np.testing.assert_array_equal(from_run_lengths(counts, (columns, rows_)), inside)
    encoded = coco_mask.frPyObjects({"size": [rows_, columns], "counts": list(counts)}, rows_, columns)
    np.testing.assert_array_equal(coco_mask.decode(encoded).astype(bool), inside)


@pytest.mark.parametrize("seed", range(12))
def test_an_outline_is_opencvs(seed):
    """Filled again it is the largest part without its holes, as OpenCV's outermost contour is."""
    import cv2

    generator = np.random.default_rng(seed)
    inside = cv2.GaussianBlur(generator.random((40, 56)).astype(np.float32), (0, 0), 3) > 0.5
    corners = np.array(outline_of(inside))
    polygon = corners.astype(np.float32).reshape(-1, 1, 2)
    filled = np.array(
        [[cv2.pointPolygonTest(polygon, (x + 0.5, y + 0.5), False) > 0 for x in range(56)] for y in range(40)]
    )
    count, parts = cv2.connectedComponents(inside.astype(np.uint8), connectivity=4)
    assert count > 1
    expected = []
    for part in range(1, count):
        contour, _ = cv2.findContours(
            (parts == part).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
        )
        image = np.zeros((40, 56), np.uint8)
        cv2.drawContours(image, contour, -1, 1, -1)
        expected.append(image.astype(bool))
    largest = max(expected, key=lambda image: image.sum())
    assert (filled != largest).mean() < 0.002
    assert outline_of(np.zeros((4, 4), bool)) == ()
