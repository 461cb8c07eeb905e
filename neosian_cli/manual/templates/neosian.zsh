#compdef neosian
# zsh completion for neosian. Made by `python -m neosian_cli.manual`: change the table of options, not this file.
#
# Put it into a directory of $fpath under the name _neosian. Names of commands, options and choices stand here; mounts,
# paths, namespaces and the like are asked of the program, which then only looks.

# Candidates of the kind that is the last argument, asked of the program; those before it are for compadd. What ends in
# a slash is not finished.
_neosian_ask() {
    local -a found
    [[ $PREFIX == -* ]] && return 1 # an option is on its way
    found=("${(@f)$(command neosian __complete "$argv[-1]" -- "${(Q)PREFIX}" "${(@Q)neosian_before}" 2>/dev/null)}")
    found=(${found:#})
    (( $#found )) || return 1
    local -a open=(${(M)found:#*/}) whole=(${found:#*/})
    (( $#open )) && compadd "${@[1,-2]}" -S '' -- "${open[@]}"
    (( $#whole )) && compadd "${@[1,-2]}" -- "${whole[@]}"
    return 0
}

# A text, which may be read from a file as @FILE.
_neosian_text() {
    compset -P '@' || return 1
    _files
}

_neosian_verb() {
    local -a specs
    case $1 in
        # @@VERBS@@
        *) return 1 ;;
    esac
    _arguments -s -S '(- *)'{-h,--help}'[show help]' "${specs[@]}"
}

_neosian() {
    local context state line curcontext=$curcontext ret=1
    local -A opt_args
    if (( CURRENT > 2 )) && [[ $words[2] == help ]]; then
        words=("$words[1]" "${(@)words[3,-1]}")
        (( CURRENT-- ))
    fi
    local -a neosian_before=("${(@)words[2,CURRENT-1]}") selection output lines general verbs
    selection=(
        # @@SELECTION@@
    )
    output=(
        # @@OUTPUT@@
    )
    lines=(
        # @@LINES@@
    )
    general=(
        # @@GENERAL@@
    )
    local -a commands=(
        # @@COMMANDS@@
    )
    _arguments -C -S '(- *)'{-h,--help}'[show help]' "${general[@]}" "${selection[@]}" "${output[@]}" "${lines[@]}" \
        '1: :->command' '*::: :->rest' && ret=0
    case $state in
        command) _describe -t commands command commands && ret=0 ;;
        rest)
            local name=$line[1]
            case $name in
                # @@GROUPS@@
            esac
            if (( $#verbs )); then
                if (( CURRENT == 1 )); then
                    _describe -t commands "$name command" verbs && ret=0
                else
                    name="$name $words[1]"
                    curcontext="${curcontext%:*:*}:neosian-${name// /-}:"
                    _neosian_verb "$name" && ret=0
                fi
            else
                words=("$name" "${(@)words}")
                (( CURRENT++ ))
                curcontext="${curcontext%:*:*}:neosian-$name:"
                _neosian_verb "$name" && ret=0
            fi
            ;;
    esac
    return ret
}

if [[ $funcstack[1] == _neosian ]]; then
    _neosian "$@"
else
    compdef _neosian neosian
fi
