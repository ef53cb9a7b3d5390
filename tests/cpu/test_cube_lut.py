"""`.cube` files, good and bad."""

from __future__ import annotations

import numpy as np
import pytest

from desktop.base.errors import FilterError
from desktop.pipeline.filters.cube_lut import IDENTITY, load_cube, parse_cube


def text_of(table: np.ndarray, *head: str) -> str:
    rows = (" ".join(f"{v:.6f}" for v in row) for row in table.reshape(-1, 3))
    return "\n".join([*head, *rows]) + "\n"


def lattice(size: int) -> np.ndarray:
    """[b, g, r, 3] holding (r, g, b)."""
    axis = np.linspace(0, 1, size)
    return np.stack(np.meshgrid(axis, axis, axis, indexing="ij")[::-1], axis=-1)


def test_red_changes_fastest():
    text = "LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"
    lut = parse_cube(text, "a.cube")
    assert lut.size == 2
    assert lut.table.dtype == np.float32
    np.testing.assert_array_equal(lut.table, IDENTITY.table)
    np.testing.assert_array_equal(lut.table[0, 0, 1], (1, 0, 0))


def test_comments_titles_blank_lines_and_unknown_keywords():
    table = np.random.default_rng(0).random((3, 3, 3, 3))
    head = (
        "# made by hand",
        'TITLE "Warm # look"',
        "",
        "LUT_3D_SIZE 3  # three",
        "SOME_VENDOR_KEY 12",
        "DOMAIN_MIN 0 0 0",
    )
    np.testing.assert_allclose(parse_cube(text_of(table, *head), "a.cube").table, table, atol=1e-6)


def test_windows_line_ends_and_byte_order_mark(tmp_path):
    path = tmp_path / "look.cube"
    path.write_bytes(b"\xef\xbb\xbf" + text_of(lattice(2), "LUT_3D_SIZE 2").replace("\n", "\r\n").encode())
    np.testing.assert_allclose(load_cube(path).table, IDENTITY.table)


def test_one_dimensional():
    x = np.linspace(0, 1, 1024)
    curves = np.stack([x**0.5, x, 1 - x], axis=-1)
    lut = parse_cube(text_of(curves, "LUT_1D_SIZE 1024"), "a.cube")
    at = np.linspace(0, 1, lut.size)
    np.testing.assert_allclose(lut.table[5, 9, :, 0], at**0.5, atol=1e-3)
    np.testing.assert_allclose(lut.table[5, :, 9, 1], at, atol=1e-5)
    np.testing.assert_allclose(lut.table[:, 5, 9, 2], 1 - at, atol=1e-5)
    # Each output depends on its own input alone.
    assert np.ptp(lut.table[..., 0], axis=(0, 1)).max() == 0


@pytest.mark.parametrize("head", [("DOMAIN_MIN -1 -1 -1", "DOMAIN_MAX 3 3 3"), ("LUT_3D_INPUT_RANGE -1 3",)])
def test_domain(head):
    """A table over -1..3 that returns its input returns it on 0..1 too."""
    lut = parse_cube(text_of(lattice(9) * 4 - 1, "LUT_3D_SIZE 9", *head), "a.cube")
    np.testing.assert_allclose(lut.table, lattice(9), atol=1e-5)


def test_domain_of_each_channel():
    scale = np.array([2.0, 4.0, 8.0])
    lut = parse_cube(text_of(lattice(17) * scale, "LUT_3D_SIZE 17", "DOMAIN_MAX 2 4 8"), "a.cube")
    np.testing.assert_allclose(lut.table, lattice(17), atol=1e-5)


def test_domain_inside_the_range_is_held_at_its_ends():
    lut = parse_cube(
        text_of(lattice(3) * 0.5 + 0.25, "LUT_3D_SIZE 3", "DOMAIN_MIN .25 .25 .25", "DOMAIN_MAX .75 .75 .75"),
        "a.cube",
    )
    np.testing.assert_allclose(lut.table[0, 0, :, 0], [0.25, 0.5, 0.75], atol=1e-6)


