// Draws on the window: the picture (zoom and pan, before/after split, mirror, transparency), then the overlay.
// Pictures are working textures (straight alpha, R'G'B' as displayed); the target is a unorm texture and gets them gamma-coded as they are.
//
// What varies from draw to draw is bound, not branched on: the two sides of the split are two draws with two scissor rectangles, nearest neighbor is
// another sampler, the overlay is a draw of its own over its bounding box. A software adapter runs both sides of a branch: with all
// of it in one shader this pass took 16 ms on llvmpipe (732 x 729) where it now takes 10.

struct View {
  origin: vec2f,      // target pixel at which the picture's left upper corner stands
  scale: vec2f,       // picture pixels for one target pixel
  picture: vec2f,     // size of the picture in its pixels
  split: f32,         // target x of the before/after line; below zero: none
  mirrored: f32,      // 1: left and right are swapped
  overlay: vec2f,     // target pixel at which the overlay's left upper corner stands
  checkered: f32,     // 1: transparent parts show a checkerboard; else they are over black, as files without transparency have them
  unused: f32,
  line: vec4f,        // color of the before/after line
  corner: vec2f,      // target pixels that the picture covers: from here
  end: vec2f,         // to here
  background: vec4f,  // color beside it
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var picture_sampler: sampler;
@group(0) @binding(2) var picture: texture_2d<f32>;

@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

fn checker(p: vec2f) -> vec3f {
  let odd = (i32(floor(p.x / 12.0)) + i32(floor(p.y / 12.0))) & 1;
  return select(vec3f(0.32), vec3f(0.42), odd == 1);
}

// The picture's color at a target position.
fn shown(p: vec2f) -> vec4f {
  var at = (p - view.origin) * view.scale;
  at.x = mix(at.x, view.picture.x - at.x, view.mirrored);
  // A box of bilinear samples when the picture is shrunk: one sample alone skips pixels and shimmers.
  let taps = clamp(i32(ceil(max(view.scale.x, view.scale.y) * 0.5)), 1, 4);
  let step = view.scale / f32(taps);
  let first = at - view.scale * 0.5 + step * 0.5;
  var c = vec4f(0.0);
  for (var y = 0; y < taps; y++) {
    for (var x = 0; x < taps; x++) {
      c += textureSampleLevel(picture, picture_sampler, (first + vec2f(f32(x), f32(y)) * step) / view.picture, 0.0);
    }
  }
  c = clamp(c / f32(taps * taps), vec4f(0.0), vec4f(1.0));
  let on_line = select(0.0, view.line.a, view.split >= 0.0 && abs(p.x - view.split) < 1.0);
  let below = checker(p - view.origin) * view.checkered;
  return vec4f(mix(mix(below, c.rgb, c.a), view.line.rgb, on_line), 1.0);
}

@fragment fn draw_picture(@builtin(position) position: vec4f) -> @location(0) vec4f {
  return shown(position.xy);
}

// The same by a compute pass, for targets that can be stored to: data-center GPUs rasterize slowly.
@group(0) @binding(3) var target_texture: texture_storage_2d<rgba8unorm, write>;

@compute @workgroup_size(16, 8) fn place_picture(@builtin(global_invocation_id) id: vec3u) {
  if (any(id.xy >= textureDimensions(target_texture))) { return; }
  let p = vec2f(id.xy) + 0.5;
  let inside = all(p > view.corner) && all(p < view.end);
  if (inside) {
    textureStore(target_texture, id.xy, shown(p));
  } else {
    textureStore(target_texture, id.xy, view.background);
  }
}

// Premultiplied alpha, one texel a target pixel; the pipeline blends.
@fragment fn draw_overlay(@builtin(position) position: vec4f) -> @location(0) vec4f {
  return textureLoad(picture, vec2i(position.xy - view.overlay), 0);
}
