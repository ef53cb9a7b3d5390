"""Geometry filters against bilinear interpolation in NumPy, and against OpenCV's own transforms.

A GPU's bilinear weights have 8 bits, so that a sample across the picture's hardest edge (a step of 0.9) is
off by 0.9 / 512 for each axis; f16 adds 2^-12. OpenCV's `remap` and `warpAffine` have weights of 5 bits only,
so they are compared by the mean.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from filter_rig import FilterRig, natural_picture
from sampling_reference import bilinear, pixel_centers

TOLERANCE = 6e-3
FILLS = ["black", "edge", "mirror", "repeat"]


@pytest.fixture(scope="module")
def rig(gpu):
    return FilterRig(gpu)


@pytest.fixture(scope="module")
def picture():
    return natural_picture(97, 64)


def close(actual, expected, atol=TOLERANCE):
    np.testing.assert_allclose(actual[..., :3], expected, atol=atol)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("rotate", {"angle": 0}),
        ("crop", {}),
        ("crop", {"size": "in place"}),
        ("swirl", {"angle": 0}),
        ("lens_distortion", {"k1": 0, "zoom": 1}),
        ("chromatic_aberration", {"shift": 0}),
        ("zoom_blur", {"strength": 0}),
        ("tilt_shift", {"radius": 0}),
        ("kaleidoscope", {"segments": 1, "slice": 0}),
        ("ripple", {"amplitude": 0}),
    ],
)
def test_neutral_values_change_nothing(rig, picture, name, values):
    expected = picture.copy()
    if name == "kaleidoscope":  # one pair of slices mirrors the lower half onto the upper, about the middle
        expected[:32] = picture[::-1][:32]
    close(rig.run(name, picture, **values), expected, atol=1e-3)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("flip horizontally", lambda p: cv2.flip(p, 1)),
        ("flip vertically", lambda p: cv2.flip(p, 0)),
        ("turn by 180°", lambda p: cv2.rotate(p, cv2.ROTATE_180)),
        ("left half", lambda p: np.hstack([p[:, :49], p[:, :48][:, ::-1]])),
        ("right half", lambda p: np.hstack([p[:, 49:][:, ::-1], p[:, 48:]])),
        ("top half", lambda p: np.vstack([p[:32], p[:32][::-1]])),
        ("bottom half", lambda p: np.vstack([p[32:][::-1], p[32:]])),
        (
            "four-way",
            lambda p: cv2.copyMakeBorder(p[:32, :49], 0, 32, 0, 49, cv2.BORDER_REFLECT)[
                :, [*range(49), *range(50, 98)]
            ],
        ),
    ],
)
def test_mirror(rig, picture, mode, expected):
    close(rig.run("mirror", picture, mode=mode), expected(picture), atol=5e-4)


@pytest.mark.parametrize("fill", FILLS)
@pytest.mark.parametrize(
    ("angle", "center", "zoom"), [(30.0, (0.5, 0.5), 1.0), (-107.5, (0.3, 0.8), 0.6), (90.0, (0.5, 0.5), 1.7)]
)
def test_rotate(rig, picture, fill, angle, center, zoom):
    height, width = picture.shape[:2]
    cx, cy = center[0] * width, center[1] * height
    # OpenCV's matrix: anticlockwise angle, integer pixel centers, maps the picture to the frame.
    matrix = np.vstack([cv2.getRotationMatrix2D((cx - 0.5, cy - 0.5), -angle, zoom), [0, 0, 1]])
    inverse = np.linalg.inv(matrix)
    x, y = (c - 0.5 for c in pixel_centers(height, width))
    sx, sy = (inverse[i, 0] * x + inverse[i, 1] * y + inverse[i, 2] + 0.5 for i in (0, 1))
    output = rig.run("rotate", picture, angle=angle, center=center, zoom=zoom, size="keep", fill=fill)
    close(output, bilinear(picture, sx, sy, fill))
    border = {
        "black": cv2.BORDER_CONSTANT,
        "edge": cv2.BORDER_REPLICATE,
        "mirror": cv2.BORDER_REFLECT,
        "repeat": cv2.BORDER_WRAP,
    }
    opencv = cv2.warpAffine(
        picture, matrix[:2], (width, height), flags=cv2.INTER_LINEAR, borderMode=border[fill]
    )
    assert np.abs(output[..., :3] - opencv).mean() < 2e-3


@pytest.mark.parametrize("angle", [12.0, 45.0, -160.0, 90.0])
def test_rotate_covers_and_fits(rig, angle):
    white = np.ones((60, 100, 3), np.float32)
    covered = rig.run("rotate", white, angle=angle, size="cover", fill="black")
    np.testing.assert_allclose(covered[..., :3], 1, atol=2e-3)
    smaller = rig.run("rotate", white, angle=angle, size="cover", fill="black", zoom=0.97)
    assert smaller[..., :3].min() < 0.6  # so it was no larger than needed
    fitted = rig.run("rotate", white, angle=angle, size="fit", fill="black")[..., 0]
    c, s = abs(np.cos(np.radians(angle))), abs(np.sin(np.radians(angle)))
    scale = min(100 / (100 * c + 60 * s), 60 / (100 * s + 60 * c))
    assert fitted.sum() == pytest.approx(6000 * scale**2, rel=0.01)


def test_transparent_fill_keeps_the_color(rig, picture):
    height, width = picture.shape[:2]
    x, y = pixel_centers(height, width)
    source = (x - width / 2 + 1j * (y - height / 2)) * np.exp(-1j * np.radians(30))
    at = source.real + width / 2, source.imag + height / 2
    output = rig.run("rotate", picture, angle=30, size="keep", fill="transparent")
    close(output, bilinear(picture, *at, "edge"))
    np.testing.assert_allclose(
        output[..., 3], bilinear(np.ones((height, width, 1)), *at, "black")[..., 0], atol=6e-3
    )


@pytest.mark.parametrize(
    "values",
    [
        {"left": 20, "right": 30, "top": 25, "bottom": 25, "size": "stretch"},
        {"zoom": 2.5, "pan": (0.2, 0.9)},
        {"left": 40, "zoom": 1.5, "pan": (1, 0), "size": "cover"},
    ],
)
def test_crop(rig, picture, values):
    height, width = picture.shape[:2]
    left, right = width * values.get("left", 0) / 100, width * (1 - values.get("right", 0) / 100)
    top, bottom = height * values.get("top", 0) / 100, height * (1 - values.get("bottom", 0) / 100)
    zoom, pan = values.get("zoom", 1), values.get("pan", (0.5, 0.5))
    w, h = (right - left) / zoom, (bottom - top) / zoom
    x0, y0 = left + pan[0] * (right - left - w), top + pan[1] * (bottom - top - h)
    if values.get("size") == "cover":  # the largest part of the frame's aspect, in the middle
        part = min(w / width, h / height)
        x0, y0 = x0 + (w - part * width) / 2, y0 + (h - part * height) / 2
        w, h = part * width, part * height
    x, y = pixel_centers(height, width)
    close(rig.run("crop", picture, **values), bilinear(picture, x0 + x * w / width, y0 + y * h / height))


def test_crop_fits_with_bars_and_leaves_in_place(rig):
    picture = natural_picture(96, 64)
    output = rig.run("crop", picture, left=25, right=25)[
        ..., :3
    ]  # half as wide, so as high as before: bars left and right
    close(output[:, 24:72], picture[:, 24:72], atol=1e-3)
    assert max(output[:, :24].max(), output[:, 72:].max()) < 1e-4
    output = rig.run("crop", picture, top=50, size="in place")[..., :3]
    close(output[32:], picture[32:], atol=1e-3)
    assert output[:32].max() == 0


@pytest.mark.parametrize("share", [50, 20, 37.5])
def test_crop_in_place_divides_the_picture(rig, share):
    """Every pixel is on one side of a cut, also those whose center is on it (50 % of 97 pixels)."""
    white = np.ones((31, 97, 3), np.float32)
    right = rig.run("crop", white, left=share, size="in place")[..., :3]
    left = rig.run("crop", white, right=100 - share, size="in place")[..., :3]
    np.testing.assert_array_equal(left + right, white)
    assert left[0, :, 0].sum() == round(97 * share / 100 - 0.01)


@pytest.mark.parametrize(
    ("segments", "turn", "slice_", "zoom", "center"),
    [(6, 0, 30, 1, (0.5, 0.5)), (5, 17, -80, 1.6, (0.3, 0.7))],
)
def test_kaleidoscope(rig, picture, segments, turn, slice_, zoom, center):
    height, width = picture.shape[:2]
    x, y = pixel_centers(height, width)
    z = (x - center[0] * width) + 1j * (y - center[1] * height)
    # Reflect in the line along the slice's edge until the angle lies in the slice.
    half = np.pi / segments
    angle = (np.angle(z) - np.radians(turn)) % (2 * half)
    angle = np.where(angle > half, 2 * half - angle, angle) + np.radians(slice_)
    sx, sy = (
        center[0] * width + np.abs(z) / zoom * np.cos(angle),
        center[1] * height + np.abs(z) / zoom * np.sin(angle),
    )
    output = rig.run(
        "kaleidoscope", picture, segments=segments, turn=turn, slice=slice_, zoom=zoom, center=center
    )
    close(output, bilinear(picture, sx, sy, "mirror"), atol=8e-3)


@pytest.mark.parametrize(
    ("angle", "radius", "center"), [(180.0, 60.0, (0.5, 0.5)), (-400.0, 90.0, (0.4, 0.6))]
)
def test_swirl(rig, picture, angle, radius, center):
    height, width = picture.shape[:2]
    x, y = pixel_centers(height, width)
    middle = center[0] * width + 1j * center[1] * height
    z = x + 1j * y - middle
    twist = np.radians(angle) * np.clip(1 - np.abs(z) / (radius / 100 * height), 0, None) ** 2
    source = middle + z * np.exp(-1j * twist)
    output = rig.run("swirl", picture, angle=angle, radius=radius, center=center)
    close(output, bilinear(picture, source.real, source.imag, "mirror"), atol=8e-3)


@pytest.mark.parametrize(("k1", "k2", "zoom"), [(0.3, 0.0, 1.0), (-0.25, 0.1, 1.0), (0.2, 0.3, 1.4)])
def test_lens_distortion(rig, picture, k1, k2, zoom):
    height, width = picture.shape[:2]
    focal = np.hypot(width, height) / 2  # so that a corner is at radius 1
    source = np.array([[focal, 0, width / 2 - 0.5], [0, focal, height / 2 - 0.5], [0, 0, 1]])
    target = source * [[zoom, 1, 1], [1, zoom, 1], [1, 1, 1]]
    x, y = cv2.initUndistortRectifyMap(
        source, np.array([k1, k2, 0, 0.0]), None, target, (width, height), cv2.CV_32FC1
    )
    output = rig.run("lens_distortion", picture, k1=k1, k2=k2, zoom=zoom)
    close(output, bilinear(picture, x + 0.5, y + 0.5, "black"))


@pytest.mark.parametrize(("shift", "center"), [(4.0, (0.5, 0.5)), (-7.5, (0.3, 0.6))])
def test_chromatic_aberration(rig, picture, shift, center):
    height, width = picture.shape[:2]
    x, y = pixel_centers(height, width)
    scale = shift / (np.hypot(width, height) / 2)
    dx, dy = (x - center[0] * width) * scale, (y - center[1] * height) * scale
    expected = picture.astype(np.float64)
    expected[..., 0] = bilinear(picture, x - dx, y - dy)[..., 0]
    expected[..., 2] = bilinear(picture, x + dx, y + dy)[..., 2]
    close(rig.run("chromatic_aberration", picture, shift=shift, center=center), expected)


def test_chromatic_aberration_moves_red_outwards_by_its_shift(rig):
    # A dot near the right edge on the horizontal axis of a picture that is much wider than high: its radius
    # is the corner's.
    picture = np.zeros((5, 401, 3), np.float32)
    picture[2, 380] = 1
    output = rig.run("chromatic_aberration", picture, shift=10)
    radius = (380 - 200) / (np.hypot(401, 5) / 2)
    centroid = (output[2, :, :3] * np.arange(401)[:, None]).sum(axis=0) / output[2, :, :3].sum(axis=0)
    np.testing.assert_allclose(centroid - 380, [10 * radius, 0, -10 * radius], atol=0.6)


@pytest.mark.parametrize(("strength", "samples", "center"), [(20, 24, (0.5, 0.5)), (60, 7, (0.2, 0.9))])
def test_zoom_blur(rig, picture, strength, samples, center):
    height, width = picture.shape[:2]
    x, y = pixel_centers(height, width)
    cx, cy = center[0] * width, center[1] * height
    scales = np.linspace(1, 1 - strength / 100, samples)
    expected = np.mean([bilinear(picture, cx + s * (x - cx), cy + s * (y - cy)) for s in scales], axis=0)
    close(
        rig.run("zoom_blur", picture, strength=strength, samples=samples, center=center), expected, atol=4e-3
    )


@pytest.mark.parametrize(("radius", "angle", "focus"), [(6.0, 0.0, 20), (13.0, 35.0, 0)])
def test_tilt_shift(rig, picture, radius, angle, focus):
    height, width = picture.shape[:2]
    center, falloff = (0.5, 0.4), 30
    x, y = pixel_centers(height, width)
    normal = np.array([-np.sin(np.radians(angle)), np.cos(np.radians(angle))])
    distance = np.abs((x - center[0] * width) * normal[0] + (y - center[1] * height) * normal[1]) / height
    t = np.clip((distance - focus / 200) / (falloff / 100), 0, 1)
    sigma = radius / 2 * t * t * (3 - 2 * t)
    expected = picture.astype(np.float64)
    for axis in (1, 0):
        source, expected = expected, np.empty_like(expected)
        for j, i in np.ndindex(height, width):
            s = max(sigma[j, i], 1e-3)
            taps = (
                np.arange(-np.ceil(2 * s), np.ceil(2 * s) + 1).astype(int) if s >= 0.05 else np.zeros(1, int)
            )
            weights = np.exp(-0.5 * (taps / s) ** 2)
            at = np.clip((i if axis else j) + taps, 0, (width if axis else height) - 1)
            line = source[j, at] if axis else source[at, i]
            expected[j, i] = weights @ line / weights.sum()
    output = rig.run(
        "tilt_shift", picture, radius=radius, angle=angle, focus=focus, falloff=falloff, center=center
    )
    close(output, expected, atol=5e-3)


@pytest.mark.parametrize(("shape", "wavelength", "angle"), [("waves", 20.0, 30.0), ("rings", 15.0, 0.0)])
def test_ripple(rig, picture, shape, wavelength, angle):
    height, width = picture.shape[:2]
    amplitude, speed, rate, center = 3.0, 0.75, 10.0, (0.4, 0.6)
    outputs = rig.run_frames(
        rig.library.get("ripple"),
        [picture] * 3,
        rate=rate,
        shape=shape,
        amplitude=amplitude,
        wavelength=wavelength,
        speed=speed,
        angle=angle,
        center=center,
    )
    x, y = pixel_centers(height, width)
    z = x - center[0] * width + 1j * (y - center[1] * height)
    direction = np.exp(1j * np.radians(angle)) if shape == "waves" else z / np.maximum(np.abs(z), 1e-9)
    traveled = (z * np.conj(direction)).real  # along the direction in which the wave runs
    for index, output in enumerate(outputs):
        phase = 2 * np.pi * (traveled / wavelength - speed * index / rate)
        offset = amplitude * np.sin(phase) * (direction if shape == "rings" else 1j * direction)
        close(output, bilinear(picture, x + offset.real, y + offset.imag, "mirror"), atol=8e-3)


@pytest.mark.parametrize(
    ("zoom", "turn", "tilt"), [(1.0, 0.0, -90.0), (1.5, 40.0, -90.0), (0.8, -100.0, 20.0)]
)
def test_tiny_planet(rig, picture, zoom, turn, tilt):
    height, width = picture.shape[:2]
    x, y = pixel_centers(height, width)
    # The inverse stereographic projection of the plane, by the rational map onto the unit sphere; the view's
    # axis is z.
    u, v = (2 * (x - width / 2) / (height * zoom), 2 * (y - height / 2) / (height * zoom))
    n = u**2 + v**2
    sphere = np.stack([2 * u, 2 * v, 1 - n], axis=-1) / (1 + n)[..., None]
    pitch = np.radians(tilt)
    rotation = np.array([[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]])
    across, down, ahead = np.moveaxis(sphere @ rotation.T, -1, 0)
    longitude = np.arctan2(across, ahead) + np.radians(turn)
    latitude = np.arcsin(np.clip(down, -1, 1))
    sx, sy = (longitude / (2 * np.pi) + 0.5) * width, (latitude / np.pi + 0.5) * height
    # The picture closes at its sides and ends at the poles: pad it so that the reference can do both.
    wrapped = np.concatenate([picture[:, -width:], picture, picture], axis=1)
    expected = bilinear(wrapped, sx % width + width, np.clip(sy, 0.5, height - 0.5))
    steep = np.hypot(across, ahead) < 0.05  # at the poles all longitudes meet
    output = rig.run("tiny_planet", picture, zoom=zoom, turn=turn, tilt=tilt)[..., :3]
    assert steep.mean() < 0.02
    np.testing.assert_allclose(output[~steep], expected[~steep], atol=1e-2)
