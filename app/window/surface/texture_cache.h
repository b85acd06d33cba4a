// Textures of images and heat maps, found again by the value of everything that they are made from. The values of a
// heat map are only watched, not kept alive: they may belong to results of tens of megabytes.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "app/plot/canvas.h"
#include "app/plot/colormap.h"

namespace ropewalk {

class Renderer;

class TextureCache {
  public:
    explicit TextureCache(Renderer& renderer) : renderer_(renderer) {}
    ~TextureCache();
    TextureCache(const TextureCache&) = delete;
    TextureCache& operator=(const TextureCache&) = delete;

    struct Entry {
        std::optional<HeatMap> map;  // without what it points to; else `image`
        std::weak_ptr<const std::vector<double>> values;
        std::weak_ptr<const std::vector<int>> visible;
        Image image;
        bool masked = false;        // the heat map has masked cells
        std::uintptr_t handle = 0;  // of the texture, as ImGui's draw lists carry it
        int unused_frames = 0;
    };

    /// Valid until end_frame has been called for some frames without its use.
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
