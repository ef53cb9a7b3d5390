"""A pipeline's folder: what is read of it, what it is refused for in one sentence, what is planned, and its
words.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import tiny_pipeline as tiny
import windows_marks

from desktop.base.errors import ModelError, ModelInvalidError, ModelUnsupportedError, UsageError
from desktop.compute.nn.session import TensorInfo
from desktop.vision.diffusion.contents import check_contents
from desktop.vision.diffusion.denoiser import denoiser_shapes, guidance_condition
from desktop.vision.diffusion.document import Document
from desktop.vision.diffusion.folder import read_folder
from desktop.vision.diffusion.noise import Noise
from desktop.vision.diffusion.pictures import fitted, from_coder, to_coder
from desktop.vision.diffusion.plan import Wish, make_plan
from desktop.vision.diffusion.text import tokenizer_of
from desktop.vision.diffusion.tokens import read_tokenizer


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny.write_pipeline(tmp_path / "pipe")


def test_a_folder_says_what_it_is(folder: Path) -> None:
    found = read_folder(folder)
    assert (found.latent_channels, found.factor, found.usual_side, found.text_width) == (4, 8, 64, tiny.WIDTH)
    assert found.decoder.scaling == 0.18215 and found.decoder.signed
    assert found.encoder is not None and found.tiny_decoder is None
    assert found.scheduler()[0].name == "euler"
    assert found.scheduler("ddim")[1].beta_schedule == "scaled_linear"


def test_a_tiny_autoencoder_has_its_own_scaling(folder: Path) -> None:
    tiny.write_decoder(folder / "taesd_decoder.onnx")
    found = read_folder(folder)
    assert (
        found.tiny_decoder is not None and not found.tiny_decoder.signed and found.tiny_decoder.scaling == 1
    )
    shutil.rmtree(folder / "vae_decoder")
    assert read_folder(folder).decoder == found.tiny_decoder
    tiny.write_decoder(folder / "vae_decoder/model.onnx")
    tiny.write_json(
        folder / "vae_decoder/config.json", {"_class_name": "AutoencoderTiny", "scaling_factor": 1.0}
    )
    instead = read_folder(folder).decoder
    assert instead.signed and instead.scaling == 1


def _cut(path: Path, share: float = 0.5) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])


def _set(path: str, **values: Any) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        file = folder / path
        known = json.loads(file.read_text()) if file.exists() else {}
        tiny.write_json(file, {**known, **values})

    return change


def _text(path: str, text: str) -> Callable[[Path], None]:
    return lambda folder: (folder / path).write_text(text) and None


BROKEN: dict[str, tuple[Callable[[Path], Any], str]] = {
    "no index": (lambda f: (f / "model_index.json").unlink(), "pipe has no model_index.json"),
    "no unet": (lambda f: shutil.rmtree(f / "unet"), "pipe has no unet/model.onnx"),
    "no text encoder": (lambda f: shutil.rmtree(f / "text_encoder"), "pipe has no text_encoder/model.onnx"),
    "no decoder": (lambda f: shutil.rmtree(f / "vae_decoder"), "pipe has no vae_decoder/model.onnx"),
    "no scheduler": (
        lambda f: shutil.rmtree(f / "scheduler"),
        "scheduler/scheduler_config.json cannot be read",
    ),
    "no weights": (
        lambda f: (f / "unet/model.onnx_data").unlink(),
        r"^unet/model\.onnx: .* which is missing",
    ),
    "weights cut off": (
        lambda f: _cut(f / "unet/model.onnx_data"),
        r"^unet/model\.onnx: .* does not fit the file",
    ),
    "network cut off": (
        lambda f: _cut(f / "vae_decoder/model.onnx"),
        r"^vae_decoder/model\.onnx: .*(not a readable|not a valid) ONNX",
    ),
    "empty network": (_text("unet/model.onnx", ""), r"^unet/model\.onnx: "),
    "no JSON": (_text("model_index.json", "{"), "pipe/model_index.json is not valid JSON"),
    "deep JSON": (_text("model_index.json", "[" * 200_000), "not valid JSON"),
    "a list": (_text("model_index.json", "[]"), "is not a JSON object"),
    "large JSON": (_text("model_index.json", " " * (1 << 21)), "it is larger than 1 MiB"),
    "no text": (lambda f: (f / "model_index.json").write_bytes(b"\xff\xfe\xff"), "not valid JSON"),
    "endless digits": (
        _text("scheduler/scheduler_config.json", '{"_class_name": ' + "9" * 5000 + "}"),
        "not valid JSON",
    ),
    "SDXL": (
        _set("model_index.json", _class_name="StableDiffusionXLPipeline"),
        "is a StableDiffusionXLPipeline; what runs",
    ),
    "class is no text": (_set("model_index.json", _class_name=[1]), r"says _class_name = \[\.\.\.\]"),
    "width": (
        lambda f: tiny.write_unet(f / "unet/model.onnx", width=12),
        "gives embeddings of 8 numbers and its UNet takes 12",
    ),
    "channels": (
        lambda f: tiny.write_unet(f / "unet/model.onnx", channels=9),
        "takes 9 latent channels and vae_decoder",
    ),
    "encoder's channels": (
        lambda f: tiny.write_encoder(f / "vae_encoder/model.onnx", 6),
        "takes 4 latent channels and vae_encoder",
    ),
    "unknown input": (
        lambda f: tiny.write_unet(f / "unet/model.onnx", more=("time_ids",)),
        "takes 'time_ids'",
    ),
    "scaling": (_set("vae_decoder/config.json", scaling_factor=0), "says scaling_factor = 0"),
    "scaling is no number": (
        _set("vae_decoder/config.json", scaling_factor=float("nan")),
        "says scaling_factor",
    ),
    "huge size": (
        _set("unet/config.json", sample_size=10**300),
        "says sample_size = a number of more than 64 bits",
    ),
    "no coder's JSON": (_text("vae_encoder/config.json", "{"), r"^vae_encoder/config\.json is not valid"),
    "levels": (_set("vae_decoder/config.json", block_out_channels=[1] * 70), "says block_out_channels"),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_folder_is_one_sentence(folder: Path, how: str) -> None:
    change, words = BROKEN[how]
    change(folder)
    with pytest.raises(ModelError, match=words) as caught:
        read_folder(folder)
    assert "\n" not in str(caught.value)


MISSING = ("no index", "no unet", "no text encoder", "no decoder", "no scheduler", "no JSON", "SDXL")


@pytest.mark.parametrize("how", MISSING)
def test_what_is_missing_is_told_without_reading_a_network(folder: Path, how: str) -> None:
    BROKEN[how][0](folder)
    for path in folder.rglob("*.onnx*"):
        path.write_bytes(b"")  # whoever reads it says so
    with pytest.raises(ModelError, match=BROKEN[how][1]) as cheap:
        check_contents(folder)
    with pytest.raises(ModelError) as whole:
        read_folder(folder)
    assert str(cheap.value) == str(whole.value)


def test_the_contents_of_a_folder_are_looked_at_before_its_networks(folder: Path) -> None:
    for path in folder.rglob("*.onnx*"):
        path.write_bytes(b"")
    check_contents(folder, repaints=True)
    shutil.rmtree(folder / "vae_encoder")
    check_contents(folder)
    with pytest.raises(ModelUnsupportedError, match=r"pipe has no vae_encoder/model\.onnx, which changing"):
        check_contents(folder, repaints=True)
    for name in ("taesd_encoder.onnx", "taesd_decoder.onnx"):
        (folder / name).touch()
    shutil.rmtree(folder / "vae_decoder")
    check_contents(folder, repaints=True)
    (folder / "tokenizer" / "merges.txt").unlink()
    with pytest.raises(ModelInvalidError, match=r"pipe has no tokenizer/vocab\.json with merges\.txt"):
        check_contents(folder)
    (folder / "tokenizer" / "tokenizer.json").touch()
    check_contents(folder)


def test_a_folder_that_may_not_be_looked_into_is_one_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "is_dir", refuse)
    with pytest.raises(
        ModelInvalidError, match=r"The folder pipe can't be read \(.*\): check its permissions"
    ):
        check_contents(folder)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "x.onnx").write_bytes(b"")
    with pytest.raises(ModelInvalidError, match="is no folder"):
        read_folder(tmp_path / "x.onnx")


def test_a_folder_has_a_name_wherever_it_is_named_from(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert read_folder(Path()).name == folder.name
    assert read_folder(Path("unet/..")).name == folder.name
    (folder / "model_index.json").unlink()
    with pytest.raises(ModelInvalidError, match=f"^{folder.name} has no model_index.json"):
        read_folder(Path())


@windows_marks.links
def test_weights_outside_of_the_folder_are_not_read(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes((folder / "unet/model.onnx_data").read_bytes())
    (folder / "unet/model.onnx_data").unlink()
    (folder / "unet/model.onnx_data").symlink_to(secret)
    with pytest.raises(ModelInvalidError, match="lies outside the model's folder"):
        read_folder(folder)


def test_a_scheduler_that_is_not_here_is_named_with_those_that_are(folder: Path) -> None:
    _set("scheduler/scheduler_config.json", _class_name="HeunDiscreteScheduler")(folder)
    found = read_folder(folder)
    with pytest.raises(
        ModelUnsupportedError,
        match=r"HeunDiscreteScheduler, does not run here; .*ddim, dpm-solver\+\+, euler,.*pndm",
    ):
        found.scheduler()
    assert found.scheduler("ddim")[0].name == "ddim"
    with pytest.raises(UsageError, match="no scheduler 'heun'; choose ddim"):
        found.scheduler("heun")


# -- plans ---------------------------------------------------------------------------------------------------


def test_what_is_usual_is_planned(folder: Path) -> None:
    plan = make_plan(read_folder(folder), Wish(prompt="a cat"))
    assert plan.prompts == ("", "a cat") and plan.guidance == 7.5 and plan.batch == 2
    assert plan.latents == (1, 4, 8, 8) and (plan.width, plan.height) == (64, 64)
    assert len(plan.trajectory.steps) == 25 and plan.encoder is None


def test_a_distilled_pipeline_takes_one_step_without_guidance(folder: Path) -> None:
    _set("scheduler/scheduler_config.json", timestep_spacing="trailing")(folder)
    plan = make_plan(read_folder(folder), Wish(prompt="a"))
    assert plan.prompts == ("a",) and plan.guidance == 1 and len(plan.trajectory.steps) == 1
    changed = make_plan(read_folder(folder), Wish(prompt="a", picture=(640, 480)))
    assert len(changed.trajectory.steps) == 1 and changed.encoder is not None


def test_an_lcm_is_told_its_guidance(folder: Path) -> None:
    tiny.write_unet(folder / "unet/model.onnx", condition=32)
    plan = make_plan(read_folder(folder), Wish(prompt="a", scheduler="lcm", guidance=3))
    assert plan.batch == 1 and plan.embedded_guidance == 3 and len(plan.trajectory.steps) == 4


def test_a_picture_keeps_its_shape(folder: Path) -> None:
    _set("unet/config.json", sample_size=64)(folder)
    plan = make_plan(read_folder(folder), Wish(prompt="a", picture=(1920, 1080), strength=0.5, steps=20))
    assert (plan.width, plan.height) == (704, 384) and len(plan.trajectory.steps) == 10


WRONG: dict[str, tuple[Wish, str]] = {
    "size": (Wish(prompt="a", size=(100, 64)), "multiples of 64 up to 2048"),
    "large": (Wish(prompt="a", size=(64, 4096)), "multiples of 64 up to 2048"),
    "guidance": (Wish(prompt="a", guidance=1e5), "choose 0 to 100"),
    "guidance is no number": (Wish(prompt="a", guidance=float("nan")), "choose 0 to 100"),
    "steps": (Wish(prompt="a", steps=0), "choose 1 to 1000"),
    "seed": (Wish(prompt="a", seed=-1), "The seed -1 is none"),
    "strength": (Wish(prompt="a", picture=(64, 64), strength=1.5), "more than 0 and at most 1"),
    "strength of none": (Wish(prompt="a", picture=(64, 64), strength=0.0), "more than 0 and at most 1"),
    "strength without picture": (Wish(prompt="a", strength=0.5), "without an image"),
    "no steps left": (Wish(prompt="a", picture=(64, 64), strength=0.01, steps=5), "leaves none of 5 steps"),
    "hardly a strength": (
        Wish(prompt="a", picture=(64, 64), strength=5e-324),
        "leaves none of 1000 steps; choose a strength of 0.001",
    ),
    "no taesd": (Wish(prompt="a", tiny=True), "pipe has no taesd_decoder"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wish_that_cannot_be_is_one_sentence(folder: Path, what: str) -> None:
    wish, words = WRONG[what]
    with pytest.raises((UsageError, ModelUnsupportedError), match=words):
        make_plan(read_folder(folder), wish)


def test_a_fixed_size_and_a_missing_encoder_are_said(folder: Path) -> None:
    tiny.write_unet(folder / "unet/model.onnx", side=16)
    shutil.rmtree(folder / "vae_encoder")
    found = read_folder(folder)
    assert make_plan(found, Wish(prompt="a")).width == 128
    with pytest.raises(ModelUnsupportedError, match="exported for images of 128 x 128 pixels alone"):
        make_plan(found, Wish(prompt="a", size=(64, 64)))
    with pytest.raises(ModelUnsupportedError, match=r"has no vae_encoder/model\.onnx"):
        make_plan(found, Wish(prompt="a", picture=(64, 64)))


def test_a_fixed_size_beyond_all_memory_is_refused(folder: Path) -> None:
    tiny.write_unet(folder / "unet/model.onnx", side=100_000)
    with pytest.raises(ModelUnsupportedError, match="800000 x 800000 pixels alone; at most 2048"):
        make_plan(read_folder(folder), Wish(prompt="a"))


def test_channels_beyond_all_memory_are_refused(folder: Path) -> None:
    unet = folder / "unet/model.onnx"
    model = onnx.load(unet, load_external_data=False)
    sample = next(value for value in model.graph.input if value.name == "sample")
    sample.type.tensor_type.shape.dim[1].dim_value = 1_000_000_000
    onnx.save(model, unet)
    with pytest.raises(ModelUnsupportedError, match="samples of 1000000000 channels; at most 128"):
        read_folder(folder)


@pytest.mark.parametrize(
    "port, shape, said",
    [
        ("timestep", (100_000, 100_000), r"takes \[100000, 100000\] timesteps"),
        ("timestep_cond", (2, 10_000_000_000), "takes 10000000000 numbers of the guidance"),
    ],
)
def test_inputs_beyond_all_memory_are_refused(
    folder: Path, port: str, shape: tuple[int, ...], said: str
) -> None:
    part = read_folder(folder).unet
    others = tuple(each for each in part.inputs if each.name != port)
    hostile = replace(part, inputs=(*others, TensorInfo(port, shape, "float32")))
    with pytest.raises(ModelUnsupportedError, match=said):
        denoiser_shapes(hostile, (2, 4, 8, 8), (2, 77, 8))


def test_noise_is_that_of_its_seed() -> None:
    first, again, other = Noise(7), Noise(7), Noise(8)
    a = first.draw((1, 4, 8, 8))
    np.testing.assert_array_equal(a, again.draw((1, 4, 8, 8)))
    assert a.dtype == np.float32 and not np.array_equal(a, other.draw((1, 4, 8, 8)))
    assert not np.array_equal(a, first.draw((1, 4, 8, 8)))


def test_guidance_is_told_as_sines_and_cosines() -> None:
    row = guidance_condition(8.5, 256, 2)
    assert row.shape == (2, 256)
    assert row[0, 0] == pytest.approx(np.sin(7500.0)) and row[0, 128] == pytest.approx(np.cos(7500.0))
    assert row[0, 127] == pytest.approx(np.sin(7500.0 / 10000), abs=1e-6)


def test_pictures_go_in_and_out_of_a_coder() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (10, 12, 3), np.uint8)
    for signed in (True, False):
        np.testing.assert_array_equal(from_coder(to_coder(pixels, signed=signed), signed=signed), pixels)
    assert from_coder(np.full((1, 3, 1, 1), np.nan, np.float32), signed=True).tolist() == [[[0, 0, 0]]]


def test_a_picture_is_cut_to_the_shape_that_is_wanted() -> None:
    pixels = np.zeros((100, 300, 3), np.uint8)
    pixels[:, 100:200] = 200
    assert fitted(pixels, 64, 64).min() == 200
    assert fitted(pixels, 64, 64).shape == (64, 64, 3)


# -- words ---------------------------------------------------------------------------------------------------

tokenizers = pytest.importorskip("tokenizers")


def test_words_become_tokens_and_the_rest_is_said(folder: Path) -> None:
    tokens = tokenizer_of(read_folder(folder)).encode("A  CAT!")
    names = [*tiny.WORDS, "<start>", "<end>"]
    assert [names[i] for i in tokens.ids[:6]] == ["<start>", "a</w>", "cat</w>", "!</w>", "<end>", "<end>"]
    assert len(tokens.ids) == tiny.LENGTH and tokens.dropped == ""
    long = tokenizer_of(read_folder(folder)).encode("cat " * 75 + "a b c")
    assert long.dropped == "a b c" and names[long.ids[-1]] == "<end>"


def test_a_tokenizer_json_is_read_for_its_vocabulary_alone(folder: Path) -> None:
    before = tokenizer_of(read_folder(folder)).encode("a cat").ids
    place = folder / "tokenizer"
    words = json.loads((place / "vocab.json").read_text())
    tiny.write_json(
        place / "tokenizer.json",
        {
            "model": {"type": "BPE", "vocab": words, "merges": [["c", "a"], "ca t</w>"]},
            "normalizer": {"type": "What"},
        },
    )
    (place / "vocab.json").unlink()
    np.testing.assert_array_equal(tokenizer_of(read_folder(folder)).encode("a cat").ids, before)


def test_another_pad_fills_up(folder: Path) -> None:
    tiny.write_json(folder / "tokenizer/tokenizer_config.json", {"pad_token": {"content": "!"}})
    assert read_tokenizer(folder / "tokenizer").encode("a").ids[-1] == tiny.WORDS.index("!")


BAD_WORDS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "missing": (lambda t: (t / "vocab.json").unlink(), "has no tokenizer/vocab.json with merges.txt"),
    "no JSON": (lambda t: (t / "vocab.json").write_text("{"), "vocab.json is not valid JSON"),
    "a list": (lambda t: (t / "vocab.json").write_text("[]"), "vocab.json is not a JSON object"),
    "empty": (lambda t: (t / "vocab.json").write_text("{}"), "its vocabulary is none"),
    "no numbers": (lambda t: (t / "vocab.json").write_text('{"a": "b", "c": 1}'), "its vocabulary is none"),
    "huge number": (
        lambda t: (t / "vocab.json").write_text('{"a": 1000000000000, "c": 1}'),
        "its vocabulary is none",
    ),
    "no end": (
        lambda t: (t / "vocab.json").write_text('{"c": 0, "a": 1, "ca": 2, "t</w>": 3, "cat</w>": 4}'),
        "lacks '<.start",
    ),
    "a merge of three": (lambda t: (t / "merges.txt").write_text("a b c\n"), "its merges are none"),
    "a merge of nothing known": (
        lambda t: (t / "merges.txt").write_text("x y\n"),
        "a merge makes what its vocabulary lacks",
    ),
    "no text": (lambda t: (t / "merges.txt").write_bytes(b"\xff\xff"), "merges.txt is no text"),
    "half a pair of surrogates": (
        lambda t: (t / "vocab.json").write_text('{"a": 0, "\\ud800": 1}'),
        "its vocabulary is none",
    ),
    "pad": (lambda t: tiny.write_json(t / "tokenizer_config.json", {"pad_token": "?"}), r"lacks '\?'"),
}


@pytest.mark.parametrize("how", BAD_WORDS)
def test_a_broken_tokenizer_is_one_sentence(folder: Path, how: str) -> None:
    change, words = BAD_WORDS[how]
    change(folder / "tokenizer")
    with pytest.raises(ModelInvalidError, match=words):
        tokenizer_of(read_folder(folder))


def test_more_tokens_than_the_text_encoder_knows_are_refused(folder: Path) -> None:
    tiny.write_json(folder / "text_encoder/config.json", {"vocab_size": 5})
    with pytest.raises(ModelInvalidError, match="it has 14 tokens and the text encoder knows 5"):
        tokenizer_of(read_folder(folder))


@pytest.mark.parametrize(
    "prompt, said", [("cat" * 10_000, "has 30000 characters"), ("a \udcff", r"no text in UTF-8")]
)
def test_a_prompt_that_is_none_is_refused(folder: Path, prompt: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        tokenizer_of(read_folder(folder)).encode(prompt)


def test_values_of_json_are_shown_short() -> None:
    document = Document("x.json", {"a": "b" * 500})
    with pytest.raises(ModelInvalidError) as caught:
        document.number("a", 0, 0, 1)
    assert len(str(caught.value)) < 200
