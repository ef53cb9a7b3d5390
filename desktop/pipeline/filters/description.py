"""Declaration of a filter, as in its header, as frozen data; docs/filters.md describes the format."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal

from desktop.base.errors import FilterError
from desktop.base.wording import sentence
from desktop.pipeline.filters.param import FileParam, Param, ParamValue, TextureParam, Values

FORMATS: Final = {"rgba16float": 8, "rgba8unorm": 4, "r32float": 4, "rg32float": 8, "rgba32float": 16}
"""Formats of a filter's own textures, with the bytes of a texel."""

MAX_TEXTURES: Final = 12
"""Textures of a filter's own."""

NETWORK_FORMATS: Final = {
    **{"image": "rgba16float", "enlarged": "rgba16float", "repainted": "rgba16float"},
    **{"mask": "rgba16float"},
    **{"map": "r32float", "classes": "r32float", "flow": "rg32float"},
}
"""Outputs a filter can request (`NetworkUse.output`), with texture formats (tasks/common/unpack.py)."""

NETWORK_SETTINGS: Final = (
    "model",
    "size",
    "backend",
    "scale",
    "colors",
    "output_scale",
    "channel",
    "steps",
    "guidance",
    "timing",
)
"""Fields of a `NetworkUse` that name a parameter each, by which the network is set up."""

TEXTURE_BYTES: Final = 1 << 30
"""Limit in bytes of a filter's own textures at 1920 x 1080 pixels; four times that at any frame size."""


@dataclass(frozen=True)
class TextureSpec:
    """Private texture of a filter: `size` in texels or, if None, `scale` (0 < scale <= 2) times the image's.

    A persistent one keeps its texels from frame to frame, with zeros at first and after a reset.
    """

    name: str
    scale: float = 1.0
    size: tuple[int, int] | None = None
    format: str = "rgba16float"
    persistent: bool = False

    def resolve(self, width: int, height: int) -> tuple[int, int]:
        """Return the size in texels for a frame of `width` x `height`."""
        if self.size is not None:
            return self.size
        return max(1, math.ceil(width * self.scale)), max(1, math.ceil(height * self.scale))

    def bytes(self, width: int, height: int) -> int:
        """Return the memory that it takes for a frame of `width` x `height`."""
        own_width, own_height = self.resolve(width, height)
        return own_width * own_height * FORMATS[self.format] * (2 if self.persistent else 1)


@dataclass(frozen=True)
class BufferSpec:
    """Private storage buffer `var<storage, read_write> <name>: <type>`; `clear` zeroes it each frame."""

    name: str
    type: str
    bytes: int
    clear: bool = True


@dataclass(frozen=True)
class PassSpec:
    """One dispatch.

    Attributes:
        entry: of kind 'pixel' `fn entry(p: vec2i) -> vec4f` per texel, of kind 'raw' a `@compute` function.
        output: 'output' (the filter's result), a texture, or '' (raw passes that write only buffers).
        grid: workgroups in x and y, or None to cover the output (the frame if there is none).
        cover: texture whose size `grid` covers, if not that of the output.
        tile: texels in x and y per workgroup of a raw pass (default: `workgroup`).
    """

    entry: str
    output: str = "output"
    kind: Literal["pixel", "raw"] = "pixel"
    workgroup: tuple[int, int] = (8, 8)
    grid: tuple[int, int] | None = None
    cover: str = ""
    tile: tuple[int, int] | None = None


@dataclass(frozen=True)
class NetworkUse:
    """A neural network before a filter's passes; from `model` on, fields name parameters ('' for none).

    Attributes:
        texture: the output's name in WGSL: a `texture_2d<f32>` that covers the image.
        seen: the name in WGSL of the image that the output belongs to; an older one while the network lags.
        output: 'image' or 'repainted' (R'G'B' in 0..1), 'enlarged' (the same, larger by an integer factor, as
            the stage's result), 'mask' (r: probability), 'map' (r: unscaled, r32float), 'classes' (r:
            likeliest class, r32float), 'flow' (r, g: motion of the previous image's pixels to the right and
            down, in texels, rg32float).
        size: an 'int': longer side in pixels; for 'enlarged' that of a tile, 0 to fit the memory.
        scale, colors, output_scale: a 'choice' of SCALES or COLORS, overriding what is inferred.
        channel: an 'int': channel or class of a mask; -1 for the network's declaration.
        steps, guidance: an 'int', a denoiser's runs on an image; a 'float', its guidance scale (0: default).
        live: parameters accepted by the running network, by name (`SessionCapabilities.adjust`).
        timing: a 'choice' of TIMINGS: newest frame with newest result, or each frame later with its own. Kinds
            of masks have MASK_TIMINGS: with MOVED the newest mask is moved to the newest frame by optical flow.
    """

    SCALES: ClassVar = ("auto", "0..1", "-1..1", "0..255", "ImageNet")
    COLORS: ClassVar = ("auto", "RGB", "BGR")
    IN_STEP: ClassVar = "in step"
    MOVED: ClassVar = "moved"
    TIMINGS: ClassVar = ("newest result", IN_STEP)
    MASK_TIMINGS: ClassVar = (*TIMINGS, MOVED)

    texture: str
    output: Literal["image", "enlarged", "repainted", "mask", "map", "classes", "flow"]
    model: str
    seen: str = ""
    size: str = ""
    backend: str = ""
    scale: str = ""
    colors: str = ""
    output_scale: str = ""
    channel: str = ""
    steps: str = ""
    guidance: str = ""
    timing: str = ""
    live: tuple[str, ...] = ()

    @property
    def params(self) -> frozenset[str]:
        """Names of the parameters that set the network up."""
        names = (*(getattr(self, name) for name in NETWORK_SETTINGS), *self.live)
        return frozenset(filter(None, names))

    @property
    def enlarges(self) -> bool:
        """True where the stage's frame takes the size of the network's."""
        return self.output == "enlarged"

    @property
    def remembers(self) -> bool:
        """True if a result depends on the previous frame: two images, or a kept result for similar frames."""
        return self.output in ("flow", "repainted")

    @property
    def format(self) -> str:
        """Format of the output's texture."""
        return NETWORK_FORMATS[self.output]


