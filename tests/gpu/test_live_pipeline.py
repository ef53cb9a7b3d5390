"""The live stage Diffusion with a pipeline's folder, beside `lightloom generate` on the same folder, picture,
seed and prompt.

The two share the folder's reader and the schedulers' coefficients and nothing of how they run: `generate` has
its steps in NumPy on ONNX Runtime, the stage in latents.wgsl. Samples lie within 1e-4 of the largest value; 2
codes of 255 hold the 8 bits of the saved picture, its dither and rgba16float.
"""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import tiny_pipeline as tiny
from test_pipeline import rgba_frame
from test_stages_network import picture8, until
from waiting import LIMIT_S

from desktop.base.errors import ExportError, ModelUnsupportedError
from desktop.pipeline.chain.spec import chain_of
from desktop.pipeline.running.repaint.latent_network import load_latents
from desktop.pipeline.running.repaint.latents_gpu import GpuLatents
from desktop.pipeline.setup.bundle import save_bundle
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.pipeline.setup.setup import Setup
from desktop.vision.diffusion import prompts
from desktop.vision.diffusion.folder import read_folder
from desktop.vision.diffusion.live import LiveFolder, LiveSettings
from desktop.vision.diffusion.memory import check_memory_together, needs_of
from desktop.vision.diffusion.pictures import to_coder
from desktop.vision.diffusion.pipeline import Pipeline as Generator
from desktop.vision.diffusion.prompts import Blend
from desktop.vision.diffusion.running import Context
from desktop.vision.tasks.common.dense import DenseRequest

pytest.importorskip("tokenizers")

BACKENDS = ("wgpu", "onnxruntime")
STAGE = "diffusion"
SIZE = (128, 64)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny.write_pipeline(tmp_path / "pipe")


def scheduled(folder: Path, name: str, **more: object) -> Path:
    """Give a folder another scheduler."""
    said = {"_class_name": name, "beta_schedule": "scaled_linear", "beta_start": 0.00085, "beta_end": 0.012}
    tiny.write_json(folder / "scheduler/scheduler_config.json", {**said, **more})
    return folder


def expected(folder: Path, picture: np.ndarray, steps: int, **said: object) -> tuple[np.ndarray, np.ndarray]:
    """What `generate` makes on ONNX Runtime: the last sample, and the picture (H, W, 3) in 0..255."""
    settings = LiveSettings(prompt="a cat", steps=steps).updated(said)
    read = read_folder(folder)
    guided = "usual" if settings.guidance == 0 else "more" if settings.guidance > 1 else "none"
    size = (picture.shape[1], picture.shape[0])
    plan = LiveFolder(read, size, guided).plan(settings)
    samples: list[np.ndarray] = []
    made = Generator(read, Context(gpu=None, backend="onnxruntime", cache=None)).generate(
        plan, picture[..., :3], lambda _, sample: samples.append(sample)
    )
    return samples[-1], made.pixels.astype(int)


def chain(library, folder: Path, **values):
    plain = {"model": str(folder), "prompt": "a cat", "similarity": 0.0, "size": 512, "blend": 0.0}
    return chain_of(library, [(STAGE, {**plain, **values})])


def show(pipeline, picture: np.ndarray, pts: float = 0.0) -> np.ndarray:
    pipeline.render(rgba_frame(picture, pts))
    (status,) = pipeline.chain.statuses
    assert status.state == "running", status.message
    return pipeline.export().result()[..., :3].astype(int)


SCHEDULERS = {
    "euler": ("EulerDiscreteScheduler", {"timestep_spacing": "trailing"}),
    "ancestral": ("EulerAncestralDiscreteScheduler", {"timestep_spacing": "trailing"}),
    "ddim": ("DDIMScheduler", {"clip_sample": True}),
    "dpm": ("DPMSolverMultistepScheduler", {}),
    "lcm": ("LCMScheduler", {}),
    "pndm": ("PNDMScheduler", {"skip_prk_steps": True, "steps_offset": 1}),
}


