#!/bin/sh
# Makes the virtual environment with the exact versions of constraints.txt. Usage: venv.sh PYTHON FOLDER
set -eu
python=$1
folder=$2

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "Quincunx needs Python 3.11 or newer; '$python' is $("$python" --version 2>&1 || echo missing)." >&2
    echo "Name another one with: make PYTHON=python3.12 play" >&2
    exit 2
fi
if [ ! -x "$folder/bin/python" ]; then
    echo "Making $folder …"
    # Debian's Python comes without ensurepip: virtualenv, from pip, does the same
    if ! "$python" -m venv "$folder" 2>/dev/null; then
        rm -rf "$folder"
        "$python" -m pip install --quiet --target "$folder.tools" virtualenv
        PYTHONPATH="$folder.tools" "$python" -m virtualenv --quiet "$folder"
        rm -rf "$folder.tools"
    fi
fi
echo "Installing what Quincunx needs …"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
