// The pixels around a point, row by row: one invocation for each. Those beyond the picture's edge are those of the edge.

@group(0) @binding(0) var<uniform> plan: vec4f;   // the point, in shares of the picture; the pixels of a side
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var<storage, read_write> pixels: array<vec4f, 256>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let size = vec2i(textureDimensions(picture));
  let side = i32(plan.z);
  let p = vec2i(id.xy);
  if (p.x >= side || p.y >= side) { return; }
  let middle = clamp(vec2i(plan.xy * vec2f(size)), vec2i(0), size - 1);
  let at = clamp(middle - side / 2 + p, vec2i(0), size - 1);
  pixels[p.y * side + p.x] = textureLoad(picture, at, 0);
}
