"""A user's program, which is never run: `make check` finds in it what type checkers know of the package.

An ignored error that does not come is an error itself (`warn_unused_ignores`).
"""

from __future__ import annotations

from typing import assert_type

import undercroft as uc

recipe = uc.Recipe.load("cave")
recipe.generate(seed=3, tries=5, until="loops >= 2")
recipe.generate(sede=3)  # type: ignore[call-arg]  # it takes no free keywords
uc.generate("cave", seed=3, fill_prob=0.4)
uc.generate("cave", sede=3)  # a parameter may be called so: refused when it runs
uc.generate("cave", tries="many")  # type: ignore[arg-type]  # the keywords have their types
uc.generate("cave", pick="nearest")  # type: ignore[arg-type]
try:
    uc.generate("cave", until="loops > 900", tries=1)
except uc.NotMet as error:
    assert_type(error.best, uc.Level | None)
