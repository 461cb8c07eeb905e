neosian memory write /project/notes/a --content one
neosian memory write /project/notes/b --content two
neosian changes read /project --checkpoint a.place --from start --auto-advance
neosian changes read /project --checkpoint b.place --from start --auto-advance
