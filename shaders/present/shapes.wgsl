// Draws the coverage of shapes of a mask: each is a quad around it, an instance of one draw; the largest coverage of a pixel stays.
// Edges are antialiased over one pixel by their distance.

struct Shape {
  box: vec4f,     // left, top, right, bottom in pixels, a pixel wider than the shape
  place: vec4f,   // the shape's own: left, top, right, bottom in pixels
  part: vec4f,    // what of the mask's texture lies in `place`, in shares of it
  kind: u32,
  first: u32,     // number of its first point in `points`
  count: u32,
  layer: u32,
  level: f32,     // the object is where the mask's interpolated value is above this
  radius: f32,    // of a stroke, in pixels
  unused: vec2f,
}

struct Corner {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat) shape: u32,
}

@group(0) @binding(0) var<storage, read> shapes: array<Shape>;
@group(0) @binding(1) var<storage, read> points: array<vec2f>;
@group(0) @binding(2) var<uniform> size: vec4f;
@group(0) @binding(3) var masks: texture_2d_array<f32>;

const BOX = 0u;
const ELLIPSE = 1u;
const MASK = 2u;
const OUTLINE = 3u;

@vertex fn vertex(@builtin(vertex_index) i: u32, @builtin(instance_index) number: u32) -> Corner {
  var corners = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u);
  let at = corners[i];
  let box = shapes[number].box;
  let p = vec2f(select(box.x, box.z, (at & 1u) == 1u), select(box.y, box.w, at > 1u));
  return Corner(vec4f(p / size.xy * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0), 0.0, 1.0), number);
}

fn box_distance(place: vec4f, p: vec2f) -> f32 {
  let off = abs(p - 0.5 * (place.xy + place.zw)) - 0.5 * abs(place.zw - place.xy);
  return length(max(off, vec2f(0.0))) + min(max(off.x, off.y), 0.0);
}

// To first order: the value of the implicit function over the length of its gradient.
fn ellipse_distance(place: vec4f, p: vec2f) -> f32 {
  let radii = max(0.5 * abs(place.zw - place.xy), vec2f(1e-3));
  let off = p - 0.5 * (place.xy + place.zw);
  let far = length(off / radii);
  return far * (far - 1.0) / max(length(off / (radii * radii)), 1e-9);
}

fn texel(at: vec2i, layer: u32) -> f32 {
  let most = vec2i(textureDimensions(masks)) - 1;
  return textureLoad(masks, clamp(at, vec2i(0), most), layer, 0).r;
}

// Bilinear by hand: not every GPU filters 32-bit floats.
fn mask_value(shape: Shape, p: vec2f) -> f32 {
  let share = (p - shape.place.xy) / (shape.place.zw - shape.place.xy);
  let uv = shape.part.xy + share * (shape.part.zw - shape.part.xy);
  let at = uv * vec2f(textureDimensions(masks)) - 0.5;
  let corner = vec2i(floor(at));
  let f = at - floor(at);
  let top = mix(texel(corner, shape.layer), texel(corner + vec2i(1, 0), shape.layer), f.x);
  let bottom = mix(texel(corner + vec2i(0, 1), shape.layer), texel(corner + vec2i(1, 1), shape.layer), f.x);
  return mix(top, bottom, f.y);
}

fn mask_coverage(shape: Shape, p: vec2f) -> f32 {
  if (box_distance(shape.place, p) > 0.0) { return 0.0; }
  let here = mask_value(shape, p);
  let slope = vec2f(mask_value(shape, p + vec2f(1.0, 0.0)) - here, mask_value(shape, p + vec2f(0.0, 1.0)) - here);
  return clamp((here - shape.level) / max(length(slope), 1e-6) + 0.5, 0.0, 1.0);
}

fn segment_distance(a: vec2f, b: vec2f, p: vec2f) -> f32 {
  let along = b - a;
  let share = clamp(dot(p - a, along) / max(dot(along, along), 1e-9), 0.0, 1.0);
  return length(p - a - share * along);
}

// Negative inside (even-odd rule).
fn outline_distance(shape: Shape, p: vec2f) -> f32 {
  var nearest = 1e9;
  var inside = false;
  for (var i = 0u; i < shape.count; i++) {
    let a = points[shape.first + i];
    let b = points[shape.first + (i + 1u) % shape.count];
    nearest = min(nearest, segment_distance(a, b, p));
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y)) { inside = !inside; }
  }
  return select(nearest, -nearest, inside);
}

fn stroke_distance(shape: Shape, p: vec2f) -> f32 {
  var nearest = distance(points[shape.first], p);
  for (var i = 1u; i < shape.count; i++) {
    nearest = min(nearest, segment_distance(points[shape.first + i - 1u], points[shape.first + i], p));
  }
  return nearest - shape.radius;
}

@fragment fn fragment(corner: Corner) -> @location(0) vec4f {
  let shape = shapes[corner.shape];
  let p = corner.position.xy;
  var covered = 0.0;
  switch (shape.kind) {
    case BOX: { covered = clamp(0.5 - box_distance(shape.place, p), 0.0, 1.0); }
    case ELLIPSE: { covered = clamp(0.5 - ellipse_distance(shape.place, p), 0.0, 1.0); }
    case MASK: { covered = mask_coverage(shape, p); }
    case OUTLINE: { covered = clamp(0.5 - outline_distance(shape, p), 0.0, 1.0); }
    default: { covered = clamp(0.5 - stroke_distance(shape, p), 0.0, 1.0); }
  }
  return vec4f(covered);
}
