"""Still images and folders of them. References: NumPy arrays that were encoded, and OpenCV's own application
of EXIF.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import io
import struct
import sys
import threading
import time
import zlib

import av
import cv2
import numpy as np
import PIL
import pytest
from waiting import until
from windows_marks import links

from desktop.base.errors import SourceDamagedError, SourceNotFoundError, SourceUnsupportedError, UsageError
from desktop.media.sources._still_header import read_header, sniff
from desktop.media.sources.base import SourceCapabilities, left_out
from desktop.media.sources.file_kinds import classify_drop
from desktop.media.sources.folder import FolderSource, list_images, natural_key
from desktop.media.sources.image import ImageSource, load_image
from desktop.media.sources.opening import open_source


def picture(channels=3, dtype=np.uint8, width=24, height=16):
    """Smooth, with every channel different; in OpenCV's order (B, G, R, A)."""
    y, x = np.mgrid[0:height, 0:width] / [[[height]], [[width]]]
    planes = [x, y, (x + y) / 2, 1 - x * y][:channels]
    return np.round(np.stack(planes, -1) * np.iinfo(dtype).max).astype(dtype).squeeze()


def write(path, array, *args):
    ok, data = cv2.imencode(path.suffix, array, *args)
    assert ok
    path.write_bytes(data.tobytes())
    return path


def pixels(frame):
    """R, G, B, A or gray of a frame. Luma and chroma by ITU-R BT.601, chroma repeated."""
    channels = {}
    for plane, fmt in zip(frame.planes, frame.format.planes, strict=True):
        dtype = {1: np.uint8, 2: np.uint16}[fmt.bytes_per_component]
        rows = np.frombuffer(plane.data, np.uint8)[: plane.height * plane.stride].reshape(
            plane.height, plane.stride
        )
        used = rows[:, : plane.width * len(fmt.components) * fmt.bytes_per_component]
        array = np.ascontiguousarray(used).view(dtype).reshape(plane.height, plane.width, -1)
        array = array.repeat(1 << fmt.shift_y, 0).repeat(1 << fmt.shift_x, 1)[: frame.height, : frame.width]
        channels |= {name: array[..., k] for k, name in enumerate(fmt.components)}
    if "U" in channels:
        assert (frame.color.matrix, frame.color.range) == ("bt601", "full")
        y, cb, cr = (channels[name].astype(float) for name in "YUV")
        cb, cr = cb - 128, cr - 128
        rgb = np.stack((y + 1.402 * cr, y - 0.344136 * cb - 0.714136 * cr, y + 1.772 * cb), -1)
        return np.clip(np.round(rgb), 0, 255).astype(np.uint8)
    return np.stack([channels[name] for name in "YRGBA" if name in channels], -1).squeeze()


def displayed(frame):
    """The picture as it is to be shown: flipped, then turned clockwise."""
    array = pixels(frame)
    if frame.mirrored:
        array = array[:, ::-1]
    return np.rot90(array, -frame.rotation // 90)


def chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(width, height, depth, kind, rows, *chunks):
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0))
    data = chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows)))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(chunks) + data + chunk(b"IEND", b"")


def exif(orientation, order=">"):
    mark = b"MM" if order == ">" else b"II"
    entry = struct.pack(order + "HHIHH", 274, 3, 1, orientation, 0)
    return mark + struct.pack(order + "HIH", 42, 8, 1) + entry + struct.pack(order + "I", 0)


def tiff(array, orientation):
    """An uncompressed little-endian TIFF of RGB, 8 or 16 bit."""
    height, width = array.shape[:2]
    data, bits = array.tobytes(), array.itemsize * 8
    tags = [(256, 3, 1, width), (257, 3, 1, height), (258, 3, 3, None), (259, 3, 1, 1), (262, 3, 1, 2)]
    tags += [
        (273, 4, 1, None),
        (274, 3, 1, orientation),
        (277, 3, 1, 3),
        (278, 3, 1, height),
        (279, 4, 1, len(data)),
        (284, 3, 1, 1),
    ]
    after = 8 + 2 + 12 * len(tags) + 4
    values = {258: after, 273: after + 6}
    body = struct.pack("<2sHIH", b"II", 42, 8, len(tags))
    for tag, kind, count, value in tags:
        body += struct.pack("<HHII", tag, kind, count, values.get(tag, value))
    return body + struct.pack("<I", 0) + struct.pack("<3H", bits, bits, bits) + data


def icc(name):
    text = name.encode("utf-16-be")
    desc = b"mluc\0\0\0\0" + struct.pack(">II2s2sII", 1, 12, b"en", b"US", len(text), 28) + text
    return b"\0" * 128 + struct.pack(">I4sII", 1, b"desc", 144, len(desc)) + desc


@pytest.mark.parametrize(
    ("name", "channels", "dtype", "expected"),
    [
        ("a.png", 3, np.uint8, "rgb24"),
        ("a.png", 4, np.uint8, "rgba"),
        ("a.png", 1, np.uint8, "gray"),
        ("a.png", 1, np.uint16, "gray16le"),
        ("a.png", 3, np.uint16, "rgb48le"),
        ("a.png", 4, np.uint16, "rgba64le"),
        ("a.bmp", 3, np.uint8, "bgr24"),
        ("a.tiff", 3, np.uint16, "rgb48le"),
        ("a.tiff", 4, np.uint8, "rgba"),
        ("a.ppm", 3, np.uint16, "rgb48le"),
        ("a.pgm", 1, np.uint8, "gray"),
    ],
)
def test_samples_are_kept(tmp_path, name, channels, dtype, expected):
    array = picture(channels, dtype)
    frame = load_image(write(tmp_path / name, array)).frame
    assert frame.format.name == expected and (frame.width, frame.height) == (24, 16)
    assert frame.format.has_alpha == (channels == 4)
    order = {1: [], 3: [2, 1, 0], 4: [2, 1, 0, 3]}[channels]
    assert np.array_equal(pixels(frame), array[..., order] if order else array)
    assert (frame.color.range, frame.color.transfer) == ("full", "srgb")
    assert frame.color.matrix == "rgb" or channels == 1


