package console_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	crand "crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"sallyport/console"
	"sallyport/console/copilot"
	"sallyport/console/demo"
	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/console/remote"
	"sallyport/console/runbook/linus"
	"sallyport/console/session"
	"sallyport/policies"
	"sallyport/policy"
)

// TestMain lets the test binary be the console's copilot.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "__linus" {
		os.Exit(linus.Main(context.Background(), os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// TestNoCredentialLeaves plays a session in which a credential of each kind stands in
// each place, each time another, and then reads all that a copilot received and all that
// was written on this side.
func TestNoCredentialLeaves(t *testing.T) {
	p := &plants{rnd: rand.New(rand.NewPCG(41, 7))}
	g := openLeakRig(t, p)
	g.output()
	g.keyLines()
	g.typed()
	g.cwd()
	g.chat()
	g.edit()
	g.secretField()
	g.account()
	g.enter("echo canary-end")
	g.await("Linus to hear the end", func() bool { return bytes.Contains(g.received(), []byte("canary-end")) })
	g.close()
	g.nothingLeaked()
	g.theRestIsThere()
}

// plants are the credentials that were planted, and where.
type plants struct {
	rnd  *rand.Rand
	list []plant
}

type plant struct{ where, secret string }

const alnum = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// word makes up n characters and plants them.
func (p *plants) word(where string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alnum[p.rnd.IntN(len(alnum))]
	}
	p.list = append(p.list, plant{where, string(b)})
	return string(b)
}

func (p *plants) hex(where string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "0123456789abcdef"[p.rnd.IntN(16)]
	}
	p.list = append(p.list, plant{where, string(b)})
	return string(b)
}

// encoded plants a word and its base64.
func (p *plants) encoded(where string, n int) string {
	s := base64.StdEncoding.EncodeToString([]byte(p.word(where, n)))
	p.list = append(p.list, plant{where + ", encoded", s})
	return s
}

