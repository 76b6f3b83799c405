#!/bin/sh
# Tells whether production is as merged: the drift check, in the directory of production. See
# drift-check/drift-check.sh beside this directory for its settings and exit codes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "${PRODUCTION:-prod}"
"${TERRAFORM:-terraform}" init -input=false -no-color >/dev/null
exec "$here/../drift-check/drift-check.sh" "$@"
