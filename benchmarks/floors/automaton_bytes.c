/* The cave automaton on bytes, as sums that a compiler turns into vector code: the plain floor.
 *
 *     R1: 3x3 with the cell        R2: 5x5 without its corners, with the cell
 *          . . . . .                    . # # # .
 *          . # # # .                    # # # # #
 *          . # # # .                    # # # # #
 *          . # # # .                    # # # # #
 *          . . . . .                    . # # # .
 *
 * A cell is wall if R1 >= r1 or R2 <= r2. Cells outside count nothing; the ring stays wall.
 * `now` and `next` are grids with two empty cells on every side, (width + 4) * (height + 4) bytes; `sums` holds two rows of width + 4.
 */
#include <stdint.h>
#include <string.h>

static int8_t clamped(int32_t value, int32_t low, int32_t high)
{
    return (int8_t)(value < low ? low : value > high ? high : value);
}

static void one_round(const int8_t *restrict now, int8_t *restrict next, int8_t *restrict near, int8_t *restrict far, int32_t width, int32_t height, int8_t r1, int8_t r2)
{
    size_t stride = (size_t)width + 4;
    for (int32_t y = 1; y < height - 1; y++) {
        const int8_t *a = now + y * stride, *b = a + stride, *c = b + stride, *d = c + stride, *e = d + stride;
        for (size_t x = 0; x < stride; x++) {
            near[x] = (int8_t)(b[x] + c[x] + d[x]);
            far[x] = (int8_t)(a[x] + e[x]);
        }
        int8_t *out = next + (y + 2) * stride + 2;
        for (int32_t x = 1; x < width - 1; x++) {
            int8_t ring1 = (int8_t)(near[x + 1] + near[x + 2] + near[x + 3]);
            int8_t ring2 = (int8_t)(ring1 + near[x] + near[x + 4] + far[x + 1] + far[x + 2] + far[x + 3]);
            out[x] = (ring1 >= r1) | (ring2 <= r2);
        }
    }
}

void floor_automaton_bytes(const uint8_t *rock, uint8_t *result, int8_t *now, int8_t *next, int8_t *sums, int32_t width, int32_t height, int32_t r1, int32_t r2, int32_t rounds)
{
    size_t stride = (size_t)width + 4, size = stride * ((size_t)height + 4);
    int8_t at_least = clamped(r1, 0, 10), at_most = clamped(r2, -1, 21);
    memset(now, 0, size);
    for (int32_t y = 0; y < height; y++)
        memcpy(now + (y + 2) * stride + 2, rock + (size_t)y * width, (size_t)width);
    memcpy(next, now, size); /* the ring and the empty edge are written once */
    for (int32_t i = 0; i < rounds; i++) {
        one_round(now, next, sums, sums + stride, width, height, at_least, at_most);
        int8_t *swap = now;
        now = next;
        next = swap;
    }
    for (int32_t y = 0; y < height; y++)
        memcpy(result + (size_t)y * width, now + (y + 2) * stride + 2, (size_t)width);
}
