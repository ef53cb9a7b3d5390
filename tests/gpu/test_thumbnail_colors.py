"""The colors of small pictures, which are made on the CPU, are those of the color pass."""

from __future__ import annotations

import numpy as np
import pytest
from color_rig import run

from desktop.media.display import small_rgb
from desktop.media.frame import ColorInfo, Frame, Plane
from desktop.media.sources._av_frames import FORMATS
from desktop.pipeline.picture.upload import Uploader


def hdr_frame(codes: np.ndarray, transfer: str) -> Frame:
    """16-bit R'G'B' of BT.2020."""
    data = np.round(codes * 65535).astype("<u2")
    height, width, _ = data.shape
    color = ColorInfo("rgb", "full", transfer, "bt2020")
    return Frame(
        (Plane(data, data.strides[0], width, height),),
        FORMATS["rgb48le"],
        width,
        height,
        color,
        peak_nits=1000,
    )


@pytest.mark.parametrize("transfer", ["pq", "hlg", "srgb"])
def test_wide_and_hdr_colors_are_those_of_the_color_pass(gpu, transfer):
    """Against the pipeline's own shader, which tests/gpu/test_color.py holds to the recommendations."""
    steps = np.linspace(0, 1, 9)
    codes = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), -1).reshape(27, 27, 3)
    frame = hdr_frame(codes, transfer)
    shown = run(gpu, Uploader(gpu), frame)[..., :3] * 255
    difference = np.abs(small_rgb(frame, (27, 27)) - shown)
    # Half a code of rounding, float16 of the texture, and the shader's pow.
    assert difference.max() < 1.5
