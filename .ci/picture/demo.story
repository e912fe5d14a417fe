# The README's pictures at 120x36: from nothing to a suggestion that was edited,
# judged, confirmed and sent.
wait Watching
keys C-] c
type /var is full, what's eating it
keys Enter
wait journalctl --vacuum-size
keys Escape
quiet 500ms
keys C-] 1
wait SEND TO
quiet 600ms
keys Enter
gone SEND TO
quiet 1500ms
picture overview
keys C-] 1
wait SEND TO
type  --vacuum-time=7d
wait edit:
quiet 600ms
picture edit
keys Enter
wait HIGH RISK
quiet 600ms
type demo-
picture typed
keys Escape
wait SEND TO
keys Escape
gone SEND TO
type mkfs.ext4 /dev/sda1
keys Enter
wait DENIED
quiet 300ms
picture denied
