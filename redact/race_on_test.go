//go:build race

package redact_test

// The race detector makes memory dear: a text that needs much of it at once takes longer
// than its parts.
const linearFactor = 5
