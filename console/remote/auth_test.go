package remote_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"sallyport/console/remote"
	"sallyport/console/remote/sshdtest"
)

// Passwords of the tests; made up.
var good, bad = "correct-" + "horse-" + "battery", "wrong-" + "horse"

func TestKeyFile(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{})
	for _, typ := range []string{"ed25519", "ecdsa", "rsa"} {
		for _, format := range []string{"RFC4716", "PEM"} {
			t.Run(typ+" "+format, func(t *testing.T) {
				key := keygen(t, "-N", "", "-t", typ, "-m", format)
				authorize(t, s, key)
				cfg := (&person{}).to(s, "IdentityFile="+key)
				cfg.Options.Set = append(cfg.Options.Set, "IdentityAgent=none")
				c := connect(t, cfg)
				if !strings.HasPrefix(c.Authenticated(), "publickey SHA256:") {
					t.Errorf("got %q", c.Authenticated())
				}
			})
		}
	}
}

// onlyKey connects to s with the key at path and nothing else.
func onlyKey(t *testing.T, p *person, s *sshdtest.Server, path string) remote.Config {
	t.Helper()
	cfg := p.to(s)
	cfg.Options.ConfigFile = file(t, "config", fmt.Sprintf(
		"IdentityFile %s\nIdentitiesOnly yes\nIdentityAgent none\nUserKnownHostsFile %s\n", path, s.KnownHosts))
	return cfg
}

func TestPassphrase(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{})
	for _, format := range []string{"RFC4716", "PEM"} {
		for _, typ := range []string{"ed25519", "rsa"} {
			if format == "PEM" && typ == "ed25519" {
				continue // ssh-keygen has no such form
			}
			key := keygen(t, "-N", good, "-t", typ, "-m", format)
			authorize(t, s, key)
			t.Run(typ+" "+format, func(t *testing.T) {
				p := &person{secrets: []string{bad, good}}
				connect(t, onlyKey(t, p, s, key))
				if want := []string{"Passphrase for " + key + ": ", "That was wrong. Passphrase for " + key + ": "}; !slices.Equal(p.prompts, want) {
					t.Errorf("asked %q", p.prompts)
				}
				if slices.Contains(p.echoed, true) || !slices.Equal(p.learned, []string{bad, good}) {
					t.Errorf("echoed %v, learned %d secrets", p.echoed, len(p.learned))
				}
			})
		}
	}
	key := keygen(t, "-N", good, "-t", "ed25519")
	t.Run("not asked for when the host does not take the key", func(t *testing.T) {
		p := &person{secrets: []string{good}}
		refused(t, onlyKey(t, p, s, key), remote.StepAuth, remote.ClassAuth, "is not accepted", "SHA256:", "the host takes publickey")
		if len(p.prompts) > 0 {
			t.Errorf("asked %q", p.prompts)
		}
	})
	authorize(t, s, key)
	t.Run("wrong three times", func(t *testing.T) {
		p := &person{secrets: []string{bad, bad, bad, good}}
		refused(t, onlyKey(t, p, s, key), remote.StepAuth, remote.ClassAuth, "wrong passphrase")
		if len(p.prompts) != 3 {
			t.Errorf("asked %d times", len(p.prompts))
		}
	})
	t.Run("left", func(t *testing.T) {
		e := refused(t, onlyKey(t, &person{}, s, key), remote.StepAuth, remote.ClassAuth, "left by the operator")
		if !errors.Is(e, remote.ErrLeft) {
			t.Errorf("got %v", e)
		}
	})
	t.Run("an empty one goes on to the next key", func(t *testing.T) {
		second := keygen(t, "-N", "", "-t", "ed25519")
		authorize(t, s, second)
		cfg := onlyKey(t, &person{secrets: []string{""}}, s, key+"\nIdentityFile "+second)
		connect(t, cfg)
	})
	t.Run("nobody is there", func(t *testing.T) {
		cfg := onlyKey(t, &person{}, s, key)
		cfg.Prompter = nil
		refused(t, cfg, remote.StepAuth, remote.ClassAuth, "nobody can be asked")
	})
}

