// Garden Tensions by hand: the algorithm of games/garden/ under the playout of search/walk.py.
//
//   29 hexes in rows of 5 6 7 6 5; an action is kind << 16 | a << 8 | b; dice are a hex digit each

#include <algorithm>

#include "limit.hpp"

namespace {

constexpr int CELLS = 29, CROWD = 5, ABILITY = 8, FREE = -1, CHANCE = -1, NOBODY = -3;
constexpr int MAX_LEGAL = 1 + 68 + 14 * 15 + 3 * 28 + 68;
constexpr int SKY_CELL = 3, CANDY_CELL = 4, BARBECUE_CELL = 5, POOL_CELL = 6;
constexpr int PRICE[] = {0, 0, 0, 5, 3, 3, 3}, COIN[] = {0, 0, 0, 1, 0, 2, 3};
constexpr int POISON_TICKS = 3, PROTECTED = 4, STUCK_TURNS = 2, FORGED_TURNS = 2, GRILLED_AT_MOST = 3;
constexpr int PILLAGED_AT_MOST = 2, ODDS_OF_HUMANS = 10;
enum { CONQUEST, REINFORCEMENT };
enum { FIGHT = 1, TICK, HUMANS };
enum { FOOTSTEP = 1, LUNCH, SWEETS };
enum { END, MOVE, SKY, BARBECUE, POOL, PILLAGE, POISON, FORGE, IMMOBILISE, SHELTER, PLACE, CANDY };
constexpr int GROUND_OF[] = {0, 0, SKY_CELL, BARBECUE_CELL, POOL_CELL, 0, 0, 0, 0, 0, 0, CANDY_CELL};

struct Terms {
    int16_t seats, rounds;
    int8_t m, n, k, moving, far, humans, clan[2], ground[CELLS], resource[CELLS], amount[CELLS], special[7];
};

struct State {
    int8_t owner[CELLS], crowd[CELLS], condition[CELLS], stuck[CELLS], forged[CELLS];
    int16_t goods[2][4], stock[2];
    int32_t points[2];
    int8_t cells[2];
    int16_t creatures[2], turns;
    int8_t player, phase, used, waiting, source, target;
};

struct Tables {
    int8_t neighbour[CELLS][6];  // -1 where the garden ends
    bool touches[CELLS][CELLS] = {};

    Tables() {
        constexpr int length[5] = {5, 6, 7, 6, 5}, first[5] = {2, 1, 0, 0, 0};
        constexpr int down[6] = {0, -1, -1, 0, 1, 1}, right[6] = {-1, 0, 1, 1, 0, -1};
        int number[5][7], n = 0;
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 7; j++) number[i][j] = j >= first[i] && j < first[i] + length[i] ? n++ : -1;
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 7; j++)
                for (int k = 0; k < 6 && number[i][j] >= 0; k++) {
                    int y = i + down[k], x = j + right[k], cell = number[i][j];
                    int to = 0 <= y && y < 5 && 0 <= x && x < 7 ? number[y][x] : -1;
                    neighbour[cell][k] = int8_t(to);
                    if (to >= 0) touches[cell][to] = true;
                }
    }
};

const Tables T;

inline bool over(const Terms& terms, const State& s) {
    return s.cells[0] == 0 || s.cells[1] == 0 || s.turns >= 2 * terms.rounds;
}

inline int turn(const Terms& terms, const State& s) { return s.waiting ? CHANCE : over(terms, s) ? NOBODY : s.player; }

// -- what happens to cells --

inline void put(State& s, int cell, int owner, int crowd) {
    int before = s.owner[cell];
    if (before != FREE) {
        s.cells[before]--;
        s.creatures[before] = int16_t(s.creatures[before] - s.crowd[cell]);
    }
    s.owner[cell] = int8_t(owner);
    s.crowd[cell] = int8_t(crowd);
    if (owner != FREE) {
        s.cells[owner]++;
        s.creatures[owner] = int16_t(s.creatures[owner] + crowd);
    }
}

