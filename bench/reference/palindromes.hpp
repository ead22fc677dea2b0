// src/quet/games/palindromes/rules.py and exact.py in C++.
struct State {
    int64_t m, ply;
    int16_t digits[64];
};

constexpr bool LOWER_IS_BETTER = false;
constexpr int EMPTY = -1;

inline int64_t num_players(const State&) { return 2; }
inline int64_t mover(const State& s) { return 1 + s.ply % 2; }
inline bool is_over(const State& s) { return s.ply == s.m; }

inline int64_t legal_moves(const State& s, int64_t* out) {
    int64_t count = 0;
    for (int64_t square = 0; square < s.m; square++)
        if (s.digits[square] == EMPTY) {
            out[count] = 2 * square;
            out[count + 1] = 2 * square + 1;
            count += 2;
        }
    return count;
}

inline void play(State& s, int64_t move) {
    s.digits[move / 2] = move % 2;
    s.ply++;
}

inline int64_t half_length(const State& s, int64_t centre, int64_t player) {
    int64_t half = 0;
    while (half < centre && centre + half < s.m) {
        const int64_t left = s.digits[centre - 1 - half], right = s.digits[centre + half];
        if (left == EMPTY || right == EMPTY || (left ^ right) != player - 1) break;
        half++;
    }
    return half;
}

inline int64_t score(const State& s, int64_t player) {
    int64_t total = 0;
    for (int64_t centre = 1; centre < s.m; centre++) {
        const int64_t half = half_length(s, centre, player);
        total += half * (half + 1);
    }
    return total;
}

#define HAS_KEY
inline int64_t key(const State& s) {
    int64_t forwards = 0, backwards = 0, forwards_other = 0, backwards_other = 0;
    for (int64_t square = 0; square < s.m; square++) {
        int64_t digit = s.digits[square] + 1;
        forwards = 3 * forwards + digit;
        forwards_other = 3 * forwards_other + (digit == 0 ? digit : 3 - digit);
        digit = s.digits[s.m - 1 - square] + 1;
        backwards = 3 * backwards + digit;
        backwards_other = 3 * backwards_other + (digit == 0 ? digit : 3 - digit);
    }
    return std::min(std::min(forwards, backwards), std::min(forwards_other, backwards_other));
}
