"""Opacity, blend modes and masks in an exported page, in a real Chromium: the desktop's image is the reference."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from filter_rig import natural_picture
from PIL import Image
from web_rig import Browser, needs_browser, plan_of, served

from desktop.base.errors import ExportError, FilterError
from desktop.compute.gpu.device import Gpu
from desktop.media.frame import RGBA, ColorInfo, Frame, Plane
from desktop.pipeline.chain.spec import ChainSpec, StageSpec, chain_of
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.masks.spec import Attachment, MaskPart, MaskSpec
from desktop.pipeline.pipeline import Pipeline
from desktop.pipeline.setup.setup import Setup
from desktop.web.contents import gather
from desktop.web.site import Site

SIZE = (160, 90)
LIBRARY = FilterLibrary(None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = Browser()
    yield found
    found.close()


def part(kind: str, join: str = "add", inverted: bool = False, **values: object) -> MaskPart:
    return MaskPart(kind, LIBRARY.mask(kind).check(values), join, inverted)


def mask(*parts: MaskPart, **more: object) -> MaskSpec:
    return MaskSpec(parts, **more)


def chain(*stages: tuple[str, dict[str, object], dict[str, object]]) -> ChainSpec:
    """Make a chain of (filter, values, mixing)."""
    made = chain_of(LIBRARY, [(name, values) for name, values, _ in stages])
    for number, (_, _, mixing) in enumerate(stages, 1):
        made = made.with_mixing(number, **mixing)
    return made


def site_of(folder: Path, looked: ChainSpec) -> Path:
    Site(folder).export(gather(Setup(looked), LIBRARY, title="Masks", picture=SIZE))
    return folder


def frame_of(pixels: np.ndarray, pts: float) -> Frame:
    opaque = np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)])
    height, width = opaque.shape[:2]
    color = ColorInfo("rgb", "full", "srgb", "bt709")
    return Frame((Plane(opaque.tobytes(), width * 4, width, height),), RGBA, width, height, color, pts=pts)


def of_desktop(gpu: Gpu, looked: ChainSpec, *pixels: np.ndarray) -> np.ndarray:
    """R'G'B' of the program's image of the last of some frames, 1/30 s apart; int [height, width, 3]."""
    pipeline = Pipeline(gpu, LIBRARY, wait=True, dither=False)
    try:
        pipeline.set_chain(looked)
        for number, each in enumerate(pixels):
            assert pipeline.render(frame_of(each, number / 30))
        assert not any(status.message for status in pipeline.chain.statuses)
        return pipeline.export().result()[..., :3].astype(int)
    finally:
        pipeline.close()


def shown(browser: Browser) -> np.ndarray:
    text = browser.run("return document.getElementById('picture').toDataURL('image/png')")
    image = Image.open(io.BytesIO(base64.b64decode(text.partition(",")[2])))
    return np.asarray(image.convert("RGB")).astype(int)


def check(
    browser: Browser, gpu: Gpu, folder: Path, looked: ChainSpec, pixels: np.ndarray, *, is_steep: bool = False
) -> np.ndarray:
    """Compare the page's image with the program's; return the latter.

    `is_steep`: a mask that rises by 1 within some pixels or code values. It multiplies what sines and bilinear
    samples differ by, whose weights have 8 bits on some adapters.
    """
    source = folder / "in.png"
    Image.fromarray(pixels).save(source)
    want = of_desktop(gpu, looked, pixels)
    with served(site_of(folder / "site", looked)) as server:
        browser.open(server.address)
        browser.show(source)
        assert browser.message == ""
        off = np.abs(shown(browser) - want)
    assert off.max() <= (3 if is_steep else 1) and np.mean(off > 1) <= 0.01
    assert np.abs(want - pixels).max() > 20  # it has an effect
    return want


def still() -> np.ndarray:
    return np.round(natural_picture(*SIZE)[..., :3] * 255).astype(np.uint8)


STROKES = "0.1/0.2 0.5/0.7 0.9/0.3; 0.3/0.9 0.31/0.9"
MASKS = {
    "ellipse": mask(part("ellipse", width=60, height=70, angle=20)),
    "gradient": mask(part("gradient"), inverted=True),
    "luma": mask(part("luma", low=40, high=80)),
    "hue": mask(part("hue", hue=40, range=50)),
    "polygon": mask(part("polygon", points="0.1/0.1 0.6/0.2 0.3/0.8; 0.7/0.6 1.2/0.7 0.8/1.3")),
    "brush": mask(part("brush", strokes=STROKES, width=12)),
    "nothing drawn": mask(part("rectangle"), part("brush")),
    "joined": mask(
        part("rectangle", width=80, height=80, corners=30),
        part("ellipse", "subtract", width=30, height=40),
        part("polygon", "intersect", inverted=True, points="0.1/0.4 0.9/0.4 0.9/0.6 0.1/0.6"),
        grow=2.0,
        refine=True,
        feather=1.5,
    ),
}
STEEP = ("ellipse", "luma", "hue", "joined")


@needs_browser
@pytest.mark.parametrize("name", MASKS)
def test_a_mask_in_the_page_is_the_programs(browser, gpu, tmp_path, name):
    looked = chain(("invert", {}, {"mask": MASKS[name]}))
    check(browser, gpu, tmp_path, looked, still(), is_steep=name in STEEP)


@needs_browser
def test_several_mixed_stages_give_the_programs_image(browser, gpu, tmp_path):
    """Opacity, blend modes, and a mask that is the result of a stage which is off: of what passes through it."""
    looked = chain(
        ("gaussian_blur", {"radius": 4.0}, {"opacity": 0.5}),
        ("thermal", {}, {}),
        ("vignette", {"amount": 0.9}, {"blend": "multiply", "opacity": 0.8}),
        ("sepia", {}, {"blend": "soft_light", "mask": mask(part("stage", stage=1), part("stage", stage=2))}),
        ("invert", {}, {"mask": mask(part("stage", "subtract", stage=2)), "blend": "luminosity"}),
    ).with_enabled(2, False)
    check(browser, gpu, tmp_path, looked, still())


def changes(browser: Browser, script: str) -> np.ndarray:
    """Return the page's image after a script has changed something."""
    before = browser.run("return document.body.dataset.drawn")
    browser.run(script)
    browser.wait("Number(document.body.dataset.drawn) > Number(arguments[0])", before)
    return shown(browser)


