"""Predict the motion of tracks: a Kalman filter over all tracks at once.

As in SORT (arXiv:1602.00763) and ByteTrack (arXiv:2110.06864), velocity is constant, and noise grows with the
box. Differences:

- The time between results is measured, not one: a network processes as many frames as it can.
- The state is center and size (BoT-SORT, arXiv:2206.14651) with uncorrelated noise: four filters of two
  states in closed form, so that 300 tracks cost what one does.
- The velocity of an undetected box fades (an Ornstein-Uhlenbeck process), that of its size sooner.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Final, Self

import numpy as np

# In box sizes: detector's error; velocity's change a second and initial maximum; other motion (camera shake).
_MEASURED: Final = 0.05
_ACCELERATION: Final = np.array((0.4, 0.4, 0.25, 0.25))
_FIRST_VELOCITY: Final = np.array((1.5, 1.5, 0.3, 0.3))
_SHAKE: Final = 0.05
# Seconds in which a velocity fades to 1/e.
_FADES: Final = np.array((4.0, 4.0, 0.5, 0.5))


@dataclass(frozen=True)
class Motion:
    """Position and velocity of tracks: float64 [n, 4] of center x, center y, width, height, in pixels.

    The means, with velocity per second, and the variances and covariance (`var_both`) of the two.
    """

    at: np.ndarray
    velocity: np.ndarray
    var_at: np.ndarray
    var_both: np.ndarray
    var_velocity: np.ndarray

    @classmethod
    def begun(cls, boxes: np.ndarray) -> Self:
        """Return the motion of newly detected boxes; float64 [n, 4] of left, top, right, bottom."""
        at = centered(boxes)
        sizes = _sizes(at)
        nothing = np.zeros_like(at)
        return cls(at, nothing, (2 * _MEASURED * sizes) ** 2, nothing, (_FIRST_VELOCITY * sizes) ** 2)

    def __len__(self) -> int:
        return len(self.at)

    def taken(self, which: np.ndarray) -> Motion:
        """Return a selection, by indices or a mask."""
        return Motion(*(getattr(self, field.name)[which] for field in fields(self)))

    def joined(self, other: Motion) -> Motion:
        """Return these followed by others."""
        return Motion(
            *(np.concatenate((getattr(self, f.name), getattr(other, f.name))) for f in fields(self))
        )

    def after(self, seconds: float) -> Motion:
        """Return the prediction some time later."""
        sizes = _sizes(self.at)
        fade = np.exp(-seconds / _FADES)
        reach = _FADES * (1.0 - fade)
        change = (_ACCELERATION * sizes) ** 2 * seconds
        var_at = (
            self.var_at
            + 2.0 * reach * self.var_both
            + reach**2 * self.var_velocity
            + change * seconds**2 / 3.0
            + (_SHAKE * sizes) ** 2 * seconds
        )
        var_both = fade * (self.var_both + reach * self.var_velocity) + change * seconds / 2.0
        at = self.at + reach * self.velocity
        # A box that shrinks stays one.
        at[:, 2:] = np.maximum(at[:, 2:], self.at[:, 2:] / 2.0)
        return Motion(at, fade * self.velocity, var_at, var_both, fade**2 * self.var_velocity + change)

    def corrected(self, which: np.ndarray, boxes: np.ndarray) -> Motion:
        """Return the motion after some were detected at boxes; float64 [k, 4] of left, top, right, bottom."""
        part, found = self.taken(which), centered(boxes)
        total = part.var_at + (_MEASURED * _sizes(found)) ** 2
        gain_at, gain_velocity = part.var_at / total, part.var_both / total
        off = found - part.at
        new = Motion(
            part.at + gain_at * off,
            part.velocity + gain_velocity * off,
            part.var_at * (1.0 - gain_at),
            part.var_both * (1.0 - gain_at),
            part.var_velocity - gain_velocity * part.var_both,
        )
        return self.replaced(which, new)

    def begun_again(self, which: np.ndarray, boxes: np.ndarray, seconds: float) -> Motion:
        """Return the motion of tracks that moved to boxes, float64 [k, 4] as above, in these seconds."""
        found = centered(boxes)
        velocity = np.zeros_like(found)
        velocity[:, :2] = (found - self.at[which])[:, :2] / seconds
        noise = (_MEASURED * _sizes(found)) ** 2
        return Motion(found, velocity, noise, noise / seconds, 2.0 * noise / seconds**2)

    def replaced(self, which: np.ndarray, others: Motion) -> Motion:
        """Return the motion with some replaced by others."""
        result = Motion(*(getattr(self, field.name).copy() for field in fields(self)))
        for field in fields(self):
            getattr(result, field.name)[which] = getattr(others, field.name)
        return result

    def shifted(self, by: np.ndarray) -> Motion:
        """Return the motion shifted by float64 [2] pixels, the camera's motion."""
        return replace(self, at=self.at + np.concatenate((by, (0.0, 0.0))))

    @property
    def boxes(self) -> np.ndarray:
        """Left, top, right, bottom; float64 [n, 4]."""
        half = self.at[:, 2:] / 2.0
        return np.concatenate((self.at[:, :2] - half, self.at[:, :2] + half), axis=1)


def centered(boxes: np.ndarray) -> np.ndarray:
    """Return center x, center y, width and height of boxes of left, top, right, bottom."""
    return np.concatenate(((boxes[:, :2] + boxes[:, 2:]) / 2.0, boxes[:, 2:] - boxes[:, :2]), axis=1)


def _sizes(at: np.ndarray) -> np.ndarray:
    return np.concatenate((at[:, 2:], at[:, 2:]), axis=1)
