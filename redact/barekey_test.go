package redact_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"sallyport/redact"
)

// madeKeys are private keys in the formats of files, as lines without their armour.
func madeKeys(t *testing.T) map[string][]string {
	t.Helper()
	r, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	e, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	open, err := ssh.MarshalPrivateKey(r, "made")
	must(t, err)
	pkcs8, err := x509.MarshalPKCS8PrivateKey(r)
	must(t, err)
	ec8, err := x509.MarshalPKCS8PrivateKey(e)
	must(t, err)
	sec1, err := x509.MarshalECPrivateKey(e)
	must(t, err)
	return map[string][]string{
		"openssh": inLines(open.Bytes, 70),
		"pkcs1":   inLines(x509.MarshalPKCS1PrivateKey(r), 64),
		"pkcs8":   inLines(pkcs8, 64),
		"ec8":     inLines(ec8, 64),
		"sec1":    inLines(sec1, 64),
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func inLines(b []byte, width int) (lines []string) {
	s := base64.StdEncoding.EncodeToString(b)
	for ; len(s) > width; s = s[width:] {
		lines = append(lines, s[:width])
	}
	return append(lines, s)
}

// noneShown: nowhere do so many characters of a secret line stand in a row.
func noneShown(t *testing.T, got string, secret []string) {
	t.Helper()
	const row = 6 // of four, random ones come by chance
	for _, l := range secret {
		for i := 0; i+row <= len(l); i++ {
			if strings.Contains(got, l[i:i+row]) {
				t.Errorf("%q of %q is shown in:\n%s", l[i:i+row], l, got)
				return
			}
		}
	}
}

func TestKeyWithoutArmourIsKnownByItsBeginning(t *testing.T) {
	for name, lines := range madeKeys(t) {
		first := lines[:min(3, len(lines))]
		for form, text := range map[string]string{
			"lines":    strings.Join(first, "\n") + "\n$ ls\n",
			"numbered": "     2\t" + strings.Join(first, "\n     3\t") + "\n",
			"one line": strings.Join(first, "") + "\n",
			"value":    `{"data": "` + strings.Join(first, "") + `", "n": 1}`,
		} {
			t.Run(name+" "+form, func(t *testing.T) {
				noneShown(t, textOf(redact.New(redact.Config{}), text), first)
			})
		}
	}
}

func TestPublicDERIsNoKey(t *testing.T) {
	r, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	e, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	spki, err := x509.MarshalPKIXPublicKey(&r.PublicKey)
	must(t, err)
	ec, err := x509.MarshalPKIXPublicKey(&e.PublicKey)
	must(t, err)
	csr, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{}, r)
	must(t, err)
	for name, der := range map[string][]byte{"rsa": spki, "ec": ec, "pkcs1": x509.MarshalPKCS1PublicKey(&r.PublicKey), "request": csr} {
		for _, text := range []string{
			strings.Join(inLines(der, 64), "\n") + "\n",
			string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		} {
			if got := textOf(redact.New(redact.Config{}), text); got != text {
				t.Errorf("%s: got\n%s", name, got)
			}
		}
	}
}

func TestLinesOfAKeyFileAreMasked(t *testing.T) {
	lines := madeKeys(t)["openssh"]
	part := lines[5:8]
	for _, cmd := range []string{
		"tail -n +5 id_rsa | head -3", "sed -n 5,7p ~/.ssh/id_work", "awk 'NR>4' site.key", "clear; for i in 5 6; do tail -n +$i rsa2 | head -4; sleep 2; done",
		"grep -v -- ----- deploy.pem", "cat -n /etc/ssh/ssh_host_rsa_key | sed -n 5,7p",
	} {
		text := strings.Join(part, "\n") + "\n"
		noneShown(t, textOf(redact.New(redact.Config{}), "ann@web:~$ "+cmd+"\n"+text), part)
		r := redact.New(redact.Config{}).Target("a")
		r.Command(cmd)
		got, _ := r.Cells(redact.Line{Text: text}) // the screen was cleared
		noneShown(t, got.String(), part)
		s := r.Stream()
		noneShown(t, redact.Join(s.Write([]byte(text[:100])), s.Expire(), s.Write([]byte(text[100:])), s.Flush()).String(), part)
	}
	for _, cmd := range []string{"base64 logo.png", "tail -n +2 id_rsa.pub", "tail -n +2 ca-chain.crt", "curl -k https://a.example/logo | base64 -w 70"} {
		text := "ann@web:~$ " + cmd + "\n" + strings.Join(part, "\n") + "\n"
		if got := textOf(redact.New(redact.Config{}), text); got != text {
			t.Errorf("%s: got\n%s", cmd, got)
		}
	}
}

func TestScreenKnowsWhatTheStreamMasked(t *testing.T) {
	lines := madeKeys(t)["openssh"]
	r := redact.New(redact.Config{}).Target("a")
	s := r.Stream()
	masked := redact.Join(s.Write([]byte(strings.Join(lines, "\n")+"\n")), s.Mark()).String()
	r.Command("ls")
	for from := range len(lines) - 3 {
		got, _ := r.Cells(redact.Line{Text: strings.Join(lines[from:from+3], "\n")})
		noneShown(t, got.String(), lines[from:from+3])
		if from > 0 && !strings.Contains(got.String(), strings.TrimSpace(masked)) {
			t.Errorf("line %d: got %s, the stream said %s", from, got, masked)
		}
	}
	other, _ := r.Target("b").Cells(redact.Line{Text: lines[9]})
	if other.String() != lines[9] {
		t.Errorf("another target got %s", other)
	}
}

func TestEchoOfACommandInRowsIsTheCommand(t *testing.T) {
	part := madeKeys(t)["openssh"][5:8]
	r := redact.New(redact.Config{}).Target("a")
	r.Command("clear; for i in 5 6; do tail -n +$i deploy_rsa | head -4; done")
	got, _ := r.Text("ann@web:~$ clear; for i in 5 6; do tail -n +\n$i deploy_rsa | head -4; done\n" + strings.Join(part, "\n") + "\n")
	noneShown(t, got.String(), part)
}

func TestMarkBehindTheCommandKeepsItsKeyFile(t *testing.T) {
	part := madeKeys(t)["openssh"][5:8]
	r := redact.New(redact.Config{}).Target("a")
	s := r.Stream()
	held := s.Write([]byte("ann@web:~$ "))
	r.Command("tail -n +5 deploy_rsa")
	got := redact.Join(held, s.Mark(), s.Write([]byte("clear; tail -n +5 dep\nloy_rsa\n"+strings.Join(part, "\n")+"\n")), s.Flush())
	noneShown(t, got.String(), part)
}
