// src/quet/games/sequence_ascension/rules.py in C++.
struct State {
    int64_t n, count, is_placing, length, last;
    int16_t ranks[400], index[400], path[400];
};

constexpr bool LOWER_IS_BETTER = false;
constexpr int EMPTY = 0;

inline int64_t num_players(const State&) { return 1; }
inline int64_t mover(const State&) { return 1; }

inline bool can_take(const State& s, int64_t square) {
    if (s.is_placing) return s.index[square] == EMPTY;
    return s.index[square] != EMPTY && s.path[square] == EMPTY &&
           s.ranks[s.index[square] - 1] >= s.ranks[s.index[s.last] - 1];
}

inline int64_t legal_moves(const State& s, int64_t* out) {
    const int64_t n = s.n;
    int64_t count = 0;
    if (s.count == 0 || (!s.is_placing && s.length == 0)) {
        for (int64_t square = 0; square < n * n; square++)
            if (s.count == 0 || s.index[square] != EMPTY) out[count++] = square;
        return count;
    }
    const int64_t row = s.last / n, column = s.last - row * n;
    for (int64_t r = std::max<int64_t>(row - 1, 0); r < std::min(row + 2, n); r++)
        for (int64_t square = r * n + std::max<int64_t>(column - 1, 0); square < r * n + std::min(column + 2, n); square++)
            if (can_take(s, square)) out[count++] = square;
    return count;
}

inline bool is_stuck(const State& s) {
    const int64_t n = s.n, row = s.last / n, column = s.last - row * n;
    for (int64_t r = std::max<int64_t>(row - 1, 0); r < std::min(row + 2, n); r++)
        for (int64_t square = r * n + std::max<int64_t>(column - 1, 0); square < r * n + std::min(column + 2, n); square++)
            if (can_take(s, square)) return false;
    return true;
}

inline void play(State& s, int64_t move) {
    s.last = move;
    if (s.is_placing) {
        s.count++;
        s.index[move] = s.count;
        if (is_stuck(s)) s.is_placing = 0;
    } else {
        s.length++;
        s.path[move] = s.length;
    }
}

inline bool is_over(const State& s) { return s.length > 0 && is_stuck(s); }
inline int64_t score(const State& s, int64_t) { return s.length; }
