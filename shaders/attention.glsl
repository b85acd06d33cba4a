#version 430
// Shared by the three steps of attention and prepended to each. The constants match core/gpu/gl_attention.cpp.
//
//   attention_scan.comp   logits of queries × keys in tiles, pooled to one vec4 for every row and piece
//   attention_rows.comp   pieces of a row → its max logit and softmax denominator
//   attention_cells.comp  pieces of a cell's rows → the cell
//
// A piece is a range of keys without a boundary of a cell or a split inside. A split is the range of keys scanned by
// one work group.

const int tile = 64;            // rows or keys multiplied together
const int slice_channels = 16;  // channels of a tile in shared memory at a time
const float lowest = -1e30;     // below all logits, which are at most 512

layout(std140, binding = 0) uniform Task {
    int channels;         // of a row: head_dim, padded with zeros to whole slices
    int slices_per_sum;   // summed before the sum is added to the total, to bound rounding errors
    int seq_len;
    int causal;           // 1: a query sees no keys after it, and of the others only the nearest `window`
    int window;
    float max_logit;      // bound on their magnitude, by tanh; 0 if there is none
    int regimes;          // 1, or 2 if far keys are rotated differently
    int far_tokens;       // keys at least this many tokens before the query are far
    int rows;             // queries in the buffer
    int row_tiles;
    int first_row_tile;   // of this dispatch
    int key_tiles;        // capacity of the buffer
    int first_key_tile;   // in the buffer
    int tiles_per_split;
    int first_split;      // of this dispatch
    int pieces;
    int cells_down;       // with rows in the buffer
    int cells_across;
    // Start indices in `lists`:
    int row_tokens;       // [rows], the queries' tokens, ascending
    int piece_begins;     // [pieces + 1], first keys
    int split_pieces;     // [splits], first pieces
    int cell_pieces;      // [cells_across + 1], first pieces
    int cell_rows;        // [cells_down + 1], first rows
};

// Tiles in the order of shared memory: [regimes, tiles, channels, tile / 4].
layout(std430, binding = 0) readonly restrict buffer Queries { vec4 queries[]; };
layout(std430, binding = 1) readonly restrict buffer Keys { vec4 keys[]; };
layout(std430, binding = 2) readonly restrict buffer Lists { int lists[]; };
// [rows, pieces], of the unmasked logits in a piece: max, Σ exp(logit − max), min, Σ logit. Not written if all are
// masked.
layout(std430, binding = 3) restrict buffer Statistics { vec4 statistics[]; };
// [rows]: max logit, Σ exp(logit − max).
layout(std430, binding = 4) restrict buffer RowSums { vec2 row_sums[]; };
// [6, cells_down, cells_across]: Σ logit, min and max logit, Σ weight, min and max weight, all of unmasked entries.
layout(std430, binding = 5) writeonly restrict buffer Cells { float cells[]; };

int token_of(int row) { return lists[row_tokens + row]; }
int begin_of(int piece) { return lists[piece_begins + piece]; }

/// Return the keys that a query sees: [hidden_keys, visible_keys).
int visible_keys(int token) { return causal == 1 ? token + 1 : seq_len; }
int hidden_keys(int token) { return causal == 1 ? max(0, token + 1 - window) : 0; }

/// Waits for the work group and makes its writes to shared memory visible.
void synchronise() {
    memoryBarrierShared();
    barrier();
}

/// Returns a sum in two floats plus `value`; the second float collects the rounding errors of the first.
vec2 plus(vec2 sum, float value) {
    precise float total = sum.x + value;
    precise float added = total - sum.x;
    precise float lost = (sum.x - (total - added)) + (value - added);
    return vec2(total, sum.y + lost);
}
