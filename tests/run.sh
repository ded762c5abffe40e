#!/bin/sh
# Run the tests that a marker expression selects: run.sh PYTHON EXPRESSION [ARGUMENTS of pytest].
# Tests marked `processes` kill processes, press Ctrl-C and wait for other processes, so they can be late on a busy machine. If only such tests failed,
# they run once more, one by one, after the whole report: a second failure counts. Every other failure is final at once.
set -eu
# pytest keeps the tests that it has rewritten in __pycache__: without those files, every worker rewrites two hundred modules again.
unset PYTHONDONTWRITEBYTECODE
python=$1 selected=$2
shift 2
# Tests of a module share its fixtures: each worker gets a run of neighbouring tests, and takes tests from other workers when it is done.
failed=0
"$python" -m pytest -n auto --dist worksteal -m "$selected" "$@" || failed=$?
[ $failed = 75 ] || exit $failed # see conftest.py: 75 if only tests that wait for processes failed
echo "note: the tests above failed; they wait for processes, and are tried once more, one by one"
"$python" -m pytest --last-failed --last-failed-no-failures none -m "($selected) and processes" "$@" -n 0 || exit 1
