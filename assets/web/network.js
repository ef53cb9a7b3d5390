// A network as the plan has it: buffers and bind groups made once, a frame only records dispatches.

import { Complaint } from "./complaint.js";
import { fromText, guarded } from "./kernels.js";
import { Preprocess } from "./preprocess.js";

// The first form for such an adapter; of those for GPUs the last asks for no feature.
export function formFor(network, { features, isSoftware }) {
  return network.forms.find((form) => form.software === isSoftware && form.features.every((feature) => features.has(feature)));
}

// What a form takes of its network's weights.
export const rangesOf = (form) => form.buffers.filter((buffer) => buffer.filled);

// Of what a tensor is stored in: how its numbers are read and written.
const ARRAYS = { float32: Float32Array, int32: Int32Array, uint32: Uint32Array, float16: Uint16Array };

function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const part = bits & 1023;
  if (exponent === 0) return sign * part * 2 ** -24;
  if (exponent === 31) return part ? NaN : sign * Infinity;
  return sign * (1 + part / 1024) * 2 ** (exponent - 15);
}

// The nearest 16-bit float's bits, of two the even one.
function toHalf(number) {
  if (Number.isNaN(number)) return 0x7e00;
  const sign = number < 0 || Object.is(number, -0) ? 0x8000 : 0;
  const size = Math.abs(number);
  if (size >= 65520) return sign | 0x7c00;
  const exponent = Math.max(-14, Math.floor(Math.log2(size)));
  const steps = size / 2 ** (exponent - 10);
  const below = Math.floor(steps);
  const rest = steps - below;
  return sign + ((exponent + 14) << 10) + below + (rest > 0.5 || (rest === 0.5 && below % 2) ? 1 : 0);
}

const numberOf = (shape) => shape.reduce((product, size) => product * size, 1);

export class Network {
  static async make(kernels, table, loader) {
    const made = new Network();
    const { device } = kernels;
    const { name } = table;
    const form = formFor(table, kernels);
    Object.assign(made, { kernels, device, form, name, weights: table.weights });
    await guarded(device, `the network ${name}`, async () => {
      made.makeBuffers();
      // Shaders compile while the weights are on their way.
      await Promise.all([made.fill(loader), made.makeCommands()]);
      made.preprocess = await Preprocess.make(kernels, form.preprocess, made.buffers[form.preprocess.buffer]);
      if (form.unpack) await made.makeUnpack();
      if (form.head) await made.makeHead();
    });
    return made;
  }

  makeBuffers() {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    this.buffers = this.form.buffers.map((buffer) => this.kernels.buffer(buffer.bytes, usage));
  }

  // Each piece goes to the GPU as it comes; the page never holds all weights.
  async fill(loader) {
    const filled = this.form.buffers.map((buffer, i) => ({ ...buffer, target: this.buffers[i] })).filter((buffer) => buffer.filled);
    const put = (at, data) => {
      for (const { at: begin, filled: bytes, target } of filled) {
        const from = Math.max(begin, at);
        const to = Math.min(begin + bytes, at + data.length);
        if (from < to) this.device.queue.writeBuffer(target, from - begin, data, from - at, to - from);
      }
    };
    await loader.load(this.weights, put, rangesOf(this.form));
  }

  async makeCommands() {
    this.commands = await Promise.all(
      this.form.dispatches.map(async ({ shader, buffers, groups }) => {
        const layout = this.kernels.buffersLayout(buffers.length);
        const entries = buffers.map((number, binding) => ({ binding, resource: { buffer: this.buffers[number] } }));
        const pipeline = await this.kernels.pipeline(shader, [layout]);
        return { pipeline, groups, group: this.device.createBindGroup({ layout, entries }) };
      }),
    );
  }

  // One dispatch behind the network: a uniform, a tensor, and what is written.
  async behind(table, tensor, entry, resource) {
    const layout = this.kernels.layout([
      { binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type: "uniform" } },
      { binding: 1, visibility: GPUShaderStage.COMPUTE, buffer: { type: "read-only-storage" } },
      { binding: 2, visibility: GPUShaderStage.COMPUTE, ...entry },
    ]);
    const pipeline = await this.kernels.pipeline(table.shader, [layout], table.constants);
    const entries = [
      { binding: 0, resource: { buffer: this.kernels.uniform(fromText(table.plan)) } },
      { binding: 1, resource: { buffer: this.buffers[tensor] } },
      { binding: 2, resource },
    ];
    return { pipeline, group: this.device.createBindGroup({ layout, entries }) };
  }

  async makeUnpack() {
    const { unpack } = this.form;
    this.texture = this.kernels.texture(unpack.width, unpack.height, unpack.format);
    this.channels = unpack.channels;
    const entry = { storageTexture: { access: "write-only", format: unpack.format } };
    const made = await this.behind(unpack, unpack.tensor, entry, this.texture.createView());
    this.last = { ...made, groups: [Math.ceil(unpack.width / 8), Math.ceil(unpack.height / 8)] };
  }

  async makeHead() {
    const { head } = this.form;
    this.result = this.kernels.buffer(head.bytes, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
    const made = await this.behind(head, head.scores, { buffer: { type: "storage" } }, { buffer: this.result });
    this.last = { ...made, groups: [1] };
  }

  encodeAlone(pass) {
    for (const { pipeline, group, groups } of this.commands) {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(...groups);
    }
  }

  // The picture in `texture` through the network and what stands behind it; once for the same `info`.
  encode(encoder, texture, info) {
    if (info && info === this.info) return;
    this.info = info;
    const pass = encoder.beginComputePass();
    this.preprocess.encode(pass, texture);
    this.encodeAlone(pass);
    if (this.last) {
      pass.setPipeline(this.last.pipeline);
      pass.setBindGroup(0, this.last.group);
      pass.dispatchWorkgroups(...this.last.groups);
    }
    pass.end();
  }

  // Arrays in, arrays out, by the names of inputs and outputs: for pages of your own, and for measuring.
  async run(feeds) {
    for (const { name, shape, type, buffer } of this.form.inputs) {
      const values = feeds[name];
      const count = numberOf(shape);
      if (!values || values.length !== count) {
        throw new Complaint(`The input ${name} of ${this.name} takes ${count} numbers of type ${type}, given as an array.`);
      }
      const data = new ARRAYS[type](count + (count % 2)); // whole words, which a queue writes
      data.set(type === "float16" ? Array.from(values, toHalf) : values);
      this.device.queue.writeBuffer(this.buffers[buffer], 0, data);
    }
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    this.encodeAlone(pass);
    pass.end();
    const staged = this.form.outputs.map(({ name, shape, type, buffer }) => {
      const bytes = Math.ceil((numberOf(shape) * ARRAYS[type].BYTES_PER_ELEMENT) / 4) * 4;
      const staging = this.kernels.buffer(bytes, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
      encoder.copyBufferToBuffer(this.buffers[buffer], 0, staging, 0, bytes);
      return { name, type, count: numberOf(shape), staging };
    });
    this.device.queue.submit([encoder.finish()]);
    const found = {};
    for (const { name, type, count, staging } of staged) {
      await staging.mapAsync(GPUMapMode.READ);
      const values = new ARRAYS[type](staging.getMappedRange(), 0, count);
      found[name] = type === "float16" ? Float32Array.from(values, half) : values.slice();
      staging.destroy();
    }
    return found;
  }
}
