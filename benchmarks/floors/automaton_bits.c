/* The cave automaton on bits, 64 cells to a word, with packing and unpacking: the low floor. The rule stands in automaton_bytes.c.
 *
 * A count is kept as bit planes: plane k holds bit k of the counts of 64 cells. Sums along a row are made once per row, before rows are added:
 * shifting across words is the dear part. `now` and `next` hold (height + 4) rows of words + 2: two empty rows above and below, an empty word on
 * either side. `planes` holds five slots of four rows, one slot for each row that a new row looks at.
 */
#include <stdint.h>
#include <string.h>

static inline uint64_t sum3(uint64_t a, uint64_t b, uint64_t c)
{
    return a ^ b ^ c;
}

static inline uint64_t carry3(uint64_t a, uint64_t b, uint64_t c)
{
    return (a & b) | ((a ^ b) & c);
}

/* One bit of "count >= limit", from the lowest plane up; `zero` is all ones where the limit's bit is 0. */
static inline uint64_t at_least(uint64_t so_far, uint64_t plane, uint64_t zero)
{
    return (plane & so_far) | ((plane | so_far) & zero);
}

/* The sums along one row: the three cells around (0 .. 3) and the two cells two steps off (0 .. 2), two planes each. */
static void sum_row(const uint64_t *restrict row, uint64_t *restrict slot, size_t words)
{
    uint64_t *three0 = slot, *three1 = three0 + words, *pair0 = three1 + words, *pair1 = pair0 + words;
    for (size_t i = 0; i < words; i++) {
        uint64_t before = row[i], here = row[i + 1], after = row[i + 2];
        uint64_t left = here << 1 | before >> 63, right = here >> 1 | after << 63;
        uint64_t left2 = here << 2 | before >> 62, right2 = here >> 2 | after << 62;
        three0[i] = sum3(left, here, right);
        three1[i] = carry3(left, here, right);
        pair0[i] = left2 ^ right2;
        pair1[i] = left2 & right2;
    }
}

static void one_round(const uint64_t *restrict now, uint64_t *restrict next, uint64_t *restrict planes, size_t words, int32_t width, int32_t height, uint32_t r1, uint32_t above_r2)
{
    size_t stride = words + 2;
    uint64_t zero1[4], zero2[5];
    for (int k = 0; k < 4; k++)
        zero1[k] = (r1 >> k & 1) ? 0 : ~(uint64_t)0;
    for (int k = 0; k < 5; k++)
        zero2[k] = (above_r2 >> k & 1) ? 0 : ~(uint64_t)0;
    uint64_t last = (uint64_t)1 << ((width - 1) & 63), inside = last | (last - 1);

    for (int32_t y = 1; y < 5; y++)
        sum_row(now + y * stride, planes + y % 5 * 4 * words, words);
    for (int32_t y = 1; y < height - 1; y++) {
        sum_row(now + (y + 4) * stride, planes + (y + 4) % 5 * 4 * words, words);
        const uint64_t *a = planes + y % 5 * 4 * words, *b = planes + (y + 1) % 5 * 4 * words, *c = planes + (y + 2) % 5 * 4 * words;
        const uint64_t *d = planes + (y + 3) % 5 * 4 * words, *e = planes + (y + 4) % 5 * 4 * words;
        uint64_t *restrict out = next + (y + 2) * stride + 1;
        for (size_t i = 0, j = words, m = 2 * words, n = 3 * words; i < words; i++, j++, m++, n++) {
            /* r: R1, the three cells around in three rows, 0 .. 9 */
            uint64_t ones = carry3(b[i], c[i], d[i]), twos = sum3(b[j], c[j], d[j]), fours = carry3(b[j], c[j], d[j]);
            uint64_t r_0 = sum3(b[i], c[i], d[i]), r_1 = ones ^ twos, both = ones & twos, r_2 = both ^ fours, r_3 = both & fours;
            /* s: the columns two steps off, in three rows, 0 .. 6 */
            uint64_t s_ones = carry3(b[m], c[m], d[m]), s_twos = sum3(b[n], c[n], d[n]);
            uint64_t s_0 = sum3(b[m], c[m], d[m]), s_1 = s_ones ^ s_twos, s_2 = (s_ones & s_twos) ^ carry3(b[n], c[n], d[n]);
            /* t: the rows two steps off, 0 .. 6 */
            uint64_t t_carry = a[i] & e[i], t_0 = a[i] ^ e[i], t_1 = sum3(a[j], e[j], t_carry), t_2 = carry3(a[j], e[j], t_carry);
            /* u = s + t, 0 .. 12; v = r + u: R2, 0 .. 21 */
            uint64_t k = s_0 & t_0, u_0 = s_0 ^ t_0, u_1 = sum3(s_1, t_1, k);
            k = carry3(s_1, t_1, k);
            uint64_t u_2 = sum3(s_2, t_2, k), u_3 = carry3(s_2, t_2, k);
            uint64_t v_0 = r_0 ^ u_0;
            k = r_0 & u_0;
            uint64_t v_1 = sum3(r_1, u_1, k);
            k = carry3(r_1, u_1, k);
            uint64_t v_2 = sum3(r_2, u_2, k);
            k = carry3(r_2, u_2, k);
            uint64_t v_3 = sum3(r_3, u_3, k), v_4 = carry3(r_3, u_3, k);

            uint64_t enough = at_least(r_0 | zero1[0], r_1, zero1[1]), many = at_least(v_0 | zero2[0], v_1, zero2[1]);
            enough = at_least(enough, r_2, zero1[2]);
            enough = at_least(enough, r_3, zero1[3]);
            many = at_least(many, v_2, zero2[2]);
            many = at_least(many, v_3, zero2[3]);
            many = at_least(many, v_4, zero2[4]);
            out[i] = enough | ~many;
        }
        out[0] |= 1;
        out[words - 1] = (out[words - 1] | last) & inside;
    }
}

