#include "app/figures/page/view.h"

#include <algorithm>

namespace ropewalk {

int Arrangement::add(Figure figure) {
    layout.maximised = -1;
    const int place = places();
    if (place == most_places) {
        figures.push_back(std::move(figure));
        beside.push_back(most_places - 1);
        return panels() - 1;
    }
    figures.insert(figures.begin() + place, std::move(figure));
    return place;
}

void Arrangement::duplicate(int panel) {
    beside.push_back(place_of(panel));
    figures.push_back(Figure(figure(panel)));
    layout.maximised = -1;
}

void Arrangement::close(int panel) {
    layout.maximised = -1;
    const int place = place_of(panel);
    layout.set_share_in(place, Layout::usual_share);
    const std::vector<int> sharing = panels_in(place);
    if (sharing.size() > 1) {
        if (panel == place) exchange(panel, sharing[1]), panel = sharing[1];
        beside.erase(beside.begin() + (panel - places()));
    } else {
        for (int& other : beside)
            if (other > place) --other;
        if (static_cast<std::size_t>(place) < layout.shared.size()) layout.shared.erase(layout.shared.begin() + place);
    }
    figures.erase(figures.begin() + panel);
}

void Arrangement::show_only(std::vector<Figure> shown) {
    figures = std::move(shown);
    beside.clear();
    layout = {.sidebar = layout.sidebar};
}

}  // namespace ropewalk
