#include "core/fields/fields_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/fields/item_list.h"
#include "core/fields/old_names.h"
#include "core/io/files.h"
#include "core/text/closest_name.h"

namespace ropewalk {
namespace {

template <class T>
constexpr bool is_number = std::is_same_v<T, double> || std::is_same_v<T, int> || std::is_same_v<T, std::int64_t>;

template <class T>
nlohmann::json value_to_json(const T& value) {
    if constexpr (std::derived_from<T, ConstGroupRef> || std::derived_from<T, ConstChoiceRef>)
        return to_json(value);
    else if constexpr (std::is_same_v<T, double>)
        return json_number(value);
    else if constexpr (std::is_same_v<T, EnumRef>)
        return value.name().id;
    else if constexpr (FileLeaf<T>)
        return value.path;
    else
        return value;
}

std::vector<double> numbers_in(const JsonValue& json) {
    if (!json.raw().is_array()) json.reject("must be a list of numbers");
    std::vector<double> numbers;
    for (std::size_t i = 0; i < json.raw().size(); ++i) numbers.push_back(json.at(i).number());
    return numbers;
}

/// Returns a whole number that fits into the type, and also into a double.
template <class T>
T integer_in(const JsonValue& json, double least, double greatest) {
    const auto bound = [](double limit) {
        constexpr auto min = static_cast<double>(std::numeric_limits<T>::min()),
                       max = static_cast<double>(std::numeric_limits<T>::max());
        return static_cast<std::int64_t>(std::clamp(limit, std::max(-max_whole, min), std::min(max_whole, max)));
    };
    return static_cast<T>(json.integer(bound(least), bound(greatest)));
}

/// Returns the advice for an unknown name of an enum or a choice: the closest name, or all names if none is close.
template <class T>
std::string wanted_name(std::string_view text, const T& value, const std::string& expected) {
    return meant_or(text, value.ids(), "it must be " + expected);
}

/// Reads a name of an enum or a choice. Throws InputError with the closest name or all names.
template <class T>
void read_name(const JsonValue& json, T& value) {
    if (auto expected = parse_leaf(json.text(), value))
        json.reject("is '" + json.text() + "'; " + wanted_name(json.text(), value, *expected));
}

/// Reads the file named at `json`; errors name that place in the scene.
void load_named(const JsonValue& json, FileLeaf auto& file, const FileAccess& access) {
    try {
        load(file, access);
    } catch (const Error& error) {
        if (access.keeps_faults) return;
        const std::string sentence = json.where() + ": " + error.what();
        if (error.code() == ExitCode::io) throw IoError(sentence);
        if (error.code() == ExitCode::limit) throw LimitError(sentence);
        throw InputError(sentence);
    }
}

void read_choice(const JsonValue& json, const ChoiceRef& choice, const FileAccess& access, Warnings& warnings) {
    if (!json.raw().is_object())
        json.reject("must be an object such as {\"id\": \"" + std::string(id_of(choice)) + "\"}");
    if (json.contains("id")) read_name(json.at("id"), choice);
    members_from_json(json, choice.fields(), access, warnings, {"id"});
}

template <class T>
const char* type_name() {
    if constexpr (std::derived_from<T, ConstChoiceRef>)
        return "choice";
    else if constexpr (std::is_same_v<T, double>)
        return "number";
    else if constexpr (std::is_same_v<T, bool>)
        return "boolean";
    else if constexpr (is_number<T>)
        return "integer";
    else if constexpr (std::is_same_v<T, std::vector<double>>)
        return "list";
    else if constexpr (std::is_same_v<T, std::string>)
        return "text";
    else if constexpr (FileLeaf<T>)
        return "file";
    else
        return "enum";
}

/// Returns what a field accepts in place of the text: the limits of a number, the name that was meant, otherwise what
/// its type expects.
template <class T>
std::string accepted_by(const Field& field, std::string_view text, const T& value, const std::string& expected) {
    if constexpr (is_number<T>)
        return range_sentence(field, std::is_integral_v<T> ? NumberKind::whole : NumberKind::real);
    else if constexpr (std::is_same_v<T, EnumRef> || std::is_same_v<T, ChoiceRef>)
        return wanted_name(text, value, expected);
    else
        return "it must be " + expected;
}

template <class T>
nlohmann::json describe(const std::string& path, const Field& field, const T& value,
                        const ChoiceType::Alternative* owner) {
    nlohmann::json entry{
        {"path", path}, {"label", field.label}, {"type", type_name<T>()}, {"unit", field.unit}, {"help", field.help}};
    if constexpr (std::is_same_v<T, ConstChoiceRef>) {
        entry["default"] = id_of(value);
        entry["values"] = value.ids();
    } else {
        entry["default"] = value_to_json(value);
    }
    if (owner) entry["of"] = owner->id;
    const char* const source = *field.source || !owner ? field.source : owner->source;
    if (*source) entry["source"] = source;
    if constexpr (is_number<T> || std::is_same_v<T, std::vector<double>>)
        entry.update({{"least", field.min}, {"greatest", field.max}, {"logarithmic", field.logarithmic}});
    if (field.items) entry["type"] = "list", entry["items"] = describe_fields(defaults_of(field.items()));
    if (*field.min_means) entry["least_means"] = field.min_means;
    if constexpr (is_number<T> && std::is_integral_v<T>) entry["step"] = field.step;
    if constexpr (std::is_same_v<T, EnumRef>)
        for (const EnumName& name : value.names()) entry["values"].push_back(name.id);
    return entry;
}

/// Adds descriptions of all fields below a group to `list`; `owner` is the alternative that has them, or null.
void describe_group(const ConstGroupRef& group, const std::string& prefix, const ChoiceType::Alternative* owner,
                    nlohmann::json& list) {
    group.for_each([&](const Field& field, const auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        const std::string path = prefix + field.name;
        if constexpr (std::is_same_v<T, ConstGroupRef>) {
            describe_group(value, path + ".", owner, list);
        } else {
            list.push_back(describe(path, field, value, owner));
            if constexpr (std::is_same_v<T, ConstChoiceRef>)
                for (const ChoiceType::Alternative& alternative : value.alternatives())
                    describe_group(defaults_of(*alternative.type), path + ".", &alternative, list);
        }
    });
}

/// Returns a leaf or choice as settings write it: a file by its path alone.
template <class T>
std::string setting_text(const T& value) {
    if constexpr (FileLeaf<T>)
        return value.path;
    else
        return text_of(value);
}

/// Returns whether `path` names the field at `field_path`, by its current or its old name.
bool is_path_of(std::string_view field_path, std::string_view path) {
    const std::size_t name = field_path.find_last_of('.') + 1;
    return path.substr(0, std::min(name, path.size())) == field_path.substr(0, name) &&
           is_name_of(field_path.substr(name), path.substr(std::min(name, path.size())));
}

/// Gives a field the value of the same field elsewhere. Returns false if their types differ.
template <class Value, class Wanted>
bool take_value(Value& value, const Wanted& wanted) {
    if constexpr (std::is_same_v<Wanted, ConstChoiceRef> && std::is_same_v<Value, ChoiceRef>)
        value.choose(wanted.index());
    else if constexpr (std::is_same_v<Wanted, EnumRef> && std::is_same_v<Value, EnumRef>)
        value.set(wanted.value());
    else if constexpr (std::is_same_v<Wanted, Value>)
        value = wanted;
    else
        return false;
    return true;
}

}  // namespace

void from_json(const JsonValue& json, const Field& field, FieldValue value, const FileAccess& access,
               Warnings& warnings) {
    const auto read_field = [&](auto& to) {
        using T = std::remove_cvref_t<decltype(to)>;
        if constexpr (std::is_same_v<T, GroupRef>) {
            members_from_json(json, to, access, warnings);
        } else if constexpr (std::is_same_v<T, ChoiceRef>) {
            read_choice(json, to, access, warnings);
        } else if constexpr (std::is_same_v<T, EnumRef>) {
            read_name(json, to);
        } else if constexpr (FileLeaf<T>) {
            to = {.path = json.text(), .content = nullptr};
            if (!to.path.empty() && !access.skips_files) load_named(json, to, access);
        } else {
            if constexpr (std::is_same_v<T, double>)
                to = json.number();
            else if constexpr (std::is_same_v<T, bool>)
                to = json.boolean();
            else if constexpr (std::is_same_v<T, std::string>)
                to = field.items && json.raw().is_array() ? items_from_json(json, field.items(), access, &warnings)
                                                          : json.text();
            else if constexpr (std::is_same_v<T, std::vector<double>>)
                to = numbers_in(json);
            else if (access.keeps_faults)
                to = integer_in<T>(json, -infinity, infinity);
            else
                to = integer_in<T>(json, field.min, field.max);
            // Controls cannot show a text that is a list and cannot be read.
            const bool may_be_kept = access.keeps_faults && !std::is_same_v<T, std::string>;
            if (auto sentence = check_leaf(field.name, field, to); sentence && !may_be_kept) json.reject(*sentence);
        }
    };
    visit_value(value, read_field);
}

nlohmann::json to_json(const ConstGroupRef& s) {
    nlohmann::json object = nlohmann::json::object();
    s.for_each([&](const Field& field, const auto& value) {
        object[field.name] = value_to_json(value);
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::string>)
            if (field.items && !check_leaf(field.name, field, value))
                object[field.name] = items_to_json(value, field.items());
    });
    return object;
}

