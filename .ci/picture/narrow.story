# The same at 80x24: panels open over the shell, a consent takes the screen.
wait own key
keys C-] c
type /var is full, what's eating it
keys Enter
wait linus
quiet 2s
keys Escape
quiet 300ms
keys C-] s
wait SUGGESTED
quiet 1s
picture narrow-suggestions
keys Escape
quiet 300ms
keys C-] ?
wait Everywhere
picture narrow-keys
keys Escape
type journalctl --vacuum-size=200M
quiet 300ms
keys Enter
wait RISK
quiet 800ms
picture narrow-typed
keys Escape
