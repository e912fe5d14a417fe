package command

import "strings"

// emit judges one command: as the program that does the same, by the verb of
// its name, or as the program that it is.
func (p *cmdletReader) emit(c *cmdletLine) {
	name := c.words[0]
	lower := strings.ToLower(strings.TrimSuffix(name.Text, ".exe"))
	if i := strings.LastIndexByte(lower, '\\'); i >= 0 && strings.Contains(lower, "-") {
		lower = lower[i+1:] // of a module
	}
	if whole, ok := cmdletNames[lower]; ok && name.Known {
		lower = whole
	}
	args := c.words[1:]
	if (lower == "get-childitem" || lower == "get-item") && len(args) > 0 && strings.HasPrefix(strings.ToLower(args[0].Text), "env:") && len(args[0].Text) < 6 {
		lower = "env"
		args, c.words = nil, []Word{{Text: "env", Known: true, Start: name.Start, End: name.End}}
	}
	switch lower {
	case "invoke-expression":
		p.evaluates(name, args)
	case "start-process":
		p.starts(name, args)
	case "set-service":
		p.setService(name, args)
	case "invoke-command":
		p.onHosts(name, args)
	default:
		p.plain(c, lower, args)
	}
}

func (p *cmdletReader) plain(c *cmdletLine, lower string, args []Word) {
	name := c.words[0]
	values, given := parameters(lower, args)
	template, ok := cmdlets[lower]
	verb, noun, dashed := strings.Cut(lower, "-")
	switch {
	case given["whatif"] && (ok || dashed):
		p.run(c, []Word{{Text: "true", Known: true, Start: name.Start, End: name.End}})
	case ok && classicFlags(lower, args):
		p.run(c, append([]Word{{Text: firstField(template), Known: true, Start: name.Start, End: name.End}}, args...))
	case ok:
		words := elsewhere(template, name, values, given)
		if fed := p.fedBy >= 0 && len(values["path"])+len(values["name"])+len(values["id"]) == 0; fed && fedCmdlets[lower] {
			words = append(words, Word{Dynamic: true, Start: name.Start, End: name.End})
		}
		p.run(c, words)
	case dashed && cmdletVerbs[verb] && plainWord(strings.Map(digitless, noun)):
		p.byVerb(c, verb, noun)
	default:
		words := append([]Word(nil), c.words...)
		if words[0].Known {
			words[0].Text = strings.TrimSuffix(words[0].Text, ".exe")
		}
		p.run(c, words)
	}
}

func firstField(s string) string {
	name, _, _ := strings.Cut(s, " ")
	return name
}

func digitless(r rune) rune {
	if r >= '0' && r <= '9' || r == '_' {
		return 'x'
	}
	return r
}

// fedCmdlets act on what the pipeline brings.
var fedCmdlets = setOf("remove-item stop-process stop-service clear-content move-item disable-localuser remove-localuser restart-service")

// classicFlags reports rm -rf and its like: where the name is a program of
// the host, these are its flags.
func classicFlags(name string, args []Word) bool {
	for _, a := range args {
		switch strings.ToLower(a.Text) {
		case "-rf", "-fr", "-rfv", "-rv", "-la", "-al", "-l", "-a", "-9", "-ltr", "-lh", "-s", "-ss", "-sl", "-fsl", "-fssl", "-k", "-qo-", "-q":
			return name != "remove-item" || strings.ToLower(a.Text) != "-s"
		}
	}
	return false
}

// run judges words as a command of its own.
func (p *cmdletReader) run(c *cmdletLine, words []Word) {
	if c.called && !c.words[0].Known {
		words[0] = Word{Dynamic: true, Start: words[0].Start, End: words[0].End}
	}
	in := input{}
	if p.fedBy >= 0 {
		in = input{from: "pipe"}
	}
	p.w.simple(simple{words: words, uses: c.uses, in: in, start: p.w.span0[0], end: p.w.span0[1]})
}

// cmdletVerbs are the approved verbs, and a few that are in use. Source:
// Get-Verb.
var cmdletVerbs = setOf(`add clear close copy enter exit find format get hide join lock move new open optimize push pop redo remove rename reset
resize search select set show skip split step switch undo unlock watch backup checkpoint compare compress convert convertfrom convertto dismount
edit expand export group import initialize limit merge mount out publish restore save sync unpublish update approve assert build complete confirm
deny deploy disable enable install invoke register request restart resume start stop submit suspend uninstall unregister wait debug measure ping
repair resolve test trace connect disconnect read receive send write block grant protect revoke unblock unprotect use where foreach sort tee
delete stage list purge`)

