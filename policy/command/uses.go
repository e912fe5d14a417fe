package command

import (
	"path"
	"strings"
)

// A pathSpec says what a program does with the paths it is given.
type pathSpec struct {
	operands Access            // of every operand
	first    Access            // of the first operand, if it differs (0: not a path)
	skip     int               // operands that are no paths (grep's pattern)
	last     Access            // of the last of two or more operands
	options  map[string]Access // of an option's value
}

// paths by program. Programs with a handler that adds uses are not here.
var paths = map[string]pathSpec{
	"cp":      {operands: Reads, last: Writes, options: map[string]Access{"t": Writes, "target-directory": Writes}},
	"install": {operands: Reads, last: Writes, options: map[string]Access{"t": Writes, "target-directory": Writes}},
	"mv":      {operands: Removes | Reads, last: Writes, options: map[string]Access{"t": Writes, "target-directory": Writes}},
	"rename":  {operands: Writes},
	"ln":      {operands: Reads, last: Writes, options: map[string]Access{"t": Writes, "target-directory": Writes}},
	"link":    {operands: Reads, last: Writes},
	"rm":      {operands: Removes}, "rmdir": {operands: Removes}, "unlink": {operands: Removes}, "srm": {operands: Removes}, "wipe": {operands: Removes}, "trash": {operands: Removes}, "trash-put": {operands: Removes}, "gio": {skip: 1, operands: Removes},
	"shred":     {operands: Removes | Writes},
	"truncate":  {operands: Writes, options: map[string]Access{"r": Reads, "reference": Reads}},
	"fallocate": {operands: Writes}, "touch": {operands: Writes, options: map[string]Access{"r": Reads, "reference": Reads}},
	"tee": {operands: Writes}, "sponge": {operands: Writes},
	"mkdir": {operands: Writes}, "mkfifo": {operands: Writes}, "mknod": {operands: Writes},
	"nano": {operands: Reads | Writes}, "pico": {operands: Reads | Writes}, "emacs": {operands: Reads | Writes}, "emacsclient": {operands: Reads | Writes}, "micro": {operands: Reads | Writes}, "joe": {operands: Reads | Writes}, "mcedit": {operands: Reads | Writes}, "kak": {operands: Reads | Writes}, "hx": {operands: Reads | Writes}, "gedit": {operands: Reads | Writes}, "kate": {operands: Reads | Writes}, "code": {operands: Reads | Writes}, "ne": {operands: Reads | Writes},
	"patch": {operands: Writes, options: map[string]Access{"i": Reads, "input": Reads, "o": Writes, "d": Writes}},
	"curl":  {options: map[string]Access{"o": Writes, "output": Writes, "D": Writes, "dump-header": Writes, "c": Writes, "cookie-jar": Writes, "T": Sends | Reads, "upload-file": Sends | Reads, "K": Runs, "config": Runs, "trace": Writes, "trace-ascii": Writes, "engine": Runs, "output-dir": Writes, "stderr": Writes, "b": Reads}},
	"wget":  {options: map[string]Access{"O": Writes, "output-document": Writes, "o": Writes, "output-file": Writes, "a": Writes, "P": Writes, "directory-prefix": Writes, "post-file": Sends | Reads, "body-file": Sends | Reads, "i": Reads, "input-file": Reads}},
	"http":  {}, "https": {}, "xh": {}, "lynx": {}, "w3m": {}, "elinks": {}, "links": {},
	"aria2c": {options: map[string]Access{"o": Writes, "d": Writes, "out": Writes, "dir": Writes}},
	"sort":   {operands: Reads, options: map[string]Access{"o": Writes, "output": Writes}},
	"base64": {operands: Reads, options: map[string]Access{"o": Writes, "output": Writes, "i": Reads}}, "base32": {operands: Reads},
	"openssl": {options: map[string]Access{"out": Writes, "in": Reads, "inkey": Reads, "key": Reads, "engine": Runs, "keyout": Writes, "provider": Runs, "provider-path": Runs, "CAkey": Reads}},
	"gpg":     {operands: Reads, options: map[string]Access{"o": Writes, "output": Writes}},
	"split":   {operands: Reads, last: Writes}, "csplit": {operands: Reads},
	"zip": {operands: Reads, first: Writes}, "unzip": {operands: Reads, options: map[string]Access{"d": Writes}}, "7z": {skip: 1, operands: Reads}, "7za": {skip: 1, operands: Reads}, "rar": {skip: 1, operands: Reads},
	"gzip": {operands: Reads | Writes}, "gunzip": {operands: Reads | Writes}, "bzip2": {operands: Reads | Writes}, "xz": {operands: Reads | Writes}, "zstd": {operands: Reads | Writes}, "lz4": {operands: Reads | Writes}, "lzma": {operands: Reads | Writes}, "unxz": {operands: Reads | Writes}, "bunzip2": {operands: Reads | Writes},
	"cpio": {options: map[string]Access{"F": Reads | Writes, "D": Writes}},
	"gcc":  {operands: Reads, options: map[string]Access{"o": Writes}}, "g++": {operands: Reads, options: map[string]Access{"o": Writes}}, "cc": {operands: Reads, options: map[string]Access{"o": Writes}}, "clang": {operands: Reads, options: map[string]Access{"o": Writes}}, "ld": {operands: Reads, options: map[string]Access{"o": Writes}},
	"nmap":    {options: map[string]Access{"oG": Writes, "oN": Writes, "oX": Writes, "oA": Writes, "oS": Writes, "iL": Reads}},
	"tcpdump": {options: map[string]Access{"w": Writes, "r": Reads, "z": Runs, "F": Reads}}, "tshark": {options: map[string]Access{"w": Writes, "r": Reads}}, "dumpcap": {options: map[string]Access{"w": Writes}},
	"strace": {options: map[string]Access{"o": Writes, "output": Writes}}, "ltrace": {options: map[string]Access{"o": Writes}}, "perf": {options: map[string]Access{"o": Writes, "i": Reads}}, "valgrind": {options: map[string]Access{"log-file": Writes}},
	"mysqldump": {options: map[string]Access{"r": Writes, "result-file": Writes}}, "pg_dump": {options: map[string]Access{"f": Writes, "file": Writes}}, "pg_dumpall": {options: map[string]Access{"f": Writes, "file": Writes}}, "mongodump": {options: map[string]Access{"o": Writes, "out": Writes, "archive": Writes}},
	"mysql": {options: map[string]Access{"tee": Writes, "default-auth": Runs, "plugin-dir": Runs}}, "psql": {options: map[string]Access{"f": Reads, "file": Reads, "o": Writes, "output": Writes, "L": Writes}},
	"docker": {}, "journalctl": {options: map[string]Access{"file": Reads, "D": Reads}},
	"chmod": {}, "chown": {}, "setfacl": {}, "chattr": {}, "chgrp": {},
	"visudo": {}, "vipw": {}, "useradd": {}, "passwd": {},
	"crontab": {operands: Reads}, "ssh-keygen": {options: map[string]Access{"f": Writes, "D": Runs}}, "ssh-add": {options: map[string]Access{"s": Runs}}, "ssh-copy-id": {options: map[string]Access{"i": Reads}},
	"ssh":    {options: map[string]Access{"I": Runs}},
	"insmod": {operands: Runs}, "ldconfig": {operands: Reads}, "ld.so": {}, "swapon": {operands: Reads}, "mkswap": {operands: Writes}, "mke2fs": {operands: Writes}, "mkfs": {operands: Writes}, "virt-resize": {operands: Reads, last: Writes}, "virt-sparsify": {operands: Reads, last: Writes},
	"dmsetup": {}, "losetup": {}, "blkdiscard": {operands: Writes}, "wipefs": {operands: Reads}, "badblocks": {}, "xfs_repair": {},
	"grub-install": {}, "kexec": {}, "depmod": {},
	"xmllint": {operands: Reads, options: map[string]Access{"o": Writes, "output": Writes}}, "pandoc": {operands: Reads, options: map[string]Access{"o": Writes, "output": Writes}}, "convert": {operands: Reads, last: Writes}, "ffmpeg": {operands: Writes, options: map[string]Access{"i": Reads}},
	"busctl": {}, "logger": {options: map[string]Access{"f": Reads}},
	"uniq": {operands: Reads, last: Writes}, "iconv": {operands: Reads, options: map[string]Access{"o": Writes, "output": Writes}}, "dos2unix": {operands: Reads | Writes}, "unix2dos": {operands: Reads | Writes}, "objcopy": {operands: Reads | Writes}, "strip": {operands: Reads | Writes}, "setcap": {skip: 1}, "jq": {skip: 1, operands: Reads}, "yq": {operands: Reads},
	"kubectl": {options: map[string]Access{"from-file": Reads, "from-env-file": Reads}},
	"less":    {operands: Reads, options: map[string]Access{"o": Writes, "O": Writes, "log-file": Writes}}, "pager": {operands: Reads, options: map[string]Access{"o": Writes, "O": Writes, "log-file": Writes}}, "xxd": {operands: Reads, last: Writes}, "hexdump": {operands: Reads}, "od": {operands: Reads}, "dialog": {options: map[string]Access{"textbox": Reads}}, "whiptail": {options: map[string]Access{"textbox": Reads}},
	"grep": {skip: 1, operands: Reads, options: map[string]Access{"f": Reads, "file": Reads}}, "egrep": {skip: 1, operands: Reads, options: map[string]Access{"f": Reads}}, "fgrep": {skip: 1, operands: Reads, options: map[string]Access{"f": Reads}}, "zgrep": {skip: 1, operands: Reads}, "rg": {skip: 1, operands: Reads, options: map[string]Access{"f": Reads, "file": Reads}}, "ag": {skip: 1, operands: Reads}, "ack": {skip: 1, operands: Reads},
	"iptables-restore": {operands: Reads}, "nft": {options: map[string]Access{"f": Runs, "file": Runs}}, "sysctl": {options: map[string]Access{"p": Reads}}, "logrotate": {}, "dosfsck": {}, "nginx": {options: map[string]Access{"c": Runs}},
	"aspell": {options: map[string]Access{"c": Reads | Writes}}, "tac": {operands: Reads}, "arp": {options: map[string]Access{"f": Reads}}, "date": {options: map[string]Access{"f": Reads}}, "file": {operands: Reads, options: map[string]Access{"f": Reads, "m": Reads}}, "lwp-download": {operands: Writes}, "lwp-request": {}, "getfacl": {operands: Reads}, "ldapsearch": {},
}

