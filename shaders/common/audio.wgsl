// Functions of filters with the input 'audio': 512 values of the spectrum in the first row, 512 samples in the second.

// Loudness at a frequency in Hz, up to 12000: decibels of a sine from -80 to 0 as 0..1.
fn spectrum(hz: f32) -> f32 { return sample(audio, vec2f((hz / 12000.0 * 512.0 + 0.5) / 512.0, 0.25)).r; }

// The greatest loudness between two frequencies in Hz.
fn loudest(from_hz: f32, to_hz: f32) -> f32 {
  let first = clamp(i32(round(from_hz / 12000.0 * 512.0)), 0, 511);
  let last = clamp(i32(round(to_hz / 12000.0 * 512.0)), first, 511);
  var most = 0.0;
  for (var i = first; i <= last; i++) { most = max(most, textureLoad(audio, vec2i(i, 0), 0).r); }
  return most;
}

// The waveform, -1..1: x is 0 at 11 ms before the frame, 1 at 11 ms after it.
fn waveform(x: f32) -> f32 { return sample(audio, vec2f(clamp(x, 0.0, 1.0), 0.75)).r; }