def test_webp_lossless(tmp_path):
    array = picture(4)
    array[..., 3] |= 1  # libwebp drops the color of what is fully transparent
    path = write(tmp_path / "a.webp", array, [cv2.IMWRITE_WEBP_QUALITY, 101])
    assert np.array_equal(pixels(load_image(path).frame), array[..., [2, 1, 0, 3]])


def test_floating_point_becomes_srgb_of_16_bits(tmp_path):
    light = np.array([[0.0, 0.001, 0.18, 0.5, 1.0, 7.0]], np.float32).repeat(2, 0)
    # Not compressed (1): OpenCV's own choice was LogLuv up to 4.11, which loses digits.
    still = load_image(write(tmp_path / "a.tiff", np.dstack([light] * 3), [cv2.IMWRITE_TIFF_COMPRESSION, 1]))
    # IEC 61966-2-1: 0.18 -> 0.46135, 0.5 -> 0.73536.
    expected = np.array([0, 0.01292, 0.461356, 0.735357, 1, 1]) * 65535
    assert np.abs(pixels(still.frame)[0, :, 0] - expected).max() < 2
    assert "clipped" in still.detail["range"] and still.frame.format.name == "rgb48le"


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("order", ["<", ">"])
def test_exif_orientation_of_jpeg(tmp_path, orientation, order):
    # Not subsampled: how chroma is enlarged is not this test's.
    options = [
        cv2.IMWRITE_JPEG_QUALITY,
        95,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
    ]
    plain = cv2.imencode(".jpg", picture(), options)[1].tobytes()
    body = b"Exif\0\0" + exif(orientation, order)
    path = tmp_path / "a.jpg"
    path.write_bytes(plain[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + plain[2:])
    frame = load_image(path).frame
    reference = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)[..., ::-1]
    assert (frame.width, frame.height) == (24, 16), "the samples themselves are not turned"
    assert frame.display_size == (reference.shape[1], reference.shape[0])
    # Two implementations of the inverse DCT may differ by 1 in each of Y, Cb and Cr: by 1 + 1.772 in blue.
    assert np.abs(displayed(frame).astype(int) - reference).max() <= 3


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_orientation_of_png_and_tiff(tmp_path, orientation, dtype):
    array = picture(3, dtype)
    # TIFF 6.0, tag 274, written out: where the first row and the first column are to be seen.
    turned = {
        1: array, 2: array[:, ::-1], 3: array[::-1, ::-1], 4: array[::-1], 5: array.transpose(1, 0, 2),
        6: np.rot90(array, -1), 7: array[::-1, ::-1].transpose(1, 0, 2), 8: np.rot90(array, 1),
    }[orientation]  # fmt: skip
    rows = [row.astype(array.dtype.newbyteorder(">")).tobytes() for row in array]
    (tmp_path / "a.png").write_bytes(
        png(24, 16, array.itemsize * 8, 2, rows, chunk(b"eXIf", exif(orientation)))
    )
    (tmp_path / "a.tif").write_bytes(tiff(array, orientation))
    for name in ("a.png", "a.tif"):
        frame = load_image(tmp_path / name).frame
        assert frame.display_size == (turned.shape[1], turned.shape[0]), name
        assert np.array_equal(displayed(frame), turned), name


def test_palette_with_transparency(tmp_path):
    palette, alpha = (
        chunk(b"PLTE", bytes([255, 0, 0, 0, 255, 0, 10, 20, 30])),
        chunk(b"tRNS", bytes([255, 128, 0])),
    )
    (tmp_path / "a.png").write_bytes(png(3, 2, 8, 3, [bytes([0, 1, 2]), bytes([2, 1, 0])], palette, alpha))
    frame = load_image(tmp_path / "a.png").frame
    colors = [[255, 0, 0, 255], [0, 255, 0, 128], [10, 20, 30, 0]]
    assert frame.format.name == "rgba" and np.array_equal(pixels(frame), [colors, colors[::-1]])


CMYK = (
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2RjcsLUBXQUZMTlJTUjI+WmFaUG"
    "BKUVJP/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAGB//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAOBEMATQBZ"
    "AEsAAD8A05JIZoQAAAD/2Q=="
)


def test_cmyk_jpeg(tmp_path):
    """16 x 16 of CMYK (0, 200, 220, 20), Adobe's inverted ink: naively R = (255 - C)(255 - K) / 255, ..."""
    (tmp_path / "a.jpg").write_bytes(base64.b64decode(CMYK))
    frame = load_image(tmp_path / "a.jpg").frame
    assert (frame.width, frame.height) == (16, 16)
    expected = [*((255 - ink) * (255 - 20) / 255 for ink in (0, 200, 220)), 255]
    assert np.abs(pixels(frame).astype(int) - expected).max() <= 4


@pytest.mark.parametrize(
    ("profile", "primaries", "text"),
    [
        ("Display P3", "p3", "Display P3"),
        ("sRGB IEC61966-2.1", "bt709", "sRGB IEC61966-2.1"),
        ("Adobe RGB (1998)", "bt709", "Adobe RGB (1998) (shown as sRGB)"),
    ],
)
def test_color_profiles_are_named(tmp_path, profile, primaries, text):
    body = chunk(b"iCCP", b"x\0\0" + zlib.compress(icc(profile)))
    (tmp_path / "a.png").write_bytes(png(2, 1, 8, 2, [bytes(6)], body))
    still = load_image(tmp_path / "a.png")
    assert still.frame.color.primaries == primaries and still.detail["color profile"] == text


def test_avif_keeps_its_planes(tmp_path):
    array = picture(width=64, height=48)
    try:
        ok, data = cv2.imencode(".avif", array)
    except cv2.error:
        ok = False
    if not ok:
        pytest.skip("this OpenCV does not write AVIF")
    (tmp_path / "a.avif").write_bytes(data.tobytes())
    frame = load_image(tmp_path / "a.avif").frame
    assert (frame.width, frame.height) == (64, 48) and frame.format.is_yuv and frame.color.transfer == "srgb"
    luma = np.frombuffer(frame.planes[0].data, np.uint8)[: 48 * frame.planes[0].stride].reshape(48, -1)[
        :, :64
    ]
    blue, green, red = np.moveaxis(array.astype(float), -1, 0)
    # BT.601 as libavif's default, full range.
    assert np.abs(luma - (0.299 * red + 0.587 * green + 0.114 * blue)).mean() < 4


