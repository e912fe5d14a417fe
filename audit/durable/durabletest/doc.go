// Package durabletest has file systems to try a log on: [Memory] can lose
// power, [Faulty] fails at a chosen step.
package durabletest
