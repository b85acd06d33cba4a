// Reads and writes fields as JSON, and sets them by path from text, for any struct that lists its fields.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/fields/fields.h"
#include "core/fields/input_file.h"
#include "core/io/json_reader.h"

namespace ropewalk {

/// Warnings about unknown keys, which are ignored. They are saved unchanged, except in items of a list.
using Warnings = std::vector<std::string>;

/// Returns {"name": value, …} for a struct; for a choice, the fields of the current alternative and its "id".
nlohmann::json to_json(const ConstGroupRef& s);
nlohmann::json to_json(const ConstChoiceRef& choice);

/// Reads a field's value; members that are missing keep theirs. Throws InputError with file and JSON pointer if a value
/// is not acceptable.
void from_json(const JsonValue& json, const Field& field, FieldValue value, const FileAccess& access,
               Warnings& warnings);

/// Reads a struct's members from an object. Returns their names and old names.
std::vector<std::string> read_members(const JsonValue& object, const GroupRef& s, const FileAccess& access,
                                      Warnings& warnings);
/// Reads a struct's members from an object. Keys that are neither their names nor in `also_known` give warnings.
void members_from_json(const JsonValue& object, const GroupRef& s, const FileAccess& access, Warnings& warnings,
                       const std::vector<std::string>& also_known = {});

/// Warns of the members of an object that are not among `known`.
void warn_of_others(const JsonValue& object, const std::vector<std::string>& known, Warnings& warnings);

/// Sets the field at `path` ("encoding.base") from text. Throws UsageError if there is no such field, and InputError if
/// the text cannot be parsed or is out of range.
void set_field(const GroupRef& s, std::string_view path, std::string_view text, const FileAccess& access);

/// Turns `from` into `to` and returns the settings "path=value" that do the same, in order. Reads no files.
std::vector<std::string> settings_between(const GroupRef& from, const ConstGroupRef& to);

/// Returns a description of every field below a struct, as a list of objects: path, label, type, range, unit, default,
/// help, source, and "of", the id of the alternative that has it.
nlohmann::json describe_fields(const ConstGroupRef& s);

}  // namespace ropewalk
