// Proofs of the scenes after Wendler's notes, Hong et al. 2024, Men et al. 2024, the note on decay, and of encodings.
#include "core/attention/make_problem.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/evaluation/open_backend.h"
#include "tests/core/experiment/scene_proofs.h"

namespace ropewalk {

void add_wendler(Proofs& proofs) {
    proofs["wendler-exp1-alpha1"] = [](const Experiment& e) { expect_weight(e, 19, 18, 0.58665, 5e-6); };
    proofs["wendler-exp1-alpha10"] = [](const Experiment& e) { expect_weight(e, 19, 18, 0.99996, 5e-6); };
    proofs["wendler-exp1-alpha100"] = [](const Experiment& e) { expect_weight(e, 19, 18, 1, 1e-12); };
    // Experiment 2: one query and one key for all tokens, so that W_Q and W_K have rank 1.
    proofs["wendler-exp2"] = [](const Experiment& e) {
        const HeadInputs inputs = make_problem(e).inputs;
        EXPECT_TRUE(inputs.is_constant());
        for (const int token : {0, 17, 63}) {
            EXPECT_EQ(read_row(inputs.q, token, 64), read_row(inputs.q, 0, 64));
            EXPECT_EQ(read_row(inputs.k, token, 64), read_row(inputs.k, 0, 64));
        }
        expect_weight(e, 40, 39, 0.99996, 5e-6);
    };
    proofs["wendler-exp3-d0-0"] = [](const Experiment& e) { expect_semantic(e, 0, 0.335); };
    proofs["wendler-exp3-d0-32"] = [](const Experiment& e) { expect_semantic(e, 32, 0.386); };
    proofs["wendler-exp3-d0-48"] = [](const Experiment& e) { expect_semantic(e, 48, 0.878); };
    proofs["wendler-exp3-d0-56"] = [](const Experiment& e) { expect_semantic(e, 56, 0.978); };
    proofs["wendler-exp3-d0-62"] = [](const Experiment& e) {
        expect_semantic(e, 62, 0.995);  // "still a small recency bias": cos(r/10⁴)
        const Decay found = decay_of(e);
        EXPECT_NEAR(found.mean.back() / found.mean.front(), std::cos(999e-4) / std::cos(1e-4), 1e-12);
    };
    proofs["wendler-exp4"] = [](const Experiment& e) {
        const auto usage = query_usage(e);
        EXPECT_EQ(share(usage, 0, 24), 0);
        EXPECT_EQ(share(usage, 24, 32), 1);
    };
    // Experiment 5: without RoPE all keys that carry s score ‖s‖².
    proofs["wendler-exp5"] = [](const Experiment& e) {
        const auto s = pair_norms(read_row(make_problem(e).inputs.q, 999, 64));
        for (const double score : decay_of(e).mean) EXPECT_NEAR(score, std::accumulate(s.begin(), s.end(), 0.0), 1e-12);
        on_both_backends(e, {999, 1000}, {0, 999}, [](const AttentionView& view) {
            for (const double weight : view.weights.mean) EXPECT_NEAR(weight, view.weights.mean[0], 1e-9);
        });
    };
    // "RoPE introduces a recency bias": Σ cos(r·w_t)·‖x_t‖².
    proofs["wendler-recency"] = [](const Experiment& e) {
        const auto x = pair_norms(read_row(make_problem(e).inputs.q, 0, 64));
        const auto w = ladder(10'000, 64);
        const Decay found = decay_of(e);
        EXPECT_EQ(max_at(found), 0);
        EXPECT_NEAR(found.mean[0], 16, 1e-12);
        for (const int r : {1, 10, 55, 200}) {
            double score = 0;
            for (std::size_t t = 0; t < w.size(); ++t) score += std::cos(r * w[t]) * x[t];
            EXPECT_NEAR(found.mean[r], score, 1e-10);
        }
    };
    // The same formula, between "the" at 9 and at 5 and 1.
    proofs["wendler-text"] = [](const Experiment& e) {
        const auto x = pair_norms(read_row(make_problem(e).inputs.q, 9, 64));
        const auto w = ladder(10'000, 64);
        for (const auto& [key, published] : {std::pair{9, 6.0}, {5, 4.15}, {1, 3.40}}) {
            double score = 0;
            for (std::size_t t = 0; t < w.size(); ++t) score += std::cos((9 - key) * w[t]) * x[t];
            EXPECT_NEAR(score, published, 0.005);
            on_both_backends(e, {9, 10}, {key, key + 1},
                             [&](const AttentionView& view) { EXPECT_NEAR(view.logits.mean[0], score, 1e-5); });
        }
    };
}

void add_hong(Proofs& proofs) {
    proofs["hong-fig2"] = [](const Experiment& e) {
        const auto turned = turns(make_problem(e).lowered, 131'072);
        EXPECT_NEAR(turned.front(), 20'861, 0.5);
        EXPECT_NEAR(turned.back(), 2.4, 0.05);
        const auto far = rotation_heat_map(make_problem(e).lowered, 1, {131'071, 131'072}, 1, {});
        for (std::size_t t = 0; t < 64; ++t) EXPECT_NEAR(far[t], std::cos(131'071 * ladder(10'000, 128)[t]), 1e-9);
    };
    // Section 4.1. Against the share over all cells, within three standard errors of the scene's 2000.
    proofs["hong-top-pairs"] = [](const Experiment& e) {
        const auto w = ladder(10'000, 128);
        double slow = 0, all = 0;
        for (int r = 0; r < e.seq_len; ++r) {
            std::vector<int> order(64);
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(),
                             [&](int a, int b) { return std::cos(r * w[a]) > std::cos(r * w[b]); });
            for (int place = 0; place < 5; ++place) {
                all += e.seq_len - r;
                if (order[place] >= 59) slow += e.seq_len - r;
            }
        }
        EXPECT_NEAR(slow / all, 0.52, 0.005);
        const auto shares = ask(TopPairsQuestion{.cells = 2000, .top = 5}, make_problem(e));
        EXPECT_NEAR(share(shares, 59, 64), slow / all, 3 * std::sqrt(0.25 / 2000));
    };
    // Section 4.2, eq. 14–16: softmax(g)·(0 … 63), its ranks against those of the distance.
    proofs["hong-dominance"] = [](const Experiment& e) {
        const auto w = ladder(10'000, 128);
        const auto& a = get<Bands>(e.construction).amplitudes;
        const std::size_t n = static_cast<std::size_t>(e.seq_len);
        std::vector<double> dominant;
        for (std::size_t r = 0; r < n; ++r) {
            double sum = 0, weighted = 0;
            for (std::size_t t = 0; t < w.size(); ++t) {
                const double part = std::exp(a[t] * std::cos(static_cast<double>(r) * w[t]));
                sum += part, weighted += part * static_cast<double>(t);
            }
            dominant.push_back(weighted / sum);
        }
        std::vector<std::size_t> order(n);
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](auto x, auto y) { return dominant[x] < dominant[y]; });
        double squares = 0;  // of rank differences: there are no ties
        for (std::size_t rank = 0; rank < n; ++rank)
            squares += std::pow(static_cast<double>(rank) - static_cast<double>(order[rank]), 2);
        const double size = static_cast<double>(n), rho = 1 - 6 * squares / (size * (size * size - 1));
        EXPECT_NEAR(rho, 0.978, 0.0005);
        const Problem problem = make_problem(e);
        const Dominance found =
            DominanceQuestion{.keys_per_query = 1000}.answer({e, problem, {}, *open_backend("cpu", 2), Cancel{}});
        ASSERT_EQ(found.by_distance.size(), n);
        for (const int r : {0, 5, 100, 400}) EXPECT_NEAR(found.by_distance[r].rotated, dominant[r], 1e-9);
        EXPECT_NEAR(found.correlation.value_or(0), rho, 1e-4);
        EXPECT_FALSE(found.unrotated_correlation.has_value());  // all distances alike
    };
    // Section 4.2.3: below the training length (here 256) the picture without R_m hardly differs; the change beyond it
    // disappears without R_m.
    proofs["hong-fig4"] = [](const Experiment& e) {
        const Problem problem = make_problem(e);
        const Dominance found =
            DominanceQuestion{.keys_per_query = 1000}.answer({e, problem, {}, *open_backend("cpu", 2), Cancel{}});
        ASSERT_EQ(found.by_distance.size(), 512u);
        const auto w = ladder(10'000, 128);
        for (int r = 0; r < 512; ++r) {
            const double apart = 95.62 * std::cos(r * w[63]) - 300 * std::cos(r * w[37]),
                         share = 1 / (1 + std::exp(-apart));  // the other pairs' exp(0) are negligible
            EXPECT_NEAR(found.by_distance[r].rotated, 37 + 26 * share, 1e-9) << r;
            EXPECT_NEAR(found.by_distance[r].unrotated, 37, 1e-12) << r;
        }
        EXPECT_NEAR(found.by_distance[240].rotated, 37, 0.01);
        EXPECT_LT(found.by_distance[250].rotated, 37.2);
        EXPECT_GT(found.by_distance[260].rotated, 62.8);
    };
    // Section 2.2: YaRN 16 times, CLEX before training NTK-aware by 2·16 − 1.
    proofs["hong-extensions"] = [](const Experiment& e) {
        const auto yarn = divisors(e, 10'000), clex = divisors(changed(e, "encoding=clex"), 10'000);
        EXPECT_NEAR(yarn.front(), 1, 1e-12);
        EXPECT_NEAR(yarn.back(), 16, 1e-12);
        EXPECT_NEAR(clex.front(), 1, 1e-12);
        EXPECT_NEAR(clex.back(), 31, 1e-10);
        EXPECT_NEAR(make_problem(e).lowered.attention_scaling, 0.1 * std::log(16) + 1, 1e-12);
    };
    // Jin et al. 2024: (L − W)·G + W tokens fit into the trained L.
    proofs["hong-self-extend"] = [](const Experiment& e) {
        const auto distances = ask(EffectiveDistanceQuestion{}, make_problem(e));
        EXPECT_EQ((4096 - 1024) * 8 + 1024, 25'600);
        EXPECT_EQ(distances[1023], 1023);
        EXPECT_EQ(distances[25'599], 4095);
        EXPECT_EQ(distances[25'600], 4096);
    };
}

void add_decay_and_bases(Proofs& proofs) {
    // S, Fig. 2; L: (d/2 + 1)/2 at r = 0.
    proofs["long-term-decay"] = [](const Experiment& e) {
        const auto bound = mean_partial_sums(make_problem(e), 256, {});
        EXPECT_DOUBLE_EQ(bound[0], 32.5);
        EXPECT_FALSE(std::is_sorted(bound.rbegin(), bound.rend()));
        const auto w = ladder(10'000, 128);
        Complex walk = 0;
        double sum = 0;
        for (const double frequency : w) sum += std::abs(walk += std::polar(1.0, 100 * frequency));
        EXPECT_NEAR(bound[100], sum / 64, 1e-10);
        EXPECT_NEAR(bound[100], 10.23, 0.005);
    };
    // L, survey 1: too small a base, such as 1, destroys the decay; too large a base also weakens it.
    proofs["long-term-base-1"] = [](const Experiment& e) {
        for (const double bound : mean_partial_sums(make_problem(e), 4096, {})) EXPECT_NEAR(bound, 32.5, 1e-9);
        const Decay found = decay_of(e);
        for (int r = 0; r < 4096; ++r) EXPECT_NEAR(found.mean[r], std::cos(r), 1e-10) << r;
    };
    proofs["long-term-base-huge"] = [](const Experiment& e) {
        const auto bound = mean_partial_sums(make_problem(e), 1001, {}),
                   usual = mean_partial_sums(make_problem(changed(e, "encoding.base=10000")), 1001, {});
        EXPECT_NEAR(bound[0], 32.5, 1e-12);
        EXPECT_NEAR(bound[1000], 19.8, 0.05);
        EXPECT_NEAR(usual[1000], 4.47, 0.005);
        const Decay found = decay_of(e);
        EXPECT_NEAR(found.mean[1000], sum_of_cosines(ladder(1e12, 128), 1000) / 64, 1e-12);
        EXPECT_GT(*std::min_element(found.mean.begin(), found.mean.end()), 0.5);
    };
    proofs["long-term-phasors"] = [](const Experiment& e) {
        const Problem problem = make_problem(e);
        EXPECT_DOUBLE_EQ(tip_to_tail(unit_phasors(problem, 4095, 4095)).back().real(), 64);
        const Complex end = tip_to_tail(unit_phasors(problem, 4095, 3895)).back();
        EXPECT_NEAR(end.real(), sum_of_cosines(ladder(10'000, 128), 200), 1e-10);
        EXPECT_NEAR(end.real(), 19.56, 0.005);
    };
    // L, M: 2σ² Σ cos(r·w_t), within four standard errors of the scene's samples.
    proofs["similar-vs-random"] = [](const Experiment& e) {
        const auto w = ladder(10'000, 128);
        EXPECT_EQ(2 * sum_of_cosines(w, 0), 128);
        const Decay found = decay_of(e);
        for (const int r : {0, 1, 10, 100, 1000, 1706, 4000})
            EXPECT_NEAR(found.expected[r], 2 * sum_of_cosines(w, r), 1e-10) << r;
        for (const int r : {0, 1, 10, 100, 1000, 1706, 4000})
            EXPECT_LT(std::abs(found.mean[r] - 2 * sum_of_cosines(w, r)), 4 * found.sigma[r] / std::sqrt(found.samples))
                << r;
    };
    proofs["men-margins"] = [](const Experiment& e) {
        for (const auto& [base, reach] : {std::pair{1e4, 1706}, {5e5, 18'437}, {1e6, 27'114}})
            EXPECT_EQ(first_negative_margin(base, e.head_dim, e.seq_len, {}), reach + 1);
        EXPECT_EQ(first_negative(decay_of(e)), 1707);
    };
    proofs["men-least-base"] = [](const Experiment& e) {
        EXPECT_EQ(min_base_on_grid(4000, e.head_dim, {}), 27'000);
        EXPECT_EQ(published_bases[2].context_length, 4000);
        EXPECT_EQ(published_bases[2].base, 27'000);
        EXPECT_EQ(first_negative(decay_of(e)), -1);
        const auto min = min_base(4000, e.head_dim, {});
        ASSERT_TRUE(min.feasible);
        EXPECT_GT(min.excluded, 26'912.4);
        EXPECT_LT(*min.feasible, 26'912.5);
    };
    proofs["men-table"] = [](const Experiment& e) {
        EXPECT_EQ(first_negative_margin(6.4e5, e.head_dim, 32'000, {}), 27'685);
        EXPECT_EQ(first_negative_margin(3.1e5, e.head_dim, 16'000, {}), 12'223);
        for (const auto& [context, base] : published_bases)
            if (context <= 8000) {
                EXPECT_EQ(min_base_on_grid(context, e.head_dim, {}), base);
            }
        EXPECT_EQ(first_negative(decay_of(e)), 27'685);
    };
    // Least squares with a ridge of 10⁻³: where the normal equations hold nothing comes closer.
    proofs["window-by-hand"] = [](const Experiment& e) {
        const auto w = ladder(10'000, 64);
        const auto bands = bands_between(make_problem(e), 0, 0);
        const auto logits = decay_of(e).mean;
        double squares = 0, max = 0;
        for (int r = 0; r < 256; ++r) {
            double sum = 0;
            for (std::size_t t = 0; t < w.size(); ++t) sum += bands[t].amplitude * std::cos(r * w[t] + bands[t].phase);
            EXPECT_NEAR(logits[r], sum, 1e-10);
            const double left = sum - (r < 64 ? 6 : 0);
            squares += left * left, max = std::max(max, std::abs(left));
        }
        EXPECT_NEAR(std::sqrt(squares / 256), 0.4830, 5e-5);
        EXPECT_NEAR(max, 2.711, 5e-4);
        for (std::size_t t = 0; t < w.size(); ++t) {
            double cosine = 0, sine = 0;  // of the misfit's slope
            for (int r = 0; r < 256; ++r) {
                const double left = logits[r] - (r < 64 ? 6 : 0);
                cosine += left * std::cos(r * w[t]) / 256, sine += left * std::sin(r * w[t]) / 256;
            }
            EXPECT_NEAR(cosine + 1e-3 * bands[t].amplitude * std::cos(bands[t].phase), 0, 1e-9) << t;
            EXPECT_NEAR(sine - 1e-3 * bands[t].amplitude * std::sin(bands[t].phase), 0, 1e-9) << t;
        }
    };
}

void add_encodings(Proofs& proofs) {
    proofs["truncation-gemma4"] = [](const Experiment& e) {
        const auto slowest = [](const Experiment& experiment) {
            double longest = 0;
            for (const double length : wavelengths(make_problem(experiment).lowered))
                if (std::isfinite(length)) longest = std::max(longest, length);
            return longest;
        };
        EXPECT_NEAR(slowest(e), 188, 0.5);
        EXPECT_NEAR(slowest(e), 2 * pi * std::pow(1e6, 126.0 / 512), 1e-9);
        EXPECT_NEAR(slowest(changed(e, "encoding=partial encoding.fraction=0.25")), 5.06e6, 0.005e6);
    };
    // Peng et al. 2023: the ramp from floor c(32) = 20 to ceil c(1) = 46, c(β) = d·ln(L/2πβ)/(2 ln base).
    proofs["yarn-ramp"] = [](const Experiment& e) {
        const auto c = [](double beta) { return 128 * std::log(4096 / (2 * pi * beta)) / (2 * std::log(1e4)); };
        EXPECT_EQ(std::floor(c(32)), 20);
        EXPECT_EQ(std::ceil(c(1)), 46);
        const auto divisor = divisors(e, 10'000);
        EXPECT_EQ(count_of(divisor, 1), 21);
        EXPECT_EQ(count_of(divisor, 16), 64 - 46);
        const double r = (33 - 20) / 26.0;
        EXPECT_NEAR(divisor[33], 1 / (r / 16 + 1 - r), 1e-12);
        EXPECT_NEAR(std::pow(make_problem(e).lowered.attention_scaling, 2), 1.6314, 5e-5);
    };
    // Wavelengths below 8192/4 stay, those above 8192/1 are stretched.
    proofs["llama3-ramp"] = [](const Experiment& e) {
        int shorter = 0, longer = 0;
        for (const double w : ladder(500'000, 128)) shorter += 2 * pi / w<2048, longer += 2 * pi / w> 8192;
        EXPECT_EQ(shorter, 29);
        EXPECT_EQ(longer, 29);
        const auto divisor = divisors(e, 500'000);
        EXPECT_EQ(count_of(divisor, 1), shorter);
        EXPECT_EQ(count_of(divisor, 8), longer);
    };
    proofs["longrope"] = [](const Experiment& e) {
        EXPECT_NEAR(make_problem(e).lowered.attention_scaling, std::sqrt(1 + std::log(32) / std::log(4096)), 1e-12);
        EXPECT_NEAR(make_problem(e).lowered.attention_scaling, 1.19024, 5e-6);
        const auto divisor = divisors(e, 10'000);
        const auto& factors = get<LongRope>(e.encoding).long_factor;
        for (std::size_t t = 0; t < divisor.size(); ++t) EXPECT_NEAR(divisor[t], factors[t], 1e-12 * factors[t]);
        EXPECT_EQ(count_of(divisors(changed(e, "seq_len=4096"), 10'000), 1), 32);  // the short list
    };
    // Sun et al. 2022: ζ₀ = 0.4/1.4 over 512 tokens.
    proofs["xpos-decay"] = [](const Experiment& e) {
        const auto damped = contributions(make_problem(e), 4095, 3583),
                   whole = contributions(make_problem(changed(e, "encoding=rope")), 4095, 3583);
        EXPECT_NEAR(damped[0] / whole[0], 0.4 / 1.4, 1e-12);
        EXPECT_NEAR(damped[31] / whole[31], (62 / 64.0 + 0.4) / 1.4, 1e-12);
    };
    // Vaswani et al. 2017: (x + p_i)·(x + p_j), with p_i·p_j = Σ cos((i − j)·w_t).
    proofs["sinusoidal-not-relative"] = [](const Experiment& e) {
        const auto x = read_row(make_problem(e).inputs.q, 0, 64);
        const auto w = ladder(10'000, 64);
        const auto along = [&](double position) {
            double sum = 0;
            for (std::size_t t = 0; t < w.size(); ++t)
                sum += x[2 * t] * std::sin(position * w[t]) + x[2 * t + 1] * std::cos(position * w[t]);
            return sum;
        };
        double min = 1e300, max = -1e300;
        on_both_backends(e, {0, 256}, {0, 256}, [&](const AttentionView& view) {
            for (int i = 10; i < 256; ++i) {
                const double found = view.logits.mean[i * 256 + i - 10];
                EXPECT_NEAR(found, dot(x, x) + along(i) + along(i - 10) + sum_of_cosines(w, 10), 1e-4) << i;
                min = std::min(min, found), max = std::max(max, found);
            }
        });
        EXPECT_NEAR(min, 28.9, 0.05);
        EXPECT_NEAR(max, 41.6, 0.05);
        on_both_backends(changed(e, "encoding=rope"), {0, 256}, {0, 256}, [](const AttentionView& view) {
            for (int i = 11; i < 256; ++i)
                EXPECT_NEAR(view.logits.mean[i * 256 + i - 10], view.logits.mean[10 * 256], 1e-5);
        });
    };
    // Press et al. 2022: slopes 2⁻¹ … 2⁻⁸ of eight heads.
    proofs["alibi-slopes"] = [](const Experiment& e) {
        for (int head = 0; head < 8; ++head)
            on_both_backends(changed(e, "encoding.head=" + std::to_string(head)), {255, 256}, {0, 256},
                             [&](const AttentionView& view) {
                                 EXPECT_NEAR(view.logits.mean[255] - view.logits.mean[155], 100 * std::exp2(-1 - head),
                                             1e-5 * 100);
                             });
    };
    // Peng et al. 2023: 0.1 ln s + 1 on cosine and sine, hence its square on logits. A row of n logits of variance v
    // has an entropy of about ln n − v/2, here 1.64 instead of 0.5 below ln n.
    proofs["entropy-sharpening"] = [](const Experiment& e) {
        const Experiment plain = changed(e, "encoding.scale_attention=false");
        const double factor = std::pow(0.1 * std::log(32) + 1, 2);
        EXPECT_NEAR(factor, 1.8133, 5e-5);
        EXPECT_NEAR(logit(e, 4095, 2000), factor * logit(plain, 4095, 2000), 1e-10);
        const auto backend = open_backend("cpu", 2);
        const auto sharp = row_statistics(make_problem(e), {0, 4096}, 64, *backend, {}),
                   flat = row_statistics(make_problem(plain), {0, 4096}, 64, *backend, {});
        ASSERT_EQ(sharp.size(), flat.size());
        for (std::size_t row = 0; row < sharp.size(); ++row) {
            EXPECT_LT(sharp[row].entropy, flat[row].entropy);
            EXPECT_LE(flat[row].entropy, std::log(flat[row].row + 1.0) + 1e-6);
        }
    };
    // The same by NumPy 1.24 in float16: 0.781879. Positions 0 … 256, then every second, fourth, eighth.
    proofs["formats-fp16"] = [](const Experiment& e) {
        constexpr auto half = NumberFormat::fp16;
        const NumberFormatQuestion question{.formats = {half, half, half, half, half}, .cells = 2048};
        const auto effect = ask(question, make_problem(e), {.query = 2047});
        EXPECT_NEAR(effect.max_cosine_error, 0.781879, 1e-6);
    };
    proofs["formats-bf16"] = [](const Experiment& e) {
        const NumberFormatQuestion question{.formats = {.positions = NumberFormat::bf16}, .cells = 2048};
        EXPECT_EQ(ask(question, make_problem(e), {.query = 2047}).distinct_positions, 641);
    };
}

}  // namespace ropewalk
