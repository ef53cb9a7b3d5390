"""Labels by properties: boxes stay in the picture, undo undoes, what is kept is what was made, what is
exported is read back by others.
"""

from __future__ import annotations

import errno
import io
import json
import os
from io import FileIO
from pathlib import Path

import cv2
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from pycocotools import mask as coco_mask
from pycocotools.coco import COCO
from ruamel.yaml import YAML

from desktop.base import journal
from desktop.base.errors import ExportError, SourceError, StoppedError, UsageError
from desktop.media.display import rgb_of
from desktop.outputs.detections import detections_of
from desktop.outputs.journal import PictureRecord, SavedMask
from desktop.outputs.results import result_formats
from desktop.outputs.run_lengths import from_run_lengths, run_lengths, tight
from desktop.plugins.labeling.data.exporting import export_labels
from desktop.plugins.labeling.data.label_set import LabelSet
from desktop.plugins.labeling.data.labels import (
    HANDLES,
    Item,
    Picture,
    held,
    moved,
    proposed,
    resized,
    shapes_of,
)
from desktop.plugins.labeling.data.lines import picture_json, picture_of
from desktop.plugins.labeling.data.pictures import FolderPictures, VideoPictures, open_pictures
from desktop.plugins.labeling.data.project import FILE_NAME, Project
from desktop.plugins.labeling.data.readers import coco, yolo
from desktop.vision.tasks.shapes import Box, Label, Points, Polygon

WIDTH, HEIGHT = 64, 48
PIXEL = (1 / WIDTH, 1 / HEIGHT)

shares = st.floats(0.0, 1.0)
anywhere = st.floats(-3.0, 3.0)
words = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=6)
names = st.sampled_from(["cat", "dog", "traffic light", "Fußgänger", "行人", "x" * 200]) | words
drags = st.lists(st.tuples(st.sampled_from(HANDLES), anywhere, anywhere), max_size=6)
boxes = st.tuples(shares, shares, shares, shares).map(lambda box: held(box, PIXEL))


def disk(x: float, y: float, radius: float) -> np.ndarray:
    across, down = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
    return (across - x) ** 2 + (down - y) ** 2 <= radius**2


def mask_of(inside: np.ndarray) -> SavedMask:
    return SavedMask("m", 0, *tight(inside), size=(WIDTH, HEIGHT), counts=run_lengths(inside))


@st.composite
def items(draw: st.DrawFn) -> Item:
    box = draw(boxes)
    extra = draw(st.sampled_from(["none", "points", "outline", "mask"]))
    corners = tuple(draw(st.lists(st.tuples(shares, shares), min_size=3, max_size=4)))
    shapes = {
        "none": (),
        "points": (Points("p", 0, corners, ((0, 1),), confidences=(1.0, 0.0, *[0.5] * (len(corners) - 2))),),
        "outline": (Polygon("o", 0, corners),),
        "mask": (mask_of(disk(30, 20, 9)),),
    }[extra]
    score = draw(st.none() | shares)
    return Item(draw(names), box, score, draw(st.booleans()), shapes, draw(boxes) if shapes else box)


@st.composite
def pictures(draw: st.DrawFn) -> Picture:
    word = draw(st.just("") | names)
    return Picture(
        tuple(draw(st.lists(items(), max_size=2))),
        word,
        draw(st.none() | shares) if word else None,
        draw(st.booleans()),
    )


def is_inside(box) -> bool:
    left, top, right, bottom = box
    return 0 <= left < right <= 1 and 0 <= top < bottom <= 1


# -- boxes ---------------------------------------------------------------------------------------------------


@given(items(), st.lists(st.tuples(anywhere, anywhere), max_size=6), drags)
def test_a_box_stays_in_the_picture_however_it_is_moved_and_resized(item, ways, drags):
    for way in ways:
        before, item = item, moved(item, way)
        assert is_inside(item.box) and item.confirmed
        for low, high in ((0, 2), (1, 3)):
            assert item.box[high] - item.box[low] == pytest.approx(
                before.box[high] - before.box[low], abs=1e-8
            )
    for handle, x, y in drags:
        item = resized(item, handle, (x, y), PIXEL)
        assert is_inside(item.box)
        assert item.box[2] - item.box[0] >= PIXEL[0] - 1e-12 and item.box[3] - item.box[1] >= PIXEL[1] - 1e-12


def test_an_edge_moves_its_own_edge_alone_and_a_corner_turns_the_box_over():
    item = Item("a", (0.2, 0.2, 0.6, 0.6))
    assert resized(item, (1, 0), (0.9, 0.05), PIXEL).box == (0.2, 0.2, 0.9, 0.6)
    assert resized(item, (-1, -1), (0.8, 0.9), PIXEL).box == (0.6, 0.6, 0.8, 0.9)


@pytest.mark.parametrize("box", [(0, 0, float("nan"), 1), (float("inf"), 0, 0, 1), (0, 1, 2)])
def test_what_is_no_box_is_refused(box):
    with pytest.raises(ValueError):
        held(box, PIXEL)


# -- steps ---------------------------------------------------------------------------------------------------

PICTURES = ("a.png", "b.png", "c.png")
edits = st.lists(
    st.one_of(
        st.tuples(st.just("edit"), st.sampled_from(PICTURES), pictures()),
        st.tuples(st.just("many"), pictures(), pictures()),
        st.tuples(st.just("rename"), names),
        st.tuples(st.just("classes"), st.lists(names, max_size=3)),
    ),
    min_size=1,
    max_size=6,
)


def do(label_set: LabelSet | Project, edit) -> None:
    classes = label_set.classes if isinstance(label_set, LabelSet) else label_set.label_set.classes
    match edit:
        case ("edit", name, picture):
            label_set.edit("Edit", {name: picture})
        case ("many", first, second):
            label_set.edit("Import", {"a.png": first, "b.png": second}, classes=("zebra",))
        case ("rename", name):
            if classes:
                label_set.rename_class("Rename", classes[0], name)
        case ("classes", found):
            label_set.use_classes("Classes", tuple(found))