ROWS = text_of(lattice(2))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no LUT_3D_SIZE"),
        (ROWS, "no LUT_3D_SIZE"),
        ("LUT_3D_SIZE 1\n0 0 0\n", "no LUT_3D_SIZE from 2 to 129"),
        ("LUT_3D_SIZE 999\n" + ROWS, "no LUT_3D_SIZE from 2 to 129"),
        ("LUT_3D_SIZE two\n" + ROWS, "line 1: 'LUT_3D_SIZE two' is not part"),
        ("LUT_3D_SIZE\n" + ROWS, "line 1"),
        ("LUT_3D_SIZE 3\n" + ROWS, "holds 8 colors where its size asks for 27"),
        ("LUT_3D_SIZE 2\n" + ROWS + "0 0 0\n", "holds 9 colors"),
        ("LUT_3D_SIZE 2\n" + ROWS.replace("0.000000", "0,0", 1), "line 2"),
        ("LUT_3D_SIZE 2\n1 2\n" + ROWS, "line 2: '1 2' is not part"),
        ("LUT_3D_SIZE 2\n" + ROWS.replace("0.000000", "1e999", 1), "no numbers from"),
        ("LUT_3D_SIZE 2\n" + ROWS.replace("0.000000", "-nan", 1), "no numbers from"),
        ("LUT_3D_SIZE 2\n" + ROWS.replace("0.000000", "-65505", 1), "no numbers from"),
        ("LUT_3D_SIZE 2\nDOMAIN_MAX inf inf inf\n" + ROWS, "DOMAIN_MIN and DOMAIN_MAX that are not"),
        ("LUT_3D_SIZE 2\nDOMAIN_MIN -inf 0 0\n" + ROWS, "DOMAIN_MIN and DOMAIN_MAX that are not"),
        ("LUT_3D_SIZE 2\nDOMAIN_MAX nan 1 1\n" + ROWS, "DOMAIN_MIN and DOMAIN_MAX that are not"),
        ("LUT_3D_SIZE 2\nDOMAIN_MAX 1e-320 1 1\n" + ROWS, "DOMAIN_MIN and DOMAIN_MAX that are not"),
        (
            "LUT_3D_SIZE 2\nDOMAIN_MIN -1e308 0 0\nDOMAIN_MAX 1e308 1 1\n" + ROWS,
            "DOMAIN_MIN and DOMAIN_MAX that are not",
        ),
        ("LUT_3D_SIZE 2\nDOMAIN_MIN 0 0\n" + ROWS, "DOMAIN_MIN and DOMAIN_MAX that are not"),
        ("LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0 inf\n" + ROWS, "DOMAIN_MIN and DOMAIN_MAX that are not"),
        ("LUT_3D_SIZE 2\nDOMAIN_MAX 0 0 0\n" + ROWS, "DOMAIN_MIN and DOMAIN_MAX that are not"),
        ("LUT_3D_SIZE 2\nDOMAIN_MIN 0 0\n" + ROWS, "DOMAIN"),
        ("LUT_3D_SIZE 2\nDOMAIN_MIN nan nan nan\n" + ROWS, "DOMAIN"),
        ("LUT_1D_SIZE 4\n" + ROWS, "holds 8 colors where its size asks for 4"),
        ("\x00\x01binary\x7f", "line 1"),
    ],
)
def test_bad_tables_are_refused_in_one_sentence(text, message):
    with pytest.raises(FilterError, match=message) as caught:
        parse_cube(text, "bad.cube")
    said = str(caught.value)
    assert said.startswith("bad.cube")
    assert said.endswith(".")
    assert "\n" not in said


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(FilterError, match="cannot be read"):
        load_cube(tmp_path / "missing.cube")
    with pytest.raises(FilterError, match="cannot be read"):
        load_cube(tmp_path)
    large = tmp_path / "large.cube"
    with large.open("wb") as file:
        file.truncate((64 << 20) + 1)
    with pytest.raises(FilterError, match="larger than 64 MiB"):
        load_cube(large)
