package session

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"sallyport/console/shellmarks"
)

// incomplete tells a line that its shell will read on from: an open quote,
// loop or heredoc, or a backslash at its end. It is a guess that the shell
// checks: what was let through as incomplete cannot run.
func incomplete(text string, sh shellmarks.Shell) bool {
	if strings.TrimSpace(text) == "" {
		return true // nothing to run
	}
	if sh == shellmarks.Fish {
		return false // fish reads on by itself, in its buffer
	}
	if trailingBackslash(text) {
		return true
	}
	lang := syntax.LangBash
	if sh == shellmarks.POSIX {
		lang = syntax.LangPOSIX
	}
	_, err := syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader(text+"\n"), "")
	return err != nil && (syntax.IsIncomplete(err) || strings.Contains(err.Error(), "unclosed here-document"))
}

// trailingBackslash tells an odd number of backslashes at the end.
func trailingBackslash(text string) bool {
	n := len(text) - len(strings.TrimRight(text, `\`))
	return n%2 == 1
}

// statements counts the commands of a text; 0 where it cannot be read.
func statements(text string) int {
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return 0
	}
	return len(f.Stmts)
}
