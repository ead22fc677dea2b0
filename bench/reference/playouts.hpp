// src/quet/engine/playouts.py in C++.
inline int64_t playout(State& s, int64_t* moves, uint64_t* rng, int64_t longest) {
    int64_t ply = 0;
    while (ply < longest && !is_over(s)) {
        const int64_t count = legal_moves(s, moves);
        play(s, moves[below(rng, count)]);
        ply++;
    }
    return ply;
}

extern "C" int64_t playouts(
    const State* root, State* work, int64_t* moves, uint64_t* rng, int64_t count, int64_t longest, int64_t* totals) {
    int64_t played = 0;
    for (int64_t i = 0; i < count; i++) {
        work[0] = root[0];
        State& s = work[0];
        played += playout(s, moves, rng, longest);
        for (int64_t player = 1; player <= num_players(s); player++) totals[player] += score(s, player);
    }
    return played;
}