nlohmann::json to_json(const ConstChoiceRef& choice) {
    nlohmann::json object = to_json(choice.fields());
    object["id"] = id_of(choice);
    return object;
}

std::vector<std::string> read_members(const JsonValue& object, const GroupRef& s, const FileAccess& access,
                                      Warnings& warnings) {
    if (!object.raw().is_object()) object.reject("must be an object");
    std::vector<std::string> known;
    for (const FieldRef& member : s.list()) {
        known.emplace_back(member.field.name);
        const std::string old_name(old_name_of(member.field.name));
        if (!old_name.empty()) known.push_back(old_name);
        for (const std::string& name : {std::string(member.field.name), old_name}) {
            if (!object.contains(name)) continue;
            from_json(object.at(name), member.field, member.value, access, warnings);
            break;
        }
    }
    return known;
}

void members_from_json(const JsonValue& object, const GroupRef& s, const FileAccess& access, Warnings& warnings,
                       const std::vector<std::string>& also_known) {
    std::vector<std::string> known = read_members(object, s, access, warnings);
    known.insert(known.end(), also_known.begin(), also_known.end());
    warn_of_others(object, known, warnings);
}

void warn_of_others(const JsonValue& object, const std::vector<std::string>& known, Warnings& warnings) {
    for (const auto& member : object.raw().items())
        if (std::find(known.begin(), known.end(), member.key()) == known.end())
            warnings.push_back(object.at(member.key()).where() +
                               ": is unknown to this version; it is ignored, and saved unchanged");
}

