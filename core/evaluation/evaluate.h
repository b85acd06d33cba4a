// core/evaluation: answers questions, on threads of their own (worker.h, job_runner.h), and opens the backends. Here:
// the Evaluator, which caches each answer by the values it depends on.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/question.h"
#include "core/attention/make_problem.h"
#include "core/memo.h"
#include "core/stage_time.h"

namespace ropewalk {

/// Widens `asked` so that its answer also serves `more`. Returns false if one answer cannot serve both.
bool take_in(Question& asked, const Question& more);

/// The questions of the open figures; nothing else is computed.
using Needs = std::vector<Question>;

struct Request {
    Experiment experiment;
    Cursor cursor;
    Needs needs;

    bool operator==(const Request&) const = default;
};

/// A question of one kind with its answer.
template <class Q>
struct Answered {
    Q question;
    std::shared_ptr<const typename Q::Answer> answer;
};

/// Everything that figures read: immutable and complete.
struct Results {
    Request request;
    std::shared_ptr<const Problem> problem;
    std::vector<std::pair<Question, std::shared_ptr<const void>>> answers;  // of the question's type Answer
    std::vector<StageTime> times;  // of the stages that were computed, not reused
    std::string backend;           // that computed them
    std::string notice;            // about the backend; usually empty
    bool coarse = false;           // a preview: some answers have fewer cells than requested
    std::vector<Question> jobs;    // requested but not yet done

    bool answer_to(const Question& question) const;

    /// Returns all answers of one kind, in the order of the questions.
    template <class Q>
    std::vector<Answered<Q>> all_of() const {
        std::vector<Answered<Q>> all;
        for (const auto& [question, answer] : answers)
            if (const auto* asked = std::get_if<Q>(&question))
                all.push_back({*asked, std::static_pointer_cast<const typename Q::Answer>(answer)});
        return all;
    }
    /// Returns the answer to a question; null if there is none.
    template <class Q>
    std::shared_ptr<const typename Q::Answer> find(const Q& question) const {
        for (const auto& [asked, answer] : all_of<Q>())
            if (asked == question) return answer;
        return nullptr;
    }
};

/// Returns a copy without matrices, which take tens of megabytes at a million tokens.
std::shared_ptr<const Results> without_views(const Results& results);

/// Returns the answer, as a pointer to the question's type Answer.
std::shared_ptr<const void> answer(const Question& question, const AnalysisContext& context);

/// Returns whether `results` have an answer, at least a preview, to everything in `needs`.
bool answers(const Results& results, const Needs& needs);

/// How much is computed.
/// - coarse: previews of the questions that have one.
/// - prompt: previews, but exact answers if they take no longer than a moment.
/// - exact: everything requested, but only those jobs whose answers are cached.
/// - complete: everything.
enum class Detail { coarse, prompt, exact, complete };

/// A question and all that its answer depends on.
struct AnswerKey {
    Question question;
    Dependence dependence;

    bool operator==(const AnswerKey&) const = default;
};
AnswerKey key_of(const Question& question, const HeadAtCursor& head);

/// Returns those of the questions that are answered without queries and keys.
Needs without_inputs(const Needs& needs);

/// Returns the head of a valid experiment, to answer these questions. It has no queries and keys if there are questions
/// and none of them reads any: a run that diverged has a curve of its loss, but no heads. Throws Cancelled.
Problem make_problem(const Experiment& experiment, const Needs& needs, const Cancel& cancel);

/// Returns the work of an answer in multiply-adds; 0 if it is quick.
double cost_of(const Question& question, const Problem& problem, const Backend& backend);

/// The name of the first stage, in which queries and keys are built.
inline constexpr auto inputs_stage = "queries and keys";
/// Returns the question's name in the list of times.
std::string stage_of(const Question& question);

class Evaluator {
  public:
    explicit Evaluator(std::unique_ptr<Backend> backend, InputsBuilder build_inputs = build);

    /// Builds the queries and keys of an experiment unless they are cached: the stage before all others. Throws
    /// InputError with validate()'s sentence if the experiment is invalid. Throws Cancelled if `cancel` requests it.
    void prepare(const Experiment& experiment, const Cancel& cancel, const Progress& progress = {});

    /// Prepares and evaluates a request. Throws like `prepare`; answers found by then stay cached.
    std::shared_ptr<const Results> evaluate(const Request& request, Detail detail, const Cancel& cancel);

    /// Returns whether a preview is useful: the answers that are not cached take longer than a frame.
    bool is_slow(const Request& request) { return cost_of(request, Detail::exact) > frame_cost; }
    /// Returns whether even the preview takes longer than a frame.
    bool is_slow_coarsely(const Request& request) { return cost_of(request, Detail::coarse) > frame_cost; }

    /// Returns whether there are prompt answers that should not wait for the slow ones.
    bool takes_patience(const Request& request);

    /// Adds an answer computed elsewhere to the cache.
    void remember(const AnswerKey& key, std::shared_ptr<const void> answer);
    /// Adds the answers of exact results to the cache.
    void remember(const Results& results);

    Backend& backend() { return *backend_; }

  private:
    double cost_of(const Request& request, Detail detail);
    std::shared_ptr<const Problem> problem_of(const Experiment& experiment, const Cancel& cancel = {},
                                              const Progress& progress = {});

    std::unique_ptr<Backend> backend_;
    InputsBuilder build_inputs_;
    InputsMemo inputs_;
    Memo<Experiment, Problem> problems_;
    std::array<Memo<AnswerKey, void>, std::variant_size_v<Question>> answers_;  // one for each kind of question
    std::weak_ptr<const Problem> prepared_;  // the last one made, until its time is part of results
    double preparation_ = 0;                 // ms that it took
};

}  // namespace ropewalk
