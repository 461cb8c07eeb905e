# fish completion for neosian. Made by `python -m neosian_cli.manual`: change the table of options, not this file.
#
# Put it into ~/.config/fish/completions. Names of commands, options and choices stand here; mounts, paths, namespaces
# and the like are asked of the program, which then only looks.

# The options of the command $argv[1] that take a value.
function __neosian_valued
    set -l valued --profile --root --url --scope --mount --actor --config --lock-timeout
    switch "$argv[1]"
        case 'changes read'
            set -a valued --cursor --checkpoint --from --limit --interval --timeout
        case 'changes checkpoint'
            set -a valued --advance
        case 'changes status'
            set -a valued --checkpoint
        case 'changes stats'
            set -a valued --since --until --by
        case 'changes prune'
            set -a valued --through --not-past
        case 'export'
            set -a valued --scope --namespace
        case 'import'
            set -a valued --scope --namespace --from
        case 'memory list'
            set -a valued --prefix --limit --cursor
        case 'memory view'
            set -a valued --lines --version
        case 'memory write' 'memory create'
            set -a valued --content --if-version --extra
        case 'memory replace' 'memory str_replace' 'memory str-replace'
            set -a valued --old --new --if-version
        case 'memory insert'
            set -a valued --line --text --if-version
        case 'memory delete'
            set -a valued --if-version
        case 'memory rename'
            set -a valued --if-version
        case 'memory versions'
            set -a valued --limit --cursor
        case 'memory diff'
            set -a valued --from --to
        case 'memory revert'
            set -a valued --version
        case 'messages send'
            set -a valued --target --body --conversation --turn --due-at --delay-seconds --context --context-version --change-id --about --about-turn --source --id
        case 'messages list'
            set -a valued --target --status --session --limit --cursor
        case 'messages view'
            set -a valued --target
        case 'messages ack'
            set -a valued --session --occurrence --token --target
        case 'messages claim'
            set -a valued --session --occurrence --token --target
        case 'messages renew'
            set -a valued --session --occurrence --token --target
        case 'messages release'
            set -a valued --session --occurrence --token --target
        case 'messages complete'
            set -a valued --session --occurrence --token --outcome --target
        case 'messages snooze'
            set -a valued --session --occurrence --token --outcome --due-at --delay-seconds --target
        case 'messages cancel'
            set -a valued --session --occurrence --token --target
        case 'semantic create'
            set -a valued --provider --model --dimensions --text-search --option
        case 'semantic upsert'
            set -a valued --id --content --vector --payload --metadata --valid-from --valid-to --deleted-at --created-at --supersedes --source --if-version --records --batch
        case 'semantic search'
            set -a valued --vector --top-k --filter --where --as-of --known-at --created-after --created-before --mode --rerank-candidate-k
        case 'semantic list'
            set -a valued --filter --where --limit --cursor
        case 'semantic delete'
            set -a valued --if-version
        case 'semantic expire'
            set -a valued --filter --where --action --max-rows
        case 'semantic compact'
            set -a valued --history-before
        case 'verify'
            set -a valued --namespace
    end
    printf '%s\n' $valued
end

# What stands before the cursor: the name of the command on the first line, then the words that are told by their place.
function __neosian_read
    set -l groups changes config memory messages semantic
    set -l words (commandline -opc)
    set -e words[1]
    test "$words[1]" = help; and set -e words[1]
    set -l name ''
    set -l plain
    set -l open 1
    set -l valued (__neosian_valued '')
    while set -q words[1]
        set -l word $words[1]
        set -e words[1]
        if test "$word" = --
            set -a plain $words
            break
        else if string match -q -- '-*' $word
            contains -- $word $valued; and set -e words[1]
        else if test $open -eq 1
            set name (string trim -- "$name $word")
            contains -- $name $groups; or set open 0
            set valued (__neosian_valued "$name")
        else
            set -a plain $word
        end
    end
    printf '%s\n' "$name" $plain
end

function __neosian_at
    set -l read (__neosian_read)
    contains -- "$read[1]" $argv
end

# Whether the word at the cursor has that place, or one from there on.
function __neosian_place
    set -l read (__neosian_read)
    set -l place (math (count $read) - 1)
    test $place -ge $argv[1]; and begin
        not set -q argv[2]; or test $place -le $argv[2]
    end
end

function __neosian_token
    commandline -ct | string replace -r -- '^--[a-z-]+=' ''
end

# Candidates of the kind $argv[1], asked of the program.
function __neosian_ask
    set -l token (__neosian_token | string collect -a)
    string match -q -- '-*' $token; and return # an option is on its way
    set -l words (commandline -opc)
    command neosian __complete $argv[1] -- $token $words[2..-1] 2>/dev/null
end

function __neosian_directories
    __fish_complete_directories (__neosian_token) ''
end

# A text, which may be read from a file as @FILE.
function __neosian_text
    set -l token (__neosian_token)
    string match -q -- '@*' $token; or return
    for path in (__fish_complete_path (string sub -s 2 -- $token) | string replace -r '\t.*' '')
        echo "@$path"
    end
end

# A command with its own arguments, after `--`.
function __neosian_rest
    set -l words (commandline -opc)
    set -l at (contains -i -- -- $words); or return
    set -l own $words[(math $at + 1)..-1]
    complete -C (string join ' ' -- (string escape -- $own) (commandline -ct))
end

