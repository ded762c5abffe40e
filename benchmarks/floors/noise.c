/* Noise: every cell inside the ring is wall if its draw is below a threshold; the ring is wall. */
#include <string.h>

#include "pcg32.h"

void floor_noise(uint8_t *rock, int32_t width, int32_t height, uint32_t threshold, Pcg32 *rng)
{
    Pcg32 local = *rng; /* kept in registers: a store to rock could alias the caller's */
    memset(rock, 1, (size_t)width);
    for (int32_t y = 1; y < height - 1; y++) {
        uint8_t *row = rock + (size_t)y * width;
        row[0] = 1;
        for (int32_t x = 1; x < width - 1; x++)
            row[x] = pcg32_next(&local) < threshold;
        row[width - 1] = 1;
    }
    memset(rock + (size_t)(height - 1) * width, 1, (size_t)width);
    *rng = local;
}

/* The first numbers of a stream, for the check against the published vector. */
void floor_draws(uint32_t *draws, int32_t count, Pcg32 *rng)
{
    for (int32_t i = 0; i < count; i++)
        draws[i] = pcg32_next(rng);
}
