package command

import (
	"regexp"
	"sync"
)

// expression is a regular expression that is compiled when it is first used: a
// program that starts does not wait for all of them.
type expression struct{ compiled func() *regexp.Regexp }

// expressions are all of them, for the test that each compiles.
var expressions []*expression

func lazily(text string) *expression {
	e := &expression{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
	expressions = append(expressions, e)
	return e
}

func (e *expression) MatchString(s string) bool { return e.compiled().MatchString(s) }

func (e *expression) FindStringSubmatch(s string) []string { return e.compiled().FindStringSubmatch(s) }

func (e *expression) FindStringSubmatchIndex(s string) []int {
	return e.compiled().FindStringSubmatchIndex(s)
}

func (e *expression) FindAllString(s string, n int) []string { return e.compiled().FindAllString(s, n) }

func (e *expression) FindAllStringSubmatch(s string, n int) [][]string {
	return e.compiled().FindAllStringSubmatch(s, n)
}

func (e *expression) ReplaceAllString(s, with string) string {
	return e.compiled().ReplaceAllString(s, with)
}
