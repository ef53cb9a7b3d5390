// A plan on this browser's GPU: a picture in, through the chain, past the network that looks at it, onto a canvas.

import { Complaint } from "./complaint.js";
import { Kernels, guarded } from "./kernels.js";
import { Mixing } from "./mixing.js";
import { Network, formFor, rangesOf } from "./network.js";
import { Loader } from "./pieces.js";
import { Stage } from "./stage.js";

const VERSION = 2;
const IN_FLIGHT = 2; // pictures that the GPU may be behind
const PRESENT = `
override straight: bool = false;
@group(0) @binding(0) var picture: texture_2d<f32>;
@vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i & 2u) * 2.0 - 1.0, 0.0, 1.0);
}
@fragment fn pixel(@builtin(position) at: vec4f) -> @location(0) vec4f {
  let c = clamp(textureLoad(picture, vec2i(at.xy), 0), vec4f(0.0), vec4f(1.0));
  return select(vec4f(c.rgb * c.a, 1.0), c, straight);
}`;

const networksOf = (plan) => [plan.look, ...plan.networks, ...plan.stages.map((stage) => stage.network)].filter(Boolean);

async function openDevice(plan, software) {
  if (!isSecureContext) throw new Complaint("Browsers have WebGPU on safe pages only; open this one by https.");
  if (!navigator.gpu) {
    throw new Complaint("This browser has no WebGPU, which computes the pictures; open the page in a current Chrome, Edge, Firefox or Safari.");
  }
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) {
    throw new Complaint("The browser found no GPU that it can use; switch its hardware acceleration on, or update the graphics driver.");
  }
  const isSoftware = software ?? (Boolean(adapter.info?.isFallbackAdapter) || adapter.info?.architecture === "swiftshader");
  const forms = networksOf(plan).map((network) => formFor(network, { features: adapter.features, isSoftware }));
  const largest = Math.max(0, ...forms.map((form) => form.largest));
  const requiredLimits = {};
  for (const limit of ["maxStorageBufferBindingSize", "maxBufferSize"]) {
    if (largest > adapter.limits[limit]) {
      throw new Complaint(`The network needs a buffer of ${Math.ceil(largest / 2 ** 20)} MiB, more than this GPU gives a page; open it on another one.`);
    }
    requiredLimits[limit] = Math.max(largest, Math.min(adapter.limits[limit], 2 ** 27));
  }
  requiredLimits.maxTextureDimension2D = adapter.limits.maxTextureDimension2D;
  const requiredFeatures = [...new Set(forms.flatMap((form) => form.features))];
  return { adapter, isSoftware, device: await adapter.requestDevice({ requiredFeatures, requiredLimits }) };
}

export class Engine {
  // Opens the GPU and loads everything. `onProgress(loaded, total)` counts bytes; `onLost(sentence)` is called once nothing works any more;
  // `software` says whether networks take the form for adapters that compute on the CPU, where it is not left to the adapter.
  static async make(plan, { onProgress, onLost = () => {}, software } = {}) {
    if (plan.lightloom !== VERSION) throw new Complaint("This page and its plan.json are of different versions; export and upload the folder again.");
    const made = new Engine();
    const { adapter, device, isSoftware } = await openDevice(plan, software);
    Object.assign(made, { plan, device, adapter, busy: 0, index: 0, time: null, count: 0, looking: false, predictions: [] });
    device.lost.then(({ reason, message }) => {
      if (reason !== "destroyed") onLost(`The GPU stopped (${message.split("\n")[0] || "it says no reason"}); reload the page.`);
    });
    device.addEventListener("uncapturederror", ({ error }) => onLost(`The GPU refused a picture (${error.message.split("\n")[0]}); reload the page.`));
    const kernels = (made.kernels = new Kernels(device, plan.shaders, isSoftware));
    made.loader = new Loader(onProgress);
    for (const network of networksOf(plan)) made.loader.expect(network.weights, rangesOf(formFor(network, kernels)));
    for (const stage of plan.stages) stage.files.forEach((file) => made.loader.expect(file.data));
    kernels.networks = plan.networks.map((table) => Network.make(kernels, table, made.loader));
    const makeStage = async (table) => {
      const [stage, mixing] = await Promise.all([Stage.make(kernels, table, made.loader), Mixing.make(kernels, table.mixing, made.loader)]);
      return Object.assign(stage, { mixing });
    };
    [made.stages, made.look] = await Promise.all([
      Promise.all(plan.stages.map(makeStage)),
      plan.look && Network.make(kernels, plan.look, made.loader),
    ]);
    await made.loader.tidy();
    return made;
  }

