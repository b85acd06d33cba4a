#include "app/lessons/formula.h"

#include <fmt/format.h>

#include "app/figures/figure.h"
#include "app/plot/axes.h"

namespace ropewalk {
namespace {

/// Returns a symbol with its meaning, the fields that determine it and the figures that show it.
FormulaPart symbol(std::string_view text, std::string title, std::string help, std::vector<std::string> controls = {},
                   std::vector<std::string> figures = {}) {
    return {parse_paragraph(text), std::move(title), std::move(help), std::move(controls), std::move(figures)};
}

FormulaPart sign(std::string_view text) {
    return {.text = parse_paragraph(text)};
}

FormulaPart cell(bool is_score) {
    const std::vector<std::string> figures{"attention", "attention_row"};
    return is_score ? symbol("score({cursor.query}, {cursor.key})", "Score of query i and key j",
                             "The input of row i's softmax, at the cursor. In this head the logit is the score itself.",
                             {}, figures)
                    : symbol("logit({cursor.query}, {cursor.key})", "Logit of query i and key j",
                             "The input of row i's softmax, at the cursor.", {}, figures);
}

FormulaPart sum(bool rotates) {
    return symbol(rotates ? "$\\sum_t g_t$" : "$(q + p_m)\\cdot(k + p_n)$",
                  rotates ? "Score" : "Score with added waves",
                  rotates ? "The sum of all pairs' contributions: rotated query times rotated key."
                          : "The waves of both positions are added before query and key are multiplied.",
                  {}, {"contributions", "phasors"});
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
    return {cell(false), sign(" = {logit}")};
}

FormulaClause logit_clause(const Experiment& experiment, const Problem& problem) {
    const LoweredEncoding& lowered = problem.lowered;
    const bool has_bias = lowered.bias_slope != 0, has_temperature = experiment.temperature != 1,
               is_capped = experiment.softcap != 0,
               has_value = experiment.scale == Scale::value && experiment.scale_value != 1,
               in_brackets = has_bias && has_temperature && !is_capped,
               in_tanh_brackets = is_capped && (has_bias || has_value || experiment.scale == Scale::sqrt_d);
    const auto softcap = [](const char* text) {
        return symbol(text, "Softcap",
                      "Bounds the logit, before the temperature divides it: small ones stay as they are.", {"softcap"},
                      {"attention"});
    };
    FormulaClause clause{cell(logits_are_scores(problem)), sign(in_brackets ? " = (" : " = ")};
    if (is_capped) clause.push_back(softcap(in_tanh_brackets ? "{softcap}·tanh((" : "{softcap}·tanh("));
    if (has_value)
        clause.push_back(symbol("{scale_value}·", "Scale", "Multiplies the score.", {"scale", "scale_value"}));
    clause.push_back(sum(lowered.rotates()));
    if (experiment.scale == Scale::sqrt_d)
        clause.push_back(symbol(" ÷ √{head_dim}", "Scale",
                                "Divides the score by the square root of the head dimension.", {"scale", "head_dim"}));
    if (has_bias)
        clause.push_back(
            symbol(fmt::format(" − {}·{{cursor.distance}}", readable(lowered.bias_slope * experiment.positions.stride)),
                   "Bias", "Lowers the logit by this much per token of distance r.",
                   encoding_fields(experiment, [](Meaning) { return true; }), {"decay"}));
    if (is_capped) clause.push_back(softcap(in_tanh_brackets ? ") ÷ {softcap})" : " ÷ {softcap})"));
    if (in_brackets) clause.push_back(sign(")"));
    if (has_temperature)
        clause.push_back(symbol(" ÷ {temperature}", "Temperature",
                                "Divides the logit. Below 1, the softmax is sharper.", {"temperature"}, {"entropy"}));
    clause.push_back(sign(" = {logit}"));
    return clause;
}

/// Returns the contribution of a pair, for encodings in which it is one wave over distance.
FormulaClause pair_clause(const Experiment& experiment, const LoweredEncoding& lowered) {
    FormulaClause clause{symbol("$g_t$", "Contribution of pair t", "What two channels contribute to the score.", {},
                                {"contributions", "top_pairs"}),
                         sign(" = ")};
    if (lowered.attention_scaling != 1)
        clause.push_back(
            symbol(readable(lowered.score_scaling()) + "·", "Attention scaling",
                   "The encoding multiplies cosines and sines by a factor, and so the scores by its square.",
                   encoding_fields(experiment, [](Meaning meaning) {
                       return meaning == Meaning::attention_scaling || meaning == Meaning::extension_factor ||
                              meaning == Meaning::trained_context;
                   })));
    clause.push_back(symbol("$a_t$", "Amplitude of pair t", "‖qₜ‖ · ‖kₜ‖: how strongly query and key use this pair.",
                            {"construction"}, {"bands", "frequency_usage"}));
    clause.push_back(sign(" cos("));
    clause.push_back(
        symbol(experiment.positions.stride == 1 ? "{cursor.distance}" : "{positions.stride}·{cursor.distance}",
               "Distance r = i − j", "Number of tokens from key to query, times the positions per token.",
               {"positions.stride"}, {"decay", "rotation_heatmap"}));
    clause.push_back(sign("·"));
    clause.push_back(symbol("$w_t$", "Frequency of pair t", "Radians by which the pair rotates per position.",
                            encoding_fields(experiment, [](Meaning meaning) { return meaning == Meaning::base; }, {}),
                            {"wavelengths", "rotation_heatmap"}));
    clause.push_back(sign(" + "));
    clause.push_back(symbol("$\\varphi_t$", "Phase of pair t", "The angle from key to query before rotation.",
                            {"construction"}, {"bands"}));
    clause.push_back(sign(")"));
    return clause;
}

FormulaClause frequency_clause(const Experiment& experiment) {
    return {symbol(formula_of(experiment.encoding), std::string("Frequencies of ") + title_of(experiment.encoding),
                   ConstChoiceRef(experiment.encoding).in_force().summary,
                   encoding_fields(experiment, [](Meaning meaning) { return meaning != Meaning::attention_scaling; }),
                   {"wavelengths", "rotation_heatmap", "rotations"})};
}

FormulaClause weight_clause(bool of_score) {
    return {
        symbol("weight", "Attention weight",
               "The weight of value j in the output of query i. A row's weights sum to 1.", {},
               {"attention", "attention_row"}),
        sign(" = "),
        symbol(of_score ? "$e^{\\mathrm{score}}$" : "$e^{\\mathrm{logit}}$", "Exponential",
               fmt::format("A {} larger by 1 gives e ≈ 2.72 times the weight.", of_score ? "score" : "logit")),
        sign(" ÷ "),
        symbol(of_score ? "$\\sum_j e^{\\mathrm{score}}$" : "$\\sum_j e^{\\mathrm{logit}}$", "Denominator",
               "The sum over all visible keys of row i.", {"seq_len", "mask", "window"}, {"attention_row", "entropy"}),
        sign(" = {weight}")};
}

}  // namespace

std::vector<FormulaClause> formula_of(const Experiment& experiment, const Problem& problem, bool is_masked) {
    // The last clauses are dropped first: no other clause needs the weight, and the contributions need wₜ.
    std::vector<FormulaClause> formula{is_masked ? masked_clause() : logit_clause(experiment, problem),
                                       frequency_clause(experiment)};
    if (const LoweredEncoding& lowered = problem.lowered; lowered.relative() && lowered.damping.empty())
        formula.push_back(pair_clause(experiment, lowered));
    formula.push_back(weight_clause(!is_masked && logits_are_scores(problem)));
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
