/* Labels of the 4-connected floor regions, 1 .. count in order of their first cell; 0 is wall. Two passes with union-find.
 *
 * `parent` has room for one provisional label for every second cell, and one more.
 */
#include <stdint.h>
#include <string.h>

static inline int32_t root_of(int32_t *parent, int32_t label)
{
    while (parent[label] != label) {
        parent[label] = parent[parent[label]];
        label = parent[label];
    }
    return label;
}

int32_t floor_labels(const uint8_t *rock, int32_t *labels, int32_t *parent, int32_t width, int32_t height)
{
    int32_t used = 0;
    parent[0] = 0;
    for (int32_t y = 0; y < height; y++) {
        const uint8_t *row = rock + (size_t)y * width;
        int32_t *here = labels + (size_t)y * width;
        const int32_t *above = here - width;
        int32_t left = 0;
        for (int32_t x = 0; x < width; x++) {
            if (row[x]) {
                left = here[x] = 0;
                continue;
            }
            int32_t up = y ? above[x] : 0;
            if (!left) {
                left = up;
                if (!left) {
                    left = ++used;
                    parent[left] = left;
                }
            } else if (up && up != left) {
                int32_t a = root_of(parent, left), b = root_of(parent, up);
                if (a < b)
                    parent[b] = a;
                else
                    parent[a] = b;
                left = up; /* the next cell then mostly sees equal labels */
            }
            here[x] = left;
        }
    }
    int32_t count = 0;
    for (int32_t i = 1; i <= used; i++) /* a parent is never above its child, so it is final before it is asked for */
        parent[i] = parent[i] == i ? ++count : parent[parent[i]];
    size_t cells = (size_t)width * height;
    for (size_t i = 0; i < cells; i++)
        labels[i] = parent[labels[i]];
    return count;
}

/* The first cell of the largest region (the first of equals), or -1; `areas` has count + 1 places. */
int64_t floor_largest(const int32_t *labels, int32_t *areas, int32_t count, int64_t cells)
{
    memset(areas, 0, ((size_t)count + 1) * sizeof *areas);
    for (int64_t i = 0; i < cells; i++)
        areas[labels[i]]++;
    int32_t best = 0;
    for (int32_t label = 1; label <= count; label++)
        if (!best || areas[label] > areas[best])
            best = label;
    for (int64_t i = 0; best && i < cells; i++)
        if (labels[i] == best)
            return i;
    return -1;
}
