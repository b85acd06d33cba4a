#include "app/lessons/formula.h"

#include <fmt/format.h>

#include "app/plot/axes.h"

namespace ropewalk {
namespace {

FormulaPart sign(std::string_view text) {
    return {.text = parse_paragraph(text)};
}

FormulaPart cell() {
    return {.text = parse_paragraph("logit({cursor.query}, {cursor.key})"),
            .title = "Logit of query i and key j",
            .help = "The input of row i's softmax, at the cursor.",
            .figures = {"attention", "attention_row"}};
}

FormulaPart sum(bool rotates) {
    return {.text = parse_paragraph(rotates ? "Σₜ gₜ" : "(q + pₘ)·(k + pₙ)"),
            .title = rotates ? "Score" : "Score with added waves",
            .help = rotates ? "The sum of all pairs' contributions: rotated query times rotated key."
                            : "The waves of both positions are added before query and key are multiplied.",
            .figures = {"contributions", "phasors"}};
}

/// Returns `paths` and the paths of the encoding's fields with a wanted meaning.
template <class Wanted>
std::vector<std::string> encoding_fields(const Experiment& experiment, Wanted wanted,
                                         std::vector<std::string> paths = {"encoding"}) {
    walk_fields(ConstChoiceRef(experiment.encoding).fields(),
                [&](const std::string& path, const Field& field, const auto&) {
                    if (wanted(field.meaning)) paths.push_back("encoding." + path);
                });
    return paths;
}

/// Returns the clause of a masked entry, whose logit is not a sum.
FormulaClause masked_clause() {
    return {cell(), sign(" = {logit}")};
}

FormulaClause logit_clause(const Experiment& experiment, const LoweredEncoding& lowered) {
    const bool has_bias = lowered.bias_slope != 0, has_temperature = experiment.temperature != 1,
               in_brackets = has_bias && has_temperature;
    FormulaClause clause{cell(), sign(in_brackets ? " = (" : " = "), sum(lowered.rotates())};
    if (experiment.scale == Scale::sqrt_d)
        clause.push_back({.text = parse_paragraph(" ÷ √{head_dim}"),
                          .title = "Scale",
                          .help = "Divides the score by the square root of the head dimension.",
                          .controls = {"scale", "head_dim"}});
    if (has_bias)
        clause.push_back({.text = parse_paragraph(fmt::format(
                              " − {}·{{cursor.distance}}", readable(lowered.bias_slope * experiment.positions.stride))),
                          .title = "Bias",
                          .help = "Lowers the logit by this much per token of distance r.",
                          .controls = encoding_fields(experiment, [](Meaning) { return true; }),
                          .figures = {"decay"}});
    if (in_brackets) clause.push_back(sign(")"));
    if (has_temperature)
        clause.push_back({.text = parse_paragraph(" ÷ {temperature}"),
                          .title = "Temperature",
                          .help = "Divides the logit. Below 1, the softmax is sharper.",
                          .controls = {"temperature"},
                          .figures = {"entropy"}});
    clause.push_back(sign(" = {logit}"));
    return clause;
}

/// Returns the contribution of a pair, for encodings in which it is one wave over distance.
FormulaClause pair_clause(const Experiment& experiment, const LoweredEncoding& lowered) {
    FormulaClause clause{{.text = parse_paragraph("gₜ"),
                          .title = "Contribution of pair t",
                          .help = "What two channels contribute to the score.",
                          .figures = {"contributions", "top_pairs"}},
                         sign(" = ")};
    if (lowered.attention_scaling != 1)
        clause.push_back(
            {.text = parse_paragraph(readable(lowered.score_scaling()) + "·"),
             .title = "Attention scaling",
             .help = "The encoding multiplies cosines and sines by a factor, and so the scores by its square.",
             .controls = encoding_fields(experiment, [](Meaning meaning) {
                 return meaning == Meaning::attention_scaling || meaning == Meaning::extension_factor ||
                        meaning == Meaning::trained_context;
             })});
    clause.push_back({.text = parse_paragraph("aₜ"),
                      .title = "Amplitude of pair t",
                      .help = "‖qₜ‖ · ‖kₜ‖: how strongly query and key use this pair.",
                      .controls = {"construction"},
                      .figures = {"bands", "frequency_usage"}});
    clause.push_back(sign(" cos("));
    clause.push_back(
        {.text = parse_paragraph(experiment.positions.stride == 1 ? "{cursor.distance}"
                                                                  : "{positions.stride}·{cursor.distance}"),
         .title = "Distance r = i − j",
         .help = "Number of tokens from key to query, times the positions per token.",
         .controls = {"positions.stride"},
         .figures = {"decay", "rotation_heatmap"}});
    clause.push_back(sign("·"));
    clause.push_back(
        {.text = parse_paragraph("wₜ"),
         .title = "Frequency of pair t",
         .help = "Radians by which the pair rotates per position.",
         .controls = encoding_fields(experiment, [](Meaning meaning) { return meaning == Meaning::base; }, {}),
         .figures = {"wavelengths", "rotation_heatmap"}});
    clause.push_back(sign(" + "));
    clause.push_back({.text = parse_paragraph("φₜ"),
                      .title = "Phase of pair t",
                      .help = "The angle from key to query before rotation.",
                      .controls = {"construction"},
                      .figures = {"bands"}});
    clause.push_back(sign(")"));
    return clause;
}

FormulaClause frequency_clause(const Experiment& experiment) {
    return {
        {.text = parse_paragraph(formula_of(experiment.encoding)),
         .title = std::string("Frequencies of ") + title_of(experiment.encoding),
         .help = ConstChoiceRef(experiment.encoding).in_force().summary,
         .controls = encoding_fields(experiment, [](Meaning meaning) { return meaning != Meaning::attention_scaling; }),
         .figures = {"wavelengths", "rotation_heatmap", "rotations"}}};
}

FormulaClause weight_clause() {
    return {{.text = parse_paragraph("weight"),
             .title = "Attention weight",
             .help = "The weight of value j in the output of query i. A row's weights sum to 1.",
             .figures = {"attention", "attention_row"}},
            sign(" = "),
            {.text = parse_paragraph("e^logit"),
             .title = "Exponential",
             .help = "A logit larger by 1 gives e ≈ 2.72 times the weight."},
            sign(" ÷ "),
            {.text = parse_paragraph("Σⱼ e^logit"),
             .title = "Denominator",
             .help = "The sum over all visible keys of row i.",
             .controls = {"seq_len", "mask"},
             .figures = {"attention_row", "entropy"}},
            sign(" = {weight}")};
}

}  // namespace

std::vector<FormulaClause> formula_of(const Experiment& experiment, const LoweredEncoding& lowered, bool is_masked) {
    // The last clauses are dropped first: no other clause needs the weight, and the contributions need wₜ.
    std::vector<FormulaClause> formula{is_masked ? masked_clause() : logit_clause(experiment, lowered),
                                       frequency_clause(experiment)};
    if (lowered.relative() && lowered.damping.empty()) formula.push_back(pair_clause(experiment, lowered));
    formula.push_back(weight_clause());
    return formula;
}

Needs needs_of(const std::vector<FormulaClause>& formula, const Experiment& experiment, const Cursor& cursor) {
    Needs needs;
    for (const FormulaClause& clause : formula)
        for (const FormulaPart& part : clause)
            for (Question& question : needs_of(LessonText{part.text}, experiment, cursor))
                needs.push_back(std::move(question));
    return needs;
}

}  // namespace ropewalk
