// The color pass: raw planes of a frame -> the working texture, one thread a pixel, or a block of 2x2 with 4:2:0.
//
// Before this file, `desktop/pipeline/picture/upload.py` puts what depends on the pixel format: the plane textures and
//   luma(p), alpha(p)   code values at pixel p             (Y'CbCr and gray)
//   chroma(c)           the two chroma codes at sample c   (Y'CbCr)
//   rgb(p)              three codes at pixel p             (RGB)
//   IS_RGB, HAS_CHROMA, SUBSAMPLED
// The code values are as the texture delivers them (integers, or 0..1 for 8-bit planes); the matrix rows of the uniform
// take them to R'G'B' in one step. docs/color.md has the formulae and their sources.

struct Conversion {
    // R'G'B' = row . (first, second, third code, 1)
    row_r: vec4f,
    row_g: vec4f,
    row_b: vec4f,
    // Linear light in the frame's primaries -> linear light in BT.709's.
    gamut_r: vec4f,
    gamut_g: vec4f,
    gamut_b: vec4f,
    // Pixel -> chroma sample: sample = pixel * chroma.xy + chroma.zw
    chroma: vec4f,
    // x: alpha code -> 0..1. y: PQ code of the brightest level. z: coded pixels per output pixel along the stretched side.
    // w: nits of SDR white.
    misc: vec4f,
    // Output pixel -> pixel of the picture before flip and rotation: turn * output + shift
    turn: vec4i,
    // xy: shift. zw: coded width and height.
    shift_size: vec4i,
}

// 0: code values are already display R'G'B' of BT.709 primaries. 1: SDR of other primaries. 2: PQ. 3: HLG. 4: linear light.
// 5: HDR that is kept as it is coded, codes beyond 0..1 too.
override TRANSFER: u32 = 0u;
// 0: square pixels. 1: widen. 2: heighten.
override STRETCH: u32 = 0u;
// A sample of chroma lies on an even column of luma, not between two.
override COSITED: bool = false;

@group(0) @binding(0) var<uniform> u: Conversion;
@group(0) @binding(1) var working: texture_storage_2d<rgba16float, write>;

// -- transfer functions -----------------------------------------------------------------------------------------------

// SMPTE ST 2084 / BT.2100 table 4.
const PQ_M1 = 0.1593017578125;
const PQ_M2 = 78.84375;
const PQ_C1 = 0.8359375;
const PQ_C2 = 18.8515625;
const PQ_C3 = 18.6875;
const PQ_PEAK = 10000.0;

fn pq_to_nits(code: vec3f) -> vec3f {
    let e = pow(clamp(code, vec3f(0.0), vec3f(1.0)), vec3f(1.0 / PQ_M2));
    return PQ_PEAK * pow(max(e - PQ_C1, vec3f(0.0)) / (PQ_C2 - PQ_C3 * e), vec3f(1.0 / PQ_M1));
}

fn nits_to_pq(nits: f32) -> f32 {
    let y = pow(clamp(nits / PQ_PEAK, 0.0, 1.0), PQ_M1);
    return pow((PQ_C1 + PQ_C2 * y) / (1.0 + PQ_C3 * y), PQ_M2);
}

// BT.2100 table 5: inverse OETF, then the OOTF of a display with 1000 nits (system gamma 1.2) and black at 0.
const HLG_A = 0.17883277;
const HLG_B = 0.28466892;
const HLG_C = 0.55991073;
const HLG_PEAK = 1000.0;

fn hlg_to_scene(code: vec3f) -> vec3f {
    let e = clamp(code, vec3f(0.0), vec3f(1.0));
    return select((exp((e - HLG_C) / HLG_A) + HLG_B) / 12.0, e * e / 3.0, e <= vec3f(0.5));
}

fn hlg_to_nits(code: vec3f) -> vec3f {
    let scene = hlg_to_scene(code);
    let luminance = dot(scene, vec3f(0.2627, 0.6780, 0.0593));
    return HLG_PEAK * pow(max(luminance, 1e-9), 0.2) * scene;
}

// IEC 61966-2-1.
fn srgb_to_linear(code: vec3f) -> vec3f {
    let e = clamp(code, vec3f(0.0), vec3f(1.0));
    return select(pow((e + 0.055) / 1.055, vec3f(2.4)), e / 12.92, e <= vec3f(0.04045));
}

