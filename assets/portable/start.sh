#!/bin/sh
# Starts the dashboard from this folder; any arguments are those of the command `disclosure`.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 2
for python in "$here/python/bin/python3" python@VERSION@ python3; do
  if "$python" -I -c 'import sys; sys.exit(sys.version_info[:2] != (@PYTHON@))' 2>/dev/null; then
    exec "$python" -I "$here/start.py" "$@"
  fi
done
echo "Python @VERSION@ is not here. Install it, or lay it into the folder python (README.txt)." >&2
exit 2
