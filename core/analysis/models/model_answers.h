// What a model's run says about its text: loss by token, the next token, and how its layers use the frequencies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/models/model_context.h"

namespace ropewalk {

/// Asks for the tokens of the text with their losses.
struct TokensQuestion : QuestionDefaults {
    struct Answer {
        std::vector<int> ids;
        std::vector<double> loss;  // as in ModelOutputs
        double mean_loss = 0;
    };
    static constexpr auto stage = "loss";
    static constexpr bool reads_whole_run = true;

    bool operator==(const TokensQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor& head) { return on_model(head); }
    bool is_job(const Problem&) const { return true; }
    Answer answer(const AnalysisContext& context) const;
};

/// Asks for the logits of the next token after the cursor's query, [vocabulary].
struct NextTokenQuestion : QuestionDefaults {
    using Answer = std::vector<double>;
    static constexpr auto stage = "next token";
    static constexpr bool reads_whole_run = true;

    bool operator==(const NextTokenQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor& head) {
        Dependence depends = on_model(head);
        depends.cursor.query = head.cursor.query;
        return depends;
    }
    bool is_job(const Problem&) const { return true; }
    Answer answer(const AnalysisContext& context) const;
};

/// Asks for mean ‖q_t‖ · mean ‖k_t‖ of every layer and pair, [layers, head_dim / 2], of one head or as the mean over
/// heads (Barbero et al. 2024, Fig. 3–6 and 10–15).
struct LayerUsageQuestion : QuestionDefaults {
    struct Answer {
        int layers = 0, pairs = 0;
        std::vector<double> values;
        std::string problem;  // why some are NaN; empty if none is
    };
    static constexpr auto stage = "usage by layer";
    static constexpr bool reads_whole_run = true;
    std::optional<int> head;  // empty: the mean over all

    bool operator==(const LayerUsageQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor& head) { return on_model(head); }
    bool is_job(const Problem&) const { return true; }
    Answer answer(const AnalysisContext& context) const;
};

/// Asks for the attention of every head as a small picture of at most `cells` × `cells` cells.
struct HeadPicturesQuestion : QuestionDefaults {
    struct Answer {
        int layers = 0, heads = 0, cells = 0;
        std::vector<std::vector<float>> pictures;  // [layers · heads], mean weight per cell, [cells, cells]
        std::string problem;                       // why some are NaN; empty if none is
    };
    static constexpr auto stage = "head pictures";
    static constexpr bool reads_whole_run = true;
    int cells = 32;

    bool operator==(const HeadPicturesQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor& head) { return on_model(head); }
    bool is_job(const Problem&) const { return true; }
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