inline void enter(State& s, int seat, int source, int target) {
    int coming = s.crowd[source] - 1;
    put(s, source, seat, 1);
    put(s, target, seat, coming);
    s.stuck[target] = 0;
    s.forged[target] = s.forged[source];
}

inline void lose(State& s, int cell, int dead) {
    int left = s.crowd[cell] - dead;
    if (left) return put(s, cell, s.owner[cell], left);
    put(s, cell, FREE, 0);
    s.condition[cell] = s.stuck[cell] = s.forged[cell] = 0;
}

inline bool shielded(State& s, int cell) {
    if (s.condition[cell] != PROTECTED) return false;
    s.condition[cell] = 0;
    return true;
}

inline void attack(State& s, int source, int target) {
    if (shielded(s, target)) return;
    s.waiting = FIGHT;
    s.source = int8_t(source);
    s.target = int8_t(target);
}

inline bool can_pay(const State& s, int seat, int ground) { return s.goods[seat][COIN[ground]] >= PRICE[ground]; }

inline void pay(State& s, int seat, int ground) {
    s.goods[seat][COIN[ground]] = int16_t(s.goods[seat][COIN[ground]] - PRICE[ground]);
}

inline bool touched(const State& s, int seat, int cell) {
    for (int near : T.neighbour[cell])
        if (near >= 0 && s.owner[near] == seat) return true;
    return false;
}

inline int zones(const Terms& terms, const State& s, int seat) {
    int missing = 0;
    for (int cell = 0; cell < CELLS; cell++)
        if (s.owner[cell] != seat) missing |= 1 << terms.ground[cell];
    return 3 - __builtin_popcount(missing & 7);
}

// -- the wheel of a turn --

inline void await_tick(State& s, int first) {
    s.waiting = s.target = 0;
    if (s.cells[s.player] == 0) return;
    for (int cell = first; cell < CELLS; cell++)
        if (s.owner[cell] == s.player && 0 < s.condition[cell] && s.condition[cell] <= POISON_TICKS) {
            s.waiting = TICK;
            s.target = int8_t(cell);
            return;
        }
}

inline void begin_turn(const Terms& terms, State& s) {
    int16_t* goods = s.goods[s.player];
    for (int cell = 0; cell < CELLS; cell++)
        if (s.owner[cell] == s.player)
            goods[terms.resource[cell]] = int16_t(goods[terms.resource[cell]] + terms.amount[cell]);
    await_tick(s, 0);
}

inline void end_turn(const Terms& terms, State& s, int seat) {
    for (int cell = 0; cell < CELLS; cell++)
        if (s.owner[cell] == seat) {
            if (s.stuck[cell]) s.stuck[cell]--;
            if (s.forged[cell]) s.forged[cell]--;
        }
    s.phase = CONQUEST;
    s.used = 0;
    s.player = int8_t(1 - seat);
    s.turns++;
    if (terms.humans && s.turns % 2 == 0)
        s.waiting = HUMANS;
    else if (s.turns < 2 * terms.rounds)
        begin_turn(terms, s);
}

inline void go_on(const Terms& terms, State& s, int seat) {
    if (s.stock[seat] == 0 || s.creatures[seat] >= CROWD * s.cells[seat]) end_turn(terms, s, seat);
}

// -- powers --

inline bool has_power(const Terms& terms, const State& s, int seat, int kind) {
    if (s.phase != (kind == CANDY ? REINFORCEMENT : CONQUEST)) return false;
    if (PILLAGE <= kind && kind <= SHELTER)
        return (kind == PILLAGE || kind - POISON == terms.clan[seat]) && s.points[seat] >= ABILITY;
    int ground = GROUND_OF[kind];
    return s.owner[terms.special[ground]] == seat && !(s.used >> ground & 1) && can_pay(s, seat, ground);
}

inline bool can_start(const State& s, int seat, int cell) {
    return s.owner[cell] == seat && s.crowd[cell] >= 2 && s.stuck[cell] == 0;
}

