// What a figure says about the cursor, as text of items three spaces apart: "r = 10   logit 20".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ropewalk {

/// Returns `now` with each number that differs from `before` as "20 → −11.5". Items that do not correspond word by word
/// stay as they are, and so does all that follows "pair 4" if that was another pair before.
std::string changed_readout(std::string_view before, std::string_view now);

/// An item of a readout: "logit" and "20 → −11.5". The label may be empty.
struct ReadoutItem {
    std::string label, value;

    bool operator==(const ReadoutItem&) const = default;
};
std::vector<ReadoutItem> items_of_readout(std::string_view readout);
/// Returns the item's value before the change with an arrow, "20  →  ", and the one now. The former may be empty.
std::pair<std::string, std::string> before_and_now(const ReadoutItem& item);

}  // namespace ropewalk
