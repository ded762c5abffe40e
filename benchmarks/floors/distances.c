/* Breadth-first distances over floor from one cell, in four directions. A floor cell out of reach gets -1, a wall -2.
 *
 * The map has a ring of wall, so no step leaves it. `queue` has room for every cell. Returns the largest distance.
 */
#include <stddef.h>
#include <stdint.h>

int32_t floor_distances(const uint8_t *rock, int32_t *distances, int32_t *queue, int32_t width, int32_t height, int32_t start)
{
    size_t cells = (size_t)width * height;
    for (size_t i = 0; i < cells; i++)
        distances[i] = rock[i] ? -2 : -1;
    const int32_t steps[4] = {1, -1, width, -width};
    int64_t head = 0, tail = 1;
    int32_t distance = 0;
    queue[0] = start;
    distances[start] = 0;
    while (head < tail) {
        distance++;
        for (int64_t end = tail; head < end; head++)
            for (int k = 0; k < 4; k++) {
                int32_t cell = queue[head] + steps[k];
                if (distances[cell] == -1) {
                    distances[cell] = distance;
                    queue[tail++] = cell;
                }
            }
    }
    return distance - 1;
}
