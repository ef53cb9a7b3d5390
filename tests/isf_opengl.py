"""ISF files drawn by OpenGL itself, which compiles the GLSL as it is: what a translation is compared with.

Needs `moderngl`, which Lightloom does not, and a driver with OpenGL 3.3 and EGL, such as Mesa's llvmpipe.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from desktop.pipeline.filters.translation.isf_header import Header, Step, read_header, split_header

if TYPE_CHECKING:
    from moderngl import Context, Texture

_FRAGMENT: Final = """#version 330
#define varying in
#define texture2D texture
#define gl_FragColor isf_color
#define main isf_main
#define IMG_NORM_PIXEL(image, at) texture(image, at)
#define IMG_PIXEL(image, at) texture(image, (at) / vec2(textureSize(image, 0)))
#define IMG_THIS_PIXEL(image) texture(image, isf_FragNormCoord)
#define IMG_THIS_NORM_PIXEL(image) texture(image, isf_FragNormCoord)
#define IMG_SIZE(image) vec2(textureSize(image, 0))
#define vv_FragNormCoord isf_FragNormCoord
in vec2 isf_FragNormCoord;
vec4 isf_color = vec4(0.0);
out vec4 isf_result;
"""
_VERTEX: Final = """#version 330
#define varying out
#define vv_FragNormCoord isf_FragNormCoord
#define vv_vertShaderInit isf_vertShaderInit
in vec2 isf_corner;
out vec2 isf_FragNormCoord;
void isf_vertShaderInit() { gl_Position = vec4(isf_corner, 0.0, 1.0); isf_FragNormCoord = isf_corner * 0.5 + 0.5; }
"""
_UNIFORMS: Final = """
uniform vec2 RENDERSIZE; uniform int PASSINDEX; uniform float TIME; uniform float TIMEDELTA; uniform int FRAMEINDEX;
uniform int isf_clamped;
"""
_TYPES: Final = {
    **{"float": "float", "bool": "bool", "event": "bool", "long": "int", "color": "vec4"},
    **{"point2D": "vec2", "image": "sampler2D"},
}


class OpenGlError(Exception):
    """OpenGL does not take a file."""


def open_context() -> Context:
    """Return a context without a window; raise ImportError without `moderngl`."""
    import moderngl

    return moderngl.create_standalone_context(backend="egl")


def draw(context: Context, path: Path, images: Sequence[np.ndarray], rate: float) -> list[np.ndarray]:
    """Return the results for consecutive frames, with the inputs at their defaults.

    Both are float [height, width, 4] with the first row at the top. Raises OpenGlError.
    """
    import moderngl

    # WebGPU may have made a context of its own current.
    with context:
        try:
            return _Drawing(context, path).frames(images, rate)
        except moderngl.Error as error:
            lines = [line for line in str(error).splitlines() if "error" in line]
            raise OpenGlError("; ".join(lines[:2]) or str(error).strip()) from error


@dataclass
class _Drawing:
    """One ISF file in OpenGL, with the inputs at their defaults."""

    context: Context
    path: Path
    _header: Header = field(init=False)
    _textures: dict[str, Texture] = field(default_factory=dict)

    def __post_init__(self) -> None:
        parts = split_header(self.path.read_text(encoding="utf-8-sig"))
        assert parts is not None
        self._header = read_header(parts[0])
        if any(each.kind not in _TYPES for each in self._header.inputs):
            raise OpenGlError("it reads audio, which is not given here")
        names = [(each.name, _TYPES[each.kind]) for each in self._header.inputs]
        names += [(name, "sampler2D") for name in self._header.imported]
        names += [(step.target, "sampler2D") for step in self._header.steps if step.target]
        uniforms = _UNIFORMS + "".join(f"uniform {kind} {name};\n" for name, kind in names)
        end = (
            "\n#undef main\nvoid main() { isf_main(); "
            "isf_result = isf_clamped != 0 ? clamp(isf_color, 0.0, 1.0) : isf_color; }\n"
        )
        beside = self.path.with_suffix(".vs")
        vertex = beside.read_text() if beside.is_file() else "void main() { isf_vertShaderInit(); }"
        self._program = self.context.program(
            vertex_shader=_VERTEX + uniforms + _plain(vertex),
            fragment_shader=_FRAGMENT + uniforms + _plain(parts[1]) + end,
        )
        corners = np.array([-1, -1, 1, -1, -1, 1, 1, 1], np.float32)
        self._strip = self.context.vertex_array(
            self._program, [(self.context.buffer(corners.tobytes()), "2f", "isf_corner")]
        )
        for name, kind in names:
            if kind != "sampler2D":
                self._set(name, self._default(name))

    def _default(self, name: str) -> float | bool | int | tuple[float, ...]:
        given = next(each for each in self._header.inputs if each.name == name)
        numbers = given.default or given.low
        match given.kind:
            case "color":
                return (*given.default, *(0.0, 0.0, 0.0, 1.0)[len(given.default) :])
            case "point2D":
                return (*given.default, 0.0, 0.0)[:2]
            case "long":
                chosen = int(numbers[0]) if numbers else given.values[0]
                return chosen if chosen in given.values or not given.values else given.values[0]
            case "bool":
                return bool(numbers and numbers[0])
            case "event":
                return False
            case _:
                return numbers[0] if numbers else 0.0

    def _set(self, name: str, value: object) -> None:
        if name in self._program:
            self._program[name].value = value

    def frames(self, images: Sequence[np.ndarray], rate: float) -> list[np.ndarray]:
        """Return the results for consecutive frames."""
        height, width = images[0].shape[:2]
        results = []
        black = self._texture((1, 1), "f2")
        imported = {
            name: self._image(self.path.parent / file) for name, file in self._header.imported.items()
        }
        buffers = {
            step.target: self._buffer(step, (width, height)) for step in self._header.steps if step.target
        }
        output = self._texture((width, height), "f2")
        for index, image in enumerate(images):
            source = self._texture((width, height), "f2", np.flipud(image).astype(np.float16))
            self._set("TIME", index / rate)
            self._set("TIMEDELTA", 1 / rate if index else 0.0)
            self._set("FRAMEINDEX", index)
            for number, step in enumerate(self._header.steps):
                target = self._buffer(step, (width, height)) if step.target else output
                # A buffer that is being written keeps what it had for those who read it.
                textures = dict(imported)
                textures |= {each.name: black for each in self._header.inputs if each.kind == "image"}
                textures |= {"inputImage": source, **buffers}
                if step.target and not step.persistent:
                    textures[step.target] = black
                self._draw(target, textures, number, clamped=bool(step.target) and not step.is_float)
                if step.target:
                    buffers[step.target] = target
            last = self._header.steps[-1].target
            results.append(self._read(buffers[last] if last else output))
        return results

    def _buffer(self, step: Step, size: tuple[int, int]) -> Texture:
        width, height = step.size or (int(np.ceil(edge * step.scale)) for edge in size)
        return self._texture((max(1, width), max(1, height)), "f4" if step.is_float else "f2")

    def _texture(self, size: tuple[int, int], kind: str, image: np.ndarray | None = None) -> Texture:
        data = np.zeros((size[1], size[0], 4), np.float16 if kind == "f2" else np.float32)
        if image is not None:
            data[:] = image
        texture = self.context.texture(size, 4, data.tobytes(), dtype=kind)
        texture.repeat_x = texture.repeat_y = False
        return texture

    def _image(self, path: Path) -> Texture:
        stored = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        image = cv2.cvtColor(stored, cv2.COLOR_BGRA2RGBA if stored.shape[2] == 4 else cv2.COLOR_BGR2RGBA)
        height, width = image.shape[:2]
        return self._texture((width, height), "f2", np.flipud(image) / 255)

    def _draw(self, target: Texture, textures: Mapping[str, Texture], index: int, *, clamped: bool) -> None:
        import moderngl

        buffer = self.context.framebuffer([target])
        buffer.use()
        buffer.clear(0.0, 0.0, 0.0, 0.0)
        for unit, (name, texture) in enumerate(textures.items()):
            if name in self._program:
                texture.use(unit)
                self._program[name].value = unit
        self._set("RENDERSIZE", tuple(map(float, target.size)))
        self._set("PASSINDEX", index)
        self._set("isf_clamped", int(clamped))
        self._strip.render(moderngl.TRIANGLE_STRIP)

    def _read(self, texture: Texture) -> np.ndarray:
        kind = np.float32 if texture.dtype == "f4" else np.float16
        data = np.frombuffer(texture.read(), kind).reshape(texture.height, texture.width, 4)
        return np.flipud(data).astype(np.float32)


def _plain(text: str) -> str:
    # The version is this module's, and what a host declares is declared here.
    return re.sub(r"^\s*#\s*version.*$", "", text, flags=re.MULTILINE)
