"""Writes the statements and functions of GLSL as WGSL."""

from __future__ import annotations

from collections.abc import Sequence

from desktop.base.wording import sentence
from desktop.pipeline.filters.translation import tree
from desktop.pipeline.filters.translation.conversions import converted
from desktop.pipeline.filters.translation.expressions import Expressions
from desktop.pipeline.filters.translation.faults import fault
from desktop.pipeline.filters.translation.scope import Scope
from desktop.pipeline.filters.translation.types import INT, UINT, VOID, Type
from desktop.pipeline.filters.translation.values import Signature, bare


def write_function(scope: Scope, signature: Signature, node: tree.Function) -> list[str]:
    """Return the lines of a function in WGSL."""
    return _FunctionWriter(scope, signature, node.name == "main").write(node)


class _FunctionWriter:
    def __init__(self, scope: Scope, signature: Signature, is_main: bool) -> None:
        self._scope = scope
        self._signature = signature
        self._is_main = is_main
        self._write = Expressions(scope)
        self._outputs: list[tuple[str, str]] = []

    def write(self, node: tree.Function) -> list[str]:
        heads: list[str] = []
        for index, (own, parameter) in enumerate(
            zip(node.parameters, self._signature.parameters, strict=True)
        ):
            # A parameter without a name is not used.
            name = own.name or f"unused{index}"
            if parameter.type.base == "texture":
                heads.append(f"{self._scope.add_texture(name)}: {parameter.type.wgsl}")
                continue
            known = self._scope.declare(name, parameter.type)
            if parameter.way == "in":
                heads.append(f"p_{name}: {parameter.type.wgsl}")
                self._write.put(f"var {known.text} = p_{name};")
            else:
                heads.append(f"p_{name}: ptr<function, {parameter.type.wgsl}>")
                start = f" = *p_{name}" if parameter.way == "inout" else ""
                self._write.put(f"var {known.text}: {parameter.type.wgsl}{start};")
                self._outputs.append((f"*p_{name}", known.text))
        self._scope.open()
        self._statements(node.body.statements)
        is_open = not node.body.statements or not any(map(_ends, node.body.statements))
        if is_open and self._signature.result == VOID:
            self._finish()
        elif is_open:
            self._return(None, node.line)
        result = self._signature.result
        arrow = "" if result == VOID else f" -> {result.wgsl}"
        body = [f"  {line}" for line in self._write.lines]
        return [f"fn {self._signature.text}({', '.join(heads)}){arrow} {{", *body, "}"]

    def _return(self, value: tree.Expression | None, line: int) -> None:
        result = self._signature.result
        if result == VOID:
            if value is not None:
                raise fault(line, sentence("a function without a result returns a value; leave it out"))
            self._finish()
            self._write.put("return;")
            return
        if value is None:
            self._finish()
            self._write.put(f"return {_zero(result)};")
            return
        found = self._write.of_type(value, result)
        if self._outputs:
            found = self._write.fixed(found)
            self._finish()
        self._write.put(f"return {found.text};")

    def _finish(self) -> None:
        for place, name in self._outputs:
            self._write.put(f"{place} = {name};")

    # -- statements ------------------------------------------------------------------------------------------

    def _statements(self, nodes: Sequence[tree.Statement]) -> None:
        for node in nodes:
            self._statement(node)
            if _ends(node):
                # Nothing after it is reached, and compilers reject it.
                return

    def _block(self, node: tree.Statement) -> list[str]:
        with self._write.block() as lines:
            self._statements(node.statements if isinstance(node, tree.Block) else (node,))
        return lines

    def _statement(self, node: tree.Statement) -> None:
        match node:
            case tree.Declaration():
                for variable in node.variables:
                    self._declare(variable)
            case tree.Evaluate():
                self._write.run(node.expression)
            case tree.Block():
                self._write.put_block("{", self._block(node))
            case tree.If():
                self._if(node)
            case tree.Loop():
                self._loop(node)
            case tree.Return():
                self._return(node.value, node.line)
            case tree.Jump():
                self._jump(node)
            case tree.Switch():
                self._switch(node)

    def _declare(self, node: tree.Variable) -> None:
        kind = self._scope.type_of_variable(node)
        number = None
        if "const" in node.qualifiers and node.value is not None and kind.is_scalar:
            number = self._scope.number(node.value)
        value = "" if node.value is None else f" = {self._write.of_type(node.value, kind).text}"
        # Declared after its value, which may read an outer variable of the same name.
        known = self._scope.declare(node.name, kind, number)
        self._write.put(f"var {known.text}: {kind.wgsl}{value};")

    def _if(self, node: tree.If) -> None:
        """Write a chain of `else if`, nested only where a condition needs statements."""
        test = self._write.condition(node.condition)
        self._write.put_block(f"if ({bare(test.text)}) {{", self._block(node.yes))
        no = node.no
        while isinstance(no, tree.If):
            with self._write.block() as lines:
                test = self._write.condition(no.condition)
            if lines:
                break
            self._write.lines.pop()
            self._write.put_block(f"}} else if ({bare(test.text)}) {{", self._block(no.yes))
            no = no.no
        if no is not None:
            self._write.lines.pop()
            self._write.put_block("} else {", self._block(no))

    def _loop(self, node: tree.Loop) -> None:
        self._scope.open()
        if node.first is not None:
            self._statement(node.first)
        with self._write.block() as before:
            test = None if node.condition is None else bare(self._write.condition(node.condition).text)
        with self._write.block() as steps:
            if node.step is not None:
                self._write.run(node.step)
        body = self._block(node.body)
        if not before and len(steps) <= 1 and not node.last:
            step = "".join(steps).removesuffix(";")
            head = f"for (; {test or 'true'}; {step})" if step or test is None else f"while ({test})"
            self._write.put_block(f"{head} {{", body)
        else:
            stop = [] if test is None else [*before, f"if (!({test})) {{ break; }}"]
            if node.last:
                tail = [*before, f"break if !({test});"]
                lines = [*body, "continuing {", *(f"  {line}" for line in tail), "}"]
            else:
                lines = [*stop, *body, "continuing {", *(f"  {line}" for line in steps), "}"]
            self._write.put_block("loop {", lines)
        self._scope.close()

    def _jump(self, node: tree.Jump) -> None:
        if node.word != "discard":
            self._write.put(f"{node.word};")
            return
        if not self._is_main:
            raise fault(node.line, sentence("uses 'discard' outside of main(); return from main() instead"))
        color = self._scope.find("gl_FragColor", node.line)
        self._write.put(f"{color.text} = vec4f();")
        self._write.put("return;")

    def _switch(self, node: tree.Switch) -> None:
        value = self._write.one(node.value)
        if value.type not in (INT, UINT):
            raise fault(node.line, sentence("'switch' takes an integer; convert the value by int()"))
        cases: list[str] = []
        for index, case in enumerate(node.cases):
            is_last = index + 1 == len(node.cases)
            if not is_last and not (case.statements and _ends(case.statements[-1])):
                raise fault(case.line, sentence("a 'case' runs into the next one; end it with 'break'"))
            labels = [
                "default" if label is None else converted(self._write.one(label), value.type, case.line).text
                for label in case.labels
            ]
            statements = case.statements
            if statements and isinstance(statements[-1], tree.Jump) and statements[-1].word == "break":
                statements = statements[:-1]
            lines = self._block(tree.Block(case.line, statements))
            cases += [f"case {', '.join(labels)}: {{", *(f"  {line}" for line in lines), "}"]
        if not any(label is None for case in node.cases for label in case.labels):
            cases.append("default: {}")
        self._write.put_block(f"switch {value.text} {{", cases)


def _ends(node: tree.Statement) -> bool:
    """Return whether nothing after a statement is reached."""
    match node:
        case tree.Return() | tree.Jump():
            return True
        case tree.Block():
            return bool(node.statements) and any(map(_ends, node.statements))
        case _:
            return False


def _zero(kind: Type) -> str:
    return f"{kind.wgsl}()"
