"""`lightloom export-web`, and what it writes in a real Chromium: ONNX Runtime and the desktop are the
reference.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
import pytest
from filter_rig import FilterRig, natural_picture
from onnx import TensorProto, helper
from PIL import Image
from tiny_models import square_detector
from vision_models import mobilenet_v3, resnet50
from web_rig import CANVAS, WAIT, Browser, Handler, needs_browser, plan_of, served

from desktop.base.resources import resource
from desktop.vision.models.builtin import builtin_models
from desktop.vision.models.labels import imagenet_labels
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import Preprocess, choose_preprocess

FILTERS = """
lightloom = 1
[[filter]]
name = "tone_curve"
values = { blacks = 0.02, shadows = 0.21, lights = 0.79 }
[[filter]]
name = "saturation"
values = { saturation = 1.4 }
[[filter]]
name = "sharpen"
values = { amount = 0.8 }
[[filter]]
name = "vignette"
values = { amount = 0.9 }
[[filter]]
name = "gaussian_blur"
values = { radius = 3.0 }
"""


def lightloom(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "desktop", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


def exported(folder: Path, what: object, *options: object) -> Path:
    done = lightloom("export-web", what, "-o", folder, *options)
    assert done.returncode == 0, done.stderr
    return folder


def refused(folder: Path, what: object, *options: object) -> str:
    done = lightloom("export-web", what, "-o", folder, *options)
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    assert not folder.exists() or not (folder / "plan.json").exists()
    return done.stderr


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = Browser()
    yield found
    found.close()


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return exported(tmp_path_factory.mktemp("classifier") / "site", "classifier")


# -- what ONNX Runtime says ----------------------------------------------------------------------------------


def prepared(plan: Preprocess, picture: np.ndarray) -> np.ndarray:
    """The input tensor by Pillow's antialiased resize, channel by channel in floats."""
    height, width = picture.shape[:2]
    ratio = min(width / plan.width, height / plan.height) * plan.crop
    w, h = plan.width * ratio, plan.height * ratio
    box = ((width - w) / 2, (height - h) / 2, (width + w) / 2, (height + h) / 2)
    scaled = [
        np.asarray(
            Image.fromarray(picture[..., c].astype(np.float32), "F").resize(
                (plan.width, plan.height), Image.Resampling.BILINEAR, box=box
            )
        )
        for c in range(3)
    ]
    assert plan.resize == "crop" and plan.interpolation == "bilinear" and plan.colors == "RGB"
    values = np.stack(scaled) / 255
    if plan.scale == "-1..1":
        values = values * 2 - 1
    values = (values - np.reshape(plan.mean, (3, 1, 1))) / np.reshape(plan.std, (3, 1, 1))
    return (values if plan.layout == "NCHW" else np.moveaxis(values, 0, -1))[None].astype(plan.dtype)


def reference(model: Path) -> tuple[onnxruntime.InferenceSession, Preprocess]:
    with ModelFile.opened(model) as file:
        plan, _ = choose_preprocess(model, file.facts)
    return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]), plan


def check_top_five(browser: Browser, site: Path, model: Path, photographs: list[Path], folder: Path) -> None:
    session, plan = reference(model)
    labels = None
    with served(site) as server:
        browser.open(server.address)
        assert browser.state == "ready", browser.message
        for photograph in photographs:
            picture = np.asarray(Image.open(photograph).convert("RGB"))
            lossless = folder / f"{photograph.stem}.png"  # one decoder of JPEG for both
            Image.fromarray(picture).save(lossless)
            scores = np.ravel(session.run(None, {session.get_inputs()[0].name: prepared(plan, picture)})[0])
            labels = labels or imagenet_labels(len(scores))
            want = [labels[int(i)] for i in np.argsort(-scores.astype(np.float64), kind="stable")[:5]]
            browser.show(lossless)
            assert browser.predictions == want, photograph.name


@needs_browser
def test_the_classifier_in_the_box_says_what_onnx_runtime_says(browser, classifier, shared, tmp_path):
    photographs = sorted((shared / "images" / "eval").glob("*.jpg"))[:20]
    assert len(photographs) == 20
    check_top_five(browser, classifier, builtin_models()["classifier"].path, photographs, tmp_path)


