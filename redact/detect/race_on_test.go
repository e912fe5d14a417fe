//go:build race

package detect

// raced: the race detector makes every text ten times dearer, and finds nothing in a
// scanner that one goroutine has alone: what is tried by night is not tried under it.
const raced = true
