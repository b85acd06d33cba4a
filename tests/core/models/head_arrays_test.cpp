// Files of queries and keys: what they hold is read as NumPy and TransformerLens wrote it, and what is wrong is told.
#include "core/models/files/head_arrays.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "core/attention/make_problem.h"
#include "core/constructions/construction_list.h"
#include "core/error.h"
#include "core/experiment/experiment.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "tests/temporary_folder.h"
#include "tests/zip_bytes.h"

namespace ropewalk {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// An array whose numbers count up from `first`, as a .npy file.
std::string counting(const std::vector<std::int64_t>& shape, double first) {
    std::size_t count = 1;
    for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = first + static_cast<double>(i);
    return npy_bytes(shape, std::span<const double>(values));
}

/// A .safetensors file of one tensor.
std::string one_tensor(const std::string& name, const std::string& type_and_shape, const std::string& data) {
    const std::string header =
        "{\"" + name + "\":{" + type_and_shape + ",\"data_offsets\":[0," + std::to_string(data.size()) + "]}}";
    return little_endian(header.size(), 8) + header + data;
}

class HeadArraysTest : public testing::Test {
  protected:
    std::shared_ptr<const HeadArrays> open(const std::string& name, const std::string& bytes) {
        atomic_write(folder_.file(name), bytes);
        return open_head_arrays(folder_.file(name));
    }
    std::string refusal(const std::string& name, const std::string& bytes, bool with_rows = false) {
        try {
            const auto arrays = open(name, bytes);
            if (with_rows) arrays->rows(*arrays->find(HeadSide::queries, 0), 0, 0);
        } catch (const Error& error) {
            return std::to_string(static_cast<int>(error.code())) + ": " + error.what();
        }
        return "accepted";
    }
    static std::vector<double> row(const HeadArrays& arrays, HeadSide side, int layer, int entry, int head, int token) {
        const HeadArray& array = *arrays.find(side, layer);
        std::vector<double> row(static_cast<std::size_t>(array.axes.channels));
        arrays.rows(array, entry, head)(token, row);
        return row;
    }

