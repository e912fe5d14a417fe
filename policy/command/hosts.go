package command

import "strings"

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