complete -c neosian -f
complete -c neosian -n '__neosian_at "" changes config memory messages semantic "changes read" "changes checkpoint" "changes snapshot" "changes status" "changes stats" "changes verify" "changes prune" "config show" "config check" export import lock "memory list" "memory view" "memory write" "memory create" "memory replace" "memory str_replace" "memory str-replace" "memory insert" "memory delete" "memory rename" "memory versions" "memory diff" "memory revert" "memory erase" "memory redact" "messages send" "messages list" "messages view" "messages ack" "messages claim" "messages renew" "messages release" "messages complete" "messages snooze" "messages cancel" "semantic create" "semantic namespaces" "semantic upsert" "semantic search" "semantic get" "semantic list" "semantic delete" "semantic expire" "semantic history" "semantic stats" "semantic compact" "semantic reindex" "semantic drop" status verify' -l profile -x -a '(__neosian_ask profile)' -d 'a profile of config.yaml'
complete -c neosian -n '__neosian_at "" changes config memory messages semantic "changes read" "changes checkpoint" "changes snapshot" "changes status" "changes stats" "changes verify" "changes prune" "config show" "config check" export import lock "memory list" "memory view" "memory write" "memory create" "memory replace" "memory str_replace" "memory str-replace" "memory insert" "memory delete" "memory rename" "memory versions" "memory diff" "memory revert" "memory erase" "memory redact" "messages send" "messages list" "messages view" "messages ack" "messages claim" "messages renew" "messages release" "messages complete" "messages snooze" "messages cancel" "semantic create" "semantic namespaces" "semantic upsert" "semantic search" "semantic get" "semantic list" "semantic delete" "semantic expire" "semantic history" "semantic stats" "semantic compact" "semantic reindex" "semantic drop" status verify' -l root -x -a '(__neosian_directories)' -d 'the directory of a local store'
complete -c neosian -n '__neosian_at "" changes config memory messages semantic "changes read" "changes checkpoint" "changes snapshot" "changes status" "changes stats" "changes verify" "changes prune" "config show" "config check" export import lock "memory list" "memory view" "memory write" "memory create" "memory replace" "memory str_replace" "memory str-replace" "memory insert" "memory delete" "memory rename" "memory versions" "memory diff" "memory revert" "memory erase" "memory redact" "messages send" "messages list" "messages view" "messages ack" "messages claim" "messages renew" "messages release" "messages complete" "messages snooze" "messages cancel" "semantic create" "semantic namespaces" "semantic upsert" "semantic search" "semantic get" "semantic list" "semantic delete" "semantic expire" "semantic history" "semantic stats" "semantic compact" "semantic reindex" "semantic drop" status verify' -l url -x -d 'a served store (there is none yet); its token is taken from NEOSIAN_TOKEN'
complete -c neosian -n '__neosian_at "" changes config memory messages semantic "changes read" "changes checkpoint" "changes snapshot" "changes status" "changes stats" "changes verify" "changes prune" "config show" "config check" export import lock "memory list" "memory view" "memory write" "memory create" "memory replace" "memory str_replace" "memory str-replace" "memory insert" "memory delete" "memory rename" "memory versions" "memory diff" "memory revert" "memory erase" "memory redact" "messages send" "messages list" "messages view" "messages ack" "messages claim" "messages renew" "messages release" "messages complete" "messages snooze" "messages cancel" "semantic create" "semantic namespaces" "semantic upsert" "semantic search" "semantic get" "semantic list" "semantic delete" "semantic expire" "semantic history" "semantic stats" "semantic compact" "semantic reindex" "semantic drop" status verify' -l scope -x -a '(__neosian_ask scope)' -d 'mount this scope at /memories'
complete -c neosian -n '__neosian_at "" changes config memory messages semantic "changes read" "changes checkpoint" "changes snapshot" "changes status" "changes stats" "changes verify" "changes prune" "config show" "config check" export import lock "memory list" "memory view" "memory write" "memory create" "memory replace" "memory str_replace" "memory str-replace" "memory insert" "memory delete" "memory rename" "memory versions" "memory diff" "memory revert" "memory erase" "memory redact" "messages send" "messages list" "messages view" "messages ack" "messages claim" "messages renew" "messages release" "messages complete" "messages snooze" "messages cancel" "semantic create" "semantic namespaces" "semantic upsert" "semantic search" "semantic get" "semantic list" "semantic delete" "semantic expire" "semantic history" "semantic stats" "semantic compact" "semantic reindex" "semantic drop" status verify' -l mount -x -d 'mount a scope under a name: scope=SCOPE,path=NAME[,ro|,eo]; not together with --scope'
complete -c neosian -n '__neosian_at "" changes config memory messages semantic "changes read" "changes checkpoint" "changes snapshot" "changes status" "changes stats" "changes verify" "changes prune" "config show" "config check" export import lock "memory list" "memory view" "memory write" "memory create" "memory replace" "memory str_replace" "memory str-replace" "memory insert" "memory delete" "memory rename" "memory versions" "memory diff" "memory revert" "memory erase" "memory redact" "messages send" "messages list" "messages view" "messages ack" "messages claim" "messages renew" "messages release" "messages complete" "messages snooze" "messages cancel" "semantic create" "semantic namespaces" "semantic upsert" "semantic search" "semantic get" "semantic list" "semantic delete" "semantic expire" "semantic history" "semantic stats" "semantic compact" "semantic reindex" "semantic drop" status verify' -l actor -x -d 'who writes, as kind:id'
complete -c neosian -n '__neosian_at "" changes config memory messages semantic "changes read" "changes checkpoint" "changes snapshot" "changes status" "changes stats" "changes verify" "changes prune" "config show" "config check" export import lock "memory list" "memory view" "memory write" "memory create" "memory replace" "memory str_replace" "memory str-replace" "memory insert" "memory delete" "memory rename" "memory versions" "memory diff" "memory revert" "memory erase" "memory redact" "messages send" "messages list" "messages view" "messages ack" "messages claim" "messages renew" "messages release" "messages complete" "messages snooze" "messages cancel" "semantic create" "semantic namespaces" "semantic upsert" "semantic search" "semantic get" "semantic list" "semantic delete" "semantic expire" "semantic history" "semantic stats" "semantic compact" "semantic reindex" "semantic drop" status verify' -l config -r -F -d 'instead of <home>/config.yaml'
complete -c neosian -n '__neosian_at "" changes config memory messages semantic "changes read" "changes checkpoint" "changes snapshot" "changes status" "changes stats" "changes verify" "changes prune" "config show" "config check" export import lock "memory list" "memory view" "memory write" "memory create" "memory replace" "memory str_replace" "memory str-replace" "memory insert" "memory delete" "memory rename" "memory versions" "memory diff" "memory revert" "memory erase" "memory redact" "messages send" "messages list" "messages view" "messages ack" "messages claim" "messages renew" "messages release" "messages complete" "messages snooze" "messages cancel" "semantic create" "semantic namespaces" "semantic upsert" "semantic search" "semantic get" "semantic list" "semantic delete" "semantic expire" "semantic history" "semantic stats" "semantic compact" "semantic reindex" "semantic drop" status verify' -l lock-timeout -x -d 'how long to wait for another process; 10 by default, 0 is one try'
complete -c neosian -n '__neosian_at "" changes config memory messages semantic "changes read" "changes snapshot" "memory list" "memory versions" "messages list" "semantic namespaces" "semantic search" "semantic get" "semantic list" "semantic history"' -l jsonl -d 'print one JSON object a line, the last one of the type page'
complete -c neosian -l json -d 'print the result as one JSON object, and errors too'
complete -c neosian -l quiet -s q -d 'no hints, no progress'
complete -c neosian -n '__neosian_at ""' -l version -s V -d 'print the version'
complete -c neosian -l help -s h -d 'show help'