@pytest.mark.parametrize("name", SCHEDULERS)
@pytest.mark.parametrize(("steps", "strength", "guidance"), [(1, 1.0, 0.0), (2, 0.6, 3.0), (4, 0.35, 1.0)])
def test_samples_are_those_of_generate(gpu, folder, name, steps, strength, guidance):
    """Encoder, noise, steps and guidance on the GPU."""
    scheduled(folder, SCHEDULERS[name][0], **SCHEDULERS[name][1])
    picture = picture8(*SIZE)
    said = {"prompt": "a cat", "negative": "b", "strength": strength, "guidance": guidance, "seed": 5}
    values = {**said, "steps": steps}
    mode = "usual" if guidance == 0 else "more" if guidance > 1 else "none"
    request = DenseRequest("repainted", size=512, guidance=mode)
    network = load_latents(gpu, str(folder), SIZE, request, values, backend="wgpu")
    try:
        session = network.session
        assert isinstance(session, GpuLatents)
        session.run({"picture": to_coder(picture[..., :3], signed=True)})
        tensor = session.sample
        found = np.frombuffer(gpu.queue.read_buffer(tensor.buffer), np.float32).reshape(tensor.shape)
    finally:
        network.close()
    wanted, _ = expected(folder, picture, steps, **said)
    assert found.shape == wanted.shape == (1, 4, SIZE[1] // 8, SIZE[0] // 8)
    assert np.abs(found - wanted).max() <= 1e-4 * np.abs(wanted).max()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("steps", "strength"), [(1, 1.0), (2, 0.6), (4, 0.3)])
def test_the_stage_shows_the_picture_of_generate(pipeline, library, folder, backend, steps, strength):
    picture = picture8(*SIZE)
    values = {"negative": "b", "steps": steps, "strength": strength, "guidance": 2.5, "seed": 3}
    pipeline.set_chain(chain(library, folder, backend=backend, **values))
    found = show(pipeline, picture)
    _, wanted = expected(folder, picture, **values)
    assert wanted.std() > 5 and np.abs(found - wanted).max() <= 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_folder_for_one_sample_and_a_coder_within_0_and_1(pipeline, library, folder, backend):
    """The UNet runs once for each prompt; TAESD's own modules take and give 0..1."""
    tiny.write_unet(folder / "unet/model.onnx", batch=1)
    (folder / "vae_decoder").rename(folder / "taesd_decoder")
    (folder / "vae_encoder").rename(folder / "taesd_encoder")
    picture, values = picture8(*SIZE), {"negative": "b", "steps": 2, "guidance": 4.0}
    pipeline.set_chain(chain(library, folder, backend=backend, **values))
    _, wanted = expected(folder, picture, **values)
    assert np.abs(show(pipeline, picture) - wanted).max() <= 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_lcm_is_told_its_guidance(pipeline, library, folder, backend):
    tiny.write_unet(folder / "unet/model.onnx", condition=6)
    scheduled(folder, "LCMScheduler")
    picture, values = picture8(*SIZE), {"steps": 3, "guidance": 7.0}
    pipeline.set_chain(chain(library, folder, backend=backend, **values))
    _, wanted = expected(folder, picture, **values)
    assert np.abs(show(pipeline, picture) - wanted).max() <= 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_steady_noise_prompts_and_similar_pictures(pipeline, library, folder, backend):
    picture = picture8(*SIZE)
    brighter = np.minimum(picture.astype(int) + 6, 255).astype(np.uint8)
    said: dict[str, object] = {"backend": backend, "steps": 2, "strength": 0.7, "similarity": 0.05}
    pipeline.set_chain(chain(library, folder, **said))
    first = show(pipeline, picture, 0.0)
    assert np.abs(show(pipeline, brighter, 1.0) - first).max() <= 1  # the saved picture's dither
    # Neither is another prompt, nor strength, put off by a picture that is like the last.
    for more in ({"prompt": "b"}, {"strength": 0.4}, {"seed": 2}):
        said |= more
        pipeline.set_chain(chain(library, folder, **said))
        wanted = expected(folder, brighter, **{k: v for k, v in said.items() if k in vars(LiveSettings())})[1]
        assert np.abs(show(pipeline, brighter, 1.0 + len(said)) - wanted).max() <= 2
    said |= {"steady": False, "similarity": 0.0}
    pipeline.set_chain(chain(library, folder, **said))
    boiling = [show(pipeline, picture, float(pts)) for pts in (20, 21)]
    assert np.abs(boiling[0] - boiling[1]).mean() > 3


@pytest.mark.parametrize("backend", BACKENDS)
def test_without_strength_the_picture_comes_back(pipeline, library, folder, backend):
    picture = picture8(*SIZE)
    pipeline.set_chain(chain(library, folder, backend=backend, strength=0.0))
    assert np.abs(show(pipeline, picture) - picture[..., :3]).max() <= 1


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (129, 67)])
def test_sizes_that_nobody_films_in(pipeline, library, folder, size):
    pipeline.set_chain(chain(library, folder, size=128))
    assert show(pipeline, picture8(*size)).shape[:2] == (size[1], size[0])


def test_a_folder_of_one_size_is_filled(pipeline, library, folder):
    tiny.write_unet(folder / "unet/model.onnx", side=8)
    pipeline.set_chain(chain(library, folder, backend="wgpu"))
    picture = picture8(64, 64)
    assert np.abs(show(pipeline, picture) - expected(folder, picture, 2)[1]).max() <= 2
    assert show(pipeline, picture8(200, 100), 1.0).shape[:2] == (100, 200)


