package command

import (
	"path"
	"strings"
)

// Output flows: what a command prints can be a word of another, wait in a
// variable or a file, and leave or run from there. A flow is a list of facts,
// by index, whose output may be part of something.

// maxFlow bounds the facts of one flow, and the programs that one is told of.
const maxFlow = 16

// carry adds the facts of a range to the words that are being expanded.
func (w *walker) carry(first, end int) {
	for i := first; i < end; i++ {
		w.flow = joinFlow(w.flow, []int{i})
	}
}

func joinFlow(a, b []int) []int {
	for _, i := range b {
		known := false
		for _, j := range a {
			known = known || i == j
		}
		if !known && len(a) < maxFlow {
			a = append(a[:len(a):len(a)], i)
		}
	}
	return a
}

// taintVariable notes what a variable may hold the output of.
func (w *walker) taintVariable(name string, flow []int) {
	if len(flow) == 0 || name == "" {
		return
	}
	if w.taint == nil {
		w.taint = map[string][]int{}
	}
	w.taint[name] = joinFlow(w.taint[name], flow)
}

// arrive tells the facts of a flow which program gets what they print.
func (w *walker) arrive(flow []int, program string) {
	for _, i := range flow {
		if i >= len(w.facts) {
			continue
		}
		f := &w.facts[i]
		if program != "" && len(f.GoesTo) < maxFlow && !has(f.GoesTo, program) {
			f.GoesTo = append(f.GoesTo[:len(f.GoesTo):len(f.GoesTo)], program)
		}
	}
}

// spill notes that the facts from start on print into the files that uses
// write.
func (w *walker) spill(uses []Use, start int) {
	for i := range uses {
		u := &uses[i]
		if !u.Redir || u.Access&Writes == 0 || !u.Known || u.Text == "" {
			continue
		}
		var flow []int
		for k := start; k < len(w.facts) && k < start+maxFlow; k++ {
			flow = append(flow, k)
		}
		w.fill(u.Text, flow)
	}
}

// fill adds a flow to a file that the line writes.
func (w *walker) fill(name string, flow []int) {
	name = path.Clean(name)
	if w.files == nil {
		w.files = map[string]dropped{}
	}
	d := w.files[name]
	d.flow = joinFlow(d.flow, flow)
	w.files[name] = d
	w.filled = append(w.filled, name)
}

// fillAll adds all facts of a pipeline to the files that it filled.
func (w *walker) fillAll(filled, first int) {
	var flow []int
	for k := first; k < len(w.facts) && len(flow) < maxFlow; k++ {
		flow = append(flow, k)
	}
	for _, name := range w.filled[filled:] {
		d := w.files[name]
		d.flow = joinFlow(d.flow, flow)
		w.files[name] = d
	}
}

// fedTo tells the redirection of a compound which programs may read it.
func (w *walker) fedTo(at int) {
	for i := at + 1; i < len(w.facts) && i < at+4*maxFlow; i++ {
		w.arrive([]int{at}, w.facts[i].Program)
	}
}

// netSources are programs that print or save what another host sends.
var netSources = setOf(`curl wget aria2c http https xh fetch axel lwp-download lwp-request GET nc ncat netcat telnet socat websocat
openssl ssh scp sftp rsync aws gsutil gcloud az rclone s3cmd s5cmd mc dig drill host nslookup ftp tftp lftp smbclient finger whois`)

// decoderNames turn text that nobody can read into other text.
var decoderNames = setOf("base64 base32 basenc gbase64 xxd uudecode openssl rev tr gpg")

// cameFrom marks a command whose code is, or holds, the output of a flow.
func (x *invocation) cameFrom(flow []int) {
	for _, i := range flow {
		if i >= len(x.facts) {
			continue
		}
		switch p := x.facts[i].Program; {
		case netSources[p] && !harmlessSource(&x.facts[i]):
			x.mark("runs_download")
		case decoderNames[p]:
			x.mark("decodes_code")
		}
	}
}

// harmlessSource reports a call that fetches nothing: --version, genrsa.
func harmlessSource(f *Fact) bool {
	if f.Program == "openssl" {
		return len(f.Args) == 0 || f.Args[0].Text != "s_client"
	}
	return len(f.Args) == 1 && strings.HasPrefix(f.Args[0].Text, "--")
}

// plainSources print nothing that is worth sending away: names, versions,
// dates.
var plainSources = setOf("uname date arch nproc lsb_release dpkg basename dirname tr cut sed awk echo printf head tail sort jq seq uuidgen xargs grep which expr wc whereis realpath readlink getconf rpm")

// nameSenders are programs that put their words into questions to a server.
var nameSenders = setOf("dig host nslookup drill ping ping6 whois finger")

// sendsOutput marks a network client whose words hold what a command prints.
func (x *invocation) sendsOutput() {
	asks := nameSenders[x.program]
	if !asks && !downloader[x.program] {
		return
	}
	for _, a := range x.args {
		if x.holdsOutput(a, asks) {
			x.mark("sends_output")
			return
		}
	}
}

// holdsOutput reports a word with a command in it that prints something of
// this host; content asks for one that reads a file.
func (x *invocation) holdsOutput(a Word, content bool) bool {
	for _, p := range x.procs {
		if p.span[0] < a.Start || p.span[1] > a.End || p.op != "$(" {
			continue
		}
		for i := p.first; i < p.end && i < len(x.facts); i++ {
			f := &x.facts[i]
			if content && readsFile(f) || !content && (!plainSources[f.Program] || readsFile(f)) {
				return true
			}
		}
	}
	return false
}

func readsFile(f *Fact) bool {
	for i := range f.Uses {
		if f.Uses[i].Access&Reads != 0 {
			return true
		}
	}
	return false
}

// listed gives the folders whose names a segment of a pipeline prints: where
// find and ls look, or what a filter was given.
func (w *walker) listed(first int, in input) []Word {
	if first >= len(w.facts) {
		return nil
	}
	f := &w.facts[first]
	var names []Word
	switch f.Program {
	case "find", "gfind", "fd", "ls", "tree":
		for i := range f.Uses {
			if u := &f.Uses[i]; u.Access&Reads != 0 && !u.Redir {
				names = append(names, u.Word)
			}
		}
		if len(names) == 0 && f.Program != "ls" {
			return nil
		}
		if len(names) == 0 {
			names = []Word{{Text: "."}}
			for _, a := range f.Args {
				if !strings.HasPrefix(a.Text, "-") {
					names = append(names, a)
				}
			}
		}
	case "grep", "sort", "head", "tail", "uniq", "egrep", "sed", "awk", "tr", "cut", "tac", "shuf", "rev":
		return in.names
	default:
		return nil
	}
	out := make([]Word, 0, len(names))
	for _, n := range names[:min(len(names), maxValues)] {
		n.Known, n.Dynamic = false, true
		out = append(out, n)
	}
	return out
}
