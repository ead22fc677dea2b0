// src/quet/engine/alphabeta.py in C++.
struct Entry {
    int64_t key;
    int32_t value;
    int16_t depth, kind;
    int64_t move;
};

struct Frame {
    int64_t alpha, beta, low, high, best, best_move, key, count, next, is_cut;
};

enum { EXACT = 1, LOWER = 2, UPPER = 3 };
constexpr int64_t UNKNOWN = int64_t{1} << 40;
constexpr int16_t FULL = (1 << 15) - 1;

inline int64_t slot(int64_t key, int64_t mask) {
    const uint64_t product = uint64_t(key ^ key >> 29) * 0x1E3779B97F4A7C15 & ((uint64_t{1} << 62) - 1);
    return int64_t((product ^ product >> 22) >> 20) & mask;
}

inline int64_t difference(const State& s) {
    int64_t value = score(s, 1);
    if (num_players(s) > 1) value -= score(s, 2);
    return LOWER_IS_BETTER ? -value : value;
}

inline void update(Frame& f, const State& s, const int64_t* moves, int64_t value) {
    if (mover(s) == 1) {
        if (value > f.best) {
            f.best = value;
            f.best_move = moves[f.next - 1];
        }
        f.alpha = std::max(f.alpha, value);
    } else {
        if (value < f.best) {
            f.best = value;
            f.best_move = moves[f.next - 1];
        }
        f.beta = std::min(f.beta, value);
    }
}

extern "C" int64_t alphabeta(
    State* stack, Frame* frames, int64_t* moves, int64_t most_moves, Entry* table, int64_t table_length,
    int64_t* counts, int64_t alpha, int64_t beta, int64_t depth, int64_t most_nodes) {
    const int64_t mask = table_length - 1;
    int64_t ply = counts[1], value = 0;
    if (ply == 0) {
        frames[0].alpha = alpha;
        frames[0].beta = beta;
    }
    bool is_entering = true;
    while (true) {
        Frame& f = frames[ply];
        State& s = stack[ply];
        int64_t* here = moves + ply * most_moves;
        bool is_known = false;
        if (is_entering) {
            if (counts[0] >= most_nodes) {
                counts[1] = ply;
                return UNKNOWN;
            }
            counts[0]++;
            is_entering = false;
            f.best_move = -1;
            f.is_cut = 0;
            if (is_over(s)) {
                value = difference(s);
                is_known = true;
            } else if (ply == depth) {
                value = difference(s);
                f.is_cut = 1;
                is_known = true;
            } else {
                const int64_t k = key(s);
                f.key = k;
                f.low = f.alpha;
                f.high = f.beta;
                Entry& t = table[slot(k, mask)];
                int64_t hint = -1;
                if (t.kind != 0 && t.key == k) {
                    hint = t.move;
                    if (ply > 0 && (t.depth == depth - ply || t.depth == FULL) &&
                        (t.kind == EXACT || (t.kind == LOWER && t.value >= f.beta) ||
                         (t.kind == UPPER && t.value <= f.alpha))) {
                        value = t.value;
                        f.is_cut = t.depth == FULL ? 0 : 1;
                        is_known = true;
                    }
                }
                if (!is_known) {
                    f.count = legal_moves(s, here);
                    f.next = 0;
                    f.best = mover(s) == 1 ? -UNKNOWN : UNKNOWN;
                    for (int64_t i = 0; i < f.count; i++)
                        if (here[i] == hint) {
                            here[i] = here[0];
                            here[0] = hint;
                            break;
                        }
                }
            }
        }
        if (!is_known && (f.next == f.count || f.alpha >= f.beta)) {
            value = f.best;
            Entry& t = table[slot(f.key, mask)];
            t.key = f.key;
            t.value = value;
            t.depth = f.is_cut ? depth - ply : FULL;
            t.kind = value <= f.low ? UPPER : value >= f.high ? LOWER : EXACT;
            t.move = f.best_move;
            is_known = true;
        }
        if (is_known) {
            if (ply == 0) return value;
            ply--;
            frames[ply].is_cut |= f.is_cut;
            update(frames[ply], stack[ply], moves + ply * most_moves, value);
            continue;
        }
        stack[ply + 1] = s;
        play(stack[ply + 1], here[f.next]);
        f.next++;
        frames[ply + 1].alpha = f.alpha;
        frames[ply + 1].beta = f.beta;
        ply++;
        is_entering = true;
    }
}
