package command

import (
	"encoding/json"
	"strings"
)

// Programs that run words on other hosts or machines.

func (x *invocation) k3s() {
	if len(x.args) > 0 && (x.args[0].Text == "kubectl" || x.args[0].Text == "crictl" || x.args[0].Text == "ctr" || x.args[0].Text == "helm3") {
		x.run(x.args)
	}
}

func (x *invocation) machinectl() {
	n := leading("machinectl", x.args)
	if n >= len(x.args) || x.args[n].Text != "shell" && x.args[n].Text != "login" {
		return
	}
	if n+2 >= len(x.args) {
		x.mark("interactive_shell")
		return
	}
	x.inside(x.args[n+2:])
}

func (x *invocation) ansible() {
	o := readOptions("ansible", x.args)
	module := "command"
	for _, m := range o.values("m", "module-name") {
		module = strings.TrimPrefix(m.Text, "ansible.builtin.")
	}
	switch module {
	case "shell", "command", "raw", "script":
		for _, a := range o.values("a", "args") {
			x.codeWord(a, nil)
		}
	default:
		for _, a := range o.values("a", "args") {
			x.ansibleModule(module, a)
		}
	}
}

// ansibleModule judges what a module does as the program that does the same.
func (x *invocation) ansibleModule(module string, a Word) {
	args := map[string]string{}
	for f := range strings.FieldsSeq(a.Text) {
		if k, v, ok := strings.Cut(f, "="); ok {
			args[k] = strings.Trim(v, `"'`)
		}
	}
	path, state, words := first(args, "path", "dest", "name"), args["state"], []string(nil)
	switch module {
	case "file":
		if words = []string{"chmod", "go-w", path}; state == "absent" {
			words = []string{"rm", "-r", path}
		}
	case "copy", "template", "lineinfile", "blockinfile", "replace", "get_url", "fetch", "unarchive", "ini_file", "assemble":
		words = []string{"tee", path}
	case "service", "systemd", "systemd_service", "sysvinit":
		verb := map[string]string{"stopped": "stop", "restarted": "restart", "reloaded": "reload", "started": "start"}[state]
		if no := args["enabled"]; verb == "" && (no == "no" || no == "false" || no == "False") {
			verb = "disable"
		}
		words = []string{"systemctl", first(map[string]string{"a": verb, "b": "enable"}, "a", "b"), args["name"]}
	case "user", "group":
		if words = []string{module + "add", args["name"]}; state == "absent" {
			words = []string{module + "del", args["name"]}
		}
	case "apt", "yum", "dnf", "package", "apk", "zypper", "pacman":
		if state == "absent" || state == "removed" {
			words = []string{"apt-get", "remove", args["name"]}
		}
	case "filesystem":
		words = []string{"mkfs", first(args, "dev", "device")}
	case "reboot", "shutdown":
		words = []string{module}
	case "iptables":
		if args["flush"] != "" || args["policy"] == "DROP" {
			words = []string{"iptables", "-F"}
		}
	}
	if len(words) > 0 {
		x.runTexts(words, [2]int{a.Start, a.End})
	}
}

// first gives the first of some values that is there.
func first(m map[string]string, keys ...string) string {
	for _, k := range keys {
		if m[k] != "" {
			return m[k]
		}
	}
	return ""
}

// virtualGuest is virsh: a command for the agent in a guest.
func (x *invocation) virtualGuest() {
	x.wordsInside()
	for _, a := range x.args {
		if !strings.Contains(a.Text, "guest-exec") {
			continue
		}
		var call struct {
			Arguments struct {
				Path string
				Arg  []string
			}
		}
		if json.Unmarshal([]byte(a.Text), &call) != nil || call.Arguments.Path == "" {
			x.mark("unseen_code")
			continue
		}
		x.runTexts(append([]string{call.Arguments.Path}, call.Arguments.Arg...), [2]int{a.Start, a.End})
	}
}

// aws runs commands on instances: ssm send-command.
func (x *invocation) aws() {
	x.wordsInside()
	if !hasWord(x.args, "send-command") {
		return
	}
	for _, a := range x.args {
		i := strings.Index(a.Text, "commands")
		if i < 0 {
			continue
		}
		list := literals(a.Text[i+len("commands"):])
		if len(list) == 0 {
			list = []string{strings.Trim(a.Text[i+len("commands"):], `=:[]" `)}
		}
		for _, code := range list {
			a.Text = code
			x.remote(a)
		}
	}
}

func (x *invocation) salt() {
	for i, a := range x.args {
		if (a.Text == "cmd.run" || a.Text == "cmd.shell" || a.Text == "cmd.run_all") && i+1 < len(x.args) {
			x.codeWord(joined(x.args[i+1:]), nil)
			return
		}
	}
}

// hostOptions are the options of each that take the next word.
var hostOptions = map[string]string{
	"pssh": "hHlpoetOXx", "parallel-ssh": "hHlpoetOXx", "pdsh": "wxltufRgM", "dsh": "mgfon", "clush": "wxgXfltuomdp", "cssh": "lopac",
}

// onHosts are pssh and its like: the words behind the options go to a shell
// on every host.
func onHosts(x *invocation) {
	var rest []Word
	for i := 0; i < len(x.args); i++ {
		t := x.args[i].Text
		if strings.HasPrefix(t, "-") {
			if len(t) == 2 && strings.Contains(hostOptions[x.program], t[1:]) {
				i++
			}
			continue
		}
		rest = x.args[i:]
		break
	}
	if len(rest) > 0 {
		x.remote(joined(rest))
	}
}

func (x *invocation) sshpass() {
	for i := 0; i < len(x.args); i++ {
		t := x.args[i].Text
		if t == "-p" || t == "-f" || t == "-d" || t == "-P" {
			i++
			continue
		}
		if !strings.HasPrefix(t, "-") {
			x.run(x.args[i:])
			return
		}
	}
}

func (x *invocation) vagrant() {
	for i, a := range x.args {
		if (a.Text == "-c" || a.Text == "--command") && i+1 < len(x.args) {
			x.remote(x.args[i+1])
		}
	}
}

// gcloud compute ssh HOST --command=CODE.
func (x *invocation) gcloud() {
	for i, a := range x.args {
		if code, ok := strings.CutPrefix(a.Text, "--command="); ok {
			a.Text = code
			x.remote(a)
		} else if a.Text == "--command" && i+1 < len(x.args) {
			x.remote(x.args[i+1])
		}
	}
}

// flatpak run --command=NAME APP ARGS.
func (x *invocation) flatpak() {
	for i, a := range x.args {
		if v, ok := strings.CutPrefix(a.Text, "--command="); ok {
			a.Text = v
			words := []Word{a}
			for k, rest := range x.args[i+1:] {
				if !strings.HasPrefix(rest.Text, "-") {
					words = append(words, x.args[i+k+2:]...)
					break
				}
			}
			x.inside(words)
			return
		}
	}
}

// nomad alloc exec [options] ID CMD.
func (x *invocation) nomad() {
	o := readOptions("nomad", x.args)
	if len(o.Operands) > 3 && o.Operands[0].Text == "alloc" && o.Operands[1].Text == "exec" {
		x.inside(o.Operands[3:])
	}
}
