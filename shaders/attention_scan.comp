// One work group: 64 rows × one split. Products are computed in tiles of 64 × 64, 4 × 4 per invocation. Then each of
// the first 64 invocations goes along its row of the tile and adds the logits to their pieces.
layout(local_size_x = 16, local_size_y = 16) in;  // tile / 4 each

shared vec4 query_slice[slice_channels * tile / 4];
shared vec4 key_slice[slice_channels * tile / 4];
shared float logits[tile * (tile + 1)];  // padded by one float per row, so that invocations read from different banks

/// Returns the products of this invocation's 4 rows with its 4 keys, one vec4 per row.
vec4[4] multiply(int regime, int row_tile, int key_tile) {
    int index = int(gl_LocalInvocationIndex), x = int(gl_LocalInvocationID.x), y = int(gl_LocalInvocationID.y);
    int query_at = (regime * row_tiles + row_tile) * channels * (tile / 4) + index;
    int key_at = (regime * key_tiles + key_tile) * channels * (tile / 4) + index;
    int slices = channels / slice_channels;
    vec4 scores[4] = vec4[4](vec4(0), vec4(0), vec4(0), vec4(0));
    vec4 sums[4] = scores;
    for (int slice = 0; slice < slices; ++slice) {
        synchronise();
        query_slice[index] = queries[query_at + slice * slice_channels * (tile / 4)];
        key_slice[index] = keys[key_at + slice * slice_channels * (tile / 4)];
        synchronise();
        for (int channel = 0; channel < slice_channels; ++channel) {
            vec4 query = query_slice[channel * (tile / 4) + y];
            vec4 key = key_slice[channel * (tile / 4) + x];
            for (int row = 0; row < 4; ++row) sums[row] += query[row] * key;
        }
        if ((slice + 1) % slices_per_sum == 0 || slice + 1 == slices)
            for (int row = 0; row < 4; ++row) {
                scores[row] += sums[row];
                sums[row] = vec4(0);
            }
    }
    return scores;
}

/// Returns the logit after the softcap. Drivers lose the digits of tanh near 0, where a series keeps them.
float capped(float logit) {
    if (max_logit == 0) return logit;
    float x = min(abs(logit / max_logit), 20), xx = x * x;
    float near_0 = x + x * xx * (-1. / 3 + xx * (2. / 15 + xx * (-17. / 315 + xx * 62. / 2835)));
    return max_logit * sign(logit) * (x < 0.25 ? near_0 : 1 - 2 / (exp(2 * x) + 1));
}

/// The statistics of the current piece of an invocation's row.
struct Piece {
    float largest, smallest;
    float shift;         // near the max: at most 8 below it
    vec2 exp_sum;        // Σ exp(logit − shift)
    vec2 logit_sum;
};
const Piece nothing = Piece(lowest, -lowest, lowest, vec2(0), vec2(0));

void add(inout Piece piece, float logit) {
    if (logit > piece.shift + 8) {  // rare: raising the shift at every new max would accumulate rounding errors
        piece.exp_sum *= exp(piece.shift - logit);
        piece.shift = logit;
    }
    piece.exp_sum = plus(piece.exp_sum, exp(logit - piece.shift));
    piece.logit_sum = plus(piece.logit_sum, logit);
    piece.largest = max(piece.largest, logit);
    piece.smallest = min(piece.smallest, logit);
}

void store(Piece piece, int at) {
    float exp_sum = (piece.exp_sum.x + piece.exp_sum.y) * exp(piece.shift - piece.largest);
    statistics[at] = vec4(piece.largest, exp_sum, piece.smallest, piece.logit_sum.x + piece.logit_sum.y);
}

void main() {
    int row_tile = first_row_tile + int(gl_WorkGroupID.x), split = first_split + int(gl_WorkGroupID.y);
    int first_row = row_tile * tile, last_row = min(first_row + tile, rows) - 1;
    int first_token = token_of(first_row), last_token = token_of(last_row);
    int first_key = split * tiles_per_split * tile;
    int keys_end = min(first_key + tiles_per_split * tile, visible_keys(last_token));

    int lane = int(gl_LocalInvocationIndex), row = first_row + lane;
    bool has_row = row <= last_row && lane < tile;
    int visible = has_row ? visible_keys(token_of(row)) : 0, hidden = has_row ? hidden_keys(token_of(row)) : 0;
    int piece_index = lists[split_pieces + split], piece_end = begin_of(piece_index + 1);
    Piece piece = nothing;

    for (int key = first_key; key < keys_end; key += tile) {
        if (key + tile <= hidden_keys(first_token)) continue;
        bool any_far = regimes == 2 && last_token - key >= far_tokens;
        bool any_near = regimes == 1 || first_token - (key + tile - 1) < far_tokens;
        bool mixed = any_near && any_far;
        for (int regime = any_near ? 0 : 1; regime < (any_far ? 2 : 1); ++regime) {
            vec4 scores[4] = multiply(regime, row_tile, key / tile - first_key_tile);
            for (int entry = 0; entry < 16; ++entry) {
                int down = int(gl_LocalInvocationID.y) * 4 + entry / 4;
                int across = int(gl_LocalInvocationID.x) * 4 + entry % 4;
                bool stays_near = mixed && regime == 1 &&
                                  token_of(min(first_row + down, last_row)) - (key + across) < far_tokens;
                if (!stays_near) logits[down * (tile + 1) + across] = scores[entry / 4][entry % 4];
            }
        }
        synchronise();
        // The barriers of the next tile prevent it from overwriting logits that are still being read.
        for (int walked = max(key, hidden); walked < min(key + tile, visible); ++walked) {
            while (walked >= piece_end) {
                if (piece_end > hidden) store(piece, row * pieces + piece_index);
                piece = nothing;
                ++piece_index;
                piece_end = begin_of(piece_index + 1);
            }
            add(piece, capped(logits[lane * (tile + 1) + walked - key]));
        }
    }
    if (max(first_key, hidden) < min(first_key + tiles_per_split * tile, visible))
        store(piece, row * pieces + piece_index);
}
