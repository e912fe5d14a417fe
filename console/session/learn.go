package session

import (
	"regexp"
	"strings"
)

// A plain shell's prompt is guessed by its shape at first. After three that
// begin alike, only what begins so is one: a line of output that ends like a
// prompt is none then.

// toLearn is how many prompts must begin alike.
const toLearn = 3

// named is the part of a prompt that names the host: the folder and the mode
// change.
var named = regexp.MustCompile(`^[\[({<]*[\w.@:-]*\w[@:]?`)

// learnt is what is known of a plain shell's prompts.
type learnt struct {
	seen []string
	is   *regexp.Regexp
}

// saw takes one more prompt.
func (p *learnt) saw(line string) {
	if p.is != nil {
		return
	}
	if p.seen = append(p.seen, line); len(p.seen) < toLearn {
		return
	}
	p.seen = p.seen[len(p.seen)-toLearn:]
	if common := named.FindString(beginning(p.seen)); common != "" {
		p.is = regexp.MustCompile(`^` + regexp.QuoteMeta(common) + `[^|;&<]*$`)
	}
}

// forget lets any prompt of the right shape be one again.
func (p *learnt) forget() { *p = learnt{} }

// beginning is what all the lines begin with.
func beginning(lines []string) string {
	common := lines[0]
	for _, l := range lines[1:] {
		for !strings.HasPrefix(l, common) {
			common = common[:len(common)-1]
		}
	}
	return common
}
