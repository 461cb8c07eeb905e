# bash completion for neosian. Made by `python -m neosian_cli.manual`: change the table of options, not this file.
#
# Source it from ~/.bashrc, or install it where bash-completion looks. Names of commands, options and choices stand
# here; mounts, paths, namespaces and the like are asked of the program, which then only looks.

# The line before the cursor in the array `line`, with what readline cuts at `=` and `:` put together again. `cut` is
# the part of the last word that readline leaves as it is.
_neosian_line() {
    local index word glue=''
    line=()
    for ((index = 0; index <= COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        if [[ $index -gt 1 && $word == [=:]* && $word != *[!=:]* ]]; then
            cut=${line[${#line[@]} - 1]}$word
            line[${#line[@]} - 1]=$cut
            glue=1
        elif [[ $glue ]]; then
            cut=${line[${#line[@]} - 1]}
            line[${#line[@]} - 1]+=$word
            glue=''
        else
            cut=''
            line+=("$word")
        fi
    done
    # What was quoted is meant without the quotes; nothing is expanded.
    for ((index = 0; index < ${#line[@]}; index++)); do
        word=${line[index]//[\"\']/}
        line[index]=${word//\\/}
    done
}

# What is known of the command in `verb`: its verbs where it is a group, else its arguments and options.
_neosian_table() {
    verbs='' places=() options=() shared=''
    case $verb in
        changes) verbs='read checkpoint snapshot status stats verify prune' ;;
        config) verbs='show check' ;;
        memory) verbs='list view write replace insert delete rename versions diff revert erase' ;;
        messages) verbs='send list view ack claim renew release complete snooze cancel' ;;
        semantic) verbs='create namespaces upsert search get list delete expire history stats compact reindex drop' ;;
        'changes read')
            places=('mount')
            options=('--cursor=' '--checkpoint=file' '--from=start|now' '--limit=' '--all' '--follow' '--interval=' '--timeout=' '--auto-advance' '--gap-ok')
            shared='selection lines'
            ;;
        'changes checkpoint')
            places=('file' 'mount')
            options=('--advance=' '--force')
            shared='selection'
            ;;
        'changes snapshot')
            places=('mount')
            shared='selection lines'
            ;;
        'changes status')
            places=('mount')
            options=('*--checkpoint=file')
            shared='selection'
            ;;
        'changes stats')
            places=('mount')
            options=('--since=' '--until=' '--by=hour|day|month')
            shared='selection'
            ;;
        'changes verify')
            places=('mount')
            shared='selection'
            ;;
        'changes prune')
            places=('mount')
            options=('--through=' '--all' '*--not-past=file' '--write')
            shared='selection'
            ;;
        'completion')
            places=('bash|zsh|fish')
            shared=''
            ;;
        'config show')
            places=()
            shared='selection'
            ;;
        'config check')
            places=()
            shared='selection'
            ;;
        'docs')
            places=('changes|memory|messaging|semantic|config|store|scripting|exit-status')
            shared=''
            ;;
        'export')
            places=('dir')
            options=('*--scope=scope' '*--namespace=namespace' '--skip-damaged')
            shared='selection'
            ;;
        'import')
            places=('dir')
            options=('*--scope=scope' '*--namespace=namespace' '--from=archive|neosian')
            shared='selection'
            ;;
        'lock')
            places=()
            shared='selection rest'
            ;;
        'memory list')
            places=('path')
            options=('--prefix=' '--limit=' '--cursor=')
            shared='selection lines'
            ;;
        'memory view')
            places=('path')
            options=('--lines=' '--version=')
            shared='selection'
            ;;
        'memory write'|'memory create')
            places=('path')
            options=('--content=text' '--if-version=' '*--extra=')
            shared='selection'
            ;;
        'memory replace'|'memory str_replace'|'memory str-replace')
            places=('path')
            options=('--old=text' '--new=text' '--if-version=')
            shared='selection'
            ;;
        'memory insert')
            places=('path')
            options=('--line=' '--text=text' '--if-version=')
            shared='selection'
            ;;
        'memory delete')
            places=('path')
            options=('--if-version=')
            shared='selection'
            ;;
        'memory rename')
            places=('path' 'path')
            options=('--if-version=')
            shared='selection'
            ;;
        'memory versions')
            places=('path')
            options=('--bodies' '--limit=' '--cursor=')
            shared='selection lines'
            ;;
        'memory diff')
            places=('path')
            options=('--from=' '--to=')
            shared='selection'
            ;;
        'memory revert')
            places=('path')
            options=('--version=')
            shared='selection'
            ;;
        'memory erase'|'memory redact')
            places=('path')
            options=('--all' '--write')
            shared='selection'
            ;;
        'messages send')
            places=()
            options=('--target=mount' '--body=text' '--conversation=' '--turn=' '--actionable' '--due-at=' '--delay-seconds=' '--context=document' '--context-version=' '--change-id=' '--about=' '--about-turn=' '--source=' '--id=')
            shared='selection'
            ;;
        'messages list')
            places=()
            options=('--target=mount' '--status=unread|open|scheduled|closed|all' '--session=' '--limit=' '--cursor=')
            shared='selection lines'
            ;;
        'messages view')
            places=('message')
            options=('--target=mount')
            shared='selection'
            ;;
        'messages ack')
            places=('message')
            options=('--session=' '--occurrence=' '--token=' '--target=mount')
            shared='selection'
            ;;
        'messages claim')
            places=('message')
            options=('--session=' '--occurrence=' '--token=' '--target=mount')
            shared='selection'
            ;;
        'messages renew')
            places=('message')
            options=('--session=' '--occurrence=' '--token=' '--target=mount')
            shared='selection'
            ;;
        'messages release')
            places=('message')
            options=('--session=' '--occurrence=' '--token=' '--target=mount')
            shared='selection'
            ;;
        'messages complete')
            places=('message')
            options=('--session=' '--occurrence=' '--token=' '--outcome=' '--target=mount')
            shared='selection'
            ;;
        'messages snooze')
            places=('message')
            options=('--session=' '--occurrence=' '--token=' '--outcome=' '--due-at=' '--delay-seconds=' '--target=mount')
            shared='selection'
            ;;
        'messages cancel')
            places=('message')
            options=('--session=' '--occurrence=' '--token=' '--target=mount')
            shared='selection'
            ;;
        'schema')
            places=('changes|cli|config|messages|records')
            shared=''
            ;;
        'semantic create')
            places=('namespace')
            options=('--provider=fake|local|ollama|openai' '--model=' '--dimensions=' '--text-search=' '*--option=')
            shared='selection'
            ;;
        'semantic namespaces')
            places=()
            shared='selection lines'
            ;;
        'semantic upsert')
            places=('namespace')
            options=('--id=' '--content=text' '--vector=text' '--payload=text' '*--metadata=' '--valid-from=' '--valid-to=' '--deleted-at=' '--created-at=' '*--supersedes=' '--source=' '--if-version=' '--records=source' '--batch=')
            shared='selection'
            ;;
        'semantic search')
            places=('namespace' 'text')
            options=('--vector=text' '--top-k=' '*--filter=' '*--where=' '--as-of=' '--known-at=' '--include-invalidated' '--created-after=' '--created-before=' '--mode=dense|sparse|hybrid' '--rerank-candidate-k=' '--ids-only' '--include-payload' '--include-vector' '--exact' '--explain')
            shared='selection lines'
            ;;
        'semantic get')
            places=('namespace' '*')
            options=('--include-payload' '--include-vector')
            shared='selection lines'
            ;;
        'semantic list')
            places=('namespace')
            options=('*--filter=' '*--where=' '--include-invalidated' '--include-payload' '--include-vector' '--limit=' '--cursor=')
            shared='selection lines'
            ;;
        'semantic delete')
            places=('namespace' '*')
            options=('--hard' '--if-version=')
            shared='selection'
            ;;
        'semantic expire')
            places=('namespace')
            options=('*--filter=' '*--where=' '--action=invalidate|soft-delete|hard-delete' '--max-rows=' '--dry-run')
            shared='selection'
            ;;
        'semantic history')
            places=('namespace' '')
            shared='selection lines'
            ;;
        'semantic stats')
            places=('namespace')
            shared='selection'
            ;;
        'semantic compact')
            places=('namespace')
            options=('--history-before=' '--write')
            shared='selection'
            ;;
        'semantic reindex')
            places=('namespace')
            options=('--index')
            shared='selection'
            ;;
        'semantic drop')
            places=('namespace')
            options=('--write')
            shared='selection'
            ;;
        'status')
            places=()
            shared='selection'
            ;;
        'verify')
            places=()
            options=('--namespace=namespace' '--repair-derived')
            shared='selection'
            ;;
        'version')
            places=()
            shared=''
            ;;
    esac
}

