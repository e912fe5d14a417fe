package command

import "strings"

// What PowerShell's commands do, said in the words of programs that rules
// know. A command that no table names is judged by its verb.

// cmdletNames are other names of commands. Source: Get-Alias of PowerShell
// 7 and Windows PowerShell 5.1.
var cmdletNames = pairs(`ri=remove-item rm=remove-item rmdir=remove-item rd=remove-item del=remove-item erase=remove-item rp=remove-itemproperty
clc=clear-content cli=clear-item sc=set-content ac=add-content ni=new-item mkdir=new-item md=new-item cp=copy-item copy=copy-item cpi=copy-item
mi=move-item move=move-item mv=move-item rni=rename-item ren=rename-item gc=get-content cat=get-content type=get-content sls=select-string
gci=get-childitem dir=get-childitem ls=get-childitem sl=set-location cd=set-location chdir=set-location pushd=set-location push-location=set-location
gps=get-process ps=get-process spps=stop-process kill=stop-process sasv=start-service spsv=stop-service gsv=get-service iwr=invoke-webrequest
curl=invoke-webrequest wget=invoke-webrequest irm=invoke-restmethod iex=invoke-expression saps=start-process start=start-process icm=invoke-command
etsn=enter-pssession nsn=new-pssession ipmo=import-module sp=set-itemproperty si=set-item gi=get-item gp=get-itemproperty tee=tee-object
epcsv=export-csv sajb=start-job rjb=remove-job gjb=get-job clhy=clear-history gal=get-alias sal=set-alias nal=new-alias gcm=get-command
gm=get-member ft=format-table fl=format-list fw=format-wide where=where-object foreach=foreach-object select=select-object sort=sort-object
measure=measure-object group=group-object compare=compare-object diff=compare-object echo=write-output write=write-output oh=out-host
h=get-history history=get-history ghy=get-history gwmi=get-wmiobject gcim=get-ciminstance rwmi=remove-wmiobject iwmi=invoke-wmimethod
icim=invoke-cimmethod rcim=remove-ciminstance man=get-help help=get-help pwd=get-location gl=get-location rv=remove-variable sv=set-variable
gv=get-variable cls=clear-host clear=clear-host sleep=start-sleep`)

func pairs(text string) map[string]string {
	m := map[string]string{}
	for _, f := range strings.Fields(text) {
		from, to, _ := strings.Cut(f, "=")
		m[from] = to
	}
	return m
}

// A cmdlet says what a command is elsewhere: {path} stands for what it acts
// on, {dest} for where it goes to, other {name} for that parameter's value.
// A word that names a parameter which is not there falls away, and so does a
// flag in front of it; -x?recurse is there if the parameter is.
var cmdlets = map[string]string{
	"remove-item": "rm -r?recurse -f?force {path}", "clear-content": "truncate -s 0 {path}", "clear-item": "truncate -s 0 {path}",
	"set-content": "tee {path}", "add-content": "tee -a {path}", "out-file": "tee {filepath} {path}", "tee-object": "tee {filepath} {path}", "export-csv": "tee {path}",
	"export-clixml": "tee {path}", "start-transcript": "tee {path}", "new-item": "touch {path}", "set-item": "touch {path}", "copy-item": "cp -r?recurse {path} {destination}", "move-item": "mv {path} {destination}",
	"rename-item": "mv {path} {newname}", "get-content": "cat {path}", "select-string": "cat {path}", "import-csv": "cat {path}", "get-childitem": "ls {path}",
	"get-filehash": "cat {path}", "set-location": "cd {path}", "get-process": "true", "stop-process": "kill {id} {name}", "stop-service": "systemctl stop {name}", "suspend-service": "systemctl stop {name}",
	"start-service": "systemctl start {name}", "restart-service": "systemctl restart {name}", "remove-service": "systemctl disable {name}", "get-service": "true",
	"stop-computer": "poweroff", "restart-computer": "reboot", "invoke-webrequest": "curl -X {method} -d {body} -T {infile} -o {outfile} {uri}",
	"invoke-restmethod": "curl -X {method} -d {body} -T {infile} -o {outfile} {uri}", "start-bitstransfer": "curl -o {destination} {source}",
	"enter-pssession": "ssh {computername} {hostname}", "new-pssession": "ssh {computername} {hostname}", "new-localuser": "useradd {name}", "remove-localuser": "userdel {name}",
	"disable-localuser": "usermod -L {name}", "enable-localuser": "usermod -U {name}", "add-localgroupmember": "usermod -aG {group} {member}", "set-localuser": "passwd {name}", "clear-history": "history -c",
	"expand-archive": "unzip -d {destinationpath} {path}", "compress-archive": "tar -cf {destinationpath} {path}", "import-module": "source {name}",
	"write-output": "true", "write-host": "true", "start-sleep": "true", "out-null": "true", "out-host": "true", "out-string": "true", "clear-host": "true",
	"foreach-object": "true", "push-location": "cd {path}", "pop-location": "true", "remove-variable": "true", "set-variable": "true", "new-variable": "true", "clear-variable": "true", "remove-job": "true", "start-job": "true", "start-threadjob": "true",
	"new-object": "true", "new-timespan": "true", "join-path": "true", "split-path": "true", "set-strictmode": "true", "set-psdebug": "true", "new-guid": "true", "new-alias": "true", "set-alias": "true",
}

