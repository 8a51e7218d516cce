// Khet by hand under the alpha-beta of search/alphabeta.py, deepened as players/searching.py does it.
//
//   khet_alphabeta DEPTH SECONDS WEIGHT...   -> {"nodes/s": ..., "nodes": ..., "value": ..., "best": ...}, as often as
//                                              fits; the weights are those of games/khet/evaluate.py

#include <algorithm>
#include <vector>

#include "khet.hpp"

namespace {

constexpr int WIN = 1000000, INFINITE = 2 * WIN, DEEPEST = 64, HISTORY = 4096, TABLE = 1 << 18;
constexpr int TRIED_BEFORE = 1 << 28, KILLER = 1 << 24;  // above every mark of the history
enum Bound : int8_t { EXACT, AT_LEAST, AT_MOST };

struct Entry {
    int64_t key, action;
    int32_t worth;
    int8_t depth;
    Bound bound;
    int16_t thought;
};

int score(const State& s, int seat) {
    if (s.result == PLAYING || s.result == DRAWN) return 0;
    return s.result == seat ? 1 : -1;
}

int final_worth(const State& s, int seat, int depth) {
    int margin = score(s, seat) - score(s, 1 - seat);
    return margin > 0 ? WIN + depth : margin < 0 ? -WIN - depth : 0;
}

// as games/khet/evaluate.py does it, with its weights, which come from the command line
enum { W_PYRAMID, W_ANUBIS, W_OPEN, W_BARE, W_REACH, W_NEAR, W_CROSS, W_TURN, W_HIT, W_AIM, W_TEMPO, WEIGHTS };
int weight[WEIGHTS];

int worth_of(int kind) { return kind == PYRAMID ? weight[W_PYRAMID] : kind == ANUBIS ? weight[W_ANUBIS] : 0; }

bool near(int a, int b) { return abs(a / WIDTH - b / WIDTH) <= 2 && abs(a % WIDTH - b % WIDTH) <= 2; }

int siege(const State& s, int colour, int pharaoh) {
    bool seen[SQUARES] = {}, ends[SQUARES] = {};
    int total = 0;
    for (int side = 0; side < 8; side += 2) {
        int square = T.neighbour[pharaoh][side];
        if (square >= 0 && s.board[square] == 0) total += weight[W_BARE];
        for (; square >= 0 && s.board[square] == 0; square = T.neighbour[square][side]) {
            total += weight[W_OPEN];
            seen[square] = true;
        }
        if (square >= 0 && s.board[square] >> 5 == colour) ends[square] = true;
    }
    int square = colour == SILVER ? 79 : 0;
    int direction = s.board[square] & 3;
    while (true) {
        square = T.neighbour[square][2 * direction];
        if (square < 0) return total;
        int piece = s.board[square];
        total += weight[W_REACH] + (near(pharaoh, square) ? weight[W_NEAR] : 0);
        if (piece == 0) {
            if (seen[square]) total += weight[W_CROSS];
            continue;
        }
        if (ends[square]) total += weight[W_TURN];
        direction = T.leaves[piece & 31][direction];
        if (direction == DESTROYED) {
            int value = worth_of(piece >> 2 & 7) * weight[s.player == colour ? W_HIT : W_AIM] / 100;
            total += piece >> 5 != colour ? value : -value;
        }
        if (direction < 0) return total;
    }
}

int evaluate(const State& s, int seat) {
    int balance = s.pyramids * weight[W_PYRAMID] + s.anubis * weight[W_ANUBIS];
    if (seat == RED) balance = -balance;
    balance += s.player == seat ? weight[W_TEMPO] : -weight[W_TEMPO];
    balance += siege(s, seat, s.pharaohs[1 - seat]) - siege(s, 1 - seat, s.pharaohs[seat]);
    return std::clamp(balance, 1 - WIN, WIN - 1);
}

struct Search {
    const Terms& terms;
    int seat;  // who thinks
    int16_t thought;
    std::vector<Entry>& table;
    int64_t nodes = 0, most_nodes = INT64_MAX;
    bool stop = false;
    int best = -1;
    int16_t killers[DEEPEST + 1][2] = {};
    int32_t history[HISTORY] = {};
    State stack[DEEPEST + 1] = {};

