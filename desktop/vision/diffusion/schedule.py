"""Noise schedules: the noise level at each timestep of training, and the timesteps that are visited.

A sample is `signal * image + noise * normal`, signal^2 = prod(1 - beta), signal^2 + noise^2 = 1 (Ho et al.
2020, https://arxiv.org/abs/2006.11239). Tables are float64, so that results are exact in float32.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from desktop.base.errors import ModelUnsupportedError, UsageError
from desktop.base.wording import sentence
from desktop.vision.diffusion.document import Document, shown

EPSILON: Final = "epsilon"
V_PREDICTION: Final = "v_prediction"
SAMPLE: Final = "sample"
LINSPACE: Final = "linspace"
LEADING: Final = "leading"
TRAILING: Final = "trailing"
MOST_TRAINED: Final = 10_000
MOST_STEPS: Final = 1000
_PNDM: Final = "PNDMScheduler"

# Settings that change a schedule and are not supported, with their neutral values.
_NEUTRAL: Final[Mapping[str, tuple[Any, ...]]] = {
    "trained_betas": (None,),
    "rescale_betas_zero_snr": (None, False),
    "thresholding": (None, False),
    "use_exponential_sigmas": (None, False),
    "use_beta_sigmas": (None, False),
    "use_lu_lambdas": (None, False),
    "use_flow_sigmas": (None, False),
    "timestep_type": (None, "discrete"),
    "interpolation_type": (None, "linear"),
    "algorithm_type": (None, "dpmsolver++"),
    "variance_type": (None, "fixed_small"),
}


@dataclass(frozen=True, kw_only=True)
class ScheduleSettings:
    """Settings of `scheduler_config.json`, under shorter names; the defaults are diffusers' for Euler.

    Attributes:
        train_steps: timesteps of the network's training (num_train_timesteps).
        beta_schedule: of noise variances: 'linear', 'scaled_linear' (linear root) or 'squaredcos_cap_v2'.
        prediction: network's output: 'epsilon' (noise), 'sample' (image), or 'v_prediction' (signal * noise -
            noise * image, Salimans and Ho 2022, https://arxiv.org/abs/2202.00512).
        spacing: of visited timesteps: 'linspace', 'leading' or 'trailing' (https://arxiv.org/abs/2305.08891).
        steps_offset: added to the timesteps of 'leading'.
        ends_clean: DDIM, LCM and PNDM end without noise (set_alpha_to_one), not at the first timestep's.
        clip: bound of the denoised image, -clip..clip (clip_sample, clip_sample_range); 0 for none.
        karras: use the noise levels of Karras et al. 2022 (use_karras_sigmas).
        ends_at_least: Euler, DPM-Solver++ end at the first timestep's noise (final_sigmas_type 'sigma_min').
        order: of DPM-Solver++, 1 or 2 (solver_order).
        heun: its second order is Heun's, not the midpoint rule (solver_type).
        lower_order_final, euler_at_final: last step of first order with fewer than 15 steps, or always.
        original_steps: of the schedule that an LCM was distilled with (original_inference_steps).
        runge_kutta: PNDM begins with Runge-Kutta steps (skip_prk_steps false, also PNDM's default).
        timestep_scaling: how quickly an LCM's output replaces its input.
    """

    train_steps: int = 1000
    beta_start: float = 0.0001
    beta_end: float = 0.02
    beta_schedule: str = "linear"
    prediction: str = EPSILON
    spacing: str = LINSPACE
    steps_offset: int = 0
    ends_clean: bool = True
    clip: float = 0.0
    karras: bool = False
    ends_at_least: bool = False
    order: int = 2
    heun: bool = False
    lower_order_final: bool = True
    euler_at_final: bool = False
    runge_kutta: bool = False
    original_steps: int = 50
    timestep_scaling: float = 10.0


def read_schedule(document: Document, defaults: ScheduleSettings, *, clips: bool) -> ScheduleSettings:
    """Read the settings; `clips`: the scheduler supports `clip_sample`, which others ignore.

    Raises ModelInvalidError for invalid ones, ModelUnsupportedError for others that change the schedule.
    """
    for key, neutral in _NEUTRAL.items():
        if document.values.get(key) not in neutral:
            raise ModelUnsupportedError(
                sentence(
                    "{name} says {key} = {value}, which does not run here; choose another scheduler or "
                    "export the folder without it.",
                    name=document.name,
                    key=key,
                    value=shown(document.values[key]),
                )
            )
    trained = document.integer("num_train_timesteps", defaults.train_steps, 1, MOST_TRAINED)
    clip = document.flag("clip_sample", defaults.clip > 0) and clips
    solver = document.word("solver_type", "midpoint", ("midpoint", "heun", "logrho", "bh1", "bh2"))
    final = document.word("final_sigmas_type", "zero", ("zero", "sigma_min"))
    settings = ScheduleSettings(
        train_steps=trained,
        beta_start=document.number("beta_start", defaults.beta_start, 1e-8, 0.999),
        beta_end=document.number("beta_end", defaults.beta_end, 1e-8, 0.999),
        beta_schedule=document.word("beta_schedule", defaults.beta_schedule, tuple(_BETAS)),
        prediction=document.word("prediction_type", EPSILON, (EPSILON, V_PREDICTION, SAMPLE)),
        spacing=document.word("timestep_spacing", defaults.spacing, (LINSPACE, LEADING, TRAILING)),
        steps_offset=document.integer("steps_offset", 0, 0, trained - 1),
        ends_clean=document.flag("set_alpha_to_one", defaults.ends_clean),
        clip=document.number("clip_sample_range", 1.0, 1e-3, 1e3) if clip else 0.0,
        karras=document.flag("use_karras_sigmas", False),
        ends_at_least=final == "sigma_min",
        order=document.integer("solver_order", 2, 1, 2),
        heun=solver == "heun",
        lower_order_final=document.flag("lower_order_final", True),
        euler_at_final=document.flag("euler_at_final", False),
        runge_kutta=not document.flag("skip_prk_steps", document.values.get("_class_name") != _PNDM),
        original_steps=document.integer("original_inference_steps", min(50, trained), 1, trained),
        timestep_scaling=document.number("timestep_scaling", 10.0, 1e-3, 1e6),
    )
    if signal_squared(settings)[-1] < 1e-9:
        raise ModelUnsupportedError(
            sentence(
                "{name} leaves nothing of the image at its last timestep, which does not run here; check "
                "beta_start and beta_end.",
                name=document.name,
            )
        )
    return settings


def _linear(settings: ScheduleSettings) -> np.ndarray:
    return np.linspace(settings.beta_start, settings.beta_end, settings.train_steps)


def _scaled_linear(settings: ScheduleSettings) -> np.ndarray:
    return np.linspace(settings.beta_start**0.5, settings.beta_end**0.5, settings.train_steps) ** 2


def _cosine(settings: ScheduleSettings) -> np.ndarray:
    """Return the cosine schedule: Nichol and Dhariwal 2021, https://arxiv.org/abs/2102.09672, equation 17."""
    at = np.arange(settings.train_steps + 1) / settings.train_steps
    kept = np.cos((at + 0.008) / 1.008 * np.pi / 2) ** 2
    return np.minimum(1 - kept[1:] / kept[:-1], 0.999)


_BETAS: Final = {"linear": _linear, "scaled_linear": _scaled_linear, "squaredcos_cap_v2": _cosine}


def signal_squared(settings: ScheduleSettings) -> np.ndarray:
    """Return the image's squared share per timestep (alphas_cumprod): (train_steps,), float64, falling."""
    return np.cumprod(1 - _BETAS[settings.beta_schedule](settings))


def noise_levels(settings: ScheduleSettings) -> np.ndarray:
    """Return noise / signal at each timestep, shape (train_steps,), float64, rising (sigmas)."""
    kept = signal_squared(settings)
    return np.sqrt((1 - kept) / kept)


def check_steps(steps: int, settings: ScheduleSettings, visited: int = MOST_STEPS) -> None:
    """Raise UsageError if `steps` is not 1 to 1000, or exceeds the timesteps or the `visited` ones."""
    most = min(MOST_STEPS, settings.train_steps, visited)
    if not 1 <= steps <= most:
        raise UsageError(
            sentence("{steps} steps cannot be taken; choose 1 to {most}.", steps=steps, most=most)
        )


def spaced_timesteps(settings: ScheduleSettings, steps: int) -> np.ndarray:
    """Return the visited timesteps, noisiest first: (steps,), float64, fractional for 'linspace'.

    Raises UsageError as `check_steps`, or if the offset exceeds the last timestep.
    """
    check_steps(steps, settings)
    trained = settings.train_steps
    if settings.spacing == LINSPACE:
        # A single step is the first of the line and not its end, as in diffusers: float32's line from 0 on.
        return np.linspace(0, trained - 1, steps, dtype=np.float32)[::-1].astype(np.float64)
    if settings.spacing == TRAILING:
        return np.round(trained - np.arange(steps) * (trained / steps)) - 1
    found = np.arange(steps)[::-1] * (trained // steps) + float(settings.steps_offset)
    check_last(found[0], settings)
    return found


def check_last(timestep: float, settings: ScheduleSettings) -> None:
    """Raise UsageError if the first timestep of the steps is after the last one."""
    if timestep > settings.train_steps - 1:
        raise UsageError(
            sentence(
                "With so many steps the first timestep would be {timestep:g} of {trained}; choose fewer "
                "steps.",
                timestep=timestep,
                trained=settings.train_steps,
            )
        )


def karras_levels(least: float, most: float, steps: int) -> np.ndarray:
    """Return falling noise levels, shape (steps,): https://arxiv.org/abs/2206.00364, equation 5, rho = 7."""
    at = np.linspace(0, 1, steps)
    return np.asarray((most ** (1 / 7) + at * (least ** (1 / 7) - most ** (1 / 7))) ** 7)


def timesteps_of(levels: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return the fractional timesteps of levels of noise; linear in the logarithm of the level."""
    return np.interp(np.log(levels), np.log(known), np.arange(len(known)))


def levels_at(timesteps: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return the levels of noise at fractional timesteps."""
    return np.interp(timesteps, np.arange(len(known)), known)
