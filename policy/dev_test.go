package policy

import (
	"fmt"
	"os"
	"testing"
)

func TestDevExamples(t *testing.T) {
	b := newBuilder()
	dir := os.DirFS("../policies")
	_ = dir
	for _, n := range []string{"baseline.toml", "databases.toml", "kubernetes.toml", "containers.toml", "cloud.toml", "git.toml", "network-devices.toml"} {
		data, err := os.ReadFile("../policies/" + n)
		if err != nil {
			continue
		}
		if err := b.add(layerFile{n, data, shippedLayer}); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range b.set.exampleFaults() {
		fmt.Println(e)
	}
}
