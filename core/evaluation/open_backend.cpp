#include "core/evaluation/open_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/attention/fallback_backend.h"
#include "core/attention/reference.h"
#include "core/cpu/cpu_backend.h"
#include "core/error.h"
#include "core/gpu/gl_backend.h"

namespace ropewalk {
namespace {

constexpr std::array ids{"cpu", "reference", "gl"};

std::unique_ptr<Backend> make_gl(GlDevices devices, int threads, const std::filesystem::path& shaders) {
    return make_fallback_backend(
        make_gl_backend({.devices = devices, .attention = {.shaders = shaders}, .threads = threads}),
        make_cpu_backend(threads));
}

/// Opens a backend. Throws DisplayError if this fails.
std::unique_ptr<Backend> make_backend(std::string_view id, int threads, const std::filesystem::path& shaders) {
    if (id == "cpu") return make_cpu_backend(threads);
    if (id == "reference") return make_reference_backend();
    return make_gl(GlDevices::any, threads, shaders);
}

std::unique_ptr<Backend> in_place_of_gl(int threads, const ShaderError& error) {
    return make_fallback_backend(nullptr, make_cpu_backend(threads), error.what());
}

/// Opens the graphics card; returns null if there is no suitable one.
std::unique_ptr<Backend> make_card_backend(int threads, const std::filesystem::path& shaders) {
    if (!may_have_graphics_card()) return nullptr;
    try {
        return make_gl(GlDevices::cards, threads, shaders);
    } catch (const ShaderError& error) {
        return in_place_of_gl(threads, error);
    } catch (const DisplayError&) {
        return nullptr;
    }
}

}  // namespace

std::vector<BackendStatus> open_backends(int threads, const std::filesystem::path& shaders) {
    std::vector<BackendStatus> all;
    if (auto card = make_card_backend(threads, shaders); card && card->id() == "gl")
        all.push_back({"gl", std::string(card->description()), std::move(card)});
    for (const char* id : ids) {
        if (!all.empty() && all.front().id == id) continue;
        try {
            auto backend = make_backend(id, threads, shaders);
            all.push_back({id, std::string(backend->description()), std::move(backend)});
        } catch (const DisplayError& error) {
            all.push_back({id, error.what(), nullptr});
        }
    }
    return all;
}

std::unique_ptr<Backend> open_backend(std::string_view id, int threads, const std::filesystem::path& shaders) {
    if (id.empty()) {
        auto card = make_card_backend(threads, shaders);
        return card ? std::move(card) : make_cpu_backend(threads);
    }
    if (std::find(ids.begin(), ids.end(), id) == ids.end())
        throw UsageError(fmt::format("unknown backend '{}'; the backends are {}", id, fmt::join(ids, ", ")));
    try {
        return make_backend(id, threads, shaders);
    } catch (const ShaderError& error) {
        return in_place_of_gl(threads, error);
    } catch (const DisplayError& error) {
        throw DisplayError(fmt::format("the {} backend is unavailable: {}", id, error.what()));
    }
}

}  // namespace ropewalk
