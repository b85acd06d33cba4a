// libFuzzer's entry: `fuzz --target=NAME [libFuzzer's options] [CORPUS…]`.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/targets.h"

namespace {

const ropewalk::FuzzTarget* target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    constexpr std::string_view option = "--target=";
    for (int i = 1; i < *argc; ++i)
        if (const std::string_view word = (*argv)[i]; word.starts_with(option))
            for (const auto& each : ropewalk::fuzz_targets())
                if (each.name == word.substr(option.size())) target = &each;
    if (target) return 0;
    std::fputs("usage: fuzz --target=NAME …; the targets are:", stderr);
    for (const auto& each : ropewalk::fuzz_targets()) std::fprintf(stderr, " %s", each.name.data());
    std::fputs("\n", stderr);
    std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    ropewalk::is_read(*target, {reinterpret_cast<const char*>(bytes), size});
    return 0;
}
