"""Chains as data, presets as files."""

from __future__ import annotations

import argparse
import sys
import tomllib
import zipfile
from dataclasses import replace
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from desktop.base.errors import ExportError, FilterError, PresetError, UsageError
from desktop.base.fields import Number
from desktop.base.resources import resource
from desktop.cli.process import _read_files
from desktop.pipeline.chain.spec import ChainSpec, chain_of
from desktop.pipeline.chain.typed import TypedStage, parse_stage, typed_chain
from desktop.pipeline.filters.cube_lut import load_cube
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.bundle import open_preset, save_bundle
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.setup.still_hidden import still_hidden
from desktop.vision.backends import backend_choices
from desktop.vision.models.builtin import builtin_models
from desktop.vision.tasks import all_tasks, result_tasks
from desktop.vision.tasks.task import Files, Integer, Names, Share, Word
from desktop.vision.tracking.anonymize import ANONYMIZE_FIELDS, HIDE_KINDS, OUTLINES, AnonymizeSpec
from desktop.vision.tracking.scene import SceneSpec
from desktop.vision.tracking.track import TRACK_FIELDS, TrackSpec


@pytest.fixture(scope="module")
def library():
    return FilterLibrary(None)


def test_edits_leave_the_old_chain_alone():
    first = ChainSpec().added("a", {}).added("b", {}).added("c", {})
    moved = first.moved(3, 0)
    assert [s.filter for s in first.stages] == ["a", "b", "c"]
    assert [s.filter for s in moved.stages] == ["c", "a", "b"]
    assert [s.id for s in moved.removed(1).stages] == [3, 2]
    assert moved.with_enabled(1, False).find(1).enabled is False
    assert first.with_values(2, {"x": 1}).find(2).values == {"x": 1}
    assert first.find(2).values == {}
    with pytest.raises(KeyError):
        first.find(9)


def test_ids_stay_unique():
    chain = ChainSpec().added("a", {}).added("b", {}).removed(1).added("c", {}, at=0)
    assert [s.id for s in chain.stages] == [3, 2]


def test_round_trip(library, tmp_path):
    model = tmp_path / "net.onnx"
    model.write_bytes(b"x")
    table = tmp_path / "look.cube"
    table.write_text("LUT_3D_SIZE 2\n" + "0 0 0\n" * 8)
    chain = chain_of(
        library,
        [("gaussian_blur", {"radius": 12.5}), ("lut", {"table": str(table)}), ("chroma_key", {})],
    ).with_enabled(1, False)
    setup = Setup(
        chain, NetworkSpec(str(model), "wgpu", "fp16", every=3, on_result=True, settings={"top": 7})
    )
    path = tmp_path / "mine.toml"
    save_preset(setup, library, path)
    loaded = load_preset(path, library)
    assert loaded.warnings == ()
    assert loaded.setup == setup
    assert 'model = "net.onnx"' in path.read_text()
    assert str(tmp_path) not in path.read_text()


def test_what_is_unknown_or_missing_is_reported_and_left_out(library, tmp_path):
    path = tmp_path / "p.toml"
    path.write_text(
        """
        lightloom = 1
        colour = "red"
        [[filter]]
        name = "gaussian_blur"
        values = { radius = 500, size = 3 }
        [[filter]]
        name = "no_such_filter"
        [[filter]]
        name = "invert"
        enabled = false
        mood = "dark"
        [network]
        model = "gone.onnx"
        """
    )
    loaded = load_preset(path, library)
    assert [(s.filter, s.enabled) for s in loaded.setup.chain.stages] == [
        ("gaussian_blur", True),
        ("invert", False),
    ]
    assert loaded.setup.chain.stages[0].values == {"radius": 8.0}
    assert loaded.setup.network is None
    for word in ("'colour'", "'500'", "'size'", "no_such_filter", "'mood'", "gone.onnx"):
        assert any(word in warning for warning in loaded.warnings), word


