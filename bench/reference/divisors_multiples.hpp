// src/quet/games/divisors_multiples/rules.py in C++.
struct State {
    int64_t r, players, current, mover, num_taken, num_steps;
    int16_t is_taken[1001];
    int64_t cost[9];
};

constexpr bool LOWER_IS_BETTER = true;

inline int64_t num_players(const State& s) { return s.players; }
inline int64_t mover(const State& s) { return s.mover; }
inline bool is_over(const State& s) { return s.num_taken == s.r; }

inline bool can_stop_from(const State& s, int64_t x) {
    for (int64_t y = 1; y <= x / 2; y++)
        if (!s.is_taken[y] && x % y == 0) return true;
    for (int64_t y = x; y < s.r + 1; y += x)
        if (!s.is_taken[y]) return true;
    return false;
}

inline int64_t add(const State& s, int64_t y, int64_t steps_after, int64_t* out, int64_t count) {
    if (steps_after > 1 || (steps_after == 1 && can_stop_from(s, y))) out[count++] = 2 * y;
    if (!s.is_taken[y]) out[count++] = 2 * y + 1;
    return count;
}

inline int64_t legal_moves(const State& s, int64_t* out) {
    if (is_over(s)) return 0;
    const int64_t x = s.current & 0xFFFF, steps_after = 2 * s.r - s.num_steps - 1;
    int64_t count = 0;
    for (int64_t y = 1; y <= x / 2; y++)
        if (x % y == 0) count = add(s, y, steps_after, out, count);
    for (int64_t y = x; y < s.r + 1; y += x) count = add(s, y, steps_after, out, count);
    return count;
}

inline int64_t price(const State& s, int64_t y) {
    const int64_t ratio = y > s.current ? y / s.current : s.current / y;
    return s.is_taken[y] ? 2 * ratio : ratio;
}

inline void play(State& s, int64_t move) {
    const int64_t y = move / 2;
    s.cost[s.mover] += price(s, y);
    s.current = y;
    s.num_steps++;
    if (move % 2 == 1) {
        s.is_taken[y] = 1;
        s.num_taken++;
        s.num_steps = 0;
        s.mover = s.mover % s.players + 1;
    }
}

inline int64_t score(const State& s, int64_t player) { return s.cost[player]; }
