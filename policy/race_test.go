//go:build race

package policy_test

// slowdown is what the race detector costs.
const slowdown = 20
