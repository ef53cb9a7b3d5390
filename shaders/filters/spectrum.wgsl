/* lightloom
title = "Audio spectrum"
group = "Stylize"
help = "Draws the spectrum of the video's audio as bars over the frame."
tags = ["audio", "music", "bars", "equalizer", "visualizer"]
inputs = ["audio"]

[[param]]
name = "bars"
type = "int"
min = 4
max = 128
default = 48
help = "Number of bars, from 40 to 12000 Hz."

[[param]]
name = "height"
min = 1
max = 100
default = 30
step = 1
unit = "% of height"
help = "Height of the loudest bar."

[[param]]
name = "gap"
min = 0
max = 0.9
default = 0.3
step = 0.05
help = "Share of a bar's width that is left free."

[[param]]
name = "color"
type = "color"
default = "#40c0ff"
help = "Color of the bars."
*/

const LOWEST = 40.0;
const HIGHEST = 12000.0;

// Frequency at a share of the width; equal distances are equal intervals.
fn frequency(share: f32) -> f32 { return LOWEST * pow(HIGHEST / LOWEST, share); }

fn main(p: vec2i) -> vec4f {
  let c = load(p);
  let uv = uv_of(p);
  let bars = f32(params.bars);
  let at = uv.x * bars;
  let bar = floor(at);
  let inside = abs(fract(at) - 0.5) * 2.0 <= 1.0 - params.gap;
  let loud = loudest(frequency(bar / bars), frequency((bar + 1.0) / bars));
  let top = 1.0 - loud * params.height / 100.0;
  let share = params.color.a * select(0.0, 1.0, inside && uv.y >= top);
  return vec4f(mix(c.rgb, params.color.rgb, share), max(c.a, share));
}
