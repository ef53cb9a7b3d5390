"""Previews: the frame shown under other chains, small, a few at a time."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from test_pipeline import noise, rgba_frame
from waiting import LIMIT_S

import lightloom
from desktop.compute.gpu.device import Gpu
from desktop.pipeline.chain.spec import ChainSpec, chain_of
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.masks.spec import Attachment, MaskPart, MaskSpec
from desktop.pipeline.network_previews import NetworkRequest
from desktop.pipeline.previews.chains import obstacle_of, preview_values
from desktop.pipeline.previews.cost import MOST_PER_FRAME, PreviewCost
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tracking.anonymize import AnonymizeSpec

BOX = 96


@pytest.fixture(scope="module")
def library():
    return FilterLibrary(None)


@pytest.fixture(scope="module")
def shared_engine(library):
    made = Engine(Gpu.open, library, load_network=None, wait=True)
    yield made
    made.close()


@pytest.fixture
def engine(shared_engine):
    shared_engine.current.set_setup(Setup())
    shared_engine.current.clear()
    shared_engine.previews.box = BOX
    shared_engine.previews.invalidate()
    return shared_engine


def one(library, name, values=None):
    return chain_of(library, [(name, values or {})])


def smooth(width=BOX, height=54):
    """An image without steps: rounding moves its pixels by one code at most."""
    y, x = np.mgrid[0:height, 0:width]
    picture = np.zeros((height, width, 4), np.uint8)
    picture[..., 0], picture[..., 1] = x * 255 // (width - 1), y * 255 // (height - 1)
    picture[..., 2] = 128 + 100 * np.sin(x / 9.0) * np.cos(y / 7.0)
    picture[..., 3] = 255
    return picture


def rendered(engine, chains):
    """Request previews and render until all are there: images by key."""
    engine.previews.request(chains)
    found = {}
    end = time.monotonic() + LIMIT_S
    while not (engine.previews.is_complete and chains.keys() - engine.previews.unavailable <= found.keys()):
        assert time.monotonic() < end, chains.keys() - found.keys()
        engine.render_previews()
        found |= {preview.key: preview.pixels for preview in engine.previews.take()}
        time.sleep(0.001)
    return found


def test_a_preview_is_what_the_chain_makes_of_the_small_frame(engine, library):
    picture = smooth()
    engine.render(rgba_frame(picture))
    stages = [
        ("invert", {}),
        ("exposure", {"stops": -1.0}),
        ("vignette", {}),
        ("gaussian_blur", {"radius": 4}),
    ]
    chains = {"": ChainSpec(), "all": chain_of(library, stages)}
    chains |= {name: one(library, name, values) for name, values in stages}
    found = rendered(engine, chains)
    assert np.array_equal(found[""], picture)
    for name, chain in chains.items():
        with lightloom.Chain([(s.filter, s.values) for s in chain.stages]) as reference:
            wanted = reference(picture).astype(int)
        # Of two code values: the same arithmetic on the same texels.
        assert np.abs(found[name][..., : wanted.shape[2]] - wanted).max() <= 2, name


def masked(library, effect, kind, values=None, **mask):
    """A chain of one stage with a mask of one part."""
    part = MaskPart(kind, library.mask(kind).check(values or {}))
    return one(library, effect).with_mixing(1, mask=MaskSpec((part,), **mask))


def test_a_preview_respects_opacity_blend_mode_and_mask(engine, library, pipeline):
    picture = smooth()
    engine.render(rgba_frame(picture))
    two_parts = MaskSpec(
        (
            MaskPart("ellipse", library.mask("ellipse").check({"width": 70})),
            MaskPart("rectangle", library.mask("rectangle").check({"width": 30}), "subtract"),
        ),
        inverted=True,
    )
    of_stage = chain_of(library, [("thermal", {}), ("motion_trails", {}), ("gaussian_blur", {"radius": 4})])
    reading = MaskPart("stage", library.mask("stage").check({"stage": 2}))
    of_stage = of_stage.added("invert", {}).with_mixing(4, mask=MaskSpec((reading,)))
    missing = MaskPart("stage", library.mask("stage").check({"stage": 9}))
    chains = {
        "opacity": one(library, "invert").with_mixing(1, opacity=0.5),
        "blend": one(library, "sepia").with_mixing(1, blend="multiply", opacity=0.7),
        "ellipse": masked(library, "thermal", "ellipse"),
        "several": one(library, "invert").with_mixing(1, mask=two_parts),
        "edge": masked(library, "invert", "luma", grow=3.0, feather=4.0, refine=True),
        "polygon": masked(library, "invert", "polygon", {"points": "0.1/0.1 0.9/0.4 0.2/0.8"}),
        "stage": of_stage,
        "missing": one(library, "invert").with_mixing(1, mask=MaskSpec((missing,))),
        "black": one(library, "invert").with_mixing(1, mask=MaskSpec((missing,), if_missing="black")),
    }
    found = rendered(engine, chains)
    for name, chain in chains.items():
        pipeline.set_chain(chain)
        assert pipeline.render(rgba_frame(picture))
        wanted = pipeline.export().result().astype(int)
        assert np.abs(found[name] - wanted).max() <= 2, name
    assert np.array_equal(found["missing"], picture) and not found["black"][..., :3].any()
    # Each of the others shows something of the effect, and something of the frame.
    assert np.ptp(found["opacity"][..., :3]) < 8 and not np.array_equal(found["ellipse"], picture)


def test_what_masks_need_that_a_preview_lacks(engine, library):
    reasons = {name: obstacle_of(masked(library, "invert", name), library) for name in library.masks}
    wanted = dict.fromkeys(library.masks, "")
    wanted |= dict.fromkeys(("person", "depth", "detections", "track", "zone"), "network")
    assert reasons == wanted
    moved = MaskPart("ellipse", library.mask("ellipse").check({}), attachment=Attachment(1, (0, 0, 1, 1)))
    assert obstacle_of(one(library, "invert").with_mixing(1, mask=MaskSpec((moved,))), library) == "network"
    strange = one(library, "invert").with_mixing(1, mask=MaskSpec((MaskPart("not there"),)))
    assert obstacle_of(strange, library) == "unknown"
    # A network's preview has the networks of masks, and no other.
    requests = {
        "person": NetworkRequest(masked(library, "invert", "person", inverted=True)),
        "detections": NetworkRequest(masked(library, "invert", "detections")),
    }
    nobody = smooth()
    nobody[..., 2] = 128  # without its waves, in which the network is not quite sure of that
    engine.render(rgba_frame(nobody))
    rendered(engine, {"": ChainSpec()})
    previews, found = engine.network_previews, {}
    previews.request(requests)
    end = time.monotonic() + LIMIT_S
    while not previews.is_complete:
        assert time.monotonic() < end
        engine.render_previews()
        previews.advance()
        found |= {preview.key: preview.pixels for preview in previews.take()}
        time.sleep(0.001)
    assert found.keys() == {"person"} and previews.unavailable == {"detections"}
    previews.request({})
    assert np.abs(found["person"][..., :3].astype(int) + nobody[..., :3] - 255).max() <= 8


def test_a_large_frame_is_averaged_and_lengths_in_pixels_shrink_with_it(engine, library):
    factor = 4
    picture = smooth(BOX * factor, 54 * factor)
    engine.render(rgba_frame(picture))
    found = rendered(engine, {"": ChainSpec(), "blur": one(library, "gaussian_blur", {"radius": 16.0})})
    means = picture.reshape(54, factor, BOX, factor, 4).mean((1, 3))
    assert found[""].shape == (54, BOX, 4)
    assert np.abs(found[""] - means).max() <= 3
    with lightloom.Chain([("gaussian_blur", {"radius": 16.0})]) as reference:
        blurred = reference(picture)
    means = blurred.reshape(54, factor, BOX, factor, -1).mean((1, 3))
    inside = np.abs(found["blur"][..., :3] - means[..., :3])[6:-6, 6:-6]
    assert inside.mean() < 2 and inside.max() <= 8


def test_lengths_stay_within_their_bounds(library):
    blur, pixelate, exposure = (library.get(n) for n in ("gaussian_blur", "pixelate", "exposure"))
    assert preview_values(blur, blur.defaults | {"radius": 20.0}, 0.25)["radius"] == 5.0
    sizes = [param for param in pixelate.params if param.unit == "px"]
    small = preview_values(pixelate, pixelate.defaults, 0.01)
    assert sizes and all(small[param.name] == param.min for param in sizes)
    assert preview_values(exposure, {"stops": 2.0}, 0.1) == {"stops": 2.0}


def test_a_still_frame_has_each_preview_once_and_another_frame_has_it_again(engine, library):
    engine.render(rgba_frame(noise(1)))
    chains = {"invert": one(library, "invert"), "sepia": one(library, "sepia")}
    first = rendered(engine, chains)
    for _ in range(20):
        engine.render_previews()
        time.sleep(0.005)
    assert not engine.previews.take(), "the frame is the same"
    engine.render(rgba_frame(noise(2)))
    assert not np.array_equal(rendered(engine, chains)["invert"], first["invert"])


def test_every_key_has_its_turn(engine, library):
    names = sorted(name for name in library.filters if not obstacle_of(one(library, name), library))
    engine.render(rgba_frame(smooth()))
    assert len(names) > 40
    found = rendered(engine, {name: one(library, name) for name in names})
    assert set(found) == set(names) and not engine.previews.unavailable


def test_what_has_no_preview(library):
    reasons = {name: obstacle_of(one(library, name), library) for name in library.filters}
    assert (reasons["style"], reasons["motion_trails"], reasons["lut"]) == ("network", "past", "file")
    assert {reasons[name] for name in ("invert", "film_grain", "canny")} == {""}
    assert obstacle_of(ChainSpec().added("not there", {}), library) == "unknown"
    mixed = chain_of(library, [("temporal_denoise", {}), ("thermal", {})])
    assert obstacle_of(mixed, library) == "", "what passes the first frame through is left out"
    assert obstacle_of(chain_of(library, [("thermal", {}), ("style", {})]), library) == "network"


def test_a_preview_shows_nothing_that_is_hidden(engine, library):
    picture = noise(3)
    engine.render(rgba_frame(picture))
    shown = rendered(engine, {"": ChainSpec()})[""]
    assert np.array_equal(shown, picture)
    engine.current.set_setup(Setup(anonymize=AnonymizeSpec(kind="fill")))
    # The frame shown was rendered before: it may not be exported, nor are there previews of it.
    for _ in range(20):
        engine.render_previews()
        time.sleep(0.002)
    assert not engine.previews.take()
    engine.render(rgba_frame(picture))
    hidden = rendered(engine, {"": ChainSpec(), "invert": one(library, "invert")})
    assert np.ptp(hidden[""][..., :3], axis=(0, 1)).max() == 0
    assert np.ptp(hidden["invert"][..., :3], axis=(0, 1)).max() == 0


def test_a_preview_is_of_the_frame_before_its_chain(engine, library):
    picture = noise(4)
    engine.current.set_setup(Setup(one(library, "invert")))
    engine.render(rgba_frame(picture))
    assert np.array_equal(rendered(engine, {"": ChainSpec()})[""], picture)


def test_a_filter_that_does_not_compile_leaves_the_others_alone(tmp_path):
    (tmp_path / "broken.wgsl").write_text(
        '/* lightloom\ntitle = "Broken"\ngroup = "Mine"\n*/\nfn main(p: vec2i) -> vec4f { return nothing; }\n'
    )
    own = FilterLibrary(tmp_path)
    engine = Engine(Gpu.open, own, load_network=None, wait=True)
    engine.render(rgba_frame(noise(5)))
    found = rendered(engine, {"broken": one(own, "broken"), "invert": one(own, "invert")})
    assert set(found) == {"invert"} and engine.previews.unavailable == {"broken"}
    engine.close()


def test_a_request_is_followed_by_a_call_when_it_has_arrived(engine, library):
    came = threading.Event()
    engine.on_previews = came.set
    engine.render(rgba_frame(noise(6)))
    rendered(engine, {"invert": one(library, "invert")})
    assert came.wait(LIMIT_S)
    engine.on_previews = None


def test_a_loss_of_the_device_drops_everything(library):
    engine = Engine(Gpu.open, library, load_network=None, wait=True)
    engine.render(rgba_frame(noise(7)))
    chains = {"invert": one(library, "invert")}
    before = engine.previews
    rendered(engine, chains)
    engine.pipeline.drain()
    engine.gpu.device.destroy()
    for _ in range(3):
        engine.render(rgba_frame(noise(7)))
    assert engine.rebuilds == 1 and engine.previews is not before
    assert engine.previews.is_complete and not engine.previews.take()
    assert set(rendered(engine, chains)) == {"invert"}
    engine.close()


def test_the_number_of_previews_follows_their_cost():
    cost = PreviewCost(is_software=False)
    keys = ("a", "b", "c", "d")
    for _ in range(100):
        cost.took(keys, 0.0, 0.4)
    cheap = cost.count(16.7)
    for _ in range(100):
        cost.took(keys, 0.0, 400.0)
    assert 1 < cheap <= MOST_PER_FRAME and cost.count(16.7) == 1
    # What takes many times its share is followed by frames without any, unless the frame stays.
    assert not cost.allows(3.0, is_still=False) and cost.allows(15.0, is_still=False)
    assert cost.allows(3.0, is_still=True)
    # A page that is new fills sooner.
    cost.took(("e",), 0.0, 400.0)
    assert cost.allows(3.0, is_still=False)
    cost.took(("e",), 0.0, 400.0)
    assert not cost.allows(3.0, is_still=False)


def test_what_a_preview_waited_for_does_not_count():
    cost = PreviewCost(is_software=True)
    cost.took(("a",), 0.0, 4.0)
    cost.took(("a",), 100.0, 400.0)
    assert cost.allows(100.1, is_still=False)


def test_previews_of_filters_with_inputs_have_stand_ins(engine, library):
    picture = np.full((54, BOX, 4), 100, np.uint8)
    picture[..., 3] = 255
    engine.render(rgba_frame(picture))
    found = rendered(engine, {name: one(library, name) for name in ("spectrum", "spotlight")})
    bars = (np.abs(found["spectrum"][..., :3].astype(int) - (0x40, 0xC0, 0xFF)) < 3).all(axis=2)
    assert bars[-1].any() and not bars[0].any()
    lit = found["spotlight"][..., 0]
    assert lit[27, BOX // 2] == 100 and lit[0, 0] < 70
