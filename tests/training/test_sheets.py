"""Contact sheets: the photographs they may show, what is drawn on them, and blind comparisons."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")

from desktop.base.errors import SourceDamagedError, UsageError  # noqa: E402
from training import pack, sheet  # noqa: E402
from training.common import sheets  # noqa: E402
from training.detector.boxes import places  # noqa: E402
from training.mask import compare  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
KEY = {"1": ["a", "mask", "rival"], "2": ["b", "rival", "mask"], "3": ["c", "rival", "mask"]}


def image(height: int = 120, width: int = 160) -> np.ndarray:
    """A dark image with a red disc in the middle, (H, W, 3) uint8 RGB."""
    made = np.full((height, width, 3), 30, np.uint8)
    cv2.circle(made, (width // 2, height // 2), height // 4, (220, 30, 20), -1)
    return made


def one_face(canvas: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find one face of 128 pixels in the middle of whatever is shown, as `face_teacher` states it."""
    x, y, stride = places(*canvas.shape[1::-1])
    raw, scores = np.zeros((4, len(x))), np.zeros(len(x))
    cell = int(np.flatnonzero((stride == 32) & (x == 6) & (y == 6))[0])
    raw[2:, cell], scores[cell] = np.log(4), 0.9
    return raw, scores


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """A pack of six images, all held back."""
    folder = tmp_path / "folder"
    folder.mkdir()
    entries = []
    for n in range(6):
        cv2.imwrite(str(folder / f"p{n}.png"), image()[..., ::-1])
        entries.append(
            {"file": f"p{n}.png", "part": 1, "known": True, "boxes": [[50, 30, 110, 90, 1]], "mask": None}
        )
    (folder / "people.json").write_text(json.dumps({"pictures": entries}))
    assert pack.main(["people", "--folder", str(folder), "--out", str(tmp_path)]) == 0
    return tmp_path / "people.npz"


def test_sheets_show_photographs_that_no_network_learned_from() -> None:
    held = set(tomllib.loads((ROOT / "training/people_pictures.toml").read_text("utf-8"))["held"])
    photographs = sheet.listed()
    kinds = {f"{name}{end}" for name in ("detector", "mask") for end in ("", " limits")} | {"styles"}
    assert {each.coco for each in photographs} <= held
    assert {kind for each in photographs for kind in each.sheets} == kinds


def test_sheets_of_the_documents_are_small() -> None:
    sizes = {path.name: path.stat().st_size for path in (ROOT / "docs/contact-sheets").iterdir()}
    assert len(sizes) == 5 and max(sizes.values()) <= 300_000, sizes


