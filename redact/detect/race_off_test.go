//go:build !race

package detect

const raced = false
