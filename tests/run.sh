#!/bin/sh
# Run the tests that a marker expression selects: run.sh PYTHON EXPRESSION [ARGUMENTS of pytest].
# Tests marked `processes` kill processes, press Ctrl-C and wait for what others do, and a busy machine can be late. If nothing else failed, those that did
# are tried once more, one by one, after their whole report was printed: a second failure is one. Every other failure is final at once.
set -eu
# pytest keeps the tests that it has rewritten in __pycache__: without those files, every worker rewrites two hundred modules anew.
unset PYTHONDONTWRITEBYTECODE
python=$1 selected=$2
shift 2
# Neighbours share what a module computes once: each worker gets a run of them, and takes from others when it is done.
failed=0
"$python" -m pytest -n auto --dist worksteal -m "$selected" "$@" || failed=$?
[ $failed = 75 ] || exit $failed # see conftest.py: 75 if nothing failed but what waits for processes
echo "note: the tests above failed; they wait for processes, and are tried once more, one by one"
"$python" -m pytest --last-failed --last-failed-no-failures none -m "($selected) and processes" "$@" -n 0 || exit 1