  get adapterName() {
    const { vendor, architecture, description } = this.adapter.info || {};
    return description || [vendor, architecture].filter(Boolean).join(" ") || "GPU";
  }

  get isReady() {
    return this.busy < (this.plain ? 1 : IN_FLIGHT);
  }

  show(canvas) {
    this.canvas = canvas;
    this.straight = this.presenter("rgba8unorm", 1);
    // Chromium without a GPU loses the whole device when a WebGPU canvas is drawn: there the picture is read back.
    if (this.kernels.isSoftware) {
      this.plain = canvas.getContext("2d");
      this.shown = this.presenter("rgba8unorm", 0);
      return;
    }
    const format = navigator.gpu.getPreferredCanvasFormat();
    this.shown = this.presenter(format, 0);
    this.context = canvas.getContext("webgpu");
    this.context.configure({ device: this.device, format, alphaMode: "opaque" });
  }

  presenter(format, straight) {
    const module = this.device.createShaderModule({ code: PRESENT });
    const fragment = { module, entryPoint: "pixel", targets: [{ format }], constants: { straight } };
    return this.device.createRenderPipeline({ layout: "auto", vertex: { module, entryPoint: "corner" }, fragment });
  }

  async resize(width, height) {
    const most = this.device.limits.maxTextureDimension2D;
    if (Math.max(width, height) > most) {
      throw new Complaint(`The picture has ${width} x ${height} pixels, and this GPU takes ${most} a side; choose a smaller one.`);
    }
    await guarded(this.device, `pictures of ${width} x ${height}`, () => {
      for (const old of [this.input, ...(this.written || []), ...Object.values(this.masks || {})]) old?.destroy();
      const more = GPUTextureUsage.COPY_DST | GPUTextureUsage.RENDER_ATTACHMENT;
      this.input = this.kernels.texture(width, height, "rgba16float", more);
      const some = (count) => Array.from({ length: count }, () => this.kernels.texture(width, height));
      this.written = some(this.plan.textures);
      this.masks = Object.fromEntries(some(this.plan.masks).map((texture, number) => [`mask ${number}`, texture]));
    });
    Object.assign(this.canvas, { width, height });
    this.size = [width, height];
    this.reset();
  }

  // What comes does not follow what was: another source, a jump.
  reset() {
    this.index = 0;
    this.time = null;
    this.count = 0;
  }

  // Shows a picture; resolves when the GPU has finished it. `time`: its presentation time in seconds; `always`: the network looks at it.
  async render(source, time, { always = false } = {}) {
    const { device, size } = this;
    device.queue.copyExternalImageToTexture({ source: this.copyable(source) }, { texture: this.input }, size);
    const delta = this.time === null ? 0 : Math.max(0, time - this.time);
    const info = { time, delta, index: this.index, reset: this.index === 0 };
    this.time = time;
    this.index++;
    const encoder = device.createCommandEncoder();
    const current = this.chain(encoder, info);
    const looks = this.look && !this.looking && (always || this.count++ % this.plan.look.every === 0);
    const staging = looks ? this.encodeLook(encoder, this.plan.look.onResult ? current : this.input) : null;
    if (this.context) this.present(encoder, current, this.shown, this.context.getCurrentTexture());
    this.current = current;
    device.queue.submit([encoder.finish()]);
    this.busy++;
    const seen = staging && this.read(staging);
    try {
      if (this.plain) this.plain.putImageData(await this.pixels(this.shown), 0, 0);
      else await device.queue.onSubmittedWorkDone();
      await (always ? seen : null);
    } finally {
      this.busy--;
    }
  }

