// The sums of 16 products, as rows of TILES, transformed back: 2 x 2 pixels A^T m A of a vec4 of channels (`winograd.py` has the paper).

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * WIDTH + id.x;
    if (at >= TILES * BLOCKS) {
        return;
    }
    let block = at % BLOCKS;
    let tile = at / BLOCKS;
    let image = tile / (TILES_H * TILES_W);
    let row = tile / TILES_W % TILES_H * 2u;
    let column = tile % TILES_W * 2u;
    let pixel = (image * OUT_H + row) * OUT_W + column;
#for j in 4
    let m_0_${j} = read_x(${j}u * TILES + tile, block);
    let m_1_${j} = read_x((4u + ${j}u) * TILES + tile, block);
    let m_2_${j} = read_x((8u + ${j}u) * TILES + tile, block);
    let m_3_${j} = read_x((12u + ${j}u) * TILES + tile, block);
    let t_0_${j} = m_0_${j} + m_1_${j} + m_2_${j};
    let t_1_${j} = m_1_${j} - m_2_${j} - m_3_${j};
#end
    let right = column + 1u < OUT_W;
#for i in 2
    if (row + ${i}u < OUT_H) {
        finish(pixel + ${i}u * OUT_W, block, t_${i}_0 + t_${i}_1 + t_${i}_2 + bias[block]);
        if (right) {
            finish(pixel + ${i}u * OUT_W + 1u, block, t_${i}_1 - t_${i}_2 - t_${i}_3 + bias[block]);
        }
    }
#end
}
