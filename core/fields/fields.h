// The one description of a struct's fields. A struct lists them once,
//
//     template <class S, class F> static void fields(S& s, F&& f) { f(Field{.name = "base", …}, s.base); … }
//
// and JSON, `--set`, `ropewalk list fields`, widgets, tooltips, validation, hashing and undo names all read that list.
// A field is a leaf (double, int, int64_t, bool, a named enum, a list of doubles, a text, an ArrayFile), a struct with
// fields of its own, or a choice: an Indirect variant of such structs that carry `id`, `title`, `summary` and `source`.
// They read it through references that know a value's kind but not its struct, so that each is compiled once and not
// for every struct.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/fields/indirect.h"
#include "core/fields/named_enum.h"
#include "core/numbers/numbers.h"

namespace ropewalk {

struct ArrayFile;
struct FieldRef;

/// What a number stands for, for those who look for it without knowing whose field it is.
enum class Meaning {
    none,
    base,               // of the frequency ladder
    trained_context,    // tokens; 0 if it does not count
    rotating_fraction,  // of the pairs, or of the channels
    turns_threshold,    // turns over the trained context
    extension_factor,   // how many times the trained context
    attention_scaling,  // of cosines and sines, and of nothing else
    position_range,     // positions are drawn from 1 … this
    distance,           // tokens, that queries look back
    window,             // tokens, within which distances are left alone
    samples,            // behind a curve of means, which says how many they are
    pair                // that a construction is about, in steps of the field
};

/// What is to be known of a field besides its value.
struct Field {
    const char* name = "";     // in JSON and `--set`
    const char* label = "";    // beside its widget
    const char* section = "";  // heading that it and the following fields stand under
    bool in_controls = true;   // false: it has no widget, because something else sets it (a zoom, say)
    const char* unit = "";
    double min = -infinity;
    double max = infinity;
    double slider_min = nan;  // the useful part of the range; NaN: all of it
    double slider_max = nan;
    bool logarithmic = false;
    const char* min_means = "";  // what the least value stands for, where that is no number: "the sequence"
    int step = 1;                // of an integer: only least + a multiple of it is valid
    bool may_be_empty = false;   // of a list
    const char* couple = "";     // of a list: what two of its numbers are together, as "point"
    bool of_pairs = false;       // of the head_dim/2 pairs: a fraction, which sliders snap to whole pairs, or a whole
                                 // number that counts them, `step` for each: sliders end at the last
    bool of_settings = false;    // of a text: settings, with | between those that do not belong together
    std::span<const double> marks = {};
    Meaning meaning = Meaning::none;
    const char* help = "";
    const char* source = "";  // paper and equation, where it is not the whole struct's
};

template <class T>
struct IsIndirect : std::false_type {};
template <class T>
struct IsIndirect<Indirect<T>> : std::true_type {};

/// One of several structs, each of which carries `id`, `title`, `summary` and `source`.
template <class T>
concept Choice = IsIndirect<std::remove_const_t<T>>::value;

/// A struct with fields.
template <class T>
concept Group = requires(T& value) {
    std::remove_const_t<T>::fields(value, [](const Field&, auto&) {});
};

/// What is to be known of a struct with fields: how to list those of a value, and a value with every default.
struct GroupType {
    std::vector<FieldRef> (*list)(void* value);
    const void* (*defaults)();
};
template <Group S>
const GroupType& group_type();

/// What is to be known of a choice.
struct ChoiceType {
    struct Alternative {
        const char *id, *title, *summary, *source;  // source: "" where it has none
        const GroupType* type;
        void* (*get)(void* choice);  // the alternative itself, which must be in force
        void (*put_in_force)(void* choice);
    };
    std::vector<Alternative> alternatives;
    std::size_t (*index)(const void* choice);
    void (*choose)(void* choice, std::size_t index);  // keeping fields of the same name
};
/// A choice with many alternatives declares this `extern template` and has it compiled in one place.
template <Choice C>
const ChoiceType& choice_type();

/// A struct with fields, whichever it is, to be read.
class ConstGroupRef {
  public:
    template <Group S>
    ConstGroupRef(const S& s) : ConstGroupRef(&s, group_type<S>()) {}
    ConstGroupRef(const void* value, const GroupType& type) : value_(const_cast<void*>(value)), type_(&type) {}

