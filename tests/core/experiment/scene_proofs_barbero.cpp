// Proofs of the scenes after Barbero et al. 2024 (arXiv:2410.06205).
#include "core/attention/make_problem.h"
#include "core/constructions/construction_list.h"
#include "core/evaluation/open_backend.h"
#include "tests/core/experiment/scene_proofs.h"

namespace ropewalk {

void add_barbero(Proofs& proofs) {
    // Fig. 1: α·cos(r − 1) on one pair of 1 rad a token.
    proofs["barbero-fig1"] = [](const Experiment& e) {
        for (int i = 1; i < 7; ++i) {
            double sum = 0;
            for (int r = 0; r <= i; ++r) sum += std::exp(20 * (std::cos(r - 1.0) - 1));
            expect_weight(e, i, i - 1, 1 / sum, 1e-6);
        }
        expect_weight(e, 6, 5, 0.9998, 5e-5);
    };
    proofs["barbero-fig2a"] = [](const Experiment& e) {
        const Decay found = decay_of(e);
        EXPECT_NEAR(found.mean[0], 1, 1e-12);
        EXPECT_EQ(first_negative(found), 2653);
        EXPECT_FALSE(std::is_sorted(found.mean.rbegin(), found.mean.rend()));  // it decays, but not steadily
    };
    proofs["barbero-fig2b"] = expect_gaussian;
    // Footnote 4: the dot product of misaligned vectors can increase with the distance. Here it is Σ sin(r·w_t).
    proofs["barbero-footnote4"] = [](const Experiment& e) {
        const auto w = ladder(10'000, 64);
        const Decay found = decay_of(e);
        for (const int r : {0, 1, 10, 100, 2489, 4095}) {
            double sum = 0;
            for (std::size_t t = 24; t < 32; ++t) sum += std::sin(r * w[t]);
            EXPECT_NEAR(found.mean[r], sum, 2e-4) << r;  // the phase is -π/2 with four decimals
        }
        EXPECT_EQ(max_at(found), 2489);
        EXPECT_TRUE(std::is_sorted(found.mean.begin(), found.mean.begin() + 2490));
        EXPECT_NEAR(found.mean[2489], 5.44, 0.005);
        const Decay aligned = decay_of(changed(e, "construction.phases=0"));
        EXPECT_NEAR(aligned.mean[0], 8, 1e-12);
        EXPECT_EQ(max_at(aligned), 0);
    };
    proofs["barbero-prop31"] = [](const Experiment& e) {
        for (const int r : {0, 16, 32, 64}) {
            const Decay found = decay_of(changed(e, "construction.distance=" + std::to_string(r)));
            EXPECT_EQ(max_at(found), r);
            EXPECT_NEAR(found.mean[r], 40, 1e-12);
        }
    };
    proofs["barbero-prop52"] = [](const Experiment& e) {
        on_both_backends(e, {0, 8}, {0, 8}, [](const AttentionView& view) {
            for (int i = 2; i < 8; ++i) EXPECT_LT(view.weights.mean[i * 8 + i], 0.5);
            EXPECT_NEAR(view.weights.mean[2 * 8 + 2], 0.4984, 5e-5);
        });
        EXPECT_LE(logit(e, 2, 2), logit(e, 2, 1));  // hence at any norm
        expect_every_row_attends(changed(e, "encoding=rope construction.norm_squared=150"), 2, 0, 0.5);
    };
    proofs["barbero-thm53-diagonal"] = [](const Experiment& e) {
        EXPECT_NEAR(norm_for(e, 0), 135.75, 0.005);
        expect_every_row_attends(e, 0, 0, 0.99);
    };
    proofs["barbero-thm53-previous"] = [](const Experiment& e) {
        EXPECT_NEAR(norm_for(e, 1), 156.23, 0.005);
        expect_every_row_attends(e, 1, 1, 0.99);
    };
    proofs["barbero-thm53-robustness"] = [](const Experiment& e) {
        EXPECT_NEAR(norm_for(e, 1), 156.23, 0.005);
        EXPECT_NEAR(norm_for(changed(e, "construction.distance=0"), 0), 135.75, 0.005);
        expect_weight(e, 1023, 1022, 0.99, 5e-6);
    };
    proofs["barbero-thm53-single-frequency"] = [](const Experiment& e) {
        const TargetGaps gaps = target_gaps(make_problem(e), 0, 1024, {});
        std::vector<int> distances;
        for (const SidePeak& near : side_peaks(gaps, 6)) distances.push_back(near.distance);
        for (const int r : {44, 333, 377, 666, 710, 754})
            EXPECT_NE(std::find(distances.begin(), distances.end(), r), distances.end()) << r;
        EXPECT_NEAR(norm_needed(gaps, 0.01).value_or(0), 2.5e9, 0.05e9);
    };
    proofs["barbero-thm61"] = [](const Experiment& e) {
        const double w = ladder(10'000, 64)[20];
        EXPECT_EQ(std::ceil(pi / (2 * w)), 497);
        EXPECT_EQ(first_failing_distance(make_problem(e).lowered.inv_freq[20]), 497);
        EXPECT_EQ(first_negative(decay_of(e)), 497);
        on_both_backends(e, {496, 498}, {0, 1}, [](const AttentionView& view) {
            EXPECT_GT(view.logits.mean[0], 0);
            EXPECT_LT(view.logits.mean[1], 0);  // below that of the other keys, which is 0
        });
    };
    proofs["barbero-apostrophe"] = [](const Experiment& e) {
        on_both_backends(e, {0, 18}, {0, 18}, [](const AttentionView& view) {
            for (int i = 0; i < 18; ++i) {
                const int key = i == 4 || i == 10 || i == 16 ? i - 1 : 0;
                EXPECT_GT(view.weights.mean[i * 18 + key], 0.99) << "row " << i;
            }
            EXPECT_NEAR(view.logits.mean[4 * 18 + 3], 112, 0.5);
            EXPECT_NEAR(view.logits.mean[5 * 18], 25, 0.5);
        });
        const HeadInputs inputs = make_problem(e).inputs;  // tokens 2 and 3 are no apostrophe and one
        const auto other = pair_norms(read_row(inputs.k, 2, 256)), apostrophe = pair_norms(read_row(inputs.k, 3, 256));
        EXPECT_NEAR(other[118], 11.2 * 11.2 + 3.5 * 3.5, 1e-12);
        EXPECT_NEAR(std::sqrt(apostrophe[118] / other[118]), 4.77, 0.005);
    };
    proofs["barbero-bos-channel"] = [](const Experiment& e) {
        const HeadInputs inputs = make_problem(e).inputs;
        const auto q = read_row(inputs.q, 1, 256);
        EXPECT_NEAR(dot(q, read_row(inputs.k, 1, 256)), -85.47, 0.005);
        EXPECT_NEAR(dot(q, read_row(inputs.k, 0, 256)), 24.94, 0.005);
        EXPECT_NEAR(static_cast<double>(make_problem(e).lowered.inv_freq[118]), 2.05353e-4, 5e-10);
        // Token 1 is no BOS: it stands 12 128 and 12 129 tokens before the rows looked at.
        on_both_backends(e, {12'129, 12'131}, {1, 2}, [](const AttentionView& view) {
            EXPECT_LT(view.logits.mean[0], 0);
            EXPECT_GT(view.logits.mean[1], 0);
        });
        on_both_backends(e, {11'268, 11'270}, {0, 1}, [](const AttentionView& view) {
            EXPECT_GT(view.logits.mean[0], 0);
            EXPECT_LT(view.logits.mean[1], 0);
        });
        for (const int row : {11'963, 11'964})
            on_both_backends(e, {row, row + 1}, {0, row + 1}, [&](const AttentionView& view) {
                const auto& logits = view.logits.mean;
                EXPECT_EQ(std::max_element(logits.begin(), logits.end()) == logits.begin(), row == 11'963);
            });
    };
    // App. B.2: two of 512 tokens that are 100 apart stand 100·(L + 1)/513 positions apart on average.
    proofs["barbero-fig8a"] = [](const Experiment& e) {
        const Problem problem = make_problem(e);
        const auto q = problem.inputs.q.constant_row(), k = problem.inputs.k.constant_row();
        const std::vector<int> gap{100};
        double last = sum_of_cosines(ladder(10'000, 256), 100) / 128;  // RoPE itself, which is L = 512
        for (const int upper : {512, 2048, 8192}) {
            const auto point = random_position_decay(problem, q, k, {.tokens = 512, .upper = upper}, gap, {}).front();
            EXPECT_NEAR(point.expected_distance, 100 * (upper + 1) / 513.0, 1e-9);
            if (upper == 512)
                EXPECT_NEAR(point.mean, last, 1e-12);
            else
                EXPECT_LT(point.mean, last);
            last = point.mean;
        }
        EXPECT_NEAR(last, 0.1338, 5e-5);
    };
    proofs["barbero-fig8b"] = expect_gaussian;
    // Table 1.
    proofs["barbero-table1-rope"] = [](const Experiment& e) {
        const EncodingProperties can = properties_of(e);
        EXPECT_TRUE(can.diagonal.possible() && can.previous_token.possible());
        EXPECT_NEAR(can.diagonal.norm_needed.value_or(0), 43.1, 0.05);
        EXPECT_NEAR(can.previous_token.norm_needed.value_or(0), 45.0, 0.05);
        EXPECT_FALSE(can.semantic.robust);
        EXPECT_EQ(can.semantic.fails_at, 11'780);
        EXPECT_EQ(std::ceil(pi / 2 / ladder(10'000, 64).back()), 11'780);
        EXPECT_EQ(first_negative(decay_of(e)), 11'780);
    };
    proofs["barbero-table1-nope"] = [](const Experiment& e) {
        const EncodingProperties can = properties_of(e);
        EXPECT_FALSE(can.diagonal.possible() || can.previous_token.possible());
        EXPECT_NEAR(can.diagonal.best_weight * 16384, 1, 1e-12);
        EXPECT_TRUE(can.semantic.robust);
        EXPECT_EQ(first_negative(decay_of(e)), -1);
    };
    proofs["barbero-table1-p-rope"] = [](const Experiment& e) {
        const EncodingProperties can = properties_of(e);
        EXPECT_TRUE(can.diagonal.possible() && can.previous_token.possible());
        EXPECT_TRUE(can.semantic.robust);
        EXPECT_EQ(can.semantic.pair, 24);
        EXPECT_EQ(can.semantic.inv_freq, 0);
        EXPECT_EQ(first_negative(decay_of(e)), -1);
    };
    // Section 6: 128 000 / 10 000 / 2π; the slowest pair turns by exactly 1/base here.
    proofs["barbero-turns"] = [](const Experiment& e) {
        EXPECT_NEAR(turns(make_problem(e).lowered, 128'000).back(), 2.04, 0.005);
        EXPECT_NEAR(turns(make_problem(changed(e, "encoding.base=500000")).lowered, 128'000).back(), 0.04, 0.005);
    };
    proofs["barbero-fig3-synthetic"] = [](const Experiment& e) {
        const auto usage = query_usage(e);
        const auto& amplitudes = get<Bands>(e.construction).amplitudes;
        for (std::size_t t = 0; t < usage.size(); ++t) EXPECT_NEAR(usage[t], amplitudes[t], 1e-12);
        EXPECT_NEAR(share(usage, 40, 64), 0.86, 0.005);
    };
    proofs["barbero-fig6-synthetic"] = [](const Experiment& e) {
        EXPECT_NEAR(share(query_usage(e), 0, 16), 0.97, 0.005);
        expect_every_row_attends(e, 0, 0, 0.99);
    };
    // App. D.1: Cauchy–Schwarz, reached where the head aims.
    proofs["barbero-table3-synthetic"] = [](const Experiment& e) {
        for (const TokenAlignment& row : ask(AlignmentQuestion{.count = 8}, make_problem(e))) {
            EXPECT_NEAR(row.diagonal_bound, 140, 0.005);
            EXPECT_NEAR(row.diagonal, row.diagonal_bound, 1e-10);
            EXPECT_NEAR(row.previous.value_or(0.73 * row.diagonal_bound) / row.diagonal_bound, 0.73, 0.005);
        }
        expect_every_row_attends(e, 0, 0, 0.99);
    };
    proofs["barbero-table5-synthetic"] = [](const Experiment& e) {
        for (const TokenAlignment& row : ask(AlignmentQuestion{.count = 8}, make_problem(e))) {
            if (row.token == 0) continue;
            EXPECT_NEAR(row.previous_bound.value_or(0), 56, 0.005);
            EXPECT_NEAR(row.previous.value_or(0), row.previous_bound.value_or(0), 1e-10);
            EXPECT_NEAR(row.diagonal / row.diagonal_bound, 0.73, 0.005);
        }
        expect_every_row_attends(e, 1, 1, 0.99);
    };
    // Section 6.1: RoPE's floor is gone, NoPE has no top, p-RoPE has both.
    proofs["p-rope"] = [](const Experiment& e) {
        EXPECT_EQ(first_negative(decay_of(changed(e, "encoding=rope"))), 2653);
        for (const double score : decay_of(changed(e, "encoding=nope")).mean) EXPECT_NEAR(score, 1, 1e-12);
        const Decay found = decay_of(e);
        EXPECT_EQ(first_negative(found), -1);
        EXPECT_EQ(max_at(found), 0);
        const auto parts = contributions(make_problem(e), 4095, 1442);
        EXPECT_NEAR(std::accumulate(parts.begin() + 96, parts.end(), 0.0), 0.25, 1e-12);
        // All RoPE frequencies of the rotated pairs, by cosines.
        const auto w = ladder(10'000, 256);
        double min = 1;
        for (int r = 0; r < (1 << 20); ++r) {
            double sum = 0.25;
            for (int t = 0; t < 96; ++t) sum += std::cos(r * w[t]) / 128;
            min = std::min(min, sum);
            if (r == 4095 || r == 16'383) {
                EXPECT_NEAR(min, r == 4095 ? 0.110 : 0.106, 5e-4);
            }
        }
        EXPECT_NEAR(min, 0.031, 5e-4);
        EXPECT_NEAR(*std::min_element(found.mean.begin(), found.mean.end()), 0.110, 5e-4);
    };
    // Rows sum to 1, and the greatest score, ‖ψ‖², is where it was put: in the last row, and in the first that reaches.
    proofs["million"] = [](const Experiment& e) {
        const Problem problem = make_problem(e);
        for (const auto& [id, query] : {std::pair{"cpu", e.seq_len - 1}, {"reference", 262'144}}) {
            const auto backend = open_backend(id, 2);
            const int target = query - 262'144;
            const auto aimed =
                backend->attend(problem, Viewport::one_to_one({query, query + 1}, {target, target + 1}), {});
            EXPECT_NEAR(aimed.logits.mean[0], 40, 1e-4) << id;
            EXPECT_NEAR(aimed.row_max_logit[0], 40, 1e-4) << id;
        }
        const int query = e.seq_len - 1, keys = e.seq_len;
        const auto whole =
            open_backend("cpu", 2)->attend(problem, {{query, query + 1}, {0, keys}, 1, 1, RowSampling::all}, {});
        EXPECT_NEAR(whole.weights.mean[0] * keys, 1, 1e-5);
    };
}

}  // namespace ropewalk
