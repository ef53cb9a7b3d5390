"""Layout of a frame's planes in textures, and the WGSL that reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.media.conversion import WORKING_FORMAT
from desktop.media.frame import PixelFormat, Plane, PlaneFormat

_CHANNELS: Final = "rgba"
# Declared in color.wgsl; the planes follow, declared with the code that reads them.
COLOR_PASS: Final = (Binding.uniform("u"), Binding.storage_texture("working", WORKING_FORMAT))


@dataclass(frozen=True)
class PlaneLayout:
    """Layout of a plane in its texture. Three components are one channel, three times as wide, cut into
    `bands` columns stacked vertically if that exceeds the maximum width.
    """

    texture_format: str
    texel_bytes: int
    width: int
    height: int
    bands: int = 1

    @property
    def size(self) -> tuple[int, int, int]:
        """Width, height and depth of the texture."""
        return self.width, self.height * self.bands, 1

    @property
    def sample_type(self) -> str:
        """The WebGPU sample type in a shader."""
        return "uint" if self.texture_format.endswith("uint") else "unfilterable-float"


def plane_bindings(layouts: tuple[PlaneLayout, ...]) -> Bindings:
    """Return the bindings of the color pass: resources `u`, `working`, `plane0`, `plane1`, ..."""
    planes = (Binding.texture(f"plane{i}", layout.sample_type) for i, layout in enumerate(layouts))
    return Bindings((*COLOR_PASS, *planes))


def plane_layout(plane: Plane, fmt: PlaneFormat, limit: int) -> PlaneLayout:
    """Return the layout of a plane in a texture of at most `limit` texels in width."""
    count = len(fmt.components)
    kind = {1: "8unorm", 2: "16uint", 4: "32float"}[fmt.bytes_per_component]
    if count != 3:
        name = {1: "r", 2: "rg", 4: "rgba"}[count] + kind
        return PlaneLayout(name, count * fmt.bytes_per_component, plane.width, plane.height)
    total = plane.width * 3
    bands = -(-total // limit)
    return PlaneLayout("r" + kind, fmt.bytes_per_component, -(-total // bands), plane.height, bands)


def _load(plane: int, at: str, channel: str) -> str:
    return f"f32(textureLoad(plane{plane}, {at}, 0).{channel})"


def _component(
    pixel_format: PixelFormat, layouts: tuple[PlaneLayout, ...], letter: str, at: str = "p"
) -> str | None:
    """Return the WGSL that reads one component at the position `at`, or None if the format lacks it."""
    for index, (fmt, layout) in enumerate(zip(pixel_format.planes, layouts, strict=True)):
        channel = fmt.components.find(letter)
        if channel < 0:
            continue
        if len(fmt.components) == 3:
            return _load(index, f"packed({at} , {channel}, {layout.width}, {layout.height})", "r")
        if fmt.components.count("Y") == 2 and letter == "Y":
            second = fmt.components.rfind("Y")
            return f"f32(textureLoad(plane{index}, {at} / vec2i(2, 1), 0)[select({channel}, {second}, (p.x & 1) == 1)])"
        return _load(index, at, _CHANNELS[channel])
    return None


_PACKED = """fn packed(p: vec2i, channel: i32, width: i32, height: i32) -> vec2i {
    let x = p.x * 3 + channel;
    return vec2i(x % width, p.y + x / width * height);
}
"""


def format_source(pixel_format: PixelFormat, layouts: tuple[PlaneLayout, ...]) -> str:
    """Return color.wgsl's code for a format: planes, constants, `luma`, `chroma`, `rgb`, `alpha`."""

    def read(letter: str, at: str = "p") -> str:
        return _component(pixel_format, layouts, letter, at) or "0.0"

    is_rgb = any("R" in plane.components for plane in pixel_format.planes)
    shift_x, shift_y = pixel_format.chroma_shift
    textures = "\n".join(plane_bindings(layouts).declarations(0)[len(COLOR_PASS) :])
    alpha = _component(pixel_format, layouts, "A") or "1.0"
    return (
        f"// Reads {pixel_format.name}.\n{textures}\n"
        f"const IS_RGB = {str(is_rgb).lower()};\n"
        f"const HAS_CHROMA = {str(pixel_format.is_yuv).lower()};\n"
        f"const SUBSAMPLED = {str(shift_x + shift_y > 0).lower()};\n"
        f"const CHROMA_SHIFT = vec2u({shift_x}u, {shift_y}u);\n{_PACKED}"
        f"fn luma(p: vec2i) -> f32 {{ return {read('Y')}; }}\n"
        f"fn chroma(c: vec2i) -> vec2f {{ return vec2f({read('U', 'c')}, {read('V', 'c')}); }}\n"
        f"fn rgb(p: vec2i) -> vec3f {{ return vec3f({read('R')}, {read('G')}, {read('B')}); }}\n"
        f"fn alpha(p: vec2i) -> f32 {{ return {alpha}; }}\n"
    )
