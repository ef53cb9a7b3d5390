"""Masks, opacity and blend modes in presets, and presets of version 1 of the format."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from desktop.base.errors import PresetError
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.masks.spec import MOST_PARTS, Attachment, MaskPart, MaskSpec
from desktop.pipeline.setup.bundle import open_preset, save_bundle
from desktop.pipeline.setup.masks import mask_fault
from desktop.pipeline.setup.preset import LoadedPreset, load_preset, save_preset
from desktop.pipeline.setup.setup import Setup, named_models


@pytest.fixture(scope="module")
def library():
    return FilterLibrary(None)


def part(library: FilterLibrary, kind: str, **how: object) -> MaskPart:
    """Return a part of a mask; `how` has its values, and `join`, `inverted` and `attachment`."""
    own = {name: how.pop(name) for name in ("join", "inverted", "attachment") if name in how}
    return MaskPart(kind, library.mask(kind).check(how), **own)


def loaded_text(library: FilterLibrary, folder: Path, text: str, version: int = 2) -> LoadedPreset:
    path = folder / "look.toml"
    path.write_text(f"lightloom = {version}\n{text}", encoding="utf-8")
    return load_preset(path, library)


def test_a_mask_of_every_kind_is_the_same_after_loading(library, tmp_path):
    chain = ChainSpec()
    for name in ("invert", "sepia", "gaussian_blur", "vignette"):
        chain = chain.added(name, library.get(name).defaults)
    attached = Attachment(7, (0.1, 0.2, 0.3, 0.65))
    first = MaskSpec(
        (
            part(library, "ellipse", width=30.0, center=(0.25, 0.75), attachment=attached),
            part(library, "luma", low=80.0, join="subtract", inverted=True),
            part(library, "stage", stage=1, channel="opacity", join="intersect"),
        ),
        inverted=True,
        grow=-1.5,
        feather=2.0,
        refine=True,
        if_missing="black",
    )
    kinds = [kind for kind in library.masks if kind != "stage"]
    others = [MaskSpec(tuple(part(library, kind) for kind in kinds[at : at + 4])) for at in (0, 4, 8)]
    chain = chain.with_mixing(2, mask=first, opacity=0.4, blend="soft_light")
    for stage, mask in zip((1, 3, 4), others, strict=True):
        chain = chain.with_mixing(stage, mask=mask)
    path = tmp_path / "look.toml"
    save_preset(Setup(chain), library, path)
    loaded = load_preset(path, library)
    assert loaded.warnings == ()
    assert loaded.setup.chain == chain


def test_only_what_is_not_usual_is_written(library, tmp_path):
    chain = ChainSpec().added("sepia", {}).added("invert", {})
    save_preset(Setup(chain.with_mixing(2, mask=MaskSpec())), library, tmp_path / "look.toml")
    document = tomllib.loads((tmp_path / "look.toml").read_text("utf-8"))
    assert document["lightloom"] == 2
    assert document["filter"] == [
        {"name": "sepia", "enabled": True, "values": {}},
        {"name": "invert", "enabled": True, "values": {}, "mask": {}},
    ]


def test_a_stage_is_read_by_its_position_whatever_its_id_is(library, tmp_path):
    chain = ChainSpec()
    for name in ("invert", "sepia", "vignette", "bloom"):
        chain = chain.added(name, library.get(name).defaults)
    mask = MaskSpec((part(library, "stage", stage=3),))
    chain = chain.removed(1).with_mixing(4, mask=mask)
    path = tmp_path / "look.toml"
    save_preset(Setup(chain), library, path)
    (entry,) = (each for each in tomllib.loads(path.read_text("utf-8"))["filter"] if "mask" in each)
    assert entry["mask"]["part"][0]["values"]["stage"] == 2
    stages = load_preset(path, library).setup.chain.stages
    assert stages[2].mask is not None
    assert stages[2].mask.parts[0].values["stage"] == stages[1].id


def test_positions_count_filters_that_were_left_out(library, tmp_path):
    text = """
        [[filter]]
        name = "no_such_filter"
        [[filter]]
        name = "sepia"
        [[filter]]
        name = "invert"
        [[filter.mask.part]]
        kind = "stage"
        values = { stage = 2 }
        [[filter]]
        name = "invert"
        [[filter.mask.part]]
        kind = "stage"
        values = { stage = 1 }
        """
    loaded = loaded_text(library, tmp_path, text)
    sepia, second, third = loaded.setup.chain.stages
    assert second.enabled and second.mask is not None
    assert second.mask.parts[0].values["stage"] == sepia.id
    assert not third.enabled and third.mask is None
    assert any("the effect 1, which is not there" in warning for warning in loaded.warnings)


def test_a_mask_that_reads_a_removed_stage_is_not_that_of_another(library, tmp_path):
    chain = ChainSpec().added("sepia", {}).added("bloom", {}).added("invert", {})
    chain = chain.with_mixing(3, mask=MaskSpec((part(library, "stage", stage=1),))).removed(1)
    save_preset(Setup(chain), library, tmp_path / "look.toml")
    loaded = load_preset(tmp_path / "look.toml", library)
    assert [stage.enabled for stage in loaded.setup.chain.stages] == [True, False]
    assert any("switched off" in warning for warning in loaded.warnings)


@pytest.mark.parametrize(
    ("mask", "said"),
    [
        ("mask = 3", "'mask' is not a table"),
        ("mask = { part = 3 }", "'mask.part' is not a list"),
        ("mask = { part = [3] }", "has no kind"),
        ('mask = { part = [{ kind = "elipse" }] }', "no mask called 'elipse'; there are: brush, depth,"),
        ('mask = { part = [{ kind = "ellipse", values = 3 }] }', "are not a table"),
        ('mask = { part = [{ kind = "ellipse", values = { size = 3 } }] }', "no parameter 'size'"),
        ('mask = { part = [{ kind = "ellipse", values = { width = 3000 } }] }', "'3000' is not a value"),
        ('mask = { part = [{ kind = "ellipse", join = "or" }] }', "'join' of the mask 'ellipse' is 'or'"),
        ('mask = { part = [{ kind = "ellipse", inverted = 1 }] }', "neither true nor false"),
        ('mask = { part = [{ kind = "ellipse", attachment = 1 }] }', "attachment of a mask is invalid"),
        (
            'mask = { part = [{ kind = "ellipse", attachment = { identity = 1, extents = [0, 0, 0, 1] } }] }',
            "attachment of a mask is invalid",
        ),
        (
            'mask = { part = [{ kind = "ellipse", attachment = { identity = 1, extents = [0, 0, inf, 1] } }] }',
            "attachment of a mask is invalid",
        ),
        ('mask = { part = [{ kind = "stage", values = { stage = 0 } }] }', "'0' is not a value for 'stage'"),
        ("mask = { feather = 99 }", "'feather' of the mask is 99"),
        ("mask = { feather = nan }", "'feather' of the mask is nan"),
        ('mask = { inverted = "yes" }', "'inverted' of the mask is yes"),
        (
            "mask = { part = [" + '{ kind = "luma" }, ' * (MOST_PARTS + 1) + "] }",
            "9 parts; give at most 8",
        ),
    ],
)
def test_a_mask_that_cannot_be_read_switches_its_filter_off(library, tmp_path, mask, said):
    loaded = loaded_text(library, tmp_path, f'[[filter]]\nname = "invert"\n{mask}\n')
    (stage,) = loaded.setup.chain.stages
    assert not stage.enabled and stage.mask is None and not loaded.has_all_filters
    (warning,) = loaded.warnings
    assert said in warning and "was switched off" in warning


def test_a_mask_that_hides_and_cannot_be_read_hides_everything(library, tmp_path):
    text = """
        [[filter]]
        name = "pixelate"
        [filter.mask]
        if_missing = "black"
        [[filter.mask.part]]
        kind = "somebody"
        """
    loaded = loaded_text(library, tmp_path, text)
    (stage,) = loaded.setup.chain.stages
    assert stage.enabled and stage.mask is None
    assert "acts on the whole frame" in loaded.warnings[0]


@pytest.mark.parametrize("wish", ['"black"', '"everywhere"', '"Black"', '["black"]'])
def test_a_look_that_hides_with_an_unknown_filter_is_refused(library, tmp_path, wish):
    """Left out, it would show what is to be hidden; so would a wish that cannot be read."""
    text = f"""
        [[filter]]
        name = "nosuch"
        [filter.mask]
        if_missing = {wish}
        part = [{{ kind = "ellipse" }}]
        """
    with pytest.raises(PresetError, match="is to hide something with 'nosuch'"):
        loaded_text(library, tmp_path, text)
    readable = loaded_text(library, tmp_path, text.replace("nosuch", "pixelate"))
    assert readable.setup.chain.stages[0].enabled
    off = loaded_text(library, tmp_path, text.replace('"nosuch"', '"nosuch"\n        enabled = false'))
    assert not off.setup.chain.stages and off.warnings


def test_unknown_keys_and_invalid_mixing_are_reported(library, tmp_path):
    text = """
        [[filter]]
        name = "invert"
        opacity = 2
        blend = "mix"
        [filter.mask]
        shape = 1
        [[filter.mask.part]]
        kind = "luma"
        color = "red"
        """
    loaded = loaded_text(library, tmp_path, text)
    (stage,) = loaded.setup.chain.stages
    assert (stage.opacity, stage.blend) == (1.0, "normal")
    assert stage.enabled and stage.mask == MaskSpec((part(library, "luma"),))
    for word in ("'opacity' is 2", "'blend' is mix", "'mask.shape'", "'mask.part.color'"):
        assert any(word in warning for warning in loaded.warnings), word


def test_the_network_of_a_mask_is_a_file_of_the_look(library, tmp_path, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_PRESETS", str(tmp_path / "presets"))
    model = tmp_path / "matting.onnx"
    model.write_bytes(b"no real network")
    chain = ChainSpec().added("invert", library.get("invert").defaults)
    chain = chain.with_mixing(1, mask=MaskSpec((part(library, "person", model=str(model)),)))
    setup = Setup(chain)
    assert str(model) in named_models(setup)
    save_preset(setup, library, tmp_path / "look.toml")
    assert 'model = "matting.onnx"' in (tmp_path / "look.toml").read_text("utf-8")
    assert load_preset(tmp_path / "look.toml", library).setup == setup

    save_bundle(setup, library, tmp_path / "look.lightloom")
    unpacked = open_preset(tmp_path / "look.lightloom", library)
    assert unpacked.warnings == ()
    (stage,) = unpacked.setup.chain.stages
    assert stage.mask is not None
    found = Path(str(stage.mask.parts[0].values["model"]))
    assert found.read_bytes() == model.read_bytes() and found != model

    # Its stage says that it is not there; another network would be another mask.
    model.unlink()
    loaded = load_preset(tmp_path / "look.toml", library)
    assert len(loaded.warnings) == 1 and "matting.onnx" in loaded.warnings[0]
    mask = loaded.setup.chain.stages[0].mask
    assert mask is not None and mask.parts[0].values["model"] == "matting.onnx"


def test_a_host_that_only_a_mask_names_is_asked_about(library):
    mask = MaskSpec((part(library, "person", model="grpc://host:8001/matting"),))
    setup = Setup(ChainSpec().added("invert", {}).with_mixing(1, mask=mask))
    assert "grpc://host:8001/matting" in named_models(setup)


def test_version_1_had_a_strength_for_the_opacity(library, tmp_path):
    text = """
        [[filter]]
        name = "sepia"
        values = { strength = 0.25 }
        [[filter]]
        name = "emboss"
        values = { strength = 2.5 }
        [[filter]]
        name = "guided"
        values = { radius = 4, strength = 0.5 }
        """
    loaded = loaded_text(library, tmp_path, text, version=1)
    assert loaded.warnings == ()
    sepia, emboss, guided = loaded.setup.chain.stages
    assert (sepia.opacity, sepia.values) == (0.25, {})
    assert (emboss.opacity, emboss.values["strength"]) == (1.0, 2.5)
    assert (guided.opacity, guided.values["radius"]) == (0.5, 4)
    assert any("no parameter 'strength'" in w for w in loaded_text(library, tmp_path, text).warnings)


def test_a_filter_of_the_users_own_keeps_its_strength(tmp_path):
    own = tmp_path / "sepia.wgsl"
    own.write_text(
        '/* lightloom\ntitle = "Mine"\ngroup = "Mine"\n[[param]]\nname = "strength"\ndefault = 0.5\n*/\n'
        "fn main(p: vec2i) -> vec4f { return load(p) * params.strength; }\n",
        encoding="utf-8",
    )
    library = FilterLibrary(None)
    assert library.add(own) is not None
    text = '[[filter]]\nname = "sepia"\nvalues = { strength = 0.25 }\n'
    (stage,) = loaded_text(library, tmp_path, text, version=1).setup.chain.stages
    assert (stage.opacity, stage.values) == (1.0, {"strength": 0.25})


@pytest.mark.parametrize("kind", ["detections", "track", "zone"])
def test_a_mask_that_can_never_be_made_is_told_of(library, kind):
    chain = ChainSpec().added("invert", {}).with_mixing(1, mask=MaskSpec((part(library, kind),)))
    fault = mask_fault(Setup(chain), library)
    assert fault is not None and "The mask of 'invert'" in fault
    assert mask_fault(Setup(chain.with_enabled(1, False)), library) is None


@pytest.mark.parametrize(
    ("kind", "values", "said"),
    [
        ("brush", {}, "has no stroke"),
        ("polygon", {"points": "0.1/0.1 0.9/0.9"}, "fewer than three points"),
        ("luma", {"low": 80.0, "high": 20.0}, "from 80.0 to 20.0"),
        ("stage", {"stage": 1}, "does not stand before it"),
        ("stage", {"stage": 2}, "does not stand before it"),
        ("depth", {"near": 30.0, "far": 70.0}, "range of distances from 30.0 to 70.0, and 30.0 is farther"),
    ],
)
def test_a_mask_that_can_never_cover_anything_is_a_fault(library, kind, values, said):
    part = MaskPart(kind, library.mask(kind).check(values))
    chain = ChainSpec().added("invert", {}).added("sepia", {}).with_mixing(1, mask=MaskSpec((part,)))
    fault = mask_fault(Setup(chain), library)
    assert fault is not None and said in fault