needs_avif = pytest.mark.skipif(
    tuple(map(int, PIL.__version__.split(".")[:2])) < (11, 3), reason="Pillow writes AVIF since 11.3"
)


def shown(frame) -> np.ndarray:
    """A frame's planes as R'G'B'A, uint8, by FFmpeg, turned as the frame says; an own pair of eyes on what
    the color pass does.
    """
    import av

    made = av.VideoFrame(frame.width, frame.height, frame.format.name)
    for plane, target in zip(frame.planes, made.planes, strict=True):
        rows = np.frombuffer(plane.data, np.uint8)[: plane.height * plane.stride].reshape(plane.height, -1)
        width = min(plane.stride, target.line_size)
        padded = np.zeros((plane.height, target.line_size), np.uint8)
        padded[:, :width] = rows[:, :width]
        target.update(padded.tobytes())
    made.colorspace = 5 if frame.color.matrix == "bt601" else 1
    made.color_range = 2 if frame.color.range == "full" else 1
    image = made.to_ndarray(format="rgba")
    image = image[:, ::-1] if frame.mirrored else image
    return np.rot90(image, -frame.rotation // 90)


def quarters() -> np.ndarray:
    """Four colors, one in each corner, of a picture that is wider than it is high; uint8 R'G'B' [32, 64, 3]."""
    array = np.zeros((32, 64, 3), np.uint8)
    array[:16, :32], array[:16, 32:] = (220, 40, 40), (40, 200, 40)
    array[16:, :32], array[16:, 32:] = (40, 40, 220), (220, 220, 220)
    return array


@needs_avif
@pytest.mark.parametrize("orientation", range(1, 9))
def test_avif_is_turned_as_its_properties_say(tmp_path, orientation):
    """Pillow writes EXIF's orientation as `irot` and `imir`, and turns by EXIF itself."""
    from PIL import Image, ImageOps

    exif = Image.Exif()
    exif[0x0112] = orientation
    original = Image.fromarray(quarters())
    original.save(tmp_path / "a.avif", exif=exif, quality=95, subsampling="4:4:4")
    original.getexif()[0x0112] = orientation
    expected = np.asarray(ImageOps.exif_transpose(original))
    frame = load_image(tmp_path / "a.avif").frame
    assert frame.display_size == (expected.shape[1], expected.shape[0])
    assert np.abs(shown(frame)[..., :3].astype(int) - expected).mean() < 6


@needs_avif
def test_avif_keeps_its_transparency(tmp_path):
    from PIL import Image

    array = np.dstack((quarters(), np.linspace(0, 255, 64).astype(np.uint8)[None].repeat(32, 0)))
    Image.fromarray(array).save(tmp_path / "a.avif", quality=95)
    still = load_image(tmp_path / "a.avif")
    assert still.frame.format.has_alpha and "transparency" not in still.detail
    assert np.abs(shown(still.frame)[..., 3].astype(int) - array[..., 3]).mean() < 3


@needs_avif
def test_an_animated_avif_is_a_video_with_all_its_pictures(tmp_path):
    from PIL import Image

    from desktop.media.sources.opening import open_source

    pictures = [Image.new("RGB", (64, 48), (40 * n, 10, 200 - 40 * n)) for n in range(5)]
    pictures[0].save(tmp_path / "a.avif", save_all=True, append_images=pictures[1:], duration=100, quality=90)
    source = open_source(tmp_path / "a.avif")
    frames = list(source.frames())
    source.close()
    assert source.info.kind == "video"
    assert [round(frame.pts, 3) for frame in frames] == [0.0, 0.1, 0.2, 0.3, 0.4]
    for n, frame in enumerate(frames):
        expected = np.array((40 * n, 10, 200 - 40 * n))
        assert np.abs(shown(frame)[..., :3].mean((0, 1)) - expected).max() < 8


@needs_avif
def test_an_avif_shows_its_image_and_not_the_thumbnail_before_it(tmp_path):
    from avif_rig import avif_with_thumbnail
    from PIL import Image

    thumbnail, image = (
        Image.new("RGB", (64, 32), (200, 30, 30)),
        Image.fromarray(quarters()).resize((128, 64)),
    )
    path = tmp_path / "a.avif"
    path.write_bytes(avif_with_thumbnail(thumbnail, image))
    expected = np.asarray(Image.open(path).convert("RGB"))
    frame = load_image(path).frame
    assert frame.display_size == (128, 64) == expected.shape[1::-1]
    assert np.abs(shown(frame)[..., :3].astype(int) - expected).mean() < 3


@needs_avif
def test_an_avif_in_tiles_is_refused_and_not_shown_in_part(tmp_path):
    from avif_rig import tiled_avif
    from PIL import Image

    tiles = [Image.new("RGB", (64, 64), (shade, 40, 40)) for shade in (250, 170, 90, 10)]
    path = tmp_path / "a.avif"
    path.write_bytes(tiled_avif(tiles, 2))
    assert Image.open(path).size == (128, 128)  # to libavif it is one image
    with pytest.raises(SourceUnsupportedError, match=r"a\.avif is AVIF in tiles"):
        load_image(path)


def test_an_animated_webp_shows_its_canvas(tmp_path):
    """The first frame covers a part of it; Pillow composes the whole."""
    from PIL import Image

    from desktop.media.sources.image import ImageSource

    first, second = (Image.new("RGBA", (40, 30), (0, 0, 0, 0)) for _ in range(2))
    first.paste((200, 60, 30, 255), (10, 8, 26, 20))
    second.paste((30, 60, 200, 255), (0, 0, 40, 30))
    path = tmp_path / "a.webp"
    first.save(path, save_all=True, append_images=[second], lossless=True, exact=True)
    still = load_image(path)
    with Image.open(path) as image:
        expected = np.asarray(
            image.convert("RGB")
        )  # over black, as libwebp composes files whose frames have no alpha
    assert (still.frame.width, still.frame.height) == (40, 30)
    found = shown(still.frame)
    np.testing.assert_array_equal(found[..., 3], np.where(expected.any(-1), 255, 0))
    np.testing.assert_allclose(found[..., :3] * (found[..., 3:] / 255), expected, atol=2)
    source = ImageSource(path)
    assert len(list(source.frames())) == 1 and "only the first image" in source.info.detail["animation"]


@pytest.mark.parametrize("cut", range(0, 300, 7))
def test_a_damaged_meta_box_turns_nothing_and_ends(cut):
    """Boxes that are cut off, of size 0, 1 and beyond the file."""
    from desktop.media.sources._still_header import read_header

    box = struct.pack(">I4s", 9, b"irot") + b"\x01"
    ipco = struct.pack(">I4s", 8 + len(box), b"ipco") + box
    ipma = struct.pack(">I4sIIHBB", 20, b"ipma", 0, 1, 1, 1, 1)
    iprp = struct.pack(">I4s", 8 + len(ipco) + len(ipma), b"iprp") + ipco + ipma
    pitm = struct.pack(">I4sIH", 14, b"pitm", 0, 1)
    meta = struct.pack(">I4sI", 12 + len(pitm) + len(iprp), b"meta", 0) + pitm + iprp
    data = b"\0\0\0\x18ftypavif\0\0\0\0avifmif1" + meta
    assert read_header(data).orientation == 8
    for size in (0, 1, 7, 1 << 31):
        at = min(cut, len(data) - 4)
        header = read_header(data[:at] + struct.pack(">I", size) + data[at + 4 :])
        assert 1 <= header.orientation <= 8
    assert 1 <= read_header(data[:cut]).orientation <= 8


def test_unicode_paths(tmp_path):
    folder = tmp_path / "жук 画像"
    folder.mkdir()
    assert load_image(write(folder / "naïve ☂.png", picture())).frame.width == 24


@pytest.mark.parametrize(
    ("data", "kind", "words"),
    [
        (b"", SourceUnsupportedError, "not an image"),
        (b"hello, world" * 10, SourceUnsupportedError, "not an image"),
        (b"\x89PNG\r\n\x1a\n", SourceDamagedError, "damaged"),
        (b"\xff\xd8\xff\xe0garbage" * 9, SourceDamagedError, "damaged"),
        (b"GIF89a", SourceDamagedError, "damaged"),
        (b"RIFF\0\0\0\0WEBPVP8 ", SourceDamagedError, "damaged"),
        (b"II*\0\x08\0\0\0\xff\xff" + bytes(40), SourceDamagedError, "damaged"),
        (b"P6 nonsense", SourceDamagedError, "damaged"),
        (b"\0\0\0\x1cftypheic" + bytes(40), SourceUnsupportedError, "HEIC"),
        (b"\0\0\0\x1cftypavif" + bytes(40), SourceDamagedError, "damaged"),
        (b"\0\0\x01\0\x01\0" + bytes(3), SourceDamagedError, "damaged"),
        (png(60000, 60000, 8, 2, []), SourceUnsupportedError, "along a side"),
        (png(14000, 14000, 8, 2, []), SourceUnsupportedError, "196 megapixels, more than 120"),
        (png(16, 16, 8, 2, [bytes(3)])[:-40], SourceDamagedError, "damaged"),
        (b"P6 20000 20000 255\n", SourceUnsupportedError, "along a side"),
        (b"#?RADIANCE\n\n-Y 10000 +X 11000\n", SourceUnsupportedError, "GiB of memory"),
    ],
)
def test_what_can_not_be_opened(tmp_path, data, kind, words):
    path = tmp_path / "file.bin"
    path.write_bytes(data)
    with pytest.raises(kind, match=words) as caught:
        load_image(path)
    assert "file.bin" in str(caught.value) and "\n" not in str(caught.value)


def test_missing_files(tmp_path):
    with pytest.raises(SourceNotFoundError, match="no file"):
        load_image(tmp_path / "none.png")
    with pytest.raises(SourceNotFoundError):
        load_image(tmp_path)


def test_a_cut_off_jpeg_says_so(tmp_path):
    path = write(tmp_path / "a.jpg", picture(width=256, height=256))
    assert "damaged" not in load_image(path).detail
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])
    try:
        assert "cut off" in load_image(path).detail["damaged"]
    except SourceDamagedError as error:
        assert "damaged" in str(error)


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp", ".tiff", ".bmp", ".gif"])
def test_headers_never_raise(tmp_path, suffix):
    try:
        whole = write(tmp_path / f"a{suffix}", picture()).read_bytes()
    except cv2.error:
        pytest.skip(f"this OpenCV does not write {suffix}")
    assert (read_header(whole).width, read_header(whole).height) == (24, 16)
    pick = np.random.default_rng(3)
    for _ in range(300):
        broken = bytearray(whole[: pick.integers(1, len(whole))])
        for _ in range(3):
            broken[pick.integers(len(broken))] = pick.integers(256)
        header = read_header(bytes(broken))
        assert 1 <= header.orientation <= 8 and header.width >= 0


