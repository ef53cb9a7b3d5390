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
    assert len({each.flickr for each in photographs}) == len(photographs)


def test_cards_name_the_source_of_each_photograph() -> None:
    for card, names in (("detector", "detector"), ("person_mask", "mask"), ("style", "styles")):
        text = (ROOT / f"docs/model-cards/{card}.md").read_text("utf-8")
        used = [each for each in sheet.listed() if any(kind.startswith(names) for kind in each.sheets)]
        assert sheet.credits(used) in text


def test_sheets_of_the_documents_are_small() -> None:
    names = ("detector", "detector_limits", "person_mask", "person_mask_limits", "styles")
    sizes = {name: (ROOT / f"docs/contact-sheets/{name}.jpg").stat().st_size for name in names}
    assert max(sizes.values()) <= 300_000, sizes


def test_a_sheet_has_two_images_in_a_row() -> None:
    shown = [image(), image(160, 120), image(120, 240)]
    made = sheet.compared(shown, {"before": lambda x: x, "now": lambda x: 255 - x}, with_image=False)
    row = sheets.captioned(np.zeros((sheet.HEIGHT, 10, 3), np.uint8), "now").shape[0]
    assert made.shape[0] == 2 * (row + 4)
    assert (sheet.compared(shown, {"now": lambda x: x}, with_image=True).shape) == made.shape


def test_the_drawn_portrait_lies_on_white() -> None:
    drawn = sheet.drawing()
    assert drawn.shape[2] == 3
    assert (drawn[0, 0] == 255).all() and drawn.min() < 100


def test_a_missing_photograph_or_revision_is_one_sentence(
    people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UsageError, match="git has no nothing:assets/models/detector"):
        sheet.network_before("nothing", "detector", tmp_path)
    options = ["styles", "--before", "HEAD", "--people", str(people), "--docs", str(tmp_path)]
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


def test_choices_are_counted_by_network(tmp_path: Path) -> None:
    path = tmp_path / "choices.json"
    path.write_text(json.dumps({"1": "left", "2": "left", "3": "same"}))
    assert dict(compare.count(path, KEY)) == {"mask": 1, "rival": 1, "same": 1}
    for wrong in ({"1": "left"}, {"1": "left", "2": "up", "3": "same"}, ["left"], {"1": [], "2": 0, "3": 0}):
        path.write_text(json.dumps(wrong))
        with pytest.raises(UsageError, match="left, right or same"):
            compare.count(path, KEY)
