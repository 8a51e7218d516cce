// What the hand-written programs share: the random generator of core/random.py, a clock, a checksum, a JSON line.
//
//   PROGRAM playouts SECONDS SEED    -> {"moves/s": ..., "games/s": ...}
//   PROGRAM check GAMES SEED         -> {"steps": ..., "crc": ...}, of the same games as Python plays
//
// Terms and start come from the standard input, as bytes.
// A state has the same layout as the NumPy record of the same game, so that checksums run over its bytes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

struct Random {  // sfc32
    uint32_t a, b, c, count;

    explicit Random(uint64_t seed) : a(uint32_t(seed)), b(uint32_t(seed >> 32)), c(0x9E3779B9), count(1) {
        for (int i = 0; i < 12; i++) word();
    }

    uint32_t word() {
        uint32_t result = a + b + count;
        count++;
        a = b ^ b >> 9;
        b = c + (c << 3);
        c = (c << 21 | c >> 11) + result;
        return result;
    }

    uint32_t below(uint32_t n) { return uint32_t(uint64_t(word()) * n >> 32); }

    int64_t key() {  // 62 bits of a Zobrist table
        int64_t high = word();
        return high << 30 ^ int64_t(word());
    }
};

// Seconds of the processor.
inline double now() { return double(std::clock()) / CLOCKS_PER_SEC; }

// The CRC-32 of zlib: continues `crc` over `size` bytes.
inline uint32_t crc32(uint32_t crc, const void* data, size_t size) {
    const uint8_t* bytes = static_cast<const uint8_t*>(data);
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

template <class Record>
Record read_record() {
    Record record;
    if (fread(&record, sizeof record, 1, stdin) != 1) {
        fprintf(stderr, "Expected %zu bytes on the standard input\n", sizeof record);
        exit(2);
    }
    return record;
}

// `playout(terms, state, random)` plays a game to its end and returns its number of actions.
template <class Terms, class State, class Playout>
void playouts(const Terms& terms, const State& start, double seconds, uint64_t seed, Playout playout) {
    Random random(seed);
    State state;
    int64_t steps = 0, games = 0;
    double begin = now(), spent = 0;
    while (spent < seconds) {
        for (int k = 0; k < 200; k++) {
            state = start;
            steps += playout(terms, state, random);
        }
        games += 200;
        spent = now() - begin;
    }
    printf("{\"moves/s\": %.1f, \"games/s\": %.1f}\n", double(steps) / spent, double(games) / spent);
}

template <class Terms, class State, class Playout>
void check(const Terms& terms, const State& start, int games, uint64_t seed, Playout playout) {
    Random random(seed);
    State state;
    int64_t steps = 0;
    uint32_t crc = 0;
    for (int k = 0; k < games; k++) {
        memcpy(&state, &start, sizeof state);  // with its padding
        steps += playout(terms, state, random);
        crc = crc32(crc, &state, sizeof state);
    }
    printf("{\"steps\": %lld, \"crc\": %u}\n", static_cast<long long>(steps), crc);
}

// What every program can be asked: `playouts` and `check`.
template <class Terms, class State, class Playout>
void answer(char** argv, const Terms& terms, const State& start, Playout playout) {
    uint64_t seed = strtoull(argv[3], nullptr, 10);
    if (!strcmp(argv[1], "playouts")) playouts(terms, start, atof(argv[2]), seed, playout);
    if (!strcmp(argv[1], "check")) check(terms, start, atoi(argv[2]), seed, playout);
}