def state(label_set: LabelSet):
    return dict(label_set.pictures), label_set.classes


@settings(max_examples=40)
@given(edits)
def test_undo_goes_back_through_every_state_and_redo_forth(steps):
    label_set = LabelSet(("first",))
    states = [state(label_set)]
    for step in steps:
        do(label_set, step)
        if state(label_set) != states[-1]:
            states.append(state(label_set))
        used = {name for picture in label_set.pictures.values() for name in picture.classes()}
        assert used <= set(label_set.classes) and len(set(label_set.classes)) == len(label_set.classes)
    for wanted in reversed(states[:-1]):
        assert label_set.undo() is not None
        assert state(label_set) == wanted
    assert label_set.undo() is None
    for wanted in states[1:]:
        assert label_set.redo() is not None
        assert state(label_set) == wanted
    assert label_set.redo() is None


@settings(max_examples=40)
@given(edits, pictures())
def test_proposals_come_beneath_the_steps_and_only_where_nobody_was(steps, proposal):
    label_set = LabelSet()
    for step in steps:
        do(label_set, step)
    before = {name: label_set[name] for name in (*PICTURES, "new.png")}
    free = [name for name in before if not label_set.is_touched(name)]
    label_set.take_in(dict.fromkeys(before, proposal))
    while label_set.undo() is not None:
        pass
    for name in before:
        assert label_set[name] == (proposal if name in free else Picture())
    assert set(proposal.classes() if free else ()) <= set(label_set.classes)


def test_nudges_of_one_key_are_one_step():
    label_set = LabelSet()
    label_set.edit("Draw", {"a.png": Picture((Item("cat", (0.1, 0.1, 0.5, 0.5)),))})
    for _ in range(5):
        label_set.edit(
            "Move", {"a.png": Picture((moved(label_set["a.png"].items[0], (0.05, 0)),))}, ("move", 0)
        )
    label_set.undo()
    assert label_set["a.png"].items[0].box == (0.1, 0.1, 0.5, 0.5)
    label_set.redo()
    label_set.edit("Move", {"a.png": Picture((moved(label_set["a.png"].items[0], (0.05, 0)),))}, ("move", 0))
    label_set.undo()
    assert label_set["a.png"].items[0].box[0] == pytest.approx(0.35), "undo ends the row of nudges"


# -- the file ------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(pictures())
def test_what_is_written_of_a_picture_is_what_is_read(picture):
    assert picture_of(json.loads(json.dumps(picture_json(picture), allow_nan=False))) == picture


@settings(max_examples=25)
@given(
    edits, st.integers(0, 6), st.sampled_from([b"", b"{", b'{"picture":"a.png","labels":{}}', b"\x00" * 9])
)
def test_a_crash_loses_no_edit(tmp_path_factory, steps, undone, torn):
    folder = tmp_path_factory.mktemp("pictures")
    project = Project(folder)
    for step in steps:
        do(project, step)
    for _ in range(undone):
        project.undo()
    # Not closed: the program is killed, in the middle of a line.
    if project.path.exists():
        with project.path.open("ab") as stream:
            stream.write(torn)
    again = Project(folder)
    assert state(again.label_set) == state(project.label_set)
    again.edit("Edit", {"z.png": Picture(confirmed=True)})
    assert state(Project(folder).label_set) == state(again.label_set)


def test_opening_writes_nothing_and_an_old_journal_is_written_anew(tmp_path):
    project = Project(tmp_path)
    assert not list(tmp_path.iterdir())
    for place in range(600):
        project.edit("Edit", {"a.png": Picture((Item("a", (0, 0, 0.5, (place + 1) / 1000)),))})
    project.close()
    size = (tmp_path / FILE_NAME).stat().st_size
    again = Project(tmp_path)
    again.edit("Edit", {"b.png": Picture(confirmed=True)})
    assert (tmp_path / FILE_NAME).stat().st_size < size / 100
    assert state(Project(tmp_path).label_set) == state(again.label_set)
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def test_a_folder_that_cannot_be_written_has_its_labels_elsewhere(tmp_path, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_LABELS", str(tmp_path / "own"))
    folder = tmp_path / "pictures"
    folder.mkdir()
    old = Project(folder)
    old.edit("Edit", {"a.png": Picture(word="cat")})
    old.close()

    def read_only(path, *args, **options):
        if Path(path).parent == folder:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return opened(path, *args, **options)

    opened = journal.FileIO
    monkeypatch.setattr(journal, "FileIO", read_only)
    project = Project(folder)
    assert project.note == ""
    project.edit("Edit", {"b.png": Picture(word="dog")})
    assert "Read-only file system" in project.note and str(folder) in project.note
    assert project.path.parent == tmp_path / "own"
    again = Project(folder)
    assert state(again.label_set) == state(project.label_set)
    assert str(project.path) in again.note


def test_a_full_disk_is_told_of_and_the_next_edit_keeps_both(tmp_path, monkeypatch):
    full = False

    class Disk(FileIO):
        def write(self, data):
            if not full:
                return super().write(data)
            super().write(data[:7])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(journal, "FileIO", Disk)
    project = Project(tmp_path)
    project.edit("Edit", {"a.png": Picture(word="cat")})
    full = True
    with pytest.raises(ExportError, match=r"cannot be kept in .* \(No space left on device\); make room"):
        project.edit("Edit", {"b.png": Picture(word="dog")})
    assert project.label_set["b.png"].word == "dog"
    assert dict(Project(tmp_path).label_set.pictures) == {"a.png": Picture(word="cat")}
    full = False
    project.edit("Edit", {"c.png": Picture(word="cow")})
    assert state(Project(tmp_path).label_set) == state(project.label_set)


def test_two_programs_do_not_write_into_one_file(tmp_path):
    first, second = Project(tmp_path), Project(tmp_path)
    first.edit("Edit", {"a.png": Picture(word="cat")})
    first.edit("Edit", {"b.png": Picture(word="cat")})
    late = Project(tmp_path)
    late.edit("Edit", {"c.png": Picture(word="dog")})
    with pytest.raises(UsageError, match="changed by another program"):
        first.edit("Edit", {"d.png": Picture(word="cat")})
    assert set(Project(tmp_path).label_set.pictures) == {"a.png", "b.png", "c.png"}
    second.close()


@pytest.mark.parametrize("journal", ["none", "short", "of old lines"])
@settings(max_examples=25)
@given(steps=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), max_size=14))
def test_what_one_of_several_programs_was_not_refused_is_kept(tmp_path_factory, journal, steps):
    """Whoever comes late is refused; nobody's edit is written over, and no file becomes unreadable."""
    folder = tmp_path_factory.mktemp("shared")
    if journal != "none":
        lines = [
            {"picture": "old.png", "labels": {"class": f"{n}"}}
            for n in range(3 if journal == "short" else 300)
        ]
        (folder / FILE_NAME).write_text(HEAD + "".join(f"{json.dumps(line)}\n" for line in lines))
    programs: dict[int, Project] = {}
    kept: dict[str, Picture] = {}
    for step, (program, name) in enumerate(steps):
        if program not in programs:
            programs[program] = Project(folder)
            continue
        picture = Picture(word=f"step {step}")
        try:
            programs[program].edit("Edit", {f"{name}.png": picture})
            kept[f"{name}.png"] = picture
        except UsageError as error:
            assert "changed by another program" in str(error)
            programs.pop(program).close()
    for project in programs.values():
        project.close()
    label_set = Project(folder).label_set
    assert {name: label_set[name] for name in kept} == kept