GIVEN_SOURCES: Final = ("mask", "detections", "track", "zone", "outline", "brush", "stage")
"""Textures that a chain can give a filter (`GivenTexture.source`)."""


@dataclass(frozen=True)
class GivenTexture:
    """Texture that the chain gives a filter, black where there is none.

    Attributes:
        texture: its name in WGSL: a `texture_2d<f32>` that covers the image.
        source: one of GIVEN_SOURCES: 'mask' (r: coverage in 0..1), for the steps of a mask; objects and drawn
            shapes as r8unorm coverage; 'stage' (an earlier stage's result).
    """

    texture: str
    source: str


@dataclass(frozen=True)
class Filter:
    """Filter's declaration and text; `id` is the file's stem, `builtin` is False for a user's own file.

    `inputs`: what it reads besides the image, of `INPUTS` (inputs.py). A mask is its `given` texture. `hdr`: it also
    suits R'G'B' of PQ and HLG.
    """

    id: str
    path: str
    text: str
    title: str
    group: str
    help: str = ""
    tags: tuple[str, ...] = ()
    params: tuple[Param, ...] = ()
    textures: tuple[TextureSpec, ...] = ()
    buffers: tuple[BufferSpec, ...] = ()
    passes: tuple[PassSpec, ...] = (PassSpec("main"),)
    use: tuple[str, ...] = ()
    network: NetworkUse | None = None
    given: GivenTexture | None = None
    inputs: tuple[str, ...] = ()
    builtin: bool = True
    hdr: bool = False

    @property
    def defaults(self) -> dict[str, ParamValue]:
        """Every parameter at its default."""
        return {param.name: param.default for param in self.params}

    @property
    def included(self) -> tuple[str, ...]:
        """Names of the shared files that it includes, each once."""
        audio = ("audio",) if "audio" in self.inputs else ()
        return tuple(dict.fromkeys(("filter", *self.use, *audio)))

    @property
    def controlling_params(self) -> frozenset[str]:
        """Names of the parameters that others depend on."""
        return frozenset(name for param in self.params for name, _ in param.when)

    def acting(self, values: Values) -> frozenset[str]:
        """Return the parameters that have an effect with these checked values; may read a network's file."""
        found = {name: self.param(name).condition(values[name]) for name in self.controlling_params}
        return frozenset(
            param.name for param in self.params if all(found[name] in wanted for name, wanted in param.when)
        )

    @property
    def files(self) -> tuple[FileParam, ...]:
        """The parameters whose values are paths."""
        return tuple(param for param in self.params if isinstance(param, FileParam))

    @property
    def file_textures(self) -> tuple[TextureParam, ...]:
        """The parameters whose files are bound as textures."""
        return tuple(param for param in self.params if isinstance(param, TextureParam))

    def param(self, name: str) -> Param:
        """Return a parameter; raise FilterError if the filter has none of that name."""
        for param in self.params:
            if param.name == name:
                return param
        names = ", ".join(p.name for p in self.params) or "none"
        raise FilterError(
            sentence(
                "The filter '{id}' has no parameter '{name}'; it has: {names}.",
                id=self.id,
                name=name,
                names=names,
            )
        )

    def check_textures(self, width: int, height: int, allowed: int) -> None:
        """Raise FilterError if the textures for a `width` x `height` frame take more than `allowed` bytes."""
        total = sum(texture.bytes(width, height) for texture in self.textures)
        if total > allowed:
            raise FilterError(
                sentence(
                    "{path}: its textures take {size:.1f} GiB for a frame of {width} x {height} pixels, "
                    "and {limit} GiB are allowed; make them smaller or fewer.",
                    path=self.path,
                    size=total / (1 << 30),
                    width=width,
                    height=height,
                    limit=allowed >> 30,
                )
            )

    def check(self, values: Mapping[str, Any]) -> dict[str, ParamValue]:
        """Return all parameters' checked values, or defaults; raise FilterError for a bad name or value."""
        checked = {name: self.param(name).check(value) for name, value in values.items()}
        return self.defaults | checked

    def pack(self, values: Values) -> bytes:
        """Return the `params` uniform (WGSL uniform address space layout, at least 16 bytes)."""
        out = bytearray()
        for param in self.params:
            out += b"\0" * (-len(out) % param.alignment)
            out += param.pack(values[param.name])
        out += b"\0" * (-len(out) % 16)
        return bytes(out) or b"\0" * 16

    def params_struct(self) -> str:
        """Return the WGSL declaration of `Params`."""
        members = [f"{p.name}: {p.wgsl}" for p in self.params if p.wgsl]
        return "struct Params { " + ", ".join(members or ["lightloom_unused: f32"]) + " }"
