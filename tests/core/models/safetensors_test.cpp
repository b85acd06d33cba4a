#include "core/models/files/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "core/error.h"
#include "core/io/files.h"
#include "core/io/mapped_file.h"
#include "core/numbers/numbers.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A file with this header and these data.
std::string safetensors(const std::string& header, const std::string& data) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(header.size() >> 8 * i & 255);
    return bytes + header + data;
}

class SafetensorsTest : public testing::Test {
  protected:
    Tensors read(const std::string& bytes) {
        atomic_write(file_, bytes);
        return read_safetensors(file_);
    }
    std::string rejection(const std::string& bytes) {
        try {
            read(bytes);
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    }

    TemporaryFolder folder_;
    std::string file_ = folder_.file("model.safetensors");
};

TEST_F(SafetensorsTest, WidensEveryTypeExactly) {
    const float third = 0x1.555556p-2f;
    std::string data(2 + 2 + 4 + 8, '\0');
    data[0] = 0x40, data[1] = static_cast<char>(0xc0);  // bf16: −3
    data[2] = 0x01, data[3] = 0x00;                     // f16: 2⁻²⁴, subnormal
    std::memcpy(data.data() + 4, &third, 4);
    const double quarter = 0.25;
    std::memcpy(data.data() + 8, &quarter, 8);
    const Tensors tensors =
        read(safetensors(R"({"a":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]},)"
                         R"("b":{"dtype":"F16","shape":[1,1],"data_offsets":[2,4]},)"
                         R"("c":{"dtype":"F32","shape":[],"data_offsets":[4,8]},)"
                         R"("d":{"dtype":"F64","shape":[1],"data_offsets":[8,16]},"__metadata__":{}})",
                         data));
    EXPECT_THAT(tensors.at("a").widened(), ElementsAre(-3.0f));
    EXPECT_THAT(tensors.at("b").widened(), ElementsAre(0x1p-24f));
    EXPECT_THAT(tensors.at("c").widened(), ElementsAre(third));
    EXPECT_THAT(tensors.at("d").widened(), ElementsAre(0.25f));
}

TEST_F(SafetensorsTest, HalfFloatsHaveTheValuesOfIeee754) {
    std::string data;
    std::string header = R"({"a":{"dtype":"F16","shape":[65536],"data_offsets":[0,131072]}})";
    for (int bits = 0; bits < 65536; ++bits) data += {static_cast<char>(bits & 255), static_cast<char>(bits >> 8)};
    const std::vector<float> all = read(safetensors(header, data)).at("a").widened();
    for (int bits = 0; bits < 65536; ++bits) {
        const int exponent = bits >> 10 & 31, fraction = bits & 1023;
        const double sign = bits < 32768 ? 1 : -1;
        const double expected = exponent == 31  ? (fraction > 0 ? nan : sign * infinity)
                                : exponent == 0 ? sign * std::ldexp(fraction, -24)
                                                : sign * std::ldexp(1024 + fraction, exponent - 25);
        if (std::isnan(expected))
            EXPECT_TRUE(std::isnan(all[static_cast<std::size_t>(bits)])) << bits;
        else
            EXPECT_EQ(static_cast<double>(all[static_cast<std::size_t>(bits)]), expected) << bits;
    }
}

TEST_F(SafetensorsTest, RefusesWhatTheFormatForbids) {
    const auto one = [](const std::string& entry, std::size_t bytes = 4) {
        return safetensors(R"({"a":)" + entry + "}", std::string(bytes, '\0'));
    };
    EXPECT_THAT(rejection(""), HasSubstr("is empty"));
    EXPECT_THAT(rejection("abc"), HasSubstr("fewer than the 8"));
    EXPECT_THAT(rejection(std::string(8, '\xff') + "{}"), HasSubstr("limit of 100000000"));
    EXPECT_THAT(rejection(std::string("\x10\0\0\0\0\0\0\0{}", 10)), HasSubstr("longer than the file"));
    EXPECT_THAT(rejection(safetensors("[]", "")), HasSubstr("must begin with {"));
    EXPECT_THAT(rejection(safetensors("{", "")), HasSubstr("not valid JSON"));
    EXPECT_THAT(rejection(one(R"({"dtype":"F33","shape":[1],"data_offsets":[0,4]})")), HasSubstr("'F33' is unknown"));
    EXPECT_THAT(rejection(one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})")), HasSubstr("takes 8"));
    EXPECT_THAT(rejection(one(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})")), HasSubstr("/a/shape/0"));
    EXPECT_THAT(rejection(one(R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})")), HasSubstr("/a/data_offsets"));
    EXPECT_THAT(rejection(one(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})", 8)), HasSubstr("too long"));
    EXPECT_THAT(rejection(one(R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]})")),
                HasSubstr("takes 18446744073709551615"));
    EXPECT_THAT(rejection(safetensors(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                                      R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
                                      "abc")),
                HasSubstr("without gaps or overlaps"));
    EXPECT_THAT(rejection(safetensors(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                                      R"("a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                                      "ab")),
                HasSubstr("twice"));
}

TEST_F(SafetensorsTest, AHeaderOfVeryManyTensorsIsRefusedEarly) {
    const auto header_of = [](int count) {
        std::string header;
        for (int i = 0; i < count; ++i)
            header += (header.empty() ? "{\"t" : ",\"t") + std::to_string(i) +
                      R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
        return header + "}";
    };
    EXPECT_EQ(read(safetensors(header_of(100'000), "")).size(), 100'000u);
    EXPECT_THAT(rejection(safetensors(header_of(200'000), "")),
                HasSubstr("more than 2000000 values and brackets; save fewer tensors in one file"));
}

TEST_F(SafetensorsTest, AnEmptyTensorHasNoNumbersWhateverItsShape) {
    const Tensors tensors =
        read(safetensors(R"({"a":{"dtype":"F32","shape":[4611686018427387904,4,8,0],"data_offsets":[0,0]}})", ""));
    EXPECT_EQ(tensors.at("a").count(), 0);
    EXPECT_TRUE(tensors.at("a").widened().empty());
}

TEST_F(SafetensorsTest, ALongHeaderIsRefusedBeforeItIsRead) {
    std::string header;
    for (int i = 0; i < 20'000; ++i)
        header += (header.empty() ? "{\"t" : ",\"t") + std::to_string(i) + std::string(850, 'x') +
                  R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
    header += "}";
    try {
        read(safetensors(header, ""));
        FAIL();
    } catch (const LimitError& error) {
        EXPECT_EQ(error.what(), file_ + ": the header has " + std::to_string(header.size()) +
                                    " bytes, more than the limit of 16777216; save fewer tensors in one file");
    }
}

TEST_F(SafetensorsTest, AFileThatShrinksIsNoticed) {
    atomic_write(file_, std::string(1 << 20, 'x'));
    const MappedFile mapped(file_);
    std::filesystem::resize_file(file_, 0);
    EXPECT_EQ(static_cast<char>(mapped.data()[(1 << 20) - 1]), '\0');
    EXPECT_THROW(mapped.require_intact(), IoError);
}

TEST_F(SafetensorsTest, ALargeFileThatShrinksIsNoticed) {
    // More pages apart from each other than a process may have mappings (65 530).
    constexpr std::size_t page = 4096, count = 140'000;
    atomic_write(file_, "");
    std::filesystem::resize_file(file_, page * count);
    const MappedFile mapped(file_);
    std::filesystem::resize_file(file_, 0);
    for (std::size_t i = count; i > 0; i -= 2) ASSERT_EQ(static_cast<char>(mapped.data()[page * (i - 1)]), '\0');
    EXPECT_THROW(mapped.require_intact(), IoError);
}

TEST_F(SafetensorsTest, AnotherFileOfTheSameNameLeavesTheMappedOneIntact) {
    atomic_write(file_, "one");
    const MappedFile mapped(file_);
    EXPECT_NO_THROW(mapped.require_intact());
    atomic_write(file_, "another");
    EXPECT_NO_THROW(mapped.require_intact());
    std::filesystem::remove(file_);
    EXPECT_NO_THROW(mapped.require_intact());
}

}  // namespace
}  // namespace ropewalk