func (p *plants) jwt(where string) string {
	claims := base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"sub":%q,"iat":1900000000}`, p.word(where, 12)))
	p.list = append(p.list, plant{where, claims})
	return "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + claims + "." + p.word(where, 43)
}

// key plants a private key that no one uses.
func (p *plants) key(t *testing.T, where string) string {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	p.list = append(p.list, plant{where, strings.Split(text, "\n")[1][20:]})
	return text
}

// lines plants every full line of an OpenSSH key.
func (p *plants) lines(t *testing.T, where string) string {
	t.Helper()
	key, err := rsa.GenerateKey(crand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(key, "made")
	if err != nil {
		t.Fatal(err)
	}
	text := string(pem.EncodeToMemory(block))
	for _, l := range strings.Split(text, "\n") {
		if len(l) == 64 && l[0] != '-' {
			p.list = append(p.list, plant{where, l[20:]})
		}
	}
	return text
}

// leakRig is a console on the throwaway host, with the built-in copilot as its child.
type leakRig struct {
	t      *testing.T
	p      *plants
	dir    string
	server *demo.Server
	con    *console.Console
	host   *console.Host
	woke   chan struct{}
}

// consents lets everything pass that a person could.
type consents struct{}

func (consents) Ask(_ context.Context, q gate.Question) (gate.Answer, error) {
	return gate.Answer{Send: true, Typed: q.Phrase}, nil
}

type noPrompts struct{}

func (noPrompts) HostKey(context.Context, remote.HostKeyQuestion) (remote.HostKeyAnswer, error) {
	return remote.Leave, remote.ErrLeft
}

func (noPrompts) Secret(context.Context, string, bool) ([]byte, error) { return nil, remote.ErrLeft }

func openLeakRig(t *testing.T, p *plants) *leakRig {
	t.Helper()
	g := &leakRig{t: t, p: p, dir: t.TempDir(), woke: make(chan struct{}, 1)}
	name := "dop_v1_" + p.hex("host name", 64)
	var err error
	if g.server, err = demo.Start(t.Context(), demo.Config{Shell: "/bin/bash", Host: name}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.server.Close() })
	g.con, err = console.New(g.config())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.close)
	g.con.OnChange(g.wake)
	if g.host, err = g.con.Open(g.server.User + "@" + name); err != nil {
		t.Fatal(err)
	}
	if err := g.host.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	g.await("Linus", func() bool { return g.host.Copilot() != nil && g.host.Copilot().State().Online })
	return g
}

func (g *leakRig) config() console.Config {
	debug, err := os.Create(g.path("debug.log"))
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { debug.Close() })
	return console.Config{
		AuditDir: g.path("log"),
		Policy:   policy.Config{Embedded: policies.FS(), Shipped: policies.Shipped, EmbeddedOnly: true},
		Copilot: copilot.Config{
			Command: fmt.Sprintf("'%s' __linus --transcript '%s'", os.Args[0], g.path("received")),
			Stderr:  g.path("stderr"),
			Log:     slog.New(slog.NewJSONHandler(debug, &slog.HandlerOptions{Level: slog.LevelDebug})),
		},
		SSH: remote.Options{
			ConfigFile: "none", Identities: []string{g.server.Identity}, Port: g.server.Port,
			Set: []string{"HostName=127.0.0.1", "UserKnownHostsFile=" + g.server.KnownHosts, "IdentitiesOnly=yes", "IdentityAgent=none"},
		},
		Asker:    consents{},
		Prompter: func(string) remote.Prompter { return noPrompts{} },
	}
}

func (g *leakRig) path(name string) string { return filepath.Join(g.dir, name) }

func (g *leakRig) wake() {
	select {
	case g.woke <- struct{}{}:
	default:
	}
}

// close ends the console; it may be called twice.
func (g *leakRig) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if con := g.con; con != nil {
		g.con = nil
		if err := con.Close(ctx); err != nil {
			g.t.Error(err)
		}
	}
}

func (g *leakRig) await(what string, holds func() bool) {
	g.t.Helper()
	deadline := time.After(30 * time.Second)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-g.woke:
		case <-tick.C:
		case <-deadline:
			g.t.Fatalf("never: %s; view %+v", what, g.host.Session().View())
		}
	}
}

// start types a line, once there is a prompt.
func (g *leakRig) start(line string) int {
	g.t.Helper()
	g.await("a prompt", func() bool {
		sh := g.host.Session()
		return sh != nil && sh.View().State == session.Prompt
	})
	sh := g.host.Session()
	n := len(sh.Journal())
	for _, r := range line {
		sh.Key(keys.Rune(r))
	}
	sh.Key(keys.Press(keys.Enter, 0))
	return n
}

// ended waits for the end of command n of the journal.
func (g *leakRig) ended(n int, line string) {
	g.t.Helper()
	sh := g.host.Session()
	g.await("the end of "+line, func() bool {
		if r := sh.View().Refused; r != nil {
			g.t.Fatalf("%s: refused: %s", line, r.Reason)
		}
		j := sh.Journal()
		return len(j) > n && j[n].Status != session.InProgress
	})
}

func (g *leakRig) enter(line string) {
	g.t.Helper()
	g.ended(g.start(line), line)
}

// output prints a credential of each kind.
func (g *leakRig) output() {
	w := func(kind string, n int) string { return g.p.word("output: "+kind, n) }
	docs := map[string]string{
		"app.log": "canary-output: 93% of /dev/sda1 used\nconnecting to db: user=app password=" + w("password", 16) +
			"\nGITHUB_TOKEN=ghp_" + w("vendor token", 36) +
			"\ncloning https://deploy:" + w("user info", 18) + "@git.example.com/app.git" +
			"\n> Authorization: Bearer " + w("bearer", 40) + "\n> Cookie: session=" + w("cookie", 32) +
			"\ntoken \x1b[32mglpat-" + w("coloured", 9) + "\x1b[1;31m" + w("coloured", 11) + "\x1b[0m seen" +
			"\nslack xoxb-123456789012-123456789012-" + w("hidden blank", 9) + "\u200b" + w("hidden blank", 15) +
			"\nid_token " + g.p.jwt("output: jwt") + "\n" +
			`{"level":"info","db":{"user":"app","password":"` + w("json", 20) + `"},"msg":"{\"api_key\":\"` + w("json in json", 24) + `\"}"}` +
			"\n+ mysql -uroot -p" + w("command trace", 14) + " -e 'show tables'\ncanary-after: ready\n",
		"secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata:\n  name: canary-secret-name\ndata:\n  password: " + g.p.encoded("output: kubernetes", 18) + "\n",
		"shadow.bak":  "root:$6$Zk3vQ1yT$" + w("shadow", 86) + ":19700:0:99999:7:::\n",
		"netrc.bak":   "machine api.example.com login deploy password " + w("netrc", 15) + "\n",
		"id.pem":      g.p.key(g.t, "output: private key"),
	}
	for name, text := range docs {
		if err := os.WriteFile(filepath.Join(g.server.Home, name), []byte(text), 0o600); err != nil {
			g.t.Fatal(err)
		}
		g.enter("cat " + name)
	}
}

// keyLines prints lines cut out of a private key: after their command, and on a screen
// that was cleared of it.
func (g *leakRig) keyLines() {
	text := g.p.lines(g.t, "output: lines of a key")
	if err := os.WriteFile(filepath.Join(g.server.Home, "deploy_rsa"), []byte(text), 0o600); err != nil {
		g.t.Fatal(err)
	}
	g.enter("tail -n +2 deploy_rsa | head -3")
	g.enter("clear; for i in 10 20 25; do tail -n +$i deploy_rsa | head -4; done")
	g.enter("true")
}

// typed sends command lines that hold credentials.
func (g *leakRig) typed() {
	w := func(kind string, n int) string { return g.p.word("typed: "+kind, n) }
	g.enter("env DB_PASSWORD=" + w("variable", 16) + " GITHUB_TOKEN=ghp_" + w("vendor token", 36) + " echo canary-typed")
	g.enter("curl -s -m 1 -u admin:" + w("curl -u", 14) + " -H 'Authorization: Bearer " + w("header", 40) + "' http://127.0.0.1:9/")
	g.enter("echo postgres://app:" + w("user info", 17) + "@127.0.0.1:9/app " + g.p.jwt("typed: jwt"))
}

// cwd works in a folder whose name is a token.
func (g *leakRig) cwd() {
	name := filepath.Join("canary-folder", "glpat-"+g.p.word("cwd", 20))
	if err := os.MkdirAll(filepath.Join(g.server.Home, name), 0o700); err != nil {
		g.t.Fatal(err)
	}
	g.enter("cd " + name)
	g.enter("pwd")
}

func (g *leakRig) chat() {
	w := func(kind string, n int) string { return g.p.word("chat: "+kind, n) }
	text := "canary-chat: /var is full, what's eating it? password: " + w("password", 14) + " and https://u:" + w("user info", 15) +
		"@db.example.com, header Authorization: Bearer " + w("bearer", 38) + "\n" + g.p.key(g.t, "chat: private key")
	if err := g.host.Chat(text); err != nil {
		g.t.Fatal(err)
	}
	g.await("a suggestion", func() bool { return len(g.host.Copilot().State().Suggestions) > 0 })
}

// edit sends a suggestion with a credential put into it, and one with a placeholder.
func (g *leakRig) edit() {
	s := g.host.Copilot().State().Suggestions[0]
	n := len(g.host.Session().Journal())
	line := "API_TOKEN=" + g.p.word("edit: variable", 24) + " echo canary-edit --password=" + g.p.word("edit: flag", 15)
	if err := g.host.Send(g.t.Context(), s, line); err != nil {
		g.t.Fatal(err)
	}
	g.ended(n, "the edited suggestion")
	err := g.host.Send(g.t.Context(), s, "echo <redacted:password#1>")
	if err == nil || !strings.Contains(err.Error(), "redacted") && !strings.Contains(err.Error(), "placeholder") {
		g.t.Errorf("a command with a placeholder: %v", err)
	}
}

// secretField answers a program that does not echo; the host then shows the answer.
func (g *leakRig) secretField() {
	g.t.Helper()
	secret := "plum tractor " + g.p.word("secret field", 8) + " x"
	g.p.list = append(g.p.list, plant{"secret field", secret}, plant{"secret field, encoded", base64.StdEncoding.EncodeToString([]byte(secret))[:24]})
	const line = `read -s x; echo; echo "canary-field it is $x so"; printf %s "$x" | base64`
	n := g.start(line)
	sh := g.host.Session()
	g.await("a secret field", func() bool { f := sh.View().Field; return f != nil && f.Kind == session.SecretField })
	sh.Field(sh.View().Field.ID, []byte(secret), false)
	g.ended(n, line)
}

// account fails to log in as someone whose name is a token.
func (g *leakRig) account() {
	h, err := g.con.Open("glpat-" + g.p.word("account", 20) + "@" + g.host.Link().Target.Asked)
	if err != nil {
		g.t.Fatal(err)
	}
	if err := h.Ready(g.t.Context()); err == nil {
		g.t.Error("the server let a stranger in")
	}
	h.Close()
}

func (g *leakRig) received() []byte {
	b, _ := os.ReadFile(g.path("received"))
	return b
}

// nothingLeaked reads every file that was written on this side.
func (g *leakRig) nothingLeaked() {
	g.t.Helper()
	read := 0
	err := filepath.WalkDir(g.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		read += len(text)
		g.search(strings.TrimPrefix(path, g.dir+"/"), string(text))
		return err
	})
	if err != nil || read < 4<<10 {
		g.t.Errorf("%d bytes read, %v", read, err)
	}
}

const shown = 8 // that many characters of a credential in a row are a leak

var blank = regexp.MustCompile(`\s|\x1b\[[0-9;]*[a-zA-Z]`)

// search looks for parts of what was planted, as it stands and in the strings of JSON,
// also across the ends of lines and changes of colour.
func (g *leakRig) search(name, text string) {
	all := text + "\x00" + decoded(text)
	all += "\x00" + blank.ReplaceAllString(all, "")
	for _, x := range g.p.list {
		for i := 0; i+shown <= len(x.secret); i++ {
			if k := strings.Index(all, x.secret[i:i+shown]); k >= 0 {
				g.t.Errorf("%s holds a part of the secret in %s: %q", name, x.where, all[max(0, k-80):min(len(all), k+80)])
				break
			}
		}
	}
}

// decoded gives the strings of lines of JSON.
func decoded(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		var v any
		if json.Unmarshal([]byte(line), &v) == nil {
			appendStrings(&b, v)
		}
	}
	return b.String()
}

func appendStrings(b *strings.Builder, v any) {
	switch v := v.(type) {
	case string:
		b.WriteString(v)
	case []any:
		for _, x := range v {
			appendStrings(b, x)
		}
	case map[string]any:
		for _, x := range v {
			appendStrings(b, x)
		}
	}
}

// theRestIsThere: what is no secret was told and recorded, so that the search above was
// of what it means to be.
func (g *leakRig) theRestIsThere() {
	g.t.Helper()
	heard := decoded(string(g.received()))
	for _, want := range []string{
		"canary-output: 93% of /dev/sda1 used", "canary-after: ready", "canary-secret-name", "canary-typed", "canary-folder",
		"canary-chat: /var is full", "canary-edit", "canary-field it is", "user=app", "mysql -uroot", "<redacted:",
	} {
		if !strings.Contains(heard, want) {
			g.t.Errorf("Linus never heard %q", want)
		}
	}
	for _, pattern := range []string{"log/*.jsonl", "log/recordings/*.cast"} {
		files, _ := filepath.Glob(g.path(pattern))
		var all strings.Builder
		for _, f := range files {
			b, _ := os.ReadFile(f)
			all.Write(b)
		}
		if !strings.Contains(all.String(), "canary-end") || !strings.Contains(all.String(), "<redacted:") {
			g.t.Errorf("%s: %d files, %d bytes, without the end of the story", pattern, len(files), all.Len())
		}
	}
	if b, err := os.ReadFile(g.path("debug.log")); err != nil || len(b) == 0 {
		g.t.Errorf("the debug log: %d bytes, %v", len(b), err)
	}
}
