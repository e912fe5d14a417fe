// Command sallyport is an audited operator console: a terminal program over
// SSH in which nothing leaves for a host before a policy has judged it, a
// person has sent it, and a record of it is on disk.
package main

import (
	"context"
	"os"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
