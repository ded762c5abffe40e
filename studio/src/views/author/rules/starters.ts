/** Rules to begin with. */
export interface Starter {
  name: string
  file: string
  about: string
  text: string
}

const CRYPT = `; A crypt that grows room by room, from the doors of the first.
palette standard
tile chest = $, pillar, colour #f4d35e

set  s = # or X

one  start, once
    XXXXX      ?????
    XXXXX      ?#+#?
    XXXXX  ->  ?+.+?
    XXXXX      ?#+#?
    XXXXX      ?????

; Three in four rooms go on, the fourth is a treasury.
one  room, up to 20 times, turned, results 3:1
    ?#+#?      ?#+#?     ?#+#?
    ?XXX?  ->  ?+.+?  |  ?#$#?
    ?XXX?      ?#+#?     ?###?

expect  room grows below a door
    ##+##      ##+##     ##+##
    #XXX#  ->  #+.+#  |  ##$##
    XXXXX      X#+#X     X###X

expect  room stays out of thin rock
    ##+##
    #XXX#  ->
    #X.X#

one  cave mouth, up to 2 times, turned
    s+s      ???
    XXX  ->  ?.?
    XXX      ???

all  flood, once, chance 20%
    . -> ~

all  blind doors, turned, outside X
    ?X?      ???
    ?+?  ->  ?#?
    ???      ???

expect  blind doors are walled up
    .+X  ->  .#X
`

const MAZE = `; A maze: paths of W dig through B, two cells at a time.
palette letters BWA
positions all

one  B -> W, once

one  dig
    WBB -> WAW

expect  dig goes straight on
    WBBB  ->  WAWB
`

const HALL = `; A hall with pillars and a pool.
palette standard

one  hall, once
    XXXXXXXXXXXXX      #############
    XXXXXXXXXXXXX      #...........#
    XXXXXXXXXXXXX      #...........#
    XXXXXXXXXXXXX      #...........#
    XXXXXXXXXXXXX  ->  #...........+
    XXXXXXXXXXXXX      #...........#
    XXXXXXXXXXXXX      #...........#
    XXXXXXXXXXXXX      #...........#
    XXXXXXXXXXXXX      #############

one  furnish, up to 6 times
    rule  pillar, weight 3
        ...      ???
        ...  ->  ?o?
        ...      ???
    rule  pool, turned, once
        ....  ->  .~~.
        ....      .~~.
`

/** What "New rules" begins with: small, and it runs at once. */
const FIRST = `; What stands on the left is looked for; what stands on the right is written there.
palette standard

one  room, once
    XXXXXXX      #######
    XXXXXXX      #.....#
    XXXXXXX  ->  #.....+
    XXXXXXX      #.....#
    XXXXXXX      #######

; The dots of the pattern must be there; a ? is left as it is.
one  pillar, up to 2 times
    ...      ???
    ...  ->  ?o?
    ...      ???
`
export const FIRST_RULES: Starter = { name: "New rules", file: "rules.rules", about: "A room, and pillars in it", text: FIRST }

const BLANK = `palette standard

one  first rule
    ???      ???
    ???  ->  ???
    ???      ???
`

export const STARTERS: Starter[] = [
  { name: "Crypt", file: "crypt.rules", about: "Rooms that grow from doors, with expectations", text: CRYPT },
  { name: "Maze", file: "maze.rules", about: "Four lines, in all eight positions", text: MAZE },
  { name: "Hall", file: "hall.rules", about: "Several rules in one node, with weights", text: HALL },
  { name: "Empty", file: "rules.rules", about: "One rule, still to be drawn", text: BLANK },
]