def next_frame(source):
    found = []
    assert until(
        lambda: (frame := source.take(time.perf_counter())) is not None and not found.append(frame)
    ), source.error
    return found[0]


def test_image_source_gives_its_picture_once(tmp_path):
    source = ImageSource(write(tmp_path / "a.png", picture()))
    assert (
        dataclasses.replace(source.capabilities, damage=None) == SourceCapabilities()
        and source.state == "idle"
    )
    threads = []
    source.on_change = lambda: threads.append(threading.current_thread().name)
    source.start()
    frame = next_frame(source)
    assert source.take(time.perf_counter()) is None
    assert source.info.kind == "image" and source.info.size == (24, 16) and not source.info.live
    assert source.info.detail["pixel format"] == "rgb24"
    source.refresh()
    assert source.take(time.perf_counter()) is frame
    assert source.stats.taken == 2
    source.close()
    source.close()
    assert source.state == "closed" and threads[0] == "image"
    (only,) = ImageSource(tmp_path / "a.png").frames()
    assert dataclasses.replace(only, planes=(), captured_at=0) == dataclasses.replace(
        frame, planes=(), captured_at=0
    )


def test_image_source_fails_in_one_sentence(tmp_path):
    source = ImageSource(tmp_path / "none.png")
    source.start()
    assert until(lambda: source.state == "failed")
    assert isinstance(source.error, SourceNotFoundError)
    source.close()


