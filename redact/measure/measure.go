// Package measure compares what a redactor masks with what is secret: recall, precision,
// and the rows that went wrong.
//
// A case is one line of JSON: "text", "secrets" (exact substrings), and, if wanted,
// "optional" (neither a miss nor a false alarm), "kind", "source", "logical". A secret
// counts as masked when no run of four of its characters is left clear, wherever it
// stands. A finding is right when it touches a secret.
package measure

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"sallyport/redact"
)

// Masker is what is measured.
type Masker func(text string) redact.Findings

// Case is one text and what is secret in it.
type Case struct {
	Text     string   `json:"text"`
	Secrets  []string `json:"secrets"`
	Optional []string `json:"optional"`
	Kind     string   `json:"kind"`
	Source   string   `json:"source"`
	Logical  strs     `json:"logical"` // the secrets without escapes and wraps
}

// strs is a list of strings; one string stands for a list of one.
type strs []string

func (s *strs) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*s = make(strs, 1)
		return json.Unmarshal(b, &(*s)[0])
	}
	return json.Unmarshal(b, (*[]string)(s))
}

// Score counts what was found in a group of cases.
type Score struct {
	Secrets, Missed int
	Findings, Wrong int
	Negatives, Hit  int // rows without a secret, and how many of them had a finding
}

func (s *Score) add(o Score) {
	s.Secrets += o.Secrets
	s.Missed += o.Missed
	s.Findings += o.Findings
	s.Wrong += o.Wrong
	s.Negatives += o.Negatives
	s.Hit += o.Hit
}

// Recall is the part of the secrets that is masked.
func (s Score) Recall() float64 { return part(s.Secrets-s.Missed, s.Secrets) }

// Precision is the part of the findings that touch a secret.
func (s Score) Precision() float64 { return part(s.Findings-s.Wrong, s.Findings) }

func part(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

// Read gives the cases of a file of JSON lines.
func Read(in io.Reader) ([]Case, error) {
	dec := json.NewDecoder(in)
	var all []Case
	for {
		var c Case
		if err := dec.Decode(&c); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("case %d: %w", len(all)+1, err)
		}
		all = append(all, c)
	}
}

// Run judges all cases and writes what went wrong to out. The scores are by group:
// "terminal", "vendor samples", "negative" (rows of the kinds neg_*), "negative samples".
func Run(cases []Case, m Masker, out io.Writer) map[string]*Score {
	groups := map[string]*Score{}
	for n, c := range cases {
		s, notes := c.Judge(m(c.Text))
		for _, note := range notes {
			fmt.Fprintf(out, "%d %s: %s\n", n+1, c.Kind, note)
		}
		group := c.Group()
		if groups[group] == nil {
			groups[group] = &Score{}
		}
		groups[group].add(s)
	}
	return groups
}

// Total adds the scores of all groups.
func Total(groups map[string]*Score) (all Score) {
	for _, s := range groups {
		all.add(*s)
	}
	return all
}

// Group names the group that the case counts in.
func (c Case) Group() string {
	switch {
	case strings.HasPrefix(c.Kind, "neg_"):
		return "negative"
	case strings.HasPrefix(c.Kind, "neg"):
		return "negative samples"
	case c.Source == "" || c.Source == "constructed":
		return "terminal"
	}
	return "vendor samples"
}

// Print writes the measures.
func Print(out io.Writer, groups map[string]*Score) {
	var names []string
	for name := range groups {
		names = append(names, name)
	}
	all := Total(groups)
	sort.Strings(names)
	for _, name := range names {
		s := groups[name]
		if s.Secrets > 0 {
			fmt.Fprintf(out, "recall    %.4f  %d of %d, %s\n", s.Recall(), s.Secrets-s.Missed, s.Secrets, name)
		}
		if s.Negatives > 0 {
			fmt.Fprintf(out, "false     %.4f  %d of %d rows without a secret, %s\n", part(s.Hit, s.Negatives), s.Hit, s.Negatives, name)
		}
	}
	fmt.Fprintf(out, "precision %.4f  %d of %d findings\n", all.Precision(), all.Findings-all.Wrong, all.Findings)
}

// Judge compares findings with the secrets and says what is wrong.
func (c Case) Judge(found redact.Findings) (s Score, notes []string) {
	masked := make([]bool, len(c.Text))
	for _, f := range found {
		for i := f.Start; i < f.End; i++ {
			masked[i] = true
		}
	}
	fine := make([]bool, len(c.Text))
	for _, secret := range c.Secrets {
		s.Secrets++
		if !coverAll(c.Text, secret, masked, fine) {
			s.Missed++
			notes = append(notes, fmt.Sprintf("missed %q in %.160q", secret, c.Text))
		}
	}
	for _, o := range c.Optional {
		coverAll(c.Text, o, masked, fine)
	}
	for _, f := range found {
		s.Findings++
		if !anyTrue(fine[f.Start:f.End]) {
			s.Wrong++
			notes = append(notes, fmt.Sprintf("false %s %q in %.160q", f.Kind, c.Text[f.Start:f.End], c.Text))
		}
	}
	if len(c.Secrets) == 0 {
		s.Negatives++
		s.Hit += min(1, s.Wrong)
	}
	return s, notes
}

// coverAll marks every place of a secret as fine and tells whether none shows four clear
// characters in a row.
func coverAll(text, secret string, masked, fine []bool) bool {
	ok := secret != ""
	for at := 0; secret != ""; {
		k := strings.Index(text[at:], secret)
		if k < 0 {
			break
		}
		clear := 0
		for i := at + k; i < at+k+len(secret); i++ {
			fine[i] = true
			clear++
			if masked[i] {
				clear = 0
			}
			ok = ok && clear < 4
		}
		at += k + len(secret)
	}
	return ok
}

func anyTrue(b []bool) bool {
	for _, x := range b {
		if x {
			return true
		}
	}
	return false
}
