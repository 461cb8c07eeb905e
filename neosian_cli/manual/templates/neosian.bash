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
        # @@GROUPS@@
        # @@VERBS@@
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
    # @@COMMANDS@@
    # @@SHARED@@
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
