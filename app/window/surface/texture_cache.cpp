#include "app/window/surface/texture_cache.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "app/window/surface/renderer.h"

namespace ropewalk {
namespace {

/// Few, because dragging a slider creates new heat maps of several megabytes in every frame.
constexpr int frames_kept = 2;

bool equal(const Image& a, const Image& b) {
    static_assert(std::has_unique_object_representations_v<Color>);  // so that comparing bytes compares values
    return a.width == b.width && a.height == b.height && a.pixels.size() == b.pixels.size() &&
           (a.pixels.empty() || std::memcmp(a.pixels.data(), b.pixels.data(), a.pixels.size() * sizeof(Color)) == 0);
}

HeatMap without_values(HeatMap map) {
    map.values = {};
    map.visible = nullptr;
    return map;
}

}  // namespace

bool TextureCache::is_of(const Entry& entry, const HeatMap& map) {
    return entry.map == without_values(map) && entry.values == map.values && entry.visible.lock() == map.visible;
}

TextureCache::~TextureCache() {
    for (const Entry& entry : entries_) renderer_.destroy_texture(entry.handle);
}

const TextureCache::Entry& TextureCache::use(std::list<Entry>::iterator entry) {
    entry->unused_frames = 0;
    entries_.splice(entries_.begin(), entries_, entry);
    return entries_.front();
}

const TextureCache::Entry& TextureCache::find(const HeatMap& map) {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return is_of(entry, map); });
    if (found != entries_.end()) return use(found);
    entries_.push_front({.map = without_values(map),
                         .values = SharedNumbers::Weak(map.values),
                         .visible = map.visible,
                         .image = {},
                         .masked = has_masked(map),
                         .handle = renderer_.create_texture(colored(map))});
    return entries_.front();
}

std::uintptr_t TextureCache::find(const Image& image) {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& entry) { return !entry.map && equal(entry.image, image); });
    if (found != entries_.end()) return use(found).handle;
    entries_.push_front(
        {.map = std::nullopt, .image = image, .masked = false, .handle = renderer_.create_texture(image)});
    return entries_.front().handle;
}

void TextureCache::end_frame() {
    for (auto entry = entries_.begin(); entry != entries_.end();) {
        if (++entry->unused_frames <= frames_kept) {
            ++entry;
            continue;
        }
        renderer_.destroy_texture(entry->handle);
        entry = entries_.erase(entry);
    }
}

}  // namespace ropewalk
