package command

import (
	"slices"
	"strings"
)

// A database client is told what to do by an option, an operand, or its
// input.
type client struct {
	options  string // whose value is a statement
	files    string // whose value is a file of statements
	operand  int    // which operand is a statement, counted from 1; 0 none
	meta     string // prefixes of lines that start a program
	language string // "" SQL, "js"
}

var clients = map[string]client{
	"mysql": {options: "e execute init-command", files: "", meta: `\! system`}, "mariadb": {options: "e execute init-command", meta: `\! system`},
	"psql": {options: "c command", files: "f file", meta: `\!`}, "pgcli": {}, "sqlite3": {options: "cmd", operand: 2, meta: ".shell .system"}, "sqlite": {operand: 2, meta: ".shell .system"},
	"clickhouse-client": {options: "q query", files: "queries-file"}, "clickhouse": {options: "q query", files: "queries-file"}, "cqlsh": {options: "e execute", files: "f file"},
	"sqlcmd": {options: "Q q", files: "i", meta: "!!"}, "sqlplus": {meta: "host !"}, "cockroach": {options: "e execute", files: "f file", meta: `\!`}, "duckdb": {options: "c s", operand: 2, meta: ".shell .system"},
	"bq": {operand: 2}, "beeline": {options: "e", files: "f", meta: "!sh"}, "hive": {options: "e", files: "f", meta: "!"}, "presto": {options: "execute", files: "f"}, "trino": {options: "execute", files: "f"}, "snowsql": {options: "q query", files: "f"}, "isql": {}, "db2": {operand: 1}, "impala-shell": {options: "q query", files: "f"}, "usql": {options: "c", files: "f"}, "mycli": {options: "e execute"}, "influx": {options: "execute"},
	"mongo": {options: "eval", language: "js"}, "mongosh": {options: "eval", files: "f file", language: "js"},
}

// statements reads what a database client is told.
func (x *invocation) statements() {
	c, ok := clients[x.program]
	if !ok {
		return
	}
	o := readOptions(x.program, x.args)
	found := false
	for _, v := range o.perhaps(strings.Fields(c.options)) {
		x.statement(c, v)
		found = true
	}
	if c.operand > 0 && len(o.Operands) >= c.operand {
		for _, w := range o.Operands[c.operand-1:] {
			x.statement(c, w)
		}
		found = true
	}
	for _, v := range o.perhaps(strings.Fields(c.files)) {
		if v.Text != "-" {
			x.unseen()
			found = true
		}
	}
	if c.language == "js" {
		for _, w := range o.Operands {
			if strings.HasSuffix(w.Text, ".js") {
				x.unseen()
			}
		}
	}
	if x.program == "sqlplus" {
		for _, w := range o.Operands {
			if strings.HasPrefix(w.Text, "@") {
				x.unseen()
			}
		}
	}
	if !found || x.cmd.in.from != "" {
		x.sqlInput(c, &o)
	}
}

// perhaps gives the values of options of a program whose options may not be
// listed: the next word then counts.
func (o *Options) perhaps(names []string) []Word {
	var out []Word
	for i := range o.List {
		for _, n := range names {
			if o.List[i].Name == n && !o.List[i].Alt && (o.List[i].HasValue || o.List[i].Value.Text != "") {
				out = append(out, o.List[i].Value)
			}
		}
	}
	return out
}

func (x *invocation) unseen() {
	x.fact().SQL = append(x.fact().SQL, Statement{Verb: "unseen"})
}

func (x *invocation) sqlInput(c client, o *Options) {
	in := x.cmd.in
	switch {
	case in.known && in.from != "file" || in.from == "here":
		x.statement(c, Word{Text: in.text, Known: in.known, Start: x.cmd.start, End: x.cmd.end})
	case in.from == "pipe", in.from == "file" && !in.known && in.path != "/dev/null":
		x.unseen()
	case in.from == "" && !o.has(informs...) && readsLines(x.program, o):
		x.mark("interactive_interpreter")
	}
}

// subcommands are clients of which only these subcommands read lines.
var subcommands = map[string]string{"bq": "query shell", "cockroach": "sql", "influx": "", "clickhouse": "client local"}

