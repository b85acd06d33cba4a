// Fields to and from JSON, and by path from text, for any struct that lists its fields.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/fields/array_file.h"
#include "core/fields/fields.h"
#include "core/io/json_reader.h"

namespace ropewalk {

/// What came up while reading: unknown keys are kept, but said.
using Warnings = std::vector<std::string>;

/// {"name": value, …} of a struct; of a choice the fields of the alternative in force and its "id".
nlohmann::json to_json(const ConstGroupRef& s);
nlohmann::json to_json(const ConstChoiceRef& choice);

/// Reads a field's value; what is left out keeps its value. InputError with file and JSON pointer for anything that
/// does not fit.
void from_json(const JsonValue& json, const Field& field, FieldValue value, const FileAccess& access,
               Warnings& warnings);

/// A struct's members from an object. Keys in `also_known` are not warned of.
void members_from_json(const JsonValue& object, const GroupRef& s, const FileAccess& access, Warnings& warnings,
                       std::vector<std::string> also_known = {});

/// Sets the field at `path` ("encoding.base") from text. UsageError if there is no such field, InputError if the text
/// is no such value or out of its range.
void set_field(const GroupRef& s, std::string_view path, std::string_view text, const FileAccess& access);

/// Turns `from` into `to` and returns the settings "path=value" that do the same, in order. Reads no files.
std::vector<std::string> settings_between(const GroupRef& from, const ConstGroupRef& to);

/// What there is to know of every field below a struct, as a list of objects: path, label, type, range, unit, default,
/// help, source, and "of", the alternative that has it.
nlohmann::json describe_fields(const ConstGroupRef& s);

}  // namespace ropewalk