inline int list_power(const Terms& terms, const State& s, int seat, int kind, int32_t* out, int n) {
    for (int target = 0; target < CELLS; target++) {
        if (s.owner[target] != (kind == FORGE ? seat : 1 - seat)) continue;
        if (kind != SKY && kind != SHELTER) {
            bool anywhere = kind == FORGE || (terms.far && (kind == BARBECUE || kind == POOL));
            if (anywhere || touched(s, seat, target)) out[n++] = kind << 16 | target;
        } else if (can_pay(s, seat, terms.ground[target])) {
            for (int source = 0; source < CELLS; source++)
                if (can_start(s, seat, source) && (kind == SKY || T.touches[source][target]))
                    out[n++] = kind << 16 | source << 8 | target;
        }
    }
    return n;
}

inline void use_ability(const Terms& terms, State& s, int seat, int kind, int source, int target) {
    if (shielded(s, target)) return;
    if (kind == PILLAGE) {
        int16_t &mine = s.goods[seat][terms.clan[seat]], &theirs = s.goods[1 - seat][terms.clan[seat]];
        int taken = std::min<int>(PILLAGED_AT_MOST, theirs);
        theirs = int16_t(theirs - taken);
        mine = int16_t(mine + taken);
        lose(s, target, 1);
    } else if (kind == POISON) {
        s.condition[target] = POISON_TICKS;
    } else if (kind == IMMOBILISE) {
        s.stuck[target] = STUCK_TURNS;
    } else if (kind == SHELTER) {
        pay(s, seat, terms.ground[target]);
        s.stock[1 - seat] = int16_t(s.stock[1 - seat] + s.crowd[target]);
        s.condition[target] = PROTECTED;
        enter(s, seat, source, target);
    }
}

inline void use_power(const Terms& terms, State& s, int seat, int kind, int source, int target) {
    int ground = GROUND_OF[kind];
    if (ground) {
        pay(s, seat, ground);
        if (kind != SKY) s.used = int8_t(s.used | 1 << ground);
    } else {
        s.points[seat] -= ABILITY;
    }
    if (kind == CANDY)
        s.stock[seat] = int16_t(s.stock[seat] + terms.k);
    else if (kind == SKY)
        attack(s, source, target);
    else if (kind == BARBECUE || kind == POOL) {
        if (!shielded(s, target)) lose(s, target, std::min<int>(GRILLED_AT_MOST, s.crowd[target]));
    } else if (kind == FORGE)
        s.forged[target] = FORGED_TURNS;
    else
        use_ability(terms, s, seat, kind, source, target);
}

// -- dice and humans --

inline int some_dice(Random& random, int n, int sides) {
    int dice = 0;
    for (int k = 0; k < n; k++) dice |= int(random.below(uint32_t(sides)) + 1) << 4 * k;
    return dice;
}

inline int sum_of(int64_t dice) {
    int total = 0;
    for (; dice; dice >>= 4) total += int(dice & 15);
    return total;
}

inline int64_t roll(const Terms& terms, const State& s, Random& random) {
    if (s.waiting == FIGHT) {
        int ours = some_dice(random, s.crowd[s.source] - terms.moving, s.forged[s.source] ? 9 : 6);
        return ours | int64_t(some_dice(random, s.crowd[s.target], s.forged[s.target] ? 9 : 6)) << 4 * CROWD;
    }
    if (s.waiting == TICK) return some_dice(random, 1 + s.crowd[s.target], 6);
    if (random.below(ODDS_OF_HUMANS)) return 0;
    int what = 1 + int(random.below(3));
    if (what == FOOTSTEP) return FOOTSTEP << 8 | int(random.below(CELLS));
    return what << 8 | (what == LUNCH ? int(random.below(2)) : 0);
}

