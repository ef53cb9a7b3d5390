"""Schedulers against diffusers' numbers, which are pinned (tests/diffusion_schedules.py), and the settings
that they are made of.
"""

from __future__ import annotations

import json
import math
from typing import Any

import diffusion_schedules as reference
import numpy as np
import pytest

from desktop.base.errors import ModelInvalidError, ModelUnsupportedError, UsageError
from desktop.vision.diffusion.document import Document
from desktop.vision.diffusion.schedule import ScheduleSettings, noise_levels, read_schedule, signal_squared
from desktop.vision.diffusion.schedulers import scheduler_named, scheduler_names, scheduler_of_class
from desktop.vision.diffusion.trajectory import Past, Trajectory, advance

PINNED: dict[str, Any] = json.loads(reference.PINNED.read_text(encoding="utf-8"))
CASES = list(reference.cases())
RELATIVE = 1e-4
"""Of the largest value of a sample. diffusers computes in float32 what is float64 here; issue 16 allows 1e-3.
"""


def trajectory_of(case: reference.Case) -> Trajectory:
    scheduler = scheduler_of_class(case.scheduler)
    assert scheduler is not None
    document = Document("scheduler/scheduler_config.json", case.config)
    settings = read_schedule(document, scheduler.defaults, clips=scheduler.clips)
    return scheduler.plan(settings, case.steps, case.strength)


def samples_of(case: reference.Case) -> list[np.ndarray]:
    """The first sample and that after each step, with the reference's noise and outputs."""
    trajectory, draw = trajectory_of(case), reference.noise_source(case)
    if case.strength < 1:
        sample = trajectory.from_picture * reference.picture_of(case) + trajectory.from_noise * draw()
    else:
        sample = trajectory.alone * draw()
    samples: list[np.ndarray] = [sample.astype(np.float32)]
    past: Past = ()
    for step in trajectory.steps:
        output = reference.output_of(np.float32(step.input_scale) * samples[-1], step.timestep)
        sample, past = advance(step, samples[-1], output.astype(np.float32), past, draw)
        samples.append(sample)
    return samples


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_step_is_that_of_diffusers(case: reference.Case) -> None:
    pinned = PINNED[case.name]
    # Those of Karras' levels are found by logarithms, which diffusers takes in float32.
    assert [step.timestep for step in trajectory_of(case).steps] == pytest.approx(
        pinned["timesteps"], abs=2e-3
    )
    found = samples_of(case)
    assert len(found) == len(pinned["samples"])
    for sample, numbers in zip(found, pinned["samples"], strict=True):
        wanted = np.array(numbers).reshape(reference.SHAPE)
        assert sample.dtype == np.float32
        assert np.abs(sample - wanted).max() <= RELATIVE * np.abs(wanted).max()


def test_all_schedulers_are_compared() -> None:
    compared = {scheduler_of_class(case.scheduler) for case in CASES}
    assert compared == {scheduler_named(name) for name in scheduler_names()}
    assert set(PINNED) == {case.name for case in CASES}