@pytest.mark.parametrize("backend", BACKENDS)
def test_live_in_slices_and_on_a_thread_another_prompt_is_blended_in(unhurried, library, folder, backend):
    live, picture = unhurried, picture8(*SIZE)
    said = {"strength": 0.8, "steps": 2}
    live.set_chain(chain(library, folder, backend=backend, **said))
    # Of a recorded one some dispatches a frame, however slow a busy machine draws.
    live.network_budget_ms = 0.2

    def is_shown(wanted: np.ndarray) -> bool:
        live.drain()
        return bool(np.abs(live.export().result()[..., :3] - wanted).max() <= 2)

    until(live, picture, lambda: live.chain.statuses[0].state == "running")
    before = expected(folder, picture, **said)[1]
    until(live, picture, lambda: is_shown(before))
    report = live.chain.statuses[0].network
    assert report is not None and report.name == "pipe" and report.is_asynchronous
    live.set_chain(chain(library, folder, backend=backend, prompt="b t a", blend=0.2, **said))
    after = expected(folder, picture, prompt="b t a", **said)[1]
    assert np.abs(after - before).max() > 8
    until(live, picture, lambda: is_shown(after))


def test_a_still_is_looked_at_until_the_prompt_has_come(live, library, folder):
    """The same picture, of one time: what is on its way asks for another look, and ends."""
    picture = picture8(*SIZE)
    live.network_budget_ms = 1000.0
    live.set_chain(chain(library, folder, backend="wgpu", similarity=0.02))
    end = time.perf_counter() + LIMIT_S

    def draws_until(wanted: np.ndarray) -> None:
        found = np.zeros(1)
        while found.size == 1 or np.abs(found - wanted).max() > 2:
            assert time.perf_counter() < end
            live.render(rgba_frame(picture, 1e6))
            live.drain()
            found = live.export().result()[..., :3].astype(int)

    draws_until(expected(folder, picture, 2)[1])
    live.set_chain(chain(library, folder, backend="wgpu", similarity=0.02, prompt="b t", blend=0.3))
    draws_until(expected(folder, picture, 2, prompt="b t")[1])


def test_embeddings_go_in_a_straight_line():
    rng = np.random.default_rng(0)
    first, second, third = rng.standard_normal((3, 2, 5, 4)).astype(np.float32)
    blend = Blend(first, first).turned(second, 10.0, 2.0)
    np.testing.assert_array_equal(blend.at(10.0), first)
    np.testing.assert_allclose(blend.at(10.5), 0.75 * first + 0.25 * second, atol=1e-6)
    np.testing.assert_array_equal(blend.at(12.0), second)
    # Another prompt on the way begins where that is.
    turned = blend.turned(third, 11.0, 1.0)
    np.testing.assert_allclose(turned.at(11.5), 0.25 * (first + second) + 0.5 * third, atol=1e-6)
    assert turned.is_moving(11.9) and not turned.is_moving(12.0)
    np.testing.assert_array_equal(blend.turned(third, 11.0, 0.0).at(11.0), third)


@pytest.mark.parametrize("strength", [0.0, 0.02, 0.1, 0.33, 0.5, 0.66, 0.9, 0.999, 1.0])
@pytest.mark.parametrize("name", SCHEDULERS)
def test_every_strength_takes_as_many_steps(folder, name, strength):
    """The GPU's dispatches are planned once."""
    scheduled(folder, SCHEDULERS[name][0], **SCHEDULERS[name][1])
    for steps in (1, 2, 3, 4):
        live = LiveFolder(read_folder(folder), (64, 64), "usual")
        plan = live.plan(LiveSettings(steps=steps, strength=strength))
        assert len(plan.trajectory.steps) == steps + (name == "pndm")
        assert plan == replace(
            plan, trajectory=live.plan(LiveSettings(steps=steps, strength=strength)).trajectory
        )


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ("unet/model.onnx", r"pipe has no unet/model\.onnx"),
        ("vae_encoder/model.onnx", r"has no vae_encoder/model\.onnx, which changing an image needs"),
        ("tokenizer/vocab.json", r"has no tokenizer/vocab\.json"),
        ("text_encoder/model.onnx", r"pipe has no text_encoder/model\.onnx"),
    ],
)
def test_what_a_folder_lacks_is_told(pipeline, library, folder, lost, said):
    (folder / lost).unlink()
    pipeline.set_chain(chain(library, folder))
    pipeline.render(rgba_frame(picture8(32, 24)))
    (status,) = pipeline.chain.statuses
    assert status.state == "failed"
    assert re.search(said, status.message), status.message


