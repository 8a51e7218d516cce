// Connect Four by hand: the algorithm of games/connect_four/rules.py under the playout of search/walk.py.
// A cell is a bit, seven bits a column, the top one always empty.

#include "limit.hpp"

namespace {

constexpr int COLUMNS = 7, ROWS = 6, PITCH = 7, CELLS = 42, NOBODY = -3;

struct Terms {
    int16_t seats;
    int8_t misere;
};

struct State {
    int64_t stones[2];
    int8_t count, lined_up;
};

inline int turn(const State& s) { return s.lined_up || s.count == CELLS ? NOBODY : s.count & 1; }

inline int legal(const State& s, int* out) {
    int64_t taken = s.stones[0] | s.stones[1];
    int n = 0;
    for (int column = 0; column < COLUMNS; column++) {
        out[n] = column;
        n += !(taken >> (column * PITCH + ROWS - 1) & 1);
    }
    return n;
}

inline bool four(int64_t stones) {
    int64_t up = stones & stones >> 1;
    int64_t across = stones & stones >> PITCH;
    int64_t rising = stones & stones >> (PITCH + 1);
    int64_t falling = stones & stones >> (PITCH - 1);
    return (up & up >> 2) | (across & across >> 2 * PITCH) | (rising & rising >> (2 * PITCH + 2)) |
           (falling & falling >> (2 * PITCH - 2));
}

inline void apply(State& s, int seat, int column) {
    int64_t taken = s.stones[0] | s.stones[1];
    s.stones[seat] |= (taken + (int64_t(1) << column * PITCH)) & ~taken & int64_t(0x7F) << column * PITCH;
    s.count++;
    s.lined_up = four(s.stones[seat]);
}

int64_t playout(const Terms&, State& s, Random& random) {
    int out[COLUMNS];
    for (int64_t steps = 0;; steps++) {
        int seat = turn(s);
        if (seat == NOBODY) return steps;
        uint32_t n = uint32_t(legal(s, out));
        apply(s, seat, out[random.below(n)]);
    }
}

}  // namespace

int main(int, char** argv) {
    Terms terms = read_record<Terms>();
    State start = read_record<State>();
    answer(argv, terms, start, playout);
}