def test_the_pinned_numbers_are_those_of_diffusers_today() -> None:
    pytest.importorskip("torch")
    pytest.importorskip("diffusers")
    for case in CASES[::9]:
        found = reference.run_diffusers(case)
        assert found["timesteps"] == pytest.approx(PINNED[case.name]["timesteps"], abs=2e-3)
        np.testing.assert_allclose(found["samples"], PINNED[case.name]["samples"], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("schedule", ["linear", "scaled_linear", "squaredcos_cap_v2"])
def test_noise_rises_from_nearly_nothing(schedule: str) -> None:
    settings = ScheduleSettings(beta_schedule=schedule)
    kept, levels = signal_squared(settings), noise_levels(settings)
    assert np.all(np.diff(kept) < 0) and 0.99 < kept[0] < 1
    np.testing.assert_allclose(kept * (1 + levels**2), 1, rtol=1e-12)


@pytest.mark.parametrize(
    "said",
    [
        {"num_train_timesteps": 0},
        {"num_train_timesteps": 10**30},
        {"num_train_timesteps": 1e9},
        {"num_train_timesteps": 10.5},
        {"num_train_timesteps": True},
        {"num_train_timesteps": "1000"},
        {"beta_start": math.nan},
        {"beta_end": math.inf},
        {"beta_end": 1.0},
        {"beta_end": int("9" * 400)},
        {"beta_schedule": "sigmoid"},
        {"beta_schedule": ["linear"]},
        {"prediction_type": "flow_prediction"},
        {"timestep_spacing": "often"},
        {"steps_offset": -1},
        {"steps_offset": 1000},
        {"clip_sample": 1},
        {"clip_sample": True, "clip_sample_range": 0},
        {"solver_order": 3},
        {"original_inference_steps": 2000},
        {"final_sigmas_type": "some"},
    ],
    ids=str,
)
def test_a_number_that_is_none_is_one_sentence(said: dict[str, Any]) -> None:
    with pytest.raises(
        ModelInvalidError, match=f"scheduler_config.json says {list(said)[-1]} = .*; what runs here is "
    ):
        read_schedule(Document("scheduler/scheduler_config.json", said), ScheduleSettings(), clips=True)


@pytest.mark.parametrize(
    "said",
    [
        {"trained_betas": [0.1]},
        {"rescale_betas_zero_snr": True},
        {"thresholding": True},
        {"timestep_type": "continuous"},
        {"algorithm_type": "sde-dpmsolver++"},
        {"beta_start": 0.9, "beta_end": 0.99},
    ],
    ids=str,
)
def test_a_setting_that_is_not_computed_is_refused(said: dict[str, Any]) -> None:
    with pytest.raises(ModelUnsupportedError, match=r"scheduler_config.json .* does not run here"):
        read_schedule(Document("scheduler/scheduler_config.json", said), ScheduleSettings(), clips=True)


@pytest.mark.parametrize("name", scheduler_names())
@pytest.mark.parametrize(("steps", "strength"), [(0, 1.0), (1001, 1.0), (4, 0.01), (1, 0.001)])
def test_steps_that_cannot_be_taken_are_one_sentence(name: str, steps: int, strength: float) -> None:
    scheduler = scheduler_named(name)
    assert scheduler is not None
    with pytest.raises(UsageError, match="steps"):
        scheduler.plan(scheduler.defaults, steps, strength)


def test_an_offset_behind_the_last_timestep_is_one_sentence() -> None:
    settings = ScheduleSettings(spacing="leading", steps_offset=900)
    for name in ("euler", "euler-ancestral", "ddim", "dpm-solver++", "pndm"):
        scheduler = scheduler_named(name)
        assert scheduler is not None
        with pytest.raises(UsageError, match="choose fewer steps"):
            scheduler.plan(settings, 20, 1.0)


def test_every_number_of_steps_gives_finite_numbers() -> None:
    for name in scheduler_names():
        scheduler = scheduler_named(name)
        assert scheduler is not None
        for steps in (1, 2, 3, 15, 50) if name == "lcm" else (1, 2, 3, 15, 50, 999):
            for spacing in ("leading", "linspace", "trailing"):
                settings = ScheduleSettings(spacing=spacing, karras=steps == 15)
                trajectory = scheduler.plan(settings, steps, 1.0)
                # PNDM takes one of them twice.
                assert len(trajectory.steps) == steps + (name == "pndm" and steps > 1)
                assert all(math.isfinite(value) for step in trajectory.steps for value in vars(step).values())


@pytest.mark.parametrize("spacing", ["leading", "linspace"])
def test_dpm_solver_visits_no_timestep_twice(spacing: str) -> None:
    scheduler = scheduler_named("dpm-solver++")
    assert scheduler is not None
    with pytest.raises(UsageError, match="choose 1 to 999"):
        scheduler.plan(ScheduleSettings(spacing=spacing), 1000, 1.0)


def test_a_step_from_a_level_to_itself_changes_nothing() -> None:
    scheduler = scheduler_named("dpm-solver++")
    assert scheduler is not None
    for heun in (False, True):
        settings = ScheduleSettings(spacing="trailing", ends_at_least=True, heun=heun)
        last = scheduler.plan(settings, 1000, 1.0).steps[-1]
        assert (last.sample, last.denoised, last.previous) == (1.0, 0.0, 0.0)


def test_an_lcm_of_few_timesteps_visits_those() -> None:
    scheduler = scheduler_named("lcm")
    assert scheduler is not None
    settings = read_schedule(Document("x", {"num_train_timesteps": 3}), scheduler.defaults, clips=True)
    assert [step.timestep for step in scheduler.plan(settings, 3, 1.0).steps] == [2, 1, 0]


def test_what_pndm_does_not_do_is_told() -> None:
    scheduler = scheduler_named("pndm")
    assert scheduler is not None
    said = {"_class_name": "PNDMScheduler"}
    for more in ({}, {"skip_prk_steps": False}):
        document = Document("scheduler/scheduler_config.json", {**said, **more})
        with pytest.raises(ModelUnsupportedError, match="Runge-Kutta steps do not run here"):
            scheduler.plan(read_schedule(document, scheduler.defaults, clips=False), 5, 1.0)
    of_others = Document("scheduler/scheduler_config.json", {"_class_name": "EulerDiscreteScheduler"})
    assert len(scheduler.plan(read_schedule(of_others, scheduler.defaults, clips=False), 5, 1.0).steps) == 6
    with pytest.raises(ModelUnsupportedError, match="networks that predict the image"):
        scheduler.plan(ScheduleSettings(prediction="sample"), 5, 1.0)
