// The gl backend: OpenGL 4.3 compute in a context of its own, without a display. What the shaders do not know, heads
// whose logits depend on the distance alone (milliseconds on any processor), and queries and keys too long for float
// (‖q‖‖k‖ > 512) are computed as the cpu backend does it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/attention/backend.h"
#include "core/gpu/gl_attention.h"

namespace ropewalk {

/// What may compute: graphics cards, or any OpenGL, which may be a slow imitation on the processor.
enum class GlDevices { cards, any };

struct GlOptions {
    GlDevices devices = GlDevices::any;
    gpu::GlAttentionOptions attention;
    int threads = 0;  // that prepare queries and keys; 0 takes every core
    /// What the driver has to say of medium or high severity, if anything is to hear it.
    std::function<void(const std::string&)> on_message;
};

/// Throws DisplayError if there is no EGL, no OpenGL 4.3 or none of such devices, ShaderError if the driver takes a
/// shader not. Its `attend` throws DisplayError if the device fails; it is of no use afterwards.
std::unique_ptr<Backend> make_gl_backend(const GlOptions& options = {});

/// Whether it can be that this machine has a graphics card: takes microseconds.
bool may_have_graphics_card();

}  // namespace ropewalk
