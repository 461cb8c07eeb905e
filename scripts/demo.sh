#!/bin/sh
# The main job on a small sample store: write documents, read the changes, save a place, prune what was read.
# Everything happens in a temporary directory, which is removed at the end.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export NEOSIAN_HOME="$work" LOGNAME=me
unset NEOSIAN_ROOT NEOSIAN_URL NEOSIAN_PROFILE NEOSIAN_SCOPE NEOSIAN_ACTOR NEOSIAN_CONFIG
mkdir "$work/erp"
cd "$work/erp"

run() {
    printf '\n$ neosian'
    for word in "$@"; do
        case $word in
            *[!A-Za-z0-9_./=:-]*) printf " '%s'" "$word" ;;
            *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    neosian "$@" 2>&1
}

echo '# Write two documents, change one, rename the other.'
run memory write /project/notes/decision --content 'We keep the journal.'
run memory write /project/notes/todo --content 'Measure it.'
run memory replace /project/notes/decision --old keep --new 'keep and test'
run memory rename /project/notes/todo /project/notes/done

printf '\n# What changed? A job keeps its place in a file, and moves it when its work is done.\n'
run changes read /project --from start --checkpoint job.cursor --auto-advance
run changes read /project --checkpoint job.cursor

printf '\n# Later something happens, and only that is read.\n'
run memory delete /project/notes/done
run changes read /project --checkpoint job.cursor

printf '\n# Prune what the job has seen: first a look, then for good.\n'
run changes prune /project --through "$(cat job.cursor)"
run changes prune /project --through "$(cat job.cursor)" --write --not-past job.cursor
run changes status /project --checkpoint job.cursor

printf '\n# Everything is a file, and all of it can be checked.\n'
run verify
(cd "$work/store" && find . -type f | sort)

printf '\n# The command is %s; to go on:\n' "$(command -v neosian)"
printf 'export PATH="%s:$PATH"\n' "$(dirname "$(command -v neosian)")"