// uses notes what the command does with the paths it is given, and with its
// program file.
func (x *invocation) uses() {
	f := x.fact()
	if (x.program == "printenv" || x.program == "set") && len(x.args) == 0 {
		x.mark("prints_environment")
	}
	if name := f.Name; strings.Contains(name.Text, "/") {
		x.use(name, Runs)
	}
	p, ok := paths[x.program]
	if !ok {
		if readers[x.program] && !namesOnly[x.program] {
			p = pathSpec{operands: Reads}
		} else {
			return
		}
	}
	o := readOptions(x.program, x.args)
	p = readsOnly(x.program, o, p)
	for _, opt := range o.List {
		if a := p.options[opt.Name]; a != 0 && opt.HasValue {
			x.use(opt.Value, a)
		} else if a != 0 && opt.Value.Text != "" {
			x.use(opt.Value, a)
		}
	}
	x.operandUses(p, o)
	switch x.program {
	case "curl", "wget", "http", "https", "xh", "aria2c", "lwp-request":
		x.transfers(o)
	case "lynx", "w3m", "elinks", "links":
		for _, w := range o.Operands {
			a := Reads
			if strings.Contains(w.Text, "://") || !w.Known {
				a = Connects
			}
			x.use(w, a)
		}
	case "csplit":
		name := Word{Text: "xx", Known: true, Start: x.cmd.start, End: x.cmd.end}
		for _, prefix := range o.values("f", "prefix") {
			name = prefix
		}
		x.use(name, Writes)
	case "split":
		if len(o.Operands) == 1 {
			x.use(Word{Text: "x", Known: true, Start: x.cmd.start, End: x.cmd.end}, Writes)
		}
	}
}

