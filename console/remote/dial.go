package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"sallyport/console/inventory"
	"sallyport/policy"
)

// DefaultTimeout bounds a step that waits for the network, where nothing else
// was configured.
const DefaultTimeout = 15 * time.Second

// clientVersion is what the console calls itself.
const clientVersion = "SSH-2.0-Sallyport"

// Dial connects to cfg.Dest, through the jump hosts that the ssh
// configuration names, checks each host's key and authenticates. It gives up
// when ctx ends; the connection itself lives on after ctx.
func Dial(ctx context.Context, cfg Config) (*Conn, error) {
	d, err := ParseDest(cfg.Dest)
	if err != nil {
		return nil, err
	}
	cfg.step(StepConfig, d.Host)
	s, err := resolve(ctx, d, cfg.Options)
	if err != nil {
		return nil, err
	}
	hops, err := route(ctx, s, cfg.Options, 0)
	if err != nil {
		return nil, err
	}
	return dialHops(ctx, &cfg, hops)
}

// dialHops connects to each hop through the one before; the last is the
// destination.
func dialHops(ctx context.Context, cfg *Config, hops []*settings) (*Conn, error) {
	var under []*Conn
	for i, s := range hops {
		c, err := dialHop(ctx, cfg.forHop(i == len(hops)-1), s, under)
		if err != nil {
			closeAll(under)
			return nil, err
		}
		under = append(under, c)
	}
	return under[len(under)-1], nil
}

// forHop keeps what belongs to the destination alone away from jump hosts.
func (c *Config) forHop(last bool) *Config {
	if last {
		return c
	}
	hop := *c
	hop.Resume = ""
	return &hop
}

func closeAll(conns []*Conn) {
	for i := len(conns) - 1; i >= 0; i-- {
		_ = conns[i].Close()
	}
}

func (c *Config) step(step, host string) {
	if c.OnStep != nil {
		c.OnStep(step, host)
	}
}

// hop is one host of a dial in progress.
type hop struct {
	cfg   *Config
	s     *settings
	under []*Conn

	step  string
	conn  *watchedConn
	clock *stepClock
	keys  *hostKeys
	auth  *authenticator
}

func dialHop(ctx context.Context, cfg *Config, s *settings, under []*Conn) (*Conn, error) {
	h := &hop{cfg: cfg, s: s, under: under}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	h.clock = newStepClock(h.limit(), func(err error) { cancel(err) })
	defer h.clock.end()
	if err := h.prepare(ctx); err != nil {
		return nil, err
	}
	defer h.auth.ring.agent.close()
	raw, err := h.connect(ctx)
	if err != nil {
		return nil, err
	}
	h.conn = watchConn(raw)
	c, err := h.handshake(ctx)
	if err != nil {
		_ = raw.Close()
	}
	return c, err
}

func (h *hop) limit() time.Duration {
	switch {
	case h.cfg.Timeout > 0:
		return h.cfg.Timeout
	case h.s.connectTimeout > 0:
		return h.s.connectTimeout
	}
	return DefaultTimeout
}

func (h *hop) begin(step string) {
	h.step = step
	h.clock.begin()
	h.cfg.step(step, h.s.label())
}

// prepare reads what is needed before the first byte is sent.
func (h *hop) prepare(ctx context.Context) error {
	files := append(append([]string(nil), h.s.userKnownHosts...), h.s.globalKnownHosts...)
	k, err := openKnownHosts(files, h.s.revokedHostKeys)
	if err != nil {
		return fail(StepConfig, h.s.label(), ClassConfig, fmt.Errorf("known hosts: %w", err), "correct or remove that line")
	}
	p := &prompts{to: h.cfg.Prompter, learn: h.cfg.Learn, clock: h.clock}
	ag, err := openAgent(h.s)
	h.keys = &hostKeys{s: h.s, cfg: h.cfg, files: k, prompt: p}
	h.auth = &authenticator{ctx: ctx, s: h.s, prompt: p, clock: h.clock, ring: &keyRing{s: h.s, prompt: p, agent: ag}}
	if err != nil {
		h.auth.ring.note("%v", err)
	}
	return nil
}

func (h *hop) handshake(ctx context.Context) (*Conn, error) {
	stop := context.AfterFunc(ctx, func() { _ = h.conn.Close() })
	h.begin(StepBanner)
	h.auth.conn = h.conn
	client, chans, reqs, err := ssh.NewClientConn(h.conn, h.keys.name(), h.clientConfig(ctx))
	if !stop() && err == nil {
		err = context.Cause(ctx)
		_ = client.Close()
	}
	if err != nil {
		return nil, h.explain(ctx, err)
	}
	return h.established(client, chans, reqs), nil
}

