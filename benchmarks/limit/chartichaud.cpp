// Chartichaud by hand: the algorithm of games/chartichaud/ under the playout of search/walk.py.
//
//   a cell is y * 40 + x, a row of a mask one number; a word is buildings << 25 | military << 13 | civilians;
//   an action is verb << 16 | kind << 14 | direction << 12 | cell, END is 0

#include <algorithm>

#include "limit.hpp"

namespace {

constexpr int PITCH = 40, CELLS = 1600, SIGHT = 2, WORD_BITS = 37, GOLD_BITS = 15, NOBODY = -3;
constexpr int MAX_LEGAL = 1 + 12 * CELLS;
enum { CIVILIAN, MILITARY, BUILDING };
enum { NORTH, EAST, SOUTH, WEST };
enum { END, MOVE, MAKE, HARVEST };
constexpr int PRICE[3] = {5, 10, 15}, STEP[4] = {-PITCH, 1, PITCH, -1};
constexpr int64_t ONE[3] = {1, 1 << 13, 1 << 25};

struct Terms {
    int16_t seats, width, height, turns;
    int8_t fresh_act, contested, single;
};

struct State {
    int64_t units[2][CELLS], acted[CELLS], memory[2][CELLS];
    int16_t gold[CELLS];
    int64_t reaped[PITCH];
    int32_t purse[2], points[2], won[2], fallen[2], wealth[2];
    int16_t turns;
    int8_t loser;
    int16_t lodes;
    int64_t forces[2], ore[PITCH], fresh[PITCH], occupied[2][PITCH], seen[2][PITCH], known[2][PITCH];
};

inline int civilians(int64_t word) { return int(word & 0x1FFF); }
inline int military(int64_t word) { return int(word >> 13 & 0xFFF); }
inline int buildings(int64_t word) { return int(word >> 25 & 0xFFF); }
inline int price(int64_t word) { return 5 * civilians(word) + 10 * military(word) + 15 * buildings(word); }
inline int64_t bit(int x) { return int64_t(1) << x; }

// Takes the lowest bit out of a mask and returns its number.
inline int take(int64_t& bits) {
    int x = __builtin_ctzll(uint64_t(bits));
    bits &= bits - 1;
    return x;
}

inline int turn(const Terms& terms, const State& s) {
    return s.loser || s.turns >= terms.turns ? NOBODY : s.turns & 1;
}

inline int list_moves(const Terms& terms, int cell, int x, int y, int kind, int32_t* out, int n) {
    int move = MOVE << 16 | kind << 14 | cell;
    if (y > 0) out[n++] = move | NORTH << 12;
    if (x < terms.width - 1) out[n++] = move | EAST << 12;
    if (y < terms.height - 1) out[n++] = move | SOUTH << 12;
    if (x > 0) out[n++] = move | WEST << 12;
    return n;
}

inline int legal(const Terms& terms, const State& s, int seat, int32_t* out) {
    out[0] = END;
    int n = 1, purse = s.purse[seat];
    for (int y = 0; y < terms.height; y++)
        for (int64_t bits = s.fresh[y]; bits;) {
            int x = take(bits), cell = y * PITCH + x;
            int64_t ready = s.units[seat][cell] - s.acted[cell];
            if (civilians(ready)) {
                n = list_moves(terms, cell, x, y, CIVILIAN, out, n);
                if (s.gold[cell] && !(s.reaped[y] >> x & 1)) out[n++] = HARVEST << 16 | cell;
            }
            if (military(ready)) n = list_moves(terms, cell, x, y, MILITARY, out, n);
            if (purse < PRICE[CIVILIAN] || !(terms.contested || buildings(s.units[1 - seat][cell]) == 0)) continue;
            if (civilians(ready) && purse >= PRICE[BUILDING]) out[n++] = MAKE << 16 | BUILDING << 14 | cell;
            if (buildings(ready))
                for (int kind = 0; kind < BUILDING; kind++)
                    if (purse >= PRICE[kind]) out[n++] = MAKE << 16 | kind << 14 | cell;
        }
    return n;
}

inline int64_t row_in_sight(const Terms& terms, const State& s, int seat, int y) {
    int64_t near = 0;
    for (int v = std::max(0, y - SIGHT); v < std::min<int>(terms.height, y + SIGHT + 1); v++) near |= s.occupied[seat][v];
    return (near | near << 1 | near << 2 | near >> 1 | near >> 2) & (bit(terms.width) - 1);
}

// Units in rows `top` to `bottom` came or went: what leaves sight is remembered.
inline void look_again(const Terms& terms, State& s, int seat, int top, int bottom) {
    for (int y = std::max(0, top - SIGHT); y < std::min<int>(terms.height, bottom + SIGHT + 1); y++) {
        int64_t row = row_in_sight(terms, s, seat, y), changed = row ^ s.seen[seat][y];
        s.seen[seat][y] = row;
        s.known[seat][y] |= row;
        while (changed) {
            int x = take(changed), cell = y * PITCH + x;
            int64_t what = int64_t(s.gold[cell]) << WORD_BITS | s.units[1 - seat][cell];
            s.memory[seat][cell] = row >> x & 1 ? 0 : int64_t(s.turns + 1) << (WORD_BITS + GOLD_BITS) | what;
        }
    }
}

inline void move(const Terms& terms, State& s, int seat, int kind, int cell, int direction) {
    int to = cell + STEP[direction], y = cell / PITCH, x = cell % PITCH, v = to / PITCH, u = to % PITCH;
    int64_t &from_word = s.units[seat][cell], &to_word = s.units[seat][to];
    from_word -= ONE[kind];
    if (from_word == s.acted[cell]) s.fresh[y] &= ~bit(x);
    bool left = from_word == 0, entered = to_word == 0;
    to_word += ONE[kind];
    s.acted[to] += ONE[kind];
    if (left) s.occupied[seat][y] &= ~bit(x);
    if (entered) s.occupied[seat][v] |= bit(u);
    if (left || entered) look_again(terms, s, seat, std::min(y, v), std::max(y, v));
}

inline void spend(State& s, int seat, int kind, int cell) {
    s.acted[cell] += ONE[kind];
    if (s.units[seat][cell] == s.acted[cell]) s.fresh[cell / PITCH] &= ~bit(cell % PITCH);
}

inline void make(const Terms& terms, State& s, int seat, int kind, int cell) {
    s.purse[seat] -= PRICE[kind];
    s.units[seat][cell] += ONE[kind];
    s.forces[seat] += ONE[kind];
    spend(s, seat, kind == BUILDING ? CIVILIAN : BUILDING, cell);
    if (!terms.fresh_act) spend(s, seat, kind, cell);
}

inline void harvest(State& s, int seat, int cell) {
    spend(s, seat, CIVILIAN, cell);
    s.gold[cell]--;
    s.reaped[cell / PITCH] |= bit(cell % PITCH);
    if (s.gold[cell] == 0) {
        s.ore[cell / PITCH] &= ~bit(cell % PITCH);
        s.lodes--;
    }
    s.purse[seat]++;
    s.points[seat]++;
}

// How many military units are left: attackers, or as a negative number defenders. The defenders strike first.
inline int clash(int attackers, int defenders) {
    while (attackers > 0 && defenders > 0) {
        attackers -= (defenders + 1) / 2;
        if (attackers > 0) defenders -= (attackers + 1) / 2;
    }
    return std::max(attackers, 0) - std::max(defenders, 0);
}

inline int lose(State& s, int seat, int cell, int left) {
    int64_t& word = s.units[seat][cell];
    int64_t lost = left <= 0 ? word : (military(word) - left) * ONE[MILITARY];
    word -= lost;
    s.forces[seat] -= lost;
    s.fallen[seat] += price(lost);
    if (left <= 0) s.occupied[seat][cell / PITCH] &= ~bit(cell % PITCH);
    return price(lost);
}

inline bool fight(State& s, int cell, int attacker) {
    int left = clash(military(s.units[attacker][cell]), military(s.units[1 - attacker][cell]));
    if (left == 0) return false;
    lose(s, attacker, cell, left);
    s.won[attacker] += lose(s, 1 - attacker, cell, -left);
    return true;
}

inline void end_turn(const Terms& terms, State& s, int seat) {
    for (int y = 0; y < terms.height; y++) {
        s.reaped[y] = 0;
        for (int64_t bits = s.occupied[seat][y]; bits;) {
            int cell = y * PITCH + take(bits), surplus = buildings(s.units[seat][cell]) - 1;
            s.acted[cell] = 0;
            if (terms.single && surplus > 0) {
                s.units[seat][cell] -= surplus * ONE[BUILDING];
                s.forces[seat] -= surplus * ONE[BUILDING];
            }
        }
    }
    int before = s.won[seat];
    bool fought = false;
    for (int y = 0; y < terms.height; y++)
        for (int64_t bits = s.occupied[0][y] & s.occupied[1][y]; bits;) fought |= fight(s, y * PITCH + take(bits), seat);
    s.points[seat] += s.won[seat] - before;
    if (fought)
        for (int each = 0; each < 2; each++) look_again(terms, s, each, 0, terms.height - 1);
    s.turns++;
    for (int y = 0; y < terms.height; y++) s.fresh[y] = s.occupied[1 - seat][y];
    for (int each = 0; each < 2; each++)
        if (s.forces[each] == 0) s.loser = int8_t(each + 1);
}

inline void apply(const Terms& terms, State& s, int seat, int action) {
    int verb = action >> 16, kind = action >> 14 & 3, direction = action >> 12 & 3, cell = action & 0xFFF;
    if (verb == END)
        end_turn(terms, s, seat);
    else if (verb == MOVE)
        move(terms, s, seat, kind, cell, direction);
    else if (verb == MAKE)
        make(terms, s, seat, kind, cell);
    else
        harvest(s, seat, cell);
}

int64_t playout(const Terms& terms, State& s, Random& random) {
    int32_t out[MAX_LEGAL];
    for (int64_t steps = 0;; steps++) {
        int seat = turn(terms, s);
        if (seat == NOBODY) return steps;
        uint32_t n = uint32_t(legal(terms, s, seat, out));
        apply(terms, s, seat, out[random.below(n)]);
    }
}

}  // namespace

int main(int, char** argv) {
    Terms terms = read_record<Terms>();
    State start = read_record<State>();
    answer(argv, terms, start, playout);
}
