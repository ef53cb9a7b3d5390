"""Operators that ONNX defines by a function of others, expanded to the body in the onnx package."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import onnx
from onnx import helper, numpy_helper

from desktop.compute.nn.ir.graph import Body, Node, Value
from desktop.compute.nn.lowering.expansion import Builder, expands
from desktop.compute.nn.lowering.operator import Constants, Expansion, Operator, Shapes, require


def by_function(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """Return the `expand` of such an operator; it raises `ModelUnsupportedError` if ONNX has no body."""
    function = _function(node, values)
    versions = {o.domain: int(o.version) for o in function.opset_import}
    require(len(node.inputs) <= len(function.input), node, "too many inputs")
    require(len(node.outputs) <= len(function.output), node, "too many outputs")
    given = {**{a.name: helper.get_attribute_value(a) for a in function.attribute_proto}, **node.attributes}
    nodes = tuple(_node(proto, versions, given) for proto in function.node)
    build = Builder(node)
    inputs = (*node.inputs, *("" for _ in range(len(function.input) - len(node.inputs))))
    body = Body(nodes, tuple(function.input), tuple(function.output), {})
    for name, output in zip(build.body(body, inputs, "function"), node.outputs, strict=False):
        if output:
            build.add("Identity", name, output=output)
    return build.done()


def _function(node: Node, values: Mapping[str, Value]) -> onnx.FunctionProto:
    try:
        schema = onnx.defs.get_schema(node.op, node.version, node.domain)
    except onnx.defs.SchemaError:
        require(False, node, f"ONNX has it since opset {_first_opset(node)} only")
    attributes = {
        key: numpy_helper.from_array(value) if isinstance(value, np.ndarray) else value
        for key, value in node.attributes.items()
    }
    proto = helper.make_node(node.op, list(node.inputs), list(node.outputs), domain=node.domain, **attributes)
    types = [_type(values[name]) if name else b"" for name in node.inputs]
    try:
        if schema.has_context_dependent_function:
            since = max(v for v in schema.context_dependent_function_opset_versions if v <= node.version)
            data = schema.get_context_dependent_function_with_opset_version(
                since, proto.SerializeToString(), types
            )
        else:
            since = max(v for v in schema.function_opset_versions if v <= node.version)
            data = schema.get_function_with_opset_version(since)
    except RuntimeError as error:
        require(False, node, f"ONNX has no body for it ({str(error).splitlines()[0][:120]})")
    function = onnx.FunctionProto()
    function.ParseFromString(data)
    require(len(function.node) > 0, node, "ONNX has no body for these inputs")
    return function


def _first_opset(node: Node) -> int:
    history = onnx.defs.get_all_schemas_with_history()
    return min(s.since_version for s in history if (s.name, s.domain) == (node.op, node.domain))


def _type(value: Value) -> bytes:
    element = helper.np_dtype_to_tensor_dtype(np.dtype(value.dtype))
    return bytes(helper.make_tensor_type_proto(element, value.shape).SerializeToString())


def _node(proto: onnx.NodeProto, versions: Mapping[str, int], given: Mapping[str, Any]) -> Node:
    attributes: dict[str, Any] = {}
    for attribute in proto.attribute:
        if attribute.ref_attr_name:
            if attribute.ref_attr_name in given:
                attributes[attribute.name] = given[attribute.ref_attr_name]
        else:
            attributes[attribute.name] = _attribute(attribute, versions, given)
    version = versions.get(proto.domain, 0)
    name = proto.name or proto.output[0]
    return Node(
        proto.op_type, name, tuple(proto.input), tuple(proto.output), attributes, proto.domain, version
    )


def _attribute(attribute: onnx.AttributeProto, versions: Mapping[str, int], given: Mapping[str, Any]) -> Any:
    value = helper.get_attribute_value(attribute)
    if attribute.type == onnx.AttributeProto.TENSOR:
        return numpy_helper.to_array(value)
    if attribute.type == onnx.AttributeProto.GRAPH:
        nodes = tuple(_node(each, versions, given) for each in value.node)
        constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in value.initializer}
        return Body(nodes, tuple(i.name for i in value.input), tuple(o.name for o in value.output), constants)
    return value.decode() if isinstance(value, bytes) else value


def _attention_products(node: Node, shape: Shapes) -> int:
    """Of both products of matrices; a cache's keys come before the node's own."""
    query, result = math.prod(shape(node.inputs[0])), math.prod(shape(node.outputs[0]))
    keys = shape(node.inputs[1])[-2]
    if node.input(4):
        keys += shape(node.inputs[4])[-2]
    return (query + result) * keys


OPERATORS: Final = (
    Operator("Attention", expands, expand=by_function, multiply_adds=_attention_products),
    Operator(
        "CausalConvWithState", expands, expand=by_function
    ),  # a depthwise convolution over the past alone
    Operator("CenterCropPad", expands, expand=by_function),
    Operator("LinearAttention", expands, expand=by_function),  # a recurrence over a state of keys by values
    Operator("RotaryEmbedding", expands, expand=by_function),  # pairs of features turned by an angle
)
