"""Masks, opacity and blend modes in the command line's notation."""

from __future__ import annotations

import pytest

from desktop.base.errors import UsageError
from desktop.pipeline.chain.spec import ChainSpec, StageSpec
from desktop.pipeline.chain.typed import parse_stage, typed_chain
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.masks.spec import MaskPart, MaskSpec


@pytest.fixture(scope="module")
def library():
    return FilterLibrary(None)


def typed(library: FilterLibrary, text: str, after: ChainSpec | None = None) -> StageSpec:
    return typed_chain(library, [parse_stage(text)], after).stages[-1]


def part(library: FilterLibrary, kind: str, join: str = "add", inverted: bool = False, **values) -> MaskPart:
    return MaskPart(kind, library.mask(kind).check(values), join, inverted)


def test_a_mask_of_several_parts(library):
    stage = typed(
        library,
        "gaussian_blur:radius=12@mask=person+ellipse(center=0.5/0.25,width=30) -!luma(low=80)&stage(stage=2),"
        "feather=2,grow=-1,refine=true,inverted=true,if_missing=black,opacity=0.5,blend=multiply",
        ChainSpec().added("sepia", {}).added("invert", {}).added("bloom", {}).removed(1),
    )
    assert (stage.filter, stage.values["radius"]) == ("gaussian_blur", 12.0)
    assert (stage.opacity, stage.blend) == (0.5, "multiply")
    assert stage.mask == MaskSpec(
        (
            part(library, "person"),
            part(library, "ellipse", center=(0.5, 0.25), width=30.0),
            part(library, "luma", "subtract", inverted=True, low=80.0),
            part(library, "stage", "intersect", stage=3),
        ),
        inverted=True,
        grow=-1.0,
        feather=2.0,
        refine=True,
        if_missing="black",
    )


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("invert@mask=-luma", [("luma", "subtract", False)]),
        ("invert@mask=!luma", [("luma", "add", True)]),
        ("invert@ mask = + luma & ! hue", [("luma", "add", False), ("hue", "intersect", True)]),
        ('invert@mask="luma+hue"', [("luma", "add", False), ("hue", "add", False)]),
        ("invert@mask=luma()", [("luma", "add", False)]),
    ],
)
def test_how_parts_are_joined(library, text, parts):
    mask = typed(library, text).mask
    assert mask is not None
    assert [(each.kind, each.join, each.inverted) for each in mask.parts] == parts


def test_values_in_parentheses_are_quoted_like_those_of_filters(library):
    text = 'invert@mask=detections(classes="dog, ""cat"" (big)")+person(model=net (1).onnx)'
    mask = typed(library, text).mask
    assert mask is not None
    assert mask.parts[0].values["classes"] == 'dog, "cat" (big)'
    assert mask.parts[1].values["model"] == "net (1).onnx"


def test_a_polygon_has_points_with_spaces(library):
    mask = typed(library, "invert@mask=polygon(points=0.1/0.1 0.9/0.1 0.5/0.8)").mask
    assert mask is not None and mask.parts[0].values["points"] == "0.1/0.1 0.9/0.1 0.5/0.8"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("lut:table=me@home.cube", "me@home.cube"),
        ("lut:table=a@b=c.cube", "a@b=c.cube"),
        ('lut:table="looks, old@mask=1.cube"', "looks, old@mask=1.cube"),
        ('lut:table="a@opacity=1.cube"@opacity=0.5', "a@opacity=1.cube"),
    ],
)
def test_file_names_may_have_an_at_sign(library, text, path):
    stage = typed(library, text)
    assert stage.values["table"] == path and stage.mask is None


def test_a_strength_of_version_0_1_is_the_opacity(library):
    assert typed(library, "sepia:strength=0.5").opacity == 0.5
    assert typed(library, "emboss:strength=3").values["strength"] == 3.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "invert@mask=elipse",
            "There is no mask called 'elipse'; there are: brush, depth, detections, ellipse",
        ),
        (
            "invert@mask=ellipse(size=3)",
            "The mask 'ellipse' has no 'size'; it has: center, width, height, angle.",
        ),
        ("invert@mask=ellipse(width=x)", "'x' is not a value for 'width'"),
        ("invert@mask=ellipse(width)", "'width' in invert@mask=ellipse(width) is not of the form"),
        ("invert@mask=ellipse(width=1,width=2)", "'width' stands twice"),
        (
            "invert@mask=ellipse(width=3",
            "The parentheses in invert@mask=ellipse(width=3 do not match",
        ),
        ("invert@mask=ellipse)", "do not match"),
        ('invert@mask=person(model="a', "The quotation mark in"),
        ("invert@mask=", "has no part"),
        ("invert@mask=&luma", "begins with &"),
        ("invert@mask=luma+", "'' in the mask of the filter invert@mask=luma+ is not a kind"),
        ("invert@mask=(luma+hue)", "'(luma+hue)' in the mask"),
        ("invert@mask=luma,size=3", "'size' behind the @ of the filter invert@mask=luma,size=3 is not known"),
        ("invert@mask=luma,mask=hue", "'mask' stands twice"),
        ("invert@feather=2", "'feather' of the filter 'invert' has no effect without a mask"),
        ("invert@mask=luma,feather=200", "'feather' is 200.0; give 0 to 10."),
        ("invert@opacity=2", "'opacity' is 2.0; give 0 to 1."),
        ("invert@blend=mix", "'blend' is mix; give normal, multiply, "),
        ("invert@mask=stage(stage=1)", "reads the effect 1, which does not stand before it"),
        ("invert@mask=" + "+".join(["luma"] * 9), "has 9 parts; give at most 8"),
    ],
)
def test_what_is_wrong_is_one_sentence(library, text, said):
    with pytest.raises(UsageError) as caught:
        typed(library, text)
    assert said in str(caught.value)
    assert str(caught.value).endswith(".") and "\n" not in str(caught.value)