func TestKeyFileThatOthersCanRead(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{})
	key := keygen(t, "-N", "", "-t", "ed25519")
	authorize(t, s, key)
	if err := os.Chmod(key, 0o644); err != nil {
		t.Fatal(err)
	}
	refused(t, onlyKey(t, &person{}, s, key), remote.StepAuth, remote.ClassAuth, "others can read it", "chmod 600")
}

func TestKeyFileOfNonsense(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{})
	path := file(t, "key", "this is no key\n")
	refused(t, onlyKey(t, &person{}, s, path), remote.StepAuth, remote.ClassAuth, path)
}

func TestAgent(t *testing.T) {
	s := sshdtest.Start(t, sshdtest.Options{})
	wanted, unwanted := keygen(t, "-N", "", "-t", "rsa"), keygen(t, "-N", "", "-t", "ed25519")
	authorize(t, s, wanted)
	socket := agent(t, unwanted, wanted)
	config := func(lines string) remote.Config {
		cfg := (&person{}).to(s)
		cfg.Options.ConfigFile = file(t, "config", lines+"\nUserKnownHostsFile "+s.KnownHosts+"\n")
		return cfg
	}
	t.Run("IdentityAgent", func(t *testing.T) {
		connect(t, config("IdentityAgent "+socket))
	})
	t.Run("SSH_AUTH_SOCK", func(t *testing.T) {
		t.Setenv("SSH_AUTH_SOCK", socket)
		connect(t, config(""))
	})
	t.Run("IdentitiesOnly with the public half", func(t *testing.T) {
		private := filepath.Join(t.TempDir(), "id")
		if err := os.WriteFile(private+".pub", []byte(read(t, wanted+".pub")), 0o600); err != nil {
			t.Fatal(err)
		}
		connect(t, config("IdentityAgent "+socket+"\nIdentitiesOnly yes\nIdentityFile "+private))
	})
	t.Run("IdentitiesOnly leaves the others out", func(t *testing.T) {
		refused(t, config("IdentityAgent "+socket+"\nIdentitiesOnly yes\nIdentityFile "+unwanted), remote.StepAuth, remote.ClassAuth, "is not accepted")
	})
	t.Run("none", func(t *testing.T) {
		t.Setenv("SSH_AUTH_SOCK", socket)
		refused(t, config("IdentityAgent none\nIdentityFile /nonexistent"), remote.StepAuth, remote.ClassAuth, "/nonexistent")
	})
	t.Run("not there", func(t *testing.T) {
		e := refused(t, config("IdentityAgent /nonexistent/agent\nIdentityFile none"), remote.StepAuth, remote.ClassAuth)
		if !strings.Contains(e.Hint, "agent at /nonexistent/agent") {
			t.Errorf("hint %q", e.Hint)
		}
	})
}

func TestMuteAgent(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{})
	mute := filepath.Join(t.TempDir(), "mute")
	defer muteAgent(t, mute)()
	cfg := (&person{}).to(s, "IdentityAgent="+mute)
	connect(t, cfg) // the file's key is tried without it
}

