/* PCG32 (XSH-RR 64/32) by Melissa O'Neill, https://www.pcg-random.org: the generator our kernels draw from, so that a floor pays the same for a number. */
#ifndef UNDERCROFT_FLOORS_PCG32_H
#define UNDERCROFT_FLOORS_PCG32_H

#include <stdint.h>

typedef struct {
    uint64_t state;
    uint64_t increment; /* odd */
} Pcg32;

static inline uint32_t pcg32_next(Pcg32 *rng)
{
    uint64_t old = rng->state;
    rng->state = old * 6364136223846793005u + rng->increment;
    uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t turn = (uint32_t)(old >> 59);
    return (shifted >> turn) | (shifted << ((32 - turn) & 31));
}

/* A number in 0 .. bound - 1 without bias: multiply, and draw again in the short range that would favour some (Lemire 2019). */
static inline uint32_t pcg32_below(Pcg32 *rng, uint32_t bound)
{
    uint64_t product = (uint64_t)pcg32_next(rng) * bound;
    if ((uint32_t)product < bound) {
        uint32_t unfair = -bound % bound;
        while ((uint32_t)product < unfair)
            product = (uint64_t)pcg32_next(rng) * bound;
    }
    return (uint32_t)(product >> 32);
}

#endif
