#include "core/experiment/settings.h"

#include <fmt/format.h>

#include "core/experiment/conform.h"
#include "core/fields/fields_io.h"

namespace ropewalk {

void apply_setting(Experiment& experiment, std::string_view setting, const FileAccess& access) {
    const auto equals = setting.find('=');
    if (equals == std::string_view::npos)
        throw UsageError(fmt::format("'{}' is not a setting; write path=value, such as encoding.base=500000", setting));
    const Experiment before = experiment;
    set_field(experiment, setting.substr(0, equals), setting.substr(equals + 1), access);
    conform(experiment, before);
}

Experiment changed(Experiment experiment, const std::string& settings) {
    for (const std::string& setting : settings_in(settings)) apply_setting(experiment, setting, {});
    if (auto sentence = validate(experiment)) throw InputError(fmt::format("with {}: {}", settings, *sentence));
    return experiment;
}

Settings settings_between(Experiment from, const Experiment& to) {
    return settings_between(GroupRef(from), ConstGroupRef(to));
}

}  // namespace ropewalk
