// src/quet/games/sums_grid/local_search.py in C++.
#define NOT_MOVE_BY_MOVE
struct State {
    int64_t n, num_filled, is_done;
    int64_t numbers[100];
};

constexpr int EMPTY = 0;
constexpr int64_t STEADY = 50;

inline int64_t score(const State& s) {
    const int64_t n = s.n, limit = n * n * n;
    std::vector<int64_t> occurs(limit + 2);
    for (int64_t line = 0; line < 2 * n; line++) {
        const int64_t begin = line < n ? line * n : line - n, step = line < n ? 1 : n;
        for (int64_t first = 0; first < n; first++) {
            int64_t total = 0;
            for (int64_t i = first; i < n; i++) {
                const int64_t number = s.numbers[begin + i * step];
                total += number;
                if (number == EMPTY || total > limit) break;
                occurs[total] = 1;
            }
        }
    }
    int64_t m = 0;
    while (occurs[m + 1]) m++;
    return m;
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

inline int64_t choose(int64_t aim, int64_t first, double weight_now, const int64_t* votes, const double* weights,
                      uint64_t* rng) {
    double sum_of_others = 0.0;
    for (int64_t x = 1; x <= aim; x++) sum_of_others += weights[votes[first + x]];
    double left = below(rng, 1 << 30) * sum_of_others / (1 << 30);
    for (int64_t x = 1; x <= aim; x++) {
        const double weight = weights[votes[first + x]];
        left -= weight;
        if (left < 0)
            return below(rng, 1 << 30) * (sum_of_others - weight + weight_now) / (1 << 30) < sum_of_others ? x : 0;
    }
    return 0;
}

inline void count_runs(const State& s, std::vector<int64_t>& times) {
    const int64_t n = s.n, room = times.size();
    for (int64_t line = 0; line < 2 * n; line++) {
        const int64_t begin = line < n ? line * n : line - n, step = line < n ? 1 : n;
        for (int64_t first = 0; first < n; first++) {
            int64_t total = 0;
            for (int64_t i = first; i < n; i++) {
                total += s.numbers[begin + i * step];
                if (total < room && (line < n || i > first)) times[total]++;
            }
        }
    }
}

inline int64_t take_out(const State& s, int64_t square, int64_t mark, int64_t* times, int64_t room, int64_t* others,
                        int64_t* listed) {
    const int64_t n = s.n, number = s.numbers[square], row = square / n;
    int64_t count = 1;
    others[0] = 0;
    listed[0] = mark;
    if (number < room) times[number]--;
    for (int64_t direction = 0; direction < 2; direction++) {
        const int64_t step = direction == 0 ? 1 : n, place = direction == 0 ? square - row * n : row;
        int64_t low = 0;
        for (int64_t first = place; first >= 0; first--) {
            if (first < place) low += s.numbers[square - (place - first) * step];
            int64_t total = low;
            for (int64_t last = place; last < n; last++) {
                if (last > place) total += s.numbers[square + (last - place) * step];
                if (first == last || total >= room) continue;
                if (total + number < room) times[total + number]--;
                if (listed[total] != mark) {
                    listed[total] = mark;
                    others[count++] = total;
                }
            }
        }
    }
    return count;
}

inline void put_back(const State& s, int64_t square, int64_t* times, int64_t room) {
    const int64_t n = s.n, number = s.numbers[square], row = square / n;
    if (number < room) times[number]++;
    for (int64_t direction = 0; direction < 2; direction++) {
        const int64_t step = direction == 0 ? 1 : n, place = direction == 0 ? square - row * n : row;
        int64_t low = number;
        for (int64_t first = place; first >= 0; first--) {
            if (first < place) low += s.numbers[square - (place - first) * step];
            int64_t total = low;
            for (int64_t last = place; last < n; last++) {
                if (last > place) total += s.numbers[square + (last - place) * step];
                if (first != last && total < room) times[total]++;
            }
        }
    }
}

extern "C" int64_t improve(State* states, uint64_t* rng, int64_t num_steps, double hot, double cold) {
    State& s = states[0];
    const int64_t n = s.n, limit = n * n * n;
    std::vector<int64_t> times(limit + 1), votes(2 * limit + 1), missing(limit + 1), others(n * n), listed(limit + 1);
    std::vector<double> weights(n * n + 2);
    if (score(s) > score(states[1]) || states[1].num_filled < n * n) states[1] = s;
    int64_t best = score(states[1]);
    count_runs(s, times);
    for (int64_t k = 0; k < num_steps && best < limit; k++) {
        if (k % STEADY == 0) {
            const double temperature = hot + (cold - hot) * k / num_steps;
            for (int64_t i = 0; i <= n * n; i++) weights[i] = std::exp(i / temperature);
        }
        const int64_t square = below(rng, n * n), before = s.numbers[square], aim = best + 1;
        const int64_t num_others =
            take_out(s, square, k + 1, times.data(), limit + 1, others.data(), listed.data());
        int64_t num_missing = 0;
        for (int64_t total = 1; total <= aim; total++) {
            missing[num_missing] = total;
            num_missing += times[total] == 0;
        }
        std::fill(votes.begin(), votes.end(), 0);
        for (int64_t i = 0; i < num_missing; i++)
            for (int64_t j = 0; j < num_others; j++) votes[limit + missing[i] - others[j]]++;
        int64_t brought = before <= aim ? votes[limit + before] : 0;
        for (int64_t other = 0; other < n * n; other++)
            if (s.numbers[other] <= aim) votes[limit + s.numbers[other]] = n * n + 1;
        const int64_t number = choose(aim, limit, weights[brought], votes.data(), weights.data(), rng);
        if (number > 0) {
            s.numbers[square] = number;
            brought = votes[limit + number];
        }
        put_back(s, square, times.data(), limit + 1);
        if (brought == num_missing) {
            while (best < limit && times[best + 1] > 0) best++;
            states[1] = s;
        }
    }
    return best;
}
