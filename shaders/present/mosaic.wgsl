// Draws tiles beside each other on the window: each is a texture that was drawn in the size it has there, and is copied texel by texel.
// The viewport says where; a copy command would do the same, but not every window system gives a texture that can be copied to.

@group(0) @binding(0) var tile: texture_2d<f32>;

override red: f32 = 1.0;
override green: f32 = 1.0;
override blue: f32 = 1.0;

struct Corner {
  @builtin(position) position: vec4f,
  @location(0) at: vec2f,   // share of the viewport, from its left upper corner
}

@vertex fn vertex(@builtin(vertex_index) i: u32) -> Corner {
  let corner = vec2f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0);
  return Corner(vec4f(corner, 0.0, 1.0), vec2f(corner.x + 1.0, 1.0 - corner.y) * 0.5);
}

@fragment fn draw_tile(corner: Corner) -> @location(0) vec4f {
  return vec4f(textureLoad(tile, vec2i(corner.at * vec2f(textureDimensions(tile))), 0).rgb, 1.0);
}

// Under the tile in use, of which a margin is seen.
@fragment fn draw_frame(corner: Corner) -> @location(0) vec4f {
  return vec4f(red, green, blue, 1.0);
}
