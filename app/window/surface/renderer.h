// Draws ImGui's triangles with OpenGL 3.3. Large opaque areas take a path without texture and blending, which on a
// software renderer is most of a frame; a frame equal to the one before is not drawn at all.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "app/plot/canvas.h"
#include "app/window/surface/surface.h"

struct ImDrawCmd;
struct ImDrawData;
struct ImDrawList;
struct ImFontAtlas;

namespace ropewalk {

class Renderer {
  public:
    /// Compiles for the current OpenGL context, a surface's. Throws DisplayError if the driver does not compile the
    /// shaders.
    Renderer();
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    /// A texture drawn without smoothing; its handle is never used again. Handles are what ImGui calls ImTextureID.
    std::uintptr_t create_texture(const Image& image);
    void destroy_texture(std::uintptr_t handle);
    /// Uploads the atlas (coverage only) and tells it its handle.
    void upload_fonts(ImFontAtlas& atlas);

    /// Whether drawing this would differ from what was drawn last.
    bool differs(const ImDrawData& data, Color background);
    /// Clears the current framebuffer and draws.
    void draw(const ImDrawData& data, Color background, PixelSize framebuffer);

    /// "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5"
    const std::string& description() const { return description_; }
    /// KHR_debug messages of medium or high severity so far; the surface must have been opened with `debug`.
    int debug_messages() const { return debug_messages_; }
    const std::string& last_debug_message() const { return last_debug_message_; }

  private:
    void note_debug_message(std::string message);
    std::uintptr_t keep_texture(unsigned name);
    void draw_command(const ImDrawList& list, const ImDrawCmd& command);

    unsigned vertex_array_ = 0, vertices_ = 0, indices_ = 0;
    unsigned textured_ = 0, solid_ = 0;  // programs
    int textured_projection_ = -1, solid_projection_ = -1;
    std::map<std::uintptr_t, unsigned> textures_;
    std::uintptr_t last_handle_ = 0, font_handle_ = 0;
    std::uint64_t drawn_hash_ = 0;
    std::string description_, last_debug_message_;
    int debug_messages_ = 0;
};

}  // namespace ropewalk