func (h *hop) clientConfig(ctx context.Context) *ssh.ClientConfig {
	return &ssh.ClientConfig{
		User:              h.s.user,
		ClientVersion:     clientVersion,
		HostKeyAlgorithms: h.keys.files.algorithms(h.keys.name()),
		HostKeyCallback: func(_ string, remote net.Addr, key ssh.PublicKey) error {
			h.begin(StepHostKey)
			return h.keys.check(ctx, remote, key)
		},
		AuthCallback: func(c *ssh.ClientAuthContext) (ssh.AuthMethod, error) {
			if h.step != StepAuth {
				h.begin(StepAuth)
			}
			return h.auth.next(c)
		},
		BannerCallback: h.banner,
	}
}

// maxBanner bounds the text that a host may show before authentication.
const maxBanner = 64 << 10

func (h *hop) banner(message string) error {
	h.clock.begin()
	if h.cfg.OnBanner != nil {
		h.cfg.OnBanner(h.s.label(), harmlessBlock(message))
	}
	return nil
}

func (h *hop) established(client ssh.Conn, chans <-chan ssh.NewChannel, reqs <-chan *ssh.Request) *Conn {
	c := &Conn{
		client: client,
		target: h.target(),
		auth:   h.auth.succeeded(),
		wants:  h.s.wants,
		agent:  agentPath(orElse(h.s.forwardAgent, h.s.identityAgent)),
		under:  h.under,
		done:   make(chan struct{}),
	}
	for _, u := range h.under {
		c.via = append(c.via, u.target)
	}
	go c.answerChannels(chans, h.cfg.Refused)
	go rejectRequests(reqs, h.cfg.Refused)
	go c.watch()
	go c.keepAlive(h.keepAlive(), h.conn)
	return c
}

func (h *hop) target() policy.Target {
	address, _, _ := net.SplitHostPort(h.conn.RemoteAddr().String())
	if len(h.under) > 0 {
		address = "" // the jump host knows it
	}
	return policy.Target{
		Asked:       h.s.asked,
		HostName:    h.s.hostName,
		Address:     address,
		Port:        h.s.port,
		Account:     h.s.user,
		Fingerprint: fingerprintOf(h.keys.shown),
		Inventory:   inventory.Name(h.keys.shown),
		Verified:    true,
	}
}

// explain makes an Error of what the SSH library said.
func (h *hop) explain(ctx context.Context, err error) error {
	var e *Error
	var none *ssh.AlgorithmNegotiationError
	switch {
	case errors.As(err, &e):
		return e
	case h.auth.left != nil:
		return h.auth.left
	case ctx.Err() != nil:
		return h.timedOut(context.Cause(ctx))
	case errors.As(err, &none) && none.What == "host key":
		return h.keys.none(none)
	case errors.As(err, &none):
		return fail(StepExchange, h.s.label(), ClassConnect, fmt.Errorf("no %s that both sides know: it has %s",
			none.What, harmless(strings.Join(none.RequestedAlgorithms, " "))), "the host's SSH server knows only methods that are not safe any more: update it")
	case h.step == StepBanner && !h.conn.spokeSSH():
		return h.notSSH(err)
	case h.step == StepBanner:
		h.step = StepExchange
	}
	return h.broken(err)
}

func (h *hop) notSSH(err error) error {
	words := strings.TrimSpace(string(h.conn.firstWords()))
	if words == "" {
		return fail(StepBanner, h.s.label(), ClassConnect, fmt.Errorf("the host closed the connection before it said anything"),
			"the host may refuse this address (firewall, MaxStartups, hosts.deny), or the port is not SSH's")
	}
	return fail(StepBanner, h.s.label(), ClassConnect, fmt.Errorf("what answers on port %d is not an SSH server: it says “%s”", h.s.port, harmless(words)),
		"check the port (-p)")
}

func (h *hop) timedOut(err error) error {
	if h.step == StepBanner && h.conn.spokeSSH() {
		h.step = StepExchange
	}
	class, hint := ClassConnect, "the host is overloaded or something in between swallows packets; try again, or a longer ConnectTimeout"
	switch h.step {
	case StepAuth:
		class = ClassAuth
	case StepBanner:
		hint = "it accepted the connection and then said nothing: check the port (-p); the host may be overloaded"
	}
	return fail(h.step, h.s.label(), class, err, hint)
}

func (h *hop) broken(err error) error {
	class, hint := ClassConnect, "try again; `ssh -v` shows whether it is this host or the way to it"
	if h.step == StepAuth {
		class, hint = ClassAuth, h.auth.hint(nil)
	}
	text := trimSSH(err)
	if hungUp(text) {
		text = "the host closed the connection"
	}
	if strings.Contains(strings.ToLower(text), "too many authentication failures") {
		hint = "the host counts each key as an attempt: IdentitiesOnly yes, with the right IdentityFile"
	}
	return fail(h.step, h.s.label(), class, errors.New(harmless(text)), hint)
}

// hungUp reads what the network said: the SSH library passes it on as text,
// and closes the connection itself when a write fails.
func hungUp(text string) bool {
	for _, s := range []string{"EOF", "connection reset", "broken pipe", "use of closed network connection"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}
