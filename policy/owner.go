package policy

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"syscall"
)

// manifestName stands beside the organization's files and is written last:
// what it does not name, or names otherwise, does not load.
//
//	sallyport-policy 1
//	serial 12
//	<sha256 in hex>  <file name>
const manifestName = "MANIFEST"

// An OwnerError is an organization's file or folder that somebody else could
// have written.
type OwnerError struct{ Path, Why string }

func (e *OwnerError) Error() string {
	return fmt.Sprintf("policy %s is %s: the organization's files must be root's and nobody else's to write", e.Path, e.Why)
}

// org reads the organization's folder. The folder, its parents' last link and
// each file must belong to root and be writable by nobody else.
func (c Config) org() ([]layerFile, uint64, error) {
	if c.OrgDir == "" {
		return nil, 0, nil
	}
	err := c.owned(c.OrgDir)
	if errors.Is(err, fs.ErrNotExist) && c.MinSerial == 0 {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	files, err := folder(c.OrgDir, orgLayer)
	if err != nil {
		return nil, 0, err
	}
	for _, f := range files {
		if err := c.owned(f.name); err != nil {
			return nil, 0, err
		}
	}
	serial, err := c.manifest(files)
	return files, serial, err
}

// owned checks one path, without following a link at its end.
func (c Config) owned(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("policy: %w", err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return &OwnerError{path, "a symbolic link"}
	}
	if info.Mode().Perm()&0o022 != 0 {
		return &OwnerError{path, fmt.Sprintf("writable by others (%v)", info.Mode().Perm())}
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != c.OrgOwner {
		return &OwnerError{path, fmt.Sprintf("owned by uid %d", st.Uid)}
	}
	return nil
}

// manifest compares the files with MANIFEST, where there is one.
func (c Config) manifest(files []layerFile) (uint64, error) {
	path := filepath.Join(c.OrgDir, manifestName)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if c.MinSerial > 0 {
			return 0, fmt.Errorf("policy %s is missing: serial %d was in force before", path, c.MinSerial)
		}
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("policy: %w", err)
	}
	if err := c.owned(path); err != nil {
		return 0, err
	}
	serial, sums, err := parseManifest(path, data)
	if err != nil {
		return 0, err
	}
	if serial < c.MinSerial {
		return 0, newSource(path, data).fault("", "serial", fmt.Sprintf("serial %d, and %d was in force before: an older policy was put back", serial, c.MinSerial), "put back the newest policy, or give this one a higher serial")
	}
	return serial, compare(newSource(path, data), files, sums)
}

// compare holds the files of the folder against what the manifest names.
func compare(manifest *source, files []layerFile, sums map[string]string) error {
	for _, f := range files {
		name := filepath.Base(f.name)
		want, ok := sums[name]
		if !ok {
			return manifest.entry(name, fmt.Sprintf("policy file %s is not in the manifest", f.name), "take the file out, or have the manifest written again")
		}
		if got := sha256.Sum256(f.data); hex.EncodeToString(got[:]) != want {
			return manifest.entry(name, fmt.Sprintf("policy file %s is not the one that is named here: its SHA-256 is %x", f.name, got), "put the file back that was signed off, or have the manifest written again")
		}
		delete(sums, name)
	}
	for name := range sums {
		return manifest.entry(name, fmt.Sprintf("policy file %s is named here and not in the folder", name), "put the file back, or have the manifest written again")
	}
	return nil
}

// entry makes a fault of the manifest's line that names a file; where none
// does, of its first.
func (s *source) entry(name, what, remedy string) error {
	e := &FileError{File: s.name, Line: 1, Column: 1, What: what, Remedy: remedy}
	for i, l := range s.lines {
		if strings.HasSuffix(l, "  "+name) {
			e.Line, e.Column = i+1, len(l)-len(name)+1
		}
	}
	e.Source = s.lines[e.Line-1]
	return e
}

func parseManifest(path string, data []byte) (uint64, map[string]string, error) {
	scan := bufio.NewScanner(bytes.NewReader(data))
	line := func() string {
		if scan.Scan() {
			return scan.Text()
		}
		return ""
	}
	fault := func(n int, source, what string) error {
		return &FileError{File: path, Line: n, Column: 1, Source: source, What: what, Remedy: "have the manifest written again, whole"}
	}
	if first := line(); first != "sallyport-policy 1" {
		return 0, nil, fault(1, first, "not a manifest of version 1")
	}
	second := line()
	serial, err := strconv.ParseUint(strings.TrimPrefix(second, "serial "), 10, 64)
	if err != nil || !strings.HasPrefix(second, "serial ") {
		return 0, nil, fault(2, second, "no serial number")
	}
	sums := map[string]string{}
	for n := 3; scan.Scan(); n++ {
		sum, name, ok := strings.Cut(scan.Text(), "  ")
		if !ok || len(sum) != 64 || name == "" || strings.ContainsRune(name, '/') {
			return 0, nil, fault(n, scan.Text(), "not a SHA-256, two blanks and a file name")
		}
		sums[name] = strings.ToLower(sum)
	}
	return serial, sums, nil
}

// Manifest writes the manifest of the policy files in dir.
func Manifest(dir string, serial uint64) ([]byte, error) {
	files, err := folder(dir, orgLayer)
	if err != nil {
		return nil, err
	}
	sort.Slice(files, func(i, j int) bool { return files[i].name < files[j].name })
	var b bytes.Buffer
	fmt.Fprintf(&b, "sallyport-policy 1\nserial %d\n", serial)
	for _, f := range files {
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(f.data), filepath.Base(f.name))
	}
	return b.Bytes(), nil
}
