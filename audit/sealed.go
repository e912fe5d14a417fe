package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"

	"filippo.io/age"
	"golang.org/x/sys/unix"

	"sallyport/audit/auditors"
	"sallyport/audit/durable"
	"sallyport/audit/layout"
)

// sealedRef chains an entry of sealed/ to the record that it belongs to.
type sealedRef struct {
	offset, bytes int64
	digest        Hash
	part          int    // of the session's files; 0 is the first
	name          string // whose file it is; the record's session or log says it again
}

func (r *sealedRef) append(b []byte) []byte {
	if r == nil {
		return b
	}
	b = strconv.AppendInt(append(b, `,"sealed":{"offset":`...), r.offset, 10)
	b = strconv.AppendInt(append(b, `,"bytes":`...), r.bytes, 10)
	b = append(append(b, `,"digest":"`...), r.digest.String()...)
	b = append(b, '"')
	if r.part > 0 {
		b = strconv.AppendInt(append(b, `,"part":`...), int64(r.part), 10)
	}
	return append(b, '}')
}

// SealedText is the plaintext of an entry of sealed/: the exact bytes of a
// record's fields.
type SealedText struct {
	Event  Kind     `json:"event"`
	Fields [][]byte `json:"fields"` // in the order in which the package documentation lists them
}

// vault writes sealed/<session>.age. Owned by the writer goroutine.
type vault struct {
	fs     durable.FS
	dir    string // of the logs
	to     auditors.Keys
	writer KeyID
	open   map[string]*vaultFile
	parts  map[string]int // files of a name that failed
}

type vaultFile struct {
	file  durable.File
	size  int64
	dirty bool
}

func newVault(cfg *Config, to auditors.Keys, writer KeyID) *vault {
	return &vault{fs: cfg.FS, dir: cfg.Dir, to: to, writer: writer, open: map[string]*vaultFile{}, parts: map[string]int{}}
}

func (v *vault) folder() string { return filepath.Join(v.dir, layout.Sealed) }

// seal appends the exact bytes of p's event and gives the reference. It is
// durable after sync.
func (v *vault) seal(name string, p *pending) (*sealedRef, error) {
	f, err := v.fileOf(name)
	if err != nil {
		return nil, err
	}
	frame, err := v.frame(p.event)
	if err != nil {
		return nil, err
	}
	err = f.file.Check(f.size)
	if err == nil {
		_, err = f.file.Write(frame)
	}
	if err != nil {
		v.fail(name)
		return nil, err
	}
	ref := &sealedRef{offset: f.size, bytes: int64(len(frame)), digest: sha256.Sum256(frame), part: v.parts[name], name: name}
	f.size += int64(len(frame))
	f.dirty = true
	return ref, nil
}

func (v *vault) frame(ev Event) ([]byte, error) {
	t := SealedText{Event: ev.Kind()}
	for _, x := range ev.(interface{ exacts() []Exact }).exacts() {
		var b []byte
		if x.e != nil {
			b = x.e.bytes
		}
		t.Fields = append(t.Fields, b)
	}
	plain, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	return v.to.Frame(append(plain, auditors.Padding(len(plain))...))
}

func (v *vault) fileOf(name string) (*vaultFile, error) {
	if f, ok := v.open[name]; ok {
		return f, nil
	}
	if _, err := v.fs.Folder(v.folder(), layout.Written); err != nil {
		return nil, err
	}
	file, err := v.fs.OpenAppend(filepath.Join(v.dir, layout.SealedFile(name, v.parts[name])))
	if err != nil {
		return nil, err
	}
	size, err := file.Size()
	if err == nil {
		err = v.fs.SyncDir(v.folder())
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	f := &vaultFile{file: file, size: size}
	v.open[name] = f
	return f, nil
}

// sealedRoom is what must be free for texts to be sealed again.
const sealedRoom = 64 << 10

// probe tries the folder as an entry would use it: make a file, sync it and
// the folder, and remove it.
func (v *vault) probe() error {
	if _, err := v.fs.Folder(v.folder(), layout.Written); err != nil {
		return err
	}
	free, _, err := v.fs.Space(v.folder())
	if err == nil && free < sealedRoom {
		return &fs.PathError{Op: "write", Path: v.folder(), Err: unix.ENOSPC}
	}
	path := filepath.Join(v.dir, layout.ProbeFile(string(v.writer)))
	f, err := v.fs.OpenAppend(path)
	if err != nil {
		return err
	}
	defer f.Close()
	err = errors.Join(f.Sync(), v.fs.SyncDir(v.folder()))
	v.fs.Remove(path) // stays, empty, where the folder keeps all names
	return err
}

// sync makes all entries durable; a file whose sync fails is given up.
func (v *vault) sync() error {
	for name, f := range v.open {
		if !f.dirty {
			continue
		}
		if err := f.file.Sync(); err != nil {
			v.fail(name)
			return err
		}
		f.dirty = false
	}
	return nil
}

// fail gives a file up: after a write or sync that failed nothing may rely on
// it any more. The next entry begins another part.
func (v *vault) fail(name string) {
	v.drop(name)
	v.parts[name]++
}

func (v *vault) drop(name string) {
	if f, ok := v.open[name]; ok {
		f.file.Close()
		delete(v.open, name)
	}
}

func (v *vault) close() {
	for name := range v.open {
		v.drop(name)
	}
}

// ErrSealed says that an entry of sealed/ is not the one that the log names.
var ErrSealed = errors.New("not the entry that the log names")

// Unseal opens the entry of sealed/ that a record refers to.
func Unseal(sealed io.ReaderAt, ref Sealed, ids ...age.Identity) (t SealedText, err error) {
	if ref.Bytes < auditors.LengthSize || ref.Bytes > 4*maxRecord {
		return t, fmt.Errorf("%w: %d bytes", ErrSealed, ref.Bytes)
	}
	frame := make([]byte, ref.Bytes)
	if _, err := sealed.ReadAt(frame, ref.Offset); err != nil {
		return t, fmt.Errorf("read the sealed entry: %w", err)
	}
	if sha256.Sum256(frame) != ref.Digest {
		return t, ErrSealed
	}
	r, err := age.Decrypt(bytes.NewReader(frame[auditors.LengthSize:]), ids...)
	if err != nil {
		return t, fmt.Errorf("open the sealed entry: %w", err)
	}
	return t, json.NewDecoder(r).Decode(&t)
}