    TemporaryFolder folder_;
};

TEST_F(HeadArraysTest, HooksOfLayersHaveTokensBeforeHeads) {
    for (const bool deflate : {false, true}) {
        const auto arrays = open("c.npz", zip_of({{"blocks.3.attn.hook_q.npy", counting({2, 5, 4, 2}, 0), deflate},
                                                  {"blocks.0.attn.hook_q.npy", counting({5, 4, 2}, 1000), deflate},
                                                  {"blocks.0.attn.hook_k.npy", counting({5, 2, 2}, 2000), deflate},
                                                  {"blocks.0.attn.hook_v.npy", "not read", deflate},
                                                  {"blocks.0.attn.hook_pattern.npy", "not read", deflate}}));
        EXPECT_TRUE(arrays->has_layers());
        EXPECT_EQ(numbers_of(arrays->layers(HeadSide::queries)), "0, 3");
        EXPECT_EQ(arrays->find(HeadSide::keys, 3), nullptr);
        EXPECT_EQ(arrays->find(HeadSide::queries, 3)->axes.batch, 2);
        // Entry 1, token 2, head 3 of [2, 5, 4, 2]: ((1·5 + 2)·4 + 3)·2.
        EXPECT_EQ(row(*arrays, HeadSide::queries, 3, 1, 3, 2), (std::vector<double>{62, 63}));
        EXPECT_EQ(row(*arrays, HeadSide::queries, 0, 0, 1, 4), (std::vector<double>{1034, 1035}));
        EXPECT_EQ(row(*arrays, HeadSide::keys, 0, 0, 1, 0), (std::vector<double>{2002, 2003}));
    }
}

TEST_F(HeadArraysTest, PlainArraysHaveHeadsBeforeTokens) {
    const auto arrays =
        open("c.npz", zip_of({{"q.npy", counting({3, 5, 2}, 0), true}, {"k.npy", counting({5, 2}, 100), false}}));
    EXPECT_FALSE(arrays->has_layers());
    EXPECT_EQ(row(*arrays, HeadSide::queries, 0, 0, 2, 1), (std::vector<double>{22, 23}));
    EXPECT_EQ(row(*arrays, HeadSide::keys, 0, 0, 0, 4), (std::vector<double>{108, 109}));
}

TEST_F(HeadArraysTest, TensorsAreWidenedExactly) {
    const double third = 1.0 / 3;
    std::string doubles(8, '\0');
    std::memcpy(doubles.data(), &third, 8);
    const auto exact =
        open("c.safetensors", one_tensor("blocks.0.attn.hook_q", R"("dtype":"F64","shape":[1,1,1])", doubles));
    EXPECT_EQ(row(*exact, HeadSide::queries, 0, 0, 0, 0), std::vector{third});
    const std::string halves{0x40, static_cast<char>(0xc0), static_cast<char>(0x80), 0x3f};  // −3, 1
    const auto short_ones =
        open("c.safetensors", one_tensor("blocks.0.attn.hook_q", R"("dtype":"BF16","shape":[1,2,1])", halves));
    EXPECT_EQ(row(*short_ones, HeadSide::queries, 0, 0, 1, 0), std::vector{1.0});
}

TEST_F(HeadArraysTest, OtherContentHasAnotherHash) {
    const auto hash = [&](double first, bool deflate) {
        return open("c.npz", zip_of({{"q.npy", counting({5, 2}, first), deflate}}))->hash();
    };
    EXPECT_EQ(hash(0, false), hash(0, true));
    EXPECT_NE(hash(0, false), hash(1, false));
}

TEST_F(HeadArraysTest, AFileThatWasWrittenAgainIsAnother) {
    // The hash of a tensor covers pieces of head 0 only.
    const auto file_with = [&](float number_of_head_5) {
        std::vector<float> numbers(64 * 8 * 32, 1);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            if (i / 32 % 8 == 5) numbers[i] = number_of_head_5;
        std::string bytes(numbers.size() * sizeof(float), '\0');
        std::memcpy(bytes.data(), numbers.data(), bytes.size());
        const auto content =
            open("c.safetensors", one_tensor("blocks.0.attn.hook_q", R"("dtype":"F32","shape":[64,8,32])", bytes));
        return HeadFile{.path = "c.safetensors", .content = content};
    };
    const HeadFile first = file_with(2);
    const HeadFile again{.path = "c.safetensors", .content = open_head_arrays(folder_.file("c.safetensors"))};
    EXPECT_EQ(first, again);
    const HeadFile changed = file_with(3);
    EXPECT_EQ(first.content->hash(), changed.content->hash());
    EXPECT_NE(first, changed);
}

TEST_F(HeadArraysTest, WhatIsWrongIsTold) {
    const std::string good = counting({5, 2}, 0);
    EXPECT_THAT(refusal("c.npz", zip_of({{"arr_0.npy", good}})), AllOf(HasSubstr("3: "), HasSubstr("has 'arr_0'")));
    EXPECT_THAT(refusal("c.npz", zip_of({{"blocks.0.attn.hook_q.npy", good}})), HasSubstr("[tokens, heads, channels]"));
    EXPECT_THAT(refusal("c.npz", zip_of({{"q.npy", good}, {"q.npy", good}})), HasSubstr("share a name"));
    EXPECT_THAT(refusal("c.npz", zip_of({{"q.npy", "text"}})), HasSubstr("array 'q': byte 0: not a .npy file"));
    EXPECT_THAT(refusal("c.npz", "text"), HasSubstr("not a zip archive"));
    EXPECT_THAT(refusal("c.npz", ""), HasSubstr("is empty"));
    EXPECT_THAT(refusal("c.npy", zip_of({{"q.npy", good}})), HasSubstr(".npz"));
    EXPECT_THAT(refusal("c.npz", zip_of({{"blocks.2147483647.attn.hook_q.npy", counting({5, 4, 2}, 0)}})),
                AllOf(HasSubstr("3: "), HasSubstr("'blocks.2147483647.attn.hook_q' has layer 2147483647; it must be at "
                                                  "most 1023")));
    EXPECT_EQ(refusal("c.npz", zip_of({{"blocks.1023.attn.hook_q.npy", counting({5, 4, 2}, 0)}})), "accepted");
    const std::string whole = zip_of({{"q.npy", good, true}});
    EXPECT_THAT(refusal("c.npz", whole.substr(0, whole.size() - 9)), HasSubstr("3: "));
    EXPECT_THAT(refusal("c.npz", zip_of({{"q.npy", good, true, 0, true}}), true), HasSubstr("CRC"));
    EXPECT_THAT(refusal("c.npz", zip_of({{"q.npy", good.substr(0, good.size() - 8), true}}), true),
                HasSubstr("ends before"));
    EXPECT_THAT(refusal("c.npz", zip_of({{"q.npy", counting({1, 2}, NAN)}}), true), HasSubstr("entry 0 is NaN"));
    EXPECT_THAT(refusal("c.safetensors", one_tensor("q", R"("dtype":"I64","shape":[1,1])", std::string(8, '\0'))),
                HasSubstr("type I64"));
    EXPECT_THAT(refusal("c.safetensors", one_tensor("a", R"("dtype":"F64","shape":[1,1])", std::string(8, '\0'))),
                HasSubstr("has 'a'"));
    EXPECT_THAT(refusal("model.safetensors",
                        one_tensor("model.norm.weight", R"("dtype":"F64","shape":[1])", std::string(8, '\0'))),
                AllOf(HasSubstr("checkpoint"), HasSubstr("model_head")));
}

TEST_F(HeadArraysTest, WhatUnpacksToTooMuchIsRefusedBeforeItIsUnpacked) {
    const std::string bomb = counting({5, 2}, 0);
    EXPECT_THAT(refusal("c.npz", zip_of({{"q.npy", bomb, true, 0xf0000000}})), HasSubstr("6: "));
    std::vector<ZipMember> many;
    for (int i = 0; i < 20; ++i) many.push_back({std::to_string(i) + ".npy", bomb, true, 0xf0000000});
    EXPECT_THAT(refusal("c.npz", zip_of(many)), AllOf(HasSubstr("6: "), HasSubstr("unpacks to more")));
    std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (134217729, 1), }";
    header.resize(118, ' ');
    const std::string bytes = "\x93NUMPY\1" + std::string("\0\x76\0", 3) + header;
    EXPECT_THAT(refusal("c.npz", zip_of({{"q.npy", bytes + std::string(20000, 0), true, 128 + 134217729}})),
                HasSubstr("array 'q': has 134217729 values, more than the limit of 134217728"));
    header = "{'descr': '|u1', 'fortran_order': False, 'shape': (100000000, 1), }";
    header.resize(118, ' ');
    const std::string large = "\x93NUMPY\1" + std::string("\0\x76\0", 3) + header + std::string(20000, 0);
    EXPECT_THAT(
        refusal("c.npz", zip_of({{"q.npy", large, true, 128 + 100'000'000}}), true),
        AllOf(HasSubstr("6: "), HasSubstr("to 100000128 bytes, but above 64 MiB it may expand at most 3 times")));
    std::string claims = zip_of({{"q.npy", large, true, 128 + 100'000'000}});
    claims.replace(claims.rfind("PK\x01\x02") + 20, 4, little_endian(40'000'000, 4));
    EXPECT_THAT(refusal("c.npz", claims, true),
                AllOf(HasSubstr("3: "), HasSubstr("its entries take more bytes than the file has")));
    EXPECT_THAT(refusal("c.npz", zip_of({{"q.npy", bomb, true, 1 << 20}}), true), HasSubstr("3: "))
        << "an entry shorter than it claims";
    EXPECT_THAT(refusal("c.npz", zip_of({{"q.npy", bomb, true, 200}}), true), HasSubstr("3: "))
        << "an entry longer than it claims";
}

