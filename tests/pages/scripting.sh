neosian memory write /project/notes/a --content one
neosian memory write /project/notes/b --content two
handle() { printf '%s\n' "$1" >> handled; }
apply() { cp "$1" applied; }
sleep() { touch stop; }