@pytest.fixture
def folder(tmp_path):
    for number in (1, 2, 10):
        write(tmp_path / f"Pic {number}.png", picture(width=20 + number))
    (tmp_path / "pic 3.jpg").write_bytes(b"\xff\xd8\xff broken")
    (tmp_path / "notes.txt").write_text("no frame")
    (tmp_path / "Thumbs.db").write_bytes(b"no picture")
    (tmp_path / ".hidden.png").write_bytes((tmp_path / "Pic 1.png").read_bytes())
    (tmp_path / "sub").mkdir()
    return tmp_path


def test_folder_order(folder):
    assert [path.name for path in list_images(folder)] == [
        "Pic 1.png",
        "Pic 2.png",
        "pic 3.jpg",
        "Pic 10.png",
    ]
    names = ["b", "a10", "a9", "A1", "a", "10", "9", "a09", "²"]
    assert sorted(names, key=natural_key)[:7] == ["9", "10", "a", "A1", "a9", "a09", "a10"]


def test_folder_order_does_not_depend_on_the_disk(tmp_path, monkeypatch):
    """Pieces of one job on several machines, and a run that is resumed, count the same images."""
    for name in ("a1.png", "a01.png", "A1.png"):
        write(tmp_path / name, picture())
    there = sorted(tmp_path.iterdir())
    orders = []
    for given in (there, there[::-1]):
        monkeypatch.setattr("pathlib.Path.iterdir", lambda self, given=given: iter(given))
        orders.append([path.name for path in list_images(tmp_path)])
    assert orders[0] == orders[1] and len(orders[0]) == len(there)


def test_folder_frames_skip_what_is_broken(folder):
    source = FolderSource(folder)
    assert [frame.width for frame in source.frames()] == [21, 22, 30]
    assert list(source.skipped) == ["pic 3.jpg"] and source.stats.damaged == 1


def test_folder_steps_and_seeks(folder):
    source = FolderSource(folder, seconds=100.0)
    assert source.capabilities.timeline is source
    source.start()
    assert next_frame(source).width == 21
    source.step(1)
    assert next_frame(source).width == 22 and source.position == 100.0
    assert until(lambda: source.state == "paused")
    source.step(1)
    assert next_frame(source).width == 30, "the broken one is passed over"
    assert source.info.detail["skipped"] == "1: pic 3.jpg" and source.info.detail["name"] == "Pic 10.png"
    assert source.info.duration == 400.0 and source.info.size == (30, 16)
    source.step(-1)
    assert next_frame(source).width == 22, "and on the way back"
    source.seek(0.0)
    assert next_frame(source).width == 21 and not source.playing
    source.close()


def test_folder_plays(folder):
    source = FolderSource(folder, seconds=0.05)
    source.start()
    widths = [next_frame(source).width for _ in range(5)]
    source.close()
    assert set(widths) == {21, 22, 30} and source.state == "closed"


def numbered(folder, count, broken):
    """A folder of images, of which one cannot be opened."""
    for number in range(count):
        write(folder / f"{number}.png", np.full((16, 16, 3), 20 * number, np.uint8))
    (folder / f"{broken}.png").write_bytes(b"no image")
    return folder


def test_a_folder_that_does_not_loop_ends_though_its_last_image_does_not_open(tmp_path):
    source = FolderSource(numbered(tmp_path, 3, broken=2), seconds=0.2)
    source.set_loop(None, None)
    taken = []

    def look():
        frame = source.take(time.perf_counter())
        taken.extend([] if frame is None else [round(frame.pts / 0.2)])
        return source.state == "ended" or len(taken) > 4

    source.start()
    until(look)
    source.close()
    assert taken == [0, 1]


def test_a_folder_goes_on_behind_an_image_that_does_not_open_after_a_step_back(tmp_path):
    source = FolderSource(numbered(tmp_path, 4, broken=2), seconds=0.1)
    source.set_loop(None, None)
    source.pause()
    source.start()
    until(lambda: source.take(0.0) is not None)
    for frames, place in ((1, 1), (1, 3), (-1, 1), (-1, 0)):
        source.step(frames)
        until(lambda place=place: (frame := source.take(0.0)) is not None and round(frame.pts / 0.1) == place)
    source.play()
    taken = []

    def look():
        frame = source.take(time.perf_counter())
        taken.extend([] if frame is None else [round(frame.pts / 0.1)])
        return source.state == "ended" or len(taken) > 4

    until(look)
    source.close()
    assert taken[-2:] == [1, 3] and 2 not in taken


@pytest.mark.parametrize("suffix", [".png", ".jpg"])
def test_an_image_that_is_cut_off_is_reported_alone_and_in_a_folder(tmp_path, suffix):
    """A command that has processed half an image without a word would end with status 0."""
    whole, half = write(tmp_path / f"a{suffix}", picture(width=200, height=160)), tmp_path / f"b{suffix}"
    half.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    for path, name in ((whole, None), (half, half.name), (tmp_path, half.name)):
        source = open_source(path)
        assert len(list(source.frames())) == (2 if path == tmp_path else 1)
        source.close()
        notes = [str(note) for note in left_out(source)]
        assert [note.partition(" is cut off")[0] for note in notes] == ([] if name is None else [name])


def test_folder_that_has_nothing(tmp_path):
    for prepare, words in (
        (lambda: None, "holds no images"),
        (lambda: (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n"), "None of"),
    ):
        prepare()
        source = FolderSource(tmp_path)
        source.start()
        assert until(lambda source=source: source.state == "failed")
        assert isinstance(source.error, SourceUnsupportedError) and words in str(source.error)
        source.close()
    with pytest.raises(SourceNotFoundError, match="no folder"):
        list(FolderSource(tmp_path / "none").frames())
    with pytest.raises(UsageError):
        FolderSource(tmp_path, seconds=0)


def animation(path, codec, pixel_format):
    with av.open(str(path), "w") as out:
        stream = out.add_stream(codec, rate=5)
        stream.width, stream.height, stream.pix_fmt = 32, 16, pixel_format
        for level in (0, 120, 250):
            array = np.full((16, 32, 3), level, np.uint8)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(array, "rgb24").reformat(format=pixel_format)))
        out.mux(stream.encode(None))


