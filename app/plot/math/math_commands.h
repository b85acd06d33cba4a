// The symbols of formulas that have a name.
#pragma once

#include <algorithm>
#include <string_view>

namespace ropewalk {

/// The kind of a symbol, which determines the space around it.
enum class SymbolKind { ordinary, operation, relation, open, close, punctuation, function, large };

struct MathCommand {
    std::string_view name;
    char32_t character;
    SymbolKind kind = SymbolKind::ordinary;
};

// clang-format off
inline constexpr MathCommand math_commands[] = {
    {"alpha", U'α'}, {"beta", U'β'}, {"gamma", U'γ'}, {"delta", U'δ'}, {"epsilon", U'ε'}, {"varepsilon", U'ε'},
    {"zeta", U'ζ'}, {"eta", U'η'}, {"theta", U'θ'}, {"iota", U'ι'}, {"kappa", U'κ'}, {"lambda", U'λ'}, {"mu", U'μ'},
    {"nu", U'ν'}, {"xi", U'ξ'}, {"pi", U'π'}, {"rho", U'ρ'}, {"sigma", U'σ'}, {"tau", U'τ'}, {"upsilon", U'υ'},
    {"phi", U'φ'}, {"varphi", U'φ'}, {"chi", U'χ'}, {"psi", U'ψ'}, {"omega", U'ω'}, {"Gamma", U'Γ'},
    {"Delta", U'Δ'}, {"Theta", U'Θ'}, {"Lambda", U'Λ'}, {"Xi", U'Ξ'}, {"Pi", U'Π'}, {"Sigma", U'Σ'}, {"Phi", U'Φ'},
    {"Psi", U'Ψ'}, {"Omega", U'Ω'}, {"infty", U'∞'}, {"partial", U'∂'}, {"nabla", U'∇'}, {"ldots", U'…'},
    {"dots", U'…'}, {"cdots", U'⋯'}, {"prime", U'′'}, {"top", U'⊤'}, {"ell", U'ℓ'}, {"circ", U'∘', SymbolKind::operation},
    {"cdot", U'⋅', SymbolKind::operation}, {"times", U'×', SymbolKind::operation}, {"pm", U'±', SymbolKind::operation},
    {"odot", U'⊙', SymbolKind::operation}, {"otimes", U'⊗', SymbolKind::operation}, {"oplus", U'⊕', SymbolKind::operation},
    {"le", U'≤', SymbolKind::relation}, {"leq", U'≤', SymbolKind::relation}, {"ge", U'≥', SymbolKind::relation},
    {"geq", U'≥', SymbolKind::relation}, {"ne", U'≠', SymbolKind::relation}, {"neq", U'≠', SymbolKind::relation},
    {"approx", U'≈', SymbolKind::relation}, {"sim", U'∼', SymbolKind::relation}, {"propto", U'∝', SymbolKind::relation},
    {"in", U'∈', SymbolKind::relation}, {"to", U'→', SymbolKind::relation}, {"rightarrow", U'→', SymbolKind::relation},
    {"mid", U'|', SymbolKind::relation}, {"ll", U'≪', SymbolKind::relation}, {"gg", U'≫', SymbolKind::relation},
    {"langle", U'⟨', SymbolKind::open}, {"rangle", U'⟩', SymbolKind::close}, {"lfloor", U'⌊', SymbolKind::open},
    {"rfloor", U'⌋', SymbolKind::close}, {"lceil", U'⌈', SymbolKind::open}, {"rceil", U'⌉', SymbolKind::close},
    {"lVert", U'‖', SymbolKind::open}, {"rVert", U'‖', SymbolKind::close}, {"|", U'‖'}, {"Vert", U'‖'}, {"{", U'{', SymbolKind::open},
    {"}", U'}', SymbolKind::close}, {"$", U'$'}, {"%", U'%'}, {"sum", U'∑', SymbolKind::large}, {"prod", U'∏', SymbolKind::large},
    {"int", U'∫', SymbolKind::large},
};
// clang-format on
inline constexpr std::string_view math_functions[] = {"cos", "sin", "tan", "exp", "log",    "ln",
                                                      "max", "min", "sup", "arg", "softmax"};

/// Removes the name of a command, letters or one other character, from the beginning of `rest` and returns it.
inline std::string_view take_command_name(std::string_view& rest) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto end = std::find_if_not(rest.begin(), rest.end(), is_letter);
    const auto length = std::max<std::size_t>(static_cast<std::size_t>(end - rest.begin()), rest.empty() ? 0 : 1);
    const std::string_view name = rest.substr(0, length);
    rest.remove_prefix(length);
    return name;
}

}  // namespace ropewalk
