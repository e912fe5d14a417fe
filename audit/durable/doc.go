// Package durable is the only place of the log that touches files.
package durable
