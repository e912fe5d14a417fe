package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sallyport/audit"
	"sallyport/audit/layout"
	"sallyport/audit/review"
	"sallyport/console/safetext"
)

// vouched is a recording as far as the logs beside it name its bytes.
type vouched struct {
	io.Reader
	file *os.File
	// note says what is not played, or that nothing vouches for it at all.
	note string
	none bool // no log that can be read names it
	cut  bool // its end is not there: its console died, or it could not be written
}

// warn says aloud what is not vouched for.
func (v *vouched) warn(stderr io.Writer) {
	if v.note != "" {
		fmt.Fprintf(stderr, "sallyport: %s\n", v.note)
	}
}

func (v *vouched) Close() error { return v.file.Close() }

// vouch cuts f behind the last byte that the logs bear out. Where no log names
// it (a daemon's may, that this user cannot read) it is left whole and said so.
func vouch(f *os.File, dirs []string, session string) (*vouched, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	chunks := chunksOf(dirs, session, layout.Recordings+"/"+filepath.Base(f.Name()))
	if len(chunks) == 0 {
		return &vouched{Reader: f, file: f, none: true, note: "NOT VOUCHED FOR: no log here names this recording"}, nil
	}
	end, whole := borneOut(f, chunks)
	v := &vouched{Reader: io.NewSectionReader(f, 0, end), file: f, cut: !whole}
	switch {
	case end < st.Size():
		v.note = fmt.Sprintf("the %d bytes of the recording from %d on are not what the log names: they are left out; see sallyport audit verify", st.Size()-end, end)
	case !whole:
		v.note = "the log does not name the end of this recording: " + whyCut(chunks)
	}
	return v, nil
}

// chunksOf is what the logs say of a session's recording, in their order.
func chunksOf(dirs []string, session, name string) (chunks []audit.RecordingChunk[string]) {
	logs, err := review.Open(dirs...)
	if err != nil {
		return nil
	}
	s, err := logs.Session(session)
	if err != nil {
		return nil
	}
	for _, e := range s.Entries {
		if e.Event != audit.KindRecordingChunk {
			continue
		}
		if c, err := audit.Decode[audit.RecordingChunk[string]](e.Record); err == nil && c.File == name {
			chunks = append(chunks, c)
		}
	}
	return chunks
}

// borneOut is how far the bytes are those of the chunks, and whether that is to
// the end of the recording.
func borneOut(f io.ReaderAt, chunks []audit.RecordingChunk[string]) (end int64, whole bool) {
	for _, c := range chunks {
		sum := sha256.New()
		n, err := io.Copy(sum, io.NewSectionReader(f, c.Offset, c.Bytes))
		if c.Error != "" || err != nil || c.Offset != end || n != c.Bytes || !bytes.Equal(sum.Sum(nil), c.Digest[:]) {
			return end, false
		}
		end, whole = end+n, c.Final
	}
	return end, whole
}

// whyCut is what the log says of a recording without an end.
func whyCut(chunks []audit.RecordingChunk[string]) string {
	if why := chunks[len(chunks)-1].Error; why != "" {
		return safetext.Line(why)
	}
	return "its console lives, or died"
}
