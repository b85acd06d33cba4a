#include "core/io/npy.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <span>

#include "core/error.h"
#include "core/io/files.h"
#include "core/io/json_reader.h"
#include "core/numbers/numbers.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// A file of version 1.0 with this dictionary and these data.
std::string npy(const std::string& dictionary, const std::string& data) {
    const std::string header = dictionary + "\n";
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size() & 255) +
           static_cast<char>(header.size() >> 8) + header + data;
}

std::string described(const std::string& descr, const std::string& shape, const std::string& data) {
    return npy("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }", data);
}

std::string npy_rejection(const std::string& bytes) {
    try {
        parse_npy(bytes, "x.npy");
    } catch (const InputError& error) {
        return error.what();
    }
    return "(accepted)";
}

TEST(Npy, WhatIsWrittenIsRead) {
    const std::vector<double> values = {0, -1.5, infinity, 1e-320, 4, 5};
    const std::vector<std::int64_t> shape = {2, 3};
    const NpyArray array = parse_npy(npy_bytes(shape, values), "x");
    EXPECT_EQ(array.shape, shape);
    EXPECT_EQ(array.dtype, "<f8");
    EXPECT_FALSE(array.fortran_order);
    EXPECT_EQ(array.values, values);

    const std::vector<float> singles = {1.25f, -2};
    const NpyArray second = parse_npy(npy_bytes(std::vector<std::int64_t>{2}, singles), "x");
    EXPECT_EQ(second.dtype, "<f4");
    EXPECT_THAT(second.values, ElementsAre(1.25, -2));
    EXPECT_NE(array.hash, second.hash);

    EXPECT_THAT(parse_npy(npy_bytes(std::vector<std::int64_t>{}, std::vector<double>{7}), "x").values, ElementsAre(7));
    EXPECT_THAT(parse_npy(npy_bytes(std::vector<std::int64_t>{0, 4}, std::vector<double>{}), "x").values, IsEmpty());
    EXPECT_EQ(npy_bytes(shape, values).find('\n') % 64, 63u);
}

TEST(Npy, HalvesAreDecodedExactly) {
    const std::string data("\x55\x35\xff\x03", 4);
    EXPECT_THAT(parse_npy(described("<f2", "(2,)", data), "x").values,
                ElementsAre(0.333251953125, std::ldexp(1023, -24)));
}

TEST(Npy, TheGrammarIsThatOfNumpyAndNoMore) {
    const std::string one = "\x01";
    for (const char* header : {"{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }   ",
                               "{'shape':(1,),'fortran_order':True,\"descr\":\"u1\"}",
                               "{ 'descr' : '<u1' , 'fortran_order' : False , 'shape' : ( 1 , 1 ) }",
                               "{'descr': '=u1', 'fortran_order': False, 'shape': (1L,)}",
                               "{'descr': '>u1', 'fortran_order': False, 'shape': ()}"})
        EXPECT_EQ(npy_rejection(npy(header, one)), "(accepted)") << header;
    const struct {
        const char* header;
        const char* rule;
    } cases[] = {
        {"", "expected '{'"},
        {"{'descr': '|u1', 'fortran_order': False}", "has no key 'shape'"},
        {"{'fortran_order': False, 'shape': (1,)}", "has no key 'descr'"},
        {"{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (1,)}", "the key 'descr' twice"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (1,), 'x': 1}", "unknown key 'x'"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (-1,)}", "negative extent"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (01,)}", "leading zeros"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (1)}", "must be a tuple"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': [1]}", "expected '('"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (1.0,)}", "must be a tuple"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (99999999999999999999,)}", "beyond 64 bits"},
        {"{'descr': '|u1', 'fortran_order': 0, 'shape': (1,)}", "must be True or False"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (1,)} + x", "only spaces"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (1,)", "expected '}'"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "structured dtype"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "a pickle, which is never executed"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "the dtype '<c8' is not supported"},
        {"{'descr': '<f16', 'fortran_order': False, 'shape': (1,)}", "'<f16' is not supported"},
        {"{'descr': '<U3', 'fortran_order': False, 'shape': (1,)}", "'<U3' is not supported"},
        {"{'descr': 'i3', 'fortran_order': False, 'shape': (1,)}", "'i3' is not supported"},
        {"{'descr': '', 'fortran_order': False, 'shape': (1,)}", "'' is not supported"},
        {"{'descr': '|u1\\x', 'fortran_order': False, 'shape': (1,)}", "malformed string"},
        {"__import__('os').system('true')", "expected '{'"},
    };
    for (const auto& [header, rule] : cases)
        EXPECT_THAT(npy_rejection(npy(header, one)), AllOf(StartsWith("x.npy: byte "), HasSubstr(rule))) << header;
}

