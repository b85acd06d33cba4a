// One work group: one row.
layout(local_size_x = 64) in;

shared float max_of[64];
shared float sum_of[64];

void main() {
    int row = int(gl_WorkGroupID.x), index = int(gl_LocalInvocationIndex);
    int visible = visible_keys(token_of(row)), hidden = hidden_keys(token_of(row));

    float largest = lowest;
    for (int piece = index; piece < pieces && begin_of(piece) < visible; piece += 64)
        if (begin_of(piece + 1) > hidden) largest = max(largest, statistics[row * pieces + piece].x);
    max_of[index] = largest;
    synchronise();
    for (int i = 0; i < 64; ++i) largest = max(largest, max_of[i]);

    vec2 sum = vec2(0);
    for (int piece = index; piece < pieces && begin_of(piece) < visible; piece += 64) {
        if (begin_of(piece + 1) <= hidden) continue;
        vec4 of_piece = statistics[row * pieces + piece];
        sum = plus(sum, of_piece.y * exp(of_piece.x - largest));
    }
    sum_of[index] = sum.x + sum.y;
    synchronise();
    if (index != 0) return;
    for (int i = 1; i < 64; ++i) sum = plus(sum, sum_of[i]);
    row_sums[row] = vec2(largest, sum.x + sum.y);
}
