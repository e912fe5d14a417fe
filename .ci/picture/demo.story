# The README's pictures: from nothing to a suggestion that was edited and sent.
wait Ask in your own words
wait # 
keys C-] c
type /var is full, what's eating it
keys Enter
wait SUGGESTED
quiet 2s
picture work
