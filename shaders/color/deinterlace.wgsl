// One plane of an interlaced picture: the lines of its earlier field stay, those between are made of what is around them in space and time.
//
// Before this file, `desktop/pipeline/picture/deinterlace.py` puts the bindings: textures `before`, `current`, `after`, storage texture
// `whole`, uniform `u`. A texel may have several components (NV12's chroma, YUYV); each is computed for itself.
//
// The filter is that of FFmpeg's bwdif: three fields after Weston (BBC Research, US patent 4,789,893, coefficients below), chosen against the line above
// and below where the picture moves, and held between what YADIF's check of neighbors allows. docs/color.md has the steps.

struct Interlaced {
    // Parity of the lines that stay: 0 even, 1 odd.
    kept: i32,
    // 1: nothing is known of the pictures beside it.
    alone: i32,
    // The largest value of a component.
    top: f32,
    unused: f32,
}

// Weights of lines at a distance of 1 and 3 in the field that stays, of 0, 2 and 4 in the two fields beside it, in 1/8192; and of 1 and 3
// where the field is alone.
const LOW = vec2f(4309.0, 213.0) / 8192.0;
const HIGH = vec3f(5570.0, 3801.0, 1016.0) / 8192.0;
const SPATIAL = vec2f(5077.0, 981.0) / 8192.0;

fn of_before(x: i32, y: i32) -> vec4f {
    return vec4f(textureLoad(before, vec2i(x, y), 0));
}

fn of_current(x: i32, y: i32) -> vec4f {
    return vec4f(textureLoad(current, vec2i(x, y), 0));
}

fn of_after(x: i32, y: i32) -> vec4f {
    return vec4f(textureLoad(after, vec2i(x, y), 0));
}

// The two fields of the other parity that are next in time: of the picture before and of this one.
fn beside(x: i32, y: i32) -> vec4f {
    return of_before(x, y) + of_current(x, y);
}

fn made(x: i32, y: i32, height: i32) -> vec4f {
    // A line beyond the edge is the one within it.
    let up = select(y - 1, y + 1, y == 0);
    let down = select(y + 1, y - 1, y + 1 >= height);
    let c = of_current(x, up);
    let e = of_current(x, down);
    let is_inner = y >= 4 && y + 5 <= height;
    if u.alone == 1 {
        if !is_inner {
            return 0.5 * (c + e);
        }
        return SPATIAL.x * (c + e) - SPATIAL.y * (of_current(x, y - 3) + of_current(x, y + 3));
    }
    let middle = 0.5 * beside(x, y);
    let change = abs(of_before(x, y) - of_current(x, y));
    let earlier = 0.5 * (abs(of_before(x, up) - c) + abs(of_before(x, down) - e));
    let later = 0.5 * (abs(of_after(x, up) - c) + abs(of_after(x, down) - e));
    let moved = max(0.5 * change, max(earlier, later));
    var margin = moved;
    if y >= 2 && y + 3 <= height {
        // How the line lies between those above and below; where it would stand out, more is allowed.
        let b = 0.5 * beside(x, y - 2) - c;
        let f = 0.5 * beside(x, y + 2) - e;
        let from_c = middle - c;
        let from_e = middle - e;
        let most = max(max(from_e, from_c), min(b, f));
        let least = min(min(from_e, from_c), max(b, f));
        margin = max(margin, max(least, -most));
    }
    var filtered = 0.5 * (c + e);
    if is_inner {
        let far = of_current(x, y - 3) + of_current(x, y + 3);
        let spatial = SPATIAL.x * (c + e) - SPATIAL.y * far;
        let fine = HIGH.x * beside(x, y) - HIGH.y * (beside(x, y - 2) + beside(x, y + 2))
            + HIGH.z * (beside(x, y - 4) + beside(x, y + 4));
        let both = 0.25 * fine + LOW.x * (c + e) - LOW.y * far;
        filtered = select(spatial, both, abs(c - e) > change);
    }
    let held = clamp(filtered, middle - margin, middle + margin);
    // What has not moved at all is what the two fields beside it say.
    return select(held, middle, moved == vec4f(0.0));
}

@compute @workgroup_size(16, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let size = vec2i(textureDimensions(whole));
    let p = vec2i(id.xy);
    if any(p >= size) {
        return;
    }
    var value: vec4f;
    if (p.y & 1) == u.kept || size.y < 2 {
        value = of_current(p.x, p.y);
    } else {
        value = clamp(made(p.x, p.y, size.y), vec4f(0.0), vec4f(u.top));
    }
    textureStore(whole, p, value);
}
