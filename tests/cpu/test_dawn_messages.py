"""Parsing of error texts of Tint and Dawn: real texts, and others of an unknown form."""

from __future__ import annotations

import pytest

from desktop.base.errors import ShaderError
from desktop.compute.gpu.dawn.messages import gpu_reason, lacks_binding, parse_shader_messages

OVERLOAD = """Error while parsing WGSL: :12:49 error: no matching overload for 'operator + (u32, f32)'

5 candidate operators:
 • 'operator + (T  ✓ , T  ✗ ) -> T' where:
      ✓  'T' is 'abstract-float', 'abstract-int', 'f32', 'i32', 'u32' or 'f16'

@compute @workgroup_size(1) fn main() { let x = 1u + 1.0f; }
                                                ^^^^^^^^^


 - While calling [Device].CreateShaderModule([ShaderModuleDescriptor ""my file.wgsl""])."""

REDEFINED = """Error while parsing WGSL: :20:4 error: redeclaration of 'half'
fn half() {}
   ^^^^

:3:4 note: 'half' previously declared here
fn half() {}
   ^^^^


 - While calling [Device].CreateShaderModule([ShaderModuleDescriptor ""a.wgsl""])."""

BINDING = """Binding doesn't exist in [BindGroupLayoutInternal (unlabeled)].
 - While validating that the entry-point's declaration for @group(0) @binding(1) matches [BindGroupLayoutInternal (unlabeled)]
 - While calling [Device].CreateComputePipeline([ComputePipelineDescriptor])."""


@pytest.mark.parametrize(
    ("text", "first", "line", "column", "message"),
    [
        (OVERLOAD, 1, 12, 49, "no matching overload for 'operator + (u32, f32)'"),
        (OVERLOAD, 10, 3, 49, "no matching overload for 'operator + (u32, f32)'"),
        # What is wrong lies before the user's own file: no place in it.
        (OVERLOAD, 13, 0, 0, "no matching overload for 'operator + (u32, f32)'"),
        (REDEFINED, 1, 20, 4, "redeclaration of 'half'"),
        (BINDING, 1, 0, 0, "Binding doesn't exist in [BindGroupLayoutInternal (unlabeled)]."),
        ("something else\nover two lines", 1, 0, 0, "something else"),
        ("", 1, 0, 0, ""),
    ],
)
def test_the_position_in_the_users_own_file(text, first, line, column, message):
    [found] = parse_shader_messages(text, first)
    assert (found.line, found.column, found.message) == (line, column, message)


def test_a_missing_binding_is_told_from_all_else():
    assert lacks_binding(ShaderError("a.wgsl", parse_shader_messages(BINDING)))
    assert not lacks_binding(ShaderError("a.wgsl", parse_shader_messages(OVERLOAD)))


def test_the_reason_is_the_first_line():
    assert (
        gpu_reason(RuntimeError(BINDING)) == "Binding doesn't exist in [BindGroupLayoutInternal (unlabeled)]"
    )
    assert gpu_reason(RuntimeError("")) == "RuntimeError"
