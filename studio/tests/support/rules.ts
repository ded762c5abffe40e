/** A rules text with every form that rules have. */
export const CRYPT = `; A crypt.
palette standard
tile chest = $, pillar

set  s = # or X   ; what is solid

; Where all begins.
one  start, once
    XXX      ???   ; top
    ; in the middle
    XXX  ->  ?+?   ; middle
    XXX      ???   ; bottom

one  room, up to 20 times, turned, results 3:1        ; two results
    ?#+#?      ?#+#?     ?#+#?
    ?XXX?  ->  ?+.+?  |  ?#$#?
    ?XXX?      ?#+#?     ?###?

expect  room grows below a door
    ##+##      ##+##     ##+##
    #XXX#  ->  #+.+#  |  ##$##
    XXXXX      X#+#X     X###X

markov
    one  {not # or X}s -> ?., turned, chance 50%   ; braces
    all  wear, once
        o. -> o,
        .o -> ,o, chance 30%

    one  furnish, up to 12 times
        rule  pillar, weight 3
            ...      ???
            ...  ->  ?o?
            ...      ???
        rule  "pool, deep", turned
            ....  ->  .~~.
            ....      .~~.

all  .,/.. -> ,,/,,, once
`