@pytest.mark.parametrize("text", ["", "filter = 3", "lightloom = 'x'", "not toml [", "\x00"])
def test_files_that_are_no_presets(library, tmp_path, text):
    path = tmp_path / "p.toml"
    path.write_text(text)
    with pytest.raises(PresetError, match="is not a look"):
        load_preset(path, library)


def test_files_that_cannot_be_read_or_written(library, tmp_path):
    with pytest.raises(PresetError, match="cannot be read"):
        load_preset(tmp_path / "none.toml", library)
    with pytest.raises(ExportError, match="cannot be written"):
        save_preset(Setup(), library, tmp_path / "no" / "folder.toml")


def test_chain_of_checks_names_and_values(library):
    with pytest.raises(FilterError, match="no filter called 'blurr'"):
        chain_of(library, [("blurr", {})])
    with pytest.raises(FilterError, match="has no parameter 'sigma'"):
        chain_of(library, [("gaussian_blur", {"sigma": 1})])
    with pytest.raises(FilterError, match="a number from 0 to 64"):
        chain_of(library, [("gaussian_blur", {"radius": "wide"})])


@pytest.mark.parametrize(
    ("text", "idle", "with_"),
    [
        ("background:mode=dim,blur=4", "blur", "mode=blur"),
        ("background:blur=4,mode=dim", "blur", "mode=blur"),
        ("ascii:ink=#ff0000", "ink", "mode=mono"),
        ("chroma_key:show=matte,spill=0.5", "spill", "show=background|transparent"),
        ("diffusion:prompt=a cat", "prompt", "'model' is the folder of a pipeline (Stable Diffusion, say)"),
        (
            "diffusion:guidance=2,model=grpc://host:8001/pipe",
            "guidance",
            "'model' is the folder of a pipeline",
        ),
    ],
)
def test_a_typed_value_without_effect_is_refused(library, text, idle, with_):
    with pytest.raises(UsageError) as caught:
        typed_chain(library, [parse_stage(text)])
    said = str(caught.value)
    assert said.startswith(f"'{idle}' of the filter '{text.partition(':')[0]}' has no effect unless {with_}")
    assert said.endswith(f"; choose that, or leave '{idle}' out.")


def test_every_condition_of_the_filters_is_told_of(library):
    # Each parameter with a condition, typed beside a value that does not meet it.
    tried = 0
    for spec in library.filters.values():
        for param in (param for param in spec.params if param.when):
            name, wanted = param.when[0]
            other = spec.param(name)
            unmet = next((value for value in other.cases if value not in wanted), other.default)
            with pytest.raises(UsageError, match=rf"^'{param.name}' of the filter '{spec.id}' has no effect"):
                typed_chain(library, [TypedStage(spec.id, {name: unmet, param.name: param.default})])
            tried += 1
    assert tried >= 25


def test_a_typed_value_that_has_an_effect_is_taken(library, tmp_path):
    pipe = tmp_path / "pipe"
    pipe.mkdir()
    (pipe / "model_index.json").write_text("{}")
    for text in (
        "background:mode=blur,blur=4",
        "chroma_key:show=transparent,spill=0.5",
        f"diffusion:model={pipe},prompt=a cat,guidance=2",
        # Its stage says that it is not there, which is what was typed wrongly.
        f"diffusion:model={pipe}s,prompt=a cat",
    ):
        typed = parse_stage(text)
        (stage,) = typed_chain(library, [typed]).stages
        assert typed.values.keys() <= stage.values.keys()


def test_a_value_that_is_typed_twice_is_refused():
    with pytest.raises(UsageError, match="'radius' stands twice in gaussian_blur:radius=1,radius=2; give"):
        parse_stage("gaussian_blur:radius=1,radius=2")


