"""The color pass run on one frame, and the same computed with NumPy in float64 from the recommendations' own
equations.

Nothing here imports the formulae of `desktop.pipeline.picture.upload`: forward matrices are inverted
numerically, the change of primaries is BT.2087's published matrix, chroma is interpolated by `np.interp`.
"""

from __future__ import annotations

import numpy as np
import wgpu

from desktop.media.frame import Frame
from desktop.pipeline.picture.upload import Uploader

# ITU-R BT.2087-0, 5: M2, linear BT.2020 to linear BT.709.
BT2087 = np.array([[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]])
LUMA = {
    "bt601": (0.299, 0.587, 0.114),
    "bt709": (0.2126, 0.7152, 0.0722),
    "bt2020": (0.2627, 0.6780, 0.0593),
    "fcc": (0.30, 0.59, 0.11),
    "smpte240m": (0.212, 0.701, 0.087),
}


def read_texture(gpu, texture):
    """Return an rgba16float texture as float32 (height, width, 4)."""
    width, height, _ = texture.size
    row = -(-width * 8 // 256) * 256
    usage = wgpu.BufferUsage.COPY_DST | wgpu.BufferUsage.MAP_READ
    buffer = gpu.device.create_buffer(size=row * height, usage=usage)
    encoder = gpu.device.create_command_encoder()
    encoder.copy_texture_to_buffer(
        {"texture": texture},
        {"buffer": buffer, "bytes_per_row": row, "rows_per_image": height},
        (width, height, 1),
    )
    gpu.queue.submit([encoder.finish()])
    buffer.map_sync("READ")
    pixels = (
        np.frombuffer(buffer.read_mapped(), np.float16)
        .reshape(height, row // 8, 4)[:, :width]
        .astype(np.float32)
    )
    buffer.unmap()
    buffer.destroy()
    return pixels


def run(gpu, uploader: Uploader, frame: Frame) -> np.ndarray:
    """Upload, color and read back one frame."""
    uploader.upload(frame)
    uploader.convert()
    return read_texture(gpu, uploader.texture)


def _samples(frame: Frame) -> dict[str, np.ndarray]:
    """Return every component's codes at its own resolution; doubled luma of packed 4:2:2 is interleaved
    again.
    """
    found: dict[str, np.ndarray] = {}
    for plane, fmt in zip(frame.planes, frame.format.planes, strict=True):
        dtype = {1: np.uint8, 2: np.dtype("<u2"), 4: np.dtype("<f4")}[fmt.bytes_per_component]
        rows = np.frombuffer(memoryview(plane.data), np.uint8)[: plane.stride * plane.height].reshape(
            plane.height, plane.stride
        )
        used = plane.width * len(fmt.components) * fmt.bytes_per_component
        values = (
            np.ascontiguousarray(rows[:, :used])
            .view(dtype)
            .reshape(plane.height, plane.width, -1)
            .astype(np.float64)
        )
        if frame.format.msb_aligned:
            values = values / 2 ** (16 - frame.format.bits)
        for letter in set(fmt.components):
            channels = [i for i, c in enumerate(fmt.components) if c == letter]
            found[letter] = values[..., channels].reshape(plane.height, -1)
    return found


def _upsample(
    chroma: np.ndarray, width: int, height: int, shift_x: int, shift_y: int, centered: bool
) -> np.ndarray:
    x = np.arange(width, dtype=np.float64)
    y = np.arange(height, dtype=np.float64)
    if centered:
        x = x - (2**shift_x - 1) / 2
    y = y - (2**shift_y - 1) / 2
    columns = np.arange(chroma.shape[1]) * 2**shift_x
    rows = np.arange(chroma.shape[0]) * 2**shift_y
    across = np.stack([np.interp(x, columns, row) for row in chroma])
    return np.stack([np.interp(y, rows, column) for column in across.T]).T


def coded_rgb(frame: Frame) -> np.ndarray:
    """Return R'G'B' (height, width, 3), not clipped."""
    codes = _samples(frame)
    bits, size = frame.format.bits, frame.format.planes[0].bytes_per_component
    full, luma_range = 2**bits - 1, (16 * 2 ** (bits - 8), 219 * 2 ** (bits - 8))
    if size == 4:
        full, luma_range = 1, (0, 1)
    limited = frame.color.range == "limited" and size != 4

    def normal(value):
        return (value - luma_range[0]) / luma_range[1] if limited else value / full

    if "R" in codes:
        return np.stack([normal(codes[c]) for c in "RGB"], axis=-1)
    luma = normal(codes["Y"][:, : frame.width])
    if "U" not in codes:
        return np.repeat(luma[..., None], 3, axis=-1)
    shifts = next((p.shift_x, p.shift_y) for p in frame.format.planes if "U" in p.components)
    planes = [luma]
    for letter in "UV":
        up = _upsample(codes[letter], frame.width, frame.height, *shifts, frame.color.chroma_centered)
        planes.append((up - 2 ** (bits - 1)) / (224 * 2 ** (bits - 8) if limited else full))
    return np.stack(planes, axis=-1) @ np.linalg.inv(forward(frame.color.matrix)).T


def forward(name: str) -> np.ndarray:
    """Return H.273's matrix from R'G'B' to Y'CbCr (or Y'CgCo)."""
    if name == "ycgco":
        return np.array([[0.25, 0.5, 0.25], [-0.25, 0.5, -0.25], [0.5, 0.0, -0.5]])
    red, green, blue = LUMA[name]
    luma = np.array([red, green, blue])
    return np.stack(
        [
            luma,
            (np.array([0, 0, 1]) - luma) / (2 * (1 - blue)),
            (np.array([1, 0, 0]) - luma) / (2 * (1 - red)),
        ]
    )


def pq_eotf(code):
    """SMPTE ST 2084: code to cd/m2."""
    m1, m2 = 2610 / 16384, 2523 / 4096 * 128
    c1, c2, c3 = 3424 / 4096, 2413 / 4096 * 32, 2392 / 4096 * 32
    root = np.power(np.clip(code, 0, 1), 1 / m2)
    return 10000 * np.power(np.maximum(root - c1, 0) / (c2 - c3 * root), 1 / m1)


def pq_inverse(nits):
    """SMPTE ST 2084: cd/m2 to code."""
    m1, m2 = 2610 / 16384, 2523 / 4096 * 128
    c1, c2, c3 = 3424 / 4096, 2413 / 4096 * 32, 2392 / 4096 * 32
    power = np.power(np.asarray(nits, np.float64) / 10000, m1)
    return np.power((c1 + c2 * power) / (1 + c3 * power), m2)


def hlg_to_nits(code, peak=1000.0):
    """BT.2100: HLG codes (..., 3) to cd/m2 on a display with that peak and system gamma 1.2."""
    a = 0.17883277
    b = 1 - 4 * a
    c = 0.5 - a * np.log(4 * a)
    code = np.clip(code, 0, 1)
    scene = np.where(code <= 0.5, code**2 / 3, (np.exp((code - c) / a) + b) / 12)
    luminance = scene @ np.array(LUMA["bt2020"])
    return peak * np.power(luminance, 0.2)[..., None] * scene


def eetf(nits, source_peak, target_peak=203.0):
    """BT.2390 5.4.1 for a black of 0, on single values."""
    source, target = pq_inverse(source_peak), pq_inverse(target_peak)
    e1 = np.minimum(pq_inverse(nits) / source, 1)
    top = target / source
    if top >= 1:
        return pq_eotf(e1 * source)
    knee = 1.5 * top - 0.5
    t = (e1 - knee) / (1 - knee)
    curve = (
        (2 * t**3 - 3 * t**2 + 1) * knee + (t**3 - 2 * t**2 + t) * (1 - knee) + (-2 * t**3 + 3 * t**2) * top
    )
    return pq_eotf(np.where(e1 < knee, e1, curve) * source)


def srgb(light):
    """IEC 61966-2-1: linear light to code."""
    light = np.clip(light, 0, 1)
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * np.power(light, 1 / 2.4) - 0.055)


def srgb_inverse(code):
    """IEC 61966-2-1: code to linear light."""
    code = np.clip(code, 0, 1)
    return np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)