HEAD = '{"labels":{"version":1}}\n'


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("hello\n", "holds no labels of Lightloom"),
        ("hello", "holds no labels of Lightloom"),
        ('{"labels":{"version":2}}\n', "of a newer Lightloom"),
        ('{"labels":{"version":"x"}}\n', "holds no labels of Lightloom"),
        (HEAD + "[]\n", "Line 2 of"),
        (HEAD + "[" * 100_000 + "\n", "Line 2 of"),
        (HEAD + '{"picture":"a","labels":{"items":[{"label":"a","box":[0,0,NaN,1]}]}}\n', "Line 2 of"),
        (HEAD + '{"picture":"a","labels":{"items":[{"label":"","box":[0,0,1,1]}]}}\n', "Line 2 of"),
        (HEAD + '{"picture":"a","labels":{"items":[{"label":"a","box":[0,0,1]}]}}\n', "Line 2 of"),
        (HEAD + '{"picture":"a","labels":{"confirmed":1}}\n', "Line 2 of"),
        (HEAD + '{"picture":"a","labels":{"class":"x","score":7}}\n', "Line 2 of"),
        (HEAD + '{"classes":["a"]}\n{"picture":3,"labels":{}}\n{"classes":[]}\n', "Line 3 of"),
    ],
)
def test_a_file_that_is_none_is_refused_in_one_sentence_and_stays(tmp_path, content, said):
    path = tmp_path / FILE_NAME
    path.write_text(content)
    with pytest.raises(UsageError, match=said):
        Project(tmp_path)
    assert path.read_text() == content


@pytest.mark.parametrize(
    "shape",
    [
        {"shape": "Box", "label": "a", "index": 0, "left": 0, "top": 0, "right": 1, "bottom": 1},
        {"shape": "Polygon", "label": "a", "index": 0, "points": [[0, 0], [1, 1]]},
        {"shape": "Polygon", "label": "a", "index": 0, "points": [[0, 0], [1, 1], [1, "x"]]},
        {"shape": "Points", "label": "a", "index": 0, "points": [[0, 0]], "edges": [[0, 4]]},
        {"shape": "Points", "label": "a", "index": 0, "points": [[0, 0]], "confidences": [1, 1]},
        {"shape": "SavedMask", "label": "a", "index": 0, "left": 0, "top": 0, "right": 1, "bottom": 1,
         "size": [100_000_000, 100_000_000], "counts": [10**16]},
        {"shape": "SavedMask", "label": "a", "index": 0, "left": 0, "top": 0, "right": 1, "bottom": 1,
         "size": [2, 2], "counts": [9]},
        {"shape": "SavedMask", "label": "a", "index": 0, "left": 0, "top": 0, "right": 1, "bottom": 1,
         "size": [2, 2], "counts": [-4, 8]},
    ],
)  # fmt: skip
def test_shapes_of_strangers_are_looked_at(shape):
    with pytest.raises(ValueError):
        picture_of(
            {"items": [{"label": "a", "box": [0, 0, 1, 1], "shapes": [shape], "origin": [0, 0, 1, 1]}]}
        )


# -- what a network gives, and what leaves -------------------------------------------------------------------


def seen() -> tuple:
    """Boxes with points, an outline and a mask, as tasks give them; each thing has a number."""
    inside = disk(40, 24, 10)
    return (
        Box("person", 0, 0.1, 0.1, 0.4, 0.8, score=0.9, thing=0),
        Points("person", 0, ((0.2, 0.2), (0.3, 0.7), (0.0, 0.0)), ((0, 1),), 0.9, thing=0, confidences=(0.8, 0.7, 0.0)),
        Polygon("ship", 2, ((0.1, 0.1), (0.3, 0.2), (0.2, 0.4)), score=0.6, thing=1),
        SavedMask("cup", 1, *tight(inside), size=(WIDTH, HEIGHT), counts=run_lengths(inside), score=0.5, thing=2),
        Label("cup", 0.4, 1, colored=True),
    )  # fmt: skip


