package command

import "maps"

// handlers judge the programs that start others, or read and write, in a way
// of their own.
var handlers map[string]func(*invocation)

func init() {
	handlers = map[string]func(*invocation){
		"eval": (*invocation).eval, "source": (*invocation).source, ".": (*invocation).source,
		"alias": (*invocation).aliasBuiltin, "trap": (*invocation).trap, "exec": (*invocation).execute,
		"command": (*invocation).commandBuiltin, "builtin": (*invocation).commandBuiltin,
		"cd": (*invocation).changeFolder, "pushd": (*invocation).changeFolder, "chdir": (*invocation).changeFolder,
		"printf": (*invocation).printfBuiltin, "test": (*invocation).evaluating, "[": (*invocation).evaluating,
		"read": (*invocation).readVariables, "unset": (*invocation).evaluating, "let": (*invocation).evaluating,
		"mapfile": (*invocation).mapfile, "readarray": (*invocation).mapfile,
		"xargs": (*invocation).xargs, "gxargs": (*invocation).xargs, "parallel": (*invocation).parallel, "rush": (*invocation).parallel,
		"find": (*invocation).find, "gfind": (*invocation).find, "fd": (*invocation).fd, "fdfind": (*invocation).fd,
		"ssh": (*invocation).ssh, "slogin": (*invocation).ssh, "autossh": (*invocation).ssh, "rsh": (*invocation).ssh, "mosh": (*invocation).ssh,
		"su": (*invocation).su, "runuser": (*invocation).su,
		"docker": (*invocation).container, "podman": (*invocation).container, "nerdctl": (*invocation).container,
		"docker-compose": (*invocation).compose, "podman-compose": (*invocation).compose,
		"kubectl": (*invocation).kubectl, "oc": (*invocation).kubectl, "kubecolor": (*invocation).kubectl, "k": (*invocation).kubectl, "k3s": (*invocation).k3s, "microk8s": (*invocation).k3s,
		"lxc": behind("exec", 1), "incus": behind("exec", 1), "crictl": behind("exec", 1), "pct": behind("exec", 1), "runc": behind("exec", 1), "qm": behind("guest exec", 1),
		"machinectl": (*invocation).machinectl, "ip": (*invocation).ip, "script": (*invocation).scriptProgram,
		"at": (*invocation).stdinCode, "batch": (*invocation).stdinCode, "crontab": (*invocation).crontab, "make": (*invocation).make, "gmake": (*invocation).make,
		"vi": (*invocation).editor, "vim": (*invocation).editor, "nvim": (*invocation).editor, "view": (*invocation).editor, "ex": (*invocation).editor, "rvim": (*invocation).editor,
		"ed": (*invocation).ed, "red": (*invocation).ed,
		"awk": (*invocation).awk, "gawk": (*invocation).awk, "mawk": (*invocation).awk, "nawk": (*invocation).awk,
		"sed": (*invocation).sed, "gsed": (*invocation).sed,
		"git": (*invocation).git, "man": (*invocation).man, "tar": (*invocation).tar, "gtar": (*invocation).tar, "bsdtar": (*invocation).tar,
		"rsync": (*invocation).rsync, "scp": (*invocation).scp, "sftp": (*invocation).scp,
		"rg": optionCode("rg", "pre", "hostname-bin"), "ag": optionCode("ag", "pager"), "ack": optionCode("ack", "pager"),
		"bat": optionCode("bat", "pager"), "batcat": optionCode("batcat", "pager"), "delta": optionCode("delta", "pager"),
		"multitail": optionCode("multitail", "l", "L", "R"), "lnav": (*invocation).words, "mlr": (*invocation).words, "dasel": (*invocation).words,
		"sort": optionCode("sort", "compress-program"), "split": optionCode("split", "filter"),
		"gdb": (*invocation).gdb, "lldb": (*invocation).gdb, "socat": (*invocation).socat, "nc": (*invocation).nc, "ncat": (*invocation).nc, "netcat": (*invocation).nc,
		"ansible": (*invocation).ansible, "salt": (*invocation).salt, "salt-call": (*invocation).salt,
		"pssh": onHosts, "pdsh": onHosts, "clush": onHosts, "dsh": onHosts, "parallel-ssh": onHosts, "cssh": onHosts, "sshpass": (*invocation).sshpass,
		"tmux": (*invocation).tmux, "screen": (*invocation).screen, "zellij": (*invocation).screen, "dtach": (*invocation).screen, "abduco": (*invocation).screen,
		"systemd-run": (*invocation).systemdRun, "start-stop-daemon": (*invocation).startStop, "capsh": (*invocation).capsh,
		"aws": (*invocation).aws, "rpm": (*invocation).rpm, "pip": optionCode("pip", "editor"), "service": (*invocation).service, "wget": (*invocation).wget,
		"less": (*invocation).pager, "pager": (*invocation).pager, "more": (*invocation).pager, "most": (*invocation).pager,
		"rimraf": (*invocation).rimraf, "del-cli": (*invocation).rimraf, "shx": behind("", 0), "nmap": (*invocation).nmap, "setarch": (*invocation).setarch, "npx": (*invocation).npx,
		"repeat": (*invocation).repeat, "watch": (*invocation).watch, "dd": (*invocation).dd, "busybox": (*invocation).busybox, "ps": (*invocation).processes,
		"qemu-img": (*invocation).diskImage, "vboxmanage": (*invocation).virtualBox, "VBoxManage": (*invocation).virtualBox,
		"toybox":   (*invocation).busybox,
		"sudoedit": (*invocation).sudoedit, "time": (*invocation).timed, "su-exec": nil,
		"bundle": behind("exec", 0), "poetry": behind("run", 0), "pipenv": behind("run", 0), "uv": behind("run", 0), "mise": behind("exec|x", 0), "rtx": behind("exec|x", 0),
		"vagrant": (*invocation).vagrant, "fly": nil, "flyctl": nil, "heroku": nil, "gcloud": (*invocation).gcloud,
		"setenv": (*invocation).setEnvironment, "export": (*invocation).declaration, "declare": (*invocation).declaration, "typeset": (*invocation).declaration,
		"readonly": (*invocation).declaration, "local": (*invocation).declaration,
		"set": (*invocation).setArguments, "shift": (*invocation).shift, "sshfs": nil, "hash": nil, "expect": (*invocation).interpreter,
		"visudo": (*invocation).fedEditor, "telnet": (*invocation).telnet, "m4": (*invocation).macros, "cpio": (*invocation).copiedIn, "virsh": (*invocation).virtualGuest, "sg": (*invocation).group, "newgrp": (*invocation).group, "flatpak": (*invocation).flatpak, "run-parts": nil, "nomad": (*invocation).nomad, "fish_add_path": (*invocation).addPath, "bind": (*invocation).keyBinding, "zip": (*invocation).zip, "dpkg": nil, "apt": (*invocation).apt, "apt-get": (*invocation).apt, "yum": nil,
	}
	maps.Copy(handlers, builtinHandlers())
	for name, h := range handlers {
		if h == nil {
			delete(handlers, name)
		}
	}
	for name := range shellNames {
		handlers[name] = (*invocation).shellProgram
	}
	handlers["pwsh"], handlers["powershell"] = (*invocation).powershell, (*invocation).powershell
	for name := range interpreterCode {
		handlers[name] = (*invocation).interpreter
	}
}

func optionCode(program string, names ...string) func(*invocation) {
	return func(x *invocation) { x.codeOptions(program, names...) }
}
