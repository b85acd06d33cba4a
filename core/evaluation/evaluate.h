// From an experiment to results: questions, each answer remembered by the values it follows from.
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

/// Makes `asked` ask for what `more` does too, if one answer can serve both.
bool take_in(Question& asked, const Question& more);

/// What the open figures want to know; whatever none of them wants is not computed.
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

/// Everything figures may read: immutable and whole.
struct Results {
    Request request;
    std::shared_ptr<const Problem> problem;
    std::vector<std::pair<Question, std::shared_ptr<const void>>> answers;  // of the type that the question says
    std::vector<StageTime> times;                                           // of the stages that had to be computed
    std::string backend;                                                    // that has computed them
    std::string notice;          // what a person should know of it; usually empty
    bool coarse = false;         // a first look: some answers have fewer cells than were asked for
    std::vector<Question> jobs;  // that were asked for and are still to be done

    bool answer_to(const Question& question) const;

    /// All answers of one kind, in the order in which they were asked for.
    template <class Q>
    std::vector<Answered<Q>> all_of() const {
        std::vector<Answered<Q>> all;
        for (const auto& [question, answer] : answers)
            if (const auto* asked = std::get_if<Q>(&question))
                all.push_back({*asked, std::static_pointer_cast<const typename Q::Answer>(answer)});
        return all;
    }
    /// The answer to a question; null if it is not there.
    template <class Q>
    std::shared_ptr<const typename Q::Answer> find(const Q& question) const {
        for (const auto& [asked, answer] : all_of<Q>())
            if (asked == question) return answer;
        return nullptr;
    }
};

/// The same without matrices, which take tens of megabytes at a million tokens.
std::shared_ptr<const Results> without_views(const Results& results);

/// The answer, of the type that the question says.
std::shared_ptr<const void> answer(const Question& question, const AnalysisContext& context);

/// Whether `results` hold everything that `needs` asks for, if only coarsely.
bool answers(const Results& results, const Needs& needs);

/// How much is computed: a first look at the questions that have one; that, but exactly what takes no longer than a
/// moment; what was asked for, of jobs only what is remembered; everything.
enum class Detail { coarse, prompt, exact, complete };

/// A question and what its answer follows from; what it does not depend on is left as it is by default.
struct AnswerKey {
    Question question;
    Experiment experiment;
    LoweredEncoding lowered;
    int step = 0, query = 0, key = 0;

    bool operator==(const AnswerKey&) const = default;
};
AnswerKey key_of(const Question& question, const Request& request, const Problem& problem);

/// How long it takes to answer, in multiply-adds; 0 of what is quick.
double cost_of(const Question& question, const Problem& problem, const Backend& backend);

/// The question's name among the times.
std::string stage_of(const Question& question);

class Evaluator {
  public:
    explicit Evaluator(std::unique_ptr<Backend> backend);

    /// InputError with validate()'s sentence if the experiment cannot be computed. Throws Cancelled if `cancel` asks
    /// for it; answers that were found by then are remembered.
    std::shared_ptr<const Results> evaluate(const Request& request, Detail detail, const Cancel& cancel);

    /// Whether a coarse look first is worth its while: what is not remembered takes longer than a frame.
    bool is_slow(const Request& request) { return cost_of(request, Detail::exact) > frame_cost; }
    /// Whether even a coarse look takes longer than a frame.
    bool is_slow_coarsely(const Request& request) { return cost_of(request, Detail::coarse) > frame_cost; }

    /// Whether it takes so long that what is prompt should not wait for it, and there is something that is.
    bool takes_patience(const Request& request);

    /// Takes in what was found elsewhere.
    void remember(const AnswerKey& key, std::shared_ptr<const void> answer);

    Backend& backend() { return *backend_; }

  private:
    double cost_of(const Request& request, Detail detail);
    std::shared_ptr<const Problem> problem_of(const Experiment& experiment);

    std::unique_ptr<Backend> backend_;
    InputsMemo inputs_;
    Memo<Experiment, Problem> problems_;
    std::array<Memo<AnswerKey, void>, std::variant_size_v<Question>> answers_;  // one for each kind of question
};

}  // namespace ropewalk
