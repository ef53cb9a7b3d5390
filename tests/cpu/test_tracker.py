"""The tracker: who is who, against its definitions, a full Kalman filter, published figures, and what
strangers' networks may give.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mot_measure import idf1, iou, walk

from desktop.vision.tracking.matching import Pairs, assigned, overlapping
from desktop.vision.tracking.motion import Motion, centered
from desktop.vision.tracking.track import TrackSpec, TrackTally
from desktop.vision.tracking.tracker import MAX_BOXES, Tracker, TrackerInput


def tracker_input(*boxes: tuple[float, float, float, float], scores=None, groups=None) -> TrackerInput:
    count = len(boxes)
    return TrackerInput(
        np.array(boxes, float).reshape(count, 4),
        np.full(count, 0.9) if scores is None else np.array(scores, float),
        np.zeros(count, np.int64) if groups is None else np.array(groups, np.int64),
    )


def at(x: float, y: float = 100.0, size: float = 40.0) -> tuple[float, float, float, float]:
    return (x, y, x + size, y + 2 * size)


def steps(tracker: Tracker, results: list[TrackerInput], spec: TrackSpec | None = None, rate: float = 30.0):
    return [tracker.step(each, i / rate, spec or TrackSpec()).tolist() for i, each in enumerate(results)]


# -- parts ---------------------------------------------------------------------------------------------------


def boxes(random: np.random.Generator, count: int) -> np.ndarray:
    corner = random.uniform(0, 200, (count, 2))
    return np.concatenate((corner, corner + random.uniform(5, 80, (count, 2))), axis=1)


def test_overlaps_are_the_iou():
    random = np.random.default_rng(1)
    a, b = boxes(random, 30), boxes(random, 40)
    pairs = overlapping(a, b)
    matrix = np.zeros((30, 40))
    matrix[pairs.first, pairs.second] = pairs.likeness
    np.testing.assert_allclose(matrix, iou(a, b), atol=1e-5)
    growth = random.uniform(0, 0.5, 30)
    pairs = overlapping(a, b, growth)
    for i in range(30):

        def grown(box, by=growth[i]):
            side = by * (box[:, 2:] - box[:, :2])
            return np.concatenate((box[:, :2] - side, box[:, 2:] + side), axis=1)

        row = np.zeros(40)
        row[pairs.second[pairs.first == i]] = pairs.likeness[pairs.first == i]
        np.testing.assert_allclose(row, iou(grown(a[i : i + 1]), grown(b))[0], atol=1e-5)
    assert len(overlapping(a[:0], b).first) == 0 and len(overlapping(a, b[:0]).first) == 0


@pytest.mark.parametrize("seed", range(20))
def test_the_assignment_is_the_best_there_is(seed):
    random = np.random.default_rng(seed)
    likeness = np.where(random.random((4, 5)) < 0.6, random.random((4, 5)), 0.0).astype(np.float32)
    first, second = np.nonzero(likeness)
    got = assigned(Pairs(first, second, likeness[first, second]), 0.25)
    assert len(set(got.first.tolist())) == len(set(got.second.tolist())) == len(got.first)
    assert (got.likeness > 0.25).all() and (likeness[got.first, got.second] == got.likeness).all()
    best = max(
        sum(max(0.0, likeness[i, j] - 0.25) for i, j in enumerate(order))
        for order in itertools.permutations(range(5), 4)
    )
    assert (got.likeness - 0.25).sum() == pytest.approx(best, abs=1e-5)


def test_the_closed_form_is_a_kalman_filter():
    """Against the filter's matrices, for one track and its center's x: the noise of a velocity that fades is
    integrated in small steps.
    """
    random = np.random.default_rng(3)
    motion = Motion.begun(np.array([[100.0, 100.0, 140.0, 200.0]]))
    mean = np.array([motion.at[0, 0], motion.velocity[0, 0]])
    cov = np.array([[motion.var_at[0, 0], 0.0], [0.0, motion.var_velocity[0, 0]]])
    for seconds in (1 / 30, 1 / 30, 0.1, 0.02):
        size = motion.at[0, 2]
        fine = seconds / 1000
        for _ in range(1000):
            step = np.array([[1.0, fine], [0.0, 1.0 - fine / 4.0]])
            mean = step @ mean
            noise = np.diag([(0.05 * size) ** 2, (0.4 * size) ** 2]) * fine
            cov = step @ cov @ step.T + noise
        motion = motion.after(seconds)
        np.testing.assert_allclose((motion.at[0, 0], motion.velocity[0, 0]), mean, rtol=1e-3)
        predicted = (motion.var_at[0, 0], motion.var_both[0, 0], motion.var_velocity[0, 0])
        np.testing.assert_allclose(predicted, (cov[0, 0], cov[0, 1], cov[1, 1]), rtol=0.02)
        box = np.array([[100.0, 100.0, 140.0, 200.0]]) + random.normal(0, 5)
        cov = np.array([[predicted[0], predicted[1]], [predicted[1], predicted[2]]])
        mean = np.array([motion.at[0, 0], motion.velocity[0, 0]])
        measured = (0.05 * centered(box)[0, 2]) ** 2
        gain = cov[:, 0] / (cov[0, 0] + measured)
        mean = mean + gain * (centered(box)[0, 0] - mean[0])
        cov = cov - np.outer(gain, cov[0])
        motion = motion.corrected(np.array([0]), box)
        np.testing.assert_allclose((motion.at[0, 0], motion.velocity[0, 0]), mean, rtol=1e-9)
        np.testing.assert_allclose(
            (motion.var_at[0, 0], motion.var_both[0, 0], motion.var_velocity[0, 0]),
            (cov[0, 0], cov[0, 1], cov[1, 1]),
            rtol=1e-9,
        )


# -- who is who ----------------------------------------------------------------------------------------------


def test_things_keep_their_identity_and_the_best_is_numbered_first():
    results = [tracker_input(at(100 + 3 * i), at(400 - 3 * i), scores=(0.7, 0.9)) for i in range(20)]
    assert steps(Tracker(), results) == [[1, 2]] * 20


def test_what_is_new_gets_an_identity_once_it_was_found_twice():
    results = [tracker_input(at(100))] * 3 + [tracker_input(at(100), at(300))] * 3
    assert steps(Tracker(), results) == [[1]] * 3 + [[1, 0], [1, 2], [1, 2]]
    assert steps(Tracker(), results, TrackSpec(hits=3)) == [[1]] * 3 + [[1, 0], [1, 0], [1, 2]]
    flickers = [tracker_input(at(100)), tracker_input(at(100), at(300))] * 4
    assert all(ids[1:] in ([], [0]) for ids in steps(Tracker(), flickers)), "a false box gets none"


def hidden(frames: int) -> list[TrackerInput]:
    """Two that walk, one of whom is not seen for a while."""
    return [
        tracker_input(at(100 + 3 * i), at(100, 400))
        if not 20 <= i < 20 + frames
        else tracker_input(at(100, 400))
        for i in range(30 + frames)
    ]


def test_who_was_hidden_for_a_second_returns_as_the_same():
    assert steps(Tracker(), hidden(30))[-1] == [1, 2]
    assert steps(Tracker(), hidden(30), TrackSpec(remember=0.5))[-1] == [3, 2]
    assert steps(Tracker(), hidden(1), TrackSpec(remember=0.0))[-1] == [3, 2]


def test_who_is_hidden_is_expected_where_he_would_be():
    tracker = Tracker()
    steps(tracker, hidden(30)[:45])
    tracks = tracker.tracks
    [expected] = tracks.motion.boxes[tracks.seen < tracks.pts]
    assert iou(expected[None], np.array([at(100 + 3 * 44)]))[0, 0] > 0.5


def test_two_that_cross_keep_their_identities():
    results = [tracker_input(at(100 + 6 * i, 100), at(400 - 6 * i, 130)) for i in range(50)]
    assert steps(Tracker(), results)[-1] == [1, 2]


@pytest.mark.parametrize("every", [2, 3, 6])
def test_a_network_that_sees_every_nth_picture_tells_the_same(every):
    results = [tracker_input(at(100 + 3 * i), at(600 - 3 * i, 300)) for i in range(60)]
    tracker = Tracker()
    assert all(tracker.step(results[i], i / 30, TrackSpec()).tolist() == [1, 2] for i in range(0, 60, every))


@pytest.mark.parametrize("seconds", [1.0, 2.5, 5.0, 9.0])
def test_results_that_are_seconds_apart_are_followed(seconds):
    """Of a slow network, or a camera with a frame every few seconds."""
    results = [tracker_input(at(100 + 3 * i), at(400, 130)) for i in range(8)]
    tracker, spec = Tracker(), TrackSpec()
    assert all(tracker.step(found, i * seconds, spec).tolist() == [1, 2] for i, found in enumerate(results))
    # Twice as long as usual is a result that is missing, longer is a gap.
    after = 7 * seconds + max(2.0, 2 * seconds)
    assert tracker.step(results[-1], after, spec).tolist() == [1, 2]
    assert tracker.step(results[-1], after + 5 * seconds + 20, spec).tolist() == [0, 0]


def test_a_gap_between_fast_results_ends_all_tracks():
    tracker = Tracker()
    assert steps(tracker, [tracker_input(at(100))] * 10)[-1] == [1]
    last = tracker.tracks.pts
    assert tracker.step(tracker_input(at(100)), last + 2.1, TrackSpec(remember=0.0)).tolist() == [0]


def test_motion_goes_by_time_and_not_by_results():
    random = np.random.default_rng(5)
    times = np.cumsum(random.uniform(0.01, 0.15, 60))
    tracker = Tracker()
    for pts in times:
        ids = tracker.step(
            tracker_input(at(100 + 120 * pts), at(900 - 120 * pts, 300)), float(pts), TrackSpec()
        )
        assert ids.tolist() == [1, 2]
    velocity = tracker.tracks.motion.velocity[:, 0] + tracker.tracks.camera[0]
    np.testing.assert_allclose(velocity, (120, -120), rtol=0.1)


def test_what_is_unsure_goes_on_and_does_not_begin():
    results = [
        tracker_input(at(100 + 3 * i), at(400), scores=(0.9 if i < 10 else 0.15, 0.15)) for i in range(20)
    ]
    assert steps(Tracker(), results) == [[1, 0]] * 20
    results = [tracker_input(at(100 + 3 * i), scores=(0.9 if i < 10 else 0.05,)) for i in range(20)]
    assert steps(Tracker(), results)[-1] == [0], "below 0.1 nothing goes on"


def test_a_class_is_kept_unless_that_is_not_wanted():
    results = [tracker_input(at(100), groups=(int(i >= 10),)) for i in range(14)]
    assert steps(Tracker(), results)[-1] == [2]
    assert steps(Tracker(), results, TrackSpec(by_class=False))[-1] == [1]


def test_a_picture_that_is_seen_again_ages_nothing():
    tracker, spec = Tracker(), TrackSpec(hits=3)
    tracker.step(tracker_input(), 0.0, spec)
    for _ in range(5):
        assert tracker.step(tracker_input(at(100)), 1 / 30, spec).tolist() == [0]
    assert tracker.step(tracker_input(at(101)), 2 / 30, spec).tolist() == [0]
    # A lower score shows more of the same picture.
    assert tracker.step(tracker_input(at(102), at(300)), 3 / 30, spec).tolist() == [1, 0]
    assert tracker.step(tracker_input(at(102)), 3 / 30, spec).tolist() == [1]


def test_after_a_cut_or_a_loop_all_identities_are_new():
    tracker = Tracker()
    assert steps(tracker, [tracker_input(at(100))] * 3)[-1] == [1]
    assert tracker.step(tracker_input(at(100)), 0.0, TrackSpec()).tolist() == [2], (
        "back in time: a loop, a seek"
    )
    tracker.cut()
    assert tracker.step(tracker_input(at(100)), 1 / 30, TrackSpec()).tolist() == [3]
    assert tracker.step(tracker_input(at(100)), 60.0, TrackSpec()).tolist() != [3], (
        "a minute later nobody is remembered"
    )


def test_a_camera_that_pans_does_not_confuse_anybody():
    """All boxes jump by more than their width from one result to the next, faster than any of them ever
    moved.
    """
    places = [(60.0 + 90 * k, 80.0 + 37 * (k % 5)) for k in range(12)]
    shift = np.cumsum(np.concatenate((np.zeros(10), np.linspace(0, 25, 10), np.full(20, 25.0))))
    results = [tracker_input(*(at(x + shift[i], y) for x, y in places)) for i in range(40)]
    assert steps(Tracker(), results)[-1] == list(range(1, 13))


# -- quality -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
def test_people_that_walk_are_told_apart_under_faults_of_the_detector(seed):
    scene, tracker, rows, perfect = walk(seed), Tracker(), [], []

    def told(frame: int, seen: np.ndarray, who: np.ndarray) -> np.ndarray:
        return np.column_stack((np.full(len(seen), frame), who, seen[:, :4]))

    for frame, (seen, who) in enumerate(zip(scene.found, scene.who, strict=True)):
        things = TrackerInput(seen[:, :4], seen[:, 4], np.zeros(len(seen), np.int64))
        identities = tracker.step(things, frame / 30, TrackSpec())
        rows.append(told(frame, seen, identities)[identities > 0])
        perfect.append(told(frame, seen, who)[who >= 0])
    most = idf1(scene.truth, np.concatenate(perfect))
    assert idf1(scene.truth, np.concatenate(rows)) > 0.84 * most


@pytest.mark.shared
@pytest.mark.parametrize(("name", "least"), [("TUD-Campus", 0.61), ("TUD-Stadtmitte", 0.76)])
def test_published_detections_are_followed_at_least_as_by_bytetrack(shared, name, least):
    """`least` is ByteTrack's IDF1 by benchmarks/tracking.py, rounded up; the measure first repeats a
    published figure.
    """

    def rows(path: Path) -> np.ndarray:
        data = np.loadtxt(path, delimiter=",", ndmin=2)
        return np.column_stack((data[:, :4], data[:, 2:4] + data[:, 4:6], data[:, 6]))

    mot = shared / "mot"
    truth = rows(mot / "motmetrics" / name / "gt.txt")
    published = json.loads((mot / "expected.json").read_text())["published"]
    expected = next(v["IDF1"] for k, v in published.items() if k.startswith(f"motmetrics/{name}"))
    assert idf1(truth, rows(mot / "motmetrics" / name / "test.txt")) == pytest.approx(expected, abs=1e-5)
    seen, tracker, result = rows(mot / "sort" / "train" / name / "det" / "det.txt"), Tracker(), []
    for frame in range(1, int(truth[:, 0].max()) + 1):
        of_frame = seen[seen[:, 0] == frame]
        things = TrackerInput(of_frame[:, 2:6], of_frame[:, 6], np.zeros(len(of_frame), np.int64))
        identities = tracker.step(things, frame / 25, TrackSpec())
        result.append(np.column_stack((of_frame[:, 0], identities, of_frame[:, 2:6]))[identities > 0])
    assert idf1(truth, np.concatenate(result)) >= least


# -- what strangers' networks give ---------------------------------------------------------------------------


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 60), st.floats(0.0, 3.0)), min_size=1, max_size=12
    )
)
def test_whatever_comes_identities_are_unique_and_the_same_each_time(plan):
    def run() -> list[list[int]]:
        tracker, pts, told = Tracker(), 0.0, []
        for seed, count, later in plan:
            random = np.random.default_rng(seed)
            pts += later - 0.2  # at times back
            corner = random.choice((0.0, 50.0, 1e4, -1e4), (count, 2)) + random.normal(0, 3, (count, 2))
            extent = random.choice((0.01, 30.0, 1e5), (count, 2))
            data = TrackerInput(
                np.concatenate((corner, corner + extent), axis=1),
                random.random(count),
                random.integers(0, 3, count),
            )
            told.append(tracker.step(data, pts, TrackSpec()).tolist())
            numbered = [number for number in told[-1] if number]
            assert len(set(numbered)) == len(numbered) and len(told[-1]) == count
            assert np.isfinite(tracker.tracks.motion.boxes).all()
        return told

    assert run() == run()


def test_a_crowd_in_one_place_leaves_a_bounded_number_of_tracks():
    """All overlap with all, which is the most that the assignment can have to do."""
    tracker, random = Tracker(), np.random.default_rng(2)
    for i in range(6):
        corner = random.normal(500, 2, (MAX_BOXES, 2))
        data = TrackerInput(
            np.concatenate((corner, corner + 100), axis=1),
            random.random(MAX_BOXES),
            np.zeros(MAX_BOXES, np.int64),
        )
        ids = tracker.step(data, i / 30, TrackSpec())
        numbered = ids[ids > 0]
        assert len(np.unique(numbered)) == len(numbered)
    assert len(tracker.tracks.seen) <= 2 * MAX_BOXES


# -- what is fast --------------------------------------------------------------------------------------------


def fast(speed: float, count: int = 12, since: float = -0.04) -> tuple[list[int], Tracker]:
    """The identities of a box of 40 pixels that goes so many pixels a picture, 25 pictures a second, after
    one with nothing.
    """
    tracker = Tracker()
    tracker.step(TrackerInput(np.zeros((0, 4)), np.zeros(0), np.zeros(0, np.int64)), since, TrackSpec())
    found = []
    for number in range(count):
        box = np.array([[number * speed, 0.0, number * speed + 40.0, 40.0]])
        things = TrackerInput(box, np.array([0.9]), np.zeros(1, np.int64))
        found.append(int(tracker.step(things, number / 25, TrackSpec())[0]))
    return found, tracker


@pytest.mark.parametrize("speed", [5, 20, 25, 40, 60, 95])
def test_what_moves_by_more_than_half_its_size_is_one_thing(speed):
    found, tracker = fast(speed)
    assert set(found[2:]) == {1} and tracker.tally == TrackTally(12, 0)


def test_what_nothing_follows_is_counted():
    found, tracker = fast(400)
    assert set(found) == {0} and tracker.tally == TrackTally(12, 12)
    tracker.cut()
    assert tracker.tally == TrackTally(12, 12)
    # The same picture seen again is not more things.
    _, tracker = fast(400, count=1)
    things = TrackerInput(np.array([[0.0, 0.0, 40.0, 40.0]]), np.array([0.1]), np.zeros(1, np.int64))
    for _ in range(3):
        tracker.step(things, 0.0, TrackSpec())
    assert tracker.tally == TrackTally(1, 1)


def test_two_that_could_be_either_are_not_guessed():
    tracker = Tracker()
    for number in range(3):
        left = number * 60.0
        boxes = np.array([[left, 0.0, left + 40, 40.0], [left, 50.0, left + 40, 90.0]])
        found = tracker.step(
            TrackerInput(boxes, np.full(2, 0.9), np.zeros(2, np.int64)), number / 25, TrackSpec()
        )
    assert found.tolist() == [0, 0]