def _to_working(frame: Frame, code: np.ndarray) -> np.ndarray:
    color = frame.color
    gamut = BT2087 if color.primaries == "bt2020" else np.eye(3)
    if color.transfer in ("pq", "hlg"):
        nits = pq_eotf(code) if color.transfer == "pq" else hlg_to_nits(code)
        peak = 1000.0 if color.transfer == "hlg" else max(frame.peak_nits or 1000.0, 203.0)
        brightest = nits.max(axis=-1, keepdims=True)
        mapped = nits * np.divide(
            eetf(brightest, peak), brightest, out=np.zeros_like(brightest), where=brightest > 0
        )
        return srgb(mapped / 203.0 @ gamut.T)
    if color.transfer == "linear":
        return srgb(code @ gamut.T)
    if color.primaries == "bt2020":
        return srgb(srgb_inverse(code) @ gamut.T)
    return np.clip(code, 0, 1)


def _stretch(pixels: np.ndarray, axis: int, count: int) -> np.ndarray:
    """Catmull-Rom (Keys, a = -1/2) along one axis, alpha-weighted."""
    old = pixels.shape[axis]
    at = (np.arange(count) + 0.5) * old / count - 0.5
    weights = np.zeros((count, old))
    for i, center in enumerate(at):
        for tap in range(int(np.floor(center)) - 1, int(np.floor(center)) + 3):
            d = abs(center - tap)
            weight = (
                1.5 * d**3 - 2.5 * d**2 + 1
                if d < 1
                else -0.5 * d**3 + 2.5 * d**2 - 4 * d + 2
                if d < 2
                else 0.0
            )
            weights[i, min(max(tap, 0), old - 1)] += weight
    weighted = pixels.copy()
    weighted[..., :3] *= pixels[..., 3:]
    done = np.moveaxis(np.tensordot(weights, weighted, (1, axis)), 0, axis)
    alpha = done[..., 3:]
    done[..., :3] = np.divide(done[..., :3], alpha, out=np.zeros_like(done[..., :3]), where=alpha > 0)
    return np.clip(done, 0, 1)


