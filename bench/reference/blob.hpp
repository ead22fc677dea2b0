// src/quet/games/blob/rules.py in C++.
struct State {
    int64_t n, ply, num_edge;
    int16_t cells[400], edge[400], place[400];
};

constexpr bool LOWER_IS_BETTER = false;
constexpr int EMPTY = 0, EDGE = 1, FULL = 2;

inline int64_t num_players(const State&) { return 2; }
inline int64_t mover(const State& s) { return 1 + s.ply % 2; }
inline bool is_over(const State& s) { return s.ply == 2 * (s.n * s.n / 4); }

inline int64_t legal_moves(const State& s, int64_t* out) {
    if (s.ply == 0) {
        for (int64_t square = 0; square < s.n * s.n; square++) out[square] = square;
        return s.n * s.n;
    }
    if (is_over(s)) return 0;
    for (int64_t i = 0; i < s.num_edge; i++) out[i] = s.edge[i];
    return s.num_edge;
}

inline void reach(State& s, int64_t square) {
    if (s.cells[square] == EMPTY) {
        s.cells[square] = EDGE;
        s.place[square] = s.num_edge;
        s.edge[s.num_edge] = square;
        s.num_edge++;
    }
}

inline void play(State& s, int64_t move) {
    const int64_t n = s.n;
    if (s.cells[move] == EDGE) {
        s.num_edge--;
        const int64_t moved = s.edge[s.num_edge];
        s.edge[s.place[move]] = moved;
        s.place[moved] = s.place[move];
    }
    s.cells[move] = FULL;
    s.ply++;
    const int64_t row = move / n, column = move - row * n;
    if (row > 0) reach(s, move - n);
    if (row < n - 1) reach(s, move + n);
    if (column > 0) reach(s, move - 1);
    if (column < n - 1) reach(s, move + 1);
}

inline bool is_good(const State& s, int64_t first, int64_t step) {
    int64_t lengths = 0, run = 0;
    for (int64_t i = 0; i < s.n; i++) {
        run++;
        const int64_t square = first + i * step;
        if (i == s.n - 1 || (s.cells[square] == FULL) != (s.cells[square + step] == FULL)) {
            lengths |= int64_t{1} << run;
            run = 0;
        }
    }
    for (int64_t a = 2; a < s.n; a++)
        if (lengths >> a & 1)
            for (int64_t b = a + 1; b < s.n; b++)
                if ((lengths >> b & 1) && b % a != 0) return false;
    return true;
}

inline int64_t score(const State& s, int64_t player) {
    int64_t total = 0;
    for (int64_t i = 0; i < s.n; i++)
        if (player == 1 ? is_good(s, i * s.n, 1) : is_good(s, i, s.n)) total++;
    return total;
}
