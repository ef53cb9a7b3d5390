"""A tiny pipeline on wgpu and on ONNX Runtime: what comes out, that parts leave the device, and memory that
is not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import pytest
import tiny_pipeline as tiny

from desktop.base.errors import ModelError, ModelInvalidError, ModelUnsupportedError
from desktop.compute.gpu.device import AdapterInfo, Gpu
from desktop.compute.gpu.memory import free_memory_of
from desktop.compute.nn.compile.cache import SessionCache
from desktop.compute.nn.session import Session
from desktop.vision.diffusion.folder import read_folder
from desktop.vision.diffusion.memory import check_memory, check_needs, needs_of
from desktop.vision.diffusion.part import Part
from desktop.vision.diffusion.pipeline import Pipeline
from desktop.vision.diffusion.plan import Wish, make_plan
from desktop.vision.diffusion.running import Context, Progress

pytest.importorskip("tokenizers")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny.write_pipeline(tmp_path / "pipe")


def generated(gpu: Gpu | None, folder: Path, picture: np.ndarray | None = None, **more: object) -> np.ndarray:
    read = read_folder(folder)
    wish = {"prompt": "a cat", "negative": "b", "steps": 3, "seed": 4, **more}
    if picture is not None:
        wish["picture"] = (picture.shape[1], picture.shape[0])
    plan = make_plan(read, Wish(**wish))  # type: ignore[arg-type]
    context = Context(gpu=gpu, backend="wgpu" if gpu else "onnxruntime", cache=None)
    return Pipeline(read, context).generate(plan, picture).pixels


def picture() -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, (64, 80, 3), np.uint8)


@pytest.mark.parametrize("scheduler", ["euler", "euler-ancestral", "ddim", "dpm-solver++", "lcm", "pndm"])
@pytest.mark.parametrize("changes", [False, True])
def test_wgpu_and_onnxruntime_make_the_same_picture(
    gpu: Gpu, folder: Path, scheduler: str, changes: bool
) -> None:
    given = picture() if changes else None
    ours = generated(gpu, folder, given, scheduler=scheduler, guidance=3.0)
    theirs = generated(None, folder, given, scheduler=scheduler, guidance=3.0)
    assert ours.shape == (64, 64, 3) and ours.std() > 5
    # A value at the border of two whole numbers may fall to either side.
    assert np.abs(ours.astype(int) - theirs).max() <= 1


def test_the_same_seed_is_the_same_picture_and_the_words_count(gpu: Gpu, folder: Path) -> None:
    first = generated(gpu, folder)
    np.testing.assert_array_equal(generated(gpu, folder), first)
    for more in ({"seed": 5}, {"prompt": "b"}, {"negative": "c"}, {"steps": 4}, {"guidance": 2.0}):
        assert not np.array_equal(generated(gpu, folder, **more), first)
    alone = generated(gpu, folder, guidance=1.0)
    np.testing.assert_array_equal(generated(gpu, folder, guidance=0.5, negative="c"), alone)


def test_a_network_for_a_batch_of_one_gets_one_after_the_other(gpu: Gpu, folder: Path) -> None:
    wanted = generated(gpu, folder)
    tiny.write_unet(folder / "unet/model.onnx", batch=1)
    assert np.abs(generated(gpu, folder).astype(int) - wanted).max() <= 1


def test_a_timestep_without_a_dimension_is_told_too(gpu: Gpu, folder: Path) -> None:
    wanted = generated(gpu, folder)
    tiny.write_unet(folder / "unet/model.onnx", has_row=False)
    np.testing.assert_array_equal(generated(gpu, folder), wanted)


@pytest.mark.parametrize("backend", ["auto", "wgpu", "onnxruntime"])
def test_a_part_that_no_backend_takes_is_named(gpu: Gpu, folder: Path, backend: str) -> None:
    """All parts' files have one name."""
    path = folder / "text_encoder/model.onnx"
    model = onnx.load(path)
    model.graph.node[0].op_type, model.graph.node[0].domain = "Unheard", "of.nobody"
    model.opset_import.append(onnx.helper.make_opsetid("of.nobody", 1))
    onnx.save(model, path)
    read = read_folder(folder)
    context = Context(gpu=gpu, backend=backend, cache=None)
    with pytest.raises(ModelError, match=r"^text_encoder/model\.onnx: ") as caught:
        Pipeline(read, context).generate(make_plan(read, Wish(prompt="a", steps=1)))
    assert str(caught.value).count("text_encoder") == 1


