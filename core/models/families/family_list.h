// The list of model families. A new one needs a file in this folder and an entry here; nothing else changes.
#pragma once

#include <array>

#include "core/models/families/gemma.h"
#include "core/models/families/gemma2.h"
#include "core/models/families/gemma3.h"
#include "core/models/families/gpt_neox.h"
#include "core/models/families/llama.h"
#include "core/models/families/mistral.h"
#include "core/models/families/olmo2.h"
#include "core/models/families/phi3.h"
#include "core/models/families/qwen2.h"
#include "core/models/families/qwen3.h"
#include "core/models/families/smollm3.h"
#include "core/models/families/stablelm.h"

namespace ropewalk {

template <class F>
Family make_family() {
    return {F::types(), F::differs, F::defaults, F::adapt, F::rope, F::layer_names, F::model_names};
}

template <class... F>
std::array<Family, sizeof...(F)> make_families() {
    return {make_family<F>()...};
}

inline auto all_families() {
    return make_families<LlamaFamily, MistralFamily, Qwen2Family, Qwen3Family, SmolLm3Family, Olmo2Family, GemmaFamily,
                         Gemma2Family, Gemma3Family, Phi3Family, GptNeoXFamily, StableLmFamily>();
}

}  // namespace ropewalk
