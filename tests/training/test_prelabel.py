"""Masks that networks make before a training, with stand-ins for the networks."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from onnx import TensorProto, helper, save

pytest.importorskip("torch")

from training.common.people import CROWD, PERSON
from training.mask import prelabel
from training.mask.prelabel import Teachers


def red(image: np.ndarray) -> np.ndarray:
    """The share of red, as a network's answer."""
    return image[..., 0]


def disc(height: int, width: int, x: int, y: int, radius: int) -> np.ndarray:
    """A filled circle of ones."""
    return cv2.circle(np.zeros((height, width), np.float32), (x, y), radius, 1, -1)


def painted(mask: np.ndarray) -> np.ndarray:
    """A picture that is red where the mask is."""
    return np.stack([mask * 255, mask * 0, mask * 0], -1).astype(np.uint8)


def test_an_answer_lies_at_its_place_also_beyond_the_edges() -> None:
    image = painted(disc(120, 160, 40, 60, 20))
    for box in ((0, 0, 160, 120), (-30, 10, 98, 138)):
        found = prelabel.seen(red, image, box)
        # Enlarged and made smaller again, only the edge differs.
        assert np.abs(found - image[..., 0] / 255).mean() < 0.01
    mirrored = prelabel.seen(
        lambda given: given[..., 0] * np.linspace(0, 1, 256), image, (0, 0, 160, 120), mirrored=True
    )
    assert mirrored[60, 40] == pytest.approx(0.5, abs=0.01)


def test_nothing_is_found_outside_a_person_s_box() -> None:
    image = painted(np.maximum(disc(120, 160, 40, 60, 20), disc(120, 160, 120, 60, 20)))
    found = prelabel.labeled(Teachers(red), image, [(20, 40, 60, 80)], None)
    assert found[60, 40] > 0.9 and found[:, 70:].max() == 0


def test_the_pose_s_answer_counts_where_it_is_larger_and_no_mask_is_known() -> None:
    image = painted(disc(120, 160, 40, 60, 20))
    blind = Teachers(lambda given: np.zeros(given.shape[:2], np.float32), red)
    box = (20, 40, 60, 80)
    assert prelabel.labeled(blind, image, [box], None)[60, 40] > 0.9
    truth = disc(120, 160, 40, 60, 18)
    assert np.array_equal(prelabel.labeled(blind, image, [box], truth), truth)


def test_a_true_mask_gets_what_an_answer_that_agrees_adds() -> None:
    truth = disc(200, 200, 100, 110, 60)
    hat = np.zeros_like(truth)
    hat[38:56, 80:120] = 1
    answer = np.maximum(truth, hat)
    box = (38, 36, 162, 172)
    made = prelabel.refined(truth, [(box, answer)])
    assert made[42, 100] == 1 and np.array_equal(made[100:], truth[100:])
    # Of one that does not agree nothing is taken: a quarter of the disc.
    other = truth * (np.arange(200) < 100) * (np.arange(200)[:, None] < 110)
    assert np.array_equal(prelabel.refined(truth, [(box, other)]), truth)


def test_a_folder_is_written_for_the_pack(tmp_path: Path) -> None:
    source, target = tmp_path / "a", tmp_path / "b"
    source.mkdir()
    mask = disc(120, 160, 40, 60, 20)
    for name in ("boxes", "true", "none", "held", "plain"):
        cv2.imwrite(str(source / f"{name}.png"), np.ascontiguousarray(painted(mask)[..., ::-1]))
    cv2.imwrite(str(source / "true_mask.png"), (mask * 255).astype(np.uint8))
    box, crowd = [20, 40, 60, 80, PERSON], [100, 0, 160, 120, CROWD]
    rows = [
        {"file": "boxes.png", "part": 0, "known": True, "boxes": [box, crowd], "mask": None},
        {"file": "true.png", "part": 0, "known": True, "boxes": [box], "mask": "true_mask.png"},
        {"file": "none.png", "part": 0, "known": True, "boxes": [], "mask": "none"},
        {"file": "held.png", "part": 1, "known": True, "boxes": [box], "mask": "true_mask.png"},
        {"file": "plain.png", "part": 0, "known": False, "boxes": [], "mask": None},
    ]
    (source / "people.json").write_text(json.dumps({"pictures": rows}))
    # The first channel of what it is given, as the selfie segmentation has its input and output.
    node = helper.make_node("Slice", ["x", "from", "to", "axis"], ["y"])
    numbers = [
        helper.make_tensor(name, TensorProto.INT64, [1], [n])
        for name, n in (("from", 0), ("to", 1), ("axis", 3))
    ]
    shapes = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 256, 256, c])
        for name, c in (("x", 3), ("y", 1))
    ]
    graph = helper.make_graph([node], "first", shapes[:1], shapes[1:], numbers)
    save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
        str(tmp_path / "net.onnx"),
    )
    assert prelabel.main([str(source), "--out", str(target), "--selfie", str(tmp_path / "net.onnx")]) == 0
    made = {row["file"]: row for row in json.loads((target / "people.json").read_text())["pictures"]}
    assert [made[f"{name}.png"].get("taught") for name in ("boxes", "true", "none", "held", "plain")] == [
        True,
        False,
        None,
        None,
        True,
    ]
    for name in ("boxes", "true", "plain"):
        written = cv2.imread(str(target / made[f"{name}.png"]["mask"]), cv2.IMREAD_GRAYSCALE)
        assert written is not None
        found = written > 127
        assert (found & (mask > 0)).sum() / (found | (mask > 0)).sum() > 0.95
    assert made["none.png"]["mask"] == "none" and (target / made["held.png"]["mask"]).exists()


def detector_of_channel(channel: int) -> prelabel.Run:
    """Return a detector with one box, whose score is the brightest value of a channel (0 to 2: B, G, R) in the right
    half of the letterboxed photograph.
    """
    return lambda canvas: (np.zeros((4, 1)), canvas[104:312, 208:, channel].max() / np.full(1, 255.0))


@pytest.mark.parametrize(
    ("painted_in", "wanted"), [((0, 0, 0), "none"), ((0, 0, 200), "a_mask.png"), ((0, 200, 0), "a_mask.png")]
)
def test_a_photograph_without_people_gets_a_true_empty_mask(
    tmp_path: Path, painted_in: tuple[int, int, int], wanted: str
) -> None:
    """Persons are red here and faces green; what lies on the left is found in the mirror image alone."""
    picture = np.zeros((60, 80, 3), np.uint8)
    picture[20:40, 5:25] = painted_in
    cv2.imwrite(str(tmp_path / "a.png"), picture)
    (tmp_path / "out").mkdir()
    entry = {"file": "a.png", "part": 0, "known": False, "boxes": [], "mask": None}
    teachers = Teachers(red, None, (detector_of_channel(2), detector_of_channel(1)))
    row = prelabel.relabel(entry, tmp_path, tmp_path / "out", teachers)
    assert row["mask"] == wanted and row.get("taught", False) == (wanted != "none")
    # A crowd's box means that persons may be there.
    crowd = entry | {"boxes": [[0, 0, 9, 9, CROWD]]}
    assert prelabel.relabel(crowd, tmp_path, tmp_path / "out", teachers)["mask"] == "a_mask.png"


def test_what_is_missing_is_said_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert prelabel.main([str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert "no people.json; write one" in capsys.readouterr().err
