#include "core/models/tokenizer/post_processor.h"

#include <fmt/format.h>

#include <string>

#include "core/error.h"
#include "core/models/tokenizer/component.h"
#include "core/models/tokenizer/token_id.h"

namespace ropewalk {
namespace {

constexpr std::size_t most_template_tokens = 1000;

void require_few_tokens(const PostProcessor& processor, const JsonValue& value) {
    if (const std::size_t count = processor.before.size() + processor.after.size(); count > most_template_tokens)
        throw LimitError(fmt::format("{}: adds more than the limit of {} tokens to a text{}", value.where(),
                                     most_template_tokens, way_out));
}

PostProcessor read_template(const JsonValue& value) {
    PostProcessor template_of_one;
    bool has_text = false;
    const JsonValue single = value.at("single");
    for_each_element(single, [&](const JsonValue& piece) {
        if (piece.contains("Sequence")) {
            const JsonValue id = piece.at("Sequence").at("id");
            if (id.text() != "A") id.reject("must be \"A\", the one text of this template");
            if (has_text) piece.reject("repeats the text, which is not supported; delete it");
            has_text = true;
            return;
        }
        const JsonValue special = value.at("special_tokens").at(piece.at("SpecialToken").at("id").text());
        for_each_element(special.at("ids"), [&](const JsonValue& id) {
            (has_text ? template_of_one.after : template_of_one.before).push_back(read_token_id(id));
            require_few_tokens(template_of_one, single);
        });
    });
    if (!has_text) single.reject(R"(does not contain the text; add {"Sequence": {"id": "A", "type_id": 0}})");
    return template_of_one;
}

PostProcessor read_post_processors(const JsonValue& value) {
    PostProcessor all;
    for_each_element(value.at("processors"), [&](const JsonValue& part) {
        const PostProcessor next = read_post_processor(part);
        all.before.insert(all.before.begin(), next.before.begin(), next.before.end());
        all.after.insert(all.after.end(), next.after.begin(), next.after.end());
        require_few_tokens(all, value);
    });
    return all;
}

constexpr PartType<PostProcessor> post_processors[] = {
    {"ByteLevel", [](const JsonValue&) { return PostProcessor{}; }},  // moves offsets, no tokens
    {"Sequence", read_post_processors},
    {"TemplateProcessing", read_template},
};

}  // namespace

PostProcessor read_post_processor(const JsonValue& value) {
    return value.raw().is_null() ? PostProcessor{} : read_part<PostProcessor>(value, post_processors, "post-processor");
}

}  // namespace ropewalk
