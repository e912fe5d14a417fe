package detect

import "strings"

// Scanner finds secrets in text that comes line by line. What a line holds may depend
// on the lines before it (a key in many lines, a table, a command whose output is a
// secret) and sometimes on those after it; Settled says how far the findings are final.
// A Scanner depends on the lines alone, not on when they come. It is not safe for
// concurrent use.
type Scanner struct {
	eng   *engine
	keys  keyCache
	found []Span // in text offsets since the beginning; not yet taken
	front int    // behind the last line
	hits  []hit
	line  line // at work
	depth int  // of encodings looked into

	next   want  // a key whose value stands on the next line
	named  named // a name: whose value: comes next
	out    output
	sent   string // the last command line
	pem    pemState
	kube   kubeState
	table  tableState
	ask    askState
	tail   tailState
	netrc  int // lines that may still belong to a "machine"
	logins int // lines that may still be user:password
	expect int // lines in which a script may still send the password that it waited to be asked for
	codes  int // lines that may still be recovery codes
	server int // lines of an authentication server's block
	reply  int // number of the next line of a numbered reply that is a secret's value
	typed  typed
	dump   dumpState
	listed tokenList
	device deviceBlock

	partial bool // the last line may go on

	secretLines int  // lines that are part of a key
	hexOnly     bool // … if they are hexadecimal
}

// NewScanner gives a Scanner at the beginning of a text.
func NewScanner() *Scanner {
	s := &Scanner{eng: shared()}
	s.reset()
	return s
}

func (s *Scanner) reset() {
	s.pem.start, s.pem.body, s.kube.start, s.ask.start, s.tail.start = -1, -1, -1, -1, -1
}

// Scan finds the secrets of a whole text.
func Scan(text string) []Span {
	s := NewScanner()
	s.PushAll(text)
	s.End()
	return s.Take(s.front)
}

// PushAll gives the lines of text to the scanner.
func (s *Scanner) PushAll(text string) {
	for at := 0; ; {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			s.Push(strings.TrimSuffix(text[at:], "\r"), s.front, len(text)-at)
			return
		}
		s.Push(strings.TrimSuffix(text[at:at+end], "\r"), s.front, end+1)
		at += end + 1
	}
}

// line is one logical line at work. A scanner has one and uses it again.
type line struct {
	s    *Scanner
	text string
	base int
	hits []hit
	jobs jobs
	cmd  int // where a command begins behind a prompt, or -1
	done int // up to here keys were looked at

	indent int // of the text: the blanks in front of it

	// Bounds that keep the work linear on hostile lines.
	token    int  // end of the last long vendor token
	tokenAt  int  // its beginning
	noLogin  int  // up to here no URL holds a login
	command  int  // end of the last command whose words were read
	programs int  // how often they were
	words    int  // how many
	user     int  // that a flag gives: 0 not looked for, 1 none, 2 one
	keyType  int  // of a web key: 0 not looked for, 1 not said, 2 said
	lastEnd  int  // offset of the last END of an armour, once looked for
	part     int  // end of the part of the line whose things are counted
	flags    int  // of unknown programs that were looked at
	here     int  // here-strings that were
	lists    int  // argument lists that were
	codes    int  // places of a code of OAuth that were
	rest     int  // end of the last token that was masked from its middle on
	expects  int  // from where on a script has asked for a password; 0: not looked for
	read     uint // forms of a whole line that were read: once is enough
	wideKey  bool // a key with blanks between its letters was
	tries    int  // expressions of vendors that found nothing, or what was found
	hashEnd  int  // end of the last word that may be a hash
	hashes   int  // how many marks of hashes it holds
	calls    int  // function calls that were looked at
	pipeEnd  int  // end of the last command with a program that reads passwords
	pipes    int  // how many such programs it has
	readEnd  int  // end of the long word that was read last
	rereads  int  // how often, from its middle on
	masked   int  // up to here a word is masked that was read too often
}

// leads tells whether nothing but blanks stands in front of i.
func (l *line) leads(i int) bool { return i <= l.indent }

// head is what stands in front of i, without the blanks that the line begins with.
func (l *line) head(i int) string { return l.text[min(i, l.indent):i] }

const (
	longWord   = 1024 // bytes of a word that is not read again and again
	maxRereads = 24
	nearEnd    = 64 // bytes before such a word's end, where a key's value may stand behind it
)

// overread tells whether the word [start,end) was read too often, each time from a later
// place in it: then it is masked, as what is open too long is, and no detector is called
// in it any more.
func (l *line) overread(start, end int) bool {
	if end-start < longWord {
		return false
	}
	if start >= l.readEnd {
		l.rereads = 0
	}
	l.readEnd = max(l.readEnd, end)
	if l.rereads++; l.rereads <= maxRereads {
		return false
	}
	l.add(Span{Start: start, End: end, Kind: "overlong", rank: rankGuess})
	l.masked = end
	return true
}

