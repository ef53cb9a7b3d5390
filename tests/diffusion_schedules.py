"""Numbers of diffusers' schedulers, pinned in `data/diffusion_schedules.json` by `python
tests/diffusion_schedules.py` (needs torch and diffusers, the extra `training`).

A case's network is no network: what it gives for a sample and a timestep is `output_of`, of whole operations
that NumPy and torch agree on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

PINNED = Path(__file__).parent / "data" / "diffusion_schedules.json"
SHAPE = (1, 2, 2, 2)

STABLE = {
    "num_train_timesteps": 1000,
    "beta_start": 0.00085,
    "beta_end": 0.012,
    "beta_schedule": "scaled_linear",
    "clip_sample": False,
    "set_alpha_to_one": False,
    "steps_offset": 1,
    "prediction_type": "epsilon",
}


@dataclass(frozen=True)
class Case:
    """A scheduler's class, what is set, and how many steps are taken."""

    scheduler: str
    steps: int
    settings: dict[str, Any] = field(default_factory=dict)
    strength: float = 1.0

    @property
    def name(self) -> str:
        said = "-".join(f"{key}={value}" for key, value in self.settings.items())
        return f"{self.scheduler}-{self.steps}-{self.strength:g}-{said}"

    @property
    def config(self) -> dict[str, Any]:
        return {**STABLE, **self.settings}


def cases() -> Iterator[Case]:
    """Every scheduler with each of the settings that it knows."""
    spacings = [{"timestep_spacing": each} for each in ("leading", "linspace", "trailing")]
    predictions = [{"prediction_type": each} for each in ("v_prediction", "sample")]
    euler, ancestral, ddim = "EulerDiscreteScheduler", "EulerAncestralDiscreteScheduler", "DDIMScheduler"
    dpm, lcm, pndm = "DPMSolverMultistepScheduler", "LCMScheduler", "PNDMScheduler"
    for scheduler in (euler, ancestral, ddim, dpm):
        # diffusers' Euler ancestral takes no networks that give the picture.
        known = predictions[:1] if scheduler == ancestral else predictions
        for settings in (*spacings, *known, {"beta_schedule": "linear"}):
            yield Case(scheduler, 7, settings)
        yield Case(scheduler, 20, {}, 0.6)
        yield Case(scheduler, 3, {"timestep_spacing": "trailing"})
        yield Case(scheduler, 1, {"timestep_spacing": "trailing"})
    for scheduler in (euler, dpm):
        yield Case(scheduler, 6, {"use_karras_sigmas": True})
        yield Case(scheduler, 6, {"final_sigmas_type": "sigma_min"})
    yield Case(ddim, 5, {"clip_sample": True})
    yield Case(ddim, 5, {"clip_sample": True, "clip_sample_range": 0.5, "prediction_type": "v_prediction"})
    yield Case(ddim, 5, {"set_alpha_to_one": True})
    yield Case(dpm, 5, {"solver_order": 1})
    yield Case(dpm, 6, {"solver_type": "heun"})
    yield Case(dpm, 18, {"final_sigmas_type": "sigma_min", "lower_order_final": False})
    yield Case(dpm, 18, {"final_sigmas_type": "sigma_min", "euler_at_final": True})
    yield Case(dpm, 6, {"beta_schedule": "squaredcos_cap_v2"})
    for steps in (1, 2, 4, 8):
        yield Case(lcm, steps, {"original_inference_steps": 50})
    yield Case(lcm, 3, {"prediction_type": "v_prediction"})
    yield Case(lcm, 2, {"clip_sample": True})
    yield Case(lcm, 4, {}, 0.5)
    plms = {"skip_prk_steps": True}
    for settings in (*spacings, predictions[0], {"beta_schedule": "linear"}, {"set_alpha_to_one": True}):
        yield Case(pndm, 7, {**plms, **settings})
    for steps in (1, 2, 3, 4, 5, 25):
        yield Case(pndm, steps, plms)
    # The steps that are left out end before, at and behind the one that is taken twice.
    for steps, strength in ((20, 0.6), (20, 0.95), (20, 0.9), (4, 0.5), (2, 0.5)):
        yield Case(pndm, steps, plms, strength)


def output_of(sample: Any, timestep: float) -> Any:
    """What stands for the network: arrays of NumPy and tensors of torch alike."""
    bounded = sample / (1 + abs(sample))
    return bounded * (0.5 + timestep / 2000) + 0.1


def picture_of(case: Case) -> np.ndarray:
    """Latents of a picture, SHAPE, float32."""
    return np.random.default_rng(len(case.name)).standard_normal(SHAPE, np.float32)


def noise_source(case: Case) -> Callable[[], np.ndarray]:
    """Draws normal noise of SHAPE, the same for diffusers and here."""
    generator = np.random.default_rng(case.steps)
    return lambda: generator.standard_normal(SHAPE, np.float32)


def run_diffusers(case: Case) -> dict[str, Any]:
    """Run a case; return the timesteps and the samples, the first one and that after each step."""
    import diffusers
    import torch
    from diffusers.schedulers import (
        scheduling_euler_ancestral_discrete,
        scheduling_lcm,
    )

    draw = noise_source(case)

    def drawn(*_: Any, **__: Any) -> Any:
        return torch.from_numpy(draw())

    first = draw()
    modules = (scheduling_euler_ancestral_discrete, scheduling_lcm)
    before = [module.randn_tensor for module in modules]
    for module in modules:
        module.randn_tensor = drawn
    try:
        made = getattr(diffusers, case.scheduler)
        known = made.__init__.__wrapped__.__code__.co_varnames
        scheduler = made(**{key: value for key, value in case.config.items() if key in known})
        return _sampled(case, scheduler, torch.from_numpy(first))
    finally:
        for module, function in zip(modules, before, strict=True):
            module.randn_tensor = function


def _sampled(case: Case, scheduler: Any, noise: Any) -> dict[str, Any]:
    import torch

    if case.scheduler == "LCMScheduler":
        scheduler.set_timesteps(case.steps, strength=case.strength)
        timesteps = scheduler.timesteps
    else:
        scheduler.set_timesteps(case.steps)
        timesteps = scheduler.timesteps[case.steps - int(case.steps * case.strength) :]
    if hasattr(scheduler, "set_begin_index"):
        # Said, because it takes the second of two equal timesteps for the first.
        scheduler.set_begin_index(0 if case.scheduler == "LCMScheduler" else case.steps - len(timesteps))
    if case.strength < 1:
        sample = scheduler.add_noise(torch.from_numpy(picture_of(case)), noise, timesteps[:1])
    else:
        sample = noise * scheduler.init_noise_sigma
    samples = [sample]
    for timestep in timesteps:
        output = output_of(scheduler.scale_model_input(sample, timestep), float(timestep))
        sample = scheduler.step(output, timestep, sample).prev_sample
        samples.append(sample)
    return {
        "timesteps": [float(t) for t in timesteps],
        "samples": [[float(f"{x:.7g}") for x in each.flatten().tolist()] for each in samples],
    }


def main() -> None:
    """Write the file."""
    PINNED.parent.mkdir(exist_ok=True)
    lines = [f"{json.dumps(case.name)}: {json.dumps(run_diffusers(case))}" for case in cases()]
    PINNED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