fn linear_to_srgb(light: vec3f) -> vec3f {
    let l = clamp(light, vec3f(0.0), vec3f(1.0));
    return select(1.055 * pow(l, vec3f(1.0 / 2.4)) - 0.055, l * 12.92, l <= vec3f(0.0031308));
}

// -- HDR to SDR ---------------------------------------------------------------------------------------------------------

// BT.2390-11, 5.4.1: the EETF's Hermite knee, in PQ codes, for a target whose black is 0.
fn eetf(code: f32, source_peak: f32, target_peak: f32) -> f32 {
    let e1 = min(code / source_peak, 1.0);
    let max_lum = target_peak / source_peak;
    if max_lum >= 1.0 {
        return e1 * source_peak;
    }
    let knee = 1.5 * max_lum - 0.5;
    if e1 < knee {
        return e1 * source_peak;
    }
    let t = (e1 - knee) / (1.0 - knee);
    let t2 = t * t;
    let t3 = t2 * t;
    let e2 = (2.0 * t3 - 3.0 * t2 + 1.0) * knee + (t3 - 2.0 * t2 + t) * (1.0 - knee) + (3.0 * t2 - 2.0 * t3) * max_lum;
    return e2 * source_peak;
}

// The largest of R, G and B goes through the curve and the other two keep their ratio to it: no hue shift, and nothing
// leaves the target's range before the change of primaries.
fn tone_map(nits: vec3f) -> vec3f {
    let brightest = max(max(nits.r, nits.g), nits.b);
    if brightest <= 0.0 {
        return vec3f(0.0);
    }
    let mapped = pq_to_nits(vec3f(eetf(nits_to_pq(brightest), u.misc.y, nits_to_pq(u.misc.w)))).x;
    return nits * (mapped / brightest) / u.misc.w;
}

fn to_bt709(light: vec3f) -> vec3f {
    return vec3f(dot(u.gamut_r.xyz, light), dot(u.gamut_g.xyz, light), dot(u.gamut_b.xyz, light));
}

// The nearest numbers with 11 significant bits: a store into rgba16float may also cut bits off.
fn nearest_half(value: vec3f) -> vec3f {
    let bits = bitcast<vec3u>(value);
    return bitcast<vec3f>((bits + 0xfffu + ((bits >> vec3u(13u)) & vec3u(1u))) & vec3u(0xffffe000u));
}

fn to_working(rgb_code: vec3f) -> vec3f {
    switch TRANSFER {
        case 1u: { return linear_to_srgb(to_bt709(srgb_to_linear(rgb_code))); }
        case 2u: { return linear_to_srgb(to_bt709(tone_map(pq_to_nits(rgb_code)))); }
        case 3u: { return linear_to_srgb(to_bt709(tone_map(hlg_to_nits(rgb_code)))); }
        case 4u: { return linear_to_srgb(to_bt709(rgb_code)); }
        case 5u: { return nearest_half(rgb_code); }
        default: { return clamp(rgb_code, vec3f(0.0), vec3f(1.0)); }
    }
}

// -- sampling ----------------------------------------------------------------------------------------------------------

// Bilinear by hand: a sampler would interpolate 8-bit planes only, and with 8 bits of weight on some hardware.
fn chroma_at(p: vec2i) -> vec2f {
    if !SUBSAMPLED {
        return chroma(p);
    }
    let last = (u.shift_size.zw - 1) >> CHROMA_SHIFT;
    let at = vec2f(p) * u.chroma.xy + u.chroma.zw;
    let base = floor(at);
    let weight = at - base;
    let low = clamp(vec2i(base), vec2i(0), last);
    let high = clamp(vec2i(base) + 1, vec2i(0), last);
    let top = mix(chroma(low), chroma(vec2i(high.x, low.y)), weight.x);
    let bottom = mix(chroma(vec2i(low.x, high.y)), chroma(high), weight.x);
    return mix(top, bottom, weight.y);
}

fn codes(p: vec2i) -> vec3f {
    if IS_RGB {
        return rgb(p);
    }
    if HAS_CHROMA {
        return vec3f(luma(p), chroma_at(p));
    }
    return vec3f(luma(p));
}

// `p` is in the picture.
fn colored(p: vec2i, code_values: vec3f) -> vec4f {
    let code = vec4f(code_values, 1.0);
    let value = vec3f(dot(u.row_r, code), dot(u.row_g, code), dot(u.row_b, code));
    return vec4f(to_working(value), alpha(p) * u.misc.x);
}