def test_drops_are_told_apart(tmp_path):
    image = write(tmp_path / "photo.jpg", picture())
    wrong = tmp_path / "photo.mp4"
    wrong.write_bytes(image.read_bytes())
    animation(tmp_path / "anim.gif", "gif", "rgb8")
    animation(tmp_path / "anim.apng", "apng", "rgb24")
    (tmp_path / "anim.apng").rename(tmp_path / "anim.png")
    animation(tmp_path / "clip.mkv", "mjpeg", "yuvj420p")
    animation(tmp_path / "clip.ts", "mpeg2video", "yuv420p")
    (tmp_path / "clip.ts").rename(tmp_path / "clip.bin")
    for name in ("net.onnx", "f.wgsl", "p.toml", "l.cube", "t.txt", "raw.h264"):
        (tmp_path / name).write_bytes(b"# text")
    expected = {
        "photo.jpg": "image", "photo.mp4": "image", "anim.gif": "video", "anim.png": "video", "clip.mkv": "video",
        "clip.bin": "video", "net.onnx": "model", "f.wgsl": "filter", "p.toml": "preset", "l.cube": "lut",
        "t.txt": "unknown", "raw.h264": "video",
    }  # fmt: skip
    assert {name: classify_drop(tmp_path / name) for name in expected} == expected
    assert classify_drop(tmp_path) == "folder"
    with pytest.raises(SourceNotFoundError):
        classify_drop(tmp_path / "none")


def test_open_source(tmp_path):
    image = write(tmp_path / "a.png", picture())
    kinds = {
        str(image): "image", str(tmp_path): "folder", "sample": "sample", "camera": "camera", "camera:Front": "camera",
        "rtsp://host/x": "stream", "http://host:80/x": "stream",
    }  # fmt: skip
    assert {spec: open_source(spec).info.kind for spec in kinds} == kinds
    assert open_source("sample:640x360@60").info.size == (640, 360)
    assert open_source("sample:640x360@60").info.rate == 60
    assert open_source("sample:").info.size == open_source("sample").info.size
    (tmp_path / "net.onnx").write_bytes(b"x")
    (tmp_path / "x.txt").write_bytes(b"x")
    for spec, kind, words in [
        (tmp_path / "net.onnx", SourceUnsupportedError, "is a model"),
        (tmp_path / "x.txt", SourceUnsupportedError, "neither"),
        ("file:///a.png", UsageError, "give its path"),
        ("ftp://host/x", UsageError, "can't be opened"),
        ("sample:63x64", UsageError, "can't be"),
        (tmp_path / "none", SourceNotFoundError, "no file"),
    ]:
        with pytest.raises(kind, match=words):
            open_source(spec)


def test_sniff_needs_32_bytes(tmp_path):
    for suffix in (".png", ".jpg", ".webp", ".tiff", ".bmp", ".ppm"):
        data = write(tmp_path / f"a{suffix}", picture()).read_bytes()
        assert sniff(data[:32]) == sniff(data) != ""


def test_shared_images_decode_as_opencv_does(shared):
    for path in sorted((shared / "images" / "samples").iterdir()):
        frame = load_image(path).frame
        reference = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)[..., ::-1]
        # Chroma is repeated here and interpolated there: luma is compared.
        weights = (0.299, 0.587, 0.114)
        away = np.abs(displayed(frame)[..., :3] @ weights - reference @ weights)
        assert away.mean() < 1.0 and np.percentile(away, 99) < 4, path.name


def without_end(path):
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    return path


def test_a_cut_off_png_is_shown_as_far_as_it_goes(tmp_path):
    array = np.random.default_rng(1).integers(0, 256, (200, 100, 3), np.uint8)
    still = load_image(without_end(write(tmp_path / "a.png", array)))
    assert "cut off" in still.detail["damaged"]
    shown = pixels(still.frame)
    assert np.array_equal(shown[:80], array[:80, :, ::-1]), "noise takes as many bytes in each row"
    assert shown.shape == (200, 100, 3)


def test_the_first_picture_of_an_animated_webp(tmp_path):
    from PIL import Image

    for channels, levels in ((3, (40, 200)), (4, (60, 220))):
        pictures = [Image.fromarray(np.roll(picture(channels), level, 1)) for level in levels]
        path = tmp_path / f"a{channels}.webp"
        pictures[0].save(path, save_all=True, append_images=pictures[1:], lossless=True, exact=True)
        still = load_image(path)
        assert still.detail["animation"] and still.frame.display_size == (24, 16)
        assert np.array_equal(pixels(still.frame)[..., :channels], np.asarray(pictures[0]))


def test_lossy_webp_has_the_colors_of_bt601(tmp_path):
    """Also where video would have BT.709: from 1280 columns on."""
    array = np.full((32, 1280, 3), (30, 60, 220), np.uint8)
    frame = load_image(write(tmp_path / "a.webp", array, [cv2.IMWRITE_WEBP_QUALITY, 90])).frame
    assert (frame.color.matrix, frame.color.range) == ("bt601", "limited")
    luma = np.frombuffer(frame.planes[0].data, np.uint8)[5]
    # BT.601, 8 bits, limited range.
    assert abs(int(luma) - (16 + (65.481 * 220 + 128.553 * 60 + 24.966 * 30) / 255)) < 2


def test_a_moving_png_with_a_profile_does_not_end_the_process(tmp_path):
    """PyAV frees the profile's name twice if anyone looks at what the decoder attached."""
    from PIL import Image

    pictures = [Image.fromarray(np.full((16, 24, 3), level, np.uint8)) for level in (20, 200)]
    path = tmp_path / "a.png"
    pictures[0].save(path, save_all=True, append_images=pictures[1:], icc_profile=icc("Display P3"))
    for _ in range(5):
        levels = [int(pixels(frame).mean()) for frame in open_source(str(path)).frames()]
        assert levels == [20, 200]


@pytest.mark.parametrize("suffix", [".png", ".tiff", ".ppm", ".webp", ".jpg", ".bmp"])
@pytest.mark.parametrize("size", [(1, 1), (7, 5), (33, 2)])
def test_odd_sizes(tmp_path, suffix, size):
    array = picture(3, width=size[0], height=size[1]).reshape(size[1], size[0], 3)
    frame = load_image(write(tmp_path / f"a{suffix}", array)).frame
    assert frame.display_size == size