def test_a_preset_keeps_values_of_rows_that_are_hidden(library, tmp_path):
    path = tmp_path / "look.toml"
    path.write_text('lightloom = 1\n[[filter]]\nname = "diffusion"\nvalues = { prompt = "a cat" }\n')
    loaded = load_preset(path, library)
    assert loaded.warnings == ()
    assert loaded.setup.chain.stages[0].values["prompt"] == "a cat"


def test_a_preset_of_the_users_own_is_a_file_that_workers_must_see(library, tmp_path, monkeypatch):
    """By its name, too; one in the box is everywhere, in another place on each machine."""
    monkeypatch.setenv("LIGHTLOOM_PRESETS", str(tmp_path))
    (tmp_path / "my look.toml").write_text("lightloom = 1\n")
    for name, files in (
        ("my look", [tmp_path / "my look.toml"]),
        (str(tmp_path / "my look.toml"), [tmp_path / "my look.toml"]),
        ("night_city", []),
    ):
        options = argparse.Namespace(preset=name, zones=None, motion=None)
        found = _read_files(options, [Setup()], library)
        assert [each.path for each in found] == files


def test_a_preset_of_ten_thousand_filters_gets_one_warning(library, tmp_path):
    path = tmp_path / "p.toml"
    path.write_text("lightloom = 1\n" + '[[filter]]\nname = "invert"\n' * 10_000)
    loaded = load_preset(path, library)
    assert len(loaded.setup.chain.stages) == 32
    assert len(loaded.warnings) == 1 and "10000 filters" in loaded.warnings[0]


def test_absurd_values_are_reported(library, tmp_path):
    (tmp_path / "net.onnx").write_bytes(b"x")
    path = tmp_path / "p.toml"
    path.write_text(
        f"""
        lightloom = 1
        [[filter]]
        name = "gaussian_blur"
        values = {{ radius = 1{"0" * 400} }}
        [[filter]]
        name = "lut"
        values = {{ table = "\\u0000" }}
        [[filter]]
        name = "lut"
        values = {{ table = "{"a" * 5000}" }}
        [[filter]]
        name = "invert"
        enabled = "no"
        values = 3
        [network]
        model = "net.onnx"
        backend = "cuda"
        every = true
        top = 99
        on_result = 1
        preprocess = "none"
        """
    )
    loaded = load_preset(path, library)
    assert [s.values for s in loaded.setup.chain.stages[:1]] == [{"radius": 8.0}]
    assert loaded.setup.network == NetworkSpec(str(tmp_path / "net.onnx"))
    for word in (
        "'radius'",
        "table of 'lut'",
        "'enabled'",
        "not a table",
        "backend",
        "every",
        "top",
        "on_result",
    ):
        assert any(word in warning for warning in loaded.warnings), word
    assert all(len(warning) < 200 for warning in loaded.warnings)


@pytest.mark.parametrize("text", ["x = " + "[" * 100_000, "x = " + "1" * 5000])
def test_presets_that_overtax_the_toml_reader(library, tmp_path, text):
    path = tmp_path / "p.toml"
    path.write_text("lightloom = 1\n" + text)
    with pytest.raises(PresetError, match="is not a look"):
        load_preset(path, library)


def test_what_is_no_file_is_not_read_for_ever(library):
    device = Path("/dev/zero")
    if not device.exists():
        pytest.skip("no /dev/zero")
    with pytest.raises(PresetError, match="not a file"):
        load_preset(device, library)
    with pytest.raises(FilterError, match="not a file"):
        load_cube(device)


def test_a_preset_does_not_replace_a_folder(tmp_path, library):
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "file" / "p.toml"):
        with pytest.raises(ExportError, match="cannot be written"):
            save_preset(Setup(), library, path)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_a_network_in_the_box_is_named_and_not_addressed(library, tmp_path):
    path = resource("assets", "models") / "classifier.onnx"
    save_preset(Setup(network=NetworkSpec(str(path))), library, tmp_path / "p.toml")
    assert tomllib.loads((tmp_path / "p.toml").read_text())["network"]["model"] == "classifier"
    (tmp_path / "p.toml").rename(tmp_path.parent / "moved.toml")
    loaded = load_preset(tmp_path.parent / "moved.toml", library)
    assert loaded.setup.network.model == str(path) and not loaded.warnings


