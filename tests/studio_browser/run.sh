#!/bin/sh
# Runs the tests of the studio in a browser, or another program that needs one: run.sh PYTHON [ARGUMENTS].
# It installs Chromium and Node.js if this is Debian and we may, and Playwright into the environment of PYTHON. If one of them cannot be had it says so and is content.
set -eu
python=$1
shift

missing() {
    echo "note: the studio is not tried in a browser, since $1"
    exit 0
}
# The tests run in Chromium's headless shell if they can: the same engine, without the renderers that a whole Chromium starts for its own window. Other programs measure the whole.
shell=
[ $# != 0 ] || shell=chromium-headless-shell
browser() { { [ -n "$shell" ] && command -v "$shell"; } || command -v chromium || command -v chromium-browser || command -v google-chrome; }
install() {
    [ "$(id -u)" = 0 ] && command -v apt-get || return 0
    apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" || true
}

browser >/dev/null || [ -z "$shell" ] || install "$shell" >/dev/null 2>&1
browser >/dev/null || install chromium >/dev/null 2>&1
browser >/dev/null || missing "there is no Chromium here and none can be installed"
command -v npm >/dev/null || install nodejs npm >/dev/null 2>&1
if command -v npm >/dev/null; then
    make --no-print-directory studio/node_modules/.ready || missing "what its page is built with cannot be fetched"
    make --no-print-directory studio-page # a page that does not build is a failure
elif [ ! -e src/undercroft/studio/static/built ]; then
    missing "there is no Node.js here to build its page"
fi
"$python" -c "import playwright" 2>/dev/null || "$python" -m pip install --quiet --disable-pip-version-check "playwright>=1.45" || missing "Playwright cannot be installed"
[ $# = 0 ] || exec "$python" "$@"

run="$(dirname "$0")/../run.sh"
# It starts a browser of its own, and is skipped by make test-long where Playwright is not installed yet.
"$run" "$python" processes -n 1 tests/studio/server/test_hostile_page.py
exec "$run" "$python" processes -n 3 --dist loadfile tests/studio_browser
