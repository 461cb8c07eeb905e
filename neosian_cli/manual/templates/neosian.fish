# fish completion for neosian. Made by `python -m neosian_cli.manual`: change the table of options, not this file.
#
# Put it into ~/.config/fish/completions. Names of commands, options and choices stand here; mounts, paths, namespaces
# and the like are asked of the program, which then only looks.

# The options of the command $argv[1] that take a value.
function __neosian_valued
    # @@SHARED_VALUED@@
    switch "$argv[1]"
        # @@VALUED@@
    end
    printf '%s\n' $valued
end

# What stands before the cursor: the name of the command on the first line, then the words that are told by their place.
function __neosian_read
    # @@GROUPS@@
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
# @@SHARED@@

# @@COMMANDS@@

# @@VERBS@@