// Of a long line every part has its own numbers of what is looked at.
const (
	partOfLine = 8 << 10
	pastPart   = 1 << 10 // what begins at a part's end may reach so far behind it
)

// tooManyHere is tooMany for the part of the line that start stands in.
func (l *line) tooManyHere(n *int, most, start int) bool {
	if start >= l.part {
		l.calls, l.codes, l.here, l.lists, l.flags = 0, 0, 0, 0, 0
		l.part = start + partOfLine
	}
	return l.tooMany(n, most, start, min(len(l.text), l.part+pastPart))
}

// tooMany counts another of what is looked at a number of times only. What is not looked
// at any more, [start,end), is masked.
func (l *line) tooMany(n *int, most, start, end int) bool {
	if *n++; *n <= most {
		return false
	}
	l.add(Span{Start: start, End: end, Kind: "overlong", rank: rankGuess})
	return true
}

func (l *line) add(sp Span) {
	if sp.End <= sp.Start {
		return
	}
	sp.Start += l.base
	sp.End += l.base
	l.s.found = append(l.s.found, sp)
}

func (l *line) wantNext(key string, class keyClass, sep byte) {
	if class != keyWeak {
		l.s.next = want{key: key, class: class, sep: sep, fresh: true}
	}
}

const unknown = -2

// Push gives the next line, without its end, at the offset at; size counts what the
// offset grows by, the line's end included.
func (s *Scanner) Push(text string, at, size int) {
	l := &s.line
	text = cutBlanks(text)
	*l = line{s: s, text: text, base: at, cmd: -1, lastEnd: unknown, indent: skipBlanks(text, 0)}
	s.front = at + size
	if s.inKey(l) {
		return
	}
	s.hits = s.eng.auto.find(text, s.hits[:0])
	l.hits = s.hits
	for _, h := range l.hits {
		l.jobs |= s.eng.triggers[h.word].set
	}
	if text != "" && isPromptStart(text) {
		l.cmd = promptEnd(text)
	}
	if l.cmd >= 0 {
		s.endRegions()
	}
	s.before(l)
	l.scan()
	s.after(l)
}

const maxBlanks = 80

// cutBlanks leaves so many of the blanks that a text ends in: what looks for its last
// word goes over them each time.
func cutBlanks(t string) string {
	if n := len(t); n <= maxBlanks || !isSpace(t[n-1]) || !isSpace(t[n-maxBlanks]) {
		return t
	}
	rest := len(strings.TrimRight(t, " \t\r"))
	return t[:min(len(t), rest+maxBlanks)]
}

// before applies what earlier lines said about this one.
func (s *Scanner) before(l *line) {
	s.tailNext(l)
	s.askNext(l)
	s.valueNext(l)
	s.loginNext(l)
	s.typedNext(l)
	s.expectNext(l)
	s.dumpNext(l)
	s.communityNext(l)
	s.codesNext(l)
	if s.server > 0 || l.jobs.has(jobProgram) {
		s.serverNext(l)
	}
	if s.reply > 0 || l.jobs.has(jobKey) {
		s.replyNext(l)
	}
	s.secretNext(l)
	s.outputNext(l)
	if s.table.left > 0 || l.jobs.has(jobKey) {
		s.tableNext(l)
	}
	if s.kube.inside || s.kube.kind != "" || s.kube.start >= 0 || l.jobs.has(jobKube) {
		s.kubeNext(l)
	}
	if s.named.left > 0 || l.jobs.has(jobName) && l.jobs.has(jobKey) {
		s.namedNext(l)
	}
}

// after remembers what this line says about later ones.
func (s *Scanner) after(l *line) {
	if l.cmd >= 0 || l.jobs.has(jobSource) {
		s.outputFrom(l)
	}
	if s.next.fresh {
		s.next.fresh = false
	} else {
		s.next = want{}
	}
	if s.netrc > 0 {
		s.netrc--
	}
	if s.listed.left > 0 {
		s.listed.left--
	}
}

// scan calls the detectors that the line's words ask for.
func (l *line) scan() {
	for i := range l.hits {
		h := l.hits[i]
		t := &l.s.eng.triggers[h.word]
		pos := int(h.end) - len(t.word)
		if int(h.end) < l.masked-nearEnd {
			continue
		}
		for _, c := range t.calls {
			l.run(c, pos, int(h.end))
		}
	}
	l.encodings()
	l.lookalike()
	l.pgpass()
}