@needs_browser
def test_mobilenet_v2_says_what_onnx_runtime_says(browser, shared, tmp_path):
    model = shared / "models" / "classify" / "mobilenet_v2_1.0_224_f32.onnx"
    photographs = sorted((shared / "images" / "eval").glob("*.jpg"))[::5][:20]
    assert len(photographs) == 20
    check_top_five(browser, exported(tmp_path / "site", model), model, photographs, tmp_path)


RUN = """
const { Engine } = await import(given[0] + "engine.js");
const plan = await (await fetch(given[0] + "plan.json")).json();
const engine = await Engine.make(plan, given[3]);
const bytes = Uint8Array.from(atob(given[2]), (c) => c.charCodeAt(0));
const found = await engine.look.run({ [given[1]]: new Float32Array(bytes.buffer) });
engine.close();
return Object.values(found).map((values) => Array.from(values));
"""


def run_in(browser: Browser, site: Path, name: str, values: np.ndarray, **options: object) -> np.ndarray:
    with served(site) as server:
        browser.driver.get(f"{server.address}icon.svg")  # the site's origin, without its page
        text = base64.b64encode(values.astype(np.float32).tobytes()).decode()
        return np.array(browser.call(RUN, server.address, name, text, options)[0])


@needs_browser
@pytest.mark.parametrize(
    ("make", "width", "software"),
    [(resnet50, 8, True), (mobilenet_v3, 0.25, True), (resnet50, 4, False)],
    ids=["resnet50", "mobilenet_v3", "resnet50 as on a GPU"],
)
def test_random_weights_give_what_onnx_runtime_gives(browser, tmp_path, make, width, software):
    model = make(tmp_path / "model.onnx", width=width, size=64, classes=100)
    site = exported(tmp_path / "site", model)
    values = np.random.default_rng(0).normal(0, 1, (1, 3, 64, 64)).astype(np.float32)
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    want = np.ravel(session.run(None, {"x": values})[0])
    got = run_in(browser, site, "x", values, software=software)
    assert np.abs(got - want).max() <= 1e-3 * np.abs(want).max()


HALF = os.environ.get("LIGHTLOOM_NODE_WEBGPU", "")


@pytest.mark.skipif(
    not HALF, reason="LIGHTLOOM_NODE_WEBGPU names no folder with Node's package webgpu (docs/web.md)"
)
def test_the_form_in_16_bit_floats_gives_what_onnx_runtime_gives(tmp_path):
    """On Dawn, outside of a browser: Chromium's software adapter has no such floats. The network's input and
    output are in them.
    """
    random = np.random.default_rng(0)
    weights = {"w": random.normal(0, 0.2, (9, 3, 3, 3)), "v": random.normal(0, 0.3, (9, 5))}
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("GlobalAveragePool", ["r"], ["m"]),
        helper.make_node("Flatten", ["m"], ["f"]),
        helper.make_node("MatMul", ["f", "v"], ["y"]),
    ]
    half = TensorProto.FLOAT16
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", half, [1, 3, 31, 31])],
        [helper.make_tensor_value_info("y", half, [1, 5])],
        [onnx.numpy_helper.from_array(array.astype(np.float16), name) for name, array in weights.items()],
    )
    model = tmp_path / "m.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), model)
    site = exported(tmp_path / "site", model)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    values = random.random((1, 3, 31, 31)).astype(np.float16)
    with served(site) as server:
        script = Path(__file__).with_name("half.mjs")
        command = ["node", str(script), HALF, server.address, str(site), "x"]
        given = values.astype(np.float32).tobytes()
        done = subprocess.run(command, input=given, capture_output=True, timeout=240)
    assert done.returncode == 0, done.stderr.decode()
    said = json.loads(done.stdout.splitlines()[-1])
    assert said["features"] == ["shader-f16"]
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    want = np.ravel(session.run(None, {"x": values})[0]).astype(float)
    assert np.abs(said["outputs"][0] - want).max() <= 4e-3 * np.abs(want).max()


# -- filters -------------------------------------------------------------------------------------------------


def shown_picture(browser: Browser) -> np.ndarray:
    text = browser.run("return document.getElementById('picture').toDataURL('image/png')")
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(text.partition(",")[2]))).convert("RGB")).astype(
        int
    )


