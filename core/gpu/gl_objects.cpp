#include "core/gpu/gl_objects.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include "core/gpu/shaders.h"

namespace ropewalk {
namespace {

constexpr std::chrono::seconds most_patience{10};  // drivers reset a hung device earlier

/// Returns the first line of the driver's log for a shader or a program.
template <class GetParameter, class GetLog>
std::string first_line_of_log(unsigned object, GetParameter get_parameter, GetLog get_log) {
    GLint length = 0;
    get_parameter(object, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
    get_log(object, length, nullptr, log.data());
    log.resize(std::min({log.find('\0'), log.find('\n'), log.size()}));
    return log.empty() ? "the driver gave no reason" : log;
}

/// The first line number of a program's own text, larger than those of the shared text. The line number of a message
/// then tells which text it is about; drivers do not agree on source numbers.
constexpr int own_lines = 100'000;

/// A driver's message, and whether it is about the program's own text. "0:12(5): error: …" (Mesa), "0(12) : error …"
/// (NVIDIA) and "ERROR: 0:12: …" (AMD) are line 12.
struct Complaint {
    bool is_own = true;
    std::string text;
};

Complaint complaint_in(const std::string& log) {
    const std::size_t source = log.find_first_of("0123456789"), line_at = log.find_first_of(":(", source);
    int line = 0;
    if (source == log.npos || line_at == log.npos) return {.text = log};
    const char* const digits = log.data() + line_at + 1;
    const auto read = std::from_chars(digits, log.data() + log.size(), line);
    const std::size_t text = log.find(": ", static_cast<std::size_t>(read.ptr - log.data()));
    if (read.ec != std::errc{} || text == log.npos) return {.text = log};
    const bool is_own = line > own_lines;
    return {is_own, fmt::format("line {}: {}", is_own ? line - own_lines : line, log.substr(text + 2))};
}

}  // namespace

unsigned compile_compute_program(std::string_view shared, std::string_view name, const std::filesystem::path& folder) {
    const std::string sources[] = {shader_source(shared, folder), fmt::format("#line {}\n", own_lines + 1),
                                   shader_source(name, folder)};
    const char* texts[] = {sources[0].c_str(), sources[1].c_str(), sources[2].c_str()};
    const unsigned shader = glCreateShader(GL_COMPUTE_SHADER);
    glShaderSource(shader, 3, texts, nullptr);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (!compiled) {
        const Complaint complaint = complaint_in(first_line_of_log(shader, glGetShaderiv, glGetShaderInfoLog));
        throw ShaderError(
            fmt::format("the shader {} does not compile: {}", complaint.is_own ? name : shared, complaint.text));
    }
    const unsigned program = glCreateProgram();
    glAttachShader(program, shader);
    glLinkProgram(program);
    glDeleteShader(shader);
    GLint linked = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked)
        throw ShaderError(fmt::format("the shader {} does not link: {}", name,
                                      first_line_of_log(program, glGetProgramiv, glGetProgramInfoLog)));
    return program;
}

void check_opengl() {
    if (epoxy_has_gl_extension("GL_KHR_robustness") && glGetGraphicsResetStatus() != GL_NO_ERROR)
        throw DisplayError("the graphics card was reset during the computation");
    const GLenum error = glGetError();
    if (error == GL_OUT_OF_MEMORY) throw DisplayError("the graphics card does not have enough memory");
    if (error != GL_NO_ERROR) throw DisplayError(fmt::format("the graphics driver reported an error ({:#x})", error));
}

bool GlBuffer::reserve(std::size_t bytes) {
    return reserve(bytes, GL_DYNAMIC_COPY);
}

bool GlBuffer::reserve(std::size_t bytes, unsigned usage) {
    if (bytes <= capacity_) return true;
    if (id_ == 0) glGenBuffers(1, &id_);
    capacity_ = 0;
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id_);
    glBufferData(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, usage);
    check_opengl();
    capacity_ = bytes;
    return false;
}

void GlBuffer::poison() {
    constexpr float unset = std::numeric_limits<float>::quiet_NaN();
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id_);
    glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32F, GL_RED, GL_FLOAT, &unset);
}

void GlBuffer::write_bytes(std::size_t offset, std::span<const std::byte> bytes) {
    ensure(offset + bytes.size() <= capacity_, "a write must fit into the buffer");
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id_);
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, static_cast<GLintptr>(offset), static_cast<GLsizeiptr>(bytes.size()),
                    bytes.data());
}

void GlBuffer::copy(std::size_t offset, const GlBuffer& from, std::size_t from_offset, std::size_t bytes) {
    ensure(offset + bytes <= capacity_ && from_offset + bytes <= from.capacity_, "a copy must fit into both buffers");
    glBindBuffer(GL_COPY_READ_BUFFER, from.id_);
    glBindBuffer(GL_COPY_WRITE_BUFFER, id_);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(from_offset),
                        static_cast<GLintptr>(offset), static_cast<GLsizeiptr>(bytes));
}

void GlBuffer::read_bytes(std::size_t offset, std::span<std::byte> bytes) const {
    if (!for_reading_) for_reading_ = std::make_unique<GlBuffer>();
    for_reading_->reserve(bytes.size(), GL_STREAM_READ);
    for_reading_->copy(0, *this, offset, bytes.size());
    glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, static_cast<GLsizeiptr>(bytes.size()), bytes.data());
}

void GlBuffer::replace(std::size_t bytes, const std::function<void(std::byte*)>& fill) {
    reserve(bytes, GL_STREAM_DRAW);
    glBindBuffer(GL_COPY_WRITE_BUFFER, id_);
    void* const memory = glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, static_cast<GLsizeiptr>(bytes),
                                          GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    if (!memory) {
        check_opengl();
        throw DisplayError("the graphics driver could not map a buffer");
    }
    try {
        fill(static_cast<std::byte*>(memory));
    } catch (...) {
        glUnmapBuffer(GL_COPY_WRITE_BUFFER);
        throw;
    }
    if (!glUnmapBuffer(GL_COPY_WRITE_BUFFER)) throw DisplayError("the graphics driver lost the data that were sent to it");
}

void GlBuffer::bind_storage(unsigned index) const {
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, index, id_);
}

void GlBuffer::bind_uniform(unsigned index) const {
    glBindBufferBase(GL_UNIFORM_BUFFER, index, id_);
}

void Pace::issued(double work, Clock::time_point start) {
    under_way_.push_back({glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0), work, start});
    glFlush();
    while (under_way_.size() > most_under_way) wait_for_oldest();
}

void Pace::finish() {
    while (!under_way_.empty()) wait_for_oldest();
}

void Pace::wait_for_oldest() {
    const Dispatch dispatch = under_way_.front();
    under_way_.pop_front();
    const auto fence = static_cast<GLsync>(dispatch.fence);
    const GLenum answer =
        glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, std::chrono::nanoseconds(most_patience).count());
    glDeleteSync(fence);
    if (answer == GL_TIMEOUT_EXPIRED)
        throw DisplayError(fmt::format("the graphics card did not respond for {} s", most_patience.count()));
    if (answer == GL_WAIT_FAILED) {
        check_opengl();
        throw DisplayError("the graphics driver failed to wait for its work");
    }
    const Clock::time_point now = Clock::now();
    if (dispatch.work > 0) {
        // A dispatch that ended long before this check seems to have taken no time, so the rate may only grow step by
        // step.
        const double rate =
            dispatch.work / std::chrono::duration<double>(now - std::max(dispatch.start, last_done_)).count();
        rate_ = std::min(rate, 2 * rate_);
    }
    last_done_ = now;
}

}  // namespace ropewalk
