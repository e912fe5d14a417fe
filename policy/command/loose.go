package command

// A word that the console does not know may be an option, a verb, or several
// words. Among the operands of a program that only reads that changes
// nothing; where find takes its actions or kubectl its verb it can be
// everything.

// nounClients name what they act on before they say what to do.
var nounClients = setOf("aws gcloud az gh oci doctl ibmcloud hcloud openstack docker podman")

// findTests are options of find whose value is no action.
var findTests = setOf("-name -iname -path -ipath -wholename -regex -iregex -type -xtype -size -user -group -uid -gid -perm -mtime -atime -ctime -mmin -amin -cmin -newer -newermt -maxdepth -mindepth -links -inum -fstype -lname -samefile -printf")

// noteLoose marks a command of which an option or the verb may be hidden.
func (f *Fact) noteLoose() {
	if readers[f.Program] || !hidesWord(f.Args) {
		return
	}
	o := ReadOptions(f)
	for i := range o.Operands {
		w := &o.Operands[i]
		if w.Known || w.Text != "" {
			continue
		}
		if w.Split && !f.takesValue(i, w) {
			f.construct("unknown_words")
		}
		if i == 0 || i < 3 && nounClients[f.Program] && !anyVerb(o.Operands[:i]) {
			f.construct("unknown_verb")
		}
	}
}

func hidesWord(args []Word) bool {
	for i := range args {
		if !args[i].Known && args[i].Text == "" {
			return true
		}
	}
	return false
}

// takesValue reports a word of find that is where it starts, or the value of
// a test.
func (f *Fact) takesValue(operand int, w *Word) bool {
	if f.Program != "find" && f.Program != "gfind" {
		return false
	}
	for i := range f.Args {
		if f.Args[i].Start == w.Start && i > 0 {
			return findTests[f.Args[i-1].Text]
		}
	}
	return operand == 0
}

func anyVerb(operands []Word) bool {
	for i := range operands {
		if t := operands[i].Text; verbs[t] || hasVerbPrefix(t) {
			return true
		}
	}
	return false
}