/// An archive of one array whose Zip64 record claims this many entries.
std::string zip64_of(const std::string& array, std::uint64_t count) {
    const std::string archive = zip_of({{"q.npy", array}}), end = archive.substr(archive.size() - 22);
    const std::string before = archive.substr(0, archive.size() - 22);
    const std::size_t list = before.rfind("PK\x01\x02");
    return before + "PK\x06\x06" + little_endian(44, 8) + little_endian(45, 2) + little_endian(45, 2) +
           little_endian(0, 8) + little_endian(count, 8) + little_endian(count, 8) +
           little_endian(before.size() - list, 8) + little_endian(list, 8) + "PK\x06\x07" + little_endian(0, 4) +
           little_endian(before.size(), 8) + little_endian(1, 4) + end;
}

TEST_F(HeadArraysTest, AnArchiveOfVeryManyEntriesIsRefusedEarly) {
    std::vector<ZipMember> many;
    for (int i = 0; i < 10'001; ++i) many.push_back({std::to_string(i) + ".npy", ""});
    EXPECT_THAT(
        refusal("c.npz", zip_of(many)),
        AllOf(HasSubstr("6: "), HasSubstr("has 10001 entries, more than the limit of 10000; save fewer arrays")));
    const std::string good = counting({5, 2}, 0);
    EXPECT_EQ(refusal("c.npz", zip64_of(good, 1)), "accepted");
    EXPECT_THAT(refusal("c.npz", zip64_of(good, 400'000)), AllOf(HasSubstr("6: "), HasSubstr("has 400000 entries")));
}

TEST_F(HeadArraysTest, AListOfEntriesThatWouldTakeLongIsRefusedEarly) {
    const std::string good = counting({5, 2}, 0);
    std::vector<ZipMember> many(65'537);  // of which an archive counts one
    for (std::size_t i = 0; i < many.size(); ++i) many[i].name = std::to_string(i) + ".npy";
    EXPECT_THAT(refusal("c.npz", zip_of(many)), AllOf(HasSubstr("6: "), HasSubstr("its list of entries has")));
    many.resize(5000);
    const std::string archive = zip_of(many), end = archive.substr(archive.size() - 22);
    EXPECT_THAT(refusal("c.npz", archive + end + end), AllOf(HasSubstr("6: "), HasSubstr("has 15000 entries")));
    many.assign(40, {std::string(60'000, 'a'), good});
    EXPECT_THAT(refusal("c.npz", zip_of(many)), AllOf(HasSubstr("6: "), HasSubstr("choose shorter names")));
    // A list that is said to end within its first entry, before many others.
    std::string longer = zip_of({{"q.npy", good}, {"k.npy", good}});
    longer.replace(longer.size() - 14, 2, little_endian(1, 2)).replace(longer.size() - 10, 4, little_endian(47, 4));
    EXPECT_THAT(refusal("c.npz", longer), AllOf(HasSubstr("3: "), HasSubstr("the list of entries is damaged")));
}

TEST_F(HeadArraysTest, OneFileGivesQueriesAndKeysOfALayer) {
    Experiment experiment{.head_dim = 2, .seq_len = 5};
    Arrays arrays{.q = {"c.npz", open("c.npz", zip_of({{"blocks.2.attn.hook_q.npy", counting({5, 4, 2}, 0)},
                                                       {"blocks.2.attn.hook_k.npy", counting({5, 2, 2}, 100)},
                                                       {"blocks.4.attn.hook_q.npy", counting({5, 4, 2}, 0)}}))},
                  .layer = 2,
                  .head = 3};
    const auto problem_with = [&](const Arrays& changed) {
        experiment.construction = changed;
        return validate(experiment).value_or("");
    };
    ASSERT_EQ(problem_with(arrays), "");
    const Problem problem = make_problem(experiment);
    EXPECT_EQ(problem.query(1), (std::vector<double>{14, 15}));
    EXPECT_EQ(problem.key(1), (std::vector<double>{106, 107})) << "heads 2 and 3 read key head 1";
    arrays.layer = 0;
    EXPECT_EQ(problem_with(arrays), "construction.layer is 0; 'c.npz' has the queries of layers 2, 4");
    arrays.layer = 4;
    EXPECT_EQ(problem_with(arrays), "construction.layer is 4; 'c.npz' has the keys of layers 2");
    arrays.layer = 2, arrays.head = 4;
    EXPECT_THAT(problem_with(arrays), HasSubstr("heads 0 to 3"));
    arrays = {.q = {"q.npz", open("q.npz", zip_of({{"q.npy", counting({5, 2}, 0)}}))}};
    EXPECT_THAT(problem_with(arrays), HasSubstr("'q.npz' has no keys; name another file in construction.k"));
    arrays.k = {"k.npz", open("k.npz", zip_of({{"k.npy", counting({5, 2}, 0)}}))};
    EXPECT_EQ(problem_with(arrays), "");
    arrays.layer = 1;
    EXPECT_THAT(problem_with(arrays), HasSubstr("one layer, 0"));
}

}  // namespace
}  // namespace ropewalk