def filtered(gpu, picture: np.ndarray) -> np.ndarray:
    """A picture behind FILTERS on the desktop."""
    rig = FilterRig(gpu)
    for stage in tomllib.loads(FILTERS)["filter"]:
        picture = rig.run(stage["name"], picture, **stage["values"])
    return picture


DRAW = """
const { Engine } = await import(given[0] + "engine.js");
const lost = [];
const engine = await Engine.make(await (await fetch(given[0] + "plan.json")).json(), { software: false, onLost: (why) => lost.push(why) });
document.body.replaceChildren(document.createElement("canvas"));
document.body.style.margin = 0;
const canvas = document.querySelector("canvas");
engine.show(canvas);
const picture = await createImageBitmap(await (await fetch(given[1])).blob());
await engine.resize(picture.width, picture.height);
for (let i = 0; i < 3; i++) await engine.render(picture, i / 30);
return [lost.join(), Boolean(engine.context)];
"""


@needs_browser
def test_a_webgpu_canvas_shows_the_desktops_picture(gpu, tmp_path):
    """The way over the canvas's own texture, which adapters that are no software take."""
    picture, preset = natural_picture(160, 90), tmp_path / "five.toml"
    preset.write_text(FILTERS)
    data = io.BytesIO()
    Image.fromarray(np.round(picture * 255).astype(np.uint8)).save(data, "PNG")
    address = "data:image/png;base64," + base64.b64encode(data.getvalue()).decode()
    site = exported(tmp_path / "site", preset)
    (site / "empty.html").write_text("<!doctype html><title>empty</title>")
    browser = Browser(*CANVAS)
    try:
        with served(site) as server:
            browser.driver.get(f"{server.address}empty.html")
            assert browser.call(DRAW, server.address, address) == ["", True]
            shot = browser.driver.find_element("tag name", "canvas").screenshot_as_png
    finally:
        browser.close()
    got = np.asarray(Image.open(io.BytesIO(shot)).convert("RGB")).astype(int)
    want = np.round(np.clip(filtered(gpu, picture)[..., :3], 0, 1) * 255)
    assert np.abs(got - want).max() <= 1


@needs_browser
def test_five_filters_give_the_desktops_picture(browser, gpu, tmp_path):
    picture = natural_picture(160, 90)
    source, preset = tmp_path / "in.png", tmp_path / "five.toml"
    Image.fromarray(np.round(picture * 255).astype(np.uint8)).save(source)
    preset.write_text(FILTERS)
    want = filtered(gpu, picture)
    with served(exported(tmp_path / "site", preset)) as server:
        browser.open(server.address)
        browser.show(source)
        got = shown_picture(browser)
        # In 8 bits, as both are saved. What is left are bilinear samples, whose weights have 8 bits on some
        # adapters.
        assert np.abs(got - np.round(np.clip(want[..., :3], 0, 1) * 255)).max() <= 1
        # A switch and a slider, as a keyboard moves them.
        drawn = browser.run("return document.body.dataset.drawn")
        for number in range(5):
            browser.run("document.getElementById(arguments[0]).click()", f"stage-{number}")
        browser.wait("document.body.dataset.drawn > Number(arguments[0])", drawn)
        browser.wait("document.querySelectorAll('#stages .off').length === 5")
        until_plain = "document.body.dataset.drawn"
        for _ in range(100):
            if np.abs(shown_picture(browser) - np.round(picture * 255)).max() == 0:
                break
            browser.wait(until_plain)
        assert np.abs(shown_picture(browser) - np.round(picture * 255)).max() == 0
        assert browser.message == ""


@needs_browser
def test_a_stage_with_a_network_gives_the_desktops_picture(browser, tmp_path):
    """A style of free size, made for the picture's own shape."""
    picture = natural_picture(128, 72)
    source, out = tmp_path / "in.png", tmp_path / "out.png"
    Image.fromarray(np.round(picture * 255).astype(np.uint8)).save(source)
    done = lightloom("process", source, "-o", out, "--filter", "style:model=style_ink,size=128")
    assert done.returncode == 0, done.stderr
    preset = tmp_path / "style.toml"
    preset.write_text(
        'lightloom = 1\n[[filter]]\nname = "style"\nvalues = { model = "style_ink", size = 128 }\n'
    )
    with served(exported(tmp_path / "site", preset, "--picture", "128x72")) as server:
        browser.open(server.address)
        browser.show(source)
        got = shown_picture(browser)
    want = cv2.imread(str(out))[..., ::-1].astype(
        int
    )  # dithered by half a step, and float16 between the stages
    assert np.abs(got - want).max() <= 2


