"""Messages of the engine's refusals: the one place that turns `Refusal`s into sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from desktop.base.errors import ModelError, ModelUnsupportedError, Refusal, SizesNeededError
from desktop.base.wording import Text, counted, joined, sentence

if TYPE_CHECKING:
    from desktop.compute.nn.ir.graph import Node  # whose neighbors raise refusals too

_LISTED: Final = 5  # operators that a sentence names


def of_node(node: Node, reason: str = "") -> Refusal:
    """Return a refusal of a node; without a reason the engine does not know its operator."""
    own = f"{node.domain}.{node.op}" if node.domain else node.op
    operator = node.origin.partition(" ")[0] or own
    return Refusal(reason, node=str(node), operator=operator)


def doubted(node: Node, what: str) -> ModelUnsupportedError:
    """Return the error for a node that violates the specification; another backend may accept it."""
    return ModelUnsupportedError(
        sentence(
            "{node} is not valid: {what}; use the onnxruntime backend, or export the model again.",
            node=str(node),
            what=what,
        ),
        (of_node(node, what),),
    )


def at_node(error: ModelUnsupportedError, node: Node) -> list[Refusal]:
    """Return the refusals of an error raised at a node; those without a node get this one."""
    own = of_node(node)
    refusals = error.refusals or (Refusal(str(error)),)
    return [r if r.node else replace(r, node=own.node, operator=own.operator) for r in refusals]


def summary_of(refusals: Sequence[Refusal]) -> Text:
    """Summarize refusals as the end of a sentence: unknown operators by kind, all else one by one."""
    unknown = [refusal for refusal in refusals if not refusal.reason]
    parts: list[str] = [str(refusal) for refusal in refusals if refusal.reason]
    if unknown:
        kinds = list(dict.fromkeys(refusal.operator for refusal in unknown))
        listed = ", ".join(kinds[:_LISTED]) + (", ..." if len(kinds) > _LISTED else "")
        parts.append(
            sentence(
                "it has {unsupported_nodes}: {kinds}",
                unsupported_nodes=counted(len(unknown), "unsupported node"),
                kinds=listed,
            )
        )
    return joined("; ", parts)


def reason_of(error: ModelError) -> str:
    """Summarize an error as the end of a sentence."""
    if isinstance(error, ModelUnsupportedError) and error.refusals:
        return summary_of(error.refusals)
    return str(error).rstrip(".")


def cannot_run(name: str, refusals: Sequence[Refusal]) -> ModelUnsupportedError:
    """Return the error for a file that the engine does not support."""
    return ModelUnsupportedError(
        sentence(
            "{name} cannot run on wgpu: {what}; choose another backend.", name=name, what=summary_of(refusals)
        ),
        refusals,
    )


def sizes_needed(name: str, inputs: Mapping[str, tuple[int | str, ...]]) -> SizesNeededError:
    """Return the error for a file whose inputs have free sizes that were not given."""
    refusals = [
        Refusal(
            sentence(
                "its input '{input}' has free dimensions ({names}), so give a size for it",
                input=each,
                names=", ".join(map(str, shape)),
            )
        )
        for each, shape in inputs.items()
    ]
    text = sentence(
        "{name} cannot run on wgpu as it is: {what}, or choose another backend.",
        name=name,
        what=summary_of(refusals),
    )
    return SizesNeededError(text, refusals, inputs)


def decided_late(name: str, decider: Node) -> ModelUnsupportedError:
    """Return the error for a network whose shapes depend on computed values."""
    what = sentence("the shape of its result follows from what the network computes")
    return cannot_run(name, [of_node(decider, what)])


def most_is_behind(name: str, decider: Node, behind: int, whole: int) -> ModelUnsupportedError:
    """Return the error for a network with most work behind that node; the numbers are sums of products."""
    if not whole:
        what = sentence(
            "the shape of its result follows from what the network computes, and there is no convolution "
            "or product before it"
        )
    else:
        what = sentence(
            "the shape of its result follows from what the network computes, with {behind} of {whole} "
            "behind it",
            behind=behind,
            whole=counted(whole, "convolution or product", "convolutions and products"),
        )
    return cannot_run(name, [of_node(decider, what)])


def tail_refused(name: str, decider: Node, error: ModelError) -> ModelUnsupportedError:
    """Return the error for a divided network whose second part ONNX Runtime does not load."""
    what = sentence(
        "the shape of its result follows from what the network computes, and what lies behind it does not "
        "run by itself ({reason})",
        reason=reason_of(error),
    )
    return cannot_run(name, [of_node(decider, what)])


def not_lowered(refusals: Sequence[Refusal]) -> ModelUnsupportedError:
    """Return the error for nodes that the engine or the adapter does not support as they are."""
    return ModelUnsupportedError(
        sentence(
            "The model cannot run on wgpu: {reasons}; use the onnxruntime backend.",
            reasons=summary_of(refusals),
        ),
        refusals,
    )


def refused(refusal: Refusal) -> ModelUnsupportedError:
    """Return the error for one refusal; while a node is lowered, it is listed with the others."""
    if not refusal.node:
        return ModelUnsupportedError(
            sentence("Not supported: {what}; use the onnxruntime backend.", what=refusal.reason), (refusal,)
        )
    return ModelUnsupportedError(
        sentence(
            "{node} is not supported: {what}; use the onnxruntime backend.",
            node=refusal.node,
            what=refusal.reason,
        ),
        (refusal,),
    )
