// One number for every head of a model.
#pragma once

#include <vector>

#include "core/analysis/models/model_context.h"

namespace ropewalk {

/// What the number says. Means are over the queries of the text.
enum class AtlasMeasure {
    previous,           // weight on the token before (of queries from 1 on)
    diagonal,           // weight on the query's own token
    first,              // weight on token 0
    entropy,            // of the weights, nats
    bound,              // q·k at distance 0 or 1, whichever is more aligned, over its Cauchy–Schwarz bound
    wavelength,         // log₁₀ of 2π/w, weighted by ‖q_t‖‖k_t‖, over rotating pairs
    spearman,           // rank correlation of distance and dominant dimension (Hong et al. 2024)
    rank,               // effective rank of W_Q and W_K, the mean of both (Wendler 2025, experiment 2)
    slow_share,         // share of ‖q_t‖‖k_t‖ in the slowest quarter of pairs (Wendler 2025, experiment 4)
    copying,            // how often a token is among the ten that E·W_V·W_O·W_U raises most (Wendler 2025, exp. 6)
    induction,          // weight on the tokens that followed the query's token before
    loss_without_rope,  // mean loss with the rotation off in this head (Wendler 2025, experiment 5)
    loss_without_head   // mean loss with this head's output 0
};
template <>
struct EnumText<AtlasMeasure> {
    static constexpr std::array<EnumName, 13> names{{{"previous", "Previous token"},
                                                     {"diagonal", "Token itself"},
                                                     {"first", "First token"},
                                                     {"entropy", "Entropy"},
                                                     {"bound", "Alignment"},
                                                     {"wavelength", "Wavelength"},
                                                     {"spearman", "Spearman's ρ"},
                                                     {"rank", "Effective rank"},
                                                     {"slow_share", "Slow quarter"},
                                                     {"copying", "Copying"},
                                                     {"induction", "Induction"},
                                                     {"loss_without_rope", "Loss without RoPE"},
                                                     {"loss_without_head", "Loss without head"}}};
};

/// The measure of every head, [layers, heads]; NaN where it is undefined.
struct HeadAtlas {
    int layers = 0, heads = 0;
    std::vector<double> values;
    std::string problem{};  // why some are missing; empty if none is

    double at(int layer, int head) const { return values[static_cast<std::size_t>(layer) * heads + head]; }
};

/// Asks for a measure of every head.
struct AtlasQuestion : QuestionDefaults {
    using Answer = HeadAtlas;
    static constexpr auto stage = "head atlas";
    AtlasMeasure measure = AtlasMeasure::previous;

    bool operator==(const AtlasQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor& head) { return on_model(head); }
    bool is_job(const Problem&) const { return true; }
    double model_work(const Experiment& experiment) const;
    Answer answer(const AnalysisContext& context) const;
};

/// Returns how many directions a matrix [rows, columns] really uses: e to the entropy of its singular values, as shares
/// of their sum (Roy and Vetterli 2007). Between 1 and min(rows, columns); 0 for a matrix of zeros.
double effective_rank(const std::vector<float>& matrix, int rows, int columns);

}  // namespace ropewalk