complete -c neosian -n '__neosian_at ""' -a changes -d 'what happens in a mount: read, keep a place, prune'
complete -c neosian -n '__neosian_at ""' -a completion -d 'print the completion script of a shell'
complete -c neosian -n '__neosian_at ""' -a config -d 'the settings in force, and whether their file is good'
complete -c neosian -n '__neosian_at ""' -a docs -d 'the pages that ship with the program'
complete -c neosian -n '__neosian_at ""' -a export -d 'write an archive, which is itself a store'
complete -c neosian -n '__neosian_at ""' -a import -d 'take scopes and namespaces out of an archive'
complete -c neosian -n '__neosian_at ""' -a lock -d 'hold the store\'s lock while a command runs: a backup, a copy'
complete -c neosian -n '__neosian_at ""' -a memory -d 'documents with versions'
complete -c neosian -n '__neosian_at ""' -a messages -d 'durable inboxes for scripts and agents'
complete -c neosian -n '__neosian_at ""' -a schema -d 'JSON Schema of what the tool prints and reads'
complete -c neosian -n '__neosian_at ""' -a semantic -d 'records that are found by meaning, words and time'
complete -c neosian -n '__neosian_at ""' -a status -d 'what is here, who holds the lock, what needs attention'
complete -c neosian -n '__neosian_at ""' -a verify -d 'read everything and name all that is wrong'
complete -c neosian -n '__neosian_at ""' -a version -d 'the version of the program'

