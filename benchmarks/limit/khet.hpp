// Khet by hand: the algorithm of games/khet/rules.py, with its state, its order of actions and its keys.
//
//   a square is row * 10 + column, row 0 on top; a piece is colour << 5 | kind << 2 | facing, an empty square is 0;
//   an action is square << 4 | what: 0..7 step (N NE E SE S SW W NW), 8 turn clockwise, 9 counter-clockwise

#pragma once

#include "limit.hpp"

constexpr int WIDTH = 10, HEIGHT = 8, SQUARES = 80, MAX_LEGAL = 130;
constexpr int SILVER = 0, RED = 1;
constexpr int PHARAOH = 1, SPHINX = 2, PYRAMID = 3, ANUBIS = 4, SCARAB = 5;
constexpr int CLOCKWISE = 8, COUNTER = 9, DESTROYED = -1, ABSORBED = -2, PLAYING = -1, DRAWN = 2, NOBODY = -3;
constexpr int QUIET_TURNS = 100;

struct Terms {
    int16_t seats;
    int8_t pharaoh_rotates, draws;
};

struct State {
    int8_t board[SQUARES];
    int8_t player, result;
    int16_t quiet;
    int8_t pharaohs[2], pyramids, anubis;
    int64_t key;
    int64_t keys[QUIET_TURNS];
};

struct Tables {
    int8_t neighbour[SQUARES][8];
    int8_t ahead[4] = {-WIDTH, 1, WIDTH, -1};  // from a square to the next in the direction of a beam
    int8_t last[SQUARES][4];                   // the last square before the edge in that direction
    int8_t closed_to[SQUARES];
    int8_t leaves[32][4];  // [kind << 2 | facing][direction of a beam] -> its direction afterwards
    int64_t key[SQUARES][64];
    int64_t key_of_side;

    Tables() {
        constexpr int down[8] = {-1, -1, 0, 1, 1, 1, 0, -1}, right[8] = {0, 1, 1, 1, 0, -1, -1, -1};
        for (int square = 0; square < SQUARES; square++) {
            int r = square / WIDTH, c = square % WIDTH;
            for (int d = 0; d < 8; d++) {
                int y = r + down[d], x = c + right[d];
                bool inside = 0 <= y && y < HEIGHT && 0 <= x && x < WIDTH;
                neighbour[square][d] = int8_t(inside ? y * WIDTH + x : -1);
            }
            last[square][0] = int8_t(c);
            last[square][1] = int8_t(r * WIDTH + WIDTH - 1);
            last[square][2] = int8_t((HEIGHT - 1) * WIDTH + c);
            last[square][3] = int8_t(r * WIDTH);
            closed_to[square] = int8_t(c == 0 ? SILVER : c == 9 ? RED : -1);
        }
        closed_to[8] = closed_to[78] = SILVER;
        closed_to[1] = closed_to[71] = RED;
        memset(leaves, DESTROYED, sizeof leaves);
        for (int facing = 0; facing < 4; facing++) {
            leaves[PYRAMID << 2 | facing][(facing + 2) % 4] = int8_t((facing + 1) % 4);
            leaves[PYRAMID << 2 | facing][(facing + 3) % 4] = int8_t(facing);
            leaves[ANUBIS << 2 | facing][(facing + 2) % 4] = ABSORBED;
            for (int d = 0; d < 4; d++) {
                leaves[SPHINX << 2 | facing][d] = ABSORBED;
                leaves[SCARAB << 2 | facing][d] = int8_t(facing % 2 ? d ^ 1 : 3 - d);
            }
        }
        Random random(2);
        for (auto& of_square : key)
            for (auto& of_piece : of_square) of_piece = random.key();
        for (auto& of_square : key) of_square[0] = 0;
        key_of_side = random.key();
    }
};

static const Tables T;

inline int turn(const State& s) { return s.result == PLAYING ? s.player : NOBODY; }

inline bool can_step(const State& s, int piece, int to) {
    if (T.closed_to[to] == piece >> 5) return false;
    int there = s.board[to];
    if (there == 0) return true;
    int kind = there >> 2 & 7;
    return (piece >> 2 & 7) == SCARAB && (kind == PYRAMID || kind == ANUBIS);
}

inline int legal(const Terms& terms, const State& s, int seat, int16_t* out) {
    int n = 0;
    for (int square = 0; square < SQUARES; square++) {
        int piece = s.board[square];
        if ((piece - 1) >> 5 != seat) continue;  // of an empty square, -1
        int kind = piece >> 2 & 7;
        if (kind == SPHINX) {
            out[n++] = int16_t(square << 4 | ((piece & 3) == 2 * seat ? COUNTER : CLOCKWISE));
            continue;
        }
        for (int direction = 0; direction < 8; direction++) {
            int to = T.neighbour[square][direction];
            if (to >= 0 && (s.board[to] == 0 || kind == SCARAB) && can_step(s, piece, to)) out[n++] = int16_t(square << 4 | direction);
        }
        if (kind != PHARAOH || terms.pharaoh_rotates) {
            out[n++] = int16_t(square << 4 | CLOCKWISE);
            out[n++] = int16_t(square << 4 | COUNTER);
        }
    }
    return n;
}

inline void put(State& s, int square, int piece) {
    s.key ^= T.key[square][s.board[square]] ^ T.key[square][piece];
    s.board[square] = int8_t(piece);
}

inline int turned(int piece, int what) {
    if ((piece >> 2 & 7) == SCARAB) return piece ^ 1;
    return (piece & ~3) | ((piece + (what == CLOCKWISE ? 1 : 3)) & 3);
}

// The square of the piece that the sphinx of `colour` destroys, or -1.
inline int fire(const State& s, int colour) {
    int square = colour == SILVER ? 79 : 0;
    int direction = s.board[square] & 3;
    for (;;) {
        int step = T.ahead[direction], last = T.last[square][direction], piece = 0;
        while (piece == 0) {
            if (square == last) return -1;
            square += step;
            piece = s.board[square];
        }
        direction = T.leaves[piece & 31][direction];
        if (direction < 0) return direction == DESTROYED ? square : -1;
    }
}

inline bool repeated(const State& s) {
    int times = 1;
    for (int back = s.quiet - 2; back >= 0; back -= 2) times += s.keys[back] == s.key;
    return times >= 3;
}

inline void apply(const Terms& terms, State& s, int seat, int action) {
    if (terms.draws) s.keys[s.quiet++] = s.key;
    int square = action >> 4, what = action & 15;
    int piece = s.board[square];
    if (what < CLOCKWISE) {
        int to = T.neighbour[square][what];
        put(s, square, s.board[to]);
        put(s, to, piece);
        if ((piece >> 2 & 7) == PHARAOH) s.pharaohs[seat] = int8_t(to);
    } else {
        put(s, square, turned(piece, what));
    }
    int hit = fire(s, seat);
    if (hit >= 0) {
        int victim = s.board[hit], colour = victim >> 5, kind = victim >> 2 & 7;
        put(s, hit, 0);
        s.quiet = 0;
        if (kind == PHARAOH) {
            s.pharaohs[colour] = 0;
            s.result = int8_t(1 - colour);
        } else if (kind == PYRAMID) {
            s.pyramids = int8_t(s.pyramids + 2 * colour - 1);
        } else if (kind == ANUBIS) {
            s.anubis = int8_t(s.anubis + 2 * colour - 1);
        }
    }
    s.player = int8_t(1 - seat);
    s.key ^= T.key_of_side;
    if (terms.draws && s.result == PLAYING && (s.quiet >= QUIET_TURNS || repeated(s))) s.result = DRAWN;
}