fn pixel(p: vec2i) -> vec4f {
    let inside = clamp(p, vec2i(0), u.shift_size.zw - 1);
    return colored(inside, codes(inside));
}

// Catmull-Rom along the one side that non-square pixels stretch; color is weighted with alpha, or the color of clear
// pixels would bleed into their neighbors.
fn stretched(p: vec2i) -> vec4f {
    let along = select(p.y, p.x, STRETCH == 1u);
    let at = (f32(along) + 0.5) * u.misc.z - 0.5;
    let base = floor(at);
    let t = at - base;
    let t2 = t * t;
    let t3 = t2 * t;
    let weights = vec4f(
        -0.5 * t3 + t2 - 0.5 * t,
        1.5 * t3 - 2.5 * t2 + 1.0,
        -1.5 * t3 + 2.0 * t2 + 0.5 * t,
        0.5 * t3 - 0.5 * t2,
    );
    var color = vec3f(0.0);
    var opacity = 0.0;
    for (var i = 0; i < 4; i++) {
        let tap = i32(base) + i - 1;
        let sample = pixel(select(vec2i(p.x, tap), vec2i(tap, p.y), STRETCH == 1u));
        color += weights[i] * sample.a * sample.rgb;
        opacity += weights[i] * sample.a;
    }
    if opacity <= 0.0 {
        return vec4f(0.0);
    }
    let mean = color / opacity;
    return vec4f(select(clamp(mean, vec3f(0.0), vec3f(1.0)), mean, TRANSFER == 5u), clamp(opacity, 0.0, 1.0));
}

@compute @workgroup_size(16, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= textureDimensions(working)) {
        return;
    }
    let q = vec2i(id.xy);
    let p = vec2i(dot(u.turn.xy, q), dot(u.turn.zw, q)) + u.shift_size.xy;
    if STRETCH == 0u {
        textureStore(working, q, pixel(p));
    } else {
        textureStore(working, q, stretched(p));
    }
}

// -- 4:2:0 in blocks ---------------------------------------------------------------------------------------------------

// A row of chroma, interpolated to the two columns of luma that sample `i` has.
struct ChromaRow {
    even: vec2f,
    odd: vec2f,
}

fn chroma_row(i: vec2i) -> ChromaRow {
    let last = (u.shift_size.zw - 1) >> vec2u(1u);
    let y = clamp(i.y, 0, last.y);
    let here = chroma(vec2i(i.x, y));
    let odd = mix(here, chroma(vec2i(min(i.x + 1, last.x), y)), 0.5 + u.chroma.z);
    if COSITED {
        return ChromaRow(here, odd);
    }
    return ChromaRow(mix(chroma(vec2i(max(i.x - 1, 0), y)), here, 1.0 + u.chroma.z), odd);
}

fn store_pixel(p: vec2i, chroma_codes: vec2f) {
    if any(p >= u.shift_size.zw) {
        return;
    }
    let moved = p - u.shift_size.xy;
    // The inverse of a rotation or flip is its transpose.
    let q = vec2i(dot(u.turn.xz, moved), dot(u.turn.yw, moved));
    textureStore(working, q, colored(p, vec3f(luma(p), chroma_codes)));
}

// Square pixels alone. What `main` computes, with the chroma of four pixels read and interpolated together: 6 or 9 samples for 16. It
// takes llvmpipe half the time; a fragment shader, pixel by pixel, takes as long as these blocks there.
@compute @workgroup_size(16, 8)
fn blocks(@builtin(global_invocation_id) id: vec3u) {
    let i = vec2i(id.xy);
    let p = 2 * i;
    if any(p >= u.shift_size.zw) {
        return;
    }
    let above = chroma_row(i - vec2i(0, 1));
    let here = chroma_row(i);
    let below = chroma_row(i + vec2i(0, 1));
    store_pixel(p, mix(above.even, here.even, 1.0 + u.chroma.w));
    store_pixel(p + vec2i(1, 0), mix(above.odd, here.odd, 1.0 + u.chroma.w));
    store_pixel(p + vec2i(0, 1), mix(here.even, below.even, 0.5 + u.chroma.w));
    store_pixel(p + vec2i(1, 1), mix(here.odd, below.odd, 0.5 + u.chroma.w));
}
