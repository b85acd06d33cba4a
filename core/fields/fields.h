// core/fields: how a struct lists its fields, the code that reads such lists, and the types that fields have. A struct
// lists its fields once:
//
//     static void fields(auto& s, auto&& f) { f(Field{.name = "base", …}, s.base); … }
//
// JSON, `--set`, `ropewalk list fields`, widgets, tooltips, validation, hashing and undo names all read that list. A
// field is a leaf (double, int, int64_t, bool, a named enum, a list of doubles, a text, an InputFile), a struct with
// its own fields, or a choice: a std::variant of such structs that carry `id`, `title`, `summary` and `source`. All of
// these read the list through references that know a value's kind but not its struct, so that each is compiled only
// once.
#pragma once

#include <fmt/format.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/fields/indirect.h"
#include "core/fields/input_file.h"
#include "core/fields/named_enum.h"
#include "core/numbers/numbers.h"
#include "core/visit.h"

namespace ropewalk {

struct FieldRef;
struct GroupType;

/// What a number means, for code that looks for it without knowing which struct has the field.
enum class Meaning {
    none,
    base,               // of the RoPE frequencies
    trained_context,    // training length, tokens; 0 if not used
    rotating_fraction,  // of the pairs, or of the channels
    turns_threshold,    // turns over the training length
    extension_factor,   // multiple of the training length
    attention_scaling,  // on cosine and sine only
    position_range,     // positions are drawn from 1 … this
    distance,           // target distance, tokens
    window,             // tokens; distances below it are kept
    samples,            // averaged by a curve
    pair,               // that a construction uses, in steps of the field
    prose               // whose tokens the head attends to; pictures follow as it is typed
};

/// The description of a field.
struct Field {
    const char* name = "";     // in JSON and `--set`
    const char* label = "";    // beside its widget
    const char* section = "";  // heading above this and the following fields
    bool in_controls = true;   // false: no widget, because a zoom sets it or another field's value leaves it unused
    bool advanced = false;     // its widget is in the group "More"
    const char* unit = "";
    double min = -infinity;
    double max = infinity;
    double slider_min = nan;  // useful part of the range; NaN: all of it
    double slider_max = nan;
    bool ends_at_slider = false;  // nothing beyond the slider is valid together with the other fields
    bool logarithmic = false;
    const char* min_means = "";   // meaning of the min, if it is not a number: "the sequence"
    double min_stands_for = nan;  // the number that the min means, if it is one: its place on a slider
    int step = 1;                 // of an integer: only min + a multiple of it is valid
    bool may_be_empty = false;    // of a list
    const char* couple = "";      // of a list: name of two consecutive numbers, such as "point"
    bool of_pairs = false;  // a fraction of the head_dim/2 pairs, which sliders snap to whole pairs, or an integer that
                            // counts them in steps of `step`; sliders end at the last pair
    bool of_settings = false;               // of a text: settings, with | between groups
    const GroupType& (*items)() = nullptr;  // of a text: a list of such structs, as settings with | between them
    std::size_t most_bytes = 4096;          // of a text
    std::size_t most_entries = 0;           // of a text that lists entries with | between them; 0: any number
    std::span<const double> marks = {};
    Meaning meaning = Meaning::none;
    const char* help = "";
    const char* source = "";  // paper and equation, if not those of the struct
};

/// One of several structs, each of which carries `id`, `title`, `summary` and `source`.
template <class T>
concept Choice = std::is_same_v<std::remove_const_t<T>, Indirect<typename T::value_type>>;

/// A struct with fields.
template <class T>
concept Group = requires(T& value) {
    std::remove_const_t<T>::fields(value, [](const Field&, auto&) {});
};

/// How to list the fields of a value of one struct type, and a value with every default.
struct GroupType {
    std::vector<FieldRef> (*list)(void* value);
    const void* defaults;
    std::shared_ptr<void> (*create)();  // a value with every default
};
template <Group S>
const GroupType& group_type();

/// How to read and change values of one choice type.
struct ChoiceType {
    struct Alternative {
        const char *id, *title, *summary, *source;  // source: "" if none
        const GroupType* type;
        void* (*get)(void* choice);  // the alternative, which must be the current one
        void (*put_in_force)(void* choice);
    };
    std::vector<Alternative> alternatives;
    std::size_t (*index)(const void* choice);
    void (*choose)(void* choice, std::size_t index);  // keeps fields of the same name
};
/// A choice with many alternatives declares this `extern template`, so that it is compiled once.
template <Choice C>
const ChoiceType& choice_type();

/// A read-only reference to any struct with fields.
class ConstGroupRef {
  public:
    template <Group S>
    ConstGroupRef(const S& s) : ConstGroupRef(&s, group_type<S>()) {}
    ConstGroupRef(const void* value, const GroupType& type) : value_(const_cast<void*>(value)), type_(&type) {}

