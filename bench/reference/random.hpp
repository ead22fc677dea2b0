// `below` of src/quet/engine/playouts.py in C++.
inline int64_t below(uint64_t* rng, int64_t k) {
    uint64_t x = rng[0];
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    rng[0] = x;
    return static_cast<int64_t>((((x * 2685821657736338717u) >> 33) * static_cast<uint64_t>(k)) >> 31);
}
