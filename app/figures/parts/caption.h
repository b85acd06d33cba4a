// An experiment in words, as captions and legends say it.
#pragma once

#include <string>
#include <vector>

#include "core/experiment/experiment.h"

namespace ropewalk {

/// What a picture is of: some are the same whichever queries and keys there are, or whatever the experiment is. Each
/// needs less of it than the one before.
enum class Depicted { head, encoding, publication };

/// "RoPE, base θ 10 000 · All ones · d = 64 · N = 256": what a caption says of an experiment; nothing if the picture is
/// not of it.
std::string caption(const Experiment& experiment, Depicted depicted = Depicted::head);

/// Settings with | between those that do not belong together, as a person says them: "RoPE | Factor s 8". What is
/// understood only beside other settings stays as it is.
std::string settings_in_words(const std::string& settings);

/// A sentence with its numbers as they are written beside sliders: "1 048 576" for 1048576, "−0.2" for -0.2, "2×10⁻⁵".
std::string with_readable_numbers(const std::string& sentence);
/// The sentence with the labels of the group's fields in place of their paths.
std::string with_labels(const std::string& sentence, const ConstGroupRef& group);

/// Of the fields at these paths, those that the experiment has: "YaRN · Factor s 8".
std::string caption_of(const Experiment& experiment, const std::vector<std::string>& paths);

/// The paths that settings, written as behind `--set` with spaces between them, set.
std::vector<std::string> set_paths(const std::string& settings);

/// What has to be set in `from` to come to `to`.
std::vector<std::string> differing_paths(const Experiment& from, const Experiment& to);

}  // namespace ropewalk
