// What stands in the way of reading a page, and a page on which it would not.
#pragma once

#include <optional>
#include <string>

#include "app/figures/page/page.h"

namespace ropewalk {

struct PageTooSmall {
    std::string word, help;            // what a page has no room for; what one that has it would show
    std::optional<PageSize> enough{};  // the size of such a one, if there is one; mm
};

/// Nothing if all of it can be read. `left_out` is the page's.
std::optional<PageTooSmall> page_too_small(const Page& page, const OmittedParts& omitted);

}  // namespace ropewalk
