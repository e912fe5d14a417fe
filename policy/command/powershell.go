package command

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"
)

// PowerShell: how it is started. Its names are the same in upper and lower
// case, and parameters may be cut short as long as they are not another's.

// hostParameters are those of pwsh and powershell, the ones that bring code
// first: -e is -EncodedCommand. Source: about_Pwsh, about_PowerShell_exe.
var hostParameters = strings.Fields(`encodedcommand command commandwithargs file executionpolicy noprofile noninteractive noexit nologo
workingdirectory windowstyle inputformat outputformat version help login configurationname configurationfile custompipename settingsfile
interactive sta mta psconsolefile`)

// hostShort are short forms that are no beginning of a name.
var hostShort = map[string]string{"ec": "encodedcommand", "ep": "executionpolicy", "cwa": "commandwithargs", "wd": "workingdirectory", "w": "windowstyle", "?": "help", "i": "interactive", "f": "file", "c": "command", "v": "version", "o": "outputformat"}

var hostValues = setOf("executionpolicy workingdirectory windowstyle inputformat outputformat configurationname configurationfile custompipename settingsfile psconsolefile")

func hostParameter(t string) string {
	name := strings.ToLower(strings.TrimLeft(t, "-/"))
	if whole, ok := hostShort[name]; ok {
		return whole
	}
	for _, p := range hostParameters {
		if name != "" && strings.HasPrefix(p, name) {
			return p
		}
	}
	return ""
}

// powershell is pwsh and powershell.
func (x *invocation) powershell() {
	for i := 0; i < len(x.args); i++ {
		t := x.args[i].Text
		if !strings.HasPrefix(t, "-") && !(strings.HasPrefix(t, "/") && x.program == "powershell") || t == "-" {
			x.powershellOperand(x.args[i:])
			return
		}
		rest := x.args[i+1:]
		switch p := hostParameter(t); {
		case p == "help" || p == "version" && (x.program == "pwsh" || len(rest) == 0):
			x.mark("usage_only")
			return
		case p == "encodedcommand":
			x.encoded(rest)
			return
		case p == "command" || p == "commandwithargs":
			x.powershellCode(rest)
			return
		case p == "file":
			x.powershellFile(rest)
			return
		case hostValues[p] || p == "version":
			i++
		}
	}
	x.powershellInput()
}

// powershellOperand is the first word that is no parameter: a file for pwsh,
// code for powershell.
func (x *invocation) powershellOperand(words []Word) {
	if x.program == "pwsh" && words[0].Text != "-" {
		x.powershellFile(words)
		return
	}
	x.powershellCode(words)
}

func (x *invocation) powershellFile(words []Word) {
	if len(words) == 0 || words[0].Text == "-" {
		x.powershellInput()
		return
	}
	x.scriptFile(words[0])
}

func (x *invocation) powershellCode(words []Word) {
	if len(words) == 0 || words[0].Text == "-" {
		x.powershellInput()
		return
	}
	code := joined(words)
	for _, w := range words {
		x.feeds(w)
	}
	if !code.Known || code.Dynamic {
		x.cameFrom(x.cmd.flow)
	}
	if !code.Known {
		x.mark("unseen_code")
	}
	x.powershellText(code.Text, [2]int{code.Start, code.End})
}

// encoded is -EncodedCommand: base64 of UTF-16. Nobody can read it, whatever
// it says.
func (x *invocation) encoded(words []Word) {
	x.mark("decodes_code")
	if len(words) == 0 {
		return
	}
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(words[0].Text, "="))
	if err != nil {
		return
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i]) | uint16(raw[2*i+1])<<8
	}
	x.powershellText(string(utf16.Decode(units)), [2]int{words[0].Start, words[0].End})
}

// powershellInput is PowerShell without code on its line.
func (x *invocation) powershellInput() {
	switch in := x.cmd.in; {
	case in.known && in.from != "file" || in.from == "here":
		x.mark("heredoc_to_shell")
		if !in.known {
			x.mark("unseen_code")
		}
		x.powershellText(in.text, [2]int{x.cmd.start, x.cmd.end})
	case in.from == "":
		x.mark("interactive_shell")
	case in.from == "file" && in.path != "" && !networkDevice(in.path):
		x.use(Word{Text: in.path, Known: true, Start: x.cmd.start, End: x.cmd.end}, Runs)
	default:
		x.stdinCodeUnseen()
	}
}

// fetchesBy finds a class of .NET that fetches.
var fetchesBy = lazily(`(?i)\.download(?:string|data|file)|httpclient|webrequest|openread`)

// powershellText walks text as PowerShell.
func (x *invocation) powershellText(text string, span [2]int) {
	if why := shape(text, x.lim); why != "" {
		x.fail(why)
		return
	}
	x.note(text, span)
	x.through(x.step(), func() {
		x.aside(func() {
			x.src, x.fixed, x.span0 = text, true, span
			p := &cmdletReader{w: x.walker, src: text, values: map[string]Word{}, downloads: fetchesBy.MatchString(text)}
			for p.pos < len(text) {
				p.list(0)
				p.pos++ // a closing bracket that nothing opened
			}
		})
	})
}
