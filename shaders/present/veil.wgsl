// Draws hidden places over a picture: each is a quad of the pixels that it touches, an instance of one draw. What is drawn is made of the
// means of its blocks alone.

struct Area {
  box: vec4i,     // left, top, right, bottom in pixels, within the picture
  blocks: vec2u,
  first: u32,     // number of its first block in `means`
  shape: u32,
  part: vec4f,    // what of the mask's texture lies in `place`, in shares of it
  place: vec4f,   // of the mask, or of the ellipse: left, top, right, bottom in pixels
  level: f32,     // the thing is where the mask's interpolated value is above this
  layer: u32,
  grow: f32,      // pixels that are nearer to the mask than this are hidden too
  unused: u32,
}

struct How {
  size: vec2f,    // of the picture in pixels
  kind: u32,
  unused: u32,
}

struct Corner {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat) area: u32,
}

@group(0) @binding(0) var<storage, read> areas: array<Area>;
@group(0) @binding(1) var<storage, read> means: array<vec4f>;
@group(0) @binding(2) var covers: texture_2d_array<f32>;
@group(0) @binding(3) var<uniform> how: How;

const ELLIPSE = 1u;
const MASK = 2u;
const BLUR = 1u;
const FILL = 2u;
const FILLED = vec4f(0.12, 0.12, 0.13, 1.0);
const DIRECTIONS = 16;
const TAU = 6.2831853;

@vertex fn vertex(@builtin(vertex_index) i: u32, @builtin(instance_index) number: u32) -> Corner {
  var corners = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u);
  let at = corners[i];
  let box = vec4f(areas[number].box);
  let p = vec2f(select(box.x, box.z, (at & 1u) == 1u), select(box.y, box.w, at > 1u));
  return Corner(vec4f(p / how.size * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0), 0.0, 1.0), number);
}

fn mean_at(area: Area, block: vec2i) -> vec4f {
  let held = vec2u(clamp(block, vec2i(0), vec2i(area.blocks) - 1));
  return means[area.first + held.y * area.blocks.x + held.x];
}

fn block_of(area: Area, p: vec2i) -> vec2i {
  let size = area.box.zw - area.box.xy;
  return ((p - area.box.xy + 1) * vec2i(area.blocks) - 1) / size;
}

// Weights of a cubic B-spline for the four neighbors.
fn spline(f: f32) -> vec4f {
  let g = 1.0 - f;
  return vec4f(
    g * g * g,
    4.0 - 6.0 * f * f + 3.0 * f * f * f,
    4.0 - 6.0 * g * g + 3.0 * g * g * g,
    f * f * f,
  ) / 6.0;
}

fn smoothed(area: Area, p: vec2f) -> vec4f {
  let size = vec2f(area.box.zw - area.box.xy);
  let at = (p - vec2f(area.box.xy)) / size * vec2f(area.blocks) - 0.5;
  let across = spline(fract(at.x));
  let down = spline(fract(at.y));
  let corner = vec2i(floor(at)) - 1;
  var sum = vec4f(0.0);
  for (var y = 0; y < 4; y++) {
    for (var x = 0; x < 4; x++) { sum += mean_at(area, corner + vec2i(x, y)) * across[x] * down[y]; }
  }
  return sum;
}

fn is_in_ellipse(area: Area, p: vec2f) -> bool {
  let radius = max((area.place.zw - area.place.xy) * 0.5, vec2f(1e-3));
  let d = (p - (area.place.xy + area.place.zw) * 0.5) / radius;
  return dot(d, d) <= 1.0;
}

// Beyond the mask's own box it goes on as at its edge: the box may have cut the thing.
fn is_masked(area: Area, p: vec2f) -> bool {
  let size = vec2f(textureDimensions(covers));
  let low_end = area.part.xy * size;
  let high_end = area.part.zw * size;
  let share = (p - area.place.xy) / max(area.place.zw - area.place.xy, vec2f(1e-3));
  let at = clamp(low_end + share * (high_end - low_end), low_end, high_end) - 0.5;
  let first = floor(at);
  let f = at - first;
  let last = vec2i(size) - 1;
  let low = clamp(vec2i(first), vec2i(0), last);
  let high = clamp(vec2i(first) + 1, vec2i(0), last);
  let layer = area.layer;
  let above = mix(textureLoad(covers, low, layer, 0).r, textureLoad(covers, vec2i(high.x, low.y), layer, 0).r, f.x);
  let below = mix(textureLoad(covers, vec2i(low.x, high.y), layer, 0).r, textureLoad(covers, high, layer, 0).r, f.x);
  // Said so that what is no number is hidden.
  return !(mix(above, below, f.y) <= area.level);
}

fn is_near_mask(area: Area, p: vec2f) -> bool {
  if (is_masked(area, p)) { return true; }
  for (var i = 0; i < DIRECTIONS; i++) {
    let angle = f32(i) * TAU / f32(DIRECTIONS);
    let step = vec2f(cos(angle), sin(angle)) * area.grow;
    if (is_masked(area, p + step) || is_masked(area, p + step * 0.6) || is_masked(area, p + step * 0.25)) { return true; }
  }
  return false;
}

@fragment fn fragment(corner: Corner) -> @location(0) vec4f {
  let area = areas[corner.area];
  let p = corner.position.xy;
  if (area.shape == ELLIPSE && !is_in_ellipse(area, p)) { discard; }
  if (area.shape == MASK && !is_near_mask(area, p)) { discard; }
  if (how.kind == FILL) { return FILLED; }
  if (how.kind == BLUR) { return smoothed(area, p); }
  return mean_at(area, block_of(area, vec2i(p)));
}
