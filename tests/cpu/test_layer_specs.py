"""Layers as values: on the command line, in looks, and the texts that they show."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from desktop.base.errors import ExportError, UsageError
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.layers.placing import placed_rect
from desktop.pipeline.layers.spec import LayerPlace, Layers
from desktop.pipeline.layers.texts import TextMoment, check_text, expanded
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.bundle import open_preset, save_bundle
from desktop.pipeline.setup.layers import layer_fault
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.setup.typed_layers import typed_layer, typed_layers
from desktop.vision.tasks.shapes import Box
from desktop.vision.tracking.counts import ZoneCounts
from desktop.vision.tracking.scene import TrackedResult

PICTURE = Path(__file__).resolve().parents[2] / "assets" / "sample" / "boat.webp"


@pytest.fixture(scope="module")
def library() -> FilterLibrary:
    return FilterLibrary(None)


# -- the command line ----------------------------------------------------------------------------------------


def test_a_typed_layer_has_what_was_typed_and_else_the_usual() -> None:
    spec = typed_layer('text:value="{time}, {file}",x=0.02,y=-0.5,size=0.1,opacity=0.5,below=true')
    assert (spec.kind, spec.place, spec.opacity, spec.below) == ("text", LayerPlace(0.02, -0.5), 0.5, True)
    assert (spec.values["value"], spec.values["size"], spec.values["align"]) == (
        "{time}, {file}",
        0.1,
        "left",
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("movie:path=a.mp4", "There is no kind of layer called 'movie'; there are: video, image, text."),
        ("video:x=0.5", "The layer video:x=0.5 has no file; write path= and its name."),
        ("text:value={tme}", "'{tme}' is no variable of a text; there are: {time}, {timecode}"),
        ("text:value={zone}", "'{zone}' is not how that variable of a text is written"),
        ("text:value=a}", "'}' is no variable of a text"),
        ("text:sise=2", "'sise' of the layer text:sise=2 is not known; there are: value, size"),
        ("text:x=left", "'x' is left; give -2 to 2."),
        ("text:size", "'size' in text:size is not of the form key=value."),
    ],
)
def test_a_wrongly_typed_layer_is_refused_with_a_sentence(text, said) -> None:
    with pytest.raises(UsageError) as refused:
        typed_layer(text)
    assert said in str(refused.value)


def test_filters_are_those_of_the_layer_with_the_number(library) -> None:
    layers = typed_layers(
        library, Layers(), ["text", "text:value=2"], ["2=sepia", "2=hue:angle=90"], "width=0.5"
    )
    assert [len(spec.chain.stages) for spec in layers.specs] == [0, 2]
    assert layers.main == LayerPlace(width=0.5)
    with pytest.raises(UsageError, match="is of the layer 3, and there are 2"):
        typed_layers(library, layers, [], ["3=sepia"], None)
    with pytest.raises(UsageError, match="does not begin with the layer's number, as in 1=sepia"):
        typed_layers(library, layers, [], ["sepia"], None)
    with pytest.raises(UsageError, match="at most 8 layers"):
        typed_layers(library, layers, ["text"] * 7, [], None)


# -- places --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "rect"),
    [
        (LayerPlace(), (0, 0, 200, 100)),
        (LayerPlace(0.5, 0.5, 0.25), (100, 50, 50, 25)),
        (LayerPlace(0.5, 0.5, 0, 0.5), (100, 50, 100, 50)),
        (LayerPlace(0, 0, 0.5, 1, "contain"), (0, 25, 100, 50)),
        (LayerPlace(0, 0, 0.5, 1, "cover"), (0, 0, 100, 100)),
        (LayerPlace(0, 0, 0.5, 1, "stretch"), (0, 0, 100, 100)),
    ],
)
def test_a_place_keeps_proportions_unless_it_is_stretched(place, rect) -> None:
    found = placed_rect(place, (40, 20), (200, 100))
    assert (found.left, found.top, found.width, found.height) == rect
    assert found.source == ((10, 0, 20, 20) if place.fit == "cover" else (0, 0, 40, 20))


def test_a_text_keeps_its_size_and_is_anchored_by_its_alignment() -> None:
    found = placed_rect(LayerPlace(1.0, 0.5), (40, 20), (200, 100), anchor=1.0, has_own_size=True)
    assert (found.left, found.top, found.width, found.height) == (160, 50, 40, 20)


# -- texts ---------------------------------------------------------------------------------------------------


def box(label: str, score: float) -> Box:
    return Box(label, 0, 0.1, 0.1, 0.2, 0.2, score)


MOMENT = TextMoment(
    pts=3723.52,
    rate=25.0,
    index=7,
    file="a{b}.mp4",
    tracked=TrackedResult(None, 0.0, (4, 4), (box("person", 0.5), box("dog", 0.83), box("person", 0.4))),
    counts=(ZoneCounts("door", inside=4),),
    now=datetime(2026, 3, 1, 14, 5, 9),
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{time}", "01:02:03"),
        ("{timecode}", "01:02:03:13"),
        ("{frame}", "93088"),
        ("{file} {{{fps}}}", "a{b}.mp4 {25}"),
        ("{date} {clock}", "2026-03-01 14:05:09"),
        ("{count} {count:person} {count:cat}", "3 2 0"),
        ("{class}: {score}", "dog: 83 %"),
        ("{zone:door}\\n{zone:none}", "4\n?"),
    ],
)
def test_variables_have_the_values_of_the_frame(text, shown) -> None:
    check_text(text)
    assert expanded(text, MOMENT) == shown


def test_variables_of_nothing_found_are_empty_or_zero() -> None:
    assert expanded("{count}|{class}|{score}|{zone:a}|{frame}|{fps}", TextMoment(index=7)) == "0|||0|7|"


def test_a_text_that_tells_results_needs_a_network(library) -> None:
    layers = Layers().added(typed_layer("text:value={count:person}"))
    assert "there is none; choose one (--model)" in str(layer_fault(Setup(layers=layers), library))
    assert layer_fault(Setup(layers=layers, network=NetworkSpec("detector.onnx")), library) is None


def test_masks_of_layers_do_not_refer_to_the_main_image(library) -> None:
    text = "1=sepia@mask=zone(zone=door)"
    layers = typed_layers(library, Layers(), ["text"], [text], None)
    assert "is found in the main image" in str(layer_fault(Setup(layers=layers), library))


def test_filters_of_layers_do_not_read_the_main_video(library) -> None:
    for name in ("spectrum", "spotlight"):
        layers = typed_layers(library, Layers(), ["text"], [f"1={name}"], None)
        assert f"'{name}' of a layer reads the audio or objects" in str(
            layer_fault(Setup(layers=layers), library)
        )


# -- looks ---------------------------------------------------------------------------------------------------


def with_layers(library: FilterLibrary) -> Setup:
    texts = [
        f"image:path={PICTURE},x=0.1,width=0.25,height=0.5,fit=cover,blend=screen,below=true",
        "text:value={timecode},color=#ff8000,size=0.1",
        "video:path=sample:64x48@10,offset=2,at_end=loop,opacity=0.5",
    ]
    return Setup(
        layers=typed_layers(library, Layers(), texts, ["3=hue:angle=40@mask=ellipse"], "x=0.5,width=0.5")
    )


def test_a_look_keeps_layers_and_their_filters(library, tmp_path) -> None:
    setup = with_layers(library)
    save_preset(setup, library, tmp_path / "look.toml")
    loaded = load_preset(tmp_path / "look.toml", library)
    carried = tmp_path / "look.files" / PICTURE.name
    expected = setup.layers.changed(1, values={"path": str(carried)})
    assert (loaded.setup.layers, loaded.warnings) == (expected, ())
    assert carried.read_bytes() == PICTURE.read_bytes()
    assert loaded.has_all_filters


def test_a_look_in_one_file_carries_the_images_of_layers(library, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("LIGHTLOOM_PRESETS", str(tmp_path / "presets"))
    save_bundle(with_layers(library), library, tmp_path / "look.lightloom")
    loaded = open_preset(tmp_path / "look.lightloom", library)
    assert loaded.warnings == ()
    assert Path(loaded.setup.layers.specs[0].values["path"]).read_bytes() == PICTURE.read_bytes()
    (tmp_path / "clip.mp4").write_bytes(b"")
    layers = Layers().added(typed_layer(f"video:path={tmp_path / 'clip.mp4'}"))
    with pytest.raises(
        ExportError, match=r"a layer with the video .*clip.mp4, which does not go into one file"
    ):
        save_bundle(Setup(layers=layers), library, tmp_path / "video.lightloom")


def test_a_look_without_layers_says_nothing_of_them(library, tmp_path) -> None:
    save_preset(Setup(), library, tmp_path / "look.toml")
    assert "layer" not in (tmp_path / "look.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("layer = 3", "'layer' is not written as [[layer]] and was left out."),
        ("[[layer]]\nx = 1", "A layer has no kind; give one, such as text. The layer was left out."),
        ('[[layer]]\nkind = "film"', "There is no kind of layer called 'film'"),
        (
            '[[layer]]\nkind = "image"\nvalues = { path = "gone.png" }',
            "the file of a layer, gone.png, is not there",
        ),
        ('[[layer]]\nkind = "text"\nvalues = { value = "{x}" }', "'{x}' is no variable of a text"),
        ('[[layer]]\nkind = "text"\nx = nan', "'x' of a place is nan; give -2 to 2. The usual one is used."),
        ('[[layer]]\nkind = "text"\nblend = "mix"', "'blend' of a layer is mix; give"),
        ('[[layer]]\nkind = "text"\ndepth = 1', "'layer.depth' is not known and was left out."),
        ("main_image = 1", "'main_image' is not a table and was left out."),
        ('[[layer]]\nkind = "text"\n' * 9, "it has 9 layers; those after the first 8 were left out."),
        (
            '[[layer]]\nkind = "video"\nvalues = { path = "camera:" }',
            "the layer with camera: was switched off, since a look does not open cameras and addresses by itself",
        ),
    ],
)
def test_what_is_wrong_with_a_layer_is_reported_and_left_out(library, tmp_path, text, warning) -> None:
    (tmp_path / "look.toml").write_text(f"lightloom = 2\n{text}\n", "utf-8")
    loaded = load_preset(tmp_path / "look.toml", library)
    assert any(warning in each for each in loaded.warnings), loaded.warnings
    assert not any(spec.kind == "video" for spec in loaded.setup.layers.in_use)
