// Lists of structs in a text: settings, JSON and back.
#include "core/fields/item_list.h"

#include <gtest/gtest.h>

#include <ctime>
#include <string>

#include "core/models/run/intervention.h"

namespace ropewalk {
namespace {

const GroupType& type() {
    return group_type<Intervention>();
}

TEST(ItemList, TextAndJsonSayTheSame) {
    const std::string text = "kind=zero_output layers=0,1 heads=3 | kind=encoding encoding=p_rope encoding.p=0.25";
    const auto items = items_of<Intervention>(text);
    ASSERT_EQ(items.size(), 2u);
    EXPECT_EQ(items[0].kind, InterventionKind::zero_output);
    EXPECT_EQ(items[0].layers, (std::vector<double>{0, 1}));
    EXPECT_EQ(items[0].heads, std::vector<double>{3});
    EXPECT_EQ(number_at(items[1], "encoding.p"), 0.25);
    EXPECT_EQ(text_of_items(items_in(text, type())), text);

    const nlohmann::json json = items_to_json(text, type());
    EXPECT_EQ(json.at(0).dump(), R"({"heads":[3.0],"kind":"zero_output","layers":[0.0,1.0]})");
    EXPECT_EQ(json.at(1).at("encoding").at("id"), "p_rope");
    Warnings warnings;
    EXPECT_EQ(items_from_json(JsonValue(json, "scene"), type(), {}, &warnings), text);
    EXPECT_TRUE(warnings.empty());
}

TEST(ItemList, AnItemWithEveryDefaultIsNotLost) {
    EXPECT_EQ(text_of_items({new_item(type())}), "kind=rotation_off");
    EXPECT_TRUE(items_in("", type()).empty());
    EXPECT_EQ(items_to_json("", type()), nlohmann::json::array());
}

TEST(ItemList, AnUnknownKeyIsNotedAsLost) {
    const nlohmann::json json = nlohmann::json::parse(R"([{"kind": "zero_output", "layer": [1]}])");
    Warnings warnings;
    EXPECT_EQ(items_from_json(JsonValue(json, "scene"), type(), {}, &warnings), "kind=zero_output");
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0], "scene: /0/layer: is unknown, ignored and not saved; did you mean 'layers'?");
}

TEST(ItemList, ManyUnknownKeysAreNotedInTimeAboutLinear) {
    nlohmann::json json = nlohmann::json::array({{{"kind", "zero_output"}}});
    constexpr std::size_t keys = 60'000;
    for (std::size_t i = 0; i < keys; ++i) json[0]["key" + std::to_string(i)] = 0;
    Warnings warnings;
    const std::clock_t begin = std::clock();
    items_from_json(JsonValue(json, "scene"), type(), {}, &warnings);
    EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 1);  // quadratic time would be 3 s
    EXPECT_EQ(warnings.size(), keys);
}

TEST(ItemList, FaultsNameTheItem) {
    EXPECT_EQ(check_items("x", type(), "kind=zero_output"), std::nullopt);
    EXPECT_EQ(check_items("x", type(), "kind=zero_output | pairs=0"),
              "x[1]: pairs is 0; it must be a whole number from 1 to 512");
    EXPECT_EQ(check_items("x", type(), "silence"), "x[0]: 'silence' is not a setting; write field=value");
    EXPECT_EQ(check_items("x", type(), "colour=red"),
              "x[0]: unknown field 'colour'; the fields are kind, layers, heads, encoding, encoding.base, "
              "encoding.exponent, pairs");
}

}  // namespace
}  // namespace ropewalk
