package command

// ReadOptions reads a fact's words as its program would: options with their
// values, and operands.
func ReadOptions(f *Fact) Options { return readOptions(f.Program, f.Args) }
