// A stage's result mixed with what the stage was given, as StageMixing on the desktop: steps that make a mask, and last the composite. The
// plan names the textures that each reads and writes.

import { Stage } from "./stage.js";

export class Mixing {
  static async make(kernels, tables, loader) {
    const make = async (table) => {
      const [stage, drawn] = await Promise.all([Stage.make(kernels, table, loader), table.drawn && Drawn.make(kernels, table.drawn)]);
      return { io: Object.entries(table.io), stage, drawn };
    };
    const steps = await Promise.all(tables.map(make));
    return Object.assign(new Mixing(), { steps, composite: steps.at(-1).stage });
  }

  // False where the result replaces what the stage was given.
  get isNeeded() {
    const { opacity, blend } = this.composite.values;
    return this.steps.length > 1 || opacity < 1 || blend !== "normal";
  }

  encode(encoder, textures, size, info) {
    for (const { io, stage, drawn } of this.steps) {
      const own = Object.fromEntries(io.map(([role, name]) => [role, textures[name]]));
      if (drawn) own.given = drawn.draw(encoder, size);
      stage.encode(encoder, own, size, info);
    }
  }
}

const SHAPE = 20; // 32-bit words of a shape in shapes.wgsl
const OUTLINE = 3;
const STROKE = 4;

// Drawn outlines and strokes as a texture of their coverage, which is drawn again when the size changes.
class Drawn {
  static async make(kernels, { shader, shapes }) {
    const module = kernels.module(shader);
    const most = { operation: "max", srcFactor: "one", dstFactor: "one" };
    const targets = [{ format: "r8unorm", blend: { color: most, alpha: most } }];
    const [vertex, fragment] = [{ module }, { module, targets }];
    const pipeline = await kernels.device.createRenderPipelineAsync({ layout: "auto", vertex, fragment });
    return Object.assign(new Drawn(), { kernels, shapes, pipeline });
  }

  // The shapes as the shader has them, and their points, in pixels.
  packed([width, height]) {
    const floats = new Float32Array(SHAPE * Math.max(1, this.shapes.length));
    const numbers = new Uint32Array(floats.buffer);
    const points = [];
    this.shapes.forEach((shape, i) => {
      const at = SHAPE * i;
      const radius = (shape.width * height) / 2;
      const xs = shape.points.map(([x]) => x * width);
      const ys = shape.points.map(([, y]) => y * height);
      const place = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
      const box = place.map((side, number) => side + (number < 2 ? -1 : 1) * (radius + 1));
      floats.set([...box, ...place], at);
      numbers.set([shape.width ? STROKE : OUTLINE, points.length / 2, xs.length], at + 12);
      floats[at + 17] = radius;
      points.push(...xs.flatMap((x, number) => [x, ys[number]]));
    });
    return [floats, new Float32Array(points)];
  }

  draw(encoder, size) {
    if (this.texture?.width === size[0] && this.texture.height === size[1]) return this.texture;
    const { device } = this.kernels;
    this.texture?.destroy();
    const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.TEXTURE_BINDING;
    this.texture = device.createTexture({ size, format: "r8unorm", usage });
    const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
    const buffers = this.packed(size).map((data) => this.kernels.buffer(data.byteLength, storage, data));
    buffers.push(this.kernels.uniform(new Float32Array([...size, 0, 0])));
    const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
    const none = this.kernels.texture(1, 1, "r32float").createView({ dimension: "2d-array" }); // for shapes that are masks of objects
    const layout = this.pipeline.getBindGroupLayout(0);
    const pass = encoder.beginRenderPass({ colorAttachments: [{ view: this.texture.createView(), loadOp: "clear", storeOp: "store" }] });
    pass.setPipeline(this.pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout, entries: [...entries, { binding: 3, resource: none }] }));
    pass.draw(6, this.shapes.length);
    pass.end();
    return this.texture;
  }
}