def test_what_a_network_gives_passes_through_unharmed():
    picture = proposed(seen())
    assert [(item.label, item.score, item.confirmed) for item in picture.items] == [
        ("person", 0.9, False), ("ship", 0.6, False), ("cup", 0.5, False),
    ]  # fmt: skip
    record = PictureRecord("f", "f/a.png", 1, 0.0, (WIDTH, HEIGHT), seen(), still=True)
    after = PictureRecord(
        "f", "f/a.png", 1, 0.0, (WIDTH, HEIGHT), shapes_of(picture, ("person", "cup", "ship")), still=True
    )
    for thing, as_it_was in zip(detections_of(after), detections_of(record), strict=True):
        assert (thing.label, thing.index, thing.score, thing.box) == (
            as_it_was.label, as_it_was.index, as_it_was.score, as_it_was.box,
        )  # fmt: skip
        assert (thing.points, thing.confidences, thing.edges, thing.outline) == (
            as_it_was.points, as_it_was.confidences, as_it_was.edges, as_it_was.outline,
        )  # fmt: skip
        assert (thing.mask and thing.mask.counts) == (as_it_was.mask and as_it_was.mask.counts)


def test_points_and_masks_go_with_their_box():
    picture = proposed(seen())
    person, cup = moved(picture.items[0], (0.25, 0.125)), moved(picture.items[2], (-0.25, 0.125))
    shapes = shapes_of(Picture((person, cup)), ("person", "cup"))
    points = next(shape for shape in shapes if isinstance(shape, Points))
    np.testing.assert_allclose(points.points[:2], [(0.45, 0.325), (0.55, 0.825)])
    mask = next(shape for shape in shapes if isinstance(shape, SavedMask))
    np.testing.assert_array_equal(
        from_run_lengths(mask.counts, mask.size), np.roll(disk(40, 24, 10), (6, -16), (0, 1))
    )
    assert mask.score is None, "what somebody moved is confirmed"


def test_a_stretched_mask_is_that_of_opencv():
    inside = disk(30, 20, 8)
    item = proposed((mask_of(inside),)).items[0]
    left, top, _, _ = item.box
    wide = resized(item, (1, 1), (left + 34 / WIDTH, top + 17 / HEIGHT), PIXEL)
    mask = next(s for s in shapes_of(Picture((wide,)), ("m",)) if isinstance(s, SavedMask))
    x, y = round(left * WIDTH), round(top * HEIGHT)
    part = inside[y : y + 17, x : x + 17].astype(np.uint8)
    expected = np.zeros_like(inside)
    expected[y : y + 17, x : x + 34] = cv2.resize(part, (34, 17), interpolation=cv2.INTER_NEAREST) > 0
    np.testing.assert_array_equal(from_run_lengths(mask.counts, mask.size), expected)


def test_a_word_about_the_whole_picture_is_proposed_where_nothing_lies_in_it():
    picture = proposed((Label("owl", 0.2, 3), Label("cat", 0.7, 1)))
    assert (picture.word, picture.word_score, picture.items) == ("cat", 0.7, ())


@pytest.fixture
def folder(tmp_path) -> Path:
    """Four pictures of different sizes, one of which lies on its side."""
    path = tmp_path / "photos"
    path.mkdir()
    for place, size in enumerate(((WIDTH, HEIGHT), (200, 100), (33, 77), (640, 480)), 1):
        image = np.full((size[1], size[0], 3), 40 * place, np.uint8)
        cv2.imwrite(str(path / f"p{place}.png"), image)
    return path


def labeled(folder: Path) -> tuple[FolderPictures, LabelSet]:
    label_set = LabelSet(("person", "cup", "ship"))
    first = proposed(seen())
    label_set.edit("", {"p1.png": first.all_confirmed(), "p2.png": Picture(confirmed=True)})
    label_set.edit(
        "",
        {"p3.png": Picture((Item("ship", (0.123456, 0.2, 0.9, 0.987654), None, True),), "sea", None, True)},
    )
    label_set.edit("", {"p4.png": Picture((Item("cup", (0.1, 0.1, 0.2, 0.2), 0.25),))})
    return FolderPictures(folder), label_set


def export(folder: Path, target: Path, name: str, **options):
    pictures, label_set = labeled(folder)
    return export_labels(
        pictures, label_set.pictures, label_set.classes, result_formats()[name], target, **options
    )


def test_coco_is_read_back_by_pycocotools(folder, tmp_path, capsys):
    written, notes = export(folder, tmp_path / "labels.json", "coco")
    assert written == (tmp_path / "labels.json",)
    assert [str(note) for note in notes] == ["COCO has no place for the classes of 1 whole image."]
    read = COCO(str(written[0]))
    assert {image["file_name"]: (image["width"], image["height"]) for image in read.imgs.values()} == {
        "p1.png": (WIDTH, HEIGHT), "p2.png": (200, 100), "p3.png": (33, 77),
    }  # fmt: skip
    assert {c["name"]: c["id"] for c in read.cats.values()} == {"person": 1, "cup": 2, "ship": 3, "sea": 4}
    [person, ship, cup] = read.loadAnns(read.getAnnIds(imgIds=[1]))
    np.testing.assert_allclose(person["bbox"], [6.4, 4.8, 19.2, 33.6], atol=0.5)
    assert person["keypoints"][:3] == [12.8, 9.6, 2] and person["num_keypoints"] == 2
    assert "score" not in person and "score" not in cup
    np.testing.assert_allclose(ship["segmentation"], [[6.4, 4.8, 19.2, 9.6, 12.8, 19.2]], atol=0.5)
    np.testing.assert_array_equal(read.annToMask(cup), disk(40, 24, 10))
    assert read.getAnnIds(imgIds=[2]) == []
    [only] = read.loadAnns(read.getAnnIds(imgIds=[3]))
    np.testing.assert_allclose(only["bbox"], [33 * 0.123456, 15.4, 33 * 0.776544, 77 * 0.787654], atol=0.5)


def yolo_boxes(text: str, size: tuple[int, int]) -> list[tuple[int, list[float]]]:
    """An independent reading: corners in pixels, of a box or around an outline."""
    found = []
    for line in text.splitlines():
        number, *rest = line.split()
        values = np.array([float(word) for word in rest])
        if len(values) % 2 or len(values) == 4:
            x, y, w, h = values[:4]
            box = [x - w / 2, y - h / 2, x + w / 2, y + h / 2]
        else:
            box = [*values.reshape(-1, 2).min(0), *values.reshape(-1, 2).max(0)]
        found.append((int(number), [edge * size[i % 2] for i, edge in enumerate(box)]))
    return found


