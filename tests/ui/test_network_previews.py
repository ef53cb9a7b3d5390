"""Tiles of networks and of looks with one: the frame with the result, computed once for each source."""

from __future__ import annotations

import material
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from window_panels import networks_of

from desktop.pipeline.network_previews import NetworkPreview
from desktop.ui.features.library.live_previews import LivePreviews
from desktop.ui.features.library.result_image import result_image
from desktop.vision.tasks.shapes import Box, Label


@pytest.fixture
def page(ui):
    found = networks_of(ui.window)
    found.leave()
    found.networks.set_catalogue({})
    yield found
    found.leave()
    found.networks.set_catalogue(None)
    ui.workspace.settings.models = []


def inverter(path):
    """A network that inverts the image, as a style."""
    graph = helper.make_graph(
        [helper.make_node("Sub", ["one", "x"], ["y"])],
        "invert",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 3, 32, 32))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 3, 32, 32))],
        [helper.make_tensor("one", TensorProto.FLOAT, (1,), [1.0])],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    return path


def images(ui):
    return ui.workspace.get(LivePreviews)


def color_of(image):
    color = image.pixelColor(image.width() // 2, image.height() // 2)
    return color.red(), color.green(), color.blue()


def test_a_network_shows_the_frame_with_its_result_once_for_each_source(ui, page, pictures, tmp_path):
    path = inverter(tmp_path / "invert.onnx")
    key, made = f"network {path}", []
    ui.workspace.settings.models = [str(path)]
    ui.play(str(pictures["red"]))
    images(ui).made.connect(lambda each: made.append(each) if each == key else None)
    page.networks.refresh()
    page.show()
    page.library.search.setText("invert.onnx")
    ui.wait(lambda: images(ui).image(key) is not None)
    red, green, blue = color_of(images(ui).image(key))
    assert red < 40 and green > 215 and blue > 215, "red, inverted"
    ui.wait(lambda: ui.workspace.engine.network_previews.is_complete)
    page.library.show_page("looks")
    page.library.show_page("networks")
    ui.still(lambda: made == [key])
    assert made == [key], "cached"
    assert ui.workspace.edits.setup.network is None and not ui.stages, "nothing of the chain has changed"
    ui.play(str(pictures["green"]))
    ui.wait(lambda: len(made) == 2)
    red, green, blue = color_of(images(ui).image(key))
    assert red > 200 and green < 90 and blue > 200, "green, inverted"


def test_what_is_not_on_the_disk_or_cannot_run_has_no_image(ui, page, pictures, tmp_path):
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no network")
    ui.workspace.settings.models = [str(broken), str(tmp_path / "gone.onnx")]
    ui.play(str(pictures["red"]))
    page.networks.refresh()
    page.show()
    page.library.search.setText("onnx")
    ui.wait(lambda: str(broken) in page.keys)
    ui.wait(lambda: images(ui).is_refused(f"network {broken}"))
    assert images(ui).image(f"network {broken}") is None
    assert page.item(str(tmp_path / "gone.onnx")).request is None
    assert not ui.notices, "a thumbnail reports nothing"


def test_a_look_with_a_network_has_an_image_of_its_own(ui, page, pictures):
    ui.play(str(pictures["red"]))
    page.library.show_page("looks")
    page.library.search.setText("ink and wash")
    ui.wait(lambda: any(item.request is not None for item in page.library.model.items))
    ui.wait(lambda: images(ui).image("preset ink_and_wash") is not None)


def test_results_are_drawn(qapp):
    pixels = np.full((60, 120, 4), 255, np.uint8)
    box = Box("person", 0, 0.25, 0.25, 0.75, 0.75)
    plain = result_image(NetworkPreview("a", pixels), 120)
    boxed = result_image(NetworkPreview("a", pixels, (box,)), 120)
    named = result_image(NetworkPreview("a", pixels, (Label("yawl", 0.8), Label("raft", 0.1))), 120)
    assert (plain.width(), plain.height()) == (120, 60)
    assert (
        boxed.pixelColor(30, 30) != plain.pixelColor(30, 30) and boxed.pixelColor(60, 30).name() == "#ffffff"
    )
    assert named.pixelColor(7, 50).lightness() < 140 and named.pixelColor(110, 10).name() == "#ffffff"


def test_a_classifier_writes_its_class(ui, page, pictures, tmp_path):
    path = material.classifier(tmp_path / "mean.onnx")
    ui.workspace.settings.models = [str(path)]
    ui.play(str(pictures["red"]))
    page.networks.refresh()
    page.show()
    page.library.search.setText("mean.onnx")
    key = f"network {path}"
    ui.wait(lambda: images(ui).image(key) is not None)
    image = images(ui).image(key)
    lower = {image.pixelColor(x, image.height() - 10).name() for x in range(6, 40)}
    assert len(lower) > 2, "text on a ground"