def test_sheets_of_detector_and_mask_in_the_documents_show_no_photograph(tmp_path: Path) -> None:
    """Boxes have two colors and their ground one, masks none: a photograph has many."""
    for name, most in (("detector", 40), ("person_mask", 2)):
        made = cv2.imread(str(ROOT / f"docs/contact-sheets/{name}.png"))
        assert made is not None
        hue = made.astype(int).max(axis=2) - made.astype(int).min(axis=2)
        colored = made[hue > 12]
        assert len(colored) < 0.05 * hue.size, name
        assert len(np.unique(colored // 32, axis=0)) <= most, name


def test_what_is_known_and_found_is_drawn_with_the_image_or_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    persons, mask = np.array([[50.0, 30, 110, 90]]), np.zeros((120, 160), np.float32)
    mask[30:90, 50:110] = 1
    foreign = sheet.Shown(image(), "1", persons, mask)
    monkeypatch.setattr(sheet, "student_look", lambda path: None)
    monkeypatch.setattr(sheet, "mask_of", lambda look, pixels: mask)
    for draw in (
        sheet.boxes_known,
        sheet.mask_known,
        lambda shown: sheet.person_drawn(Path("m.onnx"), shown),
    ):
        plain, whole = draw(False)(foreign), draw(True)(foreign)
        own = draw(False)(sheet.Shown(image(), "2", persons, mask, own=True))
        red = image()[60, 80]
        assert (plain[60, 80] != red).any() and (whole[60, 80] == red).all() and (own[60, 80] == red).all()
    edge = sheet.boxes_known(False)(foreign)
    assert (
        tuple(edge[60, 50]) == (255, 196, 0) and len(set(map(tuple, edge[40:80, 60:100].reshape(-1, 3)))) == 1
    )
    shape = sheet.mask_known(False)(foreign)
    assert shape[60, 80].tolist() == [255] * 3 and shape[10, 10].tolist() == [0] * 3


def test_a_photograph_comes_with_its_boxes_and_its_mask(tmp_path: Path) -> None:
    folder, mask = tmp_path / "folder", np.zeros((120, 160), np.uint8)
    folder.mkdir()
    mask[30:90, 50:110] = 255
    cv2.imwrite(str(folder / "coco_000000000007.png"), image()[..., ::-1])
    cv2.imwrite(str(folder / "mask.png"), mask)
    boxes = [[50, 30, 110, 90, 1], [0, 0, 20, 20, 2]]
    entry = {"file": "coco_000000000007.png", "part": 1, "known": True, "boxes": boxes, "mask": "mask.png"}
    (folder / "people.json").write_text(json.dumps({"pictures": [entry]}))
    assert pack.main(["people", "--folder", str(folder), "--out", str(tmp_path)]) == 0
    (shown,) = sheet.images(tmp_path / "people.npz", [sheet.Photograph(7, ("mask",))])
    assert shown.title == "7" and shown.persons is not None and shown.persons.tolist() == [[50, 30, 110, 90]]
    assert shown.mask is not None and np.array_equal(shown.mask * 255, mask)
    assert np.abs(shown.image.astype(int) - image()).mean() < 4  # WebP


def test_a_sheet_has_two_images_in_a_row() -> None:
    shown = [sheet.Shown(image()), sheet.Shown(image(160, 120)), sheet.Shown(image(120, 240))]
    made = sheet.compared(shown, {"before": lambda x: x.image, "now": lambda x: 255 - x.image})
    row = sheets.captioned(np.zeros((sheet.HEIGHT, 10, 3), np.uint8), "now").shape[0]
    assert made.shape[0] == 2 * (row + 4)


def test_the_scenes_of_the_sample_are_for_styles() -> None:
    assert [each.shape for each in sheet.scenes()] == [(480, 640, 3)] * 4


def test_the_drawn_portrait_lies_on_white() -> None:
    drawn = sheet.drawing().image
    assert drawn.shape[2] == 3
    assert (drawn[0, 0] == 255).all() and drawn.min() < 100


def test_a_missing_photograph_or_revision_is_one_sentence(
    people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UsageError, match="git has no nothing:assets/models/detector"):
        sheet.network_before("nothing", "detector", tmp_path)
    options = [
        "styles",
        "--before",
        "HEAD",
        "--people",
        str(people),
        "--docs",
        str(tmp_path),
        "--out",
        str(tmp_path),
    ]
    assert sheet.main(options) == 1
    assert "lacks 84477, 237071, 286523, 529762 of COCO" in capsys.readouterr().err
    with pytest.raises(SourceDamagedError):
        sheets.read(ROOT / "README.md")


def test_sheets_hide_which_mask_is_which(people: Path, tmp_path: Path) -> None:
    looks = {
        "mask": lambda x: x[:, :1],
        "rival": lambda x: torch.ones(1, 1, 8, 8),
    }
    out = tmp_path / "compare"
    compare.make_sheets(people, looks, one_face, out, 3)
    key = json.loads((out / "key.json").read_text("utf-8"))
    assert list(key) == [str(n) for n in range(1, 7)]
    assert {tuple(sides) for _, *sides in key.values()} == {("mask", "rival"), ("rival", "mask")}
    first = cv2.imread(str(out / "sheet_1.jpg"))
    assert first is not None and first.shape[0] > 4 * compare.HEIGHT
    middle = first[sheets.CAPTION + compare.HEIGHT // 2]
    left, right = (middle[int((n + 1.05) * middle.shape[0] / 3)] for n in range(2))
    plain, whole = (left, right) if key["1"][1] == "mask" else (right, left)
    assert plain[1] < 30 < plain[0]  # magenta where the mask leaves the background out
    assert abs(int(whole[0]) - 30) < 20


def test_an_image_without_a_large_face_is_no_portrait() -> None:
    assert compare.face_share(one_face, image()) == pytest.approx(128 * 160 / 416 / 120)
    assert compare.face_share(lambda canvas: (one_face(canvas)[0], one_face(canvas)[1] * 0), image()) == 0


def test_choices_may_follow_the_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "key.json").write_text(json.dumps(KEY))
    path = tmp_path / "one.json"
    path.write_text(json.dumps({"1": "left", "2": "left", "3": "same"}))
    assert compare.main(["count", "--out", str(tmp_path), str(path)]) == 0
    assert capsys.readouterr().out == "one.json: mask 1, rival 1, same 1\n"


def test_choices_are_counted_by_network(tmp_path: Path) -> None:
    path = tmp_path / "choices.json"
    path.write_text(json.dumps({"1": "left", "2": "left", "3": "same"}))
    assert dict(compare.count(path, KEY)) == {"mask": 1, "rival": 1, "same": 1}
    for wrong in ({"1": "left"}, {"1": "left", "2": "up", "3": "same"}, ["left"], {"1": [], "2": 0, "3": 0}):
        path.write_text(json.dumps(wrong))
        with pytest.raises(UsageError, match="left, right or same"):
            compare.count(path, KEY)