func readsLines(program string, o *Options) bool {
	words, ok := subcommands[program]
	return !ok || len(o.Operands) == 0 || isWord(words, o.Operands[0].Text)
}

// informs are options with which a client says something and ends.
var informs = []string{"l", "list", "V", "version", "help", "h", "?"}

func (x *invocation) statement(c client, w Word) {
	if !w.Known {
		x.unseen()
	}
	if c.language == "js" {
		x.fact().SQL = append(x.fact().SQL, mongoStatements(w.Text)...)
		return
	}
	plain := ""
	for _, line := range strings.Split(w.Text, "\n") {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, ".") && !strings.HasPrefix(line, `\`) {
			plain += line + "\n"
		}
		for _, m := range strings.Fields(c.meta) {
			if i := strings.Index(line, m); i == 0 || i > 0 && m[0] == '\\' {
				x.mark("exec_option")
				x.codeText(strings.TrimSuffix(strings.TrimPrefix(line[i:], m), ";"), [2]int{w.Start, w.End}, nil, Bash)
			}
		}
		if strings.Contains(line, `\gexec`) {
			x.unseen() // what a query prints is run
		}
		x.dotCommand(line, w)
	}
	x.fact().SQL = append(x.fact().SQL, Statements(plain)...)
}

// dotCommand is sqlite's .output, .read and psql's \o, \i, \copy.
func (x *invocation) dotCommand(line string, w Word) {
	f := strings.Fields(line)
	if len(f) < 2 {
		return
	}
	w.Text = f[1]
	switch f[0] {
	case ".output", ".once", ".backup", ".save", ".log", `\o`, `\w`, "tee":
		x.use(w, Writes)
	case `\copy`:
		if i := slices.Index(f, "to"); i > 0 && i+1 < len(f) {
			w.Text = strings.Trim(f[i+1], "'")
			x.use(w, Writes)
		} else {
			x.fact().SQL = append(x.fact().SQL, Statement{Verb: "insert"})
		}
	case ".read", `\i`, `\ir`, "source", `\.`, `\include`:
		x.unseen()
	case ".import", ".restore":
		x.unseen()
	case ".load":
		x.use(w, Runs)
	}
}

// sqlText is a line typed into a database client.
func (w *walker) sqlText(text string) {
	f := Fact{Program: "sql", SQL: Statements(text), Start: w.offset, End: w.offset + len(text)}
	f.Name = Word{Text: "sql", Known: true, Start: f.Start, End: f.End}
	at := w.emit(f)
	x := &invocation{walker: w, at: at, program: "psql", cmd: simple{start: f.Start, end: f.End}}
	x.statement(client{meta: `\! system .shell .system`}, Word{Text: text, Known: true, Start: f.Start, End: f.End})
	w.facts[at].SQL = Statements(text)
}

// Statements reads SQL text: comments and strings are taken out, and each
// statement's verb, object and condition found. A statement inside another
// (WITH … DELETE, EXPLAIN ANALYZE DELETE) counts by its own verb.
func Statements(text string) []Statement { return statementsIn(text, maxQuoted) }

// maxQuoted bounds code that is quoted in code.
const maxQuoted = 4

// statementsIn reads what stands between $$ as code too where it could be
// more than a text: another server than PostgreSQL ends no statement there.
func statementsIn(text string, depth int) []Statement {
	var out []Statement
	for _, tokens := range sqlTokens(text) {
		if s, ok := statementOf(tokens); ok {
			out = append(out, s...)
		}
		for _, w := range tokens {
			code, ok := strings.CutPrefix(w, "$$")
			switch {
			case !ok || !strings.Contains(code, ";"):
			case depth == 0:
				out = append(out, Statement{Verb: "unseen"})
			default:
				out = append(out, statementsIn(code, depth-1)...)
			}
		}
	}
	return out
}

// sqlTokens splits into statements of lower-case words; a string is "'".
func sqlTokens(text string) [][]string {
	var all [][]string
	var cur []string
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == ';':
			all, cur = append(all, cur), nil
			i++
		case strings.HasPrefix(text[i:], "--") || c == '#':
			i = skipTo(text, i, "\n")
		case strings.HasPrefix(text[i:], "/*!"):
			i += 3 // MySQL runs what is inside
			for i < len(text) && text[i] >= '0' && text[i] <= '9' {
				i++
			}
		case strings.HasPrefix(text[i:], "/*"):
			i = skipTo(text, i+2, "*/")
		case strings.HasPrefix(text[i:], "*/"):
			i += 2
		case c == '\'':
			end := quoted(text, i, c)
			cur = append(cur, "'"+text[i+1:max(i+1, min(end-1, len(text)))])
			i = end
		case c == '"' || c == '`':
			end := quoted(text, i, c)
			cur = append(cur, text[i+1:max(i+1, min(end-1, len(text)))])
			i = end
		case c == '$' && dollarTag(text[i:]) != "":
			tag := dollarTag(text[i:])
			end := skipTo(text, i+len(tag), tag)
			cur = append(cur, "$$"+strings.TrimSuffix(text[i+len(tag):end], tag))
			i = end
		case isWordByte(c):
			j := i
			for j < len(text) && isWordByte(text[j]) {
				j++
			}
			cur = append(cur, strings.ToLower(text[i:j]))
			i = j
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		default:
			cur = append(cur, string(c))
			i++
		}
	}
	return append(all, cur)
}