// printing are options with which a program prints what it would write.
var printing = map[string][]string{
	"gzip": {"c", "stdout", "to-stdout", "l", "list", "t", "test"}, "bzip2": {"c", "stdout", "t", "test"}, "xz": {"c", "stdout", "to-stdout", "l", "list", "t", "test"},
	"zstd": {"c", "stdout", "l", "list", "t", "test"}, "gunzip": {"c", "stdout", "t", "l"}, "bunzip2": {"c", "stdout"}, "unxz": {"c", "stdout"}, "lz4": {"c", "stdout", "t"},
	"ssh-keygen": {"l", "B", "y", "e", "F", "L", "Y"}, "unzip": {"l", "p", "t", "v", "Z"}, "dos2unix": {"O", "i", "info"}, "lzma": {"c", "l"}, "nano": {"v", "view"},
}

// readsOnly takes the writes away from a program that is told to print.
func readsOnly(program string, o Options, p pathSpec) pathSpec {
	if names := printing[program]; names == nil || !o.has(names...) {
		return p
	}
	if p.operands &^= Writes; p.operands == 0 {
		p.operands = Reads
	}
	options := map[string]Access{}
	for name, a := range p.options {
		if a = a &^ Writes; a == 0 {
			a = Reads
		}
		options[name] = a
	}
	p.options = options
	return p
}

