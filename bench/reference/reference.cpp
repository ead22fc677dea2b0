// One game's rules and every search over them, as a shared library. GAME names the game's header.
//
// The same algorithms, the same order of random numbers and the same layout of every array as in src/quet: both sides
// work on arrays that Python makes, and what they leave there is equal, bit for bit.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "random.hpp"
#include GAME

extern "C" int64_t state_size() { return sizeof(State); }

#ifndef NOT_MOVE_BY_MOVE
#include "playouts.hpp"
#include "mcts.hpp"
#endif

#ifdef HAS_KEY
#include "alphabeta.hpp"
#endif
