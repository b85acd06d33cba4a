#include "core/backend.h"

#include <fmt/format.h>

#include "core/cpu/cpu_backend.h"
#include "core/error.h"
#include "core/reference.h"

namespace ropewalk {

std::vector<BackendStatus> open_backends(int threads) {
    std::vector<BackendStatus> all;
    for (auto make :
         {+[](int count) { return make_cpu_backend(count); }, +[](int) { return make_reference_backend(); }}) {
        auto backend = make(threads);
        all.push_back({std::string(backend->id()), std::string(backend->description()), std::move(backend)});
    }
    return all;
}

std::unique_ptr<Backend> open_backend(std::string_view id, int threads) {
    std::string known;
    for (auto& status : open_backends(threads)) {
        if (id == status.id && !status.backend)
            throw DisplayError(fmt::format("the {} backend cannot be used: {}", id, status.sentence));
        if (status.backend && (id.empty() || id == status.id)) return std::move(status.backend);
        known += (known.empty() ? "" : ", ") + status.id;
    }
    throw UsageError(fmt::format("there is no backend '{}'; there are {}", id, known));
}

}  // namespace ropewalk