func (x *invocation) operandUses(p pathSpec, o Options) {
	operands := o.Operands
	skip := p.skip
	if skip > 0 && o.has("e", "f", "regexp", "file") {
		skip = 0
	}
	operands = operands[min(skip, len(operands)):]
	moved := len(o.values("t", "target-directory")) > 0
	if x.program == "install" && o.has("d", "directory") {
		p = pathSpec{operands: Writes}
	}
	for i, w := range operands {
		a := p.operands
		if i == 0 && p.first != 0 {
			a = p.first
		}
		if p.last != 0 && i == len(operands)-1 && len(operands) > 1 && !moved {
			a = p.last
		}
		if a != 0 {
			x.use(w, a)
		}
	}
	if len(operands) == 2 && renamers[x.program] {
		x.renamed(operands[0], operands[1])
	}
	if x.program == "ln" && len(operands) == 2 && o.has("s", "symbolic") {
		x.facts[x.at].construct("symlink")
	}
}

func (x *invocation) use(w Word, a Access) {
	if a&Writes != 0 && sink(w.Text) {
		a &^= Writes
	}
	if w.Text == "" && w.Known || a == 0 {
		return
	}
	if a&Writes != 0 && downloader[x.program] {
		x.drop(w.Text, dropped{download: true})
	}
	if a&Writes != 0 && w.Known && copiesInput[x.program] {
		x.landed(w)
	}
	x.useFile(w, a)
	f := x.fact()
	for i := range f.Uses {
		if u := &f.Uses[i]; u.Text == w.Text && u.Start == w.Start && !u.Redir {
			u.Access |= a
			return
		}
	}
	f.Uses = append(f.Uses[:len(f.Uses):len(f.Uses)], Use{Word: w, Access: a})
}

// useFile follows what this line put into a file, or what this command puts
// there.
func (x *invocation) useFile(w Word, a Access) {
	if !w.Known && a&Runs != 0 {
		x.runDropped(w)
	}
	if !w.Known || w.Text == "" {
		return
	}
	if a&(Reads|Sends|Runs) != 0 && x.files != nil {
		x.arrive(x.files[path.Clean(w.Text)].flow, x.program)
	}
	if a&Writes != 0 {
		x.fill(w.Text, joinFlow([]int{x.at}, x.cmd.flow))
	}
	if a&Runs != 0 {
		x.runDropped(w)
	}
}

