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
    if (k % 2 == 0) return k == 2;
    for (int64_t d = 3; d * d <= k; d += 2)
        if (k % d == 0) return false;
    return true;
}

inline void pass_turn(State& s) {
    s.mover = s.mover < s.players ? s.mover + 1 : 1;
    while (!s.is_left[s.mover]) s.mover = s.mover < s.players ? s.mover + 1 : 1;
}

inline void new_grid(State& s) {
    s.grid++;
    for (int64_t square = 0; square < s.n * s.n; square++) s.numbers[square] = EMPTY;
    s.last = (s.n - 1) * s.n;
    s.number = s.numbers[s.last] = 1;
    s.mover = 0;
    pass_turn(s);
}

// As in src/quet/core/grid.py.
inline int64_t column_of(int64_t square, int64_t n) { return (square & 0xFFFF) % std::max<int64_t>(n & 0xFFFF, 1); }

inline bool can_take(const State& s, int64_t square, int64_t column) {
    const int64_t n = s.n;
    if (s.numbers[square] != EMPTY) return false;
    if (square < n || square >= n * n - n || column == 0 || column == n - 1) return true;
    return (s.numbers[square - n] != EMPTY) + (s.numbers[square - 1] != EMPTY) + (s.numbers[square + 1] != EMPTY) +
               (s.numbers[square + n] != EMPTY) >=
           2;
}

inline int64_t legal_moves(const State& s, int64_t* out) {
    if (s.is_over) return 0;
    const int64_t n = s.n, column = column_of(s.last, n);
    int64_t count = 0;
    if (s.last >= n && can_take(s, s.last - n, column)) out[count++] = s.last - n;
    if (column > 0 && can_take(s, s.last - 1, column - 1)) out[count++] = s.last - 1;
    if (column < n - 1 && can_take(s, s.last + 1, column + 1)) out[count++] = s.last + 1;
    if (s.last < n * n - n && can_take(s, s.last + n, column)) out[count++] = s.last + n;
    return count;
}

inline bool shares_factor(const State& s, int64_t square) {
    const int64_t number = s.numbers[square];
    return number != EMPTY && number != s.number && gcd(s.number + 1, number) > 1;
}

inline bool eliminates(const State& s, int64_t square) {
    const int64_t n = s.n, column = column_of(square, n);
    return (square >= n && shares_factor(s, square - n)) || (column > 0 && shares_factor(s, square - 1)) ||
           (column < n - 1 && shares_factor(s, square + 1)) || (square < n * n - n && shares_factor(s, square + n));
}

inline bool is_blocked(const State& s, int64_t column) {
    const int64_t n = s.n;
    return !((s.last >= n && can_take(s, s.last - n, column)) || (column > 0 && can_take(s, s.last - 1, column - 1)) ||
             (column < n - 1 && can_take(s, s.last + 1, column + 1)) ||
             (s.last < n * n - n && can_take(s, s.last + n, column)));
}

inline void play(State& s, int64_t move) {
    const int64_t column = column_of(move, s.n);
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
    if (is_blocked(s, column)) {
        if (s.grid == s.grids)
            s.is_over = 1;
        else
            new_grid(s);
    }
}

inline int64_t score(const State& s, int64_t player) { return s.is_left[player]; }
