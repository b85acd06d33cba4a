// From an experiment to results: stages, each remembered by the values it depends on.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/decay.h"
#include "core/analysis/frequency_usage.h"
#include "core/backend.h"
#include "core/experiment.h"
#include "core/memo.h"

namespace ropewalk {

/// What all figures point at: one query, one key, one pair. Always inside the matrix once `clamped`.
struct Cursor {
    int query = 0, key = 0, pair = 0;

    int distance() const { return query - key; }
    /// The cursor at a distance: the key moves, and the query only where it must.
    Cursor at_distance(int distance, int seq_len) const;
    Cursor clamped(const Experiment& experiment) const;
    bool operator==(const Cursor&) const = default;
};

/// One view of the matrix. `of_scores` asks for rotated q·k over the whole square instead of logits and weights.
struct AttentionNeed {
    Viewport viewport;
    bool of_scores = false;

    bool operator==(const AttentionNeed&) const = default;
};

struct RotationNeed {
    Interval distances;
    int cells = 0;

    bool operator==(const RotationNeed&) const = default;
};

/// What the open figures want to know; whatever none of them wants is not computed.
struct Needs {
    std::vector<AttentionNeed> attention;
    std::vector<RotationNeed> rotation;
    std::vector<int> usage_cells;
    bool decay = false, row = false, contributions = false;

    bool operator==(const Needs&) const = default;
};

struct Request {
    Experiment experiment;
    Cursor cursor;
    Needs needs;

    bool operator==(const Request&) const = default;
};

/// One row of attention over all keys; masked logits are −∞.
struct AttentionRow {
    int query = 0;
    std::vector<double> logits, weights;
};

struct StageTime {
    std::string stage;
    double milliseconds = 0;
};

template <class Need, class Value>
struct Answer {
    Need need;
    std::shared_ptr<const Value> value;
};

/// Everything figures may read: immutable and whole.
struct Results {
    Request request;
    std::shared_ptr<const Problem> problem;
    std::vector<Answer<AttentionNeed, AttentionView>> attention;
    std::vector<Answer<RotationNeed, std::vector<double>>> rotation;
    std::vector<Answer<int, FrequencyUsage>> usage;
    std::shared_ptr<const Decay> decay;
    std::shared_ptr<const AttentionRow> row;
    std::shared_ptr<const std::vector<double>> contributions;
    std::vector<StageTime> times;  // of the stages that had to be computed
    std::string backend;
    bool coarse = false;  // a first look with fewer cells than were asked for
};

/// Whether `results` hold everything that `needs` asks for, if only coarsely.
bool answers(const Results& results, const Needs& needs);

/// How much is computed: a first look with few cells and sampled rows (attention, rotation and contributions alone), or
/// what was asked for.
enum class Detail { coarse, exact };

class Evaluator {
  public:
    explicit Evaluator(std::unique_ptr<Backend> backend);

    /// InputError with validate()'s sentence if the experiment cannot be computed. Throws Cancelled if `cancel` asks
    /// for it; stages that were finished by then are remembered.
    std::shared_ptr<const Results> evaluate(const Request& request, Detail detail, const Cancel& cancel);

    /// Whether a coarse look first is worth its while: the views that are not remembered take longer than a frame.
    bool is_slow(const Request& request) const { return cost_of(request, Detail::exact) > frame_cost; }
    /// Whether even a coarse look takes longer than a frame.
    bool is_slow_coarsely(const Request& request) const { return cost_of(request, Detail::coarse) > frame_cost; }

    Backend& backend() { return *backend_; }

  private:
    struct UsageKey {
        Experiment experiment;
        int cells;
        bool operator==(const UsageKey&) const = default;
    };
    struct RowKey {
        Experiment experiment;
        int query;
        bool operator==(const RowKey&) const = default;
    };
    struct CellKey {
        Experiment experiment;
        int query, key;
        bool operator==(const CellKey&) const = default;
    };
    struct ViewKey {
        Experiment experiment;
        AttentionNeed need;
        bool operator==(const ViewKey&) const = default;
    };
    struct RotationKey {
        Lowered lowered;
        RotationNeed need;
        bool operator==(const RotationKey&) const = default;
    };

    static constexpr double frame_cost = 5e8;  // multiply-adds that take a frame or so on two cores
    double cost_of(const Request& request, Detail detail) const;

    std::unique_ptr<Backend> backend_;
    Memo<Experiment, Problem> problems_;
    Memo<ViewKey, AttentionView> views_{4};
    Memo<RotationKey, std::vector<double>> rotations_;
    Memo<UsageKey, FrequencyUsage> usages_;
    Memo<Experiment, Decay> decays_;
    Memo<RowKey, AttentionRow> rows_{4};
    Memo<CellKey, std::vector<double>> cells_{4};
};

/// The viewport with its rows sampled where pooling all those of a content-dependent head would cost too much to be
/// live.
Viewport affordable(const Experiment& experiment, Viewport viewport);

}  // namespace ropewalk
