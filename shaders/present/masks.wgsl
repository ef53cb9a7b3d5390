// Blends masks over a picture: each is a quad over its part of the picture, an instance of one draw.
//
// The values of a mask's texture are interpolated, then compared with its level: a mask of a few texels has a smooth border at any size.
// How far a pixel is from that border, in target pixels, is the difference from the level over the slope there, which the four texels give
// exactly; derivatives of the fragment would be wrong at the quad's rim, where a neighbor belongs to nothing.

struct Area {
  box: vec4f,    // left, top, right, bottom on the target; right is left of left where the picture is mirrored
  part: vec4f,   // what of the texture lies there, in shares of it
  color: vec3f,  // R'G'B'
  level: f32,
  layer: u32,
}

struct DrawnOn {
  size: vec2f,
  unused: vec2f,
}

struct Corner {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat) area: u32,
}

@group(0) @binding(0) var<storage, read> areas: array<Area>;
@group(0) @binding(1) var<uniform> drawn_on: DrawnOn;
@group(0) @binding(2) var masks: texture_2d_array<f32>;

const FILL = 0.45;
const LINE = 0.9;
const LINE_WIDTH = 1.5;

@vertex fn vertex(@builtin(vertex_index) i: u32, @builtin(instance_index) area: u32) -> Corner {
  // Left upper, right upper, left lower; left lower, right upper, right lower.
  var corners = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u);
  let at = corners[i];
  let box = areas[area].box;
  let p = vec2f(select(box.x, box.z, (at & 1u) == 1u), select(box.y, box.w, at > 1u));
  let clip = p / drawn_on.size * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0);
  return Corner(vec4f(clip, 0.0, 1.0), area);
}

@fragment fn fragment(corner: Corner) -> @location(0) vec4f {
  let area = areas[corner.area];
  let size = vec2f(textureDimensions(masks));
  let extent = area.box.zw - area.box.xy;
  let texels = (area.part.zw - area.part.xy) * size;
  let at = area.part.xy * size + (corner.position.xy - area.box.xy) / extent * texels - 0.5;
  let first = floor(at);
  let f = at - first;
  let last = vec2i(size) - 1;
  let low = clamp(vec2i(first), vec2i(0), last);
  let high = clamp(vec2i(first) + 1, vec2i(0), last);
  let a = textureLoad(masks, low, area.layer, 0).r;
  let b = textureLoad(masks, vec2i(high.x, low.y), area.layer, 0).r;
  let c = textureLoad(masks, vec2i(low.x, high.y), area.layer, 0).r;
  let d = textureLoad(masks, high, area.layer, 0).r;
  let value = mix(mix(a, b, f.x), mix(c, d, f.x), f.y);
  let slope = length(vec2f(mix(b - a, d - c, f.y), mix(c - a, d - b, f.x)) * texels / extent);
  // Pixels inside of the border; far inside, the slope says nothing and the number is merely large.
  let depth = clamp((value - area.level) / max(slope, 1e-6), -9.0, 9.0);
  let inside = clamp(depth + 0.5, 0.0, 1.0);
  let line = inside * clamp(LINE_WIDTH + 0.5 - depth, 0.0, 1.0);
  let alpha = max(FILL * inside, LINE * line);
  return vec4f(area.color * alpha, alpha);
}
