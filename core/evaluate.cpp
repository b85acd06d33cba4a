#include "core/evaluate.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/error.h"

namespace ropewalk {
namespace {

/// What is asked of a question at this detail; nothing if it must wait for the exact pass.
std::optional<Question> at_detail(const Question& question, Detail detail) {
    if (detail == Detail::exact) return question;
    return std::visit(
        [](const auto& asked) -> std::optional<Question> {
            if constexpr (requires { asked.coarsened(); })
                return asked.coarsened();
            else
                return std::nullopt;
        },
        question);
}

double cost_of(const Question& question, const Problem& problem, const Backend& backend) {
    return std::visit(
        [&](const auto& asked) -> double {
            if constexpr (requires { asked.cost(problem, backend); })
                return asked.cost(problem, backend);
            else
                return 0;
        },
        question);
}

}  // namespace

bool Results::answer_to(const Question& question) const {
    return std::any_of(answers.begin(), answers.end(), [&](const auto& given) { return given.first == question; });
}

bool answers(const Results& results, const Needs& needs) {
    return std::all_of(needs.begin(), needs.end(),
                       [&](const Question& question) { return results.answer_to(question); });
}

Evaluator::Evaluator(std::unique_ptr<Backend> backend) : backend_(std::move(backend)) {}

Evaluator::Key Evaluator::key_of(const Question& question, const Request& request, const Problem& problem) {
    const Dependence dependence = std::visit([](const auto& asked) { return asked.dependence; }, question);
    Key key{.question = question};
    if (dependence == Dependence::encoding)
        key.lowered = problem.lowered;
    else
        key.experiment = request.experiment;
    if (dependence == Dependence::experiment_and_query || dependence == Dependence::experiment_and_cell)
        key.query = request.cursor.query;
    if (dependence == Dependence::experiment_and_cell) key.key = request.cursor.key;
    return key;
}

double Evaluator::cost_of(const Request& request, Detail detail) const {
    if (validate(request.experiment)) return 0;
    const Problem problem = make_problem(request.experiment);
    double cost = 0;
    for (const Question& question : request.needs)
        if (const auto asked = at_detail(question, detail))
            if (!answers_[asked->index()].remembers(key_of(*asked, request, problem)))
                cost += ropewalk::cost_of(*asked, problem, *backend_);
    return cost;
}

std::shared_ptr<const Results> Evaluator::evaluate(const Request& request, Detail detail, const Cancel& cancel) {
    if (auto sentence = validate(request.experiment)) throw InputError(*sentence);
    auto results = std::make_shared<Results>();
    results->request = request;
    results->request.cursor = request.cursor.clamped(request.experiment);
    results->backend = backend_->id();
    results->coarse = detail == Detail::coarse;
    results->problem = problems_.get(request.experiment, [&] { return make_problem(request.experiment); });
    const Subject subject{request.experiment, *results->problem, results->request.cursor, *backend_, cancel};

    // Room for the answers to this request and the one before, each coarse and exact.
    std::array<std::size_t, std::variant_size_v<Question>> counts{};
    for (const Question& question : request.needs) ++counts[question.index()];
    for (std::size_t kind = 0; kind < counts.size(); ++kind) answers_[kind].set_capacity(2 * counts[kind] + 1);

    for (const Question& question : request.needs) {
        const auto asked = at_detail(question, detail);
        if (!asked) continue;
        const auto start = std::chrono::steady_clock::now();
        auto answer = answers_[asked->index()].get(
            key_of(*asked, results->request, *results->problem), [&]() -> std::shared_ptr<const void> {
                return std::visit(
                    [&](const auto& q) -> std::shared_ptr<const void> {
                        return std::make_shared<const typename std::decay_t<decltype(q)>::Answer>(q.answer(subject));
                    },
                    *asked);
            });
        results->answers.emplace_back(question, std::move(answer));
        const double milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        if (milliseconds > 0.02)
            results->times.push_back({std::visit([](const auto& q) { return q.stage; }, *asked), milliseconds});
    }
    return results;
}

}  // namespace ropewalk
