// The mean color of the pixels around a point, before and after the chain: one invocation for each of the two textures.

@group(0) @binding(0) var<uniform> share: vec2f;   // the point, in shares of the picture
@group(0) @binding(1) var before: texture_2d<f32>;
@group(0) @binding(2) var after: texture_2d<f32>;
@group(0) @binding(3) var<storage, read_write> colors: array<vec4f, 2>;

const REACH = 2;   // pixels on each side of the one in the middle

fn around(picture: texture_2d<f32>) -> vec4f {
  let size = vec2i(textureDimensions(picture));
  let middle = clamp(vec2i(share * vec2f(size)), vec2i(0), size - 1);
  let first = max(middle - REACH, vec2i(0));
  let last = min(middle + REACH, size - 1);
  var sum = vec3f(0.0);
  for (var y = first.y; y <= last.y; y++) {
    for (var x = first.x; x <= last.x; x++) {
      sum += clamp(textureLoad(picture, vec2i(x, y), 0).rgb, vec3f(0.0), vec3f(1.0));
    }
  }
  let extent = last - first + 1;
  return vec4f(sum / f32(extent.x * extent.y), 1.0);
}

@compute @workgroup_size(1)
fn main() {
  colors[0] = around(before);
  colors[1] = around(after);
}
