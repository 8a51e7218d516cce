// Khet by hand under the templates of search/walk.py: random playouts and perft.
//
//   khet perft DEPTH SECONDS    -> {"leaves/s": ..., "leaves": ...}, as often as fits in SECONDS

#include "khet.hpp"

namespace {

int64_t playout(const Terms& terms, State& s, Random& random) {
    int16_t out[MAX_LEGAL];
    for (int64_t steps = 0;; steps++) {
        int seat = turn(s);
        if (seat == NOBODY) return steps;
        uint32_t n = uint32_t(legal(terms, s, seat, out));
        apply(terms, s, seat, out[random.below(n)]);
    }
}

int64_t perft(const Terms& terms, State* s, int depth) {
    int16_t out[MAX_LEGAL];
    int seat = turn(*s);
    if (seat == NOBODY) return 0;
    int n = legal(terms, *s, seat, out);
    if (depth == 1) return n;
    int64_t total = 0;
    for (int k = 0; k < n; k++) {
        s[1] = *s;
        apply(terms, s[1], seat, out[k]);
        total += perft(terms, s + 1, depth - 1);
    }
    return total;
}

void count_leaves(const Terms& terms, const State& start, int depth, double seconds) {
    State stack[16] = {start};
    int64_t leaves = 0, times = 0;
    double begin = now(), spent = 0;
    while (spent < seconds) {
        leaves = perft(terms, stack, depth);
        times++;
        spent = now() - begin;
    }
    printf("{\"leaves/s\": %.1f, \"leaves\": %lld}\n", double(leaves * times) / spent, static_cast<long long>(leaves));
}

}  // namespace

int main(int, char** argv) {
    Terms terms = read_record<Terms>();
    State start = read_record<State>();
    answer(argv, terms, start, playout);
    if (!strcmp(argv[1], "perft")) count_leaves(terms, start, atoi(argv[2]), atof(argv[3]));
}