def test_a_taesd_beside_the_vae_decodes(gpu: Gpu, folder: Path) -> None:
    tiny.write_decoder(folder / "taesd_decoder.onnx")
    assert not np.array_equal(generated(gpu, folder, tiny=True), generated(gpu, folder))


def test_parts_leave_the_device_and_are_told_of(gpu: Gpu, folder: Path) -> None:
    opened: list[tuple[str, Session]] = []
    told: list[str] = []

    def used(part: Part, session: Session, reason: str) -> None:
        assert all(before.is_closed for _, before in opened)  # type: ignore[attr-defined]
        opened.append((part.kind, session))

    def tell(progress: Progress) -> None:
        told.append(f"{progress.text} {progress.done}/{progress.total}")

    read = read_folder(folder)
    plan = make_plan(read, Wish(prompt="a", steps=2, picture=(64, 64), strength=1.0))
    context = Context(gpu=gpu, backend="wgpu", cache=None, used=used, tell=tell)
    Pipeline(read, context).generate(plan, picture())
    assert [kind for kind, _ in opened] == ["text_encoder", "vae_encoder", "unet", "vae_decoder"]
    assert all(session.is_closed for _, session in opened)  # type: ignore[attr-defined]
    assert told[-3:] == ["Denoising 1/2", "Denoising 2/2", "Decoding the image 0/0"]


def test_prepared_parts_are_kept(gpu: Gpu, folder: Path, tmp_path: Path) -> None:
    cache = SessionCache(tmp_path / "cache")
    read = read_folder(folder)
    plan = make_plan(read, Wish(prompt="a", steps=1))
    context = Context(gpu=gpu, backend="wgpu", cache=cache)
    first = Pipeline(read, context).generate(plan).pixels
    cache.wait()
    assert len(list((tmp_path / "cache").iterdir())) == 3
    np.testing.assert_array_equal(Pipeline(read, context).generate(plan).pixels, first)


class _StoppedError(Exception):
    pass


def test_it_ends_between_two_steps(gpu: Gpu, folder: Path) -> None:
    steps: list[int] = []

    def check() -> None:
        if len(steps) == 3:
            raise _StoppedError

    read = read_folder(folder)
    plan = make_plan(read, Wish(prompt="a", steps=10))
    context = Context(gpu=gpu, backend="wgpu", cache=None, check=check)
    with pytest.raises(_StoppedError):
        Pipeline(read, context).generate(plan, seen=lambda number, sample: steps.append(number))
    assert steps == [0, 1, 2]


def test_a_text_encoder_of_an_unknown_width_is_refused_when_it_runs(gpu: Gpu, folder: Path) -> None:
    tiny.write_text_encoder(folder / "text_encoder/model.onnx", width=12)
    with pytest.raises(ModelInvalidError, match="they are of two pipelines"):
        generated(gpu, folder)


def test_a_decoder_of_another_factor_is_refused(gpu: Gpu, folder: Path) -> None:
    tiny.write_decoder(folder / "vae_decoder/model.onnx", factor=4)
    with pytest.raises(
        ModelInvalidError, match=r"vae_decoder/model\.onnx gives \[1, 3, 32, 32\] where \[1, 3, 64, 64\]"
    ):
        generated(gpu, folder)


@pytest.mark.parametrize(
    "kind, weights",
    [("text_encoder", "table"), ("unet", "kernel"), ("vae_decoder", "kernel"), ("vae_encoder", "kernel")],
)
def test_numbers_that_are_none_are_said(folder: Path, kind: str, weights: str) -> None:
    path = folder / kind / "model.onnx"
    model = onnx.load(path)
    for tensor in model.graph.initializer:
        if tensor.name == weights:
            array = np.full(tuple(tensor.dims), np.nan, np.float32)
            tensor.CopyFrom(onnx.numpy_helper.from_array(array, weights))
    onnx.save(model, path)
    with pytest.raises(ModelError, match=f"{kind}/model.onnx gave values that are no numbers"):
        generated(None, folder, picture() if kind == "vae_encoder" else None)


@pytest.mark.parametrize(
    "kind, given, output, said",
    [
        ("text_encoder", "input_ids", "last_hidden_state", r"gives \[\] where embeddings"),
        ("vae_encoder", "sample", "latent_parameters", r"gives \[\] where \[1, 4, 8, 8\]"),
    ],
)
def test_a_network_that_gives_another_shape_than_it_declares_is_refused(
    folder: Path, kind: str, given: str, output: str, said: str
) -> None:
    path = folder / kind / "model.onnx"
    model = onnx.load(path)
    nodes = [
        onnx.helper.make_node("Cast", [given], ["number"], to=onnx.TensorProto.FLOAT),
        onnx.helper.make_node("ReduceMean", ["number"], [output], keepdims=0),
    ]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.save(model, path)
    with pytest.raises(ModelInvalidError, match=said):
        generated(None, folder, picture() if kind == "vae_encoder" else None)


