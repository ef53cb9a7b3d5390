// How a picture goes into a network: the part of it that counts, and the filter's weights. The rest is in preprocess.wgsl. Both are those of
// Lightloom on the desktop (Preprocess.box, filter_taps); they are here because the pictures' size is known here alone.

const KEPT = 4; // textures that a chain takes turns with

const halfToEven = (value) => {
  const below = Math.floor(value);
  const rest = value - below;
  return rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1;
};

function boxOf(plan, width, height) {
  if (plan.inner) return { x: 0, y: 0, width, height, at: [0, 0], size: plan.inner };
  const whole = [plan.width, plan.height];
  if (plan.resize === "crop") {
    const ratio = Math.min(width / plan.width, height / plan.height) * plan.crop;
    const [w, h] = [plan.width * ratio, plan.height * ratio];
    return { x: (width - w) / 2, y: (height - h) / 2, width: w, height: h, at: [0, 0], size: whole };
  }
  if (plan.resize === "stretch") return { x: 0, y: 0, width, height, at: [0, 0], size: whole };
  if (plan.resize === "stretched_crop") {
    const [w, h] = [width * plan.crop, height * plan.crop];
    return { x: (width - w) / 2, y: (height - h) / 2, width: w, height: h, at: [0, 0], size: whole };
  }
  const ratio = Math.min(plan.width / width, plan.height / height);
  const size = [width, height].map((side) => Math.max(1, halfToEven(side * ratio)));
  return { x: 0, y: 0, width, height, at: size.map((side, i) => Math.floor((whole[i] - side) / 2)), size };
}

// What each of `count` samples is made of along one axis: an antialiased filter, whose support grows as the picture shrinks.
function tapsOf(count, origin, extent, limit, interpolation) {
  const step = extent / count;
  const scale = Math.max(step, 1);
  const support = scale * (interpolation === "bicubic" ? 2 : 1);
  const isNearest = interpolation === "nearest";
  const taps = isNearest ? 1 : Math.min(limit, Math.ceil(2 * support) + 1);
  const words = new Uint32Array(count * (1 + taps));
  const floats = new Float32Array(words.buffer);
  let least = Infinity;
  let greatest = 0;
  const weights = new Float64Array(taps);
  for (let i = 0; i < count; i++) {
    const center = origin + (i + 0.5) * step;
    const begin = Math.floor(isNearest ? center : center - support + 0.5);
    const first = Math.min(Math.max(begin, 0), limit - taps);
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      const distance = Math.abs(first + tap + 0.5 - center) / scale;
      weights[tap] = isNearest ? 1 : interpolation === "bicubic" ? cubic(distance) : Math.max(1 - distance, 0);
      sum += weights[tap];
    }
    words[i * (1 + taps)] = first;
    for (let tap = 0; tap < taps; tap++) floats[i * (1 + taps) + 1 + tap] = weights[tap] / sum;
    least = Math.min(least, first);
    greatest = Math.max(greatest, first);
  }
  return { words, taps, least, rows: greatest + taps - least };
}

// Keys 1981, a = -0.5.
function cubic(d) {
  if (d < 1) return (1.5 * d - 2.5) * d * d + 1;
  return d < 2 ? ((-0.5 * d + 2.5) * d - 4) * d + 2 : 0;
}

export class Preprocess {
  static async make(kernels, table, tensor) {
    const made = new Preprocess();
    Object.assign(made, { kernels, table, tensor, size: [0, 0], groups: new Map() });
    const kind = (binding, entry) => ({ binding, visibility: GPUShaderStage.COMPUTE, ...entry });
    made.layout = kernels.layout([
      kind(0, { buffer: { type: "uniform" } }),
      kind(1, { texture: { sampleType: "unfilterable-float" } }),
      kind(2, { buffer: { type: "storage" } }),
      kind(3, { buffer: { type: "storage" } }),
      kind(4, { buffer: { type: "read-only-storage" } }),
    ]);
    [made.horizontal, made.vertical] = await Promise.all([
      kernels.pipeline(table.horizontal, [made.layout]),
      kernels.pipeline(table.vertical, [made.layout], table.constants),
    ]);
    return made;
  }

  resize(width, height) {
    const { table, kernels } = this;
    const box = boxOf(table, width, height);
    const across = tapsOf(box.size[0], box.x, box.width, width, table.interpolation);
    const down = tapsOf(box.size[1], box.y, box.height, height, table.interpolation);
    for (let i = 0; i < down.words.length; i += 1 + down.taps) down.words[i] -= down.least;
    const packed = new Uint32Array(across.words.length + down.words.length);
    packed.set(across.words);
    packed.set(down.words, across.words.length);
    const elements = table.width * table.height * table.channels;
    const plan = new DataView(new ArrayBuffer(112));
    const whole = [
      ...[table.width, table.height, ...box.at, ...box.size, across.taps, down.taps],
      ...[down.least, down.rows, table.channels, table.channels, table.channelsLast ? 1 : 0, 0, elements],
    ];
    whole.forEach((value, i) => plan.setUint32(4 * i, value, true));
    plan.setFloat32(60, table.surroundings, true);
    table.rows.flat().forEach((value, i) => plan.setFloat32(64 + 4 * i, value, true));
    for (const old of [this.plan, this.middle, this.taps]) old?.destroy();
    const storage = GPUBufferUsage.STORAGE;
    this.plan = kernels.uniform(plan.buffer);
    this.middle = kernels.buffer(table.channels * down.rows * box.size[0] * 4, storage);
    this.taps = kernels.buffer(packed.byteLength, storage | GPUBufferUsage.COPY_DST, packed);
    const words = Math.ceil(elements / table.constants.packing);
    const columns = Math.min(Math.ceil(words / 64), 32768);
    this.across = [Math.ceil(box.size[0] / 16), Math.ceil(down.rows / 8)];
    this.down = [columns, Math.ceil(words / 64 / columns)];
    this.size = [width, height];
    this.groups.clear();
  }

  encode(pass, texture) {
    if (texture.width !== this.size[0] || texture.height !== this.size[1]) this.resize(texture.width, texture.height);
    if (!this.groups.has(texture)) {
      if (this.groups.size >= KEPT) this.groups.clear();
      const buffers = { 0: this.plan, 2: this.middle, 3: this.tensor, 4: this.taps };
      const entries = Object.entries(buffers).map(([binding, buffer]) => ({ binding: Number(binding), resource: { buffer } }));
      entries.push({ binding: 1, resource: texture.createView() });
      this.groups.set(texture, this.kernels.device.createBindGroup({ layout: this.layout, entries }));
    }
    pass.setBindGroup(0, this.groups.get(texture));
    pass.setPipeline(this.horizontal);
    pass.dispatchWorkgroups(...this.across);
    pass.setPipeline(this.vertical);
    pass.dispatchWorkgroups(...this.down);
  }
}
