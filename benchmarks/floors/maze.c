/* A growing-tree maze, newest cell first, on the odd cells of a map with odd sides: 1 is wall, 0 is floor.
 *
 * `stack` has room for every odd cell; a place on it is y << 16 | x, which saves a division for each visit.
 */
#include <stddef.h>
#include <string.h>

#include "pcg32.h"

void floor_maze(uint8_t *tiles, uint32_t *stack, int32_t width, int32_t height, Pcg32 *rng)
{
    Pcg32 local = *rng;
    memset(tiles, 1, (size_t)width * height);
    uint32_t x = 1 + 2 * pcg32_below(&local, (uint32_t)(width - 1) / 2), y = 1 + 2 * pcg32_below(&local, (uint32_t)(height - 1) / 2);
    size_t stride = (size_t)width, used = 0;
    stack[used++] = y << 16 | x;
    tiles[y * stride + x] = 0;
    while (used) {
        x = stack[used - 1] & 65535;
        y = stack[used - 1] >> 16;
        uint8_t *here = tiles + y * stride + x;
        struct {
            ptrdiff_t step;
            uint32_t place;
        } open[4];
        uint32_t ways = 0;
        if (x > 1 && here[-2]) {
            open[ways].step = -1;
            open[ways++].place = y << 16 | (x - 2);
        }
        if (x + 2 < (uint32_t)width && here[2]) {
            open[ways].step = 1;
            open[ways++].place = y << 16 | (x + 2);
        }
        if (y > 1 && here[-2 * (ptrdiff_t)stride]) {
            open[ways].step = -(ptrdiff_t)stride;
            open[ways++].place = (y - 2) << 16 | x;
        }
        if (y + 2 < (uint32_t)height && here[2 * stride]) {
            open[ways].step = (ptrdiff_t)stride;
            open[ways++].place = (y + 2) << 16 | x;
        }
        if (!ways) {
            used--;
            continue;
        }
        uint32_t chosen = ways == 1 ? 0 : pcg32_below(&local, ways);
        here[open[chosen].step] = here[2 * open[chosen].step] = 0;
        stack[used++] = open[chosen].place;
    }
    *rng = local;
}
