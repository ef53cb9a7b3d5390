"""The filter runner itself, and the first filters, against OpenCV and NumPy."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from filter_rig import FilterRig, natural_picture

from desktop.base.errors import FilterError, ShaderError
from desktop.pipeline.filters.library import FilterLibrary


@pytest.fixture(scope="module")
def rig(gpu):
    return FilterRig(gpu)


def srgb_to_linear(c):
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def linear_to_srgb(c):
    return np.where(c <= 0.0031308, c * 12.92, 1.055 * np.maximum(c, 1e-9) ** (1 / 2.4) - 0.055)


@pytest.mark.parametrize("stops", [-2.0, 0.0, 1.5])
def test_exposure(rig, stops):
    picture = natural_picture()
    expected = linear_to_srgb(srgb_to_linear(picture) * 2.0**stops)
    # f16 keeps 11 bits: values up to 4 are rounded to 2^-9 at most.
    np.testing.assert_allclose(rig.run("exposure", picture, stops=stops)[..., :3], expected, atol=3e-3)


@pytest.mark.parametrize("radius", [1.0, 8.0, 21.5])
def test_gaussian_blur(rig, radius):
    picture = natural_picture()
    size = 2 * int(np.ceil(radius)) + 1
    expected = cv2.GaussianBlur(picture, (size, size), radius / 2, borderType=cv2.BORDER_REPLICATE)
    np.testing.assert_allclose(rig.run("gaussian_blur", picture, radius=radius)[..., :3], expected, atol=4e-3)


def test_lut(rig, tmp_path):
    rng = np.random.default_rng(5)
    table = rng.random((5, 5, 5, 3)).round(4)
    path = tmp_path / "look.cube"
    rows = "\n".join(" ".join(f"{v:.4f}" for v in row) for row in table.reshape(-1, 3))
    path.write_text(f'TITLE "test"\n# comment\nLUT_3D_SIZE 5\n{rows}\n')
    picture = natural_picture()
    at = picture.astype(np.float64) * 4
    low = np.minimum(at.astype(int), 3)
    part = at - low
    expected = np.zeros(picture.shape)
    for corner in np.ndindex(2, 2, 2):
        weight = np.prod([np.where(c, part[..., i], 1 - part[..., i]) for i, c in enumerate(corner)], axis=0)
        r, g, b = (low[..., i] + corner[i] for i in range(3))
        expected += weight[..., None] * table[b, g, r]
    # Hardware filters interpolate with 8-bit weights: up to 1/256 of the largest step between lattice points,
    # which is 1 here.
    np.testing.assert_allclose(rig.run("lut", picture, table=str(path))[..., :3], expected, atol=8e-3)


def test_motion_trails(rig):
    pictures = [natural_picture(seed=seed)[:, ::step] for seed, step in ((1, 1), (2, -1), (3, 1))]
    outputs = rig.run_frames(rig.library.get("motion_trails"), pictures, decay=0.8)
    trail = np.zeros_like(pictures[0])
    for picture, output in zip(pictures, outputs, strict=True):
        trail = np.maximum(picture, trail * 0.8)
        np.testing.assert_allclose(output[..., :3], trail, atol=2e-3)


def user_filter(tmp_path, body, head='title = "Mine"'):
    path = tmp_path / "mine.wgsl"
    path.write_text(f"/* lightloom\n{head}\n*/\n{body}")
    return path


def test_user_error_has_the_files_own_position(gpu, tmp_path):
    user_filter(tmp_path, "fn main(p: vec2i) -> vec4f {\n  return lod(p);\n}\n")
    rig = FilterRig(gpu, tmp_path)
    with pytest.raises(ShaderError) as caught:
        rig.run("mine", natural_picture())
    assert caught.value.messages[0].line == 5
    assert "lod" in str(caught.value)


def test_an_endless_loop_ends(gpu, tmp_path):
    body = "fn main(p: vec2i) -> vec4f { var x = 0.0; for (;;) { x += 1.0; /* while { */ if (x < 0.0) { break; } } return vec4f(x); }"
    user_filter(tmp_path, body)
    output = FilterRig(gpu, tmp_path).run("mine", natural_picture(16, 16))
    assert output.shape == (16, 16, 4)


def test_reload_keeps_the_last_good_version(gpu, tmp_path):
    path = user_filter(tmp_path, "fn main(p: vec2i) -> vec4f { return vec4f(0.25); }")
    rig = FilterRig(gpu, tmp_path)
    path.write_text("no front matter")
    assert rig.library.refresh() == ("mine",)
    assert str(path) in rig.library.errors
    assert rig.run("mine", natural_picture(8, 8))[0, 0, 0] == 0.25
    user_filter(tmp_path, "fn main(p: vec2i) -> vec4f { return vec4f(0.75); }")
    rig.library.refresh()
    assert not rig.library.errors
    assert rig.run("mine", natural_picture(8, 8))[0, 0, 0] == 0.75


@pytest.mark.parametrize(
    ("values", "message"), [({"radius": 65}, "0 to 64"), ({"size": 1}, "no parameter 'size'")]
)
def test_values_are_checked(rig, values, message):
    with pytest.raises(FilterError, match=message):
        rig.run("gaussian_blur", natural_picture(), **values)


def test_a_buffers_type_cannot_smuggle_in_a_loop(tmp_path):
    head = 'title = "Mine"\n[[buffer]]\nname = "b"\nbytes = 16\ntype = "u32; fn evil() { loop {} } var<private> c: u32"'
    user_filter(tmp_path, "fn main(p: vec2i) -> vec4f { evil(); return vec4f(0.0); }", head)
    library = FilterLibrary(tmp_path)
    assert "mine" not in library.filters
    assert "is not a WGSL type" in str(next(iter(library.errors.values())))


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ('[[param]]\nname = "a"\ndefault = 0\nmax = 1' + "0" * 400, "not a number that can be used"),
        ('[[param]]\nname = "a"\ndefault = 0\nmax = inf', "not a number that can be used"),
        ('[[param]]\nname = "a"\ndefault = 0\nstep = nan', "'step'"),
        ('[[param]]\nname = "a"\ntype = "int"\ndefault = 0\nmax = 1e12', "32 bits"),
        ("".join(f'[[param]]\nname = "a{i}"\ndefault = 0\n' for i in range(65)), "at most 64 parameters"),
        ("".join(f'[[param]]\nname = "a{i}"\ntype = "lut"\n' for i in range(3)), "2 of them tables"),
        ("x = " + "[" * 60_000, "nested too deeply"),
        ("x = " + "1" * 5000, "not valid TOML"),
    ],
)
def test_declarations_that_ask_for_too_much(tmp_path, head, message):
    user_filter(tmp_path, "fn main(p: vec2i) -> vec4f { return load(p); }", f'title = "Mine"\n{head}')
    assert message in str(next(iter(FilterLibrary(tmp_path).errors.values())))


def test_a_byte_order_mark_is_no_error(tmp_path):
    path = user_filter(tmp_path, "fn main(p: vec2i) -> vec4f { return load(p); }")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert "mine" in FilterLibrary(tmp_path).filters
