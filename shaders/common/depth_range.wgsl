// A depth network's map as nearness. A filter that uses this declares the network's texture `depth_map`, the buffers `found` and
// `settled`, the parameters `smoothing` and `invert`, and passes that call `measure_map` (tiles of 64 x 64) and `settle_range`.
//
// Networks give depth, disparity or anything between in a scale of their own, so the map is brought to 0 (farthest) to 1 (nearest) by
// its least and greatest value, which are averaged over time.

// Order-preserving map of floats to unsigned integers, for atomics.
fn key(v: f32) -> u32 {
  let bits = bitcast<u32>(v);
  return select(bits | 0x80000000u, ~bits, (bits >> 31u) == 1u);
}

fn unkey(k: u32) -> f32 { return bitcast<f32>(select(~k, k & 0x7fffffffu, (k >> 31u) == 1u)); }

// The workgroups cover the picture, whatever size the map has: each looks at the map's texels that lie in its tile.
fn measure_map(id: vec3u) {
  let size = vec2i(network.size);
  let share = vec2i(id.xy) * 8;
  let begin = share * size / vec2i(frame.size);
  let end = min((share + 8) * size / vec2i(frame.size), size);
  for (var y = begin.y; y < end.y; y++) {
    for (var x = begin.x; x < end.x; x++) {
      let v = textureLoad(depth_map, vec2i(x, y), 0).r;
      // Numbers that are none count for nothing.
      if (abs(v) < 1e30) {
        atomicMax(&found[0], key(v));
        atomicMax(&found[1], ~key(v));
      }
    }
  }
}

fn settle_range() {
  let greatest = atomicLoad(&found[0]);
  if (greatest == 0u) { return; }
  let now = vec2f(unkey(~atomicLoad(&found[1])), unkey(greatest));
  let first = frame.reset == 1u || settled.z == 0.0;
  let share = select(1.0 - exp(-frame.delta / max(params.smoothing, 1e-4)), 1.0, first);
  settled = vec4f(mix(settled.xy, now, share), 1.0, 0.0);
}

// Bilinear by hand: not every GPU filters 32-bit floats.
fn map_at(uv: vec2f) -> f32 {
  let at = uv * network.size - 0.5;
  let p = vec2i(floor(at));
  let f = at - floor(at);
  let top = mix(texel(depth_map, p).r, texel(depth_map, p + vec2i(1, 0)).r, f.x);
  let bottom = mix(texel(depth_map, p + vec2i(0, 1)).r, texel(depth_map, p + vec2i(1, 1)).r, f.x);
  return mix(top, bottom, f.y);
}

// Nearness at a place of the picture, 0 (farthest) to 1 (nearest).
fn nearness_at(uv: vec2f) -> f32 {
  let n = clamp((map_at(uv) - settled.x) / max(settled.y - settled.x, 1e-6), 0.0, 1.0);
  return select(n, 1.0 - n, params.invert == 1u);
}
