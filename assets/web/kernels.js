// Pipelines of a plan's shaders, each made once, and small things that all parts of the engine make.

import { Complaint } from "./complaint.js";

export const fromText = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

const KINDS = ["buffer", "sampler", "texture", "storageTexture"];

export class Kernels {
  // `isSoftware`: networks take the form for adapters that compute on the CPU.
  constructor(device, shaders, isSoftware) {
    this.device = device;
    this.features = device.features;
    this.isSoftware = isSoftware;
    this.shaders = shaders;
    this.modules = new Map();
    this.pipelines = new Map();
    this.layouts = new Map();
    this.networks = []; // those that several stages share
  }

  layout(entries) {
    const plain = entries.map((entry) => {
      const kind = KINDS.find((each) => entry[each]);
      return { binding: entry.binding, visibility: entry.visibility, [kind]: entry[kind] };
    });
    return this.once(this.layouts, JSON.stringify(plain), () => this.device.createBindGroupLayout({ entries: plain }));
  }

  // Storage buffers in their order: all read but the last, which is written.
  buffersLayout(count) {
    const entries = Array.from({ length: count }, (_, binding) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type: binding < count - 1 ? "read-only-storage" : "storage" },
    }));
    return this.layout(entries);
  }

  module(number) {
    const { name, code } = this.shaders[number];
    return this.once(this.modules, number, () => this.device.createShaderModule({ code, label: name }));
  }

  pipeline(number, layouts, constants = {}) {
    const key = JSON.stringify([number, constants, layouts.map((layout) => this.idOf(layout))]);
    return this.once(this.pipelines, key, () => this.compiled(number, layouts, constants));
  }

  async compiled(number, layouts, constants) {
    const { name, entry } = this.shaders[number];
    const layout = this.device.createPipelineLayout({ bindGroupLayouts: layouts });
    const module = this.module(number);
    try {
      return await this.device.createComputePipelineAsync({ label: name, layout, compute: { module, entryPoint: entry, constants } });
    } catch (error) {
      const { messages } = await module.getCompilationInfo();
      const said = messages.find((message) => message.type === "error")?.message || error.message;
      throw new Complaint(`This browser does not take the shader ${name} (${said}); update the browser or the graphics driver.`);
    }
  }

  idOf(layout) {
    for (const [key, value] of this.layouts) if (value === layout) return key;
    return "";
  }

  once(map, key, make) {
    if (!map.has(key)) map.set(key, make());
    return map.get(key);
  }

  buffer(bytes, usage, data) {
    const buffer = this.device.createBuffer({ size: Math.max(16, Math.ceil(bytes / 16) * 16), usage });
    if (data) this.device.queue.writeBuffer(buffer, 0, data);
    return buffer;
  }

  uniform(data) {
    return this.buffer(data.byteLength, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST, data);
  }

  texture(width, height, format = "rgba16float", more = 0) {
    const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.STORAGE_BINDING | more;
    return this.device.createTexture({ size: [width, height], format, usage });
  }
}

// Says `what` in place of the browser's words where the GPU has no memory or refuses something that `work` makes.
export async function guarded(device, what, work) {
  device.pushErrorScope("validation");
  device.pushErrorScope("out-of-memory");
  let made;
  try {
    made = await work();
  } finally {
    const memory = await device.popErrorScope();
    const other = await device.popErrorScope();
    if (memory) throw new Complaint(`The GPU has no memory for ${what}; close other pages and programs, then reload.`);
    if (other) throw new Complaint(`The GPU refuses ${what} (${other.message.split("\n")[0]}); update the browser or the graphics driver.`);
  }
  return made;
}