def test_yolo_is_read_back_by_another_parser(folder, tmp_path):
    target = tmp_path / "yolo"
    export(folder, target, "yolo")
    assert (target / "classes.txt").read_text().split() == ["person", "cup", "ship", "sea"]
    assert sorted(path.name for path in (target / "labels").iterdir()) == ["p1.txt", "p2.txt", "p3.txt"]
    assert (target / "labels" / "p2.txt").read_bytes() == b""
    found = yolo_boxes((target / "labels" / "p1.txt").read_text(), (WIDTH, HEIGHT))
    assert [number for number, _ in found] == [0, 2, 1]
    for (_, box), item in zip(found, proposed(seen()).items, strict=True):
        np.testing.assert_allclose(box, np.array(item.box) * (WIDTH, HEIGHT, WIDTH, HEIGHT), atol=0.5)


def test_also_pictures_that_are_not_confirmed_leave_with_their_scores(folder, tmp_path):
    export(folder, tmp_path / "all.csv", "csv", confirmed=False)
    rows = (tmp_path / "all.csv").read_text().splitlines()
    assert any("p4.png" in row and ",cup,1,0.25," in row for row in rows)
    assert any("p3.png" in row and ",sea,3,1.0," in row for row in rows)


def test_what_cannot_be_exported_is_said_in_one_sentence(folder, tmp_path):
    pictures, _ = labeled(folder)
    formats = result_formats()
    with pytest.raises(UsageError, match="No image is confirmed yet"):
        export_labels(pictures, {"p1.png": Picture(word="a")}, ("a",), formats["coco"], tmp_path / "x.json")
    with pytest.raises(UsageError, match="COCO holds boxes, and only whole images have classes here"):
        export_labels(
            pictures,
            {"p1.png": Picture(word="a", confirmed=True)},
            ("a",),
            formats["coco"],
            tmp_path / "x.json",
        )
    (folder / "p2.png").write_bytes(b"\x89PNG\r\n\x1a\nbroken")
    _, notes = export(folder, tmp_path / "x.json", "coco")
    assert any("p2.png is left out: p2.png is damaged" in str(note) for note in notes)

    def stop(done, total):
        raise StoppedError("stopped")

    with pytest.raises(StoppedError):
        export(folder, tmp_path / "y.json", "coco", progress=stop)
    assert not (tmp_path / "y.json").exists()


# -- labels of others ----------------------------------------------------------------------------------------


def test_coco_comes_back_as_it_left(folder, tmp_path):
    pictures, _ = labeled(folder)
    export(folder, tmp_path / "labels.json", "coco")
    read = coco.read(tmp_path / "labels.json", pictures)
    assert (read.foreign, read.broken) == (0, 0) and read.classes == ("person", "cup", "ship", "sea")
    assert set(read.pictures) == {"p1.png", "p2.png", "p3.png"}
    target = LabelSet()
    target.edit("", read.free_in(target), classes=read.classes)
    export_labels(
        pictures, {n: p.all_confirmed() for n, p in target.pictures.items()}, target.classes,
        result_formats()["coco"], tmp_path / "again.json",
    )  # fmt: skip
    first, again = (json.loads((tmp_path / name).read_text()) for name in ("labels.json", "again.json"))
    # A picture in which nothing is has no labels until it is confirmed.
    assert [image["file_name"] for image in again["images"]] == ["p1.png", "p3.png"]
    for was, now in zip(first["annotations"], again["annotations"], strict=True):
        assert was["category_id"] == now["category_id"]
        np.testing.assert_allclose(was["bbox"], now["bbox"], atol=0.5)
        assert was.get("keypoints") == pytest.approx(now.get("keypoints"))
        if isinstance(was.get("segmentation"), dict):
            assert was["segmentation"] == now["segmentation"]


def coco_file(path: Path, **changes) -> Path:
    document = {
        "images": [{"id": 1, "file_name": "train/p1.png", "width": WIDTH, "height": HEIGHT}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 7, "bbox": [1, 2, 10, 20]}],
        "categories": [{"id": 7, "name": "dog"}],
        **changes,
    }
    path.write_text(json.dumps(document))
    return path


def test_compressed_runs_of_pycocotools_are_read(folder, tmp_path):
    inside = disk(20, 20, 13)
    runs = coco_mask.encode(np.asfortranarray(inside.astype(np.uint8)))
    entry = {"id": 1, "image_id": 1, "category_id": 7, "bbox": [7, 7, 27, 27]}
    entry["segmentation"] = {"size": runs["size"], "counts": runs["counts"].decode()}
    read = coco.read(coco_file(tmp_path / "c.json", annotations=[entry]), FolderPictures(folder))
    [mask] = read.pictures["p1.png"].items[0].shapes
    np.testing.assert_array_equal(from_run_lengths(mask.counts, mask.size), inside)


@pytest.mark.parametrize(
    "entry",
    [
        {"bbox": [0, 0, float("nan"), 4]},
        {"bbox": [0, 0, 10**400, 4]},
        {"bbox": [0, 0, 4]},
        {"bbox": "0044"},
        {"bbox": [0, 0, 0, 4]},
        {"bbox": [9, 9, -4, 4]},
        {"bbox": [500, 500, 4, 4]},
        {"bbox": [0, 0, 4, 4], "score": 4},
        {"bbox": [0, 0, 4, 4], "category_id": 99},
        {"bbox": [0, 0, 4, 4], "category_id": []},
        {"bbox": [0, 0, 4, 4], "segmentation": [[1, 2, 3]]},
        {"bbox": [0, 0, 4, 4], "segmentation": {"size": [HEIGHT, WIDTH], "counts": "~~~~~~~~~~~~~~~~"}},
        {"bbox": [0, 0, 4, 4], "segmentation": {"size": [9, 9], "counts": [81]}},
        {"bbox": [0, 0, 4, 4], "keypoints": [1, 2, 2, 3]},
    ],
)
def test_a_broken_entry_is_left_out_and_counted(folder, tmp_path, entry):
    good = {"id": 1, "image_id": 1, "category_id": 7, "bbox": [1, 2, 10, 20]}
    path = coco_file(tmp_path / "c.json", annotations=[{**good, **entry}, good, 5])
    read = coco.read(path, FolderPictures(folder))
    assert read.broken == 2
    [item] = read.pictures["p1.png"].items
    np.testing.assert_allclose(np.array(item.box) * (WIDTH, HEIGHT, WIDTH, HEIGHT), [1, 2, 11, 22])


