package config

import (
	"fmt"
	"slices"
	"time"

	"filippo.io/age"

	"sallyport/console/devices"
	"sallyport/console/keys"
)

// Config is what is in force. The field tags are the keys; `org` marks keys
// that only the organisation's file may set.
type Config struct {
	Audit     Audit     `key:"audit"`
	Collector Collector `key:"collector"`
	Copilot   Copilot   `key:"copilot"`
	Policy    Policy    `key:"policy"`
	Recording Recording `key:"recording"`
	SSH       SSH       `key:"ssh"`
	Telemetry Telemetry `key:"telemetry"`
	TUI       TUI       `key:"tui"`
}

// Audit is where the log is kept. With Socket the machine's daemon keeps it,
// and Dir holds recordings only.
type Audit struct {
	Socket  string `key:"socket,org"`   // of `sallyport auditd`
	PeerUID int64  `key:"peer_uid,org"` // the user that the daemon must run as
	Anchor  string `key:"anchor,org"`   // "required": refuse to start without the daemon
	// HostKey is the file of the key that anchors the logs of consoles without
	// Socket: for machines on which operators cannot read it.
	HostKey string `key:"host_key,org"`
	// BreakGlass lets an operator who gives a reason go on while the log cannot
	// be written and the collector takes each record first.
	BreakGlass bool `key:"break_glass,org"`

	Dir      string        `key:"dir"`       // empty: $XDG_STATE_HOME/sallyport/audit
	LogBytes int64         `key:"log_bytes"` // a log closes at this size; 0: the log's default
	LogAge   time.Duration `key:"log_age"`   // and at this age
}

// Collector is where the log is shipped to, over OTLP. With URL the variables
// OTEL_EXPORTER_OTLP_* do not count.
type Collector struct {
	URL         string        `key:"url,org"`          // http://host:4318; /v1/logs is added, except for grpc
	Protocol    string        `key:"protocol,org"`     // http/protobuf (also if empty) or grpc
	HeadersFile string        `key:"headers_file,org"` // of lines "Name: value"; who ships must be able to read it
	Certificate string        `key:"certificate,org"`  // file of the certificates that the collector's may come from
	ClientCert  string        `key:"client_certificate,org"`
	ClientKey   string        `key:"client_key,org"`
	Timeout     time.Duration `key:"timeout,org"`     // of one request; 0: 10 s
	Compression string        `key:"compression,org"` // gzip or none
}

// Telemetry is what the console sends of itself, to the collector that the
// log goes to.
type Telemetry struct {
	Traces  bool `key:"traces"`
	Metrics bool `key:"metrics"`
}

// Copilot is which copilot is asked. Without Command and URL there is none.
type Copilot struct {
	Command   string   `key:"command"`    // a stdio child, split into words
	URL       string   `key:"url"`        // or a streamable HTTP server
	TokenFile string   `key:"token_file"` // bearer token for URL
	Env       []string `key:"env"`        // names of variables that the child gets besides its own
	Off       bool     `key:"off"`        // no copilot, whatever else is set
}

// Policy is what the policy in force must be.
type Policy struct {
	Require     string        `key:"require,org"`      // id that must be among the files in force
	ReloadGrace time.Duration `key:"reload_grace,org"` // how long the old set serves when a new one does not load
}

// Recording is who may read what was exact: recordings and sealed texts are
// encrypted to Recipients, age public keys, beside those that the policy names.
type Recording struct {
	Recipients []string `key:"recipients,org"`
}

// SSH is how hosts are reached.
type SSH struct {
	Config        string        `key:"config"`         // instead of ~/.ssh/config
	Timeout       time.Duration `key:"timeout"`        // for each step that waits for the network
	AliveInterval time.Duration `key:"alive_interval"` // silence after which a host is asked for a sign of life
	AliveCount    int64         `key:"alive_count"`    // unanswered questions until it is dead
	Devices       []string      `key:"devices"`        // network devices: "sw-*=ios" each; see package devices
	ViKeys        bool          `key:"vi_keys"`        // lines that are composed here take vi's keys
}

