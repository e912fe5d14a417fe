package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
)

// maxPassphrases is how often a wrong passphrase may be typed.
const maxPassphrases = 3

// identity is a key that the operator may prove to have.
type identity struct {
	from   string // a path, or "agent: comment"
	signer ssh.Signer
}

// keyRing finds the operator's keys for one host.
type keyRing struct {
	s      *settings
	prompt *prompts
	agent  *agentConn
	notes  []string // why keys that were named are not used
}

// identities gives the keys in the order that ssh tries them: those of the
// agent that the configuration names, the agent's others, then files. Each
// comes with its certificate first.
func (r *keyRing) identities(ctx context.Context) []identity {
	inAgent := r.fromAgent()
	files := r.fromFiles(ctx, inAgent)
	named, others := r.split(inAgent, files)
	out := named
	if !r.s.identitiesOnly {
		out = append(out, others...)
	}
	return r.certified(append(out, r.withoutAgent(files, inAgent)...))
}

func (r *keyRing) fromAgent() []identity {
	ids, err := r.agent.identities()
	if err != nil {
		r.note("agent: %v", err)
	}
	return ids
}

// split separates the agent's keys that a file names from the others.
func (r *keyRing) split(inAgent, files []identity) (named, others []identity) {
	for _, id := range inAgent {
		if holds(files, plain(id.signer.PublicKey())) {
			named = append(named, id)
		} else {
			others = append(others, id)
		}
	}
	return named, others
}

func (r *keyRing) withoutAgent(files, inAgent []identity) []identity {
	return slices.DeleteFunc(slices.Clone(files), func(f identity) bool {
		return holds(inAgent, f.signer.PublicKey())
	})
}

func holds(ids []identity, key ssh.PublicKey) bool {
	return slices.ContainsFunc(ids, func(id identity) bool { return sameKey(id.signer.PublicKey(), key) })
}

func sameKey(a, b ssh.PublicKey) bool { return slices.Equal(a.Marshal(), b.Marshal()) }

func (r *keyRing) fromFiles(ctx context.Context, inAgent []identity) []identity {
	var out []identity
	for _, path := range r.s.identityFiles {
		signer, err := r.load(ctx, path, inAgent)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) || !isDefault(path) {
				r.note("%s: %s", path, cause(err))
			}
			continue
		}
		out = append(out, identity{path, signer})
	}
	return out
}

func (r *keyRing) note(format string, args ...any) {
	r.notes = append(r.notes, harmless(fmt.Sprintf(format, args...)))
}

// isDefault: ssh looks for these files unasked; nobody misses them.
func isDefault(path string) bool {
	return strings.HasPrefix(path, homeDir()+"/.ssh/id_")
}

func cause(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return trimSSH(err)
}

// load reads a key file. One with a passphrase is opened when it is needed:
// its public half says whether the host takes it.
func (r *keyRing) load(ctx context.Context, path string, inAgent []identity) (ssh.Signer, error) {
	data, err := readSmall(path)
	if err != nil {
		return r.publicOnly(path, inAgent, err)
	}
	defer wipe(data)
	if err := private(path); err != nil {
		return nil, err
	}
	signer, err := ssh.ParsePrivateKey(data)
	var locked *ssh.PassphraseMissingError
	if !errors.As(err, &locked) {
		return signer, err
	}
	pub := locked.PublicKey
	if pub == nil {
		if pub, err = readPublic(path + ".pub"); err != nil {
			return nil, fmt.Errorf("it has a passphrase, and its public half is missing (%s.pub)", path)
		}
	}
	return &lockedKey{ctx: ctx, path: path, public: pub, ring: r}, nil
}

// publicOnly is for a key whose private half only the agent has.
func (r *keyRing) publicOnly(path string, inAgent []identity, err error) (ssh.Signer, error) {
	pub, pubErr := readPublic(path + ".pub")
	if pubErr != nil {
		return nil, err
	}
	for _, id := range inAgent {
		if sameKey(id.signer.PublicKey(), pub) {
			return id.signer, nil
		}
	}
	return nil, err
}