void set_field(const GroupRef& s, std::string_view path, std::string_view text, const FileAccess& access) {
    bool found = false;
    std::vector<std::string> known;
    walk_fields(s, [&](const std::string& field_path, const Field& field, auto& value) {
        if (!found) known.push_back(field_path);
        if (found || !is_path_of(field_path, path)) return;
        found = true;
        using T = std::remove_reference_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::string>)
            if (field.items && text.starts_with('[')) {
                const nlohmann::json list = parse_json(text, field_path);
                value = items_from_json(JsonValue(list, field_path), field.items(), access, nullptr);
                return;
            }
        const auto before = FileLeaf<T> ? std::optional<std::remove_const_t<T>>(value) : std::nullopt;
        if (auto expected = parse_leaf(text, value))
            throw InputError(
                fmt::format("{} is '{}'; {}", field_path, text, accepted_by(field, text, value, *expected)));
        if constexpr (FileLeaf<T>) {
            if (value.path.empty())
                value = {};
            else if (access.reads_nothing() && before->content && before->path == value.path)
                value = *before;
            else
                load(value, access);
        }
        if (auto sentence = check_leaf(field_path, field, value)) throw InputError(*sentence);
    });
    if (found) return;
    constexpr std::size_t most_listed = 30;
    const std::string otherwise = known.size() > most_listed ? "`ropewalk list fields` lists all fields"
                                                             : fmt::format("the fields are {}", fmt::join(known, ", "));
    throw UsageError(fmt::format("unknown field '{}'; {}", path, meant_or(path, known, otherwise)));
}

nlohmann::json describe_fields(const ConstGroupRef& s) {
    nlohmann::json list = nlohmann::json::array();
    describe_group(s, "", nullptr, list);
    return list;
}

std::vector<std::string> settings_between(const GroupRef& from, const ConstGroupRef& to) {
    std::vector<std::string> settings;
    walk_fields(to, [&](const std::string& path, const Field&, const auto& wanted) {
        // Walked again for each field: choosing another alternative changes which fields there are.
        walk_fields(from, [&](const std::string& from_path, const Field&, auto& value) {
            if (from_path != path || setting_text(value) == setting_text(wanted)) return;
            if (take_value(value, wanted)) settings.push_back(path + "=" + setting_text(wanted));
        });
    });
    return settings;
}

}  // namespace ropewalk