def test_a_network_that_is_switched_off_stays_in_its_preset(library, tmp_path):
    target = tmp_path / "look.toml"
    classifier = NetworkSpec(str(builtin_models()["classifier"].path))
    off = Setup(network=classifier, network_enabled=False)
    assert off.analysis is None and Setup(network=classifier).analysis == classifier
    save_preset(off, library, target)
    assert tomllib.loads(target.read_text())["network"]["enabled"] is False
    loaded = load_preset(target, library)
    assert loaded.setup == off and not loaded.warnings
    save_preset(Setup(network=classifier), library, target)
    assert "enabled" not in tomllib.loads(target.read_text())["network"], "as version 0.1 writes it"


@pytest.mark.parametrize("value", ["1", '"no"', "[]"])
def test_a_network_is_on_unless_its_preset_says_otherwise(library, tmp_path, value):
    target = tmp_path / "look.toml"
    target.write_text(f'lightloom = 1\n[network]\nmodel = "classifier"\nenabled = {value}\n')
    loaded = load_preset(target, library)
    assert loaded.setup.analysis is not None
    assert "enabled" in loaded.warnings[0]


def test_redaction_keeps_its_network_switched_off_by_the_user():
    before = Setup(network=NetworkSpec("faces.onnx"), anonymize=AnonymizeSpec(), network_enabled=False)
    kept = still_hidden(before, Setup(network=NetworkSpec("other.onnx")))
    assert kept == before


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a file's name is Unicode")
@pytest.mark.parametrize("write", [save_preset, save_bundle])
def test_a_network_whose_name_is_not_utf8_is_said(library, tmp_path, write):
    model = tmp_path / "caf\udce9.onnx"
    model.write_bytes(b"x")
    stage = ChainSpec().added("background", library.get("background").defaults | {"model": str(model)})
    for setup in (Setup(network=NetworkSpec(str(model))), Setup(stage)):
        if write is save_bundle:  # there every file gets a name of its own
            write(setup, library, tmp_path / "p.lightloom")
            continue
        with pytest.raises(ExportError, match=r"caf\?.onnx, whose name is not UTF-8"):
            write(setup, library, tmp_path / "p.toml")
        assert not (tmp_path / "p.toml").exists()


@pytest.mark.parametrize("value", ['"a\\u0000b"', "1e400", "[1]", "true", "{ a = 1 }"])
def test_what_names_no_file_is_no_network(library, tmp_path, value):
    path = tmp_path / "p.toml"
    path.write_text(f'lightloom = 1\n[[filter]]\nname = "background"\nvalues = {{ model = {value} }}')
    loaded = load_preset(path, library)
    assert len(loaded.warnings) == 1 and "is not a value for 'model'" in loaded.warnings[0]
    assert loaded.setup.chain.stages[0].values == library.get("background").defaults
    save_preset(loaded.setup, library, tmp_path / "again.toml")
    assert load_preset(tmp_path / "again.toml", library).setup == loaded.setup


# -- a second network ----------------------------------------------------------------------------------------


