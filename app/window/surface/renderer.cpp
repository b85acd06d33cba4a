#include "app/window/surface/renderer.h"

#include <epoxy/gl.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "app/window/surface/compat.h"
#include "core/error.h"

namespace ropewalk {
namespace {

constexpr const char* vertex_shader = R"(#version 330 core
uniform vec2 pixels_to_clip;
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 texture_position;
layout(location = 2) in vec4 color;
out vec2 at;
out vec4 tint;
void main() {
    at = texture_position;
    tint = color;
    gl_Position = vec4(position * pixels_to_clip + vec2(-1, 1), 0, 1);
}
)";
constexpr const char* textured_shader = R"(#version 330 core
uniform sampler2D image;
in vec2 at;
in vec4 tint;
out vec4 color;
void main() { color = tint * texture(image, at); }
)";
constexpr const char* solid_shader = R"(#version 330 core
in vec4 tint;
out vec4 color;
void main() { color = tint; }
)";

/// Smaller triangles are not worth a separate draw call; area in pixels.
constexpr float large_area = 3000;

unsigned compile(GLenum kind, const char* source) {
    const unsigned shader = glCreateShader(kind);
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    int compiled = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (!compiled) {
        char log[512] = {};
        glGetShaderInfoLog(shader, sizeof log, nullptr, log);
        throw DisplayError(fmt::format(
            "the graphics driver could not compile the window's shader ({}); 'ropewalk figure' works without it", log));
    }
    return shader;
}

unsigned link(const char* fragment_source) {
    const unsigned program = glCreateProgram();
    const unsigned vertex = compile(GL_VERTEX_SHADER, vertex_shader),
                   fragment = compile(GL_FRAGMENT_SHADER, fragment_source);
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    int linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked)
        throw DisplayError(
            "the graphics driver could not link the window's shaders; 'ropewalk figure' works without it");
    return program;
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 29;
}

/// Updates a fast hash of memory, in independent lanes of eight bytes.
std::uint64_t mix(std::uint64_t hash, const void* data, std::size_t size) {
    constexpr std::size_t lanes = 4;
    const char* bytes = static_cast<const char*>(data);
    std::array<std::uint64_t, lanes> hashes{hash, 1, 2, 3}, words{};
    for (; size >= sizeof words; size -= sizeof words, bytes += sizeof words) {
        std::memcpy(words.data(), bytes, sizeof words);
        for (std::size_t lane = 0; lane < lanes; ++lane) hashes[lane] = mixed(hashes[lane], words[lane]);
    }
    words.fill(size);
    std::memcpy(words.data(), bytes, size);
    for (std::size_t lane = 0; lane < lanes; ++lane) hash = mixed(hash, mixed(hashes[lane], words[lane]));
    return hash;
}

template <class T>
std::uint64_t mix(std::uint64_t hash, const T& value) {
    return mix(hash, &value, sizeof value);
}

std::uint64_t hash_of(const ImDrawData& data, Color background) {
    std::uint64_t hash = mix(mix(1, background), data.DisplaySize);
    for (int i = 0; i < data.CmdListsCount; ++i) {
        const ImDrawList& list = *data.CmdLists[i];
        hash = mix(hash, list.VtxBuffer.Data, static_cast<std::size_t>(list.VtxBuffer.size_in_bytes()));
        hash = mix(hash, list.IdxBuffer.Data, static_cast<std::size_t>(list.IdxBuffer.size_in_bytes()));
        for (const ImDrawCmd& command : list.CmdBuffer)
            hash = mix(mix(mix(hash, command.ClipRect), command.ElemCount), compat::handle_of(command.GetTexID()));
    }
    return hash;
}

/// Returns whether the triangle is large, opaque and without texture.
bool is_large_and_solid(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, ImVec2 white) {
    for (const ImDrawVert* v : {&a, &b, &c})
        if (v->uv.x != white.x || v->uv.y != white.y || v->col >> IM_COL32_A_SHIFT != 255) return false;
    const float doubled = (b.pos.x - a.pos.x) * (c.pos.y - a.pos.y) - (b.pos.y - a.pos.y) * (c.pos.x - a.pos.x);
    return doubled > 2 * large_area || doubled < -2 * large_area;
}

const void* offset(std::size_t bytes) {
    return reinterpret_cast<const void*>(bytes);
}

}  // namespace

Renderer::Renderer() {
    if (epoxy_gl_version() >= 43 || epoxy_has_gl_extension("GL_KHR_debug")) {
        glDebugMessageCallback(
            [](GLenum, GLenum, GLuint, GLenum severity, GLsizei length, const GLchar* message, const void* self) {
                if (severity == GL_DEBUG_SEVERITY_HIGH || severity == GL_DEBUG_SEVERITY_MEDIUM)
                    static_cast<Renderer*>(const_cast<void*>(self))
                        ->note_debug_message({message, static_cast<std::size_t>(length)});
            },
            this);
        glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    }
    textured_ = link(textured_shader);
    solid_ = link(solid_shader);
    textured_projection_ = glGetUniformLocation(textured_, "pixels_to_clip");
    solid_projection_ = glGetUniformLocation(solid_, "pixels_to_clip");
    glGenVertexArrays(1, &vertex_array_);
    glGenBuffers(1, &vertices_);
    glGenBuffers(1, &indices_);
    glBindVertexArray(vertex_array_);
    glBindBuffer(GL_ARRAY_BUFFER, vertices_);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_);
    for (const unsigned attribute : {0u, 1u, 2u}) glEnableVertexAttribArray(attribute);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(ImDrawVert), offset(offsetof(ImDrawVert, pos)));
    glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, sizeof(ImDrawVert), offset(offsetof(ImDrawVert, uv)));
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(ImDrawVert), offset(offsetof(ImDrawVert, col)));
    glBindVertexArray(0);
}

