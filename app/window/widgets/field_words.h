// Words that name a field and a value, as in "base 500k", "encoding yarn" or "seq_len=1M".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/experiment/experiment.h"

namespace ropewalk {

/// A field that words name, and what they would set it to.
struct NamedField {
    std::string path, label;
    std::string before, after;  // values as beside a slider; `after` is empty if no acceptable value was named
    std::string setting;        // as after --set; empty likewise
    std::string choice;         // of the encoding that has the field, as after --set; empty if the head has it
    std::string complaint;      // why the value is not acceptable, or an invitation to type one
    bool has_number = false;    // a number was meant, for a field that is one
};

/// Returns the fields of the head that the words may set, the best match first. Numbers may have the suffixes k and M.
/// Without a value, only a field whose whole name was typed is returned.
std::vector<NamedField> fields_named_by(std::string_view words, const Experiment& experiment);

/// Returns the fields of other encodings that the words may set: of the training, if a model is trained, and of the
/// head. If none accepts a number, returns the first that has the name, with its complaint.
std::vector<NamedField> fields_of_other_encodings(std::string_view words, const Experiment& experiment);

}  // namespace ropewalk
