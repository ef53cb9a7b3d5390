"""A new type of parameter is one file on the compute side and one in the window: `sample_param/`, put beside
those there are.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from filter_rig import FilterRig
from package_rig import extended
from PySide6.QtWidgets import QWidget

from desktop.base.discovery import registered
from desktop.base.errors import FilterError
from desktop.base.fields import Field
from desktop.pipeline.chain.spec import StageSpec, chain_of
from desktop.pipeline.chain.typed import parse_stage, typed_chain
from desktop.pipeline.filters import params
from desktop.pipeline.filters.header import parse_filter
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.param import Param
from desktop.pipeline.filters.trial import variants
from desktop.pipeline.setup.bundle import save_bundle, unpack
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.pipeline.setup.setup import Setup
from desktop.ui.forms import editors
from desktop.ui.forms.settings import Settings
from desktop.ui.forms.stage_card import StageCard
from desktop.ui.kit.widgets import Themed, WheelGuard

SAMPLE = Path(__file__).parent / "sample_param"
FILTER = """/* lightloom
title = "Turned"
[[param]]
name = "gain"
default = 0.5
[[param]]
name = "turn"
type = "angle"
*/
fn main(p: vec2i) -> vec4f { return vec4f(params.turn, params.gain, 1.0); }
"""


@pytest.fixture
def angle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the two folders have the sample's files too, and have them found."""
    stack = ExitStack()
    for package, folder in ((params, "compute"), (editors, "window")):
        stack.enter_context(extended(package, SAMPLE / folder))
    found = {kind.type: kind for kind in registered(params.__name__, "TYPE")}
    found_editors = {editor.name: editor for editor in registered(editors.__name__, "EDITOR")}
    assert found.keys() - params.PARAM_TYPES.keys() == {"angle"}
    assert found_editors.keys() - editors.EDITORS.keys() == {"dial"}
    monkeypatch.setitem(params.PARAM_TYPES, "angle", found["angle"])
    monkeypatch.setitem(editors.EDITORS, "dial", found_editors["dial"])
    with stack:
        yield
    for name in ("desktop.pipeline.filters.params.angle", "desktop.ui.forms.editors.dial"):
        sys.modules.pop(name, None)
    importlib.invalidate_caches()


@pytest.fixture
def library(angle: None, tmp_path: Path) -> FilterLibrary:
    folder = tmp_path / "filters"
    folder.mkdir()
    (folder / "turned.wgsl").write_text(FILTER, encoding="utf-8")
    return FilterLibrary(folder)


def test_the_header_and_the_values(library):
    item = library.get("turned")
    assert item.defaults == {"gain": 0.5, "turn": 0.0}
    assert item.check({"turn": 450})["turn"] == 90.0
    with pytest.raises(FilterError, match=r"'north' is not a value for 'turn'; it takes an angle in degrees"):
        item.check({"turn": "north"})
    with pytest.raises(FilterError, match="the default 'up' does not fit, it takes an angle"):
        parse_filter(FILTER.replace('"angle"', '"angle"\ndefault = "up"'), "turned.wgsl", builtin=False)
    assert {values["turn"] for values in variants(item)} == {0.0, 359.0}


def test_the_command_line(library):
    (stage,) = typed_chain(library, [parse_stage("turned:turn=90°")]).stages
    assert stage.values == {"gain": 0.5, "turn": 90.0}


def test_presets(library, tmp_path):
    setup = Setup(chain_of(library, [("turned", {"turn": 30.5})]))
    save_preset(setup, library, tmp_path / "look.toml")
    loaded = load_preset(tmp_path / "look.toml", library)
    assert loaded.setup == setup and loaded.warnings == ()
    save_bundle(setup, library, tmp_path / "look.lightloom")
    loaded = load_preset(unpack(tmp_path / "look.lightloom", tmp_path / "imported"), library, inside=True)
    assert loaded.setup == setup and loaded.warnings == ()


def test_the_shader_sees_it(library, gpu):
    picture = np.zeros((4, 4, 4), np.float32)
    result = FilterRig(gpu).run_frames(library.get("turned"), [picture], turn=30, gain=0.25)[0]
    expected = np.broadcast_to((np.cos(np.pi / 6), np.sin(np.pi / 6), 0.25, 1.0), picture.shape)
    np.testing.assert_allclose(result, expected, atol=1e-3)  # half floats


def test_the_window_edits_it(library, the_window, qtbot):
    item = library.get("turned")
    host = QWidget()
    qtbot.addWidget(host)
    card = StageCard(StageSpec(1, "turned", item.check({"turn": 30})), item, Themed(), WheelGuard(host))
    qtbot.addWidget(card)
    card.set_expanded(True)
    editor = card.editors["turn"]
    assert editor.dial.value() == 30 and editor.dial.accessibleName() == "Turn"
    with qtbot.waitSignal(card.edited) as edited:
        editor.dial.setValue(45)
    assert edited.args == ["turn", 45.0]
    editor.reset()
    assert editor.dial.value() == 0


def concrete_types(base):
    """Types of fields below one, but for abstract ones."""
    own = [] if inspect.isabstract(base) else [base]
    return own + [kind for below in base.__subclasses__() for kind in concrete_types(below)]


def test_every_type_has_an_editor_and_every_editor_a_type():
    others = {kind for kind in concrete_types(Field) if not issubclass(kind, Param)}
    # Of requests of a protocol: no form shows them.
    others = {kind for kind in others if not kind.__module__.startswith("desktop.serving.")}
    assert {type(setting.field) for setting in Settings.all()} <= others
    assert {kind.editor for kind in {*params.PARAM_TYPES.values(), *others}} == set(editors.EDITORS)


@pytest.mark.parametrize("kind", params.PARAM_TYPES.values(), ids=lambda kind: kind.type)
def test_a_type_packs_as_much_as_its_member_takes(kind):
    """Sizes and alignments of WGSL, section 14.4.1."""
    layout = {"": (0, 1), "f32": (4, 4), "i32": (4, 4), "u32": (4, 4), "vec2f": (8, 8), "vec4f": (16, 16)}
    param = kind("a", 0.0, choices=("one", "two"), tasks=("mask",) if kind.type == "model" else ())
    default = param.fallback
    if default is None:
        default = {"color": "#102030", "point": (0.5, 0.5)}.get(kind.type, 1)
    assert param.fault() is None
    assert (len(param.pack(param.check(default))), kind.alignment) == layout[kind.wgsl]


def test_every_type_is_documented():
    document = (Path(__file__).resolve().parents[2] / "docs" / "filters.md").read_text(encoding="utf-8")
    rows = document.split("| type | in WGSL |", 1)[1].split("\n\n", 1)[0]
    for kind in params.PARAM_TYPES:
        assert f"| `{kind}` |" in rows