func (l *line) run(c call, pos, end int) {
	switch c.job {
	case jobKey:
		l.key(pos, end)
	case jobVendor:
		l.vendor(c.arg, pos)
	case jobProgram:
		l.program(c.arg, pos, end)
	case jobURL:
		l.url(pos)
	case jobHeader:
		l.headerAt(pos)
	case jobPEM:
		l.pemAt(pos)
	case jobHash:
		l.hashAt(pos, end)
	case jobSQL:
		l.sqlAt(pos, end)
	case jobForm:
		l.formAt(pos, end)
	case jobPipe:
		l.pipeAt(pos, end)
	case jobAt:
		l.loginAt(pos)
	case jobCode:
		l.codeAt(pos, end)
	case jobArgs:
		l.argumentsAt(pos, end)
	case jobFlag:
		l.unknownFlag(pos, end)
	case jobCall:
		l.callAt(c.arg, end)
	}
}

// key tries the ways to write a key and its value, nearest first.
func (l *line) key(pos, end int) {
	if pos < l.done && !l.endsTaken(pos, end) {
		return
	}
	l.done = max(l.done, l.assignment(pos, end))
	l.prose(pos, end)
}

// endsTaken tells whether what was taken for a value ends in the key at [pos,end): the
// key's own value stands behind it.
func (l *line) endsTaken(pos, end int) bool {
	if end < l.done-nearEnd {
		return false
	}
	_, ke := keyAround(l.text, pos, end)
	return ke <= l.done && l.done < len(l.text) && strings.Trim(l.text[ke:l.done], ":='\"") == ""
}

// Settled is the offset before which nothing changes any more.
func (s *Scanner) Settled() int {
	at := s.front
	for _, open := range [...]int{s.pem.start, s.pem.body, s.kube.start, s.ask.start, s.tail.start} {
		if open >= 0 && open < at {
			at = open
		}
	}
	return at
}

// Take gives the findings that end at or before the offset upto, in order and apart.
func (s *Scanner) Take(upto int) []Span {
	if len(s.found) == 0 {
		return nil
	}
	s.found = merge(s.found)
	n := 0
	for n < len(s.found) && s.found[n].End <= upto {
		n++
	}
	taken := append([]Span(nil), s.found[:n]...)
	s.found = append(s.found[:0], s.found[n:]...)
	return taken
}

// End says that a prompt, a command mark or the end of the text is here: open regions
// end, so that nothing hides behind them.
func (s *Scanner) End() {
	s.endRegions()
	s.endTail()
	s.endAsk()
	s.next, s.named, s.table, s.netrc, s.logins, s.secretLines = want{}, named{}, tableState{}, 0, 0, 0
	s.expect, s.codes, s.server, s.reply, s.typed = 0, 0, 0, 0, typed{}
	s.dump, s.listed, s.device = dumpState{}, tokenList{}, deviceBlock{}
}

// Forget drops the memory of commands whose output is a secret.
func (s *Scanner) Forget() { s.out = output{} }

func (s *Scanner) endRegions() {
	s.endPEM()
	s.endBody(false)
	s.endKube()
}

// Overflow says that what is open was held for too long: it is masked as far as it goes,
// and what follows of it too.
func (s *Scanner) Overflow() {
	if s.pem.start >= 0 {
		s.pem.end = s.front
		start := s.pem.start
		s.pem.start = s.front
		s.found = append(s.found, Span{Start: start, End: s.front - 1, Kind: "private-key", rank: rankBlock})
	}
	if s.pem.body >= 0 {
		s.found = append(s.found, Span{Start: s.pem.body, End: s.pem.bodyEnd, Kind: "private-key", rank: rankBlock})
		s.pem.body = s.front
	}
	if s.kube.start >= 0 {
		s.sawKind("Secret")
	}
	s.maskAsk()
	s.maskTail()
}

// Partial gives a scanner that goes on from here by itself, and whose last line may be
// unfinished. What was found and not taken is in both.
func (s *Scanner) Partial() *Scanner {
	c := *s
	c.found = append([]Span(nil), s.found...)
	c.kube.wait = append([]Span(nil), s.kube.wait...)
	c.pem.text = append([]byte(nil), s.pem.text...)
	c.dump.text = append([]byte(nil), s.dump.text...)
	c.hits, c.partial = nil, true
	return &c
}

// MayGrow tells whether an unfinished word may be the beginning of a token.
func MayGrow(word string) bool {
	c := countClasses(word)
	if c.letters > 0 && c.digits > 0 || c.upper > 1 && c.lower > 0 {
		return true
	}
	low := strings.ToLower(word)
	for _, t := range shared().triggers {
		for _, j := range t.calls {
			if j.job == jobVendor && (strings.Contains(low, t.word) || strings.HasPrefix(t.word, low)) {
				return true
			}
		}
	}
	return strings.IndexByte(word, '=') >= 0 || strings.Contains(word, "://")
}
