# The same at 80x24: panels open over the shell, a consent takes the screen.
wait own key
keys C-] c
type is the disk full?
keys Enter
wait linus
quiet 1s
keys Escape C-] s
wait SUGGESTED
quiet 700ms
picture narrow-suggestions
keys Escape C-] ?
wait Everywhere
picture narrow-keys
keys Escape
type rm -r /tmp/nothing-here
keys Enter
wait RISK
quiet 600ms
picture narrow-confirm