def tiff_variant(array, **tags):
    """An uncompressed big-endian TIFF whose tags can be set; planes one after the other with
    PlanarConfiguration 2.
    """
    height, width, channels = array.shape
    planar = tags.get("planar", 1)
    stored = array.transpose(2, 0, 1) if planar == 2 else array[None]
    strips = [plane.astype(array.dtype.newbyteorder(">")).tobytes() for plane in stored]
    entries = {
        256: (3, [width]), 257: (3, [height]), 258: (3, [array.itemsize * 8] * channels), 259: (3, [tags.get("compression", 1)]),
        262: (3, [tags.get("photometric", 2)]), 273: (4, [0] * len(strips)), 277: (3, [channels]), 278: (3, [height]),
        279: (4, [len(strip) for strip in strips]), 284: (3, [planar]), 339: (3, [tags.get("samples", 1)] * channels),
    }  # fmt: skip
    entries |= {tag: (3, [64]) for tag in tags.get("more", ())}
    if "extra" in tags:
        entries[338] = (3, [tags["extra"]])

    def layout(start):
        body, extra, at = b"", b"", 8 + 2 + 12 * len(entries) + 4
        for tag, (kind, values) in sorted(entries.items()):
            values = [start + sum(map(len, strips[:k])) for k in range(len(strips))] if tag == 273 else values
            packed = struct.pack(f">{len(values)}{'H' if kind == 3 else 'I'}", *values)
            body += struct.pack(">HHI", tag, kind, len(values))
            if len(packed) <= 4:
                body += packed.ljust(4, b"\0")
            else:
                body += struct.pack(">I", at + len(extra))
                extra += packed
        return struct.pack(">2sHIH", b"MM", 42, 8, len(entries)) + body + bytes(4) + extra

    head = layout(0)
    return layout(len(head)) + b"".join(strips)


@pytest.mark.parametrize("planar", [1, 2])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_big_endian_tiff_and_planes(tmp_path, planar, dtype):
    array = picture(3, dtype)
    (tmp_path / "a.tif").write_bytes(tiff_variant(array, planar=planar))
    assert np.array_equal(pixels(load_image(tmp_path / "a.tif").frame), array)


@pytest.mark.parametrize(
    ("array", "tags", "words"),
    [
        (picture(), {"more": (322, 323)}, "in tiles"),
        (picture(), {"compression": 7}, "with JPEG"),
        (picture(), {"photometric": 6}, "in YCbCr"),
        (picture(1).astype(np.float32)[..., None], {"samples": 3, "photometric": 1}, "floating-point"),
    ],
)
def test_kinds_of_tiff_that_would_come_out_wrong(tmp_path, array, tags, words):
    (tmp_path / "a.tif").write_bytes(tiff_variant(array, **tags))
    with pytest.raises(SourceUnsupportedError, match=words) as caught:
        load_image(tmp_path / "a.tif")
    assert str(caught.value).endswith("save it as PNG.")


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize(("gray", "planar"), [(False, 1), (True, 1), (False, 2)])
def test_the_last_sample_of_a_tiff_is_what_its_tag_says(tmp_path, dtype, gray, planar):
    """TIFF 6.0, tag 338: 0 is a measurement such as infrared, with 1 colors are premultiplied, with 2 they are not."""
    array = picture(4, dtype)[..., -2:] if gray else picture(4, dtype)
    most, colors, alpha = np.iinfo(dtype).max, array[..., :-1].astype(float), array[..., -1:].astype(float)
    premultiplied = np.dstack((np.round(colors * alpha / most), alpha)).astype(dtype)
    form = {"photometric": 1 if gray else 2, "planar": planar}
    found = {}
    for extra, stored in ((0, array), (1, premultiplied), (2, array)):
        (tmp_path / "a.tif").write_bytes(tiff_variant(stored, extra=extra, **form))
        still = load_image(tmp_path / "a.tif")
        assert ("transparency" in still.detail) == (extra == 0)
        found[extra] = still.frame.format.has_alpha, pixels(still.frame)
    assert [has_alpha for has_alpha, _ in found.values()] == [False, True, True]
    assert np.array_equal(found[0][1], array[..., :-1].squeeze()) and np.array_equal(found[2][1], array)
    known = alpha[..., 0] > most / 8  # with less alpha, rounding has lost the color
    assert np.abs(found[1][1].astype(float) - array)[known].max() <= 4
    assert np.array_equal(found[1][1][..., -1], array[..., -1])


def _set_page_kinds(path, kinds):
    """Write the tag NewSubfileType of each page of a little-endian TIFF, which has it."""
    data = bytearray(path.read_bytes())
    (at,) = struct.unpack_from("<I", data, 4)
    for kind in kinds:
        (count,) = struct.unpack_from("<H", data, at)
        tags = range(at + 2, at + 2 + 12 * count, 12)
        (place,) = (tag for tag in tags if struct.unpack_from("<H", data, tag)[0] == 254)
        struct.pack_into("<I", data, place + 8, kind)
        (at,) = struct.unpack_from("<I", data, at + 2 + 12 * count)
    assert at == 0
    path.write_bytes(data)


def test_further_pages_of_a_tiff_are_stated_and_its_thumbnail_is_none(tmp_path):
    from PIL import Image

    path, pages = tmp_path / "a.tif", [Image.new("RGB", (40, 30), (60 * n, 0, 0)) for n in range(3)]
    for count, kinds, is_stated in ((1, (), False), (3, (0, 0), True), (3, (1, 4), False), (3, (1, 2), True)):
        pages[0].save(path, save_all=True, append_images=pages[1:count], tiffinfo={254: 0})
        _set_page_kinds(path, (0, *kinds))
        assert Image.open(path).n_frames == count
        source = ImageSource(path)
        assert len(list(source.frames())) == 1
        assert ("only the first image" in source.info.detail.get("animation", "")) == is_stated, kinds
    path.write_bytes(path.read_bytes()[:-40])  # damage behind the first page
    assert load_image(path).frame.display_size == (40, 30)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(
    ("following", "is_stated"),
    [
        (lambda order: struct.pack(order + "I", 0), False),
        (lambda order: b"", False),
        (lambda order: struct.pack(order + "I", 9999), True),
    ],
)
def test_pages_that_a_cut_off_tiff_refers_to_are_stated(tmp_path, order, following, is_stated):
    """`following` is what a writer puts behind the first directory: the place of the next one, or nothing."""
    tags = [(256, 2), (257, 2), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (278, 2), (279, 4)]
    directory = struct.pack(order + "H", len(tags))
    directory += b"".join(struct.pack(order + "HHII", tag, 4, 1, value) for tag, value in tags)
    head = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", 12)
    (tmp_path / "a.tif").write_bytes(head + bytes((0, 80, 160, 240)) + directory + following(order))
    source = ImageSource(tmp_path / "a.tif")
    assert len(list(source.frames())) == 1
    assert ("only the first image" in source.info.detail.get("animation", "")) == is_stated


