// src/quet/games/sums_grid/local_search.py in C++.
#define NOT_MOVE_BY_MOVE
struct State {
    int64_t n, num_filled, is_done;
    int64_t numbers[100];
};

constexpr int EMPTY = 0;

inline int64_t worth(const State& s) {
    const int64_t n = s.n, limit = n * n * n;
    std::vector<int64_t> occurs(limit + 2);
    int64_t count = 0;
    for (int64_t line = 0; line < 2 * n; line++) {
        const int64_t begin = line < n ? line * n : line - n, step = line < n ? 1 : n;
        for (int64_t first = 0; first < n; first++) {
            int64_t total = 0;
            for (int64_t i = first; i < n; i++) {
                total += s.numbers[begin + i * step];
                if (total > limit) break;
                if (!occurs[total]) {
                    occurs[total] = 1;
                    count++;
                }
            }
        }
    }
    int64_t m = 0;
    while (occurs[m + 1]) m++;
    return 4 * m + count;
}

inline bool stands(const State& s, int64_t number) {
    for (int64_t square = 0; square < s.n * s.n; square++)
        if (s.numbers[square] == number) return true;
    return false;
}

extern "C" int64_t fill(State* states, uint64_t* rng) {
    State& s = states[0];
    const int64_t limit = s.n * s.n * s.n;
    for (int64_t square = 0; square < s.n * s.n; square++)
        while (s.numbers[square] == EMPTY) {
            const int64_t number = 1 + below(rng, limit);
            if (!stands(s, number)) {
                s.numbers[square] = number;
                s.num_filled++;
            }
        }
    return 0;
}

extern "C" int64_t improve(State* states, uint64_t* rng, int64_t num_steps, double hot, double cold) {
    State& s = states[0];
    const int64_t n = s.n, limit = n * n * n;
    int64_t value = worth(s), best = worth(states[1]);
    if (value > best) {
        best = value;
        states[1] = s;
    }
    for (int64_t k = 0; k < num_steps; k++) {
        const int64_t square = below(rng, n * n), number = 1 + below(rng, limit), before = s.numbers[square];
        int64_t other = -1;
        for (int64_t i = 0; i < n * n; i++)
            if (s.numbers[i] == number) other = i;
        if (other >= 0) s.numbers[other] = before;
        s.numbers[square] = number;
        const int64_t found = worth(s);
        const double temperature = hot + (cold - hot) * k / num_steps;
        if (found >= value || below(rng, 1 << 20) < (1 << 20) * std::exp((found - value) / temperature)) {
            value = found;
            if (value > best) {
                best = value;
                states[1] = s;
            }
        } else {
            s.numbers[square] = before;
            if (other >= 0) s.numbers[other] = number;
        }
    }
    return best;
}