inline void fight(const Terms& terms, State& s, int64_t dice) {
    int seat = s.player, source = s.source, target = s.target;
    bool won = sum_of(dice & ((1 << 4 * CROWD) - 1)) > sum_of(dice >> 4 * CROWD);
    s.waiting = s.source = s.target = 0;
    if (won) {
        pay(s, seat, terms.ground[target]);
        enter(s, seat, source, target);
    } else {
        put(s, source, seat, 1);
    }
    s.points[won ? seat : 1 - seat]++;
}

inline void poison(State& s, int64_t dice) {
    int cell = s.target, dead = 0;
    for (int k = 1; k <= s.crowd[cell]; k++) dead += (dice >> 4 * k & 15) < (dice & 15);
    s.condition[cell]--;
    if (dead) lose(s, cell, dead);
    await_tick(s, cell + 1);
}

inline void intervene(const Terms& terms, State& s, int action) {
    int what = action >> 8;
    s.waiting = 0;
    if (what == SWEETS) {
        s.stock[0]++;
        s.stock[1]++;
    } else if (what) {
        int cell = what == FOOTSTEP ? action & 255 : terms.special[BARBECUE_CELL + (action & 255)];
        if (s.crowd[cell]) lose(s, cell, what == FOOTSTEP ? 1 : s.crowd[cell]);
    }
    if (!over(terms, s)) begin_turn(terms, s);
}

// -- the contract --

inline int list_placements(const Terms& terms, const State& s, int seat, int32_t* out) {
    int n = 0;
    for (int cell = 0; cell < CELLS; cell++)
        if (s.owner[cell] == seat)
            for (int k = 1; k <= std::min<int>(s.stock[seat], CROWD - s.crowd[cell]); k++)
                out[n++] = PLACE << 16 | k << 8 | cell;
    if (has_power(terms, s, seat, CANDY)) out[n++] = CANDY << 16;
    return n;
}

inline int legal(const Terms& terms, const State& s, int seat, int32_t* out) {
    if (s.phase == REINFORCEMENT) return list_placements(terms, s, seat, out);
    out[0] = END;
    int n = 1;
    for (int cell = 0; cell < CELLS; cell++)
        if (can_start(s, seat, cell))
            for (int to : T.neighbour[cell])
                if (to >= 0 && s.owner[to] != seat && can_pay(s, seat, terms.ground[to]))
                    out[n++] = MOVE << 16 | cell << 8 | to;
    for (int kind = SKY; kind <= SHELTER; kind++)
        if (has_power(terms, s, seat, kind)) n = list_power(terms, s, seat, kind, out, n);
    return n;
}

inline void resolve(const Terms& terms, State& s, int64_t action) {
    if (s.waiting == FIGHT)
        fight(terms, s, action);
    else if (s.waiting == TICK)
        poison(s, action);
    else if (s.waiting == HUMANS)
        intervene(terms, s, int(action));
}

inline void apply(const Terms& terms, State& s, int seat, int action) {
    int kind = action >> 16, a = action >> 8 & 255, b = action & 255;
    if (kind == END) {
        s.phase = REINFORCEMENT;
        s.stock[seat] = int16_t(s.stock[seat] + terms.m + terms.n * zones(terms, s, seat));
        go_on(terms, s, seat);
    } else if (kind == PLACE) {
        s.stock[seat] = int16_t(s.stock[seat] - a);
        put(s, b, seat, s.crowd[b] + a);
        go_on(terms, s, seat);
    } else if (kind != MOVE) {
        use_power(terms, s, seat, kind, a, b);
    } else if (s.owner[b] == FREE) {
        pay(s, seat, terms.ground[b]);
        enter(s, seat, a, b);
    } else {
        attack(s, a, b);
    }
}

int64_t playout(const Terms& terms, State& s, Random& random) {
    int32_t out[MAX_LEGAL];
    for (int64_t steps = 0;; steps++) {
        int seat = turn(terms, s);
        if (seat == NOBODY) return steps;
        if (seat == CHANCE) {
            resolve(terms, s, roll(terms, s, random));
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