// dollarTag is the $tag$ that text begins with: what PostgreSQL quotes code
// with.
func dollarTag(text string) string {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '$':
			return text[:i+1]
		case !isWordByte(text[i]) || text[i] == '.' || text[i] == '*' || text[i] == '@' || i == 1 && numeric(text[1:2]):
			return ""
		}
	}
	return ""
}

func skipTo(text string, i int, end string) int {
	j := strings.Index(text[min(i, len(text)):], end)
	if j < 0 {
		return len(text)
	}
	return i + j + len(end)
}

func quoted(text string, i int, q byte) int {
	for j := i + 1; j < len(text); j++ {
		if text[j] == '\\' && q == '\'' {
			j++
			continue
		}
		if text[j] == q {
			if j+1 < len(text) && text[j+1] == q {
				j++
				continue
			}
			return j + 1
		}
	}
	return len(text) + 1
}

func isWordByte(c byte) bool {
	return c == '_' || c == '.' || c == '*' || c == '@' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

var sqlVerbs = setOf("select insert update delete drop truncate alter create grant revoke rename replace merge call exec execute do set show describe desc explain use begin commit rollback vacuum analyze reindex optimize copy load flush kill shutdown purge reset lock unlock start stop import backup restore dbcc attach detach pragma with comment refresh cluster values checkpoint system table listen notify fetch prepare deallocate discard declare close")

func statementOf(t []string) ([]Statement, bool) {
	for len(t) > 0 && (t[0] == "(" || t[0] == "begin" && len(t) > 1) {
		t = t[1:]
	}
	if len(t) == 0 {
		return nil, false
	}
	verb := t[0]
	if !sqlVerbs[verb] {
		return []Statement{{Verb: "unknown", Object: verb}}, true
	}
	switch verb {
	case "with":
		return inner(t, "select"), true
	case "prepare":
		return inner(t, "prepare"), true
	case "explain":
		if len(t) > 1 && (t[1] == "analyze" || t[1] == "(") {
			return inner(t, "explain"), true
		}
		return []Statement{{Verb: "explain"}}, true
	case "do", "exec", "execute", "call":
		if len(t) > 1 && strings.HasPrefix(t[1], "xp_cmdshell") || contains(t, "xp_cmdshell") {
			return []Statement{{Verb: "call xp_cmdshell"}}, true
		}
		return append(block(t), Statement{Verb: verb, Object: after(t, 1)}), true
	}
	return append([]Statement{describe(t)}, called(t)...), true
}

// block reads the code of DO $$ … $$ and of DO '…'.
func block(t []string) []Statement {
	var out []Statement
	for _, w := range t {
		if t[0] == "do" && (strings.HasPrefix(w, "$$") || strings.HasPrefix(w, "'")) {
			for _, tokens := range sqlTokens(strings.TrimLeft(w, "$'")) {
				own, _ := statementOf(tokens)
				out = append(append(out, own...), inner(tokens, "do")...)
				out = append(out, executed(tokens)...)
			}
		}
	}
	return out
}

// executed reads EXECUTE 'text' within a block: its texts are code, and what
// no text of it says is unseen.
func executed(t []string) []Statement {
	i := index(t, "execute")
	if i < 0 {
		return nil
	}
	var out []Statement
	for _, w := range t[i+1:] {
		if code, ok := strings.CutPrefix(w, "'"); ok || strings.HasPrefix(w, "$$") {
			out = append(out, statementsIn(strings.TrimPrefix(code, "$$"), 1)...)
		}
	}
	if len(out) == 0 {
		return []Statement{{Verb: "unseen"}}
	}
	return out
}

// inner finds the statements that change data inside another.
func inner(t []string, verb string) []Statement {
	out := []Statement{{Verb: verb}}
	for i, w := range t {
		switch w {
		case "delete", "update", "insert", "truncate", "drop", "merge", "alter", "grant", "revoke":
			if i > 0 {
				out = append(out, describe(t[i:]))
			}
		}
	}
	return out
}

// describe gives one statement's verb, object and condition.
func describe(t []string) Statement {
	s := Statement{Verb: t[0], Object: after(t, 1)}
	switch t[0] {
	case "drop", "alter", "create", "rename", "show", "backup", "restore":
		kind := sqlKind(t[1:])
		s.Verb += " " + kind
		if s.Verb == "alter table" && contains(t, "drop") {
			s.Verb = "alter table drop"
		}
		if s.Verb == "alter table" && (contains(t, "delete") || contains(t, "update")) { // ClickHouse
			s.Verb, s.Where = "delete", realWhere(t)
		}
		s.Object = objectAfter(t[1+max(0, index(t[1:], kind)):], kind)
	case "vacuum":
		if contains(t, "full") {
			s.Verb = "vacuum full"
		}
	case "reindex":
		s.Verb += " " + sqlKind(t[1:])
	case "truncate":
		s.Object = objectAfter(t[1:], "table")
	case "delete", "update":
		s.Object = objectAfter(t[1:], "from")
		s.Where = realWhere(t)
	case "set":
		if contains(t, "password") {
			s.Verb = "set password"
		}
		if contains(t, "global") {
			s.Verb = "set global"
		}
	case "select":
		if i := index(t, "into"); i >= 0 && i+1 < len(t) && (t[i+1] == "outfile" || t[i+1] == "dumpfile") {
			s.Verb = "select into outfile"
		} else if i > 0 && index(t, "from") > i {
			s.Verb = "select into"
		}
	case "copy":
		if i := index(t, "program"); i >= 0 {
			s.Verb = "copy program"
		} else if contains(t, "to") {
			s.Verb = "copy to"
		} else {
			s.Verb = "copy from"
		}
	}
	return s
}

func sqlKind(t []string) string {
	for _, w := range t {
		switch w {
		case "or", "replace", "unique", "temporary", "temp", "global", "local", "materialized", "if", "not", "exists", "external", "unlogged", "definer", "=", "@", "foreign":
			continue
		}
		return w
	}
	return ""
}

func objectAfter(t []string, kind string) string {
	for _, w := range t {
		switch w {
		case "if", "exists", "not", "only", "concurrently", "low_priority", "quick", "ignore", kind:
			continue
		}
		return w
	}
	return ""
}

func after(t []string, i int) string {
	if i < len(t) {
		return t[i]
	}
	return ""
}

func index(t []string, w string) int {
	for i, x := range t {
		if x == w {
			return i
		}
	}
	return -1
}

func contains(t []string, w string) bool { return index(t, w) >= 0 }

// realWhere reports a condition that narrows: not 1=1, true, or x=x, alone or
// behind OR.
func realWhere(t []string) bool {
	i := index(t, "where")
	if i < 0 {
		return false
	}
	cond := t[i+1:]
	for _, part := range splitOn(cond, "or") {
		if trivial(part) {
			return false
		}
	}
	return len(cond) > 0
}

func splitOn(t []string, sep string) [][]string {
	var out [][]string
	start := 0
	for i, w := range t {
		if w == sep || w == "|" && i+1 < len(t) && t[i+1] == "|" {
			out = append(out, t[start:i])
			start = i + 1
		}
	}
	return append(out, t[start:])
}

// trivial reports a condition that always holds.
func trivial(t []string) bool {
	var words []string
	for _, w := range t {
		switch w {
		case "(", ")":
		case "limit", "order", "returning", "group":
			return trivialWords(words)
		default:
			words = append(words, w)
		}
	}
	return trivialWords(words)
}

func trivialWords(w []string) bool {
	switch {
	case len(w) == 0:
		return true
	case len(w) == 1:
		return w[0] == "true" || w[0] == "1" || w[0] == "'1"
	case len(w) == 2:
		return w[0] == "not" && (w[1] == "false" || w[1] == "0")
	case len(w) == 3 && (w[1] == "=" || w[1] == "like" || w[1] == "is"):
		return w[0] == w[2] || w[1] == "like" && w[2] == "'%"
	case len(w) == 4 && w[1] == "<" && w[2] == ">", len(w) == 4 && w[1] == "!" && w[2] == "=":
		return numeric(w[0]) && numeric(w[3]) && w[0] != w[3] || strings.HasPrefix(w[0], "'") && strings.HasPrefix(w[3], "'") && w[0] != w[3]
	case len(w) == 4 && w[1] == "is" && w[2] == "not" && w[3] == "null":
		return true
	}
	return false
}

func numeric(s string) bool { return s != "" && strings.Trim(s, "0123456789.") == "" }

// called finds functions that act on the server or its files.
func called(t []string) []Statement {
	var out []Statement
	for i, w := range t {
		if i+1 >= len(t) || t[i+1] != "(" {
			continue
		}
		switch w {
		case "pg_terminate_backend", "pg_cancel_backend", "pg_reload_conf", "pg_read_file", "pg_read_binary_file", "pg_ls_dir", "lo_import", "lo_export", "load_file", "load_extension", "pg_promote", "pg_switch_wal", "dblink_exec", "dblink", "sys_exec", "sys_eval", "pg_drop_replication_slot", "set_config", "xp_cmdshell", "writefile", "readfile", "edit", "sleep", "benchmark", "pg_sleep", "pg_stat_reset", "pg_rotate_logfile", "pg_logical_emit_message", "fts3_tokenizer":
			out = append(out, Statement{Verb: "call " + w})
		}
	}
	return out
}

var mongoVerbs = []string{"dropDatabase", "dropUser", "dropRole", "dropIndexes", "dropIndex", "dropAllUsersFromDatabase", "dropAllRoles", "dropAllRolesFromDatabase", "stopBalancer", "moveChunk", "revokeRolesFromUser", "dropConnections", "drop", "remove", "deleteMany", "deleteOne", "findOneAndDelete", "updateMany", "updateOne", "replaceOne", "insertOne", "insertMany", "insert", "update", "renameCollection", "createUser", "updateUser", "grantRolesToUser", "changeUserPassword", "shutdownServer", "createIndex", "createCollection", "bulkWrite", "stepDown", "reconfig", "initiate", "save", "killOp", "fsyncLock", "runCommand", "adminCommand", "load", "execSync", "exec", "removeShard", "compact", "findAndModify", "setProfilingLevel", "findOneAndUpdate", "findOneAndReplace"}

// mongoStatements finds calls of mongosh's methods: "mongo drop".
func mongoStatements(js string) []Statement {
	var out []Statement
	for _, v := range mongoVerbs {
		for i := 0; ; {
			j := strings.Index(js[i:], v)
			if j < 0 {
				break
			}
			end := i + j + len(v)
			rest := strings.TrimLeft(js[end:], " ")
			if strings.HasPrefix(rest, "(") && (i+j == 0 || !isWordByte(js[i+j-1]) || js[i+j-1] == '.') {
				arg := strings.TrimSpace(rest[1:])
				all := strings.HasPrefix(arg, ")") || strings.HasPrefix(strings.ReplaceAll(arg, " ", ""), "{}")
				out = append(out, Statement{Verb: "mongo " + strings.ToLower(v), Where: !all})
			}
			i = end
		}
	}
	if strings.Contains(js, `["`) || strings.Contains(js, "['") {
		out = append(out, Statement{Verb: "mongo dynamic"})
	}
	return out
}
