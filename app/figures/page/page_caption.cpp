#include "app/figures/page/page_caption.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/figures/page/figure_titles.h"
#include "app/plot/math/math_text.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

struct LatexSymbol {
    char32_t character;
    const char* tex;
};
constexpr LatexSymbol latex_symbols[] = {
    {U'%', "\\%"},       {U'&', "\\&"},        {U'#', "\\#"},       {U'_', "\\_"},        {U'$', "\\$"},
    {U'{', "\\{"},       {U'}', "\\}"},        {U'^', "\\^{}"},     {U'~', "\\~{}"},      {U'\\', "\\textbackslash{}"},
    {U'\u2009', "\\,"},  {U'\u202f', "\\,"},   {U'\u00a0', "~"},    {U'·', "$\\cdot$"},   {U'θ', "$\\theta$"},
    {U'α', "$\\alpha$"}, {U'β', "$\\beta$"},   {U'γ', "$\\gamma$"}, {U'λ', "$\\lambda$"}, {U'ρ', "$\\rho$"},
    {U'σ', "$\\sigma$"}, {U'φ', "$\\varphi$"}, {U'ψ', "$\\psi$"},   {U'π', "$\\pi$"},     {U'ε', "$\\varepsilon$"},
    {U'Σ', "$\\sum$"},   {U'Δ', "$\\Delta$"},  {U'−', "$-$"},       {U'×', "$\\times$"},  {U'÷', "$\\div$"},
    {U'√', "$\\surd$"},  {U'≤', "$\\le$"},     {U'≥', "$\\ge$"},    {U'<', "$<$"},        {U'>', "$>$"},
    {U'|', "$|$"},       {U'≈', "$\\approx$"}, {U'±', "$\\pm$"},    {U'∞', "$\\infty$"},  {U'‖', "$\\|$"},
    {U'…', "\\ldots{}"}, {U'→', "$\\to$"},     {U'₀', "$_0$"},      {U'ₜ', "$_t$"},       {U'ⱼ', "$_j$"},
    {U'ₘ', "$_m$"}};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Removes superscripts from the beginning of a text and returns what they stand for.
std::string take_exponent(std::string_view& rest) {
    constexpr std::u32string_view above = U"⁻⁰¹²³⁴⁵⁶⁷⁸⁹";
    std::string plain;
    while (!rest.empty()) {
        std::string_view after = rest;
        const std::size_t at = above.find(take_character(after));
        if (at == above.npos) break;
        plain += "-0123456789"[at];
        rest = after;
    }
    return plain;
}

/// Returns the text as TeX within a formula.
std::string as_formula(std::string_view text) {
    std::string tex;
    const std::string latex = in_latex(text);
    for (std::size_t i = 0; i < latex.size(); ++i)
        if (latex[i] != '$')
            tex += latex[i];
        else if (!tex.empty() && is_letter(tex.back()) && i + 1 < latex.size() && is_letter(latex[i + 1]))
            tex += ' ';  // ends a command
    if (const std::size_t root = tex.find("\\surd"); root != tex.npos) tex.replace(root, 5, "\\sqrt");
    return tex;
}

/// Returns whether a word is a variable: a letter, with a subscript or within bars.
bool is_variable(std::string_view word) {
    for (const std::string_view bar : {"‖", "‖²"})
        if (word.ends_with(bar) && word.starts_with("‖")) return true;
    const char32_t first = take_character(word);
    const bool is_latin = first < 128 && is_letter(static_cast<char>(first)), is_greek = first >= U'α' && first <= U'ω';
    return (is_latin || is_greek) && (word.empty() || word == "₀" || word == "ₜ" || word == "'");
}

/// Returns one setting with a formula if it has a variable or is an expression.
std::string setting_with_formula(const std::string& setting, CaptionFile kind) {
    std::size_t begin = 0;
    for (std::size_t end = setting.find(' '); end != setting.npos; begin = end + 1, end = setting.find(' ', begin)) {
        if (!is_variable(std::string_view(setting).substr(begin, end - begin))) continue;
        std::string_view value = std::string_view(setting).substr(end + 1);
        if (value.starts_with("= ")) value.remove_prefix(2);
        const bool is_number = value.starts_with("−") || (!value.empty() && is_digit(value.front()));
        bool has_words = false;  // rather than only spaces between thousands
        for (std::size_t at = value.find(' '); at != value.npos; at = value.find(' ', at + 1))
            has_words = has_words || at + 1 == value.size() || !is_digit(value[at + 1]);
        if (!is_number || has_words) continue;
        if (kind == CaptionFile::text) return fmt::format("{} = {}", setting.substr(0, end), value);
        return fmt::format("{}${} = {}$", setting.substr(0, begin), as_formula(setting.substr(begin, end - begin)),
                           as_formula(value));
    }
    const std::string last = setting.substr(begin);
    const bool is_expression =
        kind == CaptionFile::latex && begin > 0 && (last.starts_with("−") || last.find("√") != last.npos);
    return is_expression ? fmt::format("{}${}$", setting.substr(0, begin), as_formula(last)) : setting;
}

}  // namespace

