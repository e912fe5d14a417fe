//go:build !race

package policy_test

// slowdown of a plain build.
const slowdown = 1