# -- the page ------------------------------------------------------------------------------------------------


def test_the_script_is_small_and_the_page_lets_nothing_else_run(classifier):
    scripts = list(classifier.glob("*.js"))
    assert sum(path.stat().st_size for path in scripts) <= 66_000
    page = (classifier / "index.html").read_text("utf-8")
    assert (
        "default-src 'none'; script-src 'self'" in page
        and "onclick" not in page
        and page.count("<script") == 1
    )
    worker = (classifier / "sw.js").read_text("utf-8")
    assert all(f'"{path.stem}"' in worker for path in scripts if path.stem != "sw")


def test_pieces_are_of_four_megabytes_and_have_their_hashes(classifier):
    weights = plan_of(classifier)["look"]["weights"]
    assert sum(piece["bytes"] for piece in weights["pieces"]) == weights["bytes"]
    assert all(piece["bytes"] == 4_000_000 for piece in weights["pieces"][:-1])
    for piece in weights["pieces"]:
        data = (classifier / piece["name"]).read_bytes()
        assert len(data) == piece["bytes"] and hashlib.sha256(data).hexdigest() == piece["sha256"]


@needs_browser
def test_names_are_text_and_nothing_else(browser, tmp_path):
    """A label, a title and a filter's words with markup in them."""
    evil = "<img src=x onerror=\"document.title='owned'\"></script><b>"
    model = mean_classifier(tmp_path / "m.onnx", 2)
    (tmp_path / "m.txt").write_text(f"{evil}\nother\n")
    with served(exported(tmp_path / "site", model, "--title", evil)) as server:
        browser.open(server.address)
        Image.new("RGB", (32, 32), (255, 0, 0)).save(tmp_path / "red.png")
        browser.show(tmp_path / "red.png")
        assert browser.predictions[0] == evil and browser.run("return document.title") == evil
        assert browser.run("return document.querySelectorAll('main img, main b').length") == 0


def mean_classifier(path: Path, classes: int, *, size: int | None = 32) -> Path:
    """Scores that are the mean red, green and blue."""
    sides: list[int | str] = ["h", "w"] if size is None else [size, size]
    nodes = [helper.make_node("GlobalAveragePool", ["x"], ["m"]), helper.make_node("Flatten", ["m"], ["f"])]
    weight = np.eye(3, classes, dtype=np.float32) * 9
    nodes.append(helper.make_node("MatMul", ["f", "w"], ["y"]))
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, *sides])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, classes])],
        [onnx.numpy_helper.from_array(weight, "w")],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


@needs_browser
def test_the_second_visit_needs_no_server(browser, tmp_path):
    site = exported(tmp_path / "site", mean_classifier(tmp_path / "m.onnx", 3))
    with served(site) as server:
        browser.open(server.address)
        browser.call("await navigator.serviceWorker.ready")
        server.is_down = True
        browser.open(server.address)
        assert browser.state == "ready", browser.message
        Image.new("RGB", (32, 32), (0, 0, 255)).save(tmp_path / "blue.png")
        browser.show(tmp_path / "blue.png")
        assert browser.predictions[0] == "class 2"


@needs_browser
def test_a_piece_that_breaks_off_is_gone_on_with_and_what_is_there_is_not_loaded_again(browser, tmp_path):
    site = exported(tmp_path / "site", mean_classifier(tmp_path / "m.onnx", 3))
    name = plan_of(site)["look"]["weights"]["pieces"][0]["name"]
    data = (site / name).read_bytes()
    arrived = threading.Event()

    def cut(handler: Handler) -> bool:
        """Answer the first request: break off once the page has counted what it was sent, which a browser
        drops if it is told at once.
        """
        if server.asked[name] > 1:
            return False
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data[:16])
        handler.wfile.flush()
        assert arrived.wait(WAIT)
        handler.close_connection = True
        return True

    with served(site) as server:
        server.faults[name] = cut
        browser.driver.get(server.address)
        total = len(data)
        browser.wait("document.getElementById('loading').value > 0")
        assert browser.run("return document.getElementById('loading').value") == pytest.approx(16 / total)
        arrived.set()
        browser.wait("document.body.dataset.state !== 'starting'")
        assert browser.state == "ready", browser.message
        assert [asked for each, asked in server.ranges if each == name] == ["", "bytes=16-"]
        browser.open(server.address)
        assert browser.state == "ready" and server.asked[name] == 2


