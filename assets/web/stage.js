// One filter of the chain, as FilterStage on the desktop: its uniforms, textures and bind groups. A pass that writes a texture sees a black
// one in its place; a persistent texture is a pair that changes roles at each picture.

import { fromText } from "./kernels.js";
import { Network } from "./network.js";

export class Stage {
  static async make(kernels, table, loader) {
    const made = new Stage();
    const { device } = kernels;
    Object.assign(made, { kernels, device, table, enabled: table.enabled, size: [0, 0], parity: 0, last: -2, io: null });
    made.values = Object.fromEntries(table.params.map((param) => [param.name, param.value]));
    made.bytes = fromText(table.uniform);
    made.params = kernels.uniform(made.bytes);
    made.frame = kernels.uniform(new Uint8Array(32));
    made.sampler = device.createSampler({ magFilter: "linear", minFilter: "linear" });
    made.black = kernels.texture(1, 1);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
    made.buffers = Object.fromEntries(table.buffers.map((each) => [each.name, kernels.buffer(each.bytes, usage)]));
    made.textures = {};
    made.layout = kernels.layout(table.layout);
    const passes = table.passes.map(async (pass) => {
      const result = kernels.layout(pass.result);
      return { ...pass, result, hasResult: pass.result.length > 0, pipeline: await kernels.pipeline(pass.shader, [made.layout, result]) };
    });
    [made.passes, made.files, made.network] = await Promise.all([
      Promise.all(passes),
      made.load(loader),
      table.network && (kernels.networks[table.network.shared] ?? Network.make(kernels, table.network, loader)),
    ]);
    if (made.network) {
      const { width, height } = made.network.texture;
      const about = new DataView(new ArrayBuffer(16));
      about.setFloat32(0, width, true);
      about.setFloat32(4, height, true);
      about.setUint32(8, made.network.channels, true);
      made.about = kernels.uniform(about.buffer);
    }
    return made;
  }

  // Tables and pictures that the filter reads beside the one that is filtered.
  async load(loader) {
    const found = await Promise.all(
      this.table.files.map(async (file) => {
        const data = (await loader.bytes(file.data)).subarray(0, file.bytes);
        return [file.name, file.size ? this.texels(file, data) : await this.picture(data)];
      }),
    );
    return Object.fromEntries(found);
  }

  texels({ size, dimension, format }, data) {
    const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST;
    const texture = this.device.createTexture({ size, dimension: dimension === "3d" ? "3d" : "2d", format, usage });
    this.device.queue.writeTexture({ texture }, data, { bytesPerRow: size[0] * 8, rowsPerImage: size[1] }, size);
    return texture;
  }

  async picture(data) {
    const source = await createImageBitmap(new Blob([data]), { premultiplyAlpha: "none" });
    const more = GPUTextureUsage.COPY_DST | GPUTextureUsage.RENDER_ATTACHMENT;
    const texture = this.kernels.texture(source.width, source.height, "rgba16float", more);
    this.device.queue.copyExternalImageToTexture({ source }, { texture }, [source.width, source.height]);
    return texture;
  }

  set(param, value) {
    this.values[param.name] = value;
    const view = new DataView(this.bytes.buffer);
    const put = { f32: "setFloat32", vec2f: "setFloat32", vec4f: "setFloat32", i32: "setInt32", u32: "setUint32" }[param.wgsl];
    const plain = param.editor === "choice" ? param.choices.indexOf(value) : value;
    [plain].flat().forEach((number, i) => view[put](param.at + 4 * i, Number(number), true));
    this.device.queue.writeBuffer(this.params, 0, this.bytes);
  }

