package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"filippo.io/age"

	"sallyport/audit"
	"sallyport/audit/layout"
)

// A vault opens the exact texts beside an audit log. The nil vault opens none.
type vault struct {
	dir string
	ids []age.Identity
}

// openVault reads an auditor's identity; without one nothing is opened.
func openVault(dir, identity string) (*vault, error) {
	if identity == "" {
		return nil, nil
	}
	f, err := os.Open(identity)
	if err != nil {
		return nil, failWith(exitLog, err, "name the file with an auditor's age identity")
	}
	defer f.Close()
	ids, err := age.ParseIdentities(f)
	if err != nil {
		return nil, failWith(exitLog, fmt.Errorf("%s: %w", identity, err), "name the file with an auditor's age identity")
	}
	return &vault{dir, ids}, nil
}

// command is the exact command of a record; false where it was not kept, or
// its file is not there any more.
func (v *vault) command(r audit.Record) (string, bool, error) {
	if v == nil || r.Sealed == nil {
		return "", false, nil
	}
	name := string(r.Session)
	if name == "" {
		name = string(r.Log)
	}
	f, err := os.Open(filepath.Join(v.dir, layout.SealedFile(name, r.Sealed.Part)))
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	defer f.Close()
	t, err := audit.Unseal(f, *r.Sealed, v.ids...)
	if err != nil || len(t.Fields) == 0 {
		return "", false, err
	}
	return string(t.Fields[0]), len(t.Fields[0]) > 0, nil
}

// cutShort reports a record in which the command does not stand whole.
func cutShort(r audit.Record) bool {
	for _, c := range r.Cut {
		if c.Field == "command" {
			return true
		}
	}
	return false
}