func TestUserCertificate(t *testing.T) {
	t.Parallel()
	ca := keygen(t, "-N", "", "-t", "ed25519")
	s := sshdtest.Start(t, sshdtest.Options{Config: []string{"TrustedUserCAKeys " + ca + ".pub"}})
	sign := func(args ...string) string {
		key := keygen(t, "-N", "", "-t", "rsa")
		sshdtest.Keygen(t, append(append([]string{"-q", "-s", ca, "-I", "who", "-n", s.User}, args...), key+".pub")...)
		return key
	}
	t.Run("beside the key", func(t *testing.T) {
		connect(t, onlyKey(t, &person{}, s, sign()))
	})
	t.Run("CertificateFile", func(t *testing.T) {
		key := sign()
		cert := filepath.Join(t.TempDir(), "moved-cert.pub")
		if err := os.Rename(key+"-cert.pub", cert); err != nil {
			t.Fatal(err)
		}
		connect(t, onlyKey(t, &person{}, s, key+"\nCertificateFile "+cert))
	})
	t.Run("with a passphrase", func(t *testing.T) {
		key := keygen(t, "-N", good, "-t", "ed25519")
		sshdtest.Keygen(t, "-q", "-s", ca, "-I", "who", "-n", s.User, key+".pub")
		connect(t, onlyKey(t, &person{secrets: []string{good}}, s, key))
	})
	t.Run("in the agent", func(t *testing.T) {
		key := sign()
		cfg := (&person{}).to(s)
		cfg.Options.ConfigFile = file(t, "config", "IdentityFile none\nIdentityAgent "+agent(t, key)+"\nUserKnownHostsFile "+s.KnownHosts+"\n")
		connect(t, cfg)
	})
	t.Run("expired", func(t *testing.T) {
		refused(t, onlyKey(t, &person{}, s, sign("-V", "20200101:20200102")), remote.StepAuth, remote.ClassAuth, "is not accepted")
	})
	t.Run("missing", func(t *testing.T) {
		key := keygen(t, "-N", "", "-t", "ed25519")
		refused(t, onlyKey(t, &person{}, s, key+"\nCertificateFile /nonexistent-cert.pub"), remote.StepAuth, remote.ClassAuth, "/nonexistent-cert.pub")
	})
}

// passwordPeer takes good as password, in the ways that are asked for.
func passwordPeer(t *testing.T, ways ...string) *peer {
	c := &ssh.ServerConfig{MaxAuthTries: 20}
	if slices.Contains(ways, "password") {
		c.PasswordCallback = func(_ ssh.ConnMetadata, b []byte) (*ssh.Permissions, error) {
			if string(b) == good {
				return nil, nil
			}
			return nil, errors.New("no")
		}
	}
	if slices.Contains(ways, "keyboard-interactive") {
		c.KeyboardInteractiveCallback = func(_ ssh.ConnMetadata, ask ssh.KeyboardInteractiveChallenge) (*ssh.Permissions, error) {
			answers, err := ask("Two steps", "From the \x1b[31mhost", []string{"Password: ", "Method (1 push, 2 code): "}, []bool{false, true})
			if err == nil && len(answers) == 2 && answers[0] == good && answers[1] == "1" {
				_, err = ask("", "", nil, nil) // a last round without a question, as PAM has them
				return nil, err
			}
			return nil, errors.New("no")
		}
	}
	return startPeer(t, c, nil)
}

func TestPassword(t *testing.T) {
	t.Parallel()
	p := &person{secrets: []string{bad, good}}
	srv := passwordPeer(t, "password")
	c := connect(t, srv.by(p))
	ask := "ada@" + srv.addr + "'s password: "
	if want := []string{ask, "That was not accepted. " + ask}; !slices.Equal(p.prompts, want) {
		t.Errorf("asked %q, want %q", p.prompts, want)
	}
	if !slices.Equal(p.echoed, []bool{false, false}) || !slices.Equal(p.learned, []string{bad, good}) {
		t.Errorf("echoed %v, learned %d", p.echoed, len(p.learned))
	}
	if c.Authenticated() != "password" {
		t.Errorf("got %q", c.Authenticated())
	}
}

