#!/bin/sh
# Ask pip-audit about lock files: audit.sh PIP_AUDIT FILE…
# Exit 0: nothing is known against any of them. 1: something is. 3: it could not be asked, so nothing is said of the lock.
set -u

tool=$1
shift
if [ ! -x "$tool" ]; then
    echo 'skipped: pip-audit cannot be installed here' >&2
    exit 3
fi

status=0
for file; do
    said=$("$tool" --require-hashes --disable-pip --progress-spinner off --timeout 10 -r "$file" 2>&1)
    found=$?
    if [ "$found" -eq 0 ]; then
        echo "$file: nothing is known against what it locks"
    elif printf '%s\n' "$said" | grep -q '^Name .*Version .*ID '; then
        printf '%s:\n%s\n' "$file" "$said"
        status=1
    else
        echo "skipped: $file could not be audited; the advisory service did not answer:" >&2
        printf '%s\n' "$said" | tail -n 1 | cut -c 1-200 >&2
        [ "$status" -eq 1 ] || status=3
    fi
done
exit "$status"
