#!/bin/sh
# Lint, types and the fast tests, in less than a minute: quick.sh FOLDER, where FOLDER holds the programs.
# Types are those of everything: mypy keeps what it found in a cache, and looks only at what a change can reach.
# Tests are those of the parts that everything rests on, those of files that changed in the last commit or since, and those named after a module that did.
set -eu
bin=$1
"$bin/ruff" check .
"$bin/ruff" format --check .
told=$(mktemp)
trap 'rm -f "$told"' EXIT
"$bin/mypy" >"$told" 2>&1 &
types=$!

changed=$({ git diff --name-only HEAD~1 -- src tests && git ls-files --others --exclude-standard -- src tests; } 2>/dev/null || true)
tests=$(
    for file in $changed; do
        case $file in
        tests/studio_browser/*) ;;
        tests/*/test_*.py) [ ! -e "$file" ] || echo "$file" ;;
        src/*.py)
            module=$(basename "$file" .py)
            find tests -name studio_browser -prune -o -name "test_$module.py" -print
            ;;
        esac
    done | sort -u
)
unset PYTHONDONTWRITEBYTECODE # see run.sh
failed=0
# shellcheck disable=SC2086 # names of our files hold no blanks
"$bin/python" -m pytest -n auto -m "not long and not processes" src tests/core tests/analysis tests/templates tests/things tests/house \
    tests/recipe/test_recipe.py tests/recipe/test_determinism.py $tests || failed=$?
wait $types || failed=1
cat "$told"
exit $failed
