// Draws ImGui's triangles with OpenGL 3.3. Large opaque areas are drawn without texture and blending, which take most
// of a frame on a software renderer. A frame equal to the previous one is not drawn at all.
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
    /// Compiles the shaders for the current OpenGL context, which is a surface's. Throws DisplayError if the driver
    /// cannot compile them.
    Renderer();
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    /// Creates a texture drawn without smoothing. Its handle, ImGui's ImTextureID, is never reused.
    std::uintptr_t create_texture(const Image& image);
    void destroy_texture(std::uintptr_t handle);
    /// Returns the largest width and height of a texture.
    int largest_texture() const;
    /// Uploads the atlas (coverage only) and sets its handle.
    void upload_fonts(ImFontAtlas& atlas);

    /// Returns whether drawing this would differ from what was drawn last.
    bool differs(const ImDrawData& data, Color background);
    /// Clears the current framebuffer and draws.
    void draw(const ImDrawData& data, Color background, PixelSize framebuffer);

    /// Returns the number of KHR_debug messages of medium or high severity so far. The surface must have been opened
    /// with `debug`.
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
    std::string last_debug_message_;
    int debug_messages_ = 0;
};

}  // namespace ropewalk