    /// f(field, value) in the order of the list; value is a const leaf, EnumRef, ConstGroupRef or ConstChoiceRef.
    template <class F>
    void for_each(F&& f) const;
    const GroupType& type() const { return *type_; }
    /// The fields in order. Of a value that is only to be read they are not written to.
    std::vector<FieldRef> list() const;

  protected:
    void* value_;  // written to by GroupRef only, which is made from a value that may be
    const GroupType* type_;
};

/// The same, to be changed.
class GroupRef : public ConstGroupRef {
  public:
    template <Group S>
    requires(!std::is_const_v<S>) GroupRef(S& s) : ConstGroupRef(s) {}
    GroupRef(void* value, const GroupType& type) : ConstGroupRef(value, type) {}

    /// f(field, value); value is a leaf, EnumRef, GroupRef or ChoiceRef.
    template <class F>
    void for_each(F&& f) const;
};

inline ConstGroupRef defaults_of(const GroupType& type) {
    return {type.defaults(), type};
}

/// A choice, whichever it is, to be read.
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

/// The same, to be changed.
class ChoiceRef : public ConstChoiceRef {
  public:
    template <Choice C>
    requires(!std::is_const_v<C>) ChoiceRef(C& choice) : ConstChoiceRef(choice) {}

    GroupRef fields() const { return {in_force().get(choice_), *in_force().type}; }
    /// Puts an alternative in force, keeping fields of the same name.
    void choose(std::size_t index) const { type_->choose(choice_, index); }
};

/// Where a field's value lies.
using FieldValue = std::variant<double*, int*, std::int64_t*, bool*, std::vector<double>*, std::string*, ArrayFile*,
                                EnumRef, GroupRef, ChoiceRef>;
struct FieldRef {
    Field field;
    FieldValue value;
};

inline std::vector<FieldRef> ConstGroupRef::list() const {
    return type_->list(value_);
}

template <class F>
void GroupRef::for_each(F&& f) const {
    for (FieldRef& entry : list())
        std::visit(
            [&](auto& value) {
                if constexpr (std::is_pointer_v<std::remove_reference_t<decltype(value)>>)
                    f(entry.field, *value);
                else
                    f(entry.field, value);
            },
            entry.value);
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

/// Visits all leaves and choices below a group, depth first, as f(path, field, value); a choice is visited before the
/// fields of the alternative in force, whose paths start with the choice's.
template <class Ref, class F>
requires std::derived_from<Ref, ConstGroupRef>
void walk_fields(const Ref& group, F&& f, const std::string& prefix = {}) {
    group.for_each([&](const Field& field, auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        const std::string path = prefix + field.name;
        if constexpr (std::derived_from<T, ConstGroupRef>) {
            walk_fields(value, f, path + ".");
        } else {
            f(path, field, value);
            if constexpr (std::derived_from<T, ConstChoiceRef>) walk_fields(value.fields(), f, path + ".");
        }
    });
}
template <Group S, class F>
void walk_fields(S& s, F&& f, const std::string& prefix = {}) {
    walk_fields(std::conditional_t<std::is_const_v<S>, ConstGroupRef, GroupRef>(s), f, prefix);
}

/// Calls f(alternative) with a default value of each alternative of the choice, in order. Its list must be included.
template <Choice C, class F>
void for_each_alternative(F&& f) {
    const auto for_each = [&]<class... A>(const std::variant<A...>*) { (f(A{}), ...); };
    for_each(static_cast<const typename C::value_type*>(nullptr));
}

/// The choice with a default value of each alternative, in order: for those who need not know their types.
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

/// The first number below `s` that stands for this; nothing if none does.
std::optional<double> number_meaning(const ConstGroupRef& s, Meaning meaning);

/// Sets the number at `path` below `s`, kept in its field's range and rounded where it is a whole one. False if there
/// is no such number.
bool set_number(const GroupRef& s, std::string_view path, double value);
/// The number at `path`; nothing if there is no such number.
std::optional<double> number_at(const ConstGroupRef& s, std::string_view path);

/// Copies into `to` every field of `from` that has the same name and type.
void keep_common_fields(const ConstGroupRef& from, const GroupRef& to);

/// Puts the alternative called `id` in force, keeping fields of the same name. False if there is none.
bool choose(const ChoiceRef& choice, std::string_view id);

enum class NumberKind { real, whole };
/// What a field's number must be: "it must be an even number from 2 to 1024".
std::string range_sentence(const Field& field, NumberKind kind);

/// One sentence if a leaf's value is not acceptable, naming the field, its value and what would do.
std::optional<std::string> check_leaf(const std::string& path, const Field& field, double value);
std::optional<std::string> check_leaf(const std::string& path, const Field& field, std::int64_t value);
std::optional<std::string> check_leaf(const std::string& path, const Field& field, const std::vector<double>& values);
/// The same of a field of whole numbers, before it is known that the value is one.
std::optional<std::string> check_whole(const std::string& path, const Field& field, double value);
/// A text must be UTF-8 of at most 4096 bytes.
std::optional<std::string> check_leaf(const std::string& path, const Field& field, const std::string& text);
inline std::optional<std::string> check_leaf(const std::string& path, const Field& field, int value) {
    return check_leaf(path, field, std::int64_t{value});
}
template <class T>
std::optional<std::string> check_leaf(const std::string&, const Field&, const T&) {
    return std::nullopt;
}

/// The first field below `s` whose own range is broken, as a sentence; rules between fields are the owners' business.
std::optional<std::string> check_fields(const ConstGroupRef& s);

/// A leaf's or a choice's value as text, as it stands in JSON or behind `--set path=`.
std::string text_of(double value);
std::string text_of(std::int64_t value);
std::string text_of(int value);
std::string text_of(bool value);
std::string text_of(const std::vector<double>& values);
std::string text_of(const std::string& text);
std::string text_of(const ArrayFile& file);
std::string text_of(const EnumRef& value);
std::string text_of(const ConstChoiceRef& choice);

/// Sets a leaf or a choice from text. Returns a sentence about what was expected if the text is no such value; ranges
/// are not checked here.
std::optional<std::string> parse_leaf(std::string_view text, double& value);
std::optional<std::string> parse_leaf(std::string_view text, std::int64_t& value);
std::optional<std::string> parse_leaf(std::string_view text, int& value);
std::optional<std::string> parse_leaf(std::string_view text, bool& value);
std::optional<std::string> parse_leaf(std::string_view text, std::vector<double>& values);
std::optional<std::string> parse_leaf(std::string_view text, std::string& value);
std::optional<std::string> parse_leaf(std::string_view text, ArrayFile& file);
std::optional<std::string> parse_leaf(std::string_view text, EnumRef value);
std::optional<std::string> parse_leaf(std::string_view text, const ChoiceRef& choice);

/// "'rope' or 'yarn'" of the ids given.
std::string one_of(std::span<const std::string> ids);

/// A hash over the names and values of all fields below `s`: equal values have equal hashes, on every machine.
std::uint64_t hash_fields(const ConstGroupRef& s);

template <Group S>
const GroupType& group_type() {
    static const GroupType type{.list =
                                    [](void* value) {
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
                                    },
                                .defaults = []() -> const void* {
                                    static const S value{};
                                    return &value;
                                }};
    return type;
}

}  // namespace ropewalk