// byVerb gives a command that no table names as cmdlet VERB NOUN.
func (p *cmdletReader) byVerb(c *cmdletLine, verb, noun string) {
	name := c.words[0]
	word := func(t string) Word { return Word{Text: t, Known: true, Start: name.Start, End: name.End} }
	words := []Word{word("cmdlet"), word(verb), word(noun)}
	for _, a := range c.words[1:] {
		if a.Known && strings.HasPrefix(a.Text, "-") {
			a.Text = "-" + cmdletParameter(a.Text[1:])
		}
		words = append(words, a)
	}
	p.run(c, words)
}

// evaluates is Invoke-Expression.
func (p *cmdletReader) evaluates(name Word, args []Word) {
	values, _ := parameters("invoke-expression", args)
	code := append(values["command"], values["path"]...)
	if len(code) == 0 && p.piped.Text != "" {
		code = []Word{p.piped}
	}
	at := p.w.emit(Fact{Program: "eval", Name: name, Args: args, Start: name.Start, End: name.End})
	p.w.facts[at].construct("eval")
	if len(code) == 0 || !code[0].Known {
		p.w.facts[at].construct("eval_unknown")
		p.w.facts[at].construct("unseen_code")
		if p.fetched(at) {
			p.w.facts[at].construct("runs_download")
		}
		return
	}
	x := &invocation{walker: p.w, at: at, program: "eval", cmd: simple{start: name.Start, end: name.End}}
	x.powershellText(joined(code).Text, [2]int{name.Start, name.End})
}

// fetched reports something among the commands of this code that fetches.
func (p *cmdletReader) fetched(at int) bool {
	for _, f := range p.w.facts[max(0, at-8):at] {
		if f.Program == "curl" {
			return true
		}
	}
	return p.downloads
}

// starts is Start-Process: a program with its arguments in one text or many.
func (p *cmdletReader) starts(name Word, args []Word) {
	values, _ := parameters("start-process", args)
	if len(values["filepath"]) == 0 {
		return
	}
	words := []Word{values["filepath"][0]}
	for _, a := range values["argumentlist"] {
		for f := range strings.FieldsSeq(a.Text) {
			part := a
			part.Text = f
			words = append(words, part)
		}
	}
	for _, v := range values["verb"] {
		if strings.EqualFold(v.Text, "runas") {
			words = append([]Word{{Text: "sudo", Known: true, Start: name.Start, End: name.End}}, words...)
		}
	}
	c := &cmdletLine{words: words, called: true}
	p.emitStarted(c)
}

func (p *cmdletReader) emitStarted(c *cmdletLine) {
	if c.words[0].Known {
		p.emit(c)
		return
	}
	p.run(c, c.words)
}

// setService is Set-Service: what it is made to be.
func (p *cmdletReader) setService(name Word, args []Word) {
	values, _ := parameters("set-service", args)
	verb := "enable"
	for _, v := range append(values["startuptype"], values["status"]...) {
		switch t := strings.ToLower(v.Text); {
		case t == "disabled" || !v.Known:
			verb = "disable"
		case t == "stopped" || t == "paused":
			verb = "stop"
		}
	}
	words := elsewhere("systemctl "+verb+" {name} {path}", name, values, nil)
	p.run(&cmdletLine{words: []Word{name}}, words)
}

// onHosts is Invoke-Command: what its block does has been read; where no
// block stands on the line, nobody sees it.
func (p *cmdletReader) onHosts(name Word, args []Word) {
	values, given := parameters("invoke-command", args)
	if host := elsewhere("ssh {computername} {hostname}", name, values, given); len(host) > 1 {
		p.run(&cmdletLine{words: []Word{name}}, host[:2]) // the next may be the block
	}
	for _, f := range values["filepath"] {
		p.run(&cmdletLine{words: []Word{name}}, []Word{{Text: "source", Known: true, Start: name.Start, End: name.End}, f})
	}
	for _, b := range values["scriptblock"] {
		if !strings.Contains(p.src, "{") && !b.Known {
			p.w.facts[len(p.w.facts)-1].construct("unseen_code")
		}
	}
}