// private refuses a key file that others can read, as ssh does.
func private(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Errorf("others can read it (mode %04o): chmod 600", mode)
	}
	return nil
}

// maxKeyFile is more than any key needs.
const maxKeyFile = 1 << 20

func readSmall(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxKeyFile))
}

func readPublic(path string) (ssh.PublicKey, error) {
	data, err := readSmall(path)
	if err != nil {
		return nil, err
	}
	key, _, _, _, err := ssh.ParseAuthorizedKey(data)
	return key, err
}

// certified puts, before each key, the certificates that are for it.
func (r *keyRing) certified(ids []identity) []identity {
	certs := r.certificates(ids)
	var out []identity
	for _, id := range ids {
		for _, c := range certs {
			if signer, err := ssh.NewCertSigner(c.cert, id.signer); err == nil {
				out = append(out, identity{c.path, signer})
			}
		}
		out = append(out, id)
	}
	return out
}

type certificate struct {
	path string
	cert *ssh.Certificate
}

// certificates reads CertificateFile, and the -cert.pub beside each key.
func (r *keyRing) certificates(ids []identity) []certificate {
	paths := slices.Clone(r.s.certificateFiles)
	for _, id := range ids {
		if beside := id.from + "-cert.pub"; !slices.Contains(paths, beside) {
			paths = append(paths, beside)
		}
	}
	var out []certificate
	for i, path := range paths {
		key, err := readPublic(path)
		if err != nil {
			if i < len(r.s.certificateFiles) {
				r.note("%s: %s", path, cause(err))
			}
			continue
		}
		if cert, ok := key.(*ssh.Certificate); ok {
			out = append(out, certificate{path, cert})
		}
	}
	return out
}

// lockedKey is a key file with a passphrase. It is asked for when the host
// has said that it takes the key, and kept for the connection.
type lockedKey struct {
	ctx    context.Context // of the dial: the SSH library's signers take none
	path   string
	public ssh.PublicKey
	ring   *keyRing

	open ssh.Signer
}

func (k *lockedKey) PublicKey() ssh.PublicKey { return k.public }

func (k *lockedKey) Sign(rand io.Reader, data []byte) (*ssh.Signature, error) {
	return k.SignWithAlgorithm(rand, data, "")
}

func (k *lockedKey) SignWithAlgorithm(rand io.Reader, data []byte, algorithm string) (*ssh.Signature, error) {
	if k.open == nil {
		if err := k.unlock(); err != nil {
			return nil, err
		}
	}
	s, ok := k.open.(ssh.AlgorithmSigner)
	if !ok {
		return k.open.Sign(rand, data)
	}
	return s.SignWithAlgorithm(rand, data, algorithm)
}

// unlock asks for the passphrase. An empty answer passes the key over.
func (k *lockedKey) unlock() error {
	data, err := readSmall(k.path)
	if err != nil {
		return err
	}
	defer wipe(data)
	prompt := "Passphrase for " + harmless(k.path) + ": "
	for i := range maxPassphrases {
		if i == 1 {
			prompt = "That was wrong. " + prompt
		}
		pass, err := k.ring.prompt.secret(k.ctx, prompt, false)
		if err != nil {
			return k.pass(err)
		}
		if len(pass) == 0 {
			return k.pass(errors.New("no passphrase given"))
		}
		k.open, err = ssh.ParsePrivateKeyWithPassphrase(data, pass)
		wipe(pass)
		if err == nil {
			return nil
		}
	}
	return k.pass(errors.New("wrong passphrase"))
}

// pass notes why the key is not used. When the operator left, nothing further
// is tried.
func (k *lockedKey) pass(err error) error {
	k.open = nil
	k.ring.note("%s: %v", k.path, err)
	return err
}
