// The chain's cards: a switch and editors for each stage. Names come from files of others, so they are set as text and never as HTML.

function made(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

const twoDigits = (value) => Math.round(value * 255).toString(16).padStart(2, "0");

const EDITORS = {
  number(param, value, edit) {
    const step = param.step || (param.wgsl === "i32" ? 1 : (param.max - param.min) / 1000);
    const input = made("input", { type: "range" });
    Object.assign(input, { min: param.min, max: param.max, step, value });
    const shown = made("output");
    const show = () => (shown.textContent = `${Number(Number(input.value).toPrecision(4))}${param.unit ? ` ${param.unit}` : ""}`);
    show();
    input.oninput = () => {
      show();
      edit(Number(input.value));
    };
    return [input, shown];
  },
  switch(param, value, edit) {
    const input = made("input", { type: "checkbox", checked: value });
    input.onchange = () => edit(input.checked);
    return [input];
  },
  choice(param, value, edit) {
    const input = made("select", {}, ...param.choices.map((each) => made("option", { value: each, textContent: each, selected: each === value })));
    input.onchange = () => edit(input.value);
    return [input];
  },
  color(param, value, edit) {
    const input = made("input", { type: "color", value: `#${value.slice(0, 3).map(twoDigits).join("")}` });
    input.oninput = () => edit([...[1, 3, 5].map((at) => parseInt(input.value.slice(at, at + 2), 16) / 255), value[3]]);
    return [input];
  },
  point(param, value, edit) {
    const inputs = value.map((part, i) => {
      const input = made("input", { type: "range", min: 0, max: 1, step: 0.005, ariaLabel: `${param.label}, ${i ? "down" : "across"}` });
      input.value = part;
      return input;
    });
    for (const input of inputs) input.oninput = () => edit(inputs.map((each) => Number(each.value)));
    return inputs;
  },
};

// Fills `list` with a card for each stage; `onChange` is called after each edit.
export function showCards(list, stages, onChange) {
  list.replaceChildren(...stages.map((stage, number) => card(stage, number, onChange)));
}

function card(stage, number, onChange) {
  const { title, help, params } = stage.table;
  const { composite } = stage.mixing;
  const [opacity] = composite.table.params;
  const edited = params.filter((param) => param.editor);
  const on = made("input", { type: "checkbox", checked: stage.enabled, id: `stage-${number}` });
  const reset = made("button", { type: "button", textContent: "Reset", ariaLabel: `Reset ${title}` });
  const head = made("header", {}, on, made("label", { htmlFor: on.id, textContent: title, title: help }), reset);
  const body = made("div", { className: "params" });
  const item = made("li", {}, head, body);
  const rows = () => {
    const shown = edited.filter((param) => (param.when || []).every(([name, values]) => values.includes(stage.values[name])));
    body.replaceChildren(...shown.map((param) => row(stage, number, param, changed)), row(composite, `${number}-mix`, opacity, changed));
  };
  const changed = (param) => {
    if (params.some((each) => (each.when || []).some(([name]) => name === param.name))) {
      const id = document.activeElement?.id;
      rows();
      if (id) document.getElementById(id)?.focus();
    }
    onChange();
  };
  const state = () => {
    item.classList.toggle("off", !stage.enabled);
    body.inert = !stage.enabled;
  };
  on.onchange = () => {
    stage.enabled = on.checked;
    state();
    onChange();
  };
  reset.onclick = () => {
    for (const param of edited) stage.set(param, param.value);
    composite.set(opacity, opacity.value);
    rows();
    onChange();
  };
  rows();
  state();
  return item;
}

function row(stage, number, param, changed) {
  const inputs = EDITORS[param.editor](param, stage.values[param.name], (value) => {
    stage.set(param, value);
    changed(param);
  });
  inputs[0].id = `stage-${number}-${param.name}`;
  const label = made("label", { htmlFor: inputs[0].id, textContent: param.label, title: param.help });
  return made("div", { className: "row" }, label, made("span", { className: "editor" }, ...inputs));
}
