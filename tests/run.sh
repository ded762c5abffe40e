#!/bin/sh
# Runs the tests: run.sh PYTHON.
# Some of them kill processes, press Ctrl-C and wait for what others do, and a machine that is busy elsewhere can be late. What failed is tried once more,
# one by one, after its whole report was printed: a second failure is one. All else is the same each time, and fails twice if it fails.
set -eu
failed=0
"$1" -m pytest -n auto || failed=$?
[ $failed = 1 ] || exit $failed
echo "note: the tests above failed and are tried once more, one by one"
exec "$1" -m pytest --last-failed --last-failed-no-failures none
