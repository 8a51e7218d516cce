// Cultist by hand: the algorithm of games/cultist/rules.py under the playout of search/walk.py.
//
//   a cell is (y + 1) * 16 + x; board[cell] is 0 floor, 1 + unit, -HP of an obstacle, or BORDER;
//   an action is verb << 12 | unit << 8 | target (a unit or a cell), 0 waits

#include <algorithm>

#include "limit.hpp"

namespace {

constexpr int WIDTH = 13, HEIGHT = 7, PITCH = 16, SIZE = 144, RANGE = 6, LINE_AT = RANGE * PITCH;
constexpr int UNITS = 14, NEUTRALS = 12, NEUTRAL = 2, MAX_LEGAL = 1 + 13 * 4 + 12 * 90;
constexpr int WANDER = 1, GENERATOR = 2, CHANCE = -1, NOBODY = -3;
constexpr int STEP[4] = {-PITCH, 1, PITCH, -1};
enum { WAIT, MOVE, SHOOT, CONVERT, BREAK };

struct Terms {
    int16_t seats, turns;
    int8_t neutrals, destructible, friendly_fire, units_block, codingame_orders;
};

struct State {
    int8_t board[SIZE], owner[UNITS], hp[UNITS], cell[UNITS], count[3], wandering, fallen;
    int16_t turn;
    int32_t generator;
    int64_t key;
};

struct Tables {
    int64_t of_place[UNITS][128], of_unit[UNITS][33], of_obstacle[128][11];
    int8_t line[2 * LINE_AT + 1][RANGE] = {};  // [LINE_AT + target - shooter] -> what lies between, then zeros

    Tables() {
        Random random(1);
        for (auto& unit : of_place)
            for (auto& cell : unit) cell = random.key();
        for (auto& unit : of_unit)
            for (auto& hp : unit) hp = random.key();
        for (auto& cell : of_obstacle) {
            cell[0] = 0;
            for (int hp = 1; hp <= 10; hp++) cell[hp] = random.key();
        }
        for (int dy = -RANGE; dy <= RANGE; dy++)
            for (int dx = abs(dy) - RANGE; dx <= RANGE - abs(dy); dx++) draw(dx, dy, line[LINE_AT + dy * PITCH + dx]);
    }

