// One invocation: one cell.
layout(local_size_x = 64) in;

void main() {
    int across = int(gl_GlobalInvocationID.x), down = int(gl_WorkGroupID.y);
    if (across >= cells_across) return;
    int first_piece = lists[cell_pieces + across], pieces_end = lists[cell_pieces + across + 1];

    vec2 logit_sum = vec2(0), weight_sum = vec2(0);
    float min_logit = -lowest, max_logit = lowest, min_weight = -lowest, max_weight = 0;
    for (int row = lists[cell_rows + down]; row < lists[cell_rows + down + 1]; ++row) {
        int visible = visible_keys(token_of(row)), hidden = hidden_keys(token_of(row));
        vec2 of_row = row_sums[row];
        for (int piece = first_piece; piece < pieces_end && begin_of(piece) < visible; ++piece) {
            if (begin_of(piece + 1) <= hidden) continue;
            vec4 of_piece = statistics[row * pieces + piece];
            float largest = exp(of_piece.x - of_row.x) / of_row.y;
            logit_sum = plus(logit_sum, of_piece.w);
            weight_sum = plus(weight_sum, of_piece.y * largest);
            min_logit = min(min_logit, of_piece.z);
            max_logit = max(max_logit, of_piece.x);
            min_weight = min(min_weight, exp(of_piece.z - of_row.x) / of_row.y);
            max_weight = max(max_weight, largest);
        }
    }
    int count = cells_down * cells_across, at = down * cells_across + across;
    cells[at] = logit_sum.x + logit_sum.y;
    cells[at + count] = min_logit;
    cells[at + 2 * count] = max_logit;
    cells[at + 3 * count] = weight_sum.x + weight_sum.y;
    cells[at + 4 * count] = min_weight;
    cells[at + 5 * count] = max_weight;
}
