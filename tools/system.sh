#!/bin/sh
# Sees to programs of the system. Usage: system.sh COMMAND:DEBIAN_PACKAGE…
# On Debian as root the missing ones are installed; elsewhere it says what to install.
set -eu
missing=""
for pair in "$@"; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair##*:}"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing$missing …"
    apt-get -qq update
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y $missing >/dev/null
else
    echo "Please install$missing (on Debian or Ubuntu: sudo apt-get install$missing), then try again." >&2
    exit 2
fi
