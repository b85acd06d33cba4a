// core/gpu: the gl backend, which runs shaders/*.comp with OpenGL 4.3 in a separate context, without a display.
//
// It uses the cpu backend for problems that the shaders do not support, for heads whose logits depend on the distance
// alone (milliseconds on any processor), and for queries and keys too long for float (‖q‖‖k‖ > 512).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/attention/backend.h"
#include "core/gpu/gl_attention.h"

namespace ropewalk {

/// The permitted devices: graphics cards, or any OpenGL, which may be a slow emulation on the processor.
enum class GlDevices { cards, any };

struct GlOptions {
    GlDevices devices = GlDevices::any;
    gpu::GlAttentionOptions attention;
    int threads = 0;  // that prepare queries and keys; 0 uses every core
    /// Receives the driver's messages of medium or high severity; may be empty.
    std::function<void(const std::string&)> on_message;
};

/// Returns the gl backend. Throws DisplayError if there is no EGL, no OpenGL 4.3 or no permitted device, and
/// ShaderError if the driver rejects a shader. Its `attend` throws DisplayError if the device fails; it cannot be used
/// afterwards.
std::unique_ptr<Backend> make_gl_backend(const GlOptions& options = {});

/// Returns whether this machine may have a graphics card; takes microseconds.
bool may_have_graphics_card();

}  // namespace ropewalk