// Downloaders fetch what an address on their line names: @downloaders of rules.
const Downloaders = "curl wget aria2c http https fetch lwp-download lwp-request GET lynx w3m elinks links axel httpie xh"

var downloader = setOf(Downloaders)

// sink reports a path that keeps nothing of what is written to it.
func sink(path string) bool {
	switch path {
	case "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "-", "/dev/full":
		return true
	}
	return strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/dev/pts/")
}

// transfers notes addresses, and data that goes out with the request.
func (x *invocation) transfers(o Options) {
	x.downloadNames(o)
	if in := x.cmd.in; (x.program == "http" || x.program == "https" || x.program == "xh") && (in.from == "file" && in.path != "/dev/null" || in.from == "here") {
		x.sendInput()
	}
	for _, w := range o.Operands {
		if !requestItem(x.program, w.Text) {
			x.use(w, Connects)
		}
	}
	for _, w := range o.values("url") {
		x.use(w, Connects)
	}
	for _, w := range o.values("d", "data", "data-binary", "data-raw", "data-urlencode", "data-ascii", "json", "post-data", "body-data", "F", "form") {
		x.posted(w)
	}
	for _, w := range x.args {
		if x.program == "http" || x.program == "https" {
			if _, path, ok := strings.Cut(w.Text, "@"); ok && !strings.Contains(w.Text, "://") {
				w.Text = path
				x.use(w, Sends|Reads)
			}
		}
	}
}

// requestItem reports a word of httpie that is no address: the method, a
// header, a field.
func requestItem(program, t string) bool {
	if program != "http" && program != "https" && program != "xh" {
		return false
	}
	return strings.ToUpper(t) == t && letters(t) || !strings.Contains(t, "://") && (strings.Contains(t, "=") || strings.Contains(t, "@")) && !strings.HasPrefix(t, ":")
}

// posted is the value of curl -d, -F and their like: @file sends the file.
func (x *invocation) posted(w Word) {
	t := w.Text
	if _, v, ok := strings.Cut(t, "="); ok && (strings.HasPrefix(v, "@") || strings.HasPrefix(v, "<")) {
		t = v
	}
	if !strings.HasPrefix(t, "@") && !strings.HasPrefix(t, "<") {
		if w.Dynamic && !w.Known {
			x.mark("sends_output")
		}
		return
	}
	path, _, _ := strings.Cut(t[1:], ";")
	if path == "-" || path == "/dev/stdin" {
		x.sendInput()
		return
	}
	w.Text = path
	x.use(w, Sends|Reads)
}

// sendInput: the request's body is the standard input.
func (x *invocation) sendInput() {
	x.mark("sends_input")
	f := x.fact()
	for i := range f.Uses {
		if f.Uses[i].Redir && f.Uses[i].Access&Reads != 0 {
			f.Uses[i].Access |= Sends
		}
	}
}