    // Always from the upper end to the lower one, so that a line is the same in both directions.
    static void draw(int dx, int dy, int8_t* between) {
        int x = dy < 0 ? dx : 0, y = dy < 0 ? dy : 0, end_x = dy < 0 ? 0 : dx, end_y = dy < 0 ? 0 : dy;
        int wide = abs(dx), high = abs(dy), step = end_x > x ? 1 : -1, error = wide - high, n = 0;
        for (bool first = true; x != end_x || y != end_y; first = false) {
            if (!first) between[n++] = int8_t(y * PITCH + x);
            int twice = 2 * error;
            if (twice > -high) error -= high, x += step;
            if (twice < wide) error += wide, y++;
        }
        if (dy < 0) std::reverse(between, between + n);
    }
};

const Tables T;

inline int distance(int a, int b) { return abs((a & 15) - (b & 15)) + abs((a >> 4) - (b >> 4)); }

inline int turn(const Terms& terms, const State& s) {
    if (s.wandering) return CHANCE;
    if (s.turn >= terms.turns || s.count[0] == 0 || s.count[1] == 0) return NOBODY;
    return s.turn & 1;
}

inline int shots(const Terms& terms, const State& s, int seat, int unit, int16_t* out, int n) {
    int cell = s.cell[unit];
    for (int target = 0; target < UNITS; target++) {
        bool aims = s.owner[target] == 1 - seat || (terms.friendly_fire && target != unit);
        if (aims && s.hp[target] && distance(cell, s.cell[target]) <= RANGE)
            out[n++] = int16_t(SHOOT << 12 | unit << 8 | target);
    }
    return n;
}

inline int shots_at_obstacles(const State& s, int unit, int16_t* out, int n) {
    int row = s.cell[unit] >> 4, column = s.cell[unit] & 15;
    for (int y = std::max(1, row - RANGE); y <= std::min(HEIGHT, row + RANGE); y++) {
        int reach = RANGE - abs(y - row);
        for (int x = std::max(0, column - reach); x <= std::min(WIDTH - 1, column + reach); x++)
            if (s.board[y << 4 | x] < 0) out[n++] = int16_t(BREAK << 12 | unit << 8 | y << 4 | x);
    }
    return n;
}

inline int legal(const Terms& terms, const State& s, int seat, int16_t* out) {
    out[0] = WAIT;
    int n = 1;
    for (int unit = 0; unit < UNITS; unit++) {
        if (s.owner[unit] != seat || s.hp[unit] == 0) continue;
        for (int step : STEP) {
            int to = s.cell[unit] + step, there = s.board[to];
            if (there == 0)
                out[n++] = int16_t(MOVE << 12 | unit << 8 | to);
            else if (unit < 2 && there > 2 && s.owner[there - 1] != seat)
                out[n++] = int16_t(CONVERT << 12 | unit << 8 | (there - 1));
        }
        if (unit >= 2) {
            n = shots(terms, s, seat, unit, out, n);
            if (terms.destructible) n = shots_at_obstacles(s, unit, out, n);
        }
    }
    return n;
}

inline int ways_out(const State& s, int cell) {
    int ways = 0;
    for (int step : STEP) ways += s.board[cell + step] == 0;
    return ways;
}

// The k-th free cell beside this one: up, right, down, left.
inline int way_out(const State& s, int cell, int k) {
    for (int step : STEP)
        if (s.board[cell + step] == 0 && k-- == 0) return cell + step;
    return cell;
}

inline int roll(const State& s, Random& random) {
    int k = int(random.below(uint32_t(s.count[NEUTRAL])));
    for (int unit = 2; unit < UNITS; unit++) {
        if (s.owner[unit] != NEUTRAL || s.hp[unit] == 0 || k-- > 0) continue;
        int ways = ways_out(s, s.cell[unit]);
        if (ways == 0) return WAIT;
        return MOVE << 12 | unit << 8 | way_out(s, s.cell[unit], int(random.below(uint32_t(ways))));
    }
    return WAIT;
}

inline void step(State& s, int unit, int to) {
    int cell = s.cell[unit];
    s.key ^= T.of_place[unit][cell] ^ T.of_place[unit][to];
    s.board[cell] = 0;
    s.board[to] = int8_t(1 + unit);
    s.cell[unit] = int8_t(to);
}

// The cell where a shot ends: the first on its line that stops it, or the one aimed at.
inline int struck(const Terms& terms, const State& s, int start, int aim) {
    for (int offset : T.line[LINE_AT + aim - start]) {
        if (offset == 0) return aim;
        int there = s.board[start + offset];
        if (there < 0 || (there > 0 && terms.units_block)) return start + offset;
    }
    return aim;
}

inline void shoot(const Terms& terms, State& s, int unit, int aim) {
    int start = s.cell[unit], hit = struck(terms, s, start, aim), there = s.board[hit];
    int damage = RANGE + 1 - distance(start, hit);
    if (there <= 0) {
        int left = std::max(0, -there - (terms.destructible ? damage : 0));
        s.key ^= T.of_obstacle[hit][-there] ^ T.of_obstacle[hit][left];
        s.board[hit] = int8_t(-left);
        return;
    }
    int victim = there - 1, owner = s.owner[victim], left = std::max(0, s.hp[victim] - damage);
    s.key ^= T.of_unit[victim][owner * 11 + s.hp[victim]] ^ T.of_unit[victim][owner * 11 + left];
    s.hp[victim] = int8_t(left);
    if (left == 0) {
        s.count[owner]--;
        s.fallen = int8_t(1 + victim);
    }
}

inline void convert(State& s, int seat, int target) {
    int before = s.owner[target], hp = s.hp[target];
    s.key ^= T.of_unit[target][before * 11 + hp] ^ T.of_unit[target][seat * 11 + hp];
    s.owner[target] = int8_t(seat);
    s.count[before]--;
    s.count[seat]++;
}

inline int generated(State& s, int bound) {
    s.generator = int32_t((int64_t(s.generator) * 1103515245 + 12345) & 0x7FFFFFFF);
    return s.generator % bound;
}

inline void generated_step(State& s) {
    int k = generated(s, NEUTRALS);
    for (int unit = 2; unit < UNITS; unit++) {
        if (s.owner[unit] != NEUTRAL || k-- > 0) continue;
        if (s.hp[unit]) {
            int cell = s.cell[unit], to = way_out(s, cell, generated(s, std::max(1, ways_out(s, cell))));
            if (to != cell) step(s, unit, to);
        }
        return;
    }
}

inline void end_turn(State& s) {
    if (s.fallen) {
        int unit = s.fallen - 1, cell = s.cell[unit];
        s.key ^= T.of_place[unit][cell];
        s.board[cell] = 0;
        s.cell[unit] = 0;
        s.fallen = 0;
    }
    s.turn++;
}

inline void apply(const Terms& terms, State& s, int seat, int action) {
    int verb = action >> 12, unit = action >> 8 & 15, target = action & 255;
    if (seat == CHANCE) {
        if (verb == MOVE) step(s, unit, target);
        s.wandering = 0;
        end_turn(s);
        return;
    }
    if (verb == MOVE) step(s, unit, target);
    if (verb == SHOOT) shoot(terms, s, unit, s.cell[target]);
    if (verb == BREAK) shoot(terms, s, unit, target);
    if (verb == CONVERT) convert(s, seat, target);
    if (terms.neutrals == WANDER && s.count[NEUTRAL]) {
        s.wandering = 1;
        return;
    }
    if (terms.neutrals == GENERATOR) generated_step(s);
    end_turn(s);
}

int64_t playout(const Terms& terms, State& s, Random& random) {
    int16_t out[MAX_LEGAL];
    for (int64_t steps = 0;; steps++) {
        int seat = turn(terms, s);
        if (seat == NOBODY) return steps;
        if (seat == CHANCE) {
            apply(terms, s, CHANCE, roll(s, random));
        } else {
            uint32_t n = uint32_t(legal(terms, s, seat, out));
            apply(terms, s, seat, out[random.below(n)]);
        }
    }
}

}  // namespace

int main(int, char** argv) {
    Terms terms = read_record<Terms>();
    State start = read_record<State>();
    answer(argv, terms, start, playout);
}
