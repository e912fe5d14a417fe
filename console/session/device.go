package session

import (
	"regexp"
	"strings"

	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/policy"
)

// device is what is known of a kind of network device: it has a line editor
// and a pager of its own and no shell. Lines are composed here; the keys that
// ask for help or completion may pass, since none of them accepts a line.
type device struct {
	prompt *regexp.Regexp
	pager  *regexp.Regexp // the question of its pager
	clear  byte           // empties its line
	end    string         // accepts its line
	help   string         // keys that pass with what is composed before them
	escape byte           // interrupts what runs; 0: ^C does
	asks   []string       // commands that ask for a secret
}

// devices are the profiles, by name.
var devices = map[string]*device{
	"ios": {
		prompt: regexp.MustCompile(`^[\w.:/-]+(\([\w./:-]+\))*[>#]\s*$`), pager: regexp.MustCompile(`--\s?[Mm]ore\s?--\s*$`),
		clear: 0x15, end: "\r", help: "?\t", escape: 0x1e, asks: []string{"enable", "login", "password"},
	},
	"eos": {
		prompt: regexp.MustCompile(`^[\w.:/-]+(\([\w./:-]+\))*[>#]\s*$`), pager: regexp.MustCompile(`--\s?[Mm]ore\s?--\s*$`),
		clear: 0x15, end: "\r", help: "?\t", asks: []string{"enable"},
	},
	"junos": {
		prompt: regexp.MustCompile(`^(\{\w+(:\w+)?\})?[\w.-]+@[\w.-]+[>#%]\s*$`), pager: regexp.MustCompile(`---\(more( \d+%)?\)---\s*$`),
		clear: 0x15, end: "\r", help: "?\t ", asks: []string{"start", "su"},
	},
	"vrp": {
		prompt: regexp.MustCompile(`^[<\[][\w.~*/-]+[>\]]\s*$`), pager: regexp.MustCompile(`---- More ----\s*$`),
		clear: 0x15, end: "\r", help: "?\t", asks: []string{"super"},
	},
	"generic": {
		prompt: regexp.MustCompile(`[>#$%\]]\s*$`), pager: regexp.MustCompile(`(?i)-+\s?\(?more\b[^-]*-+\s*$`),
		clear: 0x15, end: "\r", help: "?", asks: []string{"enable", "login", "su"},
	},
}

// IsDevice tells whether there is a profile of this name.
func IsDevice(name string) bool { return devices[name] != nil }

// pagerKeys are the keys that a device's pager gets. None of them runs a
// command if the prompt came first.
const pagerKeys = " \rq"

// asksSecret tells whether a device's command is one that asks for a secret.
func (d *device) asksSecret(line string) bool {
	words := strings.Fields(line)
	if d == nil || len(words) == 0 {
		return false
	}
	for _, a := range d.asks {
		if a == words[0] || len(words[0]) >= 2 && strings.HasPrefix(a, words[0]) {
			return true
		}
	}
	return false
}

// deviceKey takes the keys that a profile lets through while a line is
// composed: the device gets the line so far and the key, and shows what it
// has to say. Nothing is accepted, and the line stays here.
func (l *loop) deviceKey(k keys.Event) bool {
	d := l.device
	c := k.Rune
	if k.Key == keys.Tab {
		c = '\t'
	} else if k.Key != keys.Char || k.Mod&(keys.Ctrl|keys.Alt) != 0 {
		return false
	}
	text := l.compose.edit.Text()
	if d == nil || !strings.ContainsRune(d.help, c) || c == ' ' || strings.Contains(text, "\n") || l.compose.edit.Cursor() != len(text) {
		return false
	}
	if !l.send(l.cfg.Gate.Edit(l.cfg.Slot, []byte(string(rune(d.clear))+text+string(c)))) {
		return true
	}
	l.compose.helping, l.compose.completing = true, c == '\t'
	l.after("plain", plainIdle, l.lookPlain)
	return true
}

// helped is the silence after a device's help: its own copy of the line is
// emptied, and a completed one is taken over.
func (l *loop) helped(line string) {
	c := l.compose
	c.helping = false
	text := c.edit.Text()
	if at := strings.LastIndex(line, strings.TrimSpace(text)); c.completing && at >= 0 && text != "" {
		c.edit.Set(strings.TrimRight(line[at:], " ") + " ")
	}
	l.send(l.cfg.Gate.Edit(l.cfg.Slot, []byte{l.device.clear}))
}

// pages lets single keys through to a device's pager.
func (l *loop) pages() {
	if l.keys == nil {
		l.wantsKeys("more", nil)
	}
}

// pagerKey is a key for a device's pager.
func (l *loop) pagerKey(k keys.Event) bool {
	if l.device == nil || l.keys == nil || !l.isPlain() {
		return false
	}
	c := k.Rune
	if isEnter(k) {
		c, k.Mod = '\r', 0
	}
	if strings.ContainsRune(pagerKeys, c) && k.Mod == 0 {
		l.rawBytes([]byte(string(c)), c == '\r')
		l.after("plain", plainIdle, l.lookPlain)
	} else if b, ok := signalOf(k); ok {
		l.control(gate.Press(b))
	} else {
		l.bell()
	}
	return true
}

// pagerGone closes the way when the pager's question is not on the screen any
// more.
func (l *loop) pagerGone(line string) bool {
	if l.device.pager.MatchString(line) {
		return false
	}
	l.closeKeys("the pager ended")
	l.set(Running)
	l.cfg.Slot.Enter(gate.State{Phase: gate.Busy, Prompt: l.prompts})
	return true
}

// dialect is how the shell of a frame reads a line.
func (l *loop) dialect(f *frame) policy.Dialect {
	if l.device != nil && !f.integrated() {
		return policy.Words
	}
	return f.shell.Dialect()
}

// deviceLine is the wire of a line for a device: its line is emptied first.
type deviceLine struct{ d *device }

// Step is the line.
func (w deviceLine) Step(n int, text string) []byte {
	if n != 0 || strings.ContainsAny(text, "\r\n") {
		return nil
	}
	return []byte(string(rune(w.d.clear)) + text + w.d.end)
}
