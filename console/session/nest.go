package session

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"sallyport/audit"
	"sallyport/console/gate"
	"sallyport/console/probe"
	"sallyport/console/shellmarks"
	"sallyport/policy"
	"sallyport/redact"
)

// nest is an approved line that starts a shell: the same shell is started with
// the bootstrap inside, so that what is typed there is judged too. Its target
// comes from the line, never from the remote.
type nest struct {
	line   string // what the hook runs instead
	target func(outer policy.Target) policy.Target
	login  bool
	blind  bool // its terminal is on another host: the side channel does not see it
	exec   bool // it takes the outer shell's place, and its process
}

// saved is what an outer frame was doing when a shell was started inside it.
type saved struct {
	run   *running
	cmd   *Command
	facts []policyFact
	cwd   string
	why   string
}

// nesting knows the lines that start a shell and nothing else. Any other way
// to one is a program whose keys are held.
func nesting(text string, state policy.ShellState) (*nest, bool) {
	w, ok := words(text)
	if !ok || w[0] == "" {
		return nil, false
	}
	if k := state.Words[w[0]].Kind; k == "alias" || k == "function" {
		return nil, false
	}
	if w[0] == "exec" && len(w) > 1 && shellmarks.ShellOf(w[1]) != shellmarks.Unknown {
		n, ok := nestShell(w[1:], state)
		if ok {
			n.line, n.exec = "exec "+n.line, true
		}
		return n, ok
	}
	switch name := path.Base(w[0]); name {
	case "bash", "zsh", "fish", "dash", "mksh", "sh":
		return nestShell(w, state)
	case "su":
		return nestSu(w)
	case "sudo":
		return nestSudo(w)
	case "ssh":
		return nestSSH(w)
	case "docker", "podman", "nerdctl", "crun", "runc", "kubectl", "oc":
		return nestContainer(name, w)
	}
	return nil, false
}

// words are the words of one simple command of plain words.
func words(text string) ([]string, bool) {
	f, err := syntax.NewParser(syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
	if err != nil || len(f.Stmts) != 1 || len(f.Last) > 0 {
		return nil, false
	}
	s := f.Stmts[0]
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(s.Redirs) > 0 || s.Background || s.Negated || s.Coprocess || len(call.Assigns) > 0 || len(s.Comments) > 0 {
		return nil, false
	}
	var out []string
	for _, a := range call.Args {
		lit := a.Lit()
		if lit == "" || lit[0] == '=' || strings.Trim(lit, plainWord) != "" {
			return nil, false
		}
		out = append(out, lit)
	}
	return out, len(out) > 0
}

const plainWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./-="

func same(t policy.Target) policy.Target { return t }

// account is another account on the same host. What the console checked is
// the host's key; who the account is, the host says.
func account(name string) func(policy.Target) policy.Target {
	return func(t policy.Target) policy.Target {
		t.Account, t.Inventory = name, ""
		return t
	}
}

func nestShell(w []string, state policy.ShellState) (*nest, bool) {
	login := false
	for _, a := range w[1:] {
		switch a {
		case "-l", "--login":
			login = true
		case "-i":
		default:
			return nil, false
		}
	}
	file := w[0]
	if !strings.Contains(file, "/") {
		file = state.Words[w[0]].Path
	}
	if !strings.HasPrefix(file, "/") || strings.Trim(file, plainWord) != "" {
		return nil, false
	}
	return &nest{line: "env SHELL=" + file + " sh -c " + shellmarks.ForSh, target: same, login: login}, true
}

func nestSu(w []string) (*nest, bool) {
	user, login := "root", false
	for _, a := range w[1:] {
		switch {
		case a == "-" || a == "-l" || a == "--login":
			login = true
		case strings.HasPrefix(a, "-"):
			return nil, false
		default:
			user = a
		}
	}
	return &nest{line: inSession(w), target: account(user), login: login}, true
}

// inSession starts su with the loader in the terminal's session. Where su has
// an option of its own for that, -c alone would take the terminal away.
func inSession(w []string) string {
	return `sh -c 'c=-c; case $(su --help 2>&1) in *session-command*) c=--session-command;; esac; exec "$@" "$c" "$0"' ` +
		shellmarks.ForLoginShell + " " + strings.Join(w, " ")
}

func nestSudo(w []string) (*nest, bool) {
	user, login, shell, rest := "root", false, false, w[1:]
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		switch a := rest[0]; {
		case a == "-i" || a == "--login":
			login, shell = true, true
		case a == "-s" || a == "--shell":
			shell = true
		case a == "-H" || a == "-n":
		case a == "-u" && len(rest) > 1:
			user, rest = rest[1], rest[1:]
		default:
			return nil, false
		}
		rest = rest[1:]
	}
	switch {
	case shell && len(rest) == 0:
		return &nest{line: strings.Join(w, " ") + " sh -c " + shellmarks.ForSh, target: account(user), login: login}, true
	case !shell && len(rest) > 0 && rest[0] == "su":
		n, ok := nestSu(rest)
		if ok {
			n.line = inSession(w)
		}
		return n, ok
	case !shell && len(rest) == 1 && shellmarks.ShellOf(rest[0]) != shellmarks.Unknown:
		head := strings.Join(w[:len(w)-1], " ")
		return &nest{line: head + " env SHELL=" + rest[0] + " sh -c " + shellmarks.ForSh, target: account(user)}, true
	}
	return nil, false
}

// containerTakes are the options of exec that have an argument.
var containerTakes = map[string]bool{
	"-u": true, "--user": true, "-w": true, "--workdir": true, "-e": true, "--env": true,
	"-n": true, "--namespace": true, "-c": true, "--container": true, "--context": true, "--cwd": true,
}

