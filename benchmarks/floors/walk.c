/* A drunkard's walk that digs until a number of cells is floor: 1 is wall, 0 is floor; the border stays wall.
 *
 * It begins in the middle. A draw gives sixteen directions of two bits, lowest first: right, left, down, up. A step on to the border is not taken. Both
 * walks below take the same steps.
 */
#include <stddef.h>
#include <string.h>

#include "pcg32.h"

enum { FLOOR, WALL, BORDER };

/* The walk as it is told: a place is x and y. */
void floor_walk(uint8_t *tiles, int32_t width, int32_t height, int64_t missing, Pcg32 *rng)
{
    Pcg32 local = *rng;
    const int32_t across[4] = {1, -1, 0, 0}, down[4] = {0, 0, 1, -1};
    int32_t x = width / 2, y = height / 2, left = 0;
    uint32_t bits = 0;
    memset(tiles, WALL, (size_t)width * height);
    tiles[(size_t)y * width + x] = FLOOR;
    missing--;
    while (missing > 0) {
        if (!left) {
            bits = pcg32_next(&local);
            left = 16;
        }
        int32_t next_x = x + across[bits & 3], next_y = y + down[bits & 3];
        bits >>= 2;
        left--;
        if (next_x < 1 || next_y < 1 || next_x > width - 2 || next_y > height - 2)
            continue;
        x = next_x;
        y = next_y;
        uint8_t *here = tiles + (size_t)y * width + x;
        if (*here == WALL) {
            *here = FLOOR;
            missing--;
        }
    }
    *rng = local;
}

static void border(uint8_t *tiles, int32_t width, int32_t height, uint8_t tile)
{
    size_t stride = (size_t)width;
    memset(tiles, tile, stride);
    memset(tiles + (height - 1) * stride, tile, stride);
    for (int32_t y = 0; y < height; y++)
        tiles[y * stride] = tiles[y * stride + stride - 1] = tile;
}

/* The low floor. The border is marked as long as it walks, so that one look at a tile says whether it may go there, and digging takes no branch. */
void floor_walk_marked(uint8_t *tiles, int32_t width, int32_t height, int64_t missing, Pcg32 *rng)
{
    Pcg32 local = *rng;
    const ptrdiff_t steps[4] = {1, -1, width, -(ptrdiff_t)width};
    memset(tiles, WALL, (size_t)width * height);
    border(tiles, width, height, BORDER);
    uint8_t *here = tiles + (size_t)(height / 2) * width + width / 2;
    *here = FLOOR;
    missing--;
    while (missing > 0) {
        uint32_t bits = pcg32_next(&local);
        for (int turn = 0; turn < 16 && missing > 0; turn++, bits >>= 2) {
            uint8_t *next = here + steps[bits & 3];
            if (*next == BORDER)
                continue;
            here = next;
            missing -= *here;
            *here = FLOOR;
        }
    }
    border(tiles, width, height, WALL);
    *rng = local;
}
