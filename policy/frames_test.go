package policy_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"sallyport/policy"
	"sallyport/policy/command"
)

// around are ways to run the same command that change nothing of what it
// does. Those of words stand before one simple command, those of code take
// its text.
var (
	aroundAny   = []string{"( %s )", "{ %s; }", "true && %s", "%s || true", "if true; then %s; fi", "zz=1; %s", "for zz in 1 2; do %s; done", "echo start; %s"}
	aroundWords = []string{"time %s", "sudo %s", "env FOO=bar %s", "nice -n 5 %s", "timeout 30 %s", "command %s", "/usr/bin/%s"}
	aroundCode  = []string{"bash -c '%s'", "ssh web1 '%s'"}
)

var (
	ofItsOwn   = regexp.MustCompile(`^(?:\w+=|[|&;)]|if |for |while |until |case |function |\w+ ?\(\))`)
	plainName  = regexp.MustCompile(`^[a-z][a-z0-9.-]*( |$)`)
	shellWords = regexp.MustCompile(`^(?:cd|export|set|unset|alias|eval|source|exec|command|builtin|history|trap|declare|local|readonly|coproc|time|enable|hash|test|true|false|echo|printf|read|env|type|repeat|shopt|fc|ulimit|umask|wait|jobs|kill|bind|complete|let|return|exit|pwd|mapfile|help|dirs|pushd|popd|less|more|man|most|shift|typeset|getopts|suspend|disown|fg|bg|times|logout|caller|compgen|select|readarray|unalias|yes|sudo|doas|su|newgrp|integer|ztcp|bat|vi|vim|sh|bash|zsh|dash|sash|ksh|ls|journalctl|direnv|mise)\b`)
)

// framesOf gives the ways for one command.
func framesOf(text string) []string {
	if strings.ContainsAny(text, "#\n\r\\") || strings.Contains(text, "<<") || strings.Contains(text, "!") || ofItsOwn.MatchString(text) ||
		strings.Count(text, "'")%2+strings.Count(text, `"`)%2 > 0 || strings.Count(text, "(") != strings.Count(text, ")") || strings.HasSuffix(text, "&") {
		return nil
	}
	frames := aroundAny
	if plainName.MatchString(text) && !shellWords.MatchString(text) && !strings.ContainsAny(text, ";|&") {
		frames = append(frames[:len(frames):len(frames)], aroundWords...)
	}
	if !strings.ContainsAny(text, "'$`~*") {
		frames = append(frames[:len(frames):len(frames)], aroundCode...)
	}
	return frames
}

// TestWaysToRunTheSameCommandChangeNothing holds the label of every row of
// kinds.tsv in every frame that fits it.
func TestWaysToRunTheSameCommandChangeNothing(t *testing.T) {
	set := shipped(t)
	n := map[string]int{}
	for _, row := range table(t, "testdata/kinds.tsv") {
		text := unescape(t, row[2])
		plain := set.Decide(policy.Request{Text: text})
		if dialectOf(row[1]) != policy.Bash || !plain.Analyzable || severity(plain) < scale[row[0]] || row[0] == "low" && severity(plain) > 0 {
			continue
		}
		for _, frame := range framesOf(text) {
			framed := fmt.Sprintf(frame, text)
			d := set.Decide(policy.Request{Text: framed})
			n[row[0]]++
			if got := severity(d); got < scale[row[0]] || row[0] == "low" && got > 0 {
				t.Errorf("%s became %d: %q", row[0], got, framed)
			}
		}
	}
	if n["deny"] == 0 || n["high"] == 0 || n["low"] == 0 {
		t.Error("a label of kinds.tsv was not judged at all")
	}
	t.Log(n)
}

// TestWhereAProgramLiesChangesNothing judges every row once more with what a
// shell reports of its first word: a file in a folder of the system.
func TestWhereAProgramLiesChangesNothing(t *testing.T) {
	set := shipped(t)
	n := 0
	for _, row := range table(t, "testdata/kinds.tsv") {
		text := unescape(t, row[2])
		name, _, _ := strings.Cut(text, " ")
		if dialectOf(row[1]) != policy.Bash || !plainName.MatchString(text) || inShell.MatchString(text) {
			continue
		}
		plain := set.Decide(policy.Request{Text: text})
		where := policy.ShellState{Words: map[string]policy.Word{name: {Kind: command.KindFile, Path: "/usr/bin/" + name}}}
		if d := set.Decide(policy.Request{Text: text, State: where}); severity(d) != severity(plain) {
			t.Errorf("%d became %d: %q (%v)", severity(plain), severity(d), text, d.By)
		}
		n++
	}
	if n == 0 {
		t.Error("no row of kinds.tsv was judged")
	}
	t.Log(n, "rows")
}

var inShell = regexp.MustCompile(`^(?:cd|export|set|unset|alias|eval|source|exec|command|builtin|history|trap|declare|local|readonly|coproc|time|enable|hash|type|shopt|fc|ulimit|umask|wait|jobs|bind|complete|let|return|exit|mapfile|help|dirs|pushd|popd|shift|typeset|getopts|suspend|disown|fg|bg|times|logout|caller|compgen|select|readarray|unalias|integer|ztcp|read|print|repeat|if|for|while|until|case|function|then|do|foreach)\b`)
