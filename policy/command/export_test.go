package command

// Mutators are the names of the list for programs that rules judge.
func Mutators() []string {
	var out []string
	for name := range mutators {
		out = append(out, name)
	}
	for name := range paths {
		out = append(out, name)
	}
	for name, s := range specs {
		if !s.bare {
			out = append(out, name)
		}
	}
	return out
}