def test_a_text_encoder_for_a_million_prompts_is_refused(folder: Path) -> None:
    path = folder / "text_encoder/model.onnx"
    model = onnx.load(path)
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 1 << 20
    onnx.save(model, path)
    with pytest.raises(ModelInvalidError, match="was exported for 1048576 prompts at a time"):
        generated(None, folder)


# -- memory --------------------------------------------------------------------------------------------------


def test_what_is_missing_is_said_before_anything_is_allocated(folder: Path) -> None:
    tiny.write_json(folder / "vae_decoder/config.json", {"block_out_channels": [128, 1, 1, 1]})
    read = read_folder(folder)
    plan = make_plan(read, Wish(prompt="a", size=(2048, 2048)))
    needs = needs_of(read, plan)
    decoder = needs[2]
    assert decoder.device == 2 * 4 * 128 * 2048**2 + 4 * read.decoder.part.weights
    check_needs(read, needs, device=5 << 30, host=1 << 30, where="a GPU")
    check_needs(read, needs, device=None, host=1 << 30, where="a GPU")
    with pytest.raises(ModelUnsupportedError) as caught:
        check_needs(read, needs, device=3 << 30, host=1 << 30, where="a GPU")
    assert str(caught.value).startswith(
        "1.1 GiB of memory are missing for pipe: vae_decoder/model.onnx takes at least 4.0 GiB and 3.0 are free on a GPU;"
    )
    with pytest.raises(ModelUnsupportedError, match="are free on this machine"):
        check_needs(read, needs, device=None, host=100, where="a GPU")


def test_halves_take_half(folder: Path) -> None:
    read = read_folder(folder)
    plan = make_plan(read, Wish(prompt="a"))
    whole, half = (needs_of(read, plan, precision) for precision in ("fp32", "fp16"))
    assert [need.device for need in whole] == [2 * need.device for need in half]
    assert [need.host for need in whole] == [need.host for need in half]


def test_a_tiny_pipeline_has_room(gpu: Gpu, folder: Path) -> None:
    read = read_folder(folder)
    check_memory(read, make_plan(read, Wish(prompt="a")), Context(gpu=gpu))


def test_free_memory_is_known_of_the_machine_and_never_guessed() -> None:
    software = AdapterInfo("llvmpipe", "software", "Vulkan", "Mesa", "")
    assert (free_memory_of(software) or 0) > 1 << 20
    unheard = AdapterInfo("A card that nobody makes", "discrete", "Vulkan", "", "")
    assert free_memory_of(unheard) is None


# -- real weights --------------------------------------------------------------------------------------------


def psnr(found: np.ndarray, wanted: np.ndarray) -> float:
    return float(10 * np.log10(255**2 / np.mean((found.astype(float) - wanted) ** 2)))


@pytest.mark.shared
def test_a_taesd_of_real_weights_is_as_good_as_on_onnxruntime(gpu: Gpu, shared: Path) -> None:
    """taef2: 128 pixels and 2 photographs here, 24 of 512 in benchmarks/diffusion.py. Bound: 0.05 dB (issue
    16).
    """
    from diffusion_real import autoencoded, photographs, sessions

    for photograph in photographs(shared, 2, 128):
        found = {}
        for name, (encoder, decoder) in sessions(gpu, shared, 128).items():
            found[name] = psnr(autoencoded(encoder, decoder, photograph), photograph)
        assert found["wgpu"] > 20 and abs(found["wgpu"] - found["onnxruntime"]) <= 0.05


@pytest.mark.shared
def test_digits_of_real_weights_are_those_of_onnxruntime(gpu: Gpu, shared: Path) -> None:
    """A DDPM of 28 x 28 pixels: a whole sampling run of 10 steps from the same noise; 100 in
    benchmarks/diffusion.py.
    """
    from diffusion_real import digits

    network = shared / "models/diffusion/andrew_ddpm_unet.onnx"
    found: Mapping[str, np.ndarray] = digits(gpu, network, 10)
    assert np.isfinite(found["wgpu"]).all() and found["wgpu"].std() > 0.1
    scale = np.abs(found["onnxruntime"]).max()
    assert np.abs(found["wgpu"] - found["onnxruntime"]).max() <= 1e-3 * scale
