// Package layout names what a writer makes in a folder of logs. The package
// documentation of audit says what each of them is.
package layout

import (
	"io/fs"
	"regexp"
	"strconv"
)

// What the names of a log and of the files beside it end in, behind the name
// that they share.
const (
	Log     = ".jsonl"
	Cursor  = ".cursor"
	Reserve = ".reserve"
)

// The folders beside the logs.
const (
	Recordings = "recordings"
	Sealed     = "sealed"
)

const logName = `\d{8}T\d{6}Z-[0-9a-f]{8}`

// LogName is the form of a log's name: when it was opened, in UTC, and the start of
// its id.
var LogName = regexp.MustCompile(`^` + logName + `$`)

// RecordingFile is the recording of a session, as a path with slashes under the
// folder.
func RecordingFile(session string, encrypted bool) string {
	name := Recordings + "/" + session + ".cast"
	if encrypted {
		name += ".age"
	}
	return name
}

// SealedFile is a part of what is sealed of a session, or of a log for what
// belongs to none, as a path with slashes under the folder. The first part is 0.
func SealedFile(name string, part int) string {
	name = Sealed + "/" + name
	if part > 0 {
		name += "." + strconv.Itoa(part)
	}
	return name + ".age"
}

// ProbeFile is what a writer, named by its key's id, tries the folder of sealed
// texts with.
func ProbeFile(writer string) string { return Sealed + "/probe-" + writer }

var owned = map[string]*regexp.Regexp{
	Recordings: regexp.MustCompile(`^(.+)\.cast(\.age)?$`),
	Sealed:     regexp.MustCompile(`^(.+?)(\.[1-9][0-9]*)?\.age$`),
}

// Owner is the session, or for sealed texts the session or log, whose file in
// one of the folders beside the logs has this name; empty where it is nobody's.
func Owner(folder, name string) string {
	if shape := owned[folder]; shape != nil {
		if m := shape.FindStringSubmatch(name); m != nil {
			return m[1]
		}
	}
	return ""
}

var probe = regexp.MustCompile(`^probe-[0-9a-f]+$`)

// IsProbe tells whether a file in a folder beside the logs has a probe's name.
func IsProbe(folder, name string) bool { return folder == Sealed && probe.MatchString(name) }

var written = regexp.MustCompile(`^(` + logName + `\.(jsonl|reserve|cursor|cursor\.next)|.+\.cast|.+\.age|probe-[0-9a-f]+)$`)

// Written tells whether an entry, of the folder or of one beside the logs, has the
// name of what a writer makes.
func Written(e fs.DirEntry) bool {
	if e.IsDir() {
		return e.Name() == Recordings || e.Name() == Sealed
	}
	return written.MatchString(e.Name())
}