complete -c neosian -n '__neosian_at changes' -a read -d 'what has happened in a mount since a cursor'
complete -c neosian -n '__neosian_at changes' -a checkpoint -d 'show or move the place that a consumer keeps in a file'
complete -c neosian -n '__neosian_at changes' -a snapshot -d 'the state to start from after a gap, and the cursor to go on with'
complete -c neosian -n '__neosian_at changes' -a status -d 'how far a feed goes, and how far its consumers are'
complete -c neosian -n '__neosian_at changes' -a stats -d 'retained events by time, kind and path'
complete -c neosian -n '__neosian_at changes' -a verify -d 'read a whole feed and check that nothing in it is damaged or missing'
complete -c neosian -n '__neosian_at changes' -a prune -d 'remove events that every consumer has passed'
complete -c neosian -n '__neosian_at config' -a show -d 'the settings in force and where each came from'
complete -c neosian -n '__neosian_at config' -a check -d 'check the configuration file'
complete -c neosian -n '__neosian_at memory' -a list -d 'list the documents of a mount'
complete -c neosian -n '__neosian_at memory' -a view -d 'print the body of a document'
complete -c neosian -n '__neosian_at memory' -a write -d 'create or overwrite a document'
complete -c neosian -n '__neosian_at memory' -a replace -d 'replace the one place where a text occurs'
complete -c neosian -n '__neosian_at memory' -a insert -d 'insert whole lines'
complete -c neosian -n '__neosian_at memory' -a delete -d 'delete a document; its history stays'
complete -c neosian -n '__neosian_at memory' -a rename -d 'move a document within its mount'
complete -c neosian -n '__neosian_at memory' -a versions -d 'list the versions of a document, newest first'
complete -c neosian -n '__neosian_at memory' -a diff -d 'compare two versions of a document'
complete -c neosian -n '__neosian_at memory' -a revert -d 'undo the newest version'
complete -c neosian -n '__neosian_at memory' -a erase -d 'blank a document and all its versions for good'
complete -c neosian -n '__neosian_at messages' -a send -d 'store a message for whoever reads the mount\'s mailbox'
complete -c neosian -n '__neosian_at messages' -a list -d 'messages by due time; those that are unread unless told otherwise'
complete -c neosian -n '__neosian_at messages' -a view -d 'a message and its history'
complete -c neosian -n '__neosian_at messages' -a ack -d 'say that a message was read'
complete -c neosian -n '__neosian_at messages' -a claim -d 'take a due message for half an hour'
complete -c neosian -n '__neosian_at messages' -a renew -d 'begin the lease anew'
complete -c neosian -n '__neosian_at messages' -a release -d 'give a claimed message back'
complete -c neosian -n '__neosian_at messages' -a complete -d 'close a claimed message with its outcome'
complete -c neosian -n '__neosian_at messages' -a snooze -d 'put a claimed message off'
complete -c neosian -n '__neosian_at messages' -a cancel -d 'close a message that is no longer wanted'
complete -c neosian -n '__neosian_at semantic' -a create -d 'make a namespace and bind it to an embedder'
complete -c neosian -n '__neosian_at semantic' -a namespaces -d 'every namespace with its binding and counts'
complete -c neosian -n '__neosian_at semantic' -a upsert -d 'store a record, or many'
complete -c neosian -n '__neosian_at semantic' -a search -d 'the records that are nearest in meaning or words'
complete -c neosian -n '__neosian_at semantic' -a get -d 'records by id, live or not'
complete -c neosian -n '__neosian_at semantic' -a list -d 'records by creation'
complete -c neosian -n '__neosian_at semantic' -a delete -d 'tombstones for records, or their removal'
complete -c neosian -n '__neosian_at semantic' -a expire -d 'end, hide or remove all records that match'
complete -c neosian -n '__neosian_at semantic' -a history -d 'every version of a record and every change to it'
complete -c neosian -n '__neosian_at semantic' -a stats -d 'what a namespace holds and takes'
complete -c neosian -n '__neosian_at semantic' -a compact -d 'drop what nothing can read any more'
complete -c neosian -n '__neosian_at semantic' -a reindex -d 'build the derived files anew from the records'
complete -c neosian -n '__neosian_at semantic' -a drop -d 'remove a namespace with everything in it'
complete -c neosian -n '__neosian_at "changes read"' -l cursor -x -d 'go on after the page whose cursor this is'
complete -c neosian -n '__neosian_at "changes read"' -l checkpoint -r -F -d 'go on where the consumer of this file stands'
complete -c neosian -n '__neosian_at "changes read"' -l from -x -a 'start now' -d 'where to begin without a cursor: the oldest event that is retained, or the head'
complete -c neosian -n '__neosian_at "changes read"' -l limit -x -d 'how many events a page has at most'
complete -c neosian -n '__neosian_at "changes read"' -l all -d 'go on, page after page, to the head as it stands at the start'
complete -c neosian -n '__neosian_at "changes read"' -l follow -d 'go on for ever: print events as they come'
complete -c neosian -n '__neosian_at "changes read"' -l interval -x -d 'with --follow: how often to look; 1.0 by default'
complete -c neosian -n '__neosian_at "changes read"' -l timeout -x -d 'with --follow: end after this time in all'
complete -c neosian -n '__neosian_at "changes read"' -l auto-advance -d 'save each page\'s cursor in the checkpoint file once the page is written out'
complete -c neosian -n '__neosian_at "changes read"' -l gap-ok -d 'exit with 0 on a gap too: for those who take it from the page'
complete -c neosian -n '__neosian_at "changes read"; and __neosian_place 0 0' -f -a '(__neosian_ask mount)'
complete -c neosian -n '__neosian_at "changes checkpoint"' -l advance -x -d 'save this cursor: the work up to it is done'
complete -c neosian -n '__neosian_at "changes checkpoint"' -l force -d 'move it back, or to another stream or history, after a reconciliation'
complete -c neosian -n '__neosian_at "changes checkpoint"; and __neosian_place 0 0' -F
complete -c neosian -n '__neosian_at "changes checkpoint"; and __neosian_place 1 1' -f -a '(__neosian_ask mount)'
complete -c neosian -n '__neosian_at "changes snapshot"; and __neosian_place 0 0' -f -a '(__neosian_ask mount)'
complete -c neosian -n '__neosian_at "changes status"' -l checkpoint -r -F -d 'a consumer\'s checkpoint file'
complete -c neosian -n '__neosian_at "changes status"; and __neosian_place 0 0' -f -a '(__neosian_ask mount)'
complete -c neosian -n '__neosian_at "changes stats"' -l since -x -d 'count events from this time on, as in 2026-01-02T03:04:05Z'
complete -c neosian -n '__neosian_at "changes stats"' -l until -x -d 'count events before this time'
complete -c neosian -n '__neosian_at "changes stats"' -l by -x -a 'hour day month' -d 'how long a bar\'s time is'
complete -c neosian -n '__neosian_at "changes stats"; and __neosian_place 0 0' -f -a '(__neosian_ask mount)'
complete -c neosian -n '__neosian_at "changes verify"; and __neosian_place 0 0' -f -a '(__neosian_ask mount)'
complete -c neosian -n '__neosian_at "changes prune"' -l through -x -d 'the last event to remove, as its cursor'
complete -c neosian -n '__neosian_at "changes prune"' -l all -d 'go on where more than 10,000 events are to be removed'
complete -c neosian -n '__neosian_at "changes prune"' -l not-past -r -F -d 'refuse to remove what the consumer of this checkpoint file has not seen'
complete -c neosian -n '__neosian_at "changes prune"' -l write -d 'do it; without this the verb only shows what it would do'
complete -c neosian -n '__neosian_at "changes prune"; and __neosian_place 0 0' -f -a '(__neosian_ask mount)'
complete -c neosian -n '__neosian_at completion; and __neosian_place 0 0' -f -a 'bash zsh fish'
complete -c neosian -n '__neosian_at docs; and __neosian_place 0 0' -f -a 'changes memory messaging semantic config store scripting exit-status'
complete -c neosian -n '__neosian_at export' -l scope -x -a '(__neosian_ask scope)' -d 'only this scope'
complete -c neosian -n '__neosian_at export' -l namespace -x -a '(__neosian_ask namespace)' -d 'only this namespace'
complete -c neosian -n '__neosian_at export' -l skip-damaged -d 'leave out what is damaged and name it, instead of refusing'
complete -c neosian -n '__neosian_at export; and __neosian_place 0 0' -f -a '(__neosian_directories)'
complete -c neosian -n '__neosian_at import' -l scope -x -a '(__neosian_ask scope)' -d 'only this scope'
complete -c neosian -n '__neosian_at import' -l namespace -x -a '(__neosian_ask namespace)' -d 'only this namespace'
complete -c neosian -n '__neosian_at import' -l from -x -a 'archive neosian' -d 'what DIR is: an archive, or the file store of the Python package neosian 1.12'
complete -c neosian -n '__neosian_at import; and __neosian_place 0 0' -f -a '(__neosian_directories)'
complete -c neosian -n '__neosian_at lock' -x -a '(__neosian_rest)'
complete -c neosian -n '__neosian_at "memory list"' -l prefix -x -d 'only paths that begin with this text'
complete -c neosian -n '__neosian_at "memory list"' -l limit -x -d 'how many at most'
complete -c neosian -n '__neosian_at "memory list"' -l cursor -x -d 'go on after the page whose next_cursor this is'
complete -c neosian -n '__neosian_at "memory list"; and __neosian_place 0 0' -f -a '(__neosian_ask path)'
complete -c neosian -n '__neosian_at "memory view"' -l lines -x -d 'only these lines, with their numbers; either side may be left out'
complete -c neosian -n '__neosian_at "memory view"' -l version -x -d 'as it was at version N'
complete -c neosian -n '__neosian_at "memory view"; and __neosian_place 0 0' -f -a '(__neosian_ask path)'
complete -c neosian -n '__neosian_at "memory write" "memory create"' -l content -x -a '(__neosian_text)' -d 'the body'
complete -c neosian -n '__neosian_at "memory write" "memory create"' -l if-version -x -d 'only if the document is at version N; 0: only if there is none'
complete -c neosian -n '__neosian_at "memory write" "memory create"' -l extra -x -d 'kept beside the body; replaces all that was kept'
complete -c neosian -n '__neosian_at "memory write" "memory create"; and __neosian_place 0 0' -f -a '(__neosian_ask path)'
complete -c neosian -n '__neosian_at "memory replace" "memory str_replace" "memory str-replace"' -l old -x -a '(__neosian_text)' -d 'the text to replace; it must occur exactly once'
complete -c neosian -n '__neosian_at "memory replace" "memory str_replace" "memory str-replace"' -l new -x -a '(__neosian_text)' -d 'what to put there; may be empty'
complete -c neosian -n '__neosian_at "memory replace" "memory str_replace" "memory str-replace"' -l if-version -x -d 'only if the document is at version N'
complete -c neosian -n '__neosian_at "memory replace" "memory str_replace" "memory str-replace"; and __neosian_place 0 0' -f -a '(__neosian_ask path)'
complete -c neosian -n '__neosian_at "memory insert"' -l line -x -d 'after this line; 0: at the top'
complete -c neosian -n '__neosian_at "memory insert"' -l text -x -a '(__neosian_text)' -d 'the lines'
complete -c neosian -n '__neosian_at "memory insert"' -l if-version -x -d 'only if the document is at version N'
complete -c neosian -n '__neosian_at "memory insert"; and __neosian_place 0 0' -f -a '(__neosian_ask path)'
complete -c neosian -n '__neosian_at "memory delete"' -l if-version -x -d 'only if the document is at version N'
complete -c neosian -n '__neosian_at "memory delete"; and __neosian_place 0 0' -f -a '(__neosian_ask path)'
complete -c neosian -n '__neosian_at "memory rename"' -l if-version -x -d 'only if the document is at version N'
complete -c neosian -n '__neosian_at "memory rename"; and __neosian_place 0 0' -f -a '(__neosian_ask path)'
complete -c neosian -n '__neosian_at "memory rename"; and __neosian_place 1 1' -f -a '(__neosian_ask path)'
complete -c neosian -n '__neosian_at "memory versions"' -l bodies -d 'with their bodies'
complete -c neosian -n '__neosian_at "memory versions"' -l limit -x -d 'how many at most'
complete -c neosian -n '__neosian_at "memory versions"' -l cursor -x -d 'go on after the page whose next_cursor this is'
complete -c neosian -n '__neosian_at "memory versions"; and __neosian_place 0 0' -f -a '(__neosian_ask path)'
complete -c neosian -n '__neosian_at "memory diff"' -l from -x -d 'the one before --to by default; 0 is empty'
complete -c neosian -n '__neosian_at "memory diff"' -l to -x -d 'the newest by default'
complete -c neosian -n '__neosian_at "memory diff"; and __neosian_place 0 0' -f -a '(__neosian_ask path)'
complete -c neosian -n '__neosian_at "memory revert"' -l version -x -d 'the newest version, to be undone'
complete -c neosian -n '__neosian_at "memory revert"; and __neosian_place 0 0' -f -a '(__neosian_ask path)'
complete -c neosian -n '__neosian_at "memory erase" "memory redact"' -l all -d 'everything in the mount\'s scope'
complete -c neosian -n '__neosian_at "memory erase" "memory redact"' -l write -d 'do it; without this the verb only shows what it would do'
complete -c neosian -n '__neosian_at "memory erase" "memory redact"; and __neosian_place 0 0' -f -a '(__neosian_ask path)'
complete -c neosian -n '__neosian_at "messages send"' -l target -x -a '(__neosian_ask mount)' -d 'where to, such as /project; may be left out where there is one mount'
complete -c neosian -n '__neosian_at "messages send"' -l body -x -a '(__neosian_text)' -d 'the message itself'
complete -c neosian -n '__neosian_at "messages send"' -l conversation -x -d 'for this session only'
complete -c neosian -n '__neosian_at "messages send"' -l turn -x -d 'a turn of that conversation'
complete -c neosian -n '__neosian_at "messages send"' -l actionable -d 'it asks for something: it can be claimed and completed'
complete -c neosian -n '__neosian_at "messages send"' -l due-at -x -d 'when it becomes due, as 2026-01-02T03:04:05Z'
complete -c neosian -n '__neosian_at "messages send"' -l delay-seconds -x -d 'how many seconds from now it becomes due'
complete -c neosian -n '__neosian_at "messages send"' -l context -x -a '(__neosian_ask document)' -d 'a live document, as /project/notes/a, whose present version is stored with the message'
complete -c neosian -n '__neosian_at "messages send"' -l context-version -x -d 'refuse unless the context is at this version'
complete -c neosian -n '__neosian_at "messages send"' -l change-id -x -d 'what the sender says it belongs to, stored as given'
complete -c neosian -n '__neosian_at "messages send"' -l about -x -d 'a conversation that it is about'
complete -c neosian -n '__neosian_at "messages send"' -l about-turn -x -d 'a turn of that conversation'
complete -c neosian -n '__neosian_at "messages send"' -l source -x -d 'where it comes from, stored as given'
complete -c neosian -n '__neosian_at "messages send"' -l id -x -d 'its id: sending it again with the same content changes nothing'
complete -c neosian -n '__neosian_at "messages list"' -l target -x -a '(__neosian_ask mount)' -d 'only this mount, such as /project, or this mounted scope'
complete -c neosian -n '__neosian_at "messages list"' -l status -x -a 'unread open scheduled closed all' -d 'unread: due, and never read or its claim ended; open: due; scheduled: not yet due; closed: done or cancelled'
complete -c neosian -n '__neosian_at "messages list"' -l session -x -d 'also what is for this session only'
complete -c neosian -n '__neosian_at "messages list"' -l limit -x -d 'how many at most'
complete -c neosian -n '__neosian_at "messages list"' -l cursor -x -d 'go on after the page whose next_cursor this is'
complete -c neosian -n '__neosian_at "messages view"' -l target -x -a '(__neosian_ask mount)' -d 'only this mount, such as /project, or this mounted scope'
complete -c neosian -n '__neosian_at "messages view"; and __neosian_place 0 0' -f -a '(__neosian_ask message)'
complete -c neosian -n '__neosian_at "messages ack"' -l session -x -d 'the session, or conversation, that takes the step'
complete -c neosian -n '__neosian_at "messages ack"' -l occurrence -x -d 'the occurrence of the message that it saw'
complete -c neosian -n '__neosian_at "messages ack"' -l token -x -d 'not needed here; taken so that scripts can always pass it'
complete -c neosian -n '__neosian_at "messages ack"' -l target -x -a '(__neosian_ask mount)' -d 'only this mount, such as /project, or this mounted scope'
complete -c neosian -n '__neosian_at "messages ack"; and __neosian_place 0 0' -f -a '(__neosian_ask message)'
complete -c neosian -n '__neosian_at "messages claim"' -l session -x -d 'the session, or conversation, that takes the step'
complete -c neosian -n '__neosian_at "messages claim"' -l occurrence -x -d 'the occurrence of the message that it saw'
complete -c neosian -n '__neosian_at "messages claim"' -l token -x -d 'not needed here; taken so that scripts can always pass it'
complete -c neosian -n '__neosian_at "messages claim"' -l target -x -a '(__neosian_ask mount)' -d 'only this mount, such as /project, or this mounted scope'
complete -c neosian -n '__neosian_at "messages claim"; and __neosian_place 0 0' -f -a '(__neosian_ask message)'
complete -c neosian -n '__neosian_at "messages renew"' -l session -x -d 'the session, or conversation, that takes the step'
complete -c neosian -n '__neosian_at "messages renew"' -l occurrence -x -d 'the occurrence of the message that it saw'
complete -c neosian -n '__neosian_at "messages renew"' -l token -x -d 'the token of its claim'
complete -c neosian -n '__neosian_at "messages renew"' -l target -x -a '(__neosian_ask mount)' -d 'only this mount, such as /project, or this mounted scope'
complete -c neosian -n '__neosian_at "messages renew"; and __neosian_place 0 0' -f -a '(__neosian_ask message)'
complete -c neosian -n '__neosian_at "messages release"' -l session -x -d 'the session, or conversation, that takes the step'
complete -c neosian -n '__neosian_at "messages release"' -l occurrence -x -d 'the occurrence of the message that it saw'
complete -c neosian -n '__neosian_at "messages release"' -l token -x -d 'the token of its claim'
complete -c neosian -n '__neosian_at "messages release"' -l target -x -a '(__neosian_ask mount)' -d 'only this mount, such as /project, or this mounted scope'
complete -c neosian -n '__neosian_at "messages release"; and __neosian_place 0 0' -f -a '(__neosian_ask message)'
complete -c neosian -n '__neosian_at "messages complete"' -l session -x -d 'the session, or conversation, that takes the step'
complete -c neosian -n '__neosian_at "messages complete"' -l occurrence -x -d 'the occurrence of the message that it saw'
complete -c neosian -n '__neosian_at "messages complete"' -l token -x -d 'the token of its claim'
complete -c neosian -n '__neosian_at "messages complete"' -l outcome -x -d 'what came of it'
complete -c neosian -n '__neosian_at "messages complete"' -l target -x -a '(__neosian_ask mount)' -d 'only this mount, such as /project, or this mounted scope'
complete -c neosian -n '__neosian_at "messages complete"; and __neosian_place 0 0' -f -a '(__neosian_ask message)'
complete -c neosian -n '__neosian_at "messages snooze"' -l session -x -d 'the session, or conversation, that takes the step'
complete -c neosian -n '__neosian_at "messages snooze"' -l occurrence -x -d 'the occurrence of the message that it saw'
complete -c neosian -n '__neosian_at "messages snooze"' -l token -x -d 'the token of its claim'
complete -c neosian -n '__neosian_at "messages snooze"' -l outcome -x -d 'what came of it'
complete -c neosian -n '__neosian_at "messages snooze"' -l due-at -x -d 'when it becomes due, as 2026-01-02T03:04:05Z'
complete -c neosian -n '__neosian_at "messages snooze"' -l delay-seconds -x -d 'how many seconds from now it becomes due'
complete -c neosian -n '__neosian_at "messages snooze"' -l target -x -a '(__neosian_ask mount)' -d 'only this mount, such as /project, or this mounted scope'
complete -c neosian -n '__neosian_at "messages snooze"; and __neosian_place 0 0' -f -a '(__neosian_ask message)'
complete -c neosian -n '__neosian_at "messages cancel"' -l session -x -d 'the session, or conversation, that takes the step'
complete -c neosian -n '__neosian_at "messages cancel"' -l occurrence -x -d 'the occurrence of the message that it saw'
complete -c neosian -n '__neosian_at "messages cancel"' -l token -x -d 'not needed here; taken so that scripts can always pass it'
complete -c neosian -n '__neosian_at "messages cancel"' -l target -x -a '(__neosian_ask mount)' -d 'only this mount, such as /project, or this mounted scope'
complete -c neosian -n '__neosian_at "messages cancel"; and __neosian_place 0 0' -f -a '(__neosian_ask message)'
complete -c neosian -n '__neosian_at schema; and __neosian_place 0 0' -f -a 'changes cli config messages records'
complete -c neosian -n '__neosian_at "semantic create"' -l provider -x -a 'fake local ollama openai' -d 'who turns text into vectors'
complete -c neosian -n '__neosian_at "semantic create"' -l model -x -d 'the provider\'s model'
complete -c neosian -n '__neosian_at "semantic create"' -l dimensions -x -d 'length of the vectors'
complete -c neosian -n '__neosian_at "semantic create"' -l text-search -x -d 'language of the words: simple, english, german, …'
complete -c neosian -n '__neosian_at "semantic create"' -l option -x -d 'how the provider is reached: api_key_env, base_url, timeout, batch_size, send_dimensions'
complete -c neosian -n '__neosian_at "semantic create"; and __neosian_place 0 0' -f -a '(__neosian_ask namespace)'
complete -c neosian -n '__neosian_at "semantic upsert"' -l id -x -d 'the record\'s id; a new UUID without it'
complete -c neosian -n '__neosian_at "semantic upsert"' -l content -x -a '(__neosian_text)' -d 'the text, embedded without a vector'
complete -c neosian -n '__neosian_at "semantic upsert"' -l vector -x -a '(__neosian_text)' -d 'a JSON array of numbers'
complete -c neosian -n '__neosian_at "semantic upsert"' -l payload -x -a '(__neosian_text)' -d 'bytes that are kept with it'
complete -c neosian -n '__neosian_at "semantic upsert"' -l metadata -x -d 'a text under a key'
complete -c neosian -n '__neosian_at "semantic upsert"' -l valid-from -x -d 'since when it is true; now without it'
complete -c neosian -n '__neosian_at "semantic upsert"' -l valid-to -x -d 'until when, exclusive'
complete -c neosian -n '__neosian_at "semantic upsert"' -l deleted-at -x -d 'store it as a tombstone'
complete -c neosian -n '__neosian_at "semantic upsert"' -l created-at -x -d 'when it was made; kept from the first time without it'
complete -c neosian -n '__neosian_at "semantic upsert"' -l supersedes -x -d 'end this record\'s validity'
complete -c neosian -n '__neosian_at "semantic upsert"' -l source -x -d 'where it comes from; stored as given'
complete -c neosian -n '__neosian_at "semantic upsert"' -l if-version -x -d 'only if the record is at this version; 0: not there'
complete -c neosian -n '__neosian_at "semantic upsert"' -l records -r -F -d 'many records: JSON Lines or a JSON array'
complete -c neosian -n '__neosian_at "semantic upsert"' -l batch -x -d 'cut --records into transactions of N'
complete -c neosian -n '__neosian_at "semantic upsert"; and __neosian_place 0 0' -f -a '(__neosian_ask namespace)'
complete -c neosian -n '__neosian_at "semantic search"' -l vector -x -a '(__neosian_text)' -d 'look for a vector instead of a text'
complete -c neosian -n '__neosian_at "semantic search"' -l top-k -x -d 'how many hits'
complete -c neosian -n '__neosian_at "semantic search"' -l filter -x -d 'only records whose metadata K is V'
complete -c neosian -n '__neosian_at "semantic search"' -l where -x -d 'only records whose metadata KEY compares so: = != in compare texts, > >= < <= exact decimals'
complete -c neosian -n '__neosian_at "semantic search"' -l as-of -x -d 'what was valid then'
complete -c neosian -n '__neosian_at "semantic search"' -l known-at -x -d 'what was known then'
complete -c neosian -n '__neosian_at "semantic search"' -l include-invalidated -d 'also what is not live: tombstones, ended and future records'
complete -c neosian -n '__neosian_at "semantic search"' -l created-after -x -d 'created later than this'
complete -c neosian -n '__neosian_at "semantic search"' -l created-before -x -d 'created earlier than this'
complete -c neosian -n '__neosian_at "semantic search"' -l mode -x -a 'dense sparse hybrid' -d 'by meaning, by words, or both'
complete -c neosian -n '__neosian_at "semantic search"' -l rerank-candidate-k -x -d 'candidates of each lane'
complete -c neosian -n '__neosian_at "semantic search"' -l ids-only -d 'id and score alone'
complete -c neosian -n '__neosian_at "semantic search"' -l include-payload -d 'with the payload, in base64'
complete -c neosian -n '__neosian_at "semantic search"' -l include-vector -d 'with the vector'
complete -c neosian -n '__neosian_at "semantic search"' -l exact -d 'scan every vector, whatever index there is'
complete -c neosian -n '__neosian_at "semantic search"' -l explain -d 'say how the hits were found'
complete -c neosian -n '__neosian_at "semantic search"; and __neosian_place 0 0' -f -a '(__neosian_ask namespace)'
complete -c neosian -n '__neosian_at "semantic search"; and __neosian_place 1 1' -f -a '(__neosian_text)'
complete -c neosian -n '__neosian_at "semantic get"' -l include-payload -d 'with the payload, in base64'
complete -c neosian -n '__neosian_at "semantic get"' -l include-vector -d 'with the vector'
complete -c neosian -n '__neosian_at "semantic get"; and __neosian_place 0 0' -f -a '(__neosian_ask namespace)'
complete -c neosian -n '__neosian_at "semantic list"' -l filter -x -d 'only records whose metadata K is V'
complete -c neosian -n '__neosian_at "semantic list"' -l where -x -d 'only records whose metadata KEY compares so: = != in compare texts, > >= < <= exact decimals'
complete -c neosian -n '__neosian_at "semantic list"' -l include-invalidated -d 'also what is not live: tombstones, ended and future records'
complete -c neosian -n '__neosian_at "semantic list"' -l include-payload -d 'with the payload, in base64'
complete -c neosian -n '__neosian_at "semantic list"' -l include-vector -d 'with the vector'
complete -c neosian -n '__neosian_at "semantic list"' -l limit -x -d 'how many at most'
complete -c neosian -n '__neosian_at "semantic list"' -l cursor -x -d 'go on after the page whose next_cursor this is'
complete -c neosian -n '__neosian_at "semantic list"; and __neosian_place 0 0' -f -a '(__neosian_ask namespace)'
complete -c neosian -n '__neosian_at "semantic delete"' -l hard -d 'remove them for good, with everything they said'
complete -c neosian -n '__neosian_at "semantic delete"' -l if-version -x -d 'only if the one record is at this version'
complete -c neosian -n '__neosian_at "semantic delete"; and __neosian_place 0 0' -f -a '(__neosian_ask namespace)'
complete -c neosian -n '__neosian_at "semantic expire"' -l filter -x -d 'only records whose metadata K is V'
complete -c neosian -n '__neosian_at "semantic expire"' -l where -x -d 'only records whose metadata KEY compares so: = != in compare texts, > >= < <= exact decimals'
complete -c neosian -n '__neosian_at "semantic expire"' -l action -x -a 'invalidate soft-delete hard-delete' -d 'what to do with them'
complete -c neosian -n '__neosian_at "semantic expire"' -l max-rows -x -d 'how many at most; the oldest first'
complete -c neosian -n '__neosian_at "semantic expire"' -l dry-run -d 'only count them'
complete -c neosian -n '__neosian_at "semantic expire"; and __neosian_place 0 0' -f -a '(__neosian_ask namespace)'
complete -c neosian -n '__neosian_at "semantic history"; and __neosian_place 0 0' -f -a '(__neosian_ask namespace)'
complete -c neosian -n '__neosian_at "semantic stats"; and __neosian_place 0 0' -f -a '(__neosian_ask namespace)'
complete -c neosian -n '__neosian_at "semantic compact"' -l history-before -x -d 'also drop what was replaced by then'
complete -c neosian -n '__neosian_at "semantic compact"' -l write -d 'do it; without this the verb only shows what it would do'
complete -c neosian -n '__neosian_at "semantic compact"; and __neosian_place 0 0' -f -a '(__neosian_ask namespace)'
complete -c neosian -n '__neosian_at "semantic reindex"' -l index -d 'build the vector index too, however few vectors there are'
complete -c neosian -n '__neosian_at "semantic reindex"; and __neosian_place 0 0' -f -a '(__neosian_ask namespace)'
complete -c neosian -n '__neosian_at "semantic drop"' -l write -d 'do it; without this the verb only shows what it would do'
complete -c neosian -n '__neosian_at "semantic drop"; and __neosian_place 0 0' -f -a '(__neosian_ask namespace)'
complete -c neosian -n '__neosian_at verify' -l namespace -x -a '(__neosian_ask namespace)' -d 'read only this namespace'
complete -c neosian -n '__neosian_at verify' -l repair-derived -d 'make anew what is derived and damaged, behind or missing'
