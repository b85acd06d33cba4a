// Textures of images and heat maps, looked up by everything that they are made from. The values of a heat map are only
// observed, not kept alive, because they may belong to results of tens of megabytes.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "app/plot/canvas.h"
#include "app/plot/colormap.h"
#include "core/numbers/shared_numbers.h"

namespace ropewalk {

class Renderer;

class TextureCache {
  public:
    explicit TextureCache(Renderer& renderer) : renderer_(renderer) {}
    ~TextureCache();
    TextureCache(const TextureCache&) = delete;
    TextureCache& operator=(const TextureCache&) = delete;

    struct Entry {
        std::optional<HeatMap> map;  // without the data it points to; if empty, `image`
        SharedNumbers::Weak values;
        std::weak_ptr<const std::vector<Interval>> visible;
        Image image;
        bool masked = false;        // the heat map has masked cells
        std::uintptr_t handle = 0;  // of the texture, as in ImGui's draw lists
        int unused_frames = 0;
    };

    /// Returns the texture's entry, which stays valid until end_frame was called a few times without its use.
    const Entry& find(const HeatMap& map);
    std::uintptr_t find(const Image& image);
    /// Frees what was not used for a few frames.
    void end_frame();
    std::size_t size() const { return entries_.size(); }

  private:
    static bool is_of(const Entry& entry, const HeatMap& map);
    const Entry& use(std::list<Entry>::iterator entry);

    Renderer& renderer_;
    std::list<Entry> entries_;  // last used first
};

}  // namespace ropewalk
