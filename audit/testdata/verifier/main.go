// Command verifier is a second verifier of Sallyport's logs. It was written
// after the documentation of package audit, with the standard library alone,
// and reads everything into memory: it is here to agree with package
// audit/verify, or to show which of the two misreads the documentation.
//
//	go run . [-trust KEY] [-against FILE]... DIR...
package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"strings"
)

// key reads NAME+HASH+BASE64.
func key(s string) []byte {
	parts := strings.SplitN(strings.TrimSpace(s), "+", 3)
	if len(parts) != 3 {
		fail(fmt.Errorf("%q is no key", s))
	}
	b, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(b) != 33 || b[0] != 1 {
		fail(fmt.Errorf("%q is no key", s))
	}
	id := sha256.Sum256(append([]byte(parts[0]+"\n"), b...))
	if fmt.Sprintf("%08x", binary.BigEndian.Uint32(id[:])) != parts[1] {
		fail(fmt.Errorf("%q has another hash", s))
	}
	return b[1:]
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}

func main() {
	var trust []byte
	var against []note
	flag.Func("trust", "key that must have signed each log's first", func(s string) error { trust = key(s); return nil })
	flag.Func("against", "file with a checkpoint", func(s string) error {
		b, err := os.ReadFile(s)
		if err != nil {
			return err
		}
		n, ok := parseNote(string(b))
		if !ok {
			return fmt.Errorf("no checkpoint")
		}
		against = append(against, n)
		return nil
	})
	flag.Parse()
	bad := false
	for _, dir := range flag.Args() {
		bad = verifyDir(dir, trust, against) || bad
	}
	if bad {
		os.Exit(1)
	}
}