TEST(Npy, SizesAreChecked) {
    EXPECT_THAT(npy_rejection(described("<f4", "(2,)", "1234567")), HasSubstr("the copy is incomplete"));
    EXPECT_THAT(npy_rejection(described("<f4", "(2,)", "123456789")), HasSubstr("1 bytes follow the array"));
    EXPECT_THAT(npy_rejection(described("<f4", "()", "123")), HasSubstr("the copy is incomplete"));
    EXPECT_THAT(npy_rejection(described("<f4", "(4611686018427387904, 4)", "")), HasSubstr("the copy is incomplete"));
    EXPECT_THAT(npy_rejection(described("<f4", "(4294967296, 4294967296)", "")), HasSubstr("the copy is incomplete"));
    EXPECT_EQ(npy_rejection(described("<f4", "(4294967296, 4294967296, 0)", "")), "(accepted)");
    EXPECT_THAT(npy_rejection(described("<f4", "(0, 3)", "1234")), HasSubstr("4 bytes follow"));

    const std::string whole = described("<f8", "(1,)", "12345678");
    for (std::size_t length = 1; length < whole.size(); ++length)
        EXPECT_THAT(npy_rejection(whole.substr(0, length)),
                    AllOf(StartsWith("x.npy: byte "), HasSubstr("the copy is incomplete")))
            << length;
    std::string long_header = whole;
    long_header[9] = 127;
    EXPECT_THAT(npy_rejection(long_header),
                AllOf(StartsWith("x.npy: byte 8:"), HasSubstr("more than the limit of 10000")));
    std::string version = whole;
    version[6] = 4;
    EXPECT_THAT(npy_rejection(version), HasSubstr("version 4.0 of the format is not supported"));
}

TEST(Npy, ImpostorsGetATrueWord) {
    EXPECT_THAT(npy_rejection(""), HasSubstr("is empty"));
    EXPECT_THAT(npy_rejection("PK\x03\x04rest"), HasSubstr("extract it"));
    EXPECT_THAT(npy_rejection("<html>"), HasSubstr("HTML page"));
    EXPECT_THAT(npy_rejection("1.5, 2.5\n"), HasSubstr("not a .npy file"));
}

/// numpy writes files of every dtype, memory order and version, and says as JSON what is in them.
constexpr const char* writer = R"(
import json, sys, warnings
import numpy as np
from numpy.lib import format
warnings.simplefilter('ignore')
out, listing = sys.argv[1], []
kinds = ['b1', 'i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'f2', 'f4', 'f8']
shapes = [(), (0,), (1,), (5,), (3, 4), (4, 1, 3), (2, 0, 3), (2, 3, 2, 2)]
random = np.random.default_rng(7)
for kind in kinds:
    for order in '<>':
        for shape in shapes:
            for memory in 'CF':
                values = random.integers(0, 256, size=shape + (8,)).astype('u1').view('f8')[..., 0]
                values = np.where(np.isfinite(values), np.clip(values, -1e30, 1e30), 0)
                if kind[0] in 'iu':
                    info = np.iinfo(kind)
                    values = random.integers(info.min, info.max, size=shape, dtype=kind, endpoint=True)
                elif kind == 'f2':
                    values = random.integers(0, 65536, size=shape, dtype='u2').view('f2')
                array = np.asarray(np.asarray(values).astype(order + kind), order=memory)
                for version in [(1, 0), (2, 0), (3, 0)]:
                    name = f'{kind}{"le" if order == "<" else "be"}_{len(listing)}.npy'
                    with open(f'{out}/{name}', 'wb') as f:
                        format.write_array(f, array, version=version)
                    listing.append({'name': name, 'shape': list(shape), 'values': [repr(float(v)) for v in array.flatten()]})
json.dump(listing, open(f'{out}/listing.json', 'w'))
)";

constexpr const char* checker = R"(
import sys
import numpy as np
a, b = np.load(sys.argv[1] + '/double.npy'), np.load(sys.argv[1] + '/single.npy')
assert a.dtype == '<f8' and a.shape == (2, 3) and np.array_equal(a, [[0, 0.1, -1e300], [5e-324, np.inf, -np.inf]]), a
assert b.dtype == '<f4' and b.shape == (2,) and np.array_equal(b, np.array([0.1, -3e38], 'f4')), b
assert np.load(sys.argv[1] + '/scalar.npy').shape == ()
)";

