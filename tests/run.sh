#!/bin/sh
# Run the tests that a marker expression selects: run.sh PYTHON EXPRESSION [ARGUMENTS of pytest].
# Tests marked `processes` kill processes, press Ctrl-C and wait for what others do, and a busy machine can be late. If nothing else failed, those that did
# are tried once more, one by one, after their whole report was printed: a second failure is one. Every other failure is final at once.
set -eu
# pytest keeps the tests that it has rewritten in __pycache__: without those files, every worker rewrites two hundred modules anew.
unset PYTHONDONTWRITEBYTECODE
python=$1 selected=$2
shift 2
failed=0
"$python" -m pytest -n auto -m "$selected" "$@" || failed=$?
[ $failed = 1 ] || exit $failed

# 5: pytest found no test, so none failed but those of processes. Whatever else it says, the failure stands.
final=0
"$python" -m pytest --last-failed --last-failed-no-failures none --collect-only -m "($selected) and not processes" "$@" >/dev/null 2>&1 || final=$?
[ $final = 5 ] || exit $failed
echo "note: the tests above failed; they wait for processes, and are tried once more, one by one"
exec "$python" -m pytest --last-failed --last-failed-no-failures none -n 0 -m "($selected) and processes" "$@"