def test_a_second_network_goes_with_its_preset(library, tmp_path):
    second = tmp_path / "closer.onnx"
    second.write_bytes(b"x")
    first = tmp_path / "finds.onnx"
    first.write_bytes(b"x")
    spec = NetworkSpec(
        str(first),
        settings={"score": 0.4},
        second=NetworkSpec(
            str(second), "wgpu", settings={"most": 3, "top": 2}, things=5, enlarge=1.5, task="classification"
        ),
    )
    save_preset(Setup(network=spec), library, tmp_path / "a.toml")
    table = tomllib.loads((tmp_path / "a.toml").read_text())["network"]
    assert table["second"]["model"] == "closer.onnx" and table["second"]["things"] == 5
    assert not {"every", "on_result"} & table["second"].keys() and "things" not in table
    loaded = load_preset(tmp_path / "a.toml", library)
    assert loaded.setup.network == spec and loaded.warnings == ()
    # In one file both networks go along.
    save_bundle(Setup(network=spec), library, tmp_path / "a.lightloom")
    names = zipfile.ZipFile(tmp_path / "a.lightloom").namelist()
    assert {"files/finds.onnx", "files/closer.onnx"} <= set(names)
    # Without one the preset is as it was before there were such.
    save_preset(Setup(network=replace(spec, second=None)), library, tmp_path / "b.toml")
    assert "second" not in (tmp_path / "b.toml").read_text()


@pytest.mark.parametrize(
    ("text", "said", "kept"),
    [
        ('second = "closer.onnx"', "the second network has no model", False),
        ('[network.second]\nmodel = "gone.onnx"', "gone.onnx, is not there", False),
        ('[network.second]\nmodel = "classifier"\nthings = 17', "things can't be '17'", True),
        ('[network.second]\nmodel = "classifier"\nenlarge = 0.1', "enlarge can't be '0.1'", True),
        ('[network.second]\nmodel = "classifier"\nevery = 2', "'every' of the network is not known", True),
        (
            '[network.second]\nmodel = "classifier"\n[network.second.second]\nmodel = "classifier"',
            "'second' of the network is not known",
            True,
        ),
    ],
)
def test_what_is_wrong_with_a_second_network_is_left_out(library, tmp_path, text, said, kept):
    path = tmp_path / "a.toml"
    path.write_text(f'lightloom = 1\n[network]\nmodel = "classifier"\n{text}\n')
    loaded = load_preset(path, library)
    assert any(said in warning for warning in loaded.warnings), loaded.warnings
    assert loaded.setup.network is not None and (loaded.setup.network.second is not None) == kept


# -- any setup -----------------------------------------------------------------------------------------------

_TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
_SHARES = st.floats(0.0, 1.0)


def _filter_values(item):
    """Values that a filter takes: its numbers anywhere between their bounds, its choices, its files left
    empty.
    """

    def values(param):
        if not isinstance(param, Number) or param.min is None or param.max is None:
            return st.just(param.default)
        return st.integers(int(param.min), int(param.max)) if param.whole else st.floats(param.min, param.max)

    return st.fixed_dictionaries({param.name: values(param) for param in item.params})


def _task_settings(folder):
    """Settings of all tasks, none as usual: what is usual is not written."""
    values = {
        Integer: lambda s: st.integers(s.min, s.max),
        Share: lambda s: _SHARES,
        Names: lambda s: st.lists(_TEXTS, min_size=1, max_size=3).map(tuple),
        Word: lambda s: _TEXTS,
        Files: lambda s: st.lists(st.sampled_from(folder), min_size=1, max_size=s.most).map(tuple),
    }
    declared = {s.name: s for task in all_tasks() for s in task.settings}
    each = {name: values[type(s)](s).filter(lambda v, s=s: v != s.default) for name, s in declared.items()}
    return st.fixed_dictionaries({}, optional=each)


def _networks(folder, models, *, second):
    own = {
        "model": st.sampled_from(models),
        "backend": st.sampled_from(backend_choices()),
        "precision": st.sampled_from(["auto", "fp32", "fp16"]),
        "task": st.sampled_from(["auto", *(task.id for task in result_tasks())]),
        "preprocess": st.dictionaries(st.sampled_from(["colors", "scale", "mine"]), _TEXTS | st.lists(_SHARES, max_size=3)),
        "settings": _task_settings(folder),
    }  # fmt: skip
    if second:
        own |= {"things": st.integers(0, 16), "enlarge": st.just(0.0) | st.floats(0.25, 8.0)}
    else:
        behind = st.none() | _networks(folder, models, second=True)
        own |= {"every": st.integers(1, 1000), "on_result": st.booleans(), "second": behind}
    return st.builds(NetworkSpec, **own)