  makeTextures([width, height], onlyPersistent) {
    for (const spec of this.table.textures) {
      if (onlyPersistent && !spec.persistent) continue;
      this.textures[spec.name]?.forEach((texture) => texture.destroy());
      const limit = this.device.limits.maxTextureDimension2D;
      const wanted = spec.size || [width, height].map((side) => Math.max(1, Math.ceil(side * spec.scale)));
      const size = wanted.map((side) => Math.min(side, limit));
      const count = spec.persistent ? 2 : 1;
      this.textures[spec.name] = Array.from({ length: count }, () => this.kernels.texture(...size, spec.format));
    }
  }

  // `io`: the textures that it reads, the picture before the chain, where it writes, and what the chain gives it.
  prepare(io, size, reset) {
    const same = size[0] === this.size[0] && size[1] === this.size[1];
    if (!same || reset) this.makeTextures(size, same);
    else if (this.io && Object.keys(io).every((key) => io[key] === this.io[key])) return;
    this.size = size;
    this.io = io;
    const isPersistent = this.table.textures.some((spec) => spec.persistent);
    this.commands = Array.from({ length: isPersistent ? 2 : 1 }, (_, parity) => this.bind(parity));
  }

  bind(parity) {
    const read = {};
    const write = { output: this.io.output };
    for (const { name, persistent } of this.table.textures) {
      const pair = this.textures[name];
      read[name] = pair[persistent ? parity : 0];
      write[name] = pair[persistent ? 1 - parity : 0];
    }
    return this.passes.map((pass) => this.command(pass, read, write));
  }

  command(pass, read, write) {
    const target = write[pass.output];
    const group = this.device.createBindGroup({ layout: this.layout, entries: this.entries(read, target) });
    const entries = pass.hasResult ? [{ binding: 0, resource: target.createView() }] : [];
    const result = this.device.createBindGroup({ layout: pass.result, entries });
    const covered = pass.cover ? write[pass.cover] : target;
    const [width, height] = covered ? [covered.width, covered.height] : this.size;
    const groups = pass.grid || [Math.ceil(width / pass.tile[0]), Math.ceil(height / pass.tile[1])];
    return { pipeline: pass.pipeline, group, result, groups };
  }

  entries(read, target) {
    const textures = { input: this.io.input, original: this.io.original, ...read, ...this.files };
    const buffers = { frame: this.frame, params: this.params, ...this.buffers, network: this.about };
    const { network, given } = this.table;
    if (given) textures[given] = this.io.given || this.black;
    if (network) {
      textures[network.texture] = this.network.texture;
      if (network.seen) textures[network.seen] = this.io.input;
    }
    return this.table.layout.map(({ name, binding, buffer, sampler, texture }) => {
      if (buffer) return { binding, resource: { buffer: buffers[name] } };
      if (sampler) return { binding, resource: this.sampler };
      const shown = textures[name] === target ? this.black : textures[name];
      return { binding, resource: shown.createView({ dimension: texture.viewDimension }) };
    });
  }

  // Records one picture. `info`: time, delta and index of it, and whether its past is void.
  encode(encoder, io, size, info) {
    const reset = info.reset || this.last !== info.index - 1;
    this.last = info.index;
    // Those of masks see the picture before the chain.
    this.network?.encode(encoder, this.table.io ? io.original : io.input, info);
    this.prepare(io, size, reset);
    const frame = new DataView(new ArrayBuffer(32));
    [...size, info.time, info.delta].forEach((value, i) => frame.setFloat32(4 * i, value, true));
    frame.setUint32(16, info.index, true);
    frame.setUint32(20, reset ? 1 : 0, true);
    frame.setFloat32(24, size[1] / 1080, true);
    this.device.queue.writeBuffer(this.frame, 0, frame.buffer);
    for (const { name, clear } of this.table.buffers) if (clear) encoder.clearBuffer(this.buffers[name]);
    const pass = encoder.beginComputePass();
    for (const { pipeline, group, result, groups } of this.commands[this.parity % this.commands.length]) {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.setBindGroup(1, result);
      pass.dispatchWorkgroups(...groups);
    }
    pass.end();
    this.parity ^= 1;
  }
}
