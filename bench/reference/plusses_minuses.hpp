// src/quet/games/plusses_minuses/rules.py in C++.
struct State {
    int64_t n, second_part_first, ply;
    int16_t predicted[38], height[20], column[20];
};

constexpr bool LOWER_IS_BETTER = false;
constexpr int EMPTY = 0;

inline int64_t num_players(const State&) { return 2; }
inline bool is_predicting(const State& s) { return s.ply < 2 * (s.n - 1); }
inline int64_t mover(const State& s) {
    return is_predicting(s) ? 1 + s.ply % 2 : 1 + (s.ply + s.second_part_first - 1) % 2;
}
inline bool is_over(const State& s) { return s.ply == 3 * s.n - 2; }

inline int64_t legal_moves(const State& s, int64_t* out) {
    const int64_t n = s.n;
    if (is_predicting(s)) {
        out[0] = n * n;
        out[1] = n * n + 1;
        return 2;
    }
    int64_t count = 0;
    for (int64_t row = 0; row < n; row++)
        if (s.column[row] == EMPTY)
            for (int64_t column = 0; column < n; column++)
                if (s.height[column] == EMPTY) out[count++] = row * n + column;
    return count;
}

inline void play(State& s, int64_t move) {
    const int64_t n = s.n;
    if (is_predicting(s)) {
        s.predicted[s.ply] = move == n * n ? 1 : -1;
    } else {
        s.column[move / n] = move % n + 1;
        s.height[move % n] = move / n + 1;
    }
    s.ply++;
}

inline int64_t truth(const State& s, int64_t player, int64_t k) {
    const int16_t* line = player == 1 ? s.height : s.column;
    if (line[k] == EMPTY || line[k + 1] == EMPTY) return 0;
    return line[k + 1] > line[k] ? 1 : -1;
}

inline int64_t score(const State& s, int64_t player) {
    int64_t total = 0;
    for (int64_t k = 0; k < s.n - 1; k++) {
        const int64_t sign = truth(s, player, k);
        if (sign != 0 && sign == s.predicted[2 * k + player - 1]) total++;
    }
    return total;
}
