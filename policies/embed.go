// Package policies holds the policy files that ship with the console.
package policies

import (
	"embed"
	"io/fs"
)

//go:embed *.toml
var files embed.FS

// Shipped are the files in force without any configuration. production.toml
// and lab.toml are examples to copy.
var Shipped = []string{
	"baseline.toml", "git.toml", "databases.toml", "containers.toml", "kubernetes.toml", "cloud.toml", "network-devices.toml", "guard.toml", "tools.toml", "powershell.toml",
}

// FS gives the shipped files.
func FS() fs.FS { return files }
