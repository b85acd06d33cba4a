// Attention in OpenGL 4.3 compute shaders (shaders/attention*): tiles of queries × keys in shared memory, pooled
// immediately, so that nothing of size seq_len² is stored. Rows are read and rotated on the CPU as in the cpu backend,
// by angles in double; logits are float. Keys stay on the device while their rotation stays the same.
#pragma once

#include <filesystem>
#include <optional>

#include "core/attention/attention.h"
#include "core/cancel.h"
#include "core/gpu/gl_objects.h"
#include "core/gpu/row_tiles.h"

namespace ropewalk::gpu {

/// The content of result buffers before they are written: undefined, or NaN, so that a test detects unwritten results.
enum class Memory { as_it_is, poisoned };

struct GlAttentionOptions {
    std::filesystem::path shaders;                        // its files replace the embedded ones
    std::size_t most_key_bytes = std::size_t{512} << 20;  // of keys on the device at a time
    Memory memory = Memory::as_it_is;
};

/// Programs and buffers of one context, which must be current in all calls.
class GlAttention {
  public:
    /// Compiles the shaders. Throws like `compile_compute_program`.
    explicit GlAttention(const GlAttentionOptions& options);

    /// Returns whether the shaders support the problem with the promised accuracy. They support neither damping, which
    /// depends on two tokens, nor a bias, which at long distances leaves no digits of a float for the score.
    static bool knows(const Problem& problem) {
        return problem.lowered.damping.empty() && problem.lowered.bias_slope == 0;
    }
    /// Returns the view of a problem that it `knows`; nothing if the products exceed the range of float. Uses the
    /// calling thread's TBB arena. Throws Cancelled between dispatches, and DisplayError if the device fails.
    std::optional<AttentionView> attend(const Problem& problem, const Viewport& viewport, const Cancel& cancel);
    /// Frees the main memory that is reserved for the next call.
    void release() {
        queries_.release_rows();
        keys_.release_rows();
    }

  private:
    struct ShaderTask;
    struct Call;
    struct Group;
    bool scan(Call& call, const Group& group);
    void prepare(Call& call, const Group& group);
    void scan_splits(Call& call, const Group& group, Interval splits);
    void merge(Call& call, const Group& group);
    void take_row_sums(Call& call, const Group& group);
    void take_entries(Call& call, const Group& group);
    void take_cells(Call& call, const Group& group);

    unsigned scan_ = 0, rows_ = 0, cells_ = 0;  // programs
    GlBuffer task_buffer_, lists_buffer_, statistics_buffer_, row_sums_buffer_, cells_buffer_;
    QueryTiles queries_;
    KeyTiles keys_;
    std::size_t most_key_bytes_ = 0, most_statistics_bytes_ = 0;
    Memory memory_;
    Pace pace_;
};

}  // namespace ropewalk::gpu
