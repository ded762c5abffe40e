/* Every place where a drawing fits, row by row: a byte a place says whether it still can, and each cell of the drawing is asked of a whole row of places
 * at once, which the compiler turns into vectors. A row in which nothing can fit any more is left.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* `wanted` holds a tile for each cell of the drawing, 255 for any. Places go to `found` as y * width + x; returned is their number.
 * `fits` has room for a row of places, `found` for all. */
int64_t floor_matches(
    const uint8_t *map, int32_t width, int32_t height, const uint8_t *wanted, int32_t wide, int32_t high, uint8_t *fits, int32_t *found)
{
    size_t across = (size_t)(width - wide + 1);
    int64_t count = 0;
    for (int32_t y = 0; y + high <= height; y++) {
        const uint8_t *row = map + (size_t)y * width;
        uint8_t left = 1;
        memset(fits, 1, across);
        for (int32_t cell = 0; cell < wide * high && left; cell++) {
            uint8_t tile = wanted[cell];
            if (tile == 255)
                continue;
            const uint8_t *there = row + (size_t)(cell / wide) * width + cell % wide;
            left = 0;
            for (size_t x = 0; x < across; x++) {
                fits[x] &= there[x] == tile;
                left |= fits[x];
            }
        }
        for (size_t x = 0; left && x < across; x++)
            if (fits[x])
                found[count++] = (int32_t)((size_t)y * width + x);
    }
    return count;
}
