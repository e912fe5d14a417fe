package recording

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"filippo.io/age"

	"sallyport/audit/auditors"
)

// padded puts spaces before the last newline, where JSON allows them.
func padded(lines []byte) []byte {
	body := bytes.TrimSuffix(lines, []byte{'\n'})
	return slices.Concat(body, auditors.Padding(len(lines)), []byte{'\n'})
}

// chunks reads the age files of an encrypted recording one after the other.
type chunks struct {
	from io.Reader
	ids  []age.Identity
	file *ageFile  // that is read
	text io.Reader // of it
}

// Open gives the asciicast of an encrypted recording. Each chunk opens by itself:
// of a file that ends in the middle of one everything before that is given,
// and then [ErrTruncated].
func Open(r io.Reader, ids ...age.Identity) io.Reader { return &chunks{from: r, ids: ids} }

// Read implements [io.Reader].
func (c *chunks) Read(p []byte) (int, error) {
	for {
		if c.text == nil {
			if err := c.next(); err != nil {
				return 0, err
			}
		}
		n, err := c.text.Read(p)
		if err == io.EOF {
			c.text, err = nil, nil
		}
		if n > 0 || err != nil || len(p) == 0 {
			return n, c.file.blame(err)
		}
	}
}

// next begins the next chunk; io.EOF says that there is none.
func (c *chunks) next() (err error) {
	var size [auditors.LengthSize]byte
	if _, err := io.ReadFull(c.from, size[:]); err != nil {
		return cut(err)
	}
	c.file = &ageFile{LimitedReader: io.LimitedReader{R: c.from, N: auditors.Length(size)}}
	if c.text, err = age.Decrypt(c.file, c.ids...); err != nil {
		c.text = nil
		return c.file.blame(fmt.Errorf("recording: %w", err))
	}
	return nil
}

// ageFile is a chunk's; it notes that the recording ended before it did.
type ageFile struct {
	io.LimitedReader
	short bool
}

func (f *ageFile) Read(p []byte) (int, error) {
	n, err := f.LimitedReader.Read(p)
	f.short = f.short || err == io.EOF && f.N > 0
	return n, err
}

// blame tells a chunk that was cut off from one that was changed.
func (f *ageFile) blame(err error) error {
	if err != nil && f.short {
		return ErrTruncated
	}
	return err
}