@needs_browser
@pytest.mark.parametrize("fault", ["missing", "damaged", "longer", "no plan"])
def test_what_is_wrong_on_the_server_is_a_sentence(browser, tmp_path, fault):
    site = exported(tmp_path / "site", mean_classifier(tmp_path / "m.onnx", 3))
    piece = site / plan_of(site)["look"]["weights"]["pieces"][0]["name"]
    data = piece.read_bytes()
    if fault == "missing":
        piece.unlink()
    elif fault == "damaged":
        piece.write_bytes(bytes([data[0] ^ 1]) + data[1:])
    elif fault == "longer":
        piece.write_bytes(data * 2)
    else:
        (site / "plan.json").write_text("{")
    said = {"missing": "is not on the server (404)", "no plan": "plan.json on the server is damaged"}
    with served(site) as server:
        browser.open(server.address)
        assert browser.state == "failed"
        assert said.get(fault, "its SHA-256 is another one") in browser.message
        assert browser.message.endswith("upload the whole folder again.")


@needs_browser
def test_no_camera_and_no_video_are_sentences(browser, classifier, tmp_path):
    site = exported(tmp_path / "site", "night_city")
    text, broken = tmp_path / "film.mp4", tmp_path / "broken.png"
    text.write_bytes(b"not a video")
    broken.write_bytes(b"not a picture")
    with served(site) as server:
        browser.open(server.address)
        browser.run("document.querySelector('.bar [data-does=camera]').click()")
        browser.wait("document.getElementById('message').textContent")
        assert "camera" in browser.message
        for path, said in (
            (text, "does not read such a video"),
            (broken, "not a picture that this browser reads"),
        ):
            browser.run("document.getElementById('dismiss').click()")
            browser.show(path)
            assert path.name in browser.message and said in browser.message


@needs_browser
def test_a_video_plays_and_space_pauses_it(browser, tmp_path):
    site, film = exported(tmp_path / "site", "night_city"), tmp_path / "film.mp4"
    done = lightloom("process", "sample:64x64@10", "-o", film, "--max-frames", "20")
    assert done.returncode == 0, done.stderr
    with served(site) as server:
        browser.open(server.address)
        browser.show(film)
        assert not browser.message
        browser.wait("document.body.dataset.drawn > 3")
        assert browser.run("return document.getElementById('pause').textContent") == "Pause"
        browser.run("dispatchEvent(new KeyboardEvent('keydown', { key: ' ' }))")
        assert browser.run("return document.getElementById('pause').textContent") == "Play"


@needs_browser
def test_a_browser_without_webgpu_says_so(tmp_path):
    site = exported(tmp_path / "site", "night_city")
    plain = Browser("--disable-features=WebGPU,WebGPUService", "--disable-blink-features=WebGPU")
    try:
        with served(site) as server:
            plain.driver.execute_cdp_cmd(
                "Page.addScriptToEvaluateOnNewDocument",
                {"source": "delete Navigator.prototype.gpu"},
            )
            plain.open(server.address)
            assert plain.state == "failed" and "has no WebGPU" in plain.message
    finally:
        plain.close()


# -- refusals ------------------------------------------------------------------------------------------------


def test_what_a_page_cannot_do_is_refused_by_name(tmp_path):
    out = tmp_path / "site"
    assert "network for detection" in refused(out, square_detector(tmp_path / "d.onnx"))
    free = refused(out, mean_classifier(tmp_path / "free.onnx", 3, size=None))
    assert "width and height of its input 'x' free" in free
    graph = helper.make_graph(
        [
            helper.make_node("Erf", ["x"], ["e"], domain="strange"),
            helper.make_node("GlobalAveragePool", ["e"], ["m"]),
            helper.make_node("Flatten", ["m"], ["y"]),
        ],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 8, 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 3])],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("strange", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), tmp_path / "s.onnx")
    assert "strange.Erf" in refused(out, tmp_path / "s.onnx")
    assert "enlarges" in refused(out, _preset(tmp_path, "super_resolution", "style_ink"))
    hiding = tmp_path / "hiding.toml"
    hiding.write_text('lightloom = 1\n[[filter]]\nname = "invert"\n[anonymize]\n')
    assert "[anonymize]" in refused(out, hiding)
    assert not out.exists()


