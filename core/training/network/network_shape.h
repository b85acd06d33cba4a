// core/training/network: the transformer that is trained, and its gradients. It knows no task. Here: its sizes.
#pragma once

#include <vector>

namespace ropewalk {

/// Which logits a head has: those of the encoding; those of q · k alone; or σ(g) times the first plus 1 − σ(g) times
/// the second, with a learned gate g.
enum class HeadKind { encoded, plain, gated };

struct NetworkShape {
    int layers = 0, heads = 0, head_dim = 0, width = 0;
    int feed_forward = 0;  // 0: the layers have attention only
    int vocabulary = 0;
    std::vector<HeadKind> kinds;  // [layers, heads]

    HeadKind kind(int layer, int head) const { return kinds[static_cast<std::size_t>(layer) * heads + head]; }
    bool has_gates() const { return !kinds.empty() && kinds[0] == HeadKind::gated; }
    bool has_mlp() const { return feed_forward > 0; }
};

}  // namespace ropewalk