def _numbers(fields):
    numbers = [f for f in fields.values() if isinstance(f, Number)]
    return {f.name: (st.integers if f.whole else st.floats)(f.min, f.max) for f in numbers}


@st.composite
def _setups(draw, library, folder, models):
    chain = ChainSpec()
    for name in draw(st.lists(st.sampled_from(sorted(library.filters)), max_size=4)):
        item = library.get(name)
        chain = chain.added(item.id, item.check(draw(_filter_values(item))))
        chain = chain.with_enabled(chain.stages[-1].id, draw(st.booleans()))
    hidden = st.builds(
        AnonymizeSpec,
        **_numbers(ANONYMIZE_FIELDS),
        classes=st.lists(_TEXTS, max_size=3, unique=True).map(tuple),
        kind=st.sampled_from(HIDE_KINDS),
        outline=st.sampled_from(OUTLINES),
        unseen=st.booleans(),
    )
    track = st.builds(TrackSpec, **_numbers(TRACK_FIELDS), by_class=st.booleans())
    return Setup(
        chain,
        draw(st.none() | _networks(folder, models, second=False)),
        SceneSpec(draw(st.none() | track)),
        draw(st.none() | hidden),
    )


@pytest.mark.parametrize("bundled", [False, True], ids=["beside its files", "in one file"])
def test_any_setup_comes_back_from_its_preset(library, tmp_path, monkeypatch, bundled):
    monkeypatch.setenv("LIGHTLOOM_PRESETS", str(tmp_path / "presets"))
    pictures = [str(tmp_path / name) for name in ("a.png", "Ä %d 'b'.png")]
    models = [str(tmp_path / name) for name in ("one.onnx", "two %s.onnx")]
    for place, path in enumerate((*pictures, *models)):
        Path(path).write_bytes(bytes([place]))

    @settings(
        max_examples=40,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(_setups(library, pictures, models))
    def check(setup):
        path = tmp_path / ("setup.lightloom" if bundled else "setup.toml")
        (save_bundle if bundled else save_preset)(setup, library, path)
        loaded = open_preset(path, library)
        assert loaded.warnings == ()
        assert _by_content(loaded.setup) == _by_content(setup)

    check()


def _by_content(setup):
    """A setup with what is in its files instead of where they are: a bundle unpacks them elsewhere."""

    def network(spec):
        if spec is None:
            return None
        values = {
            name: tuple(Path(file).read_bytes() for file in value) if name == "likeness" else value
            for name, value in spec.settings.items()
        }
        return replace(
            spec, model=Path(spec.model).read_bytes(), settings=values, second=network(spec.second)
        )

    stages = tuple(replace(stage, id=0) for stage in setup.chain.stages)
    return replace(setup, chain=ChainSpec(stages), network=network(setup.network))


def test_a_preset_that_says_nothing_of_hiding_shows_nobody():
    faces, detector, other = AnonymizeSpec(("face",)), NetworkSpec("faces.onnx"), NetworkSpec("names.onnx")
    look = ChainSpec().added("invert", {})
    now = Setup(network=detector, anonymize=faces)
    assert still_hidden(now, Setup(look)) == Setup(look, detector, anonymize=faces)
    assert still_hidden(now, Setup(look, other)) == Setup(look, detector, anonymize=faces)
    own = Setup(look, other, anonymize=AnonymizeSpec(("cat",)))
    assert still_hidden(now, own) == own
    assert still_hidden(Setup(network=detector), Setup(look, other)) == Setup(look, other)
    assert still_hidden(replace(now, network=None), Setup(look, other)) == Setup(look, other, anonymize=faces)