// TUI is how the screen looks and which key leads.
type TUI struct {
	Leader     string `key:"leader"` // a key that types no character: C-], M-x, F12
	ASCII      bool   `key:"ascii"`
	Theme      string `key:"theme"`      // auto, dark, light
	Scrollback int64  `key:"scrollback"` // lines; 0: the screen's default
	Mouse      bool   `key:"mouse"`
}

// Default is the configuration of nobody.
func Default() Config {
	return Config{
		Policy: Policy{ReloadGrace: 15 * time.Minute},
		TUI:    TUI{Leader: "C-]", Theme: "auto", Mouse: true},
	}
}

// leaderKey says why name cannot be the console's own key: a key that types a
// character, or that every shell needs, would never reach the host again.
func leaderKey(name string) error {
	k, err := keys.Parse(name)
	switch {
	case name == "":
		return nil
	case err != nil:
		return fmt.Errorf("%q is no key: C-], C-a, M-x or F12 are", name)
	case k.Key == keys.Char && k.Mod&(keys.Ctrl|keys.Alt) == 0, slices.Contains(neededKeys, k.String()):
		return fmt.Errorf("%s is needed to type: C-], C-a, M-x or F12 are free", name)
	}
	return nil
}

// neededKeys cannot lead: a shell is of no use without them.
var neededKeys = []string{"Enter", "KPEnter", "Escape", "Tab", "Backspace", "Up", "Down", "Left", "Right", "C-c", "C-m", "C-j", "C-i", "C-["}

// check refuses values that no field can have, by key.
func (c *Config) check() (key string, err error) {
	switch {
	case c.Copilot.Command != "" && c.Copilot.URL != "":
		return "copilot.url", fmt.Errorf("copilot.command is set too: one of them, not both")
	case c.Audit.Anchor != "" && c.Audit.Anchor != "required":
		return "audit.anchor", fmt.Errorf("%q is not required", c.Audit.Anchor)
	case c.Audit.Anchor == "required" && c.Audit.Socket == "":
		return "audit.anchor", fmt.Errorf("required, and audit.socket names no daemon")
	case c.Audit.HostKey != "" && c.Audit.Socket != "":
		return "audit.host_key", fmt.Errorf("audit.socket names a daemon, which has a host key of its own (sallyport auditd --host-key)")
	case c.Audit.BreakGlass && c.Audit.Socket != "":
		return "audit.break_glass", fmt.Errorf("audit.socket names a daemon: there is no second place for its records")
	case c.Collector.Protocol != "" && c.Collector.Protocol != "http/protobuf" && c.Collector.Protocol != "grpc":
		return "collector.protocol", fmt.Errorf("%q is not http/protobuf or grpc", c.Collector.Protocol)
	case c.Collector.Compression != "" && c.Collector.Compression != "gzip" && c.Collector.Compression != "none":
		return "collector.compression", fmt.Errorf("%q is not gzip or none", c.Collector.Compression)
	case c.TUI.Theme != "auto" && c.TUI.Theme != "dark" && c.TUI.Theme != "light":
		return "tui.theme", fmt.Errorf("%q is not auto, dark or light", c.TUI.Theme)
	}
	if err := leaderKey(c.TUI.Leader); err != nil {
		return "tui.leader", err
	}
	for _, r := range c.Recording.Recipients {
		if _, err := age.ParseX25519Recipient(r); err != nil {
			return "recording.recipients", fmt.Errorf("%q is not an age public key: %w", r, err)
		}
	}
	for _, d := range c.SSH.Devices {
		if err := devices.Check(d); err != nil {
			return "ssh.devices", err
		}
	}
	for key, n := range map[string]int64{
		"audit.log_bytes": c.Audit.LogBytes, "audit.log_age": int64(c.Audit.LogAge),
		"policy.reload_grace": int64(c.Policy.ReloadGrace), "ssh.timeout": int64(c.SSH.Timeout),
		"ssh.alive_interval": int64(c.SSH.AliveInterval), "ssh.alive_count": c.SSH.AliveCount,
		"tui.scrollback": c.TUI.Scrollback, "collector.timeout": int64(c.Collector.Timeout),
	} {
		if n < 0 {
			return key, fmt.Errorf("it cannot be negative")
		}
	}
	return "", nil
}
