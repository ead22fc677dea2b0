// src/quet/games/convoluted_coprimality/rules.py in C++.
struct State {
    int64_t n, players, grids, grid, number, last, mover, num_left, is_over;
    int64_t is_left[9];
    int16_t numbers[400];
};

constexpr bool LOWER_IS_BETTER = false;
constexpr int EMPTY = 0;

inline int64_t num_players(const State& s) { return s.players; }
inline int64_t mover(const State& s) { return s.mover; }
inline bool is_over(const State& s) { return s.is_over == 1; }

inline int64_t gcd(int64_t a, int64_t b) {
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

inline bool is_prime(int64_t k) {
    if (k < 2) return false;
    for (int64_t d = 2; d * d <= k; d++)
        if (k % d == 0) return false;
    return true;
}

inline void pass_turn(State& s) {
    s.mover = s.mover % s.players + 1;
    while (!s.is_left[s.mover]) s.mover = s.mover % s.players + 1;
}

inline void new_grid(State& s) {
    s.grid++;
    for (int64_t square = 0; square < s.n * s.n; square++) s.numbers[square] = EMPTY;
    s.last = (s.n - 1) * s.n;
    s.number = s.numbers[s.last] = 1;
    s.mover = 0;
    pass_turn(s);
}

inline bool can_take(const State& s, int64_t square) {
    const int64_t n = s.n;
    if (s.numbers[square] != EMPTY) return false;
    const int64_t row = square / n, column = square - row * n;
    if (row == 0 || row == n - 1 || column == 0 || column == n - 1) return true;
    int64_t beside = 0;
    for (const int64_t other : {square - n, square - 1, square + 1, square + n})
        if (s.numbers[other] != EMPTY) beside++;
    return beside >= 2;
}

inline int64_t legal_moves(const State& s, int64_t* out) {
    if (s.is_over) return 0;
    const int64_t n = s.n, row = s.last / n, column = s.last - row * n;
    int64_t count = 0;
    if (row > 0 && can_take(s, s.last - n)) out[count++] = s.last - n;
    if (column > 0 && can_take(s, s.last - 1)) out[count++] = s.last - 1;
    if (column < n - 1 && can_take(s, s.last + 1)) out[count++] = s.last + 1;
    if (row < n - 1 && can_take(s, s.last + n)) out[count++] = s.last + n;
    return count;
}

inline bool eliminates(const State& s, int64_t square) {
    const int64_t n = s.n, number = s.number + 1, row = square / n, column = square - row * n;
    return (row > 0 && gcd(s.numbers[square - n], number) > 1 && s.numbers[square - n] != EMPTY) ||
           (column > 0 && gcd(s.numbers[square - 1], number) > 1 && s.numbers[square - 1] != EMPTY) ||
           (column < n - 1 && gcd(s.numbers[square + 1], number) > 1 && s.numbers[square + 1] != EMPTY) ||
           (row < n - 1 && gcd(s.numbers[square + n], number) > 1 && s.numbers[square + n] != EMPTY);
}

inline bool is_blocked(const State& s) {
    const int64_t n = s.n, row = s.last / n, column = s.last - row * n;
    return !((row > 0 && can_take(s, s.last - n)) || (column > 0 && can_take(s, s.last - 1)) ||
             (column < n - 1 && can_take(s, s.last + 1)) || (row < n - 1 && can_take(s, s.last + n)));
}

inline void play(State& s, int64_t move) {
    const bool is_eliminated = eliminates(s, move);
    s.number++;
    s.numbers[move] = s.number;
    s.last = move;
    if (is_eliminated) {
        s.is_left[s.mover] = 0;
        s.num_left--;
        if (s.num_left == 1) {
            s.is_over = 1;
            return;
        }
    }
    if (is_eliminated || is_prime(s.number)) pass_turn(s);
    if (is_blocked(s)) {
        if (s.grid == s.grids)
            s.is_over = 1;
        else
            new_grid(s);
    }
}

inline int64_t score(const State& s, int64_t player) { return s.is_left[player]; }