func TestPasswordRefused(t *testing.T) {
	t.Parallel()
	t.Run("wrong until the prompts are used up", func(t *testing.T) {
		p := &person{secrets: []string{bad, bad, bad, good}}
		refused(t, passwordPeer(t, "password").by(p), remote.StepAuth, remote.ClassAuth, "ada is not accepted: tried password; the host takes password")
		if len(p.prompts) != 3 {
			t.Errorf("asked %d times", len(p.prompts))
		}
	})
	t.Run("NumberOfPasswordPrompts", func(t *testing.T) {
		p := &person{secrets: []string{bad, good}}
		refused(t, passwordPeer(t, "password").by(p, "NumberOfPasswordPrompts=1"), remote.StepAuth, remote.ClassAuth)
	})
	t.Run("left: no other way is tried", func(t *testing.T) {
		p := &person{}
		e := refused(t, passwordPeer(t, "password", "keyboard-interactive").by(p), remote.StepAuth, remote.ClassAuth, "left by the operator")
		if !errors.Is(e, remote.ErrLeft) || len(p.prompts) != 1 {
			t.Errorf("got %v after %d prompts", e, len(p.prompts))
		}
	})
	t.Run("nobody is there", func(t *testing.T) {
		cfg := passwordPeer(t, "password").by(&person{})
		cfg.Prompter = nil
		refused(t, cfg, remote.StepAuth, remote.ClassAuth, "where a person can be asked")
	})
	t.Run("BatchMode", func(t *testing.T) {
		p := &person{secrets: []string{good}}
		refused(t, passwordPeer(t, "password").by(p, "BatchMode=yes"), remote.StepAuth, remote.ClassAuth)
		if len(p.prompts) > 0 {
			t.Error("asked")
		}
	})
	t.Run("PasswordAuthentication no", func(t *testing.T) {
		p := &person{secrets: []string{good}}
		refused(t, passwordPeer(t, "password").by(p, "PasswordAuthentication=no"), remote.StepAuth, remote.ClassAuth)
	})
}

func TestKeyboardInteractive(t *testing.T) {
	t.Parallel()
	p := &person{secrets: []string{good, "1"}}
	srv := passwordPeer(t, "keyboard-interactive", "password")
	c := connect(t, srv.by(p))
	if c.Authenticated() != "keyboard-interactive" {
		t.Errorf("got %q", c.Authenticated())
	}
	if len(p.prompts) != 2 || !strings.HasPrefix(p.prompts[0], "(ada@"+srv.addr+") Two steps ") || strings.ContainsRune(p.prompts[0], 0x1b) {
		t.Errorf("asked %q", p.prompts)
	}
	if !slices.Equal(p.echoed, []bool{false, true}) || !slices.Equal(p.learned, []string{good}) {
		t.Errorf("echoed %v; learned %q: only what is masked is a secret", p.echoed, p.learned)
	}
}

func TestKeyboardInteractiveWithoutEnd(t *testing.T) {
	t.Parallel()
	endless := map[string]func(ask ssh.KeyboardInteractiveChallenge) error{
		"rounds without a question": func(ask ssh.KeyboardInteractiveChallenge) error {
			_, err := ask("", "again", nil, nil)
			return err
		},
		"a thousand questions": func(ask ssh.KeyboardInteractiveChallenge) error {
			_, err := ask("", "", slices.Repeat([]string{"?"}, 1000), make([]bool, 1000))
			return err
		},
	}
	for name, round := range endless {
		t.Run(name, func(t *testing.T) {
			c := &ssh.ServerConfig{KeyboardInteractiveCallback: func(_ ssh.ConnMetadata, ask ssh.KeyboardInteractiveChallenge) (*ssh.Permissions, error) {
				for {
					if err := round(ask); err != nil {
						return nil, err
					}
				}
			}}
			p := &person{secrets: slices.Repeat([]string{"x"}, 2000)}
			refused(t, startPeer(t, c, nil).by(p), remote.StepAuth, remote.ClassAuth)
			if len(p.prompts) > 0 {
				t.Errorf("asked %d times", len(p.prompts))
			}
		})
	}
}

func TestTwoFactors(t *testing.T) {
	t.Parallel()
	key := keygen(t, "-N", "", "-t", "ed25519")
	c := &ssh.ServerConfig{PublicKeyCallback: func(ssh.ConnMetadata, ssh.PublicKey) (*ssh.Permissions, error) {
		return nil, &ssh.PartialSuccessError{Next: ssh.ServerAuthCallbacks{PasswordCallback: func(_ ssh.ConnMetadata, b []byte) (*ssh.Permissions, error) {
			if string(b) == good {
				return nil, nil
			}
			return nil, errors.New("no")
		}}}
	}}
	srv := startPeer(t, c, nil)
	cfg := srv.by(&person{secrets: []string{bad, good}})
	cfg.Options.Set[2] = "IdentityFile=" + key
	got := connect(t, cfg).Authenticated()
	if !strings.HasPrefix(got, "publickey SHA256:") || !strings.HasSuffix(got, ", password") {
		t.Errorf("got %q", got)
	}
	cfg.Prompter = &person{secrets: []string{bad, bad, bad}}
	refused(t, cfg, remote.StepAuth, remote.ClassAuth, "tried password after publickey SHA256:")
}

