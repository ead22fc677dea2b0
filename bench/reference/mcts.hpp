// src/quet/engine/mcts.py in C++.
struct Node {
    int32_t first, visits;
    float mean;
    int32_t rave_visits;
    float rave_value;
    int8_t mover, is_solved;
    int16_t count;
    int32_t move;
};

constexpr int64_t TABLED = 512, MANY = 1 << 20;
constexpr double WORST = -1.0e18;
constexpr double WON = 0.9;

struct Exact {  // a row of rewards a node
    float* rows;
    int64_t width;
    float& operator()(int64_t node, int64_t player) const { return rows[node * width + player - 1]; }
};

inline void rewards(const State& s, double* out) {
    const int64_t players = num_players(s), sign = LOWER_IS_BETTER ? -1 : 1;
    if (players == 1) {
        out[1] = sign * score(s, 1);
        return;
    }
    for (int64_t player = 1; player <= players; player++) out[player] = sign * score(s, player);
    double best = out[1], second = -1.0e18;
    int64_t sharing = 1;
    for (int64_t player = 2; player <= players; player++) {
        if (out[player] > best) {
            second = best;
            best = out[player];
            sharing = 1;
        } else if (out[player] == best) {
            sharing++;
            second = best;
        } else if (out[player] > second) {
            second = out[player];
        }
    }
    for (int64_t player = 1; player <= players; player++) {
        const double share = out[player] == best ? 1.0 / sharing : 0.0;
        const double margin = out[player] == best ? out[player] - second : out[player] - best;
        out[player] = 0.9 * share + 0.05 + 0.05 * margin / (1.0 + std::abs(margin));
    }
}

inline int64_t select(
    const Node* nodes, Exact exact, int64_t node, const double* span, const double* table, double exploration,
    double rave, bool is_solitaire) {
    const int64_t first = nodes[node].first;
    exploration *= std::sqrt(std::log(nodes[node].visits + 1.0));
    const double low = span[0], scale = span[1] > low ? 1.0 / (span[1] - low) : 1.0;
    int64_t pick = -1, solved_pick = -1;
    double highest = -1.0e300, solved_highest = -1.0e300;
    for (int64_t child = first; child < first + nodes[node].count; child++) {
        const Node& c = nodes[child];
        const int64_t visits = c.visits;
        if (c.is_solved) {
            if (!is_solitaire && exact(child, c.mover) > solved_highest) {
                solved_highest = exact(child, c.mover);
                solved_pick = child;
            }
            continue;
        }
        double mean = c.mean;
        if (is_solitaire) {
            if (visits == 0) return child;
            mean = (0.5 * (mean + exact(child, 1)) - low) * scale;
        } else if (c.rave_visits > 0) {
            const double part = visits < TABLED ? table[TABLED + visits] : std::sqrt(rave / (3.0 * visits + rave));
            mean += part * (static_cast<double>(c.rave_value) / c.rave_visits - mean);
        } else if (visits == 0) {
            return child;
        }
        const double bound = mean + exploration * (visits < TABLED ? table[visits] : 1.0 / std::sqrt(visits));
        if (bound > highest) {
            highest = bound;
            pick = child;
        }
    }
    return solved_highest > highest && nodes[node].visits % 2 == 0 ? solved_pick : pick;
}

inline int64_t expand(
    Node* nodes, Exact exact, int64_t used, int64_t node, const State& s, int64_t* moves, uint64_t* rng,
    bool is_solitaire) {
    const int64_t count = legal_moves(s, moves), who = mover(s);
    for (int64_t i = count - 1; i > 0; i--) std::swap(moves[i], moves[below(rng, i + 1)]);
    nodes[node].first = used;
    nodes[node].count = count;
    for (int64_t i = 0; i < count; i++) {
        nodes[used + i] = Node{0, 0, 0.0f, 0, 0.0f, static_cast<int8_t>(who), 0, 0, static_cast<int32_t>(moves[i])};
        if (is_solitaire) exact(used + i, 1) = WORST;
    }
    return used + count;
}

inline void solve_upwards(Node* nodes, Exact exact, const int32_t* path, int64_t depth, int64_t players) {
    for (int64_t i = depth - 1; i >= 0; i--) {
        const int64_t node = path[i], first = nodes[node].first, who = nodes[first].mover;
        int64_t best = -1;
        bool is_solved = true;
        for (int64_t child = first; child < first + nodes[node].count; child++) {
            if (nodes[child].is_solved) {
                if (best < 0 || exact(child, who) > exact(best, who)) best = child;
            } else {
                is_solved = false;
            }
        }
        if (players > 1 && best >= 0 && exact(best, who) >= WON) is_solved = true;
        if (!is_solved) return;
        nodes[node].is_solved = 1;
        for (int64_t player = 1; player <= players; player++) exact(node, player) = exact(best, player);
    }
}