Renderer::~Renderer() {
    for (const auto& texture : textures_) glDeleteTextures(1, &texture.second);
    glDeleteBuffers(1, &vertices_);
    glDeleteBuffers(1, &indices_);
    glDeleteVertexArrays(1, &vertex_array_);
    glDeleteProgram(textured_);
    glDeleteProgram(solid_);
    if (epoxy_gl_version() >= 43 || epoxy_has_gl_extension("GL_KHR_debug")) glDebugMessageCallback(nullptr, nullptr);
}

void Renderer::note_debug_message(std::string message) {
    ++debug_messages_;
    last_debug_message_ = std::move(message);
}

std::uintptr_t Renderer::keep_texture(unsigned name) {
    textures_[++last_handle_] = name;
    return last_handle_;
}

std::uintptr_t Renderer::create_texture(const Image& image) {
    unsigned name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glTexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
    for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
        glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, image.width, image.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 image.pixels.data());
    return keep_texture(name);
}

void Renderer::destroy_texture(std::uintptr_t handle) {
    const auto found = textures_.find(handle);
    if (found == textures_.end()) return;
    glDeleteTextures(1, &found->second);
    textures_.erase(found);
}

int Renderer::largest_texture() const {
    GLint largest = 1024;  // the smallest limit that OpenGL 3.3 permits
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    return largest;
}

void Renderer::upload_fonts(ImFontAtlas& atlas) {
    unsigned char* coverage = nullptr;
    int width = 0, height = 0;
    atlas.GetTexDataAsAlpha8(&coverage, &width, &height);
    ensure(std::max(width, height) <= largest_texture(), "the font atlas fits into a texture");
    destroy_texture(font_handle_);
    unsigned name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
    constexpr GLint white_with_coverage[] = {GL_ONE, GL_ONE, GL_ONE, GL_RED};
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, white_with_coverage);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, coverage);
    font_handle_ = keep_texture(name);
    atlas.SetTexID(compat::texture_id(font_handle_));
}

bool Renderer::differs(const ImDrawData& data, Color background) {
    return hash_of(data, background) != drawn_hash_;
}

void Renderer::draw(const ImDrawData& data, Color background, PixelSize framebuffer) {
    drawn_hash_ = hash_of(data, background);
    glViewport(0, 0, framebuffer.width, framebuffer.height);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_TEST);
    glClearColor(static_cast<float>(background.r) / 255, static_cast<float>(background.g) / 255,
                 static_cast<float>(background.b) / 255, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    if (framebuffer.width <= 0 || framebuffer.height <= 0) return;

    for (const auto& [program, projection] :
         {std::pair{textured_, textured_projection_}, {solid_, solid_projection_}}) {
        glUseProgram(program);
        glUniform2f(projection, 2 / static_cast<float>(framebuffer.width), -2 / static_cast<float>(framebuffer.height));
    }
    glEnable(GL_SCISSOR_TEST);
    // The framebuffer stays opaque.
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glActiveTexture(GL_TEXTURE0);
    glBindVertexArray(vertex_array_);
    glBindBuffer(GL_ARRAY_BUFFER, vertices_);
    for (int i = 0; i < data.CmdListsCount; ++i) {
        const ImDrawList& list = *data.CmdLists[i];
        glBufferData(GL_ARRAY_BUFFER, list.VtxBuffer.size_in_bytes(), list.VtxBuffer.Data, GL_STREAM_DRAW);
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, list.IdxBuffer.size_in_bytes(), list.IdxBuffer.Data, GL_STREAM_DRAW);
        for (const ImDrawCmd& command : list.CmdBuffer) {
            const auto left = static_cast<int>(command.ClipRect.x), top = static_cast<int>(command.ClipRect.y);
            const auto right = static_cast<int>(command.ClipRect.z), bottom = static_cast<int>(command.ClipRect.w);
            if (right <= left || bottom <= top) continue;
            glScissor(left, framebuffer.height - bottom, right - left, bottom - top);
            draw_command(list, command);
        }
    }
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
    glBindVertexArray(0);
    glUseProgram(0);
}

void Renderer::draw_command(const ImDrawList& list, const ImDrawCmd& command) {
    const auto texture = textures_.find(compat::handle_of(command.GetTexID()));
    glBindTexture(GL_TEXTURE_2D, texture == textures_.end() ? 0 : texture->second);
    const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
    const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
    const ImDrawIdx* indices = list.IdxBuffer.Data + command.IdxOffset;
    const auto draw_run = [&](unsigned begin, unsigned end, bool solid) {
        if (begin == end) return;
        glUseProgram(solid ? solid_ : textured_);
        if (solid)
            glDisable(GL_BLEND);
        else
            glEnable(GL_BLEND);
        glDrawElementsBaseVertex(
            GL_TRIANGLES, static_cast<int>(end - begin), sizeof(ImDrawIdx) == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT,
            offset((command.IdxOffset + begin) * sizeof(ImDrawIdx)), static_cast<int>(command.VtxOffset));
    };
    unsigned begin = 0;
    bool solid = false;
    for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
        const bool here =
            is_large_and_solid(vertices[indices[i]], vertices[indices[i + 1]], vertices[indices[i + 2]], white);
        if (here == solid) continue;
        draw_run(begin, i, solid);
        begin = i;
        solid = here;
    }
    draw_run(begin, command.ElemCount, solid);
}

}  // namespace ropewalk
