/* Rewriting, one match at a time, of rules that are rows of a few cells: each rule in its four directions, nodes tried in order as a markov block does.
 *
 * The map stands in a grid with a rim of a tile that no rule wants, so nothing is asked about borders. A match is packed into 32 bits: its first cell, and its
 * direction above them. A byte a cell and node says which directions are in the node's list already. After a rewrite only the places around changed cells are
 * looked at, by what now stands there; a match that was spoilt meanwhile stays in the list until it is drawn. So is each living match as likely as any other.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pcg32.h"

enum { DIRECTIONS = 4, LONGEST = 4, TILES = 8, RIM = 31, PLACE_BITS = 28 };

typedef struct {
    int32_t step; /* from the first cell of the match */
    uint32_t wanted; /* a bit for each tile */
    uint32_t written;
} Spot;

typedef struct {
    int32_t back; /* from a changed cell to the first cell of the match */
    uint32_t direction;
} Look;

typedef struct {
    uint32_t *items;
    size_t count, room;
} List;

typedef struct {
    int32_t length;
    Spot spots[DIRECTIONS][LONGEST];
    Look looks[TILES][DIRECTIONS * LONGEST]; /* where to look when a cell has become this tile */
    int32_t look_count[TILES];
    uint8_t *listed;
    List matches;
    size_t seen; /* how many of the changes it has looked at */
} Node;

static inline void add(List *list, uint32_t item)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 4096;
        list->items = realloc(list->items, list->room * sizeof *list->items);
        if (!list->items)
            abort();
    }
    list->items[list->count++] = item;
}

static inline bool fits(const Node *node, const uint8_t *grid, uint32_t place, uint32_t direction)
{
    const Spot *spots = node->spots[direction];
    for (int32_t i = 0; i < node->length; i++)
        if (!(spots[i].wanted >> grid[place + spots[i].step] & 1))
            return false;
    return true;
}

static inline void note(Node *node, const uint8_t *grid, uint32_t place, uint32_t direction)
{
    if (!(node->listed[place] >> direction & 1) && fits(node, grid, place, direction)) {
        node->listed[place] |= (uint8_t)(1u << direction);
        add(&node->matches, place | direction << PLACE_BITS);
    }
}

static void catch_up(Node *node, const uint8_t *grid, const List *changes)
{
    for (; node->seen < changes->count; node->seen++) {
        uint32_t cell = changes->items[node->seen], tile = grid[cell];
        for (int32_t i = 0; i < node->look_count[tile]; i++)
            note(node, grid, cell + node->looks[tile][i].back, node->looks[tile][i].direction);
    }
}

/* Apply one match, drawn from all; false if there is none. */
static bool rewrite(Node *node, uint8_t *grid, List *changes, Pcg32 *rng)
{
    List *matches = &node->matches;
    while (matches->count) {
        uint32_t drawn = pcg32_below(rng, (uint32_t)matches->count), match = matches->items[drawn];
        matches->items[drawn] = matches->items[--matches->count];
        uint32_t place = match & ((1u << PLACE_BITS) - 1), direction = match >> PLACE_BITS;
        node->listed[place] &= (uint8_t)~(1u << direction);
        if (!fits(node, grid, place, direction))
            continue;
        const Spot *spots = node->spots[direction];
        for (int32_t i = 0; i < node->length; i++) {
            uint32_t cell = place + spots[i].step;
            if (grid[cell] != spots[i].written) {
                grid[cell] = (uint8_t)spots[i].written;
                add(changes, cell);
            }
        }
        return true;
    }
    return false;
}

/* `text` holds a rule: its length, the tiles it wants, the tiles it writes. */
static const uint8_t *prepare(Node *node, const uint8_t *text, int32_t stride, size_t cells)
{
    const int32_t steps[DIRECTIONS] = {1, -1, stride, -stride};
    memset(node, 0, sizeof *node);
    node->length = *text++;
    node->listed = calloc(cells, 1);
    if (!node->listed)
        abort();
    for (uint32_t direction = 0; direction < DIRECTIONS; direction++)
        for (int32_t i = 0; i < node->length; i++) {
            uint8_t tile = text[i];
            node->spots[direction][i] = (Spot){i * steps[direction], 1u << tile, text[node->length + i]};
            node->looks[tile][node->look_count[tile]++] = (Look){-i * steps[direction], direction};
        }
    return text + 2 * node->length;
}

/* Rewrite a map until nothing fits, and return how many rewrites that took. `text` holds a rule for each node, one after the other. */
int64_t floor_rewriting(uint8_t *map, int32_t width, int32_t height, const uint8_t *text, int32_t count, Pcg32 *rng)
{
    int32_t rim = LONGEST - 1, stride = width + rim;
    size_t cells = (size_t)stride * (height + 2 * rim) + rim;
    uint8_t *grid = malloc(cells), *inside = grid + rim * (size_t)stride + rim;
    Node *nodes = malloc(count * sizeof *nodes);
    if (!grid || !nodes)
        abort();
    Pcg32 local = *rng;
    List changes = {0};
    int64_t rewrites = 0;
    memset(grid, RIM, cells);
    for (int32_t y = 0; y < height; y++)
        memcpy(inside + (size_t)y * stride, map + (size_t)y * width, width);
    for (int32_t n = 0; n < count; n++)
        text = prepare(&nodes[n], text, stride, cells);
    for (int32_t n = 0; n < count; n++)
        for (int32_t y = 0; y < height; y++)
            for (int32_t x = 0; x < width; x++)
                for (uint32_t direction = 0; direction < DIRECTIONS; direction++)
                    note(&nodes[n], grid, (uint32_t)(inside - grid + (size_t)y * stride + x), direction);
    for (int32_t n = 0; n < count;) {
        catch_up(&nodes[n], grid, &changes);
        if (rewrite(&nodes[n], grid, &changes, &local)) {
            rewrites++;
            n = 0;
        } else {
            n++;
        }
    }
    for (int32_t y = 0; y < height; y++)
        memcpy(map + (size_t)y * width, inside + (size_t)y * stride, width);
    for (int32_t n = 0; n < count; n++) {
        free(nodes[n].listed);
        free(nodes[n].matches.items);
    }
    free(changes.items);
    free(nodes);
    free(grid);
    *rng = local;
    return rewrites;
}