_neosian_add() { # the words of $1 that begin with $2
    local word
    for word in $1; do
        [[ $word == "$2"* ]] && found+=("$word")
    done
}

_neosian_files() { # $1: -f or -d, $2 what they begin with, $3 what stands before each
    local name
    while IFS= read -r name; do
        found+=("$3$name")
    done < <(compgen "$1" -- "$2")
    compopt -o filenames 2>/dev/null
}

# Values from the source $1 that begin with $2; each with $3 before it.
_neosian_values() {
    local name before=$3
    case $1 in
        '') ;;
        file | source) _neosian_files -f "$2" "$before" ;;
        dir) _neosian_files -d "$2" "$before" ;;
        text) [[ $2 == @* ]] && _neosian_files -f "${2#@}" "$before@" ;;
        mount | path | document | namespace | message | scope | profile)
            while IFS= read -r name; do
                [[ $name == "$2"* ]] || continue
                printf -v name %q "$name"
                found+=("$before$name")
            done < <(neosian __complete "$1" -- "$2" "${line[@]:1:${#line[@]}-2}" 2>/dev/null)
            ;;
        *)
            for name in ${1//|/ }; do
                [[ $name == "$2"* ]] && found+=("$before$name")
            done
            ;;
    esac
}

_neosian_option() { # the entry of the option $1 in `options`, in `entry`
    local known
    for known in "${options[@]}"; do
        entry=$known
        known=${known#\*}
        [[ ${known%%=*} == "$1" ]] && return 0
    done
    entry=''
    return 1
}

_neosian() {
    local -a line selection output places options found=() given=() plain=()
    local commands verbs shared cut='' verb='' entry word current index from=1 ended='' waiting=''
    commands='changes completion config docs export import lock memory messages schema semantic status verify version'
    selection=('--profile=profile' '--root=dir' '--url=' '--scope=scope' '*--mount=' '--actor=' '--config=file' '--lock-timeout=')
    output=('--json' '--quiet')
    COMPREPLY=()
    _neosian_line
    current=${line[${#line[@]} - 1]}
    [[ ${line[1]} == help && ${#line[@]} -gt 2 ]] && from=2

    _neosian_table
    options=("${selection[@]}" "${output[@]}" '--jsonl' '--version' '--help')
    for ((index = from; index < ${#line[@]} - 1; index++)); do
        word=${line[index]}
        if [[ $waiting ]]; then
            waiting=''
        elif [[ $ended ]]; then
            plain+=("$word")
        elif [[ $word == -- ]]; then
            ended=1
        elif [[ $word == -* ]]; then
            given+=("${word%%=*}")
            if [[ $word != *=* ]] && _neosian_option "$word" && [[ $entry == *=* ]]; then
                waiting=$entry
            fi
        elif [[ ! $verb || $verbs ]]; then
            verb=${verb:+$verb }$word
            _neosian_table
            [[ $verbs || " $shared " == *' selection '* ]] && options+=("${selection[@]}")
            [[ $verbs || " $shared " == *' lines '* ]] && options+=('--jsonl')
            options+=("${output[@]}" '--help')
        else
            plain+=("$word")
        fi
    done

    if [[ $waiting ]]; then
        _neosian_values "${waiting#*=}" "$current" ''
    elif [[ $ended && " $shared " == *' rest '* ]]; then
        if ((${#plain[@]})); then _neosian_files -f "$current" ''; else _neosian_files -c "$current" ''; fi
    elif [[ ! $ended && $current == --*=* ]] && _neosian_option "${current%%=*}" && [[ $entry == *=* ]]; then
        _neosian_values "${entry#*=}" "${current#*=}" "${current%%=*}="
    elif [[ ! $ended && $current == -* ]]; then
        _neosian_names
    elif [[ ! $verb ]]; then
        _neosian_add "$commands" "$current"
    elif [[ $verbs ]]; then
        _neosian_add "$verbs" "$current"
    else
        index=${#plain[@]}
        ((index < ${#places[@]})) || [[ ${places[*]: -1} != \** ]] || index=$((${#places[@]} - 1))
        word=${places[index]-}
        if ((index < ${#places[@]})); then _neosian_values "${word#\*}" "$current" ''; else _neosian_names; fi
    fi

    for word in "${found[@]}"; do
        COMPREPLY+=("${word#"$cut"}")
    done
    [[ ${#found[@]} -eq 1 && ${found[0]} == */ ]] && compopt -o nospace 2>/dev/null
    return 0
}

_neosian_names() { # the options that begin with `current` and may still be given
    local known name
    for known in "${options[@]}"; do
        name=${known#\*}
        name=${name%%=*}
        [[ $known != \** && " ${given[*]} " == *" $name "* ]] && continue
        [[ $name == "$current"* ]] && found+=("$name")
    done
}

complete -F _neosian neosian