def test_a_preset_names_the_folder_and_a_preset_in_one_file_says_that_it_does_not_go_in(
    library, folder, tmp_path
):
    setup = Setup(chain(library, folder))
    save_preset(setup, library, tmp_path / "look.toml")
    loaded = load_preset(tmp_path / "look.toml", library)
    assert loaded.setup == setup and loaded.warnings == ()
    with pytest.raises(
        ExportError, match=r"needs the folder .*pipe, which does not go into one file; save it as \.toml"
    ):
        save_bundle(setup, library, tmp_path / "look.lightloom")
    assert not (tmp_path / "look.lightloom").exists()
    (folder / "model_index.json").unlink()
    (warning,) = load_preset(tmp_path / "look.toml", library).warnings
    assert "is not there" in warning


def test_networks_that_do_not_fit_together_are_refused_before_they_are_read(folder):
    read = read_folder(folder)
    plan = LiveFolder(read, (128, 64), "usual").plan(LiveSettings(steps=2))
    context = Context(gpu=None, backend="onnxruntime", cache=None)
    needs = needs_of(read, plan)
    together = sum(need.device for need in needs if need.part is not read.text_encoder)
    check_memory_together(read, plan, context, together)
    with pytest.raises(
        ModelUnsupportedError, match=r"^0\.1 GiB of memory are missing for pipe: its networks together"
    ):
        check_memory_together(read, plan, context, together - 1)


def test_another_prompt_that_cannot_be_read_switches_the_stage_off_with_a_sentence(
    live, library, folder, monkeypatch
):
    picture = picture8(*SIZE)
    live.set_chain(chain(library, folder))
    until(live, picture, lambda: live.chain.statuses[0].state == "running" and live.chain.statuses[0].network)

    def broken(*_: object) -> None:
        raise RuntimeError("out of memory.\nat 7")

    monkeypatch.setattr(prompts, "embed", broken)
    live.set_chain(chain(library, folder, prompt="b"))
    until(live, picture, lambda: live.chain.statuses[0].state == "failed")
    assert live.chain.statuses[0].message == (
        "Diffusion was switched off: The text encoder of pipe did not read the prompt (out of memory); choose another prompt or folder."
    )


def test_a_set_of_networks_that_is_replaced_leaves_the_device(live, library, folder, monkeypatch):
    closed: list[GpuLatents] = []
    close = GpuLatents.close

    def counted(self: GpuLatents) -> None:
        closed.append(self)
        close(self)

    monkeypatch.setattr(GpuLatents, "close", counted)
    picture = picture8(*SIZE)
    live.set_chain(chain(library, folder, backend="wgpu", guidance=1.0))
    until(live, picture, lambda: live.chain.statuses[0].state == "running" and live.chain.statuses[0].network)
    live.set_chain(chain(library, folder, backend="wgpu", guidance=3.0))
    until(live, picture, lambda: len(closed) == 1)


@pytest.mark.parametrize("backend", BACKENDS)
def test_another_number_of_steps_is_taken_by_the_networks_that_are_there(
    pipeline, library, folder, monkeypatch, loads, backend
):
    """Each count gives what `generate` does with it, whichever came before; buffers grow with the largest
    count alone.
    """
    made, buffer = [], pipeline.gpu.buffer

    def counted(size, *more, **named):
        made.append(size)
        return buffer(size, *more, **named)

    scheduled(folder, "EulerAncestralDiscreteScheduler", timestep_spacing="trailing")
    picture = picture8(*SIZE)
    for number, steps in enumerate((2, 4, 1, 4, 3)):
        pipeline.set_chain(chain(library, folder, backend=backend, steps=steps, strength=0.6))
        found = show(pipeline, picture, float(number))
        if number == 1:  # more than ever after
            monkeypatch.setattr(pipeline.gpu, "buffer", counted)
        _, wanted = expected(folder, picture, steps, strength=0.6)
        assert np.abs(found - wanted).max() <= 2, steps
    assert len(loads) == 1
    assert not [size for size in made if size >= 4 * 4 * SIZE[0] // 8 * SIZE[1] // 8]


def test_another_number_of_steps_between_two_slices(in_slices, library, folder):
    """What is left of the picture that was begun is left out: its dispatches are not those of the other
    count.
    """
    live, picture = in_slices, picture8(*SIZE)
    for number, steps in enumerate((4, 1, 3)):
        live.set_chain(chain(library, folder, backend="wgpu", steps=steps))
        until(
            live,
            picture,
            lambda: live.chain.statuses[0].state == "running" and live.chain.statuses[0].network,
        )
        for _ in range(7):
            live.render(rgba_frame(picture, 100.0 + number))
    live.network_budget_ms = 1000.0
    _, wanted = expected(folder, picture, 3)

    def is_shown() -> bool:
        live.drain()
        return bool(np.abs(live.export().result()[..., :3].astype(int) - wanted).max() <= 2)

    until(live, picture, is_shown)
