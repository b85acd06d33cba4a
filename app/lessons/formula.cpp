#include "app/lessons/formula.h"

#include <fmt/format.h>

namespace ropewalk {
namespace {

FormulaPart sign(std::string_view text) {
    return {.text = parse_paragraph(text)};
}

FormulaPart cell() {
    return {.text = parse_paragraph("logit({cursor.query}, {cursor.key})"),
            .title = "Logit of query i and key j",
            .help = "What the softmax of row i is taken of, at the cursor's cell.",
            .figures = {"attention", "row"}};
}

FormulaPart sum(bool rotates) {
    return {.text = parse_paragraph(rotates ? "Σᵢ gᵢ" : "(q + pₘ)·(k + pₙ)"),
            .title = rotates ? "Score" : "Score with added waves",
            .help = rotates ? "What the pairs add up to: the rotated query times the rotated key."
                            : "The waves of both positions are added before query and key are multiplied.",
            .figures = {"contributions", "phasors"}};
}

FormulaClause logit_clause(const Experiment& experiment, const Lowered& lowered) {
    FormulaClause clause{cell(), sign(" = "), sum(lowered.rotates())};
    if (experiment.scale == Scale::sqrt_d)
        clause.push_back({.text = parse_paragraph(" ÷ √{head_dim}"),
                          .title = "Scale",
                          .help = "Models divide the score by the root of the head dim.",
                          .controls = {"scale", "head_dim"}});
    if (lowered.bias_slope != 0)
        clause.push_back({.text = parse_paragraph(fmt::format(" − {:.4g}·{{cursor.distance}}", lowered.bias_slope)),
                          .title = "Bias",
                          .help = "The logit loses this much for every token of distance r.",
                          .controls = {"encoding.head", "encoding.heads"},
                          .figures = {"decay"}});
    if (experiment.temperature != 1)
        clause.push_back({.text = parse_paragraph(" ÷ {temperature}"),
                          .title = "Temperature",
                          .help = "Divides the logit: below 1 the softmax is sharper.",
                          .controls = {"temperature"},
                          .figures = {"entropy"}});
    clause.push_back(sign(" = {logit}"));
    return clause;
}

FormulaClause pair_clause() {
    return {{.text = parse_paragraph("gᵢ"),
             .title = "Contribution of pair i",
             .help = "The part of the score that two channels bring.",
             .figures = {"contributions", "top_pairs"}},
            sign(" = "),
            {.text = parse_paragraph("aᵢ"),
             .title = "Amplitude of pair i",
             .help = "‖qᵢ‖ · ‖kᵢ‖: how much query and key use this pair.",
             .controls = {"construction"},
             .figures = {"bands", "frequency_usage"}},
            sign(" cos("),
            {.text = parse_paragraph("{cursor.distance}"),
             .title = "Distance r = i − j",
             .help = "How many tokens the key stands before the query.",
             .figures = {"decay", "rotation_heatmap"}},
            sign("·"),
            {.text = parse_paragraph("wᵢ"),
             .title = "Frequency of pair i",
             .help = "Radians that the pair turns by from one token to the next.",
             .controls = {"encoding.base"},
             .figures = {"wavelengths", "rotation_heatmap"}},
            sign(" + "),
            {.text = parse_paragraph("φᵢ"),
             .title = "Phase of pair i",
             .help = "The angle from key to query before either is turned.",
             .controls = {"construction"},
             .figures = {"bands"}},
            sign(")")};
}

FormulaClause frequency_clause(const Experiment& experiment) {
    std::vector<std::string> controls{"encoding"};
    const Paragraph text = parse_paragraph(
        std::visit([](const auto& encoding) { return std::string(encoding.formula); }, experiment.encoding));
    for (const Span& span : text)
        if (span.number && !span.number->mention.field().empty()) controls.push_back(span.number->mention.field());
    return {
        {.text = text,
         .title = std::string("Frequencies of ") + title_of(experiment.encoding),
         .help = std::visit([](const auto& encoding) { return std::string(encoding.summary); }, experiment.encoding),
         .controls = controls,
         .figures = {"wavelengths", "rotation_heatmap", "rotations"}}};
}

FormulaClause weight_clause() {
    return {{.text = parse_paragraph("weight"),
             .title = "Attention weight",
             .help = "The share of key j in what query i takes up; a row's weights add up to 1.",
             .figures = {"attention", "row"}},
            sign(" = "),
            {.text = parse_paragraph("e^logit"),
             .title = "Exponential",
             .help = "A logit that is larger by 1 has e ≈ 2.72 times the weight."},
            sign(" ÷ "),
            {.text = parse_paragraph("Σⱼ e^logit"),
             .title = "Denominator",
             .help = "Over all keys that row i sees.",
             .controls = {"seq_len", "mask"},
             .figures = {"row", "entropy"}},
            sign(" = {weight}")};
}

}  // namespace

std::vector<FormulaClause> formula_of(const Experiment& experiment) {
    const Lowered lowered = lower(experiment.encoding, experiment.shape());
    std::vector<FormulaClause> formula{logit_clause(experiment, lowered), weight_clause(),
                                       frequency_clause(experiment)};
    if (lowered.rotates()) formula.push_back(pair_clause());
    return formula;
}

Needs needs_of(const std::vector<FormulaClause>& formula, const Experiment& experiment, const Cursor& cursor) {
    Needs needs;
    for (const FormulaClause& clause : formula)
        for (const FormulaPart& part : clause)
            for (Question& question : needs_of(Passage{part.text}, experiment, cursor))
                needs.push_back(std::move(question));
    return needs;
}

}  // namespace ropewalk
