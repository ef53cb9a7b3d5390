"""The matcher of the passes, and the invariants that hold between them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import numpy as np
import pytest

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Detail, Graph, Node, Value
from desktop.compute.nn.ir.verify import GraphError, verify
from desktop.compute.nn.passes import PASSES, optimize
from desktop.compute.nn.passes.gelu import GELU
from desktop.compute.nn.passes.pattern import Matcher, Multiple, Named, Number, OneOf, Op, Product, Var
from desktop.compute.nn.passes.swish import SWISH

X, Y = Var("x"), Var("y")


def node(op: str, inputs: str, output: str, **attributes) -> Node:
    return Node(op, output, tuple(inputs.split()), (output,), attributes, version=17)


def graph(*nodes: Node, **constants: float) -> Graph:
    """A graph of (2, 3) tensors on the inputs a and b, whose last node is the output."""
    arrays = {name: np.array(number, np.float32) for name, number in constants.items()}
    names = {"a", "b", *(name for each in nodes for name in each.outputs)}
    values = {name: Value(name, (2, 3), "float32") for name in names}
    values |= {name: Value(name, array.shape, "float32") for name, array in arrays.items()}
    return Graph(nodes, ("a", "b"), (nodes[-1].outputs[0],), values, arrays)


def matches_of(pattern, of: Graph) -> list[dict[str, str]]:
    return [dict(match.values) for match in Matcher(of).matches(pattern, of.outputs[0])]


def test_a_label_is_one_value_wherever_it_stands():
    assert matches_of(Op("Sub", X, X), graph(node("Sub", "a a", "y"))) == [{"x": "a"}]
    assert matches_of(Op("Sub", X, X), graph(node("Sub", "a b", "y"))) == []


def test_sums_and_products_match_either_way_round_and_differences_do_not():
    assert matches_of(Op("Add", X, Number(1)), graph(node("Add", "one a", "y"), one=1)) == [{"x": "a"}]
    assert matches_of(Op("Sub", X, Number(1)), graph(node("Sub", "one a", "y"), one=1)) == []
    assert matches_of(Op("Mul", X, Y), graph(node("Mul", "a b", "y"))) == [
        {"x": "a", "y": "b"},
        {"x": "b", "y": "a"},
    ]


def test_a_wrong_first_way_round_is_taken_back():
    """x = the gate fits the product's first way round, and only the gate's own input shows that it is the
    other.
    """
    of = graph(node("Sigmoid", "a", "g"), node("Mul", "g a", "y"))
    assert matches_of(SWISH, of) == [{"x": "a"}]


@pytest.mark.parametrize("places", [each for each in itertools.product([0, 1], repeat=4) if any(each[:3])])
def test_a_product_s_number_may_stand_in_any_place(places):
    """0.5 is split among the factors in every way: on x, on the gate, after the product, as a Mul or a Div."""
    on_x, on_gate, after, divides = places
    number = 0.5 ** (1 / (on_x + on_gate + after))
    op, constant = ("Div", 1 / number) if divides else ("Mul", number)
    nodes = [node("Div", "a root", "d"), node("Erf", "d", "e"), node("Add", "e one", "s")]
    x, gate = "a", "s"
    if on_x:
        nodes.append(node(op, f"{x} k", x := "x2"))
    if on_gate:
        nodes.append(node(op, f"{gate} k", gate := "s2"))
    nodes.append(node("Mul", f"{x} {gate}", "p"))
    if after:
        nodes.append(node(op, "p k", "y"))
    of = graph(*nodes, root=2**0.5, one=1, k=constant)
    assert {"x": "a"} in matches_of(GELU, of)
    wrong = replace(of, constants={**of.constants, "k": np.float32(constant * 1.1)})
    assert matches_of(GELU, wrong) == []


def test_a_multiple_is_close_and_a_number_is_exact():
    of = graph(node("Mul", "a k", "m"), node("Add", "m one", "y"), k=2.001, one=1)
    assert matches_of(Op("Add", Multiple(X, 2.0), Number(1)), of) == [{"x": "a"}]
    assert matches_of(Op("Add", Multiple(X, 2.1), Number(1)), of) == []
    assert matches_of(Op("Add", X, Number(1.0001)), of) == []


def test_names_choices_and_further_inputs():
    of = graph(node("Clip", "a low", "c"), node("Mul", "c c", "y"), low=0)
    assert matches_of(Op("Mul", Named("c", Op("Clip", X, more=True)), Y), of)[0] == {
        "c": "c",
        "x": "a",
        "y": "c",
    }
    assert matches_of(Op("Mul", Op("Clip", X), Y), of) == []
    assert matches_of(OneOf(Op("Relu", X), Op("Mul", X, X)), of)[0] == {"x": "c"}


def test_what_something_is_fused_into_matches_nothing():
    plain = node("Sigmoid", "a", "g")
    for fused in (
        replace(plain, epilogue=(EpilogueStep("relu"),)),
        replace(plain, domain="x"),
        plain.with_detail(_Kept()),
    ):
        assert matches_of(SWISH, graph(fused, node("Mul", "a g", "y"))) == []


@dataclass(frozen=True)
class _Kept(Detail):
    number: int = 0


def test_a_node_has_one_detail_of_a_class():
    with_two = node("Relu", "a", "y").with_detail(_Kept(1)).with_detail(_Kept(2))
    assert with_two.details == (_Kept(2),) and with_two.detail(_Kept) == _Kept(2)
    assert node("Relu", "a", "y").detail(_Kept) is None


def test_a_long_row_of_products_ends():
    """Only so many constants are seen through, however long a file makes the row."""
    nodes = [node("Mul", f"{'a' if i == 0 else f'm{i - 1}'} one", f"m{i}") for i in range(3000)]
    assert matches_of(Product(X, Y, by=1.0), graph(*nodes, one=1.0))


# -- the verifier --------------------------------------------------------------------------------------------


def test_every_graph_that_the_passes_make_is_one():
    for each in (graph(node("Relu", "a", "r"), node("Add", "r b", "y")),):
        verify(each, "the test")
        verify(optimize(each), "all passes")
    assert len(PASSES) > 5


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (graph(node("Add", "a z", "y")), "reads 'z'"),
        (graph(node("Relu", "r", "y"), node("Relu", "a", "r")), "reads 'r'"),
        (graph(node("Relu", "a", "y"), node("Neg", "a", "y")), "exists already"),
        (replace(graph(node("Relu", "a", "y")), outputs=("q",)), "nothing computes 'q'"),
        (replace(graph(node("Relu", "a", "y")), values={}), "has no shape"),
        (
            graph(replace(node("Relu", "a", "y"), epilogue=(EpilogueStep("add", operand="k"),)), k=[1, 2]),
            "does not stretch",
        ),
        (graph(replace(node("Relu", "a", "y"), epilogue=(EpilogueStep("add", operand="q"),))), "reads 'q'"),
        (
            graph(replace(node("Relu", "a", "y"), epilogue=(EpilogueStep("quantize", table="b"),))),
            "is no constant",
        ),
        (graph(replace(node("Relu", "a", "y"), details=(_Kept(1), _Kept(2)))), "two details"),
        (
            replace(graph(node("Add", "a k", "y"), k=1), constants={"k": np.ones(4, np.float32)}),
            "the constant 'k' has (4,)",
        ),
    ],
)
def test_what_is_no_graph_is_named(broken, message):
    with pytest.raises(GraphError, match="after a pass") as error:
        verify(broken, "a pass")
    assert message in str(error.value)


def test_a_pass_at_fault_is_named_where_the_switch_is_on(monkeypatch):
    def drops_everything(given: Graph) -> Graph:
        return given.with_nodes(())

    of = graph(node("Relu", "a", "y"))
    monkeypatch.setenv("LIGHTLOOM_VERIFY", "1")
    with pytest.raises(GraphError, match="drops_everything"):
        optimize(of, (drops_everything,))
    monkeypatch.setenv("LIGHTLOOM_VERIFY", "0")
    assert optimize(of, (drops_everything,)).nodes == ()