func TestTooManyKeys(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{Config: []string{"MaxAuthTries 2"}})
	lines := "IdentityAgent none\nUserKnownHostsFile " + s.KnownHosts + "\n"
	for range 4 {
		lines += "IdentityFile " + keygen(t, "-N", "", "-t", "ed25519") + "\n"
	}
	cfg := (&person{}).to(s)
	cfg.Options.ConfigFile = file(t, "config", lines)
	refused(t, cfg, remote.StepAuth, remote.ClassAuth, "IdentitiesOnly yes")
}

func TestHostClosesDuringAuthentication(t *testing.T) {
	t.Parallel()
	var srv *peer
	c := &ssh.ServerConfig{PasswordCallback: func(ssh.ConnMetadata, []byte) (*ssh.Permissions, error) {
		srv.cut()
		return nil, errors.New("no")
	}}
	srv = startPeer(t, c, nil)
	p := &person{secrets: []string{bad, good, good}}
	refused(t, srv.by(p), remote.StepAuth, remote.ClassAuth, "the host closed the connection")
	if len(p.prompts) != 1 {
		t.Errorf("asked %d times: the connection was gone after the first", len(p.prompts))
	}
}

func TestPreferredAuthentications(t *testing.T) {
	t.Parallel()
	p := &person{secrets: []string{good}}
	c := connect(t, passwordPeer(t, "password", "keyboard-interactive").by(p, "PreferredAuthentications=password"))
	if c.Authenticated() != "password" {
		t.Errorf("got %q", c.Authenticated())
	}
}

func TestBannerIsMadeHarmless(t *testing.T) {
	t.Parallel()
	c := &ssh.ServerConfig{NoClientAuth: true, BannerCallback: func(ssh.ConnMetadata) string {
		return "Authorized use only.\r\n\x1b]0;owned\x07\u202eevil\n"
	}}
	srv := startPeer(t, c, nil)
	var got string
	cfg := srv.by(&person{})
	cfg.OnBanner = func(_, text string) { got = text }
	connect(t, cfg)
	if !strings.Contains(got, "Authorized use only.\n") || strings.ContainsAny(got, "\x1b\x07\u202e") {
		t.Errorf("got %q", got)
	}
}

// TestRealPassword logs in to sshd with an account's password, with and
// without PAM, as a throwaway account.
func TestRealPassword(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		skip(t, "root")
	}
	useradd, userdel := sshdtest.Need(t, "useradd"), sshdtest.Need(t, "userdel")
	name := fmt.Sprintf("sallytest%d", os.Getpid())
	hash, err := exec.Command(sshdtest.Need(t, "openssl"), "passwd", "-6", good).Output()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(useradd, "-M", "-d", "/", "-s", "/bin/sh", "-p", strings.TrimSpace(string(hash)), name).CombinedOutput(); err != nil {
		t.Fatalf("useradd: %v\n%s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command(userdel, name).CombinedOutput(); err != nil {
			t.Errorf("userdel %s: %v\n%s", name, err, out)
		}
	})
	for way, lines := range map[string][]string{
		"password":             {"PasswordAuthentication yes", "KbdInteractiveAuthentication no", "AuthenticationMethods password"},
		"keyboard-interactive": {"UsePAM yes", "KbdInteractiveAuthentication yes", "AuthenticationMethods keyboard-interactive"},
	} {
		t.Run(way, func(t *testing.T) {
			s := sshdtest.Start(t, sshdtest.Options{Config: lines})
			p := &person{secrets: []string{bad, good}}
			cfg := p.to(s)
			cfg.Dest = name + "@" + s.Addr
			c := connect(t, cfg)
			if c.Authenticated() != way || len(p.prompts) != 2 || slices.Contains(p.echoed, true) {
				t.Errorf("got %q after %q\n%s", c.Authenticated(), p.prompts, s.Log())
			}
		})
	}
}
