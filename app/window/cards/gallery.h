// The card that shows the recent and bundled scenes as thumbnails, in groups.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/window/cards/finder.h"
#include "app/window/cards/scene_thumbnails.h"

namespace ropewalk {

class Gallery : public Finder {
  public:
    /// `wake` is called from another thread when there is a new thumbnail; it must not block.
    explicit Gallery(std::function<void()> wake) : Finder("gallery.find"), thumbnails_(std::move(wake)) {}

    void close();
    /// Opens the card with the scene of the id `current` (or the first) selected. Ids are "scene.NAME" for bundled
    /// scenes and "file.PATH" for recent ones.
    void open(std::vector<PaletteEntry> entries, std::string current);

    /// Draws the card in the middle of `area` (device pixels) while it is open. Typing filters the scenes by words;
    /// arrow keys and Enter or the mouse choose. No thumbnail is drawn while a live answer is computed (`is_busy`).
    /// Returns the id of the chosen scene, if one was.
    std::optional<std::string> draw(Ui& ui, const Rect& area, bool is_busy);

  private:
    /// What is shown of an entry.
    struct Item {
        std::string group, title;  // the title without the group's name
        ThumbnailRequest thumbnail;
        std::vector<std::string> lines{};  // of the title, once shown
    };
    /// The found items of one group, by index.
    struct Group {
        std::string title;
        std::vector<int> items;
    };

    /// Arranges the found items in groups.
    void arrange();
    void draw_heading(Ui& ui, const Rect& card) const;
    /// Draws all groups in this many columns. Returns the item that was clicked.
    std::optional<int> draw_groups(Ui& ui, int columns);
    /// Draws an item. Returns whether it was clicked.
    bool draw_item(Ui& ui, int index);
    void draw_picture(Ui& ui, int index, const Rect& rect);
    void take_keys(Ui& ui);

    std::vector<Item> items_;             // of the entries
    std::vector<Group> groups_;           // of those found
    std::vector<std::vector<int>> rows_;  // as arranged
    std::vector<ThumbnailRequest> in_sight_;
    SceneThumbnails thumbnails_;
};

}  // namespace ropewalk
