// Pages that are too small to read, and the size that is enough.
#pragma once

#include <optional>
#include <string>

#include "app/figures/page/page.h"

namespace ropewalk {

/// Why a page cannot be read, and a size that is enough.
struct PageTooSmall {
    std::string word, help;            // what does not fit; what a larger page would show
    std::optional<PageSize> enough{};  // a size on which it fits, if there is one; mm
};

/// Returns the problem of a page, or nullopt if all of it can be read. `omitted` are the page's omitted parts.
std::optional<PageTooSmall> page_too_small(const Page& page, const OmittedParts& omitted);

}  // namespace ropewalk