@pytest.mark.parametrize(
    "size", [(10**400, 48), (64, 10**400), (1e308, 48), (64, 1e-308), (0, 48), ("64", True)]
)
def test_a_picture_of_an_impossible_size_is_a_broken_entry(folder, tmp_path, size):
    images = [
        {"id": 1, "file_name": "p1.png", "width": WIDTH, "height": HEIGHT},
        {"id": 2, "file_name": "p2.png", "width": size[0], "height": size[1]},
        {"id": 1, "file_name": "p3.png", "width": 33, "height": 77},
    ]
    read = coco.read(coco_file(tmp_path / "c.json", images=images), FolderPictures(folder))
    assert set(read.pictures) == {"p1.png"} and read.broken + read.reshaped == 2


@pytest.mark.parametrize(
    ("named", "found"),
    [
        (("p1.png", "p1.jpg"), {"p1.png": "p1.png"}),
        (("p1.jpg",), {"p1.jpg": "p1.png"}),
        (("photos/p1.png", "val/p1.png"), {"photos/p1.png": "p1.png"}),
        (("train/p1.png", "val/p1.png", "p2.txt"), {"p2.txt": "p2.png"}),
        (("../../photos/../p1.png", "C:\\x\\p2.png"), {"../../photos/../p1.png": "p1.png", "C:\\x\\p2.png": "p2.png"}),
    ],
)  # fmt: skip
def test_labels_find_the_picture_that_they_are_of_or_none(folder, named, found):
    assert FolderPictures(folder).find(named) == found


def test_coco_calls_pictures_that_differ_in_their_endings_as_they_are_called(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for name in ("a.png", "a.jpg", "a-2.png"):
        cv2.imwrite(str(folder / name), pixels)
    pictures = FolderPictures(folder)
    labels = {
        name: Picture((Item(name, (0.1, 0.1, 0.5, 0.5), None, True, origin=(0.1, 0.1, 0.5, 0.5)),))
        for name in pictures.names
    }
    export_labels(
        pictures, {n: p.all_confirmed() for n, p in labels.items()}, pictures.names, result_formats()["coco"], tmp_path / "c.json"
    )  # fmt: skip
    read = coco.read(tmp_path / "c.json", pictures)
    assert {name: [item.label for item in picture.items] for name, picture in read.pictures.items()} == {
        name: [name] for name in pictures.names
    }


def test_yolo_cannot_tell_pictures_apart_that_differ_in_their_endings_alone_and_says_so(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for name in ("a.png", "a.jpg", "a-2.png", "b.png"):
        cv2.imwrite(str(folder / name), pixels)
    pictures = FolderPictures(folder)
    item = Item("thing", (0.1, 0.1, 0.5, 0.5), None, True, origin=(0.1, 0.1, 0.5, 0.5))
    labels = {name: Picture((item,)).all_confirmed() for name in pictures.names}
    chosen, target = result_formats()["yolo"], tmp_path / "set"
    with pytest.raises(ExportError, match=r"a\.jpg.*a\.png.*a\.txt.*rename") as caught:
        export_labels(pictures, labels, ("thing",), chosen, target)
    assert "\n" not in str(caught.value) and not list(target.glob("**/*.txt"))
    rest = {name: picture for name, picture in labels.items() if name != "a.jpg"}
    export_labels(pictures, rest, ("thing",), chosen, target)
    assert sorted(path.stem for path in (target / "labels").iterdir()) == ["a", "a-2", "b"]
    assert set(yolo.read(target, pictures).pictures) == {"a-2.png", "b.png"}, "a.txt may be of either"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e7])
def test_points_that_are_no_numbers_are_not_proposed_and_what_is_can_be_kept(tmp_path, value):
    box = Box("person", 0, 0.1, 0.1, 0.4, 0.8, score=0.9, thing=0)
    picture = proposed((box, Points("person", 0, ((0.2, value),), (), 0.9, thing=0)))
    project = Project(tmp_path)
    project.edit("Edit", {"a.png": picture})
    assert Project(tmp_path).label_set["a.png"] == picture and picture.items[0].shapes == ()


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "table",
    ["names:\n  99999: x\n", "names:\n - a" + " " * 300_000 + "b\n", "names: [\n" * 100_000, "names: [" * 100_000],
    ids=["a high number", "spaces", "lines", "brackets"],
)  # fmt: skip
def test_a_table_of_names_that_is_beyond_all_limits_is_read_at_once_and_kept(folder, tmp_path, table):
    labels = tmp_path / "labels"
    labels.mkdir()
    (labels / "p1.txt").write_text("0 0.5 0.5 0.1 0.1\n0 320 240 64 48\n0 0.5 0.5 0 0.1\n")
    (labels / "data.yaml").write_text(table)
    if "[" in table:
        with pytest.raises(UsageError, match="cannot be read"):
            yolo.read(labels, FolderPictures(folder))
        return
    read = yolo.read(labels, FolderPictures(folder))
    assert read.broken == 2 and len(read.pictures["p1.png"].items) == 1
    project = Project(tmp_path)
    project.edit("Import", read.pictures, classes=read.classes)
    assert Project(tmp_path).label_set.classes == project.label_set.classes


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"images": [{"id": 1, "file_name": "x.png", "width": 4, "height": 4}]},
            "labels of other images than",
        ),
        ({"images": 3}, "not a file of COCO's"),
        ({"categories": [{"id": 1}]}, "not a file of COCO's"),
    ],
)
def test_labels_of_other_pictures_are_refused(folder, tmp_path, changes, said):
    with pytest.raises(UsageError, match=said):
        coco.read(coco_file(tmp_path / "c.json", **changes), FolderPictures(folder))


