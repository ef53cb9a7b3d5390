"""Assign detections to tracks: ByteTrack's association in steps, with recovery as in OC-SORT and C-BIoU.

1. Confident boxes (`TrackSpec.score`) are matched with tracks, also lost ones, that overlap with them at
  their predicted place (ByteTrack, arXiv:2110.06864).
2. Less confident boxes continue recently detected tracks: occluded objects have lower scores.
3. Remaining confident boxes are matched with lost tracks, enlarged over time (C-BIoU, arXiv:2211.14317).
4. Remaining confident boxes are matched with tracks that have no identity yet.
5. Remaining confident boxes are matched by center distance with tracks detected once, a moment ago, if
  neither has another candidate: without a velocity fast objects overlap too little. The track gets its
  identity once detected where its new velocity leads.

The others begin tracks. As a panning camera moves all boxes alike, the median deviation of the first step's
pairs is taken as its motion, also for lost tracks; not found in the frame by OpenCV (BoT-SORT), which needs a
read-back. No library fits, mostly for size (`trackers`: 340 MB) or license (docs/tracking.md).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np

from desktop.vision.tracking.matching import Pairs, assigned, near, overlapping
from desktop.vision.tracking.motion import Motion, centered
from desktop.vision.tracking.track import TrackSpec, TrackTally

# Maximum of tracked boxes a result, the best, and of tracks, the newest, to bound the time.
MAX_BOXES: Final = 500
_MAX_TRACKS: Final = 1000
# A longer gap between two results ends all tracks: seconds, at least; seconds between the first two results, whose rate
# is not known; and a multiple of the gap before.
_LONGEST_STEP: Final = 2.0
_LONGEST_FIRST_STEP: Final = 10.0
_LONGEST_STEP_RATIO: Final = 2.0
# Less confident boxes do not continue a track either.
_LEAST_SCORE: Final = 0.1
# Weight of a box's score in its similarity: of two boxes in one place, the more confident is matched.
_WEIGHT_OF_SCORE: Final = 0.3
# Overlap for the second step, high for uncertain boxes; seconds for which it continues a lost track.
_UNSURE_OVERLAP: Final = 0.4
_JUST_MATCHED: Final = 0.35
# Growth of a lost track's and a detected box for the third step, in sizes: at once, per second, and at most.
_GROWTH: Final = (0.15, 0.3, 0.6)
_RETURN_OVERLAP: Final = 0.4
# For the fifth step: maximum distance in sizes, least ratio of the sizes, and maximum seconds.
_YOUNG_DISTANCE: Final = 2.5
_YOUNG_SIZE: Final = 0.5
_YOUNG_S: Final = 0.5
# Less confident boxes are too often wrong: two would be taken for one fast object.
_YOUNG_SCORE: Final = 0.6
# Pairs needed to find the camera's motion; lasting share of a change; decay without pairs, in seconds.
_WITNESSES: Final = 4
_CAMERA_GAIN: Final = 0.3
_CAMERA_FADES: Final = 0.5
# From which shift on, in sizes, boxes are matched anew.
_NOTABLE_SHIFT: Final = 0.02


@dataclass(frozen=True)
class Tracks:
    """All tracks at one time; arrays of one row a track.

    Attributes:
        identity: int64 [n], 0 while they have none.
        hits, doubts: int64 [n], number of detections, and of additional ones needed for an identity.
        seen, group: float64 [n], pts of the last of those; int64 [n], their class.
        pts: presentation time of the newest result; None before the first.
        step: seconds between it and the result before; None for the first.
        camera: float64 [2], the camera's motion in pixels a second.
    """

    motion: Motion
    identity: np.ndarray
    hits: np.ndarray
    doubts: np.ndarray
    seen: np.ndarray
    group: np.ndarray
    pts: float | None
    camera: np.ndarray
    next_identity: int
    step: float | None = None

    @classmethod
    def none(cls, next_identity: int) -> Self:
        """Return no tracks."""
        numbers = np.zeros(0, np.int64)
        motion = Motion.begun(np.zeros((0, 4)))
        return cls(motion, numbers, numbers, numbers, np.zeros(0), numbers, None, np.zeros(2), next_identity)

    def taken(self, which: np.ndarray) -> Tracks:
        """Return a selection."""
        return replace(
            self,
            motion=self.motion.taken(which),
            identity=self.identity[which],
            hits=self.hits[which],
            doubts=self.doubts[which],
            seen=self.seen[which],
            group=self.group[which],
        )

    def expected(self, pts: float, remember: float) -> Tracks:
        """Return the tracks that are still remembered at a time, at their predicted positions."""
        if self.pts is None:
            return self
        seconds = pts - self.pts
        # Tracks of the previous result continue even if nothing is remembered, but not across a gap.
        is_next = (self.seen == self.pts) & (seconds <= self._longest_step)
        kept = self.taken(is_next | (pts - self.seen <= remember))
        return replace(kept, motion=kept.motion.after(seconds).shifted(self.camera * seconds))

    @property
    def _longest_step(self) -> float:
        # In a time lapse, or with a network that takes seconds, a fixed limit would end all tracks at each result.
        return (
            _LONGEST_FIRST_STEP if self.step is None else max(_LONGEST_STEP, _LONGEST_STEP_RATIO * self.step)
        )


@dataclass(frozen=True)
class TrackerInput:
    """Detections of one result: float64 [n, 4] of left, top, right, bottom in pixels, finite, with an area.

    Scores are float64 [n], 0 to 1; groups are the classes, int64 [n].
    """

    boxes: np.ndarray
    scores: np.ndarray
    groups: np.ndarray


def _unnamed(tracks: Tracks) -> int:
    """Return the number of objects in tracks without an identity."""
    return int(tracks.hits[tracks.identity == 0].sum())


class Tracker:
    """Tracks objects through results, in order; deterministic."""

    def __init__(self) -> None:
        self._before = self._tracks = Tracks.none(1)
        self._tally_before = self._tally = TrackTally()

    @property
    def tally(self) -> TrackTally:
        """Return the number of objects, and of those without an identity, which the newest may still get."""
        return replace(self._tally, unassigned=self._tally.unassigned + _unnamed(self._tracks))

    def _tallied(
        self, tracks: Tracks, found: TrackerInput, track_of: np.ndarray, spec: TrackSpec
    ) -> TrackTally:
        which = track_of[track_of >= 0]
        gone_on = int(tracks.hits[which][tracks.identity[which] == 0].sum())
        too_unsure = int(((track_of < 0) & (found.scores < spec.score)).sum())
        before = self._tally_before
        return TrackTally(
            before.detections + len(found.boxes),
            before.unassigned + _unnamed(self._before) - gone_on + too_unsure,
        )

    def cut(self) -> None:
        """Drop all tracks; no identity is reused."""
        self._tally_before = self._tally = self.tally
        self._before = self._tracks = Tracks.none(self._tracks.next_identity)

    @property
    def tracks(self) -> Tracks:
        """Return the tracks as of the newest result; those that it lacks are at their predicted positions."""
        return self._tracks

    def step(self, found: TrackerInput, pts: float, spec: TrackSpec) -> np.ndarray:
        """Process a result; return the identity of each detection, 0 for none: int64 [n].

        A result of an equal time replaces the previous one; an earlier time is a cut.
        """
        if self._tracks.pts is not None and pts < self._tracks.pts:
            self.cut()
        if pts != self._tracks.pts:
            self._before, self._tally_before = self._tracks, self._tally
        tracks = self._before.expected(pts, spec.remember)
        matching = _Matching(tracks, found, pts, spec)
        matching.match_sure()
        seconds = pts - tracks.pts if tracks.pts is not None else 0.0
        if seconds > 0.0:
            tracks, is_notable = _with_camera(tracks, found, matching.track_of, seconds)
            if is_notable:
                matching = _Matching(tracks, found, pts, spec)
                matching.match_sure()
        matching.match_others()
        self._tally = self._tallied(tracks, found, matching.track_of, spec)
        self._tracks, identities = _gone_on(tracks, found, matching, pts, spec)
        return identities


def _with_camera(
    tracks: Tracks, found: TrackerInput, track_of: np.ndarray, seconds: float
) -> tuple[Tracks, bool]:
    """Return the tracks shifted by the common motion of their pairs, and whether it is large."""
    things = np.flatnonzero(track_of >= 0)
    if len(things) < _WITNESSES:
        return replace(tracks, camera=tracks.camera * np.exp(-seconds / _CAMERA_FADES)), False
    at = centered(found.boxes[things])
    shift = np.median(at[:, :2] - tracks.motion.at[track_of[things], :2], axis=0)
    camera = tracks.camera + _CAMERA_GAIN * shift / seconds
    is_notable = bool((np.abs(shift) > _NOTABLE_SHIFT * np.median(at[:, 2:], axis=0)).any())
    return replace(tracks, motion=tracks.motion.shifted(shift), camera=camera), is_notable


class _Matching:
    """Matches the detections of a result with tracks.

    `track_of` is int64 [n], the track of each, -1 for none; `fast` int64 [k], those of the last step.
    """

    def __init__(self, tracks: Tracks, found: TrackerInput, pts: float, spec: TrackSpec) -> None:
        self._tracks, self._found, self._spec = tracks, found, spec
        self.track_of = np.full(len(found.boxes), -1)
        self._free = np.ones(len(tracks.seen), bool)
        self._known = tracks.identity > 0
        self.fast = np.zeros(0, np.int64)
        self._young_score = max(spec.score, _YOUNG_SCORE)
        self.seconds = 0.0 if tracks.pts is None else pts - tracks.pts
        self._missing = pts - tracks.seen  # for how long, as of this result
        self._sure = found.scores >= spec.score
        self._boxes = tracks.motion.boxes
        self._pairs = self._of_one_class(overlapping(self._boxes, found.boxes))

    def match_sure(self) -> None:
        """The first step."""
        weights = 1.0 - _WEIGHT_OF_SCORE + _WEIGHT_OF_SCORE * self._found.scores
        weighted = replace(self._pairs, likeness=self._pairs.likeness * weights[self._pairs.second])
        self._match(self._known, self._sure, weighted, self._spec.overlap)

    def match_others(self) -> None:
        """The steps after it."""
        unsure = ~self._sure & (self._found.scores >= _LEAST_SCORE)
        recent = self._known & (self._missing <= _JUST_MATCHED)
        self._match(recent, unsure, self._pairs, max(_UNSURE_OVERLAP, self._spec.overlap))
        self._match_returning()
        self._match(~self._known, self._sure, self._pairs, self._spec.overlap)
        self._match_young()

    def _match_returning(self) -> None:
        rows = np.flatnonzero(self._known & self._free)
        columns = np.flatnonzero(self._sure & (self.track_of < 0))
        if not len(rows) or not len(columns):
            return
        at_once, a_second, at_most = _GROWTH
        growth = np.minimum(at_once + a_second * self._missing[rows], at_most)
        found = overlapping(self._boxes[rows], self._found.boxes[columns], growth)
        found = self._of_one_class(Pairs(rows[found.first], columns[found.second], found.likeness))
        self._match(self._known, self._sure, found, _RETURN_OVERLAP)

    def _match_young(self) -> None:
        tracks = self._tracks
        if tracks.pts is None or not 0.0 < self.seconds <= _YOUNG_S:
            return
        rows = np.flatnonzero((tracks.hits == 1) & (tracks.seen == tracks.pts) & self._free)
        columns = np.flatnonzero((self._found.scores >= self._young_score) & (self.track_of < 0))
        if not len(rows) or not len(columns):
            return
        found = near(self._boxes[rows], self._found.boxes[columns], _YOUNG_DISTANCE, _YOUNG_SIZE)
        is_one = tracks.group[rows[found.first]] == self._found.groups[columns[found.second]]
        pairs = found.taken(is_one).without_rivals()
        self.track_of[columns[pairs.second]] = rows[pairs.first]
        self._free[rows[pairs.first]] = False
        self.fast = columns[pairs.second]

    def _of_one_class(self, pairs: Pairs) -> Pairs:
        if not self._spec.by_class:
            return pairs
        return pairs.taken(self._tracks.group[pairs.first] == self._found.groups[pairs.second])

    def _match(self, tracks: np.ndarray, things: np.ndarray, pairs: Pairs, least: float) -> None:
        """Match the unmatched of some tracks and some detections, both given by masks."""
        open_tracks, open_things = tracks & self._free, things & (self.track_of < 0)
        chosen = assigned(pairs.taken(open_tracks[pairs.first] & open_things[pairs.second]), least)
        self.track_of[chosen.second] = chosen.first
        self._free[chosen.first] = False


def _gone_on(
    tracks: Tracks, found: TrackerInput, matching: _Matching, pts: float, spec: TrackSpec
) -> tuple[Tracks, np.ndarray]:
    """Return the tracks after a result, and the identity of each detection."""
    track_of, fast = matching.track_of, matching.fast
    things = np.flatnonzero(track_of >= 0)
    which = track_of[things]
    motion = tracks.motion.corrected(which, found.boxes[things])
    if len(fast):
        begun = tracks.motion.begun_again(track_of[fast], found.boxes[fast], matching.seconds)
        motion = motion.replaced(track_of[fast], begun)
    hits, seen, group = tracks.hits.copy(), tracks.seen.copy(), tracks.group.copy()
    doubts = tracks.doubts.copy()
    doubts[track_of[fast]] = 1
    hits[which] += 1
    seen[which] = pts
    group[which] = found.groups[things]
    # Begin tracks for unmatched detections.
    new = np.flatnonzero((track_of < 0) & (found.scores >= spec.score))
    count = len(tracks.seen)
    track_of = track_of.copy()
    track_of[new] = np.arange(count, count + len(new))
    identity = np.concatenate((tracks.identity, np.zeros(len(new), np.int64)))
    hits = np.concatenate((hits, np.ones(len(new), np.int64)))
    doubts = np.concatenate((doubts, np.zeros(len(new), np.int64)))
    seen = np.concatenate((seen, np.full(len(new), pts)))
    # After a cut an object cannot take another's identity by mistake: it gets its own immediately.
    due = (identity == 0) & (hits >= (spec.hits + doubts if tracks.pts is not None else 1))
    # In the order of the objects, the best first.
    followed = track_of >= 0
    named = track_of[followed]
    named = named[due[named]]
    identity[named] = np.arange(tracks.next_identity, tracks.next_identity + len(named))
    after = Tracks(
        motion.joined(Motion.begun(found.boxes[new])),
        identity,
        hits,
        doubts,
        seen,
        np.concatenate((group, found.groups[new])),
        pts,
        tracks.camera,
        tracks.next_identity + len(named),
        None if tracks.pts is None else pts - tracks.pts,
    )
    identities = np.zeros(len(track_of), np.int64)
    identities[followed] = identity[track_of[followed]]
    # Tracks without an identity live until the next result; of too many others, the longest lost are dropped.
    keep = (identity > 0) | (seen == pts)
    if keep.sum() > _MAX_TRACKS:
        newest = np.argsort(-seen, kind="stable")
        keep[newest[_MAX_TRACKS:]] = False
    return after.taken(keep), identities