// positional are the parameters that words without a name are, in turn.
var positional = map[string]string{
	"copy-item": "path destination", "move-item": "path destination", "rename-item": "path newname", "set-content": "path value", "add-content": "path value",
	"select-string": "pattern path", "invoke-webrequest": "uri", "invoke-restmethod": "uri", "start-bitstransfer": "source destination", "stop-process": "id",
	"stop-service": "name", "start-service": "name", "restart-service": "name", "suspend-service": "name", "remove-service": "name", "enter-pssession": "computername",
	"new-pssession": "computername", "new-localuser": "name", "remove-localuser": "name", "set-localuser": "name", "disable-localuser": "name", "enable-localuser": "name", "add-localgroupmember": "group member",
	"import-module": "name", "out-file": "filepath", "tee-object": "filepath", "expand-archive": "path destinationpath", "compress-archive": "path destinationpath",
	"start-process": "filepath argumentlist", "invoke-expression": "command", "invoke-command": "computername", "set-service": "name",
}

// cmdletParameters are the parameters that are looked at, the ones that do
// more first: a name that is cut short is the first that begins so.
var cmdletParameters = strings.Fields(`recurse force literalpath pspath path filter filepath destinationpath destination value outfile infile uri
method body id name displayname newname computername hostname scriptblock argumentlist command startuptype status group member source verb
include exclude pattern inputobject credential disablerealtimemonitoring enabled whatif confirm asplaintext password`)

var cmdletSwitches = setOf(`recurse force whatif confirm asplaintext append wait passthru nonewline raw quiet hidden directory file nonewwindow asjob
usebasicparsing verbose debug nologo readonly noclobber notypeinformation all online`)

// parameters sorts the words of a command: values by parameter, switches, and
// what has no name.
func parameters(name string, words []Word) (values map[string][]Word, given map[string]bool) {
	values, given = map[string][]Word{}, map[string]bool{}
	turn := strings.Fields(positional[name])
	if len(turn) == 0 {
		turn = []string{"path"}
	}
	for i := 0; i < len(words); i++ {
		t := words[i].Text
		if len(t) > 1 && t[0] == '-' && letters(t[1:2]) && words[i].Known {
			p := cmdletParameter(t[1:])
			if given[p] = true; !cmdletSwitches[p] && i+1 < len(words) && (p == "argumentlist" || !strings.HasPrefix(words[i+1].Text, "-") || !words[i+1].Known) {
				i++
				values[p] = append(values[p], words[i])
			}
			continue
		}
		values[turn[0]] = append(values[turn[0]], words[i])
		if len(turn) > 1 {
			turn = turn[1:]
		}
	}
	for i, m := range values["method"] {
		values["method"][i].Text = strings.ToUpper(m.Text)
	}
	for _, other := range []string{"literalpath", "pspath", "inputobject", "displayname"} {
		to := map[bool]string{true: "name", false: "path"}[other == "displayname"]
		values[to] = append(values[to], values[other]...)
	}
	return values, given
}

func cmdletParameter(t string) string {
	t = strings.ToLower(t)
	if cmdletSwitches[t] {
		return t
	}
	for _, p := range cmdletParameters {
		if strings.HasPrefix(p, t) {
			return p
		}
	}
	return t
}

// elsewhere puts a command's values into the words of a program.
func elsewhere(template string, name Word, values map[string][]Word, given map[string]bool) []Word {
	var out []Word
	for i, f := range strings.Fields(template) {
		w := Word{Text: f, Known: true, Start: name.Start, End: name.End}
		if flag, p, ok := strings.Cut(f, "?"); ok {
			if w.Text = flag; given[p] {
				out = append(out, w)
			}
			continue
		}
		if !strings.HasPrefix(f, "{") {
			out = append(out, w)
			continue
		}
		found := values[strings.Trim(f, "{}")]
		if len(found) == 0 && i > 0 && len(out) > 1 && strings.HasPrefix(out[len(out)-1].Text, "-") && out[len(out)-1].Text != "-a" && out[len(out)-1].Text != "-r" && out[len(out)-1].Text != "-f" {
			out = out[:len(out)-1]
		}
		out = append(out, found...)
	}
	return out
}
