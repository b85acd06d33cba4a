#include "core/evaluation/evaluate.h"

#include <algorithm>
#include <optional>

#include "core/attention/make_problem.h"
#include "core/error.h"
#include "core/visit.h"

namespace ropewalk {
namespace {

constexpr double soonest = 0.02;  // ms; shorter stages are not reported
constexpr int long_sequence = 1 << 17;
constexpr double prompt_cost = 1e10, patient_cost = 3e10;  // multiply-adds of about 1/3 s and 1 s

bool is_about_long_head(const Question& question, const Experiment& experiment) {
    return visit_alternative([&](const auto& asked) -> bool { return asked.is_about_long_head(experiment); }, question);
}

bool is_job(const Question& question, const Experiment& experiment, const Problem& problem) {
    return is_about_long_head(question, experiment) ||
           visit_alternative([&](const auto& asked) -> bool { return asked.is_job(problem); }, question);
}

/// Returns the question to ask at this detail; nothing if it must wait for the exact pass.
std::optional<Question> at_detail(const Question& question, Detail detail, const Experiment& experiment,
                                  const Problem& problem, const Backend& backend) {
    const bool is_asked_whole = detail == Detail::prompt ? !is_job(question, experiment, problem) &&
                                                               cost_of(question, problem, backend) <= prompt_cost
                                                         : detail != Detail::coarse;
    if (is_asked_whole) return question;
    if (is_about_long_head(question, experiment)) return std::nullopt;
    return visit_alternative([&](const auto& asked) -> std::optional<Question> { return asked.coarsened(problem); },
                             question);
}

bool reads_inputs(const Question& question) {
    return visit_alternative([](const auto& asked) { return asked.reads_inputs; }, question);
}
bool reads_inputs(const Needs& needs) {
    return needs.empty() ||
           std::any_of(needs.begin(), needs.end(), [](const Question& question) { return reads_inputs(question); });
}

/// How many questions there are of each kind.
using Counts = std::array<std::size_t, std::variant_size_v<Question>>;
Counts counts_of(const Needs& needs) {
    Counts counts{};
    for (const Question& question : needs) ++counts[question.index()];
    return counts;
}

/// Returns the stages of an answer, if its type records them.
std::vector<StageTime> parts_of(const Question& question, const std::shared_ptr<const void>& answer) {
    return visit_alternative(
        [&](const auto& asked) -> std::vector<StageTime> {
            using Answer = typename std::decay_t<decltype(asked)>::Answer;
            if constexpr (requires(const Answer& told) { told.stages; })
                return std::static_pointer_cast<const Answer>(answer)->stages;
            else
                return {};
        },
        question);
}

}  // namespace

Needs without_inputs(const Needs& needs) {
    Needs rest = needs;
    std::erase_if(rest, [](const Question& question) { return reads_inputs(question); });
    return rest;
}

Problem make_problem(const Experiment& experiment, const Needs& needs, const Cancel& cancel) {
    if (reads_inputs(needs)) return make_problem(experiment, cancel);
    InputsMemo none;
    return make_problem(experiment, none, cancel, {},
                        [](const Construction&, const BuildContext&) { return HeadInputs{}; });
}

double cost_of(const Question& question, const Problem& problem, const Backend& backend) {
    return visit_alternative([&](const auto& asked) -> double { return asked.cost(problem, backend); }, question);
}

bool take_in(Question& asked, const Question& more) {
    if (asked == more) return true;
    return visit_alternative(
        [&](auto& question) {
            using Q = std::decay_t<decltype(question)>;
            const auto* other = std::get_if<Q>(&more);
            const std::optional<Q> both = other ? question.widened(*other) : std::nullopt;
            if (both) question = *both;
            return both.has_value();
        },
        asked);
}

bool Results::answer_to(const Question& question) const {
    return std::any_of(answers.begin(), answers.end(), [&](const auto& given) {
        Question both = given.first;
        return take_in(both, question) && both == given.first;
    });
}

std::shared_ptr<const Results> without_views(const Results& results) {
    Results rest = results;
    std::erase_if(rest.answers, [](const auto& given) { return std::holds_alternative<ViewQuestion>(given.first); });
    return std::make_shared<const Results>(std::move(rest));
}

bool answers(const Results& results, const Needs& needs) {
    return std::all_of(needs.begin(), needs.end(),
                       [&](const Question& question) { return results.answer_to(question); });
}

std::shared_ptr<const void> answer(const Question& question, const AnalysisContext& context) {
    return visit_alternative(
        [&](const auto& asked) -> std::shared_ptr<const void> {
            using Q = std::decay_t<decltype(asked)>;
            return std::make_shared<const typename Q::Answer>(asked.answer(context));
        },
        question);
}

AnswerKey key_of(const Question& question, const HeadAtCursor& head) {
    return {question, visit_alternative(
                          [&]<class Q>(const Q& asked) {
                              static_assert(
                                  requires { static_cast<bool (Q::*)(const Q&) const>(&Q::operator==); },
                                  "a question without its own operator== would equal all of its kind");
                              return asked.dependence(head);
                          },
                          question)};
}

std::string stage_of(const Question& question) {
    return visit_alternative([](const auto& asked) -> std::string { return asked.stage; }, question);
}

Evaluator::Evaluator(std::unique_ptr<Backend> backend, InputsBuilder build_inputs)
    : backend_(std::move(backend)), build_inputs_(std::move(build_inputs)) {}

void Evaluator::remember(const AnswerKey& key, std::shared_ptr<const void> answer) {
    answers_[key.question.index()].get(key, [&] { return std::move(answer); });
}

void Evaluator::remember(const Results& results) {
    const HeadAtCursor head{results.request.experiment, results.problem->lowered, results.request.cursor};
    const Counts counts = counts_of(results.request.needs);
    for (std::size_t kind = 0; kind < counts.size(); ++kind) answers_[kind].raise_capacity(2 * counts[kind] + 1);
    for (const auto& [question, answer] : results.answers) remember(key_of(question, head), answer);
}

std::shared_ptr<const Problem> Evaluator::problem_of(const Experiment& experiment, const Cancel& cancel,
                                                     const Progress& progress) {
    std::optional<double> milliseconds;
    auto problem = problems_.get(experiment, [&] {
        StageClock clock;
        Problem made = make_problem(experiment, inputs_, cancel, progress, build_inputs_);
        milliseconds = clock.lap();
        return made;
    });
    if (milliseconds > soonest) prepared_ = problem, preparation_ = *milliseconds;
    return problem;
}

void Evaluator::prepare(const Experiment& experiment, const Cancel& cancel, const Progress& progress) {
    if (auto sentence = validate(experiment)) throw InputError(*sentence);
    problem_of(experiment, cancel, progress);
}

bool Evaluator::takes_patience(const Request& request) {
    if (cost_of(request, Detail::exact) <= patient_cost) return false;
    const auto problem = problem_of(request.experiment);
    return std::any_of(request.needs.begin(), request.needs.end(), [&](const Question& question) {
        return at_detail(question, Detail::prompt, request.experiment, *problem, *backend_) !=
               at_detail(question, Detail::coarse, request.experiment, *problem, *backend_);
    });
}

double Evaluator::cost_of(const Request& request, Detail detail) {
    if (validate(request.experiment)) return 0;
    const auto remembered = problem_of(request.experiment);
    const Problem& problem = *remembered;
    double cost = 0;
    for (const Question& question : request.needs)
        if (const auto asked = at_detail(question, detail, request.experiment, problem, *backend_);
            asked && !is_job(*asked, request.experiment, problem))
            if (!answers_[asked->index()].remembers(
                    key_of(*asked, {request.experiment, problem.lowered, request.cursor})))
                cost += ropewalk::cost_of(*asked, problem, *backend_);
    return cost;
}

std::shared_ptr<const Results> Evaluator::evaluate(const Request& request, Detail detail, const Cancel& cancel) {
    const bool has_inputs = reads_inputs(request.needs) || problems_.remembers(request.experiment);
    if (has_inputs)
        prepare(request.experiment, cancel);
    else if (auto sentence = validate(request.experiment))
        throw InputError(*sentence);
    auto results = std::make_shared<Results>();
    results->request = request;
    results->request.cursor = request.cursor.clamped(request.experiment);
    results->coarse = detail == Detail::coarse || detail == Detail::prompt;
    results->problem = has_inputs
                           ? problem_of(request.experiment)
                           : std::make_shared<const Problem>(make_problem(request.experiment, request.needs, cancel));
    if (!results->coarse && prepared_.lock() == results->problem) {
        prepared_.reset();
        results->times.push_back({.stage = inputs_stage, .milliseconds = preparation_});
    }
    const HeadAtCursor head{request.experiment, results->problem->lowered, results->request.cursor};
    const AnalysisContext context{request.experiment, *results->problem, results->request.cursor, *backend_, cancel};

    // The capacity is for the answers to this request and the previous one, each coarse and exact. For a long sequence,
    // whose answers take tens of megabytes each, it is for this request only.
    const bool is_long = request.experiment.seq_len > long_sequence;
    const Counts counts = counts_of(request.needs);
    for (std::size_t kind = 0; kind < counts.size(); ++kind)
        answers_[kind].set_capacity(is_long ? counts[kind] : 2 * counts[kind] + 1);

    for (const Question& question : request.needs) {
        const auto asked = at_detail(question, detail, request.experiment, *results->problem, *backend_);
        if (!asked) continue;
        const AnswerKey key = key_of(*asked, head);
        if (detail == Detail::exact && is_job(*asked, request.experiment, *results->problem) &&
            !answers_[asked->index()].remembers(key)) {
            results->jobs.push_back(question);
            continue;
        }
        auto answer = answers_[asked->index()].get(key, [&] {
            StageClock clock;
            auto computed = ropewalk::answer(*asked, context);
            if (const double milliseconds = clock.lap(); milliseconds > soonest)
                results->times.push_back({stage_of(*asked), milliseconds, parts_of(*asked, computed)});
            return computed;
        });
        results->answers.emplace_back(question, std::move(answer));
    }
    results->backend = backend_->id();
    results->notice = backend_->notice();
    return results;
}

}  // namespace ropewalk
