#!/bin/sh
# What some tests need beside Python: installed where this machine allows it, named where it does not. Such tests skip
# themselves with the reason.
set -u
missing=''
for pair in jq:jq strace:strace mandoc:mandoc zsh:zsh fish:fish mkfs.ext4:e2fsprogs mkfs.xfs:xfsprogs; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || [ -x "/sbin/${pair%%:*}" ] || missing="$missing ${pair##*:}"
done
[ -e /usr/share/bash-completion/bash_completion ] || missing="$missing bash-completion"
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    # shellcheck disable=SC2086  # one word a package
    if { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } \
        >/dev/null 2>&1; then
        exit 0
    fi
fi
echo "not installed, so the tests that need them are skipped:$missing" >&2
