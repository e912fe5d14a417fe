package command

// Programs that copy disk images: what they write may be a disk.

// diskImage is qemu-img SUBCOMMAND: only some of its subcommands write, and
// those that copy read all but the last operand.
func (x *invocation) diskImage() {
	o := readOptions(x.program, x.args)
	if len(o.Operands) < 2 {
		return
	}
	switch files := o.Operands[1:]; o.Operands[0].Text {
	case "info", "map", "measure", "compare":
		x.useAll(files, Reads)
	case "check", "bench":
		if o.has("r") || o.has("w") || o.has("repair") {
			x.useAll(files, Reads|Writes)
		} else {
			x.useAll(files, Reads)
		}
	case "snapshot":
		if o.has("l") {
			x.useAll(files, Reads)
		} else {
			x.useAll(files, Writes)
		}
	case "convert":
		x.copiesTo(files)
	case "create", "resize":
		x.use(files[0], Writes)
	case "dd":
		x.dd()
	default:
		x.useAll(files, Writes)
	}
}

// virtualBox is VBoxManage: some subcommands copy one image to another.
func (x *invocation) virtualBox() {
	o := readOptions(x.program, x.args)
	if len(o.Operands) < 3 {
		return
	}
	switch o.Operands[0].Text {
	case "clonehd", "clonemedium", "clonevdi", "convertfromraw", "convertdd":
		x.copiesTo(o.Operands[1:])
	}
}

func (x *invocation) copiesTo(files []Word) {
	x.useAll(files[:len(files)-1], Reads)
	x.use(files[len(files)-1], Writes)
}

func (x *invocation) useAll(files []Word, a Access) {
	for _, f := range files {
		x.use(f, a)
	}
}