// readers only read what they are given and print: they start nothing, write
// nothing and take no command among their words.
var readers = setOf(`
addr2line accessdb bzcmp bzdiff bzegrep bzfgrep c++filt colcrt colrm col ctstat dircolors dpkg-realpath e2mmpstatus envsubst expiry fincore funzip getopt gettext ngettext gprof
infocmp infotocap ischroot isosize lessecho lnstat lsfd lzmainfo mcookie lexgrog manpath pinky pslog py3versions rgrep routel rtstat xzdiff xzegrep xzfgrep zegrep zfgrep zstdgrep tload wdctl
mtdinfo
: true false echo printf pwd ls dir vdir cat tac nl head tail less pager more most zless zmore zcat bzcat xzcat zstdcat lz4cat gzcat bat
batcat view-ro wc sum cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum md5 shasum crc32 cmp diff diff3 sdiff
colordiff zdiff comm join paste cut tr fold fmt expand unexpand column rev shuf seq factor numfmt tsort ptx pr od hexdump hd xxd
strings readelf nm objdump size file stat readlink realpath basename dirname pathchk grep egrep fgrep zgrep pgrep pidof rg ag ack
ugrep locate mlocate plocate whereis which type hash whatis apropos man info help tldr date cal ncal uptime who w whoami id groups
logname users last lastb lastlog lslogins finger getent hostid arch uname nproc lscpu lsmem lspci lsusb lsblk lsipc lsns lsmod
modinfo lshw hwinfo inxi dmidecode sensors df du free vmstat iostat mpstat pidstat sar dstat top htop atop btop nmon iotop iftop
nethogs glances ps pstree pmap lsof slabtop numastat powertop ping ping6 traceroute traceroute6 tracepath mtr dig host nslookup
whois drill getconf netstat ss lldpctl arping nstat dmesg ausearch aureport faillog lastcomm sestatus getenforce getsebool
matchpathcon getcap getfacl lsattr lsacl namei tree exa eza lsd findmnt mountpoint blkid lsscsi printenv tty test [ [[ (( let expr
bc dc units jq yq xq gron csvcut csvlook csvstat mlr sleep wait times jobs fg bg dirs cd pushd popd chdir history compgen caller
logout exit return break continue shift getopts local readonly declare typeset export function read clear reset banner figlet
fortune lolcat sha3sum base64 base32 basenc uuidgen tabs look spell zipinfo zipgrep apt-cache apt-file dpkg-query rpmquery
rc-status debsums apt-show-versions repoquery ssh-keyscan systemd-analyze systemd-cgls systemd-cgtop systemd-detect-virt systemd-path
systemd-escape systemd-delta pvs vgs lvs pvdisplay vgdisplay lvdisplay pvscan vgscan lvscan smartctl dumpe2fs xfs_info zdb
lsinitramfs lsinitrd biosdecode vpddecode ipcs lslocks pg_isready pg_controldata pg_lsclusters pg_config mysqlshow mysqlbinlog
mongostat mongotop innotop mytop pt-query-digest stern kubectx kubens kail ctop testssl testssl.sh sslscan cfssl-certinfo cloc
tokei sloccount scc lua-check shellcheck hadolint yamllint jsonlint markdownlint ansible-lint tflint promtool logcli vnstat bmon
nload ipcalc sipcalc fping lsb_release dnsdomainname nisdomainname ypdomainname acpi xdpyinfo glxinfo fc-list locale zipdetails
identify pdfinfo mediainfo ffprobe soxi wtmpdb logwatch lnav multitail ccze gitk diffstat wdiff mhwd lspcmcia nvidia-smi rocm-smi
sg_inq sginfo sg_map sg_scan sg_vpd sg_logs sg_luns sg_turs sg_readcap sg_ses lxc-ls lxc-info pkaction lsdev procinfo mcelog edac-util turbostat pv atq postconf named-checkconf named-checkzone shopt aulast ausyscall auvirt
apt-config dpkg-architecture repquota quota nfsiostat jps jstack jstat jinfo ntpq ntpstat varnishstat varnishlog varnishhist
lldpcli ssh-audit pdfgrep zcmp xzcmp xzgrep xzless bzgrep bzless ldd nfs4_getfacl systemd-id128 getpcaps smem lsirq pwdx peekfd
prtstat cpuid x86info hexyl dust duf procs btm gping doggo delta difft glow dasel xmlstarlet-sel datamash jo
nroff troff tbl eqn pic soelim zsoelim ul uuencode uudecode ascii85 base58 basez pygmentize highlight msgcat msgconv msguniq msgattrib msgmerge
xmore pdftotext antiword catdoc unrtf ascii-xfr atobm efax espeak zabbix_get snmpbulkwalk smbtree nmblookup
checkmk check_mk_agent check_disk check_load check_http check_ping check_procs check_tcp lsdvd lsusb.py usb-devices
debconf-show apt-listchanges rpmdev-vercmp getfattr findfs swaplabel e2freefrag filefrag uuidparse
`)

// namesOnly are readers that print no content of the files they are given.
var namesOnly = setOf("ls dir vdir stat file du df test [ [[ basename dirname realpath readlink which type find locate mlocate plocate tree exa eza lsd wc sum cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum md5 shasum crc32 cmp size namei lsof findmnt mountpoint lsattr getfacl getcap matchpathcon hash whereis command man info help echo printf ping host dig nslookup sleep seq date cal true false : pgrep pidof getent id groups")

