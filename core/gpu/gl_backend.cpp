#include "core/gpu/gl_backend.h"

#include <epoxy/gl.h>
#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "core/cpu/by_row/key_sample.h"
#include "core/cpu/cpu_backend.h"
#include "core/gpu/egl_context.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

EglOptions egl_options(const GlOptions& options) {
    return {
        .need = {.major = 4, .minor = 3, .user = "the gl backend", .instead = "'--backend cpu', which needs no OpenGL"},
        .order = EglOrder::cards_first,
        .debug = options.on_message != nullptr};
}

bool is_imitation(std::string_view renderer) {
    constexpr std::array<std::string_view, 5> imitations{"llvmpipe", "softpipe", "swrast", "Software", "SVGA3D"};
    return std::any_of(imitations.begin(), imitations.end(),
                       [&](std::string_view name) { return renderer.find(name) != renderer.npos; });
}

void tell_of_messages(const std::function<void(const std::string&)>& on_message) {
    const auto callback = [](GLenum, GLenum, GLuint, GLenum severity, GLsizei, const GLchar* message,
                             const void* listener) {
        if (severity == GL_DEBUG_SEVERITY_MEDIUM || severity == GL_DEBUG_SEVERITY_HIGH)
            (*static_cast<const std::function<void(const std::string&)>*>(listener))(message);
    };
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(callback, &on_message);
}

class GlBackend : public Backend {
  public:
    explicit GlBackend(const GlOptions& options)
        : options_(options),
          cpu_(make_cpu_backend(options.threads)),
          device_(egl_options(options)),
          arena_(options.threads > 0 ? options.threads : tbb::task_arena::automatic) {
        device_.run([&] {
            const std::string renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
            const int version = epoxy_gl_version();
            description_ = fmt::format("{}, OpenGL {}.{}", renderer, version / 10, version % 10);
            is_imitation_ = is_imitation(renderer);
            if (is_imitation_ && options_.devices == GlDevices::cards)
                throw DisplayError(fmt::format("OpenGL is emulated on the processor by {}", renderer));
            if (options_.on_message) tell_of_messages(options_.on_message);
            attention_.emplace(options_.attention);
        });
    }

    std::string_view id() const override { return "gl"; }
    std::string_view description() const override { return description_; }
    Precision precision() const override { return Precision::fp32; }

    double cost(const Problem& problem, const Viewport& viewport) const override {
        if (!suits_device(problem) || cpu::draws_keys(problem, viewport)) return cpu_->cost(problem, viewport);
        // A card multiplies 50 times as fast as two cores, an emulation 100 times as slowly. The processor reads the
        // rows.
        const double factor = is_imitation_ ? 100 : 1.0 / 50;
        constexpr double cost_of_reading = 16;
        return factor * cpu_->cost(problem, viewport) +
               cost_of_reading * problem.head_dim() * (viewport.computed_row_count() + problem.seq_len);
    }

    AttentionView attend(const Problem& problem, const Viewport& viewport, const Cancel& cancel) override {
        // The processor computes an estimate from some keys before a card could receive all of them.
        if (suits_device(problem) && cpu::draws_keys(problem, viewport)) return cpu_->attend(problem, viewport, cancel);
        std::optional<AttentionView> view;
        if (suits_device(problem))
            device_.run([&] { arena_.execute([&] { view = attention_->attend(problem, viewport, cancel); }); });
        if (!view) {
            attention_->release();
            return cpu_->attend(problem, viewport, cancel);
        }
        return *std::move(view);
    }

  private:
    static bool suits_device(const Problem& problem) {
        return gpu::GlAttention::knows(problem) && !problem.depends_on_distance_only();
    }

    GlOptions options_;
    std::unique_ptr<Backend> cpu_;
    EglThread device_;
    tbb::task_arena arena_;
    std::optional<gpu::GlAttention> attention_;
    std::string description_;
    bool is_imitation_ = false;
};

}  // namespace

std::unique_ptr<Backend> make_gl_backend(const GlOptions& options) {
    return std::make_unique<GlBackend>(options);
}

bool may_have_graphics_card() {
    std::error_code error;
    if (std::filesystem::exists("/dev/nvidiactl", error)) return true;
    const std::vector<std::string> cards = names_in("/dev/dri");
    return std::any_of(cards.begin(), cards.end(), [](const std::string& name) { return name.starts_with("renderD"); });
}

}  // namespace ropewalk