    void mark_actions(const int16_t* out, int32_t* marks, int n, int first, int level) const {
        for (int k = 0; k < n; k++) {
            int action = out[k], mark = history[action];
            if (action == first)
                mark += TRIED_BEFORE;
            else if (action == killers[level][0] || action == killers[level][1])
                mark += KILLER;
            marks[k] = mark;
        }
    }

    static int bring_best_forward(int16_t* out, int32_t* marks, int k, int n) {
        int top = k;
        for (int j = k + 1; j < n; j++)
            if (marks[j] > marks[top]) top = j;
        std::swap(out[k], out[top]);
        std::swap(marks[k], marks[top]);
        return out[k];
    }

    void remember_cut(int level, int depth, int action) {
        if (killers[level][0] != action) {
            killers[level][1] = killers[level][0];
            killers[level][0] = int16_t(action);
        }
        history[action] = std::min(history[action] + depth * depth, 1 << 19);
    }

    int alphabeta(int alpha, int beta, int depth, int level) {
        const State& s = stack[level];
        int who = turn(s);
        int sign = who == seat ? 1 : -1;
        if (who == NOBODY) return sign * final_worth(s, seat, depth);
        if (depth == 0) return sign * evaluate(s, seat);
        Entry& entry = table[s.key & (TABLE - 1)];
        int first = -1;
        if (entry.key == s.key && entry.thought == thought) {
            first = int(entry.action);
            if (level > 0 && entry.depth == depth) {
                if (entry.bound == EXACT) return entry.worth;
                if (entry.bound == AT_LEAST)
                    alpha = std::max(alpha, entry.worth);
                else
                    beta = std::min(beta, entry.worth);
                if (alpha >= beta) return entry.worth;
            }
        }
        int16_t out[MAX_LEGAL];
        int32_t marks[MAX_LEGAL];
        int n = legal(terms, s, who, out);
        mark_actions(out, marks, n, first, level);
        int most = -INFINITE, chosen = -1, floor = alpha;
        for (int k = 0; k < n; k++) {
            if (stop || nodes >= most_nodes) {
                stop = true;
                return most;
            }
            int action = bring_best_forward(out, marks, k, n);
            nodes++;
            State& below = stack[level + 1];
            below = s;
            apply(terms, below, who, action);
            bool same = turn(below) == seat;
            int worth = same == (sign == 1) ? alphabeta(alpha, beta, depth - 1, level + 1)
                                            : -alphabeta(-beta, -alpha, depth - 1, level + 1);
            if (stop) return most;
            if (worth > most) {
                most = worth;
                chosen = action;
                if (level == 0) best = action;
            }
            alpha = std::max(alpha, most);
            if (alpha >= beta) {
                remember_cut(level, depth, action);
                break;
            }
        }
        Bound bound = most <= floor ? AT_MOST : most >= beta ? AT_LEAST : EXACT;
        entry = {s.key, chosen, most, int8_t(depth), bound, thought};
        return most;
    }
};

}  // namespace

int main(int, char** argv) {
    Terms terms = read_record<Terms>();
    State start = read_record<State>();
    int deepest = atoi(argv[1]);
    double seconds = atof(argv[2]);
    for (int k = 0; k < WEIGHTS; k++) weight[k] = atoi(argv[3 + k]);
    std::vector<Entry> table(TABLE);
    int64_t nodes = 0, of_one = 0;
    int worth = 0, best = -1;
    double begin = now(), spent = 0;
    for (int16_t thought = 1; spent < seconds; thought++) {
        Search search{terms, turn(start), thought, table};
        search.stack[0] = start;
        for (int depth = 1; depth <= deepest; depth++) worth = search.alphabeta(-INFINITE, INFINITE, depth, 0);
        of_one = search.nodes;
        nodes += of_one;
        best = search.best;
        spent = now() - begin;
    }
    printf("{\"nodes/s\": %.1f, \"nodes\": %lld, \"value\": %d, \"best\": %d}\n", double(nodes) / spent,
           static_cast<long long>(of_one), worth, best);
}