def test_labels_of_a_turned_picture_are_left_out_and_of_a_scaled_one_are_not(folder, tmp_path):
    turned = [{"id": 1, "file_name": "p1.png", "width": HEIGHT, "height": WIDTH}]
    read = coco.read(coco_file(tmp_path / "c.json", images=turned), FolderPictures(folder))
    assert (read.reshaped, dict(read.pictures)) == (1, {})
    scaled = [{"id": 1, "file_name": "p1.png", "width": WIDTH * 10, "height": HEIGHT * 10}]
    read = coco.read(coco_file(tmp_path / "c.json", images=scaled), FolderPictures(folder))
    np.testing.assert_allclose(
        np.array(read.pictures["p1.png"].items[0].box) * (WIDTH, HEIGHT, WIDTH, HEIGHT), [0.1, 0.2, 1.1, 2.2]
    )


def test_crowds_and_outlines_in_parts_are_counted(folder, tmp_path):
    own = {"image_id": 1, "category_id": 5, "bbox": [1, 2, 10, 20]}
    parts = [[1, 2, 5, 2, 5, 6], [6, 6, 11, 6, 11, 22, 6, 22]]
    crowd = {"size": [HEIGHT, WIDTH], "counts": [0, WIDTH * HEIGHT]}
    annotations = [
        {"id": 1, **own, "segmentation": parts, "iscrowd": 0},
        {"id": 2, **own, "segmentation": parts[:1]},
        {"id": 3, **own, "segmentation": crowd, "iscrowd": 1},
    ]
    categories = [{"id": 5, "name": "bird"}]
    read = coco.read(
        coco_file(tmp_path / "c.json", annotations=annotations, categories=categories), FolderPictures(folder)
    )
    assert [len(item.shapes[0].points) for item in read.pictures["p1.png"].items] == [4, 3]
    assert (read.crowds, read.in_parts, read.broken) == (1, 1, 0)
    assert str(read.report(1)) == (
        "Labels of 1 image were read. 1 region of several objects (iscrowd) was left out. "
        "1 object has an outline in several parts, of which the longest was read."
    )


def test_what_came_of_an_import_is_said(folder, tmp_path):
    images = [
        {"id": 1, "file_name": "p1.png", "width": WIDTH, "height": HEIGHT},
        {"id": 2, "file_name": "elsewhere.png", "width": 4, "height": 4},
        {"id": 3, "file_name": "p2.png", "width": 200, "height": 100},
    ]
    read = coco.read(coco_file(tmp_path / "c.json", images=images), FolderPictures(folder))
    label_set = LabelSet((), {"p2.png": Picture(word="mine")})
    free = read.free_in(label_set)
    assert set(free) == {"p1.png"}
    assert str(read.report(len(free))) == (
        "Labels of 1 image were read. 1 image has labels already. 1 image named there is missing here."
    )


def test_yolo_comes_back_as_it_left(folder, tmp_path):
    target = tmp_path / "yolo"
    export(folder, target, "yolo")
    pictures, _ = labeled(folder)
    for chosen in (target, target / "labels"):
        read = yolo.read(chosen, pictures)
        assert (read.foreign, read.broken, read.classes) == (0, 0, ("person", "cup", "ship", "sea"))
        items = read.pictures["p1.png"].items
        assert [item.label for item in items] == ["person", "ship", "cup"]
        for item, was in zip(items, proposed(seen()).items, strict=True):
            np.testing.assert_allclose(
                np.array(item.box) * (WIDTH, HEIGHT, WIDTH, HEIGHT),
                np.array(was.box) * (WIDTH, HEIGHT, WIDTH, HEIGHT),
                atol=0.5,
            )
        [points] = items[0].shapes
        assert isinstance(points, Points) and points.confidences == (1.0, 1.0, 0.0)


@pytest.mark.parametrize(
    ("yaml", "classes"),
    [
        ('names: [\'a\', "b\\"", c d] # x\n', ("a", 'b"', "c d")),
        ("names:\n  0: a\n  2: 'it''s'\nnc: 3\n", ("a", "class 1", "it's")),
        ('names:\n- a\n- "\\u00e4"\n', ("a", "ä")),
        # As people write them: comments, quotes with commas and brackets, mappings in brackets, several lines.
        ("names: # all\n  # vehicles\n  0: car # red\n\n  1: 'bus' # blue\n", ("car", "bus")),
        ("names: ['light, red', \"a [b]\", it's]\n", ("light, red", "a [b]", "it's")),
        ("names: [\n  car, # red\n  'bus',  # blue\n]\nnc: 2\n", ("car", "bus")),
        ("names: {0: car, '1': \"bus: a\", 3: c#}\n", ("car", "bus: a", "class 2", "c#")),
        ("names:\n  '0': car\n  1: bus\n", ("car", "bus")),
        ("names: []\n", ()),
        ("names:", ()),
        ("nc: 2\n", ()),
    ],
)
def test_names_of_a_data_yaml(folder, tmp_path, yaml, classes):
    (tmp_path / "data.yaml").write_text(yaml)
    (tmp_path / "p1.txt").write_text("0 0.5 0.5 0.2 0.2\n\n1 0.5 0.5 0.2 0.2 0.75\n")
    read = yolo_read(tmp_path, folder)
    assert read.classes == classes
    assert [item.score for item in read.pictures["p1.png"].items] == [None, 0.75]


