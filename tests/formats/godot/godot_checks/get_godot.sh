#!/bin/sh
# Prints the command of a Godot of version 4.3 or later: the one that is installed, or else one out of a throw-away Debian that is put into FOLDER.
# That needs Debian's mmdebstrap, some 630 MB, and a minute or two. Nothing outside of FOLDER is touched.
set -eu
folder=$(mkdir -p "${1:?name a folder}" && cd "$1" && pwd)
for name in godot4 godot; do
    if command -v $name >/dev/null && $name --version 2>/dev/null | grep -Eq '^4\.([3-9]|[1-9][0-9])'; then
        command -v $name
        exit
    fi
done
if [ ! -x "$folder/godot" ]; then
    command -v mmdebstrap >/dev/null || { echo "install Godot 4.3 or later, or Debian's package mmdebstrap" >&2; exit 1; }
    rm -rf "$folder/sid"
    # Mirrors of sid may be some days behind; what they hold is signed all the same.
    mmdebstrap --quiet --variant=apt --aptopt='Acquire::Check-Valid-Until "false"' --include=godot sid "$folder/sid" http://deb.debian.org/debian >&2
    libraries=$(find "$folder/sid/usr/lib" -mindepth 1 -maxdepth 1 -name '*-linux-gnu' -print -quit)
    loader=$(find -L "$folder/sid/lib64" "$folder/sid/lib" -maxdepth 1 -name 'ld-linux*' -print -quit 2>/dev/null)
    {
        echo '#!/bin/sh'
        echo "exec $loader --library-path $libraries:$libraries/pulseaudio:$libraries/blas:$libraries/lapack $folder/sid/usr/bin/godot \"\$@\""
    } >"$folder/godot"
    chmod +x "$folder/godot"
fi
echo "$folder/godot"