    /// Calls f(field, value) in the order of the list; value is a const leaf, EnumRef, ConstGroupRef or ConstChoiceRef.
    template <class F>
    void for_each(F&& f) const;
    const GroupType& type() const { return *type_; }
    /// Returns the fields in order. Do not write to those of a const value.
    std::vector<FieldRef> list() const;

  protected:
    void* value_;  // only GroupRef writes to it
    const GroupType* type_;
};

/// A reference to any struct with fields, for reading and writing.
class GroupRef : public ConstGroupRef {
  public:
    template <Group S>
    requires(!std::is_const_v<S>) GroupRef(S& s) : ConstGroupRef(s) {}
    GroupRef(void* value, const GroupType& type) : ConstGroupRef(value, type) {}

    /// Calls f(field, value) in the order of the list; value is a leaf, EnumRef, GroupRef or ChoiceRef.
    template <class F>
    void for_each(F&& f) const;
};

inline ConstGroupRef defaults_of(const GroupType& type) {
    return {type.defaults, type};
}

/// A read-only reference to any choice.
class ConstChoiceRef {
  public:
    template <Choice C>
    ConstChoiceRef(const C& choice) : choice_(const_cast<C*>(&choice)), type_(&choice_type<C>()) {}

    std::span<const ChoiceType::Alternative> alternatives() const { return type_->alternatives; }
    std::size_t index() const { return type_->index(choice_); }
    const ChoiceType::Alternative& in_force() const { return type_->alternatives[index()]; }
    ConstGroupRef fields() const { return {in_force().get(choice_), *in_force().type}; }
    std::vector<std::string> ids() const;

  protected:
    void* choice_;
    const ChoiceType* type_;
};

/// A reference to any choice, for reading and writing.
class ChoiceRef : public ConstChoiceRef {
  public:
    template <Choice C>
    requires(!std::is_const_v<C>) ChoiceRef(C& choice) : ConstChoiceRef(choice) {}