std::string particulars(const Figure& figure, const FigureInput& input) {
    const Cursor& cursor = input.cursor;
    const CursorUse use = shown_part(figure) ? CursorUse::none : cursor_use(figure, input.experiment());
    std::string text = use == CursorUse::none ? "" : "query " + token_text(input, cursor.query);
    if (use == CursorUse::cell) text += ", key " + token_text(input, cursor.key);
    Badge remark = badge(figure, input);
    if (remark.is_verdict && input.theme.is_paper) remark = {};
    return text + (text.empty() || remark.text.empty() ? "" : " · ") + remark.text;
}

std::string caption_of(const Page& page, const FigureInput& input, TrainingDetail detail) {
    const auto& reference = page.options.reference;
    Depicted depicted = Depicted::publication;
    for (const PlacedFigure& placed : page.figures) depicted = united(depicted, depicted_by(placed.figure));
    const std::string own = caption(page.experiment, depicted, detail);
    const bool is_drawn = std::any_of(page.figures.begin(), page.figures.end(), [&](const PlacedFigure& placed) {
        return draws_reference(placed.figure, input);
    });
    if (own.empty() || !reference || !is_drawn || *reference == page.experiment) return own;
    return fmt::format("{} · reference: {}", own, difference_in_words(page.experiment, *reference));
}

std::string in_latex(std::string_view text) {
    std::string latex;
    bool ends_in_math = false;
    const auto add = [&](std::string_view tex) {
        const bool is_math = tex.starts_with('$');
        if (is_math && ends_in_math) {  // neighbouring symbols in one formula
            latex.pop_back(), tex.remove_prefix(1);
            if (is_letter(latex.back()) && is_letter(tex.front())) latex += ' ';
        }
        latex += tex;
        ends_in_math = is_math;
    };
    for (const TextPart& part : parts_of(text)) {
        if (part.is_math) {
            add("$" + std::string(part.text) + "$");
            continue;
        }
        for (std::string_view rest = part.text; !rest.empty();) {
            if (const std::string exponent = take_exponent(rest); !exponent.empty()) {
                add("$^{" + exponent + "}$");
                continue;
            }
            const char32_t c = take_character(rest);
            const bool separates_thousands = c == U' ' && !latex.empty() && is_digit(latex.back()) && rest.size() > 2 &&
                                             std::all_of(rest.begin(), rest.begin() + 3, is_digit);
            if (separates_thousands) {
                add("\\,");
                continue;
            }
            const auto symbol = std::find_if(std::begin(latex_symbols), std::end(latex_symbols),
                                             [&](const LatexSymbol& one) { return one.character == c; });
            add(symbol == std::end(latex_symbols) ? utf8_of(c) : symbol->tex);
        }
    }
    return latex;
}

std::string with_formulas(std::string_view parameters, CaptionFile kind) {
    constexpr std::string_view separators[] = {" · ", ", "};
    std::string text;
    while (!parameters.empty()) {
        std::size_t end = parameters.size(), length = 0;
        for (const std::string_view separator : separators)
            if (const std::size_t at = parameters.find(separator); at < end) end = at, length = separator.size();
        text += setting_with_formula(std::string(parameters.substr(0, end)), kind);
        if (length > 0) text += parameters.substr(end, length) == separators[0] ? "; " : ", ";
        parameters.remove_prefix(end + length);
    }
    return text;
}

std::string caption_file_text(const Page& page, const FigureInput& input, CaptionFile kind, bool has_areas) {
    std::vector<Figure> figures;
    for (const PlacedFigure& placed : page.figures) figures.push_back(placed.figure);
    std::string text;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const std::string letter = figures.size() > 1 ? fmt::format("({}) ", static_cast<char>('a' + i % 26)) : "";
        const std::string own = particulars(figures[i], input);
        text += fmt::format("{}{}{}{}. ", letter, title_among(figures, i), own.empty() ? "" : ": ", own);
    }
    const std::string parameters = caption_of(page, input, TrainingDetail::full);
    text += parameters.empty() ? "" : with_formulas(parameters, kind) + ".";
    if (has_areas) text += " Where values are dense, the line is their mean and the band their range.";
    while (text.ends_with(' ')) text.pop_back();
    return kind == CaptionFile::latex ? fmt::format("\\caption{{{}}}\n", in_latex(text)) : without_math(text) + "\n";
}

std::string caption_path(const std::string& figure_path, CaptionFile kind) {
    return std::filesystem::path(figure_path)
        .replace_extension(kind == CaptionFile::latex ? ".caption.tex" : ".caption.txt")
        .string();
}

}  // namespace ropewalk