@pytest.mark.parametrize(
    "names",
    [
        *(" coco.names", " [a, [b]]", " ['a' b]", " [a, b", " {0: a, car}", " *others"),
        *("\n  0: a\n  b\n", "\n  - 'a' b\n", "\n  0: [a]\n", "\n  - 'a\n", "\n  car: 0\n"),
    ],
)
def test_names_that_are_not_understood_are_refused(folder, tmp_path, names):
    """The numbers in the labels would get no names, or others."""
    (tmp_path / "data.yaml").write_text(f"nc: 2\nnames:{names}\n")
    (tmp_path / "p1.txt").write_text("0 0.5 0.5 0.2 0.2\n")
    with pytest.raises(UsageError, match=r"names of the classes in .*data\.yaml cannot be read; write each"):
        yolo_read(tmp_path, folder)


def test_names_of_a_data_yaml_that_are_not_used_are_not_refused(folder, tmp_path):
    """With classes.txt beside it only the number of key points is taken from it."""
    (tmp_path / "data.yaml").write_text("names: coco.names\nkpt_shape: [1, 2]\n")
    (tmp_path / "classes.txt").write_text("car\nbus\n")
    (tmp_path / "p1.txt").write_text("1 0.5 0.5 0.2 0.2 0.4 0.6\n")
    read = yolo_read(tmp_path, folder)
    (item,) = read.pictures["p1.png"].items
    assert (read.classes, item.label, read.broken) == (("car", "bus"), "bus", 0)
    assert [type(shape) for shape in item.shapes] == [Points]


@pytest.mark.parametrize(
    "names", [["a", "b: c", "d # e", "f'g", 'h"i', "-j", "[k]", "l, m"], ["0", "1.5", "ü"]]
)
def test_names_are_those_of_a_yaml_library(folder, tmp_path, names):
    (tmp_path / "p1.txt").write_text("0 0.5 0.5 0.2 0.2\n")
    for flow in (True, False):
        for table in (names, dict(enumerate(names))):
            yaml, text = YAML(typ="safe", pure=True), io.StringIO()
            yaml.default_flow_style = flow
            yaml.dump(table if flow else {"names": table, "nc": len(names)}, text)
            content = f"names: {text.getvalue()}" if flow else text.getvalue()
            (tmp_path / "data.yaml").write_text(content, encoding="utf-8")
            assert yolo_read(tmp_path, folder).classes == tuple(names), text.getvalue()


def yolo_read(path: Path, folder: Path):
    return yolo.read(path, FolderPictures(folder))


def test_broken_lines_of_yolo_are_counted_and_other_folders_refused(folder, tmp_path):
    lines = (
        "0 nan 0 1 1",
        "x 0 0 1 1",
        "-1 0 0 1 1",
        "0 1 2",
        "99999999 0 0 1 1",
        "0 0.5 0.5 1 1 7",
        "0 1e999 0 1 1",
    )
    (tmp_path / "p1.txt").write_text("\n".join(lines))
    read = yolo_read(tmp_path, folder)
    assert (read.broken, read.pictures["p1.png"].items) == (len(lines), ())
    other = tmp_path / "other"
    other.mkdir()
    (other / "cat.txt").write_text("0 0.5 0.5 1 1")
    with pytest.raises(UsageError, match="other has labels of other images than those in photos"):
        yolo_read(other, folder)
    with pytest.raises(SourceError, match="cannot be read"):
        yolo_read(tmp_path / "missing", folder)


# -- pictures ------------------------------------------------------------------------------------------------


def test_a_picture_is_shown_as_opencv_reads_it(tmp_path):
    rng = np.random.default_rng(1)
    smooth = cv2.resize(rng.integers(64, 192, (3, 4, 3), np.uint8), (101, 67), interpolation=cv2.INTER_CUBIC)
    cv2.imwrite(str(tmp_path / "a.png"), smooth)
    cv2.imwrite(str(tmp_path / "b.jpg"), smooth, [cv2.IMWRITE_JPEG_QUALITY, 95])
    cv2.imwrite(str(tmp_path / "c.png"), smooth[..., 0])
    cv2.imwrite(str(tmp_path / "d.png"), smooth.astype(np.uint16) * 257)
    pictures = FolderPictures(tmp_path)
    # A JPEG's chroma has half the size; OpenCV interpolates it, libswscale takes the nearest sample.
    for name, tolerance in (("a.png", 0), ("b.jpg", 2.0), ("c.png", 0), ("d.png", 1.0)):
        expected = cv2.imread(str(tmp_path / name))[..., ::-1].astype(float)
        assert np.abs(rgb_of(pictures.load(name)) - expected).mean() <= tolerance, name


def test_frames_of_a_video_are_labeled_by_their_numbers(tmp_path):
    path = tmp_path / "clip.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"mp4v"), 10.0, (64, 48))
    for place in range(35):
        writer.write(np.full((48, 64, 3), place * 7, np.uint8))
    writer.release()
    pictures = open_pictures(path)
    assert isinstance(pictures, VideoPictures) and pictures.names == ("000001", "000011", "000021", "000031")
    for name in ("000031", "000001", "000021"):
        assert rgb_of(pictures.load(name)).mean() == pytest.approx((int(name) - 1) * 7, abs=3)
    labels = {"000011": Picture((Item("cat", (0.25, 0.25, 0.5, 0.5)),), confirmed=True)}
    target = tmp_path / "c.json"
    export_labels(pictures, labels, ("cat",), result_formats()["coco"], target)
    [image] = json.loads(target.read_text())["images"]
    assert (image["file_name"], image["frame"], image["pts"]) == ("clip_000011.png", 11, 1.0)
    assert coco.read(target, pictures).pictures["000011"].items[0].label == "cat"
    pictures.close()
    with pytest.raises(UsageError, match="every 0 s"):
        VideoPictures(path, 0.0)


def test_folders_without_pictures_are_refused_in_one_sentence(tmp_path):
    with pytest.raises(SourceError, match="holds no images"):
        open_pictures(tmp_path)
    with pytest.raises(SourceError, match="There is no file"):
        open_pictures(tmp_path / "missing")