  // Chromium without a GPU does not copy videos into textures, but canvases.
  copyable(source) {
    if (!this.plain || !(source instanceof HTMLVideoElement)) return source;
    const [width, height] = this.size;
    if (this.between?.width !== width || this.between.height !== height) this.between = new OffscreenCanvas(width, height);
    this.between.getContext("2d", { willReadFrequently: true }).drawImage(source, 0, 0, width, height);
    return this.between;
  }

  chain(encoder, info) {
    const frame = this.input;
    const results = {}; // those that masks of later stages read
    const free = (...busy) => this.written.find((texture) => !busy.includes(texture) && !Object.values(results).includes(texture));
    let current = frame;
    this.stages.forEach((stage, number) => {
      if (stage.enabled) {
        const base = current;
        const effect = (current = free(base));
        stage.encode(encoder, { input: base, original: frame, output: effect }, this.size, info);
        if (stage.mixing.isNeeded) {
          const result = (current = free(base, effect));
          stage.mixing.encode(encoder, { frame, base, effect, result, ...this.masks, ...results }, this.size, info);
        }
      }
      if (stage.table.isRead) results[`stage ${number}`] = current;
    });
    return current;
  }

  present(encoder, texture, pipeline, target) {
    const pass = encoder.beginRenderPass({ colorAttachments: [{ view: target.createView(), loadOp: "clear", storeOp: "store" }] });
    const entries = [{ binding: 0, resource: texture.createView() }];
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, this.device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    pass.draw(3);
    pass.end();
  }

  encodeLook(encoder, texture) {
    const { bytes } = this.look.form.head;
    this.staging ||= this.kernels.buffer(bytes, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
    this.look.encode(encoder, texture);
    encoder.copyBufferToBuffer(this.look.result, 0, this.staging, 0, bytes);
    this.looking = true;
    return this.staging;
  }

  // The best classes, first the best, with their numbers, names and probabilities.
  async read(staging) {
    try {
      await staging.mapAsync(GPUMapMode.READ);
      const data = new DataView(staging.getMappedRange().slice(0));
      staging.unmap();
      const { labels } = this.plan.look;
      this.predictions = Array.from({ length: this.look.form.head.bytes / 8 }, (_, i) => {
        const index = data.getUint32(8 * i, true);
        return { index, label: labels[index] ?? `class ${index}`, probability: data.getFloat32(8 * i + 4, true) };
      });
      this.onPredictions?.(this.predictions);
    } finally {
      this.looking = false;
    }
  }

  // The picture that the chain made, as bytes R'G'B'A, row by row.
  async pixels(pipeline = this.straight) {
    const [width, height] = this.size;
    const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
    const texture = this.device.createTexture({ size: this.size, format: "rgba8unorm", usage });
    const bytesPerRow = Math.ceil((width * 4) / 256) * 256;
    const buffer = this.kernels.buffer(bytesPerRow * height, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
    const encoder = this.device.createCommandEncoder();
    this.present(encoder, this.current, pipeline, texture);
    encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow }, this.size);
    this.device.queue.submit([encoder.finish()]);
    await buffer.mapAsync(GPUMapMode.READ);
    const rows = new Uint8Array(buffer.getMappedRange());
    const data = new Uint8ClampedArray(width * height * 4);
    for (let y = 0; y < height; y++) data.set(rows.subarray(y * bytesPerRow, y * bytesPerRow + width * 4), y * width * 4);
    buffer.destroy();
    texture.destroy();
    return new ImageData(data, width, height);
  }

  close() {
    this.device.destroy();
  }
}