// nestContainer knows exec with a terminal into a container.
func nestContainer(program string, w []string) (*nest, bool) {
	head, name, shell, user, tty := []string{w[0]}, "", "", "", false
	if len(w) < 2 || w[1] != "exec" {
		return nil, false
	}
	for i := 2; i < len(w); i++ {
		switch a := w[i]; {
		case name != "" && a == "--" && shell == "":
		case name != "" && shell == "" && !strings.HasPrefix(a, "-"):
			shell = a
		case shell != "":
			return nil, false
		case a == "-it" || a == "-ti" || a == "-t" || a == "--tty":
			tty = true
		case a == "-i" || a == "--interactive" || a == "--stdin":
		case containerTakes[a] && i+1 < len(w):
			head = append(head, a, w[i+1])
			if i++; a == "-u" || a == "--user" {
				user = w[i]
			}
		case strings.HasPrefix(a, "-"):
			return nil, false
		default:
			name = a
		}
	}
	if !tty || shellmarks.ShellOf(shell) == shellmarks.Unknown {
		return nil, false
	}
	separator, terminal := "", " exec -it "
	switch program {
	case "kubectl", "oc":
		separator = " --"
	case "crun", "runc":
		terminal = " exec -t "
	}
	line := w[0] + terminal + strings.Join(append(head[1:], name), " ") + separator + " env SHELL=" + shell + " sh -c " + shellmarks.ForSh
	return &nest{line: line, blind: true, target: func(t policy.Target) policy.Target {
		return policy.Target{Asked: t.Asked, HostName: t.HostName, Address: t.Address, Port: t.Port, Account: user, Container: name}
	}}, true
}

// nested answers LOADER of an approved nesting command, once, when the side
// channel sees that something else than the outer shell is in front.
func (l *loop) nested(m shellmarks.Mark) {
	n, outer := l.nest, l.top()
	l.nest = nil
	if !l.probe.works() || n.exec {
		l.enterFrame(n, outer, m)
		return
	}
	l.probe.ask(l, func(t probe.Terminal, err error) {
		switch {
		case l.top() != outer || l.state != Running && l.state != Field:
		case err == nil && len(t.Foreground) > 0 && inFront(t, outer.pid):
			l.forged()
		default:
			l.enterFrame(n, outer, m)
		}
	})
}

// enterFrame boots the shell inside.
func (l *loop) enterFrame(n *nest, outer *frame, m shellmarks.Mark) {
	sh := shellmarks.ShellOf(m.Field(0))
	text, ok := shellmarks.Start(sh, n.login)
	if !ok {
		l.alarmed("no integration for the shell inside, " + m.Field(0) + ": its keys are held; ^C ends it")
		return
	}
	l.closeField()
	f := &frame{shell: sh, keys: shellmarks.NewKeys(), blind: n.blind}
	if n.exec {
		l.takeOver(f, outer)
	} else {
		l.push(f, outer, n)
	}
	l.learn(f.keys)
	l.probe.blind = f.blind
	l.set(Boot)
	l.boot = starting
	l.cfg.Slot.Enter(gate.State{Phase: gate.Booting, Targets: f.targets})
	l.awaitBoot(l.cfg.Timing.FirstMark, func() { l.frameFailed(f) })
	l.records.append(audit.SessionBoot[redact.Text]{Stage: redact.Literal("frame"), Digest: text.Digest(), Shell: l.text(sh.String())})
	l.control(gate.BootWith(text))
}

// push puts a frame inside the outer one, whose command goes on.
func (l *loop) push(f, outer *frame, n *nest) {
	outer.saved = saved{l.active, l.cmd, l.out.facts, l.cwd, l.why}
	l.active, l.cmd = nil, nil
	f.targets = append(append(f.targets, outer.targets...), n.target(outer.targets[len(outer.targets)-1]))
	f.targets[len(f.targets)-1].Verified = n.sameHost(outer)
	l.frames = append(l.frames, f)
}

// takeOver puts a frame in the place of the outer one, which has ended.
func (l *loop) takeOver(f, outer *frame) {
	l.finish()
	f.targets, f.blind = outer.targets, outer.blind
	l.frames[len(l.frames)-1] = f
}

// sameHost tells whether the console saw the key of the host that the frame
// is on.
func (n *nest) sameHost(outer *frame) bool {
	return !n.blind && outer.targets[len(outer.targets)-1].Verified
}

// frameFailed gives up a shell inside that did not report. It runs, and what
// is typed is held.
func (l *loop) frameFailed(f *frame) {
	switch {
	case l.state != Boot || l.top() != f:
		return
	case len(l.frames) < 2: // it took the place of the outermost
		l.plainAgain("the new shell did not take the integration")
		return
	}
	l.alarmed("the shell inside did not take the integration: its keys are held; ^C or ^D ends it")
	l.pop(len(l.frames) - 1)
}

// pop ends the frames inside frame number n-1, whose command goes on.
func (l *loop) pop(n int) {
	if n >= len(l.frames) {
		return
	}
	l.bootAnswered()
	l.stop("granted")
	l.closeField()
	l.closeKeys("the shell ended")
	l.finish()
	l.compose, l.nest, l.held = nil, nil, nil
	l.frames = l.frames[:n]
	f := l.top()
	l.probe.blind = f.blind
	l.active, l.cmd, l.out.facts, l.cwd, l.why = f.saved.run, f.saved.cmd, f.saved.facts, f.saved.cwd, f.saved.why
	l.boot = notBooting
	l.set(Running)
	st := gate.State{Phase: gate.Busy, Prompt: l.prompts, Targets: f.targets}
	if l.active != nil {
		st.Intent = l.active.intent
	}
	l.cfg.Slot.Enter(st)
}
