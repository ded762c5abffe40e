# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# What several kernels share: the generator PCG32, and union-find. The C compiler inlines these functions into each
# kernel that cimports them. `_primitives.py` stands in for this file when a kernel runs as plain Python: the functions
# of both files have the same bodies, and a test compares them.

cimport cython

cdef extern from *:
    """
    #define UNDERCROFT_MULTIPLIER 6364136223846793005ULL
    #define UNDERCROFT_MASK64 0xFFFFFFFFFFFFFFFFULL
    #define UNDERCROFT_MASK32 0xFFFFFFFFULL
    """
    const unsigned long long MULTIPLIER "UNDERCROFT_MULTIPLIER"
    const unsigned long long MASK64 "UNDERCROFT_MASK64"
    const unsigned long long MASK32 "UNDERCROFT_MASK32"


cdef inline unsigned long long advanced(unsigned long long old, unsigned long long increment) noexcept:
    """The state after this one. The mask is for plain Python; a compiler drops it."""
    return (old * MULTIPLIER + increment) & MASK64


cdef inline unsigned int output(unsigned long long old) noexcept:
    """The 32 bits that a state gives: mixed, and rotated by its highest bits."""
    mixed: cython.uint = (((old >> 18) ^ old) >> 27) & MASK32
    turn: cython.uint = old >> 59
    return ((mixed >> turn) | (mixed << ((32 - turn) & 31))) & MASK32


cdef inline unsigned long long draw(unsigned long long[::1] rng) noexcept:
    """The next 32 bits of a stream: its state and its increment, as in `core/rng.py`."""
    old: cython.ulonglong = rng[0]
    rng[0] = advanced(old, rng[1])
    return output(old)


cdef inline bint must_redraw(unsigned long long product, unsigned long long bound) noexcept:
    """Whether a draw times a bound is one of the few that would make some numbers below the bound more likely (Lemire
    2019).
    """
    return (product & MASK32) < bound and (product & MASK32) < (MASK32 - bound + 1) % bound


cdef inline long long below(unsigned long long[::1] rng, unsigned long long bound) noexcept:
    """A number from 0 to bound - 1, each equally likely; the bound is from 1 to 2^32."""
    product: cython.ulonglong = draw(rng) * bound
    while must_redraw(product, bound):
        product = draw(rng) * bound
    return product >> 32


cdef inline int root(int[::1] parent, int label) noexcept:
    """The label that stands for all that are joined to this one. Halves the path for the next time."""
    while parent[label] != label:
        parent[label] = parent[parent[label]]
        label = parent[label]
    return label


cdef inline int join_roots(int[::1] parent, int a, int b) noexcept:
    """Join what two roots stand for. Returns the smaller root, which stands for both."""
    if a < b:
        parent[b] = a
        return a
    parent[a] = b
    return b


cdef inline int join(int[::1] parent, int a, int b) noexcept:
    """Join two labels. Returns the root that stands for both."""
    a = root(parent, a)
    b = root(parent, b)
    return join_roots(parent, a, b)
