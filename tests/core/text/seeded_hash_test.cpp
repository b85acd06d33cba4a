#include "core/text/seeded_hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace ropewalk {
namespace {

TEST(SeededHash, OfDifferentKeysDiffers) {
    const SeededHash hash;
    std::set<std::size_t> hashes;
    std::string zeros;
    for (int length = 0; length < 40; ++length, zeros += '\0') {
        hashes.insert(hash(zeros));
        for (int at = 0; at < length; ++at) {
            std::string text = zeros;
            text[static_cast<std::size_t>(at)] = 'a';
            EXPECT_EQ(hash(text), hash(std::string_view(std::string(text))));
            hashes.insert(hash(text));
        }
    }
    EXPECT_EQ(hashes.size(), 40u + 39 * 40 / 2);
}

}  // namespace
}  // namespace ropewalk