@needs_browser
def test_the_page_has_a_slider_for_the_opacity(browser, gpu, tmp_path):
    """Also of a stage that the look does not mix, and beside a mask; Reset brings the look's opacity back."""
    looked = chain(("invert", {}, {}), ("sepia", {}, {"mask": MASKS["gradient"], "opacity": 0.9}))
    want = check(browser, gpu, tmp_path, looked, still())
    for number, opacity in ((0, 0.25), (1, 0.5)):
        slider = f"const slider = document.getElementById('stage-{number}-mix-opacity');"
        found = changes(
            browser, f"{slider} slider.value = {opacity}; slider.dispatchEvent(new Event('input'))"
        )
        looked = looked.with_mixing(number + 1, opacity=opacity)
        assert np.abs(found - of_desktop(gpu, looked, still())).max() <= 1
    changes(browser, "document.querySelectorAll('#stages button')[0].click()")
    found = changes(browser, "document.querySelectorAll('#stages button')[1].click()")
    assert np.abs(found - want).max() <= 1
    # A stage that is switched off and on again.
    changes(browser, "document.getElementById('stage-1').click()")
    assert np.abs(changes(browser, "document.getElementById('stage-1').click()") - want).max() <= 1


def person(shared: Path) -> np.ndarray:
    photograph = Image.open(shared / "images" / "samples" / "grace_hopper.bmp").convert("RGB")
    top = photograph.height // 5  # head and shoulders: of a head alone, a network need not find a person
    middle = photograph.crop((0, top, photograph.width, top + photograph.width * 9 // 16))
    return np.asarray(middle.resize(SIZE))


CLIP = """
const { Engine } = await import(given[0] + "engine.js");
const engine = await Engine.make(await (await fetch(given[0] + "plan.json")).json());
engine.show(document.createElement("canvas"));
for (const [number, address] of given[1].entries()) {
  const picture = await createImageBitmap(await (await fetch(address)).blob());
  if (!number) await engine.resize(picture.width, picture.height);
  await engine.render(picture, number / 30);
}
const { data } = await engine.pixels();
engine.close();
return Array.from(data);
"""


@needs_browser
def test_a_mask_of_a_moving_clip_is_the_programs(browser, gpu, shared, tmp_path):
    """The network's mask is averaged over time; a drawn one stays."""
    drawn = part("polygon", "subtract", points="0/0 1/0 0.5/0.3")
    looked = chain(("invert", {}, {"mask": mask(part("person", model="person_mask", smoothing=0.3), drawn)}))
    frames = [np.roll(person(shared), shift, axis=1) for shift in (0, 3, 6, 9)]
    site = site_of(tmp_path / "site", looked)
    (site / "empty.html").write_text("<!doctype html><title>empty</title>")
    for number, frame in enumerate(frames):
        Image.fromarray(frame).save(site / f"{number}.png")
    with served(site) as server:
        browser.driver.get(f"{server.address}empty.html")
        names = [f"{server.address}{number}.png" for number in range(len(frames))]
        found = browser.call(CLIP, server.address, names)
    shape = (SIZE[1], SIZE[0], 4)
    off = np.abs(np.reshape(found, shape)[..., :3] - of_desktop(gpu, looked, *frames))
    assert off.max() <= 3 and np.mean(off > 1) <= 0.01
    # Frames before the last one matter.
    assert np.abs(of_desktop(gpu, looked, frames[-1]) - of_desktop(gpu, looked, *frames)).max() > 10


@needs_browser
def test_masks_of_a_network_share_it(browser, gpu, shared, tmp_path):
    """Both stages have it see the frame before the chain, once."""
    network, pixels = {"model": "person_mask"}, person(shared)
    looked = chain(
        ("invert", {}, {}),
        ("invert", {}, {"mask": mask(part("person", **network), inverted=True)}),
        ("gaussian_blur", {"radius": 4.0}, {"mask": mask(part("person", threshold=0.3, **network))}),
    )
    want = check(browser, gpu, tmp_path, looked, pixels, is_steep=True)
    changed = np.abs(want - pixels).max(axis=2) > 20
    assert 0.2 < changed.mean() < 0.8  # the person, and not the background
    plan = plan_of(tmp_path / "site")
    assert len(plan["networks"]) == 1
    assert [step["network"] and step["network"]["shared"] for step in plan["stages"][2]["mixing"]] == [
        0,
        None,
    ]


def test_a_page_without_mixing_has_no_textures_for_it(tmp_path):
    plan = plan_of(site_of(tmp_path / "plain", chain(("invert", {}, {}), ("thermal", {}, {}))))
    assert (plan["textures"], plan["masks"], plan["networks"]) == (3, 0, [])
    assert [len(stage["mixing"]) for stage in plan["stages"]] == [1, 1]


@pytest.mark.parametrize("kind", ["detections", "track", "zone"])
def test_masks_of_what_a_page_does_not_find_are_refused(kind):
    with pytest.raises(ExportError, match="mask of Invert refers to objects") as refused:
        site_of(Path("unused"), chain(("invert", {}, {"mask": mask(part(kind))})))
    assert str(refused.value).count(".") == 1 and not Path("unused").exists()


def test_masks_that_follow_objects_or_later_stages_are_refused():
    moved = MaskPart("ellipse", LIBRARY.mask("ellipse").check({}), attachment=Attachment(1, (0, 0, 1, 1)))
    with pytest.raises(ExportError, match="give Invert another mask"):
        site_of(Path("unused"), chain(("invert", {}, {"mask": mask(moved)})))
    itself = chain(("invert", {}, {"mask": mask(part("stage", stage=1))}))
    with pytest.raises(ExportError, match="does not stand before Invert"):
        site_of(Path("unused"), itself)
    unknown = ChainSpec((StageSpec(1, "invert", mask=mask(MaskPart("not there"))),))
    with pytest.raises(FilterError, match="no mask called 'not there'"):
        site_of(Path("unused"), unknown)
    assert not Path("unused").exists()
