package probe

import (
	"context"
	"slices"
	"strings"
)

// filesScript prints the files that begin with $3, seen from the folder $2,
// with a slash after folders. Only the star is a pattern: what is quoted is
// text.
const filesScript = `cd "$2" 2>/dev/null; p=$3; h=; ` +
	`case $p in "~/"*) h=$HOME/; p=$h${p#??} ;; esac; n=0; ` +
	`for f in "$p"*; do ` +
	`if [ -d "$f" ]; then s=/; elif [ -e "$f" ] || [ -L "$f" ]; then s=; else continue; fi; ` +
	`if [ "$h" ]; then f="~/${f#"$h"}"; fi; ` +
	`printf "%s\0" "$f$s"; n=$((n+1)); if [ $n -ge 500 ]; then break; fi; done`

// commandsScript prints the programs on PATH that begin with $3.
const commandsScript = `n=0; IFS=:; for d in $PATH; do for f in "$d/$3"*; do ` +
	`if [ -f "$f" ] && [ -x "$f" ]; then printf "%s\0" "${f##*/}"; n=$((n+1)); ` +
	`if [ $n -ge 500 ]; then break 2; fi; fi; done; done`

// Files gives the names that word could be completed to, seen from the folder
// dir; folders end with a slash. "~/" is the account's home. Names are hostile
// text; those with a control character are left out.
func (p *Probe) Files(ctx context.Context, dir, word string) ([]string, error) {
	return p.complete(ctx, "files", dir, word)
}

// Commands gives the programs on the host's search path that begin with word.
func (p *Probe) Commands(ctx context.Context, word string) ([]string, error) {
	return p.complete(ctx, "commands", "-", word)
}

func (p *Probe) complete(ctx context.Context, kind, dir, word string) ([]string, error) {
	for _, s := range []string{dir, word} {
		if err := clean(s); err != nil {
			return nil, err
		}
	}
	if dir == "" {
		dir = "."
	}
	found, err := p.ask(ctx, kind, dir, word)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, hasControl)
	slices.Sort(found)
	return slices.Compact(found), nil
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}