// Reader reports a program that only reads what it is given and prints.
func Reader(program string) bool { return readers[program] }

// Knows reports a program of which the console knows what it does.
func Knows(program string) bool { return knownProgram(program) }

func knownProgram(name string) bool {
	if readers[name] || mutators[name] || shellNames[name] || tools[name] {
		return true
	}
	if _, ok := handlers[name]; ok {
		return true
	}
	if _, ok := wrappers[name]; ok {
		return true
	}
	if s, ok := specs[name]; ok && !s.bare {
		return true
	}
	if _, ok := paths[name]; ok {
		return true
	}
	return strings.HasPrefix(name, "mkfs.") || strings.HasPrefix(name, "fsck.") || gitCommands[strings.TrimPrefix(name, "git-")] && strings.HasPrefix(name, "git-")
}

// mutators are programs that rules judge by name; they start no command of
// their words.
var mutators = setOf(`
openstack scw vultr-cli civo exo tccli aliyun yc railway render cf supabase firebase eb sam serverless sls cdk cdktf amplify pscale turso neonctl auth0 okta
cloudflared flarectl akamai gandi rancher waypoint boundary tailscale helmfile genisoimage mkisofs xorriso cowsay lz4 lzma unzstd w3m duplicati-cli rustic
fc umask borgmatic kopia tarsnap rsnapshot rdiff-backup snapper timeshift kadmin kadmin.local smbldap-useradd dsh pw svcadm launchctl rc-service
dd_rescue dcfldd dc3dd ntfsclone keybase step pass gopass lpass bw secret-tool credstash berglas akeyless conjur
sshd dropbear rsyslogd crond cron systemctl service init telinit runlevel systemd-machine-id-setup journalctl auditctl auditd augenrules aa-teardown aa-disable aa-complain apparmor_parser setenforce setsebool semanage restorecon chcon
reboot shutdown poweroff halt kexec kill killall killall5 pkill skill xkill fuser renice
apt apt-get aptitude apt-mark apt-key add-apt-repository dpkg dpkg-reconfigure yum dnf rpm zypper pacman yay paru apk snap flatpak brew port emerge pkg pkg_add pkg_delete do-release-upgrade pip pipx npm yarn pnpm gem cargo go bundle composer poetry conda mamba uv nuget mvn gradle gradlew sbt lein mix rebar3 dotnet make cmake ninja meson bazel
useradd userdel usermod adduser deluser groupadd groupdel groupmod addgroup delgroup gpasswd passwd chpasswd chage chsh chfn newusers vipw vigr visudo pwconv pwunconv faillock pam_tally2 pam-auth-update authconfig authselect loginctl
chmod chown chgrp chattr setfacl setcap umask ulimit mount umount swapon swapoff losetup dmsetup cryptsetup lvcreate lvremove lvextend lvreduce lvresize lvrename lvconvert vgcreate vgremove vgreduce vgextend vgchange vgrename pvcreate pvremove pvmove pvresize mdadm zpool zfs btrfs mkfs mkswap mke2fs fdisk cfdisk sfdisk gdisk sgdisk parted partprobe partx wipefs badblocks hdparm nvme blkdiscard fsck e2fsck xfs_repair xfs_growfs resize2fs tune2fs debugfs fstrim growpart nbd-client iscsiadm multipath smartd quotaon quotaoff edquota setquota
ip ifconfig route iptables ip6tables iptables-restore ip6tables-restore iptables-save nft ufw firewall-cmd ebtables arptables ipset tc nmcli nmtui ifup ifdown ethtool iw iwconfig brctl bridge ovs-vsctl ovs-ofctl wg wg-quick openvpn ipsec dhclient netplan networkctl resolvectl hostnamectl hostname timedatectl hwclock ntpdate chronyc localectl update-alternatives alternatives
sysctl modprobe rmmod insmod depmod dkms grub-install grub2-install grub-mkconfig grub2-mkconfig update-grub update-initramfs dracut mkinitcpio efibootmgr bootctl grubby
crontab at atrm logrotate logger rsyslogd utmpdump sync ldconfig updatedb mandb
psql mysql mysqladmin mysqldump mysqlimport mariadb pg_dump pg_dumpall pg_restore pg_ctl pg_ctlcluster pg_basebackup pg_resetwal pgbench createdb dropdb createuser dropuser vacuumdb reindexdb initdb sqlite3 redis-cli redis-server mongo mongosh mongodump mongorestore mongoexport mongoimport clickhouse-client clickhouse cqlsh nodetool etcdctl etcdutl influx sqlcmd bcp sqlplus rman cockroach duckdb
kubectl helm kustomize kubeadm kops eksctl argocd flux istioctl linkerd velero docker docker-compose podman buildah skopeo crictl ctr nerdctl minikube kind k3d crane
aws gcloud gsutil bq az gh glab terraform tofu terragrunt pulumi packer vault consul nomad doctl hcloud linode-cli ibmcloud oci heroku flyctl fly vercel netlify wrangler s3cmd s5cmd mc rclone restic borg duplicity doctl openstack
git svn hg tar zip unzip gzip gunzip bzip2 xz zstd cpio 7z rar ar
curl wget aria2c http https lynx links w3m elinks ftp tftp lftp sftp scp rsync nc ncat netcat socat telnet openssl ssh-add ssh-agent ssh-keygen ssh-copy-id gpg gpg2 age sops certbot keytool nmap masscan tcpdump tshark sshfs rsh rlogin
touch mkdir rmdir rm mv cp ln unlink install dd truncate fallocate shred split csplit patch tee sponge mknod mkfifo mktemp link rename srm wipe
vi vim nano emacs pico ed env printenv stty set unset alias unalias bind complete enable disown suspend ulimit trap eval source . exec yes
rabbitmqctl rabbitmqadmin rabbitmq-plugins rabbitmq-diagnostics kafka-topics kafka-configs kafka-acls kafka-consumer-groups kafka-console-consumer kafka-console-producer kafka-delete-records kafka-reassign-partitions rpk nats pulsar-admin
bpftool systemd-resolve systemd-cryptenroll systemd-creds systemd-repart systemd-sysext systemd-confext systemd-firstboot systemd-umount systemd-mount ovs-appctl ovn-nbctl ovn-sbctl ovs-dpctl ovsdb-client ovsdb-tool lxc-destroy lxc-stop lxc-freeze lxc-attach lxc-console pvesh semodule
nix-store nix-collect-garbage nix-env nixos-rebuild home-manager clamdscan
qemu-img qemu-nbd virt-resize virt-sparsify iperf iperf3 netperf nuttcp fio hey wrk wrk2 siege stress stress-ng sysbench vegeta k6 artillery locust iozone memtester
valkey-cli keydb-cli valkey-server redis-sentinel
nginx apachectl apache2ctl httpd a2ensite a2dissite a2enmod a2dismod haproxy varnishadm caddy traefik squid supervisorctl pm2 monit postfix postqueue postsuper mailq sendmail mail mutt named rndc unbound-control
ansible ansible-playbook ansible-galaxy ansible-vault ansible-pull ansible-inventory ansible-doc ansible-config puppet chef-client knife salt salt-call salt-key juju
virsh qm pct vboxmanage VBoxManage multipass lxc incus vagrant govc xl xe
gcc g++ cc clang ld as java javac rustc tsc npx
modinfo exportfs showmount nfsstat rpcinfo smbpasswd pdbedit net smbclient realm ldapmodify ldapdelete ldapadd ldapsearch kinit kdestroy kadmin ipa samba-tool
fail2ban-client clamscan freshclam rkhunter chkrootkit lynis aide tripwire osqueryi falcoctl
systemd-tmpfiles systemd-sysusers coredumpctl busctl dbus-send gdbus gsettings dconf
history tput screen tmux
`)