constexpr int64_t WORD = 32;  // moves in each number of a set of moves

struct Made {  // a set of small moves a player
    int64_t* rows;
    int64_t width;
    bool has(int64_t player, int64_t move) const { return rows[player * width + move / WORD] >> move % WORD & 1; }
    void add(int64_t player, int64_t move) { rows[player * width + move / WORD] |= int64_t{1} << move % WORD; }
};

inline void share(Node* nodes, const int32_t* path, int64_t depth, Made made, const double* out) {
    const int64_t num_small = WORD * made.width;
    for (int64_t i = depth; i >= 0; i--) {
        const int64_t node = path[i], first = nodes[node].first;
        for (int64_t child = first; child < first + nodes[node].count; child++) {
            Node& c = nodes[child];
            if (c.move < num_small && made.has(c.mover, c.move)) {
                c.rave_visits++;
                c.rave_value = static_cast<float>(c.rave_value + out[c.mover]);
                if (c.rave_visits >= MANY) {
                    c.rave_visits /= 2;
                    c.rave_value *= 0.5f;
                }
            }
        }
        const Node& n = nodes[node];
        if (i > 0 && n.move < num_small) made.add(n.mover, n.move);
    }
}

extern "C" int64_t tree_search(
    Node* nodes, int64_t capacity, float* exact_rows, int64_t used, const State* root, State* work, int64_t* moves,
    int64_t most_moves, int32_t* path, int64_t path_length, int64_t* line, int64_t line_length, int64_t* made_rows,
    int64_t made_width, int64_t* best_line, double* span, const double* table,
    uint64_t* rng, int64_t num_simulations,
    double exploration, double rave) {
    const int64_t players = num_players(root[0]);
    const bool is_solitaire = players == 1;
    const Exact exact{exact_rows, players};
    std::vector<double> out(players + 1);
    const int64_t longest = line_length - 1;
    Made made{made_rows, made_width};
    const int64_t num_small = rave > 0 ? WORD * made_width : 0;
    for (int64_t simulation = 0; simulation < num_simulations; simulation++) {
        if (nodes[0].is_solved || used + most_moves > capacity) break;
        span[2] += 1.0;
        work[0] = root[0];
        State& s = work[0];
        int64_t node = 0, depth = 0;
        path[0] = 0;
        while (nodes[node].first > 0 && !nodes[node].is_solved && depth < path_length - 2) {
            node = select(nodes, exact, node, span, table, exploration, rave, is_solitaire);
            play(s, nodes[node].move);
            line[depth] = nodes[node].move;
            depth++;
            path[depth] = node;
        }
        bool is_new = false;
        int64_t plies = depth;
        if (rave > 0) std::fill_n(made_rows, made_width * (players + 1), 0);
        if (nodes[node].is_solved) {
            for (int64_t player = 1; player <= players; player++) out[player] = exact(node, player);
        } else {
            if (!is_over(s) && nodes[node].first == 0 && (nodes[node].visits > 0 || node == 0) &&
                depth < path_length - 2) {
                used = expand(nodes, exact, used, node, s, moves, rng, is_solitaire);
                node = nodes[node].first;
                play(s, nodes[node].move);
                line[depth] = nodes[node].move;
                    depth++;
                plies = depth;
                path[depth] = node;
            }
            is_new = is_over(s);
            while (plies < longest && !is_over(s)) {
                const int64_t count = legal_moves(s, moves), move = moves[below(rng, count)];
                line[plies] = move;
                if (move < num_small) made.add(mover(s), move);
                play(s, move);
                plies++;
            }
            rewards(s, out.data());
            for (int64_t player = 1; player <= players; player++) span[0] = std::min(span[0], out[player]);
            if (out[1] > span[1]) {
                span[1] = out[1];
                if (is_solitaire && is_over(s)) {
                    for (int64_t i = 0; i < plies; i++) best_line[i] = line[i];
                    best_line[plies] = -1;
                }
            }
        }
        for (int64_t i = 0; i <= depth; i++) {
            Node& n = nodes[path[i]];
            n.visits++;
            n.mean = static_cast<float>(n.mean + (out[n.mover] - n.mean) / n.visits);
            if (is_solitaire && out[1] > exact(path[i], 1)) exact(path[i], 1) = out[1];
        }
        if (rave > 0) share(nodes, path, depth, made, out.data());
        if (is_new) {
            nodes[node].is_solved = 1;
            for (int64_t player = 1; player <= players; player++) exact(node, player) = out[player];
            solve_upwards(nodes, exact, path, depth, players);
        }
    }
    return used;
}
