#include "app/window/panels/distance_player.h"

#include <algorithm>
#include <cmath>

namespace ropewalk {
namespace {

constexpr double row_seconds = 12, most_token_seconds = 0.5, min_token_seconds = 1.0 / 60;
constexpr int shortest_row = 8;  // tokens

}  // namespace

void DistancePlayer::play(Cursor& cursor, int seq_len) {
    if (cursor.query + 1 < std::min(shortest_row, seq_len)) cursor = {seq_len - 1, seq_len - 1, cursor.pair};
    if (cursor.distance() < 0) cursor.key = cursor.query;
    distance_ = cursor.distance();
    playing_ = true;
}

void DistancePlayer::set_speed(double speed) {
    speed_ = std::clamp(speed, slowest, fastest);
}

double DistancePlayer::tokens_per_second(const Cursor& cursor) const {
    return std::clamp((cursor.query + 1) / row_seconds, 1 / most_token_seconds, 1 / min_token_seconds) * speed_;
}

void DistancePlayer::advance(double seconds, Cursor& cursor) {
    if (cursor.distance() != static_cast<int>(distance_)) distance_ = std::max(0, cursor.distance());
    distance_ = std::fmod(distance_ + std::max(0.0, seconds) * tokens_per_second(cursor), cursor.query + 1.0);
    cursor.key = cursor.query - static_cast<int>(distance_);
}

}  // namespace ropewalk