    GroupRef fields() const { return {in_force().get(choice_), *in_force().type}; }
    /// Changes to another alternative; keeps fields of the same name.
    void choose(std::size_t index) const { type_->choose(choice_, index); }
};

/// A reference to a field's value.
using FieldValue = std::variant<double*, int*, std::int64_t*, bool*, std::vector<double>*, std::string*, ArrayFile*,
                                HeadFile*, ModelFile*, TextFile*, EnumRef, GroupRef, ChoiceRef>;
struct FieldRef {
    Field field;
    FieldValue value;
};

/// Calls f(value) with a leaf itself, an EnumRef, a GroupRef or a ChoiceRef.
template <class F>
void visit_value(FieldValue& value, F&& f) {
    const auto leaf_or_ref = [&](auto& at) {
        if constexpr (std::is_pointer_v<std::remove_reference_t<decltype(at)>>)
            f(*at);
        else
            f(at);
    };
    visit_alternative(leaf_or_ref, value);
}

inline std::vector<FieldRef> ConstGroupRef::list() const {
    return type_->list(value_);
}

template <class F>
void GroupRef::for_each(F&& f) const {
    for (FieldRef& entry : list()) visit_value(entry.value, [&](auto& value) { f(entry.field, value); });
}

template <class F>
void ConstGroupRef::for_each(F&& f) const {
    GroupRef(value_, *type_).for_each([&](const Field& field, auto& value) {
        using T = std::remove_reference_t<decltype(value)>;
        if constexpr (std::is_same_v<T, GroupRef>)
            f(field, static_cast<const ConstGroupRef&>(value));
        else if constexpr (std::is_same_v<T, ChoiceRef>)
            f(field, static_cast<const ConstChoiceRef&>(value));
        else
            f(field, std::as_const(value));
    });
}

/// Visits all leaves and choices below a group, depth first, as f(path, field, value). A choice is visited before the
/// fields of its current alternative, whose paths start with the choice's path. Among controls, fields without a widget
/// are left out, with all below them.
template <bool among_controls = false, class Ref, class F>
requires std::derived_from<Ref, ConstGroupRef>
void walk_fields(const Ref& group, F&& f, const std::string& prefix = {}) {
    group.for_each([&](const Field& field, auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        if (among_controls && !field.in_controls) return;
        const std::string path = prefix + field.name;
        if constexpr (std::derived_from<T, ConstGroupRef>) {
            walk_fields<among_controls>(value, f, path + ".");
        } else {
            f(path, field, value);
            if constexpr (std::derived_from<T, ConstChoiceRef>)
                walk_fields<among_controls>(value.fields(), f, path + ".");
        }
    });
}
template <Group S, class F>
void walk_fields(S& s, F&& f, const std::string& prefix = {}) {
    walk_fields(std::conditional_t<std::is_const_v<S>, ConstGroupRef, GroupRef>(s), f, prefix);
}

/// Visits the leaves and choices that have a widget.
template <class F>
void walk_controls(const ConstGroupRef& group, F&& f) {
    walk_fields<true>(group, f);
}

/// Calls f(alternative) with a default value of each alternative of the choice, in order. Its list must be included.
template <Choice C, class F>
void for_each_alternative(F&& f) {
    const auto for_each = [&]<class... A>(const std::variant<A...>*) { (f(A{}), ...); };
    for_each(static_cast<const typename C::value_type*>(nullptr));
}

/// Returns the choice with a default value of each alternative, in order.
template <Choice C>
std::vector<C> alternatives_of() {
    std::vector<C> all(choice_type<C>().alternatives.size());
    for (std::size_t i = 0; i < all.size(); ++i) choice_type<C>().alternatives[i].put_in_force(&all[i]);
    return all;
}

inline const char* id_of(const ConstChoiceRef& choice) {
    return choice.in_force().id;
}
inline const char* title_of(const ConstChoiceRef& choice) {
    return choice.in_force().title;
}

/// Returns the first number below `s` with this meaning; nothing if there is none.
std::optional<double> number_meaning(const ConstGroupRef& s, Meaning meaning);

/// Sets the number at `path` below `s`, clamped to its field's range and rounded for integers. Returns false if there
/// is no such number.
bool set_number(const GroupRef& s, std::string_view path, double value);
/// Returns the number at `path`; nothing if there is none.
std::optional<double> number_at(const ConstGroupRef& s, std::string_view path);

/// Copies into `to` every field of `from` that has the same name and type and a value that `to` accepts there.
void keep_common_fields(const ConstGroupRef& from, const GroupRef& to);

/// Changes to the alternative `id`; keeps fields of the same name. Returns false if there is no such alternative.
bool choose(const ChoiceRef& choice, std::string_view id);

/// The largest range ± this in which double represents every whole number.
inline constexpr double max_whole = 0x1p53;

enum class NumberKind { real, whole };
/// Returns the requirement on a field's number, such as "it must be an even number from 2 to 1024".
std::string range_sentence(const Field& field, NumberKind kind);

/// Returns a sentence if a leaf's value is not acceptable. It names the field, its value and what is allowed.
std::optional<std::string> check_leaf(const std::string& path, const Field& field, double value);
std::optional<std::string> check_leaf(const std::string& path, const Field& field, std::int64_t value);
std::optional<std::string> check_leaf(const std::string& path, const Field& field, const std::vector<double>& values);
/// Checks the value of an integer field that may not be a whole number.
std::optional<std::string> check_whole(const std::string& path, const Field& field, double value);
/// Checks a text, which must be UTF-8 and not too long, or a list of entries or structs.
std::optional<std::string> check_leaf(const std::string& path, const Field& field, const std::string& text);
inline std::optional<std::string> check_leaf(const std::string& path, const Field& field, int value) {
    return check_leaf(path, field, std::int64_t{value});
}
template <class T>
std::optional<std::string> check_leaf(const std::string&, const Field&, const T&) {
    return std::nullopt;
}

/// Returns a sentence about the first field below `s` that is outside its range. Rules between fields are not checked.
std::optional<std::string> check_fields(const ConstGroupRef& s);

/// Returns the value of a leaf or a choice as text, as in JSON or after `--set path=`.
std::string text_of(double value);
std::string text_of(const std::vector<double>& values);
std::string text_of(const EnumRef& value);
std::string text_of(const ConstChoiceRef& choice);
template <class T>
requires(std::is_integral_v<T> || std::is_same_v<T, std::string>) std::string text_of(const T& value) {
    return fmt::format("{}", value);
}
template <FileLeaf T>
std::string text_of(const T& file) {
    return file.content ? fmt::format("{}#{:016x}", file.path, hash_of(*file.content)) : file.path;
}

/// Sets a leaf or a choice from text. Returns what was expected, such as "a number", if the text cannot be parsed.
/// Ranges are not checked.
std::optional<std::string> parse_leaf(std::string_view text, double& value);
std::optional<std::string> parse_leaf(std::string_view text, std::int64_t& value);
std::optional<std::string> parse_leaf(std::string_view text, int& value);
std::optional<std::string> parse_leaf(std::string_view text, bool& value);
/// A list is separated by commas; a range, which is a list of two numbers, by a colon.
std::optional<std::string> parse_leaf(std::string_view text, std::vector<double>& values);
std::optional<std::string> parse_leaf(std::string_view text, std::string& value);
template <FileLeaf T>
std::optional<std::string> parse_leaf(std::string_view text, T& file) {
    file = {.path = std::string(text)};
    return std::nullopt;
}
std::optional<std::string> parse_leaf(std::string_view text, EnumRef value);
std::optional<std::string> parse_leaf(std::string_view text, const ChoiceRef& choice);

/// Returns the ids as "'rope' or 'yarn'".
std::string one_of(std::span<const std::string> ids);

/// Returns a hash of the names and values of all fields below `s`, the same on every machine.
std::uint64_t hash_fields(const ConstGroupRef& s);

template <Group S>
const GroupType& group_type() {
    static const S defaults{};
    const auto list_fields = [](void* value) {
        std::vector<FieldRef> list;
        S::fields(*static_cast<S*>(value), [&]<class T>(const Field& field, T& member) {
            if constexpr (NamedEnum<T>)
                list.push_back({field, EnumRef(member)});
            else if constexpr (Group<T>)
                list.push_back({field, GroupRef(member)});
            else if constexpr (Choice<T>)
                list.push_back({field, ChoiceRef(member)});
            else
                list.push_back({field, &member});
        });
        return list;
    };
    const auto create = []() -> std::shared_ptr<void> { return std::make_shared<S>(); };
    static const GroupType type{.list = list_fields, .defaults = &defaults, .create = create};
    return type;
}

}  // namespace ropewalk