def reference(frame: Frame) -> np.ndarray:
    """Return what the working texture should hold, float64 (height, width, 4)."""
    rgb = _to_working(frame, coded_rgb(frame))
    samples = _samples(frame)
    top = 1 if frame.format.planes[0].bytes_per_component == 4 else 2**frame.format.bits - 1
    alpha = samples["A"] / top if "A" in samples else np.ones(rgb.shape[:2])
    pixels = np.concatenate([rgb, alpha[..., None]], axis=-1)
    aspect = float(frame.pixel_aspect)
    if aspect > 1:
        pixels = _stretch(pixels, 1, round(frame.width * aspect))
    elif aspect < 1:
        pixels = _stretch(pixels, 0, round(frame.height / aspect))
    if frame.mirrored:
        pixels = pixels[:, ::-1]
    return np.rot90(pixels, -frame.rotation // 90)


def random_frame(pixel_format, width: int, height: int, seed: int, **traits) -> Frame:
    """Return a frame of random valid codes; rows are padded by some bytes of 0xAA."""
    from desktop.media.frame import Plane

    rng = np.random.default_rng(seed)
    planes = []
    for fmt in pixel_format.planes:
        w, h = -(-width >> fmt.shift_x), -(-height >> fmt.shift_y)
        shape = (h, w * len(fmt.components))
        if fmt.bytes_per_component == 4:
            values = rng.random(shape, np.float32)
        elif fmt.bytes_per_component == 2:
            shift = 16 - pixel_format.bits if pixel_format.msb_aligned else 0
            values = (rng.integers(0, 2**pixel_format.bits, shape) << shift).astype("<u2")
        else:
            values = rng.integers(0, 256, shape).astype(np.uint8)
        raw = values.view(np.uint8).reshape(h, -1)
        padded = np.full((h, raw.shape[1] + 12), 0xAA, np.uint8)
        padded[:, : raw.shape[1]] = raw
        planes.append(Plane(padded, padded.shape[1], w, h))
    return Frame(tuple(planes), pixel_format, width, height, **traits)
