"""A filter's compiled passes; source.py has what they are compiled from."""

from __future__ import annotations

from dataclasses import dataclass

import wgpu

from desktop.base.errors import FilterError, ShaderError
from desktop.base.wording import sentence
from desktop.compute.gpu.bindings import Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import lacks_binding
from desktop.pipeline.filters.description import Filter, PassSpec
from desktop.pipeline.filters.source import FilterSource


@dataclass(frozen=True)
class CompiledPass:
    """A pass and its pipeline."""

    spec: PassSpec
    pipeline: wgpu.GPUComputePipeline


class FilterProgram:
    """Compiled passes of a filter: made on any thread, shared by all stages that use it.

    Raises ShaderError with positions in the filter's file, FilterError for a missing file or function, a
    reserved name or deep calls.
    """

    def __init__(self, gpu: Gpu, spec: Filter) -> None:
        self.gpu = gpu
        self.spec = spec
        self._source = FilterSource(spec, filters_floats=gpu.has("float32-filterable"))
        self.bindings = self._source.bindings
        self.sees_time = self._source.sees_time
        self.passes = tuple(CompiledPass(step, self._compile(step)) for step in spec.passes)

    def result_bindings(self, step: PassSpec) -> Bindings:
        """Return group 1 of a pass."""
        return self._source.result_bindings(step)

    def _compile(self, step: PassSpec) -> wgpu.GPUComputePipeline:
        text = self._source.text(step)
        try:
            return self.gpu.compute_pipeline(
                text.code,
                text.entry,
                label=self.spec.path,
                layouts=(self.bindings.layout(self.gpu), self.result_bindings(step).layout(self.gpu)),
                first_line=text.first_line,
            )
        except ShaderError as error:
            if not lacks_binding(error):
                raise
            raise FilterError(
                sentence(
                    "{path}: '{entry}' uses a binding that it is not given: 'result' needs an output in "
                    "its pass, "
                    "and @group and @binding are Lightloom's alone.",
                    path=self.spec.path,
                    entry=step.entry,
                )
            ) from error
