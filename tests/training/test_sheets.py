"""Sheets of masks that are compared blind."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")

from desktop.base.errors import UsageError  # noqa: E402
from training import pack  # noqa: E402
from training.common import sheets  # noqa: E402
from training.detector.boxes import places  # noqa: E402
from training.mask import compare  # noqa: E402

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