def _preset(folder: Path, name: str, model: str) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(f'lightloom = 1\n[[filter]]\nname = "{name}"\nvalues = {{ model = "{model}" }}\n')
    return path


def test_a_name_that_is_nothing_is_a_usage_error(tmp_path):
    done = lightloom("export-web", "gone", "-o", tmp_path / "site")
    assert done.returncode != 0 and "no look or network gone" in done.stderr and "cinema" in done.stderr


def test_a_folder_of_others_stays_as_it_is_and_its_own_is_renewed(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    assert "not of an exported site" in refused(folder, "cinema")
    (folder / "mine.txt").unlink()
    exported(folder, mean_classifier(tmp_path / "m.onnx", 3))
    old = list((folder / "pieces").iterdir())
    (folder / "mine.txt").write_text("mine")
    exported(folder, "cinema")
    assert plan_of(folder)["title"] == "Cinema" and not any(path.exists() for path in old)
    assert (folder / "mine.txt").read_text() == "mine"
    (folder / "index.html").write_text("changed")
    done = lightloom("export-web", "night_city", "-o", folder)
    assert done.returncode == 1 and "index.html was not written by an export, or was changed" in done.stderr
    assert (folder / "index.html").read_text() == "changed"
    (folder / "lightloom-files.json").write_text(json.dumps({"files": 3}))
    done = lightloom("export-web", "night_city", "-o", folder)
    assert done.returncode == 1 and "does not list" in done.stderr


def test_a_folder_that_is_a_link_is_written_and_links_in_it_are_not(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real, target_is_directory=True)
    exported(link, "night_city")
    assert (real / "plan.json").is_file()
    (real / "app.js").unlink()
    (tmp_path / "mine.js").write_text("mine")
    (real / "app.js").symlink_to(tmp_path / "mine.js")
    (real / "kept").mkdir()
    listed = json.loads((real / "lightloom-files.json").read_text())
    listed["files"] |= {"app.js": [""], "kept": [""]}
    (real / "lightloom-files.json").write_text(json.dumps(listed))
    done = lightloom("export-web", "night_city", "-o", link)
    assert done.returncode == 1 and "app.js was not written by an export" in done.stderr
    assert (real / "app.js").is_symlink() and (tmp_path / "mine.js").read_text() == "mine"
    (real / "app.js").unlink()
    exported(link, "night_city")
    assert (real / "kept").is_dir()
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    done = lightloom("export-web", "night_city", "-o", tmp_path / "nowhere")
    assert done.returncode == 1 and "give the name of a folder" in done.stderr


def test_a_pytorch_file_is_refused_as_one(tmp_path):
    path = tmp_path / "net.pt2"
    path.write_bytes(b"PK")
    done = lightloom("export-web", path, "-o", tmp_path / "site")
    assert done.returncode != 0 and "is a PyTorch file" in done.stderr


@needs_browser
@pytest.mark.parametrize("begun", [False, True], ids=["no answer", "breaks off"])
def test_a_server_that_falls_silent_at_the_plan_is_a_sentence(tmp_path, begun):
    def silent(handler: Handler) -> bool:
        if begun:
            handler.send_response(200)
            handler.send_header("Content-Length", "100")
            handler.end_headers()
            handler.wfile.write(b"{")
            handler.wfile.flush()
        over.wait(240)
        handler.close_connection = True
        return True

    over, own = threading.Event(), Browser()
    # The page's own patience is half a minute.
    short = "const wait = AbortSignal.timeout; AbortSignal.timeout = () => wait.call(AbortSignal, 500);"
    own.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": short})
    try:
        with served(exported(tmp_path / "site", "night_city")) as server:
            server.faults["plan.json"] = silent
            own.open(server.address)
            assert own.state == "failed"
            assert ("breaks off" if begun else "could not be loaded") in own.message
            over.set()
    finally:
        over.set()
        own.close()


def test_the_pages_own_files_are_all_packaged():
    assert {path.suffix for path in resource("assets", "web").iterdir()} == {".js", ".html", ".css"}
