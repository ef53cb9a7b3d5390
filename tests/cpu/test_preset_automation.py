"""Automations in looks and in the command line's notation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop.base.errors import ExportError, UsageError
from desktop.pipeline.automation.key_frames import MOST_KEY_FRAMES
from desktop.pipeline.automation.source import automation_source
from desktop.pipeline.automation.spec import MOST_AUTOMATIONS, Automation
from desktop.pipeline.chain.spec import ChainSpec, chain_of
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.masks.spec import MaskPart, MaskSpec
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.automation import automation_fault, following_audio
from desktop.pipeline.setup.bundle import open_preset, save_bundle
from desktop.pipeline.setup.preset import LoadedPreset, load_preset, save_preset
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.setup.typed_automation import typed_automations
from desktop.vision.tracking.events import EventSpec
from desktop.vision.tracking.scene import SceneSpec
from desktop.vision.tracking.track import TrackSpec
from desktop.vision.tracking.zones import LineSpec, ZoneSpec
from desktop.web.contents import gather


@pytest.fixture(scope="module")
def library():
    return FilterLibrary(None)


def automation(source: str, low: float, high: float, **values: object) -> Automation:
    return Automation(source, automation_source(source).check(values), low, high)


def chain_of_two(library: FilterLibrary) -> ChainSpec:
    chain = ChainSpec()
    for name in ("gaussian_blur", "vignette"):
        chain = chain.added(name, library.get(name).defaults)
    part = MaskPart("ellipse", library.mask("ellipse").check({}))
    return chain.with_mixing(2, mask=MaskSpec((part,)))


# -- looks ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["long.toml", "long.lightloom"])
def test_a_look_that_could_not_be_read_again_is_not_written(
    library, tmp_path, tmp_path_factory, monkeypatch, name
):
    # Where the bundle is unpacked.
    monkeypatch.setenv("LIGHTLOOM_PRESETS", str(tmp_path_factory.mktemp("presets")))
    frames = " ".join(f"{n}.123={n * 0.1234567:.7g}:ease" for n in range(MOST_KEY_FRAMES))
    chain = ChainSpec()
    save = save_bundle if name.endswith(".lightloom") else save_preset
    path = tmp_path / name
    for number in range(1, 16):
        chain = chain.added("gaussian_blur", library.get("gaussian_blur").defaults)
        chain = chain.with_automation(number, "radius", automation("key_frames", 0.0, 1.0, frames=frames))
        if number == 2:
            save(Setup(chain), library, path)
    before = path.read_bytes()
    with pytest.raises(ExportError, match=r"would have 1\.\d MiB, and at most 1 MiB"):
        save(Setup(chain), library, path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
    assert len(open_preset(path, library).setup.chain.stages) == 2


def test_automations_are_the_same_after_loading(library, tmp_path):
    chain = chain_of_two(library)
    chain = chain.with_automation(1, "radius", automation("lfo", 2.5, 0.0, shape="square", period=4.0))
    frames = automation("key_frames", 0.0, 1.0, frames="0=1 2.5=0.25:ease")
    chain = chain.with_automation(1, "opacity", frames)
    chain = chain.with_automation(2, "mask.1.center.x", automation("audio", 0.1, 0.9, follow="beat"))
    chain = chain.with_automation(
        2, "mask.feather", automation("detections", 0.0, 5.0, classes=("cat", "dog"))
    )
    off = automation("midi", 0.0, 1.0, channel=3)
    chain = chain.with_automation(2, "opacity", Automation(off.source, off.values, enabled=False))
    chain = chain.with_automation(2, "center.y", automation("osc", 0.0, 1.0, path="/y"))
    path = tmp_path / "look.toml"
    save_preset(Setup(chain), library, path)
    loaded = load_preset(path, library)
    assert loaded.setup.chain == chain and loaded.warnings == ()


def loaded_text(library: FilterLibrary, folder, text: str) -> LoadedPreset:
    path = folder / "look.toml"
    path.write_text(f'lightloom = 2\n[[filter]]\nname = "gaussian_blur"\n{text}', encoding="utf-8")
    return load_preset(path, library)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("automation = 3", "not written as [[filter.automation]]"),
        ("[[filter.automation]]", "has no 'of'"),
        ('[[filter.automation]]\nof = "radius"', "has no source"),
        ('[[filter.automation]]\nof = "moon"\nsource = "lfo"', "is no number that can be automated"),
        ('[[filter.automation]]\nof = "radius"\nsource = "moon"', "There is no automation called 'moon'"),
        ('[[filter.automation]]\nof = "radius"\nsource = "lfo"\nvalues = { x = 1 }', "is no setting"),
        ('[[filter.automation]]\nof = "radius"\nsource = "lfo"\nvalues = { period = 0 }', "period"),
        ('[[filter.automation]]\nof = "radius"\nsource = "lfo"\nvalues = 1', "is no table"),
        ('[[filter.automation]]\nof = "radius"\nsource = "lfo"\nenabled = 1', "neither true nor false"),
        ('[[filter.automation]]\nof = "radius"\nsource = "lfo"\nlow = nan', "give a number from"),
        ('[[filter.automation]]\nof = "radius"\nsource = "lfo"\nhigh = 1e400', "give a number from"),
        ('[[filter.automation]]\nof = "radius"\nsource = "lfo"\nhigh = true', "give a number from"),
        ('[[filter.automation]]\nof = "radius"\nsource = "key_frames"\nlow = 1', "have no effect"),
        ('[[filter.automation]]\nof = "mask.feather"\nsource = "lfo"', "is no number"),
    ],
)
def test_what_cannot_be_read_is_left_out_with_a_warning(library, tmp_path, text, said):
    loaded = loaded_text(library, tmp_path, text)
    (stage,) = loaded.setup.chain.stages
    assert stage.automation == {} and stage.enabled
    assert len(loaded.warnings) == 1 and said in loaded.warnings[0]


def test_unknown_keys_are_left_out_and_bounds_are_the_parameters(library, tmp_path):
    loaded = loaded_text(library, tmp_path, '[[filter.automation]]\nof = "opacity"\nsource = "lfo"\nx = 1')
    assert loaded.setup.chain.stages[0].automation == {"opacity": automation("lfo", 0.0, 1.0)}
    assert "'automation.x' is not known" in loaded.warnings[0]


def test_a_chain_has_a_bounded_number_of_them(library, tmp_path):
    one = '[[filter.automation]]\nof = "{}"\nsource = "lfo"\n'
    names = [f"mask.{part}.{name}" for part in range(1, 9) for name in ("width", "height", "angle")]
    mask = "[filter.mask]\n" + '[[filter.mask.part]]\nkind = "ellipse"\n' * 8
    text = mask + "".join(one.format(name) for name in names)
    text += "".join(f'[[filter]]\nname = "sepia"\n{mask}' + "".join(map(one.format, names)) for _ in range(2))
    loaded = loaded_text(library, tmp_path, text)
    found = sum(len(stage.automation) for stage in loaded.setup.chain.stages)
    assert found == MOST_AUTOMATIONS
    assert "more than 64 automations; the last 8 of 'sepia' were left out" in loaded.warnings[0]


def test_filters_that_a_look_brings_are_automated(library, tmp_path):
    (tmp_path / "mine.wgsl").write_text(library.get("gaussian_blur").text, "utf-8")
    path = tmp_path / "look.toml"
    path.write_text(
        'lightloom = 2\n[[filter]]\nname = "mine"\nshader = "mine.wgsl"\n'
        '[[filter.automation]]\nof = "radius"\nsource = "lfo"\n'
    )
    loaded = load_preset(path, library)
    assert list(loaded.setup.chain.stages[0].automation) == ["radius"] and loaded.warnings == ()


# -- the command line ----------------------------------------------------------------------------------------


def typed(library: FilterLibrary, *texts: str) -> ChainSpec:
    return typed_automations(library, chain_of_two(library), texts)


def test_typed_automations(library):
    chain = typed(
        library,
        "1.radius=lfo(period=2,low=0,high=20)",
        "1.opacity = key_frames(0=1 2.5=0.5:ease)",
        '2.center.x=key_frames(frames="0=0 1=1")',
        "2.mask.1.width=audio(follow=bass)",
        "2.opacity=lfo",
        '2.mask.feather=detections(classes="cat, dog",most=3)',
    )
    first, second = (stage.automation for stage in chain.stages)
    assert first["radius"] == automation("lfo", 0.0, 20.0, period=2.0)
    assert first["opacity"].values == {"frames": "0=1 2.5=0.5:ease"}
    assert second["center.x"].values == {"frames": "0=0 1=1"}
    width = next(param for param in library.mask("ellipse").params if param.name == "width")
    assert second["mask.1.width"] == automation("audio", width.min, width.max, follow="bass")
    assert second["opacity"] == automation("lfo", 0.0, 1.0)
    assert second["mask.feather"].values["classes"] == ("cat", "dog")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("radius=lfo", "is not of the form 1.radius=lfo"),
        ("1.radius", "is not of the form"),
        ("1.radius=lfo(period=2", "is not of the form"),
        ("3.radius=lfo", "is of the effect 3, and the chain has 2"),
        ("0.radius=lfo", "is of the effect 0"),
        ("1.moon=lfo", "'moon' of the filter 'gaussian_blur' is no number that can be automated"),
        ("1.radius=moon", "There is no automation called 'moon'"),
        ("1.radius=lfo(speed=2)", "'speed' is no setting of the automation 'lfo'"),
        ("1.radius=lfo(period=x)", "period"),
        ("1.radius=lfo(low=x)", "'low' of an automation is 'x'; give a number"),
        ("1.radius=lfo(high=1e9)", "give a number from"),
        ("1.radius=lfo(period=1,period=2)", "stands twice"),
        ("1.radius=key_frames(0=a)", "values at times in seconds"),
        ("1.radius=key_frames(frames=0=1,low=2)", "have no effect"),
    ],
)
def test_typed_automations_that_are_refused(library, text, said):
    with pytest.raises(UsageError) as caught:
        typed(library, text)
    assert said in str(caught.value) and "\n" not in str(caught.value)


# -- what they need ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "1.radius=midi(number=7)",
            "'radius' of 'gaussian_blur' follows MIDI, which only the window receives",
        ),
        ("1.radius=osc(path=/x)", "follows OSC, which only the window receives"),
        ("1.radius=detections", "follows what an analysis network finds, and there is none"),
        ("1.radius=lfo", ""),
        ("1.radius=audio", ""),
    ],
)
def test_what_a_command_cannot_follow(library, text, said):
    chain = typed(library, text)
    fault = automation_fault(Setup(chain), library)
    assert said in str(fault or "") and bool(said) == bool(fault)
    assert automation_fault(Setup(chain.with_enabled(1, False)), library) is None


def test_needs_of_networks_and_audio(library):
    detections, audio = (Setup(typed(library, f"1.radius={name}")) for name in ("detections", "audio"))
    assert automation_fault(Setup(detections.chain, NetworkSpec("detector")), library) is None
    assert "there is none" in str(automation_fault(audio, library, has_audio=False))
    assert following_audio(audio, library) == "gaussian_blur"
    assert following_audio(detections, library) == ""


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ("zone=Yrad", "counts in the zone 'Yrad', which does not exist; there are: Yard."),
        ("zone=Gate", "counts in the zone 'Gate', which does not exist"),  # a line, in which nothing is
        ("zone=Yard", ""),
        ("measure=event,event=Inn", "follows the event 'Inn', which does not exist; there are: In."),
        ("measure=event,event=In", ""),
        ("measure=event", ""),
        ("measure=x,identity=7", "follows a tracked object, and tracking is off"),
        ("measure=x", ""),
    ],
)
def test_names_that_an_automation_waits_for_in_vain(library, values, words):
    yard = ZoneSpec("Yard", ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)))
    gate = LineSpec("Gate", ((0.0, 0.5), (1.0, 0.5)))
    scene = SceneSpec(zones=(yard, gate), events=(EventSpec("In", "Yard", "enters"),))
    setup = Setup(typed(library, f"1.radius=detections({values})"), NetworkSpec("detector"), scene)
    fault = str(automation_fault(setup, library) or "")
    assert words in fault and bool(words) == bool(fault)
    if "event" in values or "zone" in values:
        assert "and there is none; load some" in str(
            automation_fault(replace(setup, scene=SceneSpec()), library)
        )
    else:
        assert automation_fault(replace(setup, scene=SceneSpec(TrackSpec())), library) is None


def test_pages_refuse_automations(library):
    chain = typed(library, "1.radius=lfo")
    with pytest.raises(ExportError, match="has automations, and the page cannot do that"):
        gather(Setup(chain), library, title="x", picture=(64, 64))


def test_inputs_of_filters_need_audio_and_a_network(library):
    audio, tracks = (Setup(chain_of(library, [(name, {})])) for name in ("spectrum", "spotlight"))
    assert automation_fault(audio, library) is None and following_audio(audio, library) == "spectrum"
    assert "'spectrum' reads the audio of a video file" in str(
        automation_fault(audio, library, has_audio=False)
    )
    assert "'spotlight' reads what an analysis network finds" in str(automation_fault(tracks, library))
    assert automation_fault(replace(tracks, network=NetworkSpec("detector")), library) is None
    assert automation_fault(Setup(tracks.chain.with_enabled(1, False)), library) is None
    for setup, name in ((audio, "Audio spectrum reads audio"), (tracks, "Spotlight reads tracks")):
        with pytest.raises(ExportError, match=f"{name}, and the page cannot do that"):
            gather(setup, library, title="x", picture=(64, 64))
