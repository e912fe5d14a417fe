//go:build !race

package redact_test

// linearFactor is how much longer one text may take than its eight parts: in quadratic
// time it is eight.
const linearFactor = 3
