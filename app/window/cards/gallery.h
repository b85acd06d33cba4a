// The card in which a scene is found by what it looks like: thumbnails of the recent and the bundled ones, in groups.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/window/cards/palette.h"
#include "app/window/cards/scene_thumbnails.h"

namespace ropewalk {

class Gallery {
  public:
    /// `wake` is called from another thread when there is a thumbnail to show; it must not block.
    explicit Gallery(std::function<void()> wake) : thumbnails_(std::move(wake)) {}

    bool is_open() const { return open_; }
    void close();
    /// Opens it with the scene of this id (or the first) in front. Ids are "scene.NAME" of bundled scenes and
    /// "file.PATH" of recent ones.
    void open(std::vector<PaletteEntry> entries, std::string present);

    /// Draws it in the middle of `area` (device pixels) while it is open. What is typed leaves the scenes that hold all
    /// its words; arrow keys and Enter or the mouse choose. No thumbnail is drawn while a live answer is computed
    /// (`is_busy`). The id of what is chosen, once there is something.
    std::optional<std::string> draw(Ui& ui, const Rect& area, bool is_busy);

  private:
    struct Item {
        PaletteEntry entry;
        std::string group, title;  // the title without the group's name
        ThumbnailRequest thumbnail;
        std::vector<std::string> lines{};  // of the title, once they are shown
    };
    /// Items of one group that were found, by their index.
    struct Group {
        std::string title;
        std::vector<int> items;
    };

    void find();
    void draw_heading(Ui& ui, const Rect& card) const;
    /// All groups in so many columns; the item that was clicked.
    std::optional<int> draw_groups(Ui& ui, int columns);
    /// True if it was clicked.
    bool draw_item(Ui& ui, int index);
    void draw_picture(Ui& ui, const Item& item, const Rect& rect);
    void take_keys(Ui& ui);
    const Item& item(int index) const { return items_[static_cast<std::size_t>(index)]; }

    std::vector<Item> items_;
    std::vector<Group> groups_;           // of those found
    std::vector<std::vector<int>> rows_;  // as they stand
    std::string present_, typed_;
    int at_ = -1;  // the item that Enter chooses; −1: none was found
    bool open_ = false, scrolls_to_it_ = false, starts_typing_ = false;
    std::vector<ThumbnailRequest> in_sight_;
    SceneThumbnails thumbnails_;
};

}  // namespace ropewalk