static void pack(const uint8_t *rock, uint64_t *row, size_t width)
{
    size_t x = 0;
    for (; x + 8 <= width; x += 8) {
        uint64_t eight;
        memcpy(&eight, rock + x, 8);
        row[x / 64] |= (eight * 0x0102040810204080u >> 56) << (x & 63); /* byte k lands in bit 56 + k */
    }
    for (; x < width; x++)
        row[x / 64] |= (uint64_t)rock[x] << (x & 63);
}

static void unpack(const uint64_t *row, uint8_t *rock, size_t width)
{
    size_t x = 0;
    for (; x + 8 <= width; x += 8) {
        uint64_t eight = (row[x / 64] >> (x & 63) & 255) * 0x0101010101010101u & 0x8040201008040201u; /* byte k keeps bit k */
        eight = (eight + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
        memcpy(rock + x, &eight, 8);
    }
    for (; x < width; x++)
        rock[x] = row[x / 64] >> (x & 63) & 1;
}

void floor_automaton_bits(const uint8_t *rock, uint8_t *result, uint64_t *now, uint64_t *next, uint64_t *planes, int32_t width, int32_t height, int32_t r1, int32_t r2, int32_t rounds)
{
    size_t words = ((size_t)width + 63) / 64, stride = words + 2, size = stride * ((size_t)height + 4);
    uint32_t enough = (uint32_t)(r1 < 0 ? 0 : r1 > 10 ? 10 : r1), above = (uint32_t)(r2 < -1 ? 0 : r2 > 21 ? 22 : r2 + 1);
    memset(now, 0, size * sizeof *now);
    for (int32_t y = 0; y < height; y++)
        pack(rock + (size_t)y * width, now + (y + 2) * stride + 1, (size_t)width);
    memcpy(next, now, size * sizeof *now);
    for (int32_t i = 0; i < rounds; i++) {
        one_round(now, next, planes, words, width, height, enough, above);
        uint64_t *swap = now;
        now = next;
        next = swap;
    }
    for (int32_t y = 0; y < height; y++)
        unpack(now + (y + 2) * stride + 1, result + (size_t)y * width, (size_t)width);
}
