// src/quet/games/up_and_up/rules.py in C++.
struct State {
    int64_t n, count, last, step;
    int16_t numbers[400];
};

constexpr bool LOWER_IS_BETTER = false;
constexpr int EMPTY = 0;

inline int64_t num_players(const State&) { return 1; }
inline int64_t mover(const State&) { return 1; }

inline int64_t at_distance(const State& s, int64_t step, int64_t* out) {
    const int64_t n = s.n, row = s.last / n, column = s.last - row * n;
    int64_t count = 0;
    if (row >= step && s.numbers[s.last - step * n] == EMPTY) out[count++] = s.last - step * n;
    if (column >= step && s.numbers[s.last - step] == EMPTY) out[count++] = s.last - step;
    if (column + step < n && s.numbers[s.last + step] == EMPTY) out[count++] = s.last + step;
    if (row + step < n && s.numbers[s.last + step * n] == EMPTY) out[count++] = s.last + step * n;
    return count;
}

inline bool has_at_distance(const State& s, int64_t step) {
    const int64_t n = s.n, row = s.last / n, column = s.last - row * n;
    return (row >= step && s.numbers[s.last - step * n] == EMPTY) ||
           (column >= step && s.numbers[s.last - step] == EMPTY) ||
           (column + step < n && s.numbers[s.last + step] == EMPTY) ||
           (row + step < n && s.numbers[s.last + step * n] == EMPTY);
}

inline bool is_over(const State& s) { return s.count > 0 && !has_at_distance(s, s.step) && !has_at_distance(s, 1); }

inline int64_t legal_moves(const State& s, int64_t* out) {
    if (s.count == 0) {
        for (int64_t square = 0; square < s.n * s.n; square++) out[square] = square;
        return s.n * s.n;
    }
    const int64_t count = at_distance(s, s.step, out);
    return count > 0 ? count : at_distance(s, 1, out);
}

inline void play(State& s, int64_t move) {
    const int64_t away = std::abs(move - s.last);
    if (s.count == 0)
        s.step = 1;
    else if (away < s.n)
        s.step = away + 1;
    else
        s.step = away / s.n + 1;
    s.count++;
    s.numbers[move] = s.count;
    s.last = move;
}

inline int64_t score(const State& s, int64_t) { return s.count; }