class NumpyOracle : public testing::Test {
  protected:
    void SetUp() override {
        if (std::system("/usr/bin/python3 -c 'import numpy' >/dev/null 2>&1") != 0)
            GTEST_SKIP() << "/usr/bin/python3 has no numpy";
    }

    bool run(const std::string& script) const {
        atomic_write(folder_.file("script.py"), script);
        return std::system(("/usr/bin/python3 '" + folder_.file("script.py") + "' '" + folder_.path() + "'").c_str()) ==
               0;
    }

    TemporaryFolder folder_;
};

TEST_F(NumpyOracle, EveryDtypeOrderAndVersionReadsAsNumpySays) {
    ASSERT_TRUE(run(writer));
    const nlohmann::json listing = nlohmann::json::parse(read_file(folder_.file("listing.json"), 1u << 26));
    ASSERT_EQ(listing.size(), 12u * 2 * 8 * 2 * 3);
    for (const auto& entry : listing) {
        const std::string name = entry.at("name");
        const NpyArray array = read_npy(folder_.file(name));
        EXPECT_EQ(array.shape, entry.at("shape").get<std::vector<std::int64_t>>()) << name;
        ASSERT_EQ(array.values.size(), entry.at("values").size()) << name;
        for (std::size_t i = 0; i < array.values.size(); ++i) {
            const double expected = std::strtod(entry.at("values").at(i).get<std::string>().c_str(), nullptr);
            if (std::isnan(expected))
                EXPECT_TRUE(std::isnan(array.values[i])) << name;
            else
                EXPECT_EQ(array.values[i], expected) << name << " value " << i;
        }
    }
}

TEST_F(NumpyOracle, NumpyReadsWhatIsWritten) {
    atomic_write(
        folder_.file("double.npy"),
        npy_bytes(std::vector<std::int64_t>{2, 3}, std::vector<double>{0, 0.1, -1e300, 5e-324, infinity, -infinity}));
    atomic_write(folder_.file("single.npy"), npy_bytes(std::vector<std::int64_t>{2}, std::vector<float>{0.1f, -3e38f}));
    atomic_write(folder_.file("scalar.npy"), npy_bytes(std::vector<std::int64_t>{}, std::vector<double>{1}));
    EXPECT_TRUE(run(checker));
}

TEST(Npy, StoredNumbersAreReadInPartsAsAWhole) {
    std::string data;
    for (int i = 0; i < 24; ++i) data += static_cast<char>(i * 11);
    for (const char* descr : {"|u1", "|i1", "|b1"})
        for (const char* order : {"False", "True"}) {
            const std::string bytes =
                npy(fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': (2, 3, 4), }}", descr, order), data);
            const NpyArray whole = parse_npy(bytes, "x");
            const StoredArray stored(bytes, "x");
            EXPECT_EQ(stored.hash(), whole.hash);
            EXPECT_TRUE(stored.is_of_integers());
            for (std::size_t first = 0; first < 24; ++first) {
                std::vector<double> part(std::min<std::size_t>(5, 24 - first));
                stored.read(first, part);
                EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.values.begin() + static_cast<long>(first)))
                    << descr << " " << order << " " << first;
            }
            double sum = 0;
            stored.for_each_block([&](std::size_t, std::span<const double> numbers) {
                sum = std::accumulate(numbers.begin(), numbers.end(), sum);
            });
            EXPECT_EQ(sum, std::accumulate(whole.values.begin(), whole.values.end(), 0.0));
        }
}

/// A gigabyte is not read to find out that it is too large.
TEST(Npy, TooLargeArraysAreRefusedByTheirHeader) {
    const TemporaryFolder folder;
    const std::int64_t count = std::int64_t{most_npy_values} * 4;
    const std::string start = described("|u1", fmt::format("({},)", count), "");
    atomic_write(folder.file("a.npy"), start);
    std::filesystem::resize_file(folder.file("a.npy"), start.size() + static_cast<std::uintmax_t>(count));
    EXPECT_THROW(read_stored(folder.file("a.npy")), LimitError);
    EXPECT_THROW(read_npy(folder.file("a.npy")), LimitError);
    atomic_write(folder.file("b.npy"), described("|u1", "(12,)", std::string(12, 'x')));
    EXPECT_EQ(read_npy(folder.file("b.npy"), 12).values.size(), 12u);
    EXPECT_THROW(read_npy(folder.file("b.npy"), 11), LimitError);
}

}  // namespace
}  // namespace ropewalk
