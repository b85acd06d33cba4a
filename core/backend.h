// Where attention is computed. All backends answer the same question with the same meaning; each is tested against
// `reference`, the scalar double-precision oracle.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention.h"
#include "core/cancel.h"
#include "core/whole_matrix.h"

namespace ropewalk {

/// The precision of the values a backend's views hold; `data` writes them as such.
enum class Precision { fp32, fp64 };

/// Multiply-adds of a fast backend's inner loop that take a frame or so on two cores.
inline constexpr double frame_cost = 1e9;

/// Computes attention. May be called from one thread at a time.
class Backend {
  public:
    virtual ~Backend() = default;
    virtual std::string_view id() const = 0;           // as in `--backend`
    virtual std::string_view description() const = 0;  // hardware and instruction set, for the status bar
    virtual Precision precision() const = 0;
    /// What a person should know of how it fares, in a sentence; empty as long as all is well.
    virtual std::string notice() const { return {}; }

    /// About how many multiply-adds of a fast backend's inner loop a view takes, to tell what is live, slow, or too
    /// much.
    virtual double cost(const Problem& problem, const Viewport& viewport) const = 0;

    /// The view of `problem` through `viewport`. Throws Cancelled as soon as `cancel` asks for it.
    virtual AttentionView attend(const Problem& problem, const Viewport& viewport, const Cancel& cancel) = 0;

    /// The whole matrix, in float: logits −∞ where masked and ±∞ where float cannot hold them, or weights, 0 where
    /// masked. Throws Cancelled. By default a band of rows at a time through `attend`.
    virtual void fill(WholeMatrix& matrix, const Problem& problem, MatrixEntries entries, const Cancel& cancel);
};

/// A backend that was tried, with the reason why it did not open where it did not.
struct BackendStatus {
    std::string id;
    std::string sentence;              // hardware, or why it is not to be had
    std::unique_ptr<Backend> backend;  // null where it did not open
};

/// All backends in order of preference: the graphics card first if there is one. `threads` = 0 takes every core; files
/// in the folder `shaders` replace the embedded ones. Takes about 0.1 s, to try OpenGL.
std::vector<BackendStatus> open_backends(int threads = 0, const std::filesystem::path& shaders = {});

/// The backend of that name, or the preferred one if `id` is empty: then OpenGL is tried only where there is a graphics
/// card. One whose shaders do not compile, or that fails later on, goes on as `cpu`, with a notice. Throws UsageError
/// for an unknown name and DisplayError with the reason for one that there is nothing to open on.
std::unique_ptr<Backend> open_backend(std::string_view id, int threads = 0, const std::filesystem::path& shaders = {});

/// `gl` with the shaders of this folder. Throws DisplayError with what is wrong with them.
std::unique_ptr<Backend> open_shaders(const std::filesystem::path& shaders, int threads);

}  // namespace ropewalk