@pytest.mark.parametrize("sizes", [(16, 32, 64), (64, 32, 16)])
def test_an_icon_is_shown_in_its_largest_size(tmp_path, sizes):
    from PIL import Image

    images = [Image.new("RGBA", (size, size), (size, 40, 90, 255)) for size in sizes]
    entries, data = b"", b""
    for image in images:
        file = io.BytesIO()
        image.save(file, "PNG")
        at = 6 + 16 * len(images) + len(data)
        entries += struct.pack("<4B2H2I", *image.size, 0, 0, 1, 32, len(file.getvalue()), at)
        data += file.getvalue()
    path = tmp_path / "a.ico"
    path.write_bytes(struct.pack("<3H", 0, 1, len(images)) + entries + data)
    assert Image.open(path).size == (64, 64)
    frame = load_image(path).frame
    assert frame.display_size == (64, 64) and shown(frame)[5, 5].tolist() == [64, 40, 90, 255]


@links
def test_shared_videos_are_told_by_content(shared, tmp_path):
    for path in sorted((shared / "video" / "files").iterdir()):
        link = tmp_path / f"{path.stem}.unknown"
        link.symlink_to(path)
        assert classify_drop(link) == "video", path.name


def test_texts_and_profiles_of_a_png_are_not_unpacked(tmp_path):
    """FFmpeg would, without a bound: these 200 KB took 500 MB."""
    resource = pytest.importorskip("resource", reason="Windows bounds no process's memory")
    packer = zlib.compressobj(9)
    bomb = b"".join(packer.compress(bytes(1 << 20)) for _ in range(200)) + packer.flush()
    notes = (chunk(b"iCCP", b"x\0\0" + bomb), chunk(b"zTXt", b"x\0\0" + bomb), chunk(b"tEXt", b"k\0\x1b[31m"))
    (tmp_path / "a.png").write_bytes(png(2, 1, 8, 2, [bytes(6)], *notes))
    (tmp_path / "cut.png").write_bytes((tmp_path / "a.png").read_bytes()[:-16])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for name in ("a.png", "cut.png"):
        assert load_image(tmp_path / name).frame.width == 2
    unit = 1 if sys.platform == "darwin" else 1024
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit < 100 << 20


@pytest.mark.parametrize("order", ["before", "behind"])
@pytest.mark.parametrize("suffix", ["apng", "mov"])
def test_texts_and_profiles_of_an_animation_are_not_unpacked(tmp_path, suffix, order):
    resource = pytest.importorskip("resource", reason="Windows bounds no process's memory")
    packer = zlib.compressobj(9)
    bomb = b"".join(packer.compress(bytes(1 << 20)) for _ in range(200)) + packer.flush()
    notes = chunk(b"iCCP", b"x\0\0" + bomb) + chunk(b"zTXt", b"x\0\0" + bomb)
    path = tmp_path / f"a.{suffix}"
    if suffix == "mov":
        with av.open(str(path), "w") as container:
            stream = container.add_stream("png", 25, options={"flags": "+bitexact"})
            stream.width, stream.height, stream.pix_fmt = 2, 1, "rgb24"
            container.start_encoding()
            for index in range(3):
                packet = av.Packet(png(2, 1, 8, 2, [bytes([index * 50] * 6)], notes))
                packet.stream, packet.pts, packet.dts, packet.time_base = (
                    stream,
                    index,
                    index,
                    stream.time_base,
                )
                container.mux(packet)
    else:
        control = [chunk(b"acTL", struct.pack(">II", 3, 0)), notes]
        head = chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 1, 8, 2, 0, 0, 0))
        body = b"".join(control if order == "behind" else control[::-1])
        number = 0
        for index in range(3):
            body += chunk(b"fcTL", struct.pack(">5IHHBB", number, 2, 1, 0, 0, 1, 25, 0, 0))
            data = zlib.compress(b"\0" + bytes([index * 50] * 6))
            number += 1
            body += chunk(b"fdAT", struct.pack(">I", number) + data) if index else chunk(b"IDAT", data)
            number += index > 0
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b""))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with contextlib.closing(open_source(str(path))) as source:
        found = [bytes(frame.planes[0].data)[0] for frame in source.frames()]
    assert found == ([0, 50, 100] if suffix == "mov" else [0])  # FFmpeg's probe takes this one for a still
    unit = 1 if sys.platform == "darwin" else 1024
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit < 100 << 20


def test_an_image_larger_than_its_header_says_is_refused_before_it_is_decoded(tmp_path):
    """Decoders read sizes of their own: the header, by which memory is reserved, is the limit."""
    picture = np.full((600, 800, 3), 90, np.uint8)
    webp = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, 50])[1].tobytes()
    frame = webp[12:]
    canvas = struct.pack("<4sI", b"VP8X", 10) + bytes(4) + (0).to_bytes(3, "little") * 2
    (tmp_path / "small.webp").write_bytes(
        b"RIFF" + struct.pack("<I", 4 + len(canvas) + len(frame)) + b"WEBP" + canvas + frame
    )
    small = cv2.imencode(".jpg", picture[:16, :16])[1].tobytes()
    large = cv2.imencode(".jpg", picture)[1].tobytes()
    (tmp_path / "two.jpg").write_bytes(small[:-2] + large[2:])
    for name in ("small.webp", "two.jpg"):
        with pytest.raises(SourceDamagedError, match=r"is damaged"):
            load_image(tmp_path / name)


def test_a_fault_of_a_library_is_a_failed_source(tmp_path, monkeypatch):
    """Its thread must not end unnoticed."""
    write(tmp_path / "a.png", picture())
    source = FolderSource(tmp_path)

    def fail(path):
        raise RuntimeError("no such codec")

    monkeypatch.setattr("desktop.media.sources.folder.load_image", fail)
    source.start()
    until(lambda: source.state == "failed")
    source.close()
    assert "no such codec" in str(source.error) and tmp_path.name in str(source.error)
