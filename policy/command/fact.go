package command

// A Word is one argument as the shell will see it. Text is the value we
// resolved; where parts are only known when the command runs, they are left
// out of Text and Known is false.
type Word struct {
	Text    string `json:"text"`
	Known   bool   `json:"known"`             // every byte of Text is what the program gets
	Dynamic bool   `json:"dynamic,omitempty"` // an expansion took part, even if we could resolve it
	Glob    bool   `json:"glob,omitempty"`    // holds an unquoted pattern: may become several words
	Split   bool   `json:"split,omitempty"`   // holds an unquoted unknown value: may become any words
	Start   int    `json:"start"`             // byte range in the judged text
	End     int    `json:"end"`
}

// An Access says what is done to a path or an address that a command names.
type Access uint8

// The accesses. A command can have several on one path.
const (
	Reads Access = 1 << iota
	Writes
	Removes
	Sends    // the content leaves this host, or is served from it
	Connects // an outside host, URL or address
	Runs     // the file is executed or loaded as code
)

// A Use is one access of one path, URL or address.
type Use struct {
	Word
	Access Access `json:"access"`
	Redir  bool   `json:"redirection,omitempty"`
}

// An Assign is an assignment, exported or in front of a command.
type Assign struct {
	Name string `json:"name"`
	Word
	Exported bool `json:"exported,omitempty"`
}

// A Statement is one statement given to a database client.
type Statement struct {
	Verb   string `json:"verb"`             // "drop table", "delete", "select", lower case
	Object string `json:"object,omitempty"` // what it acts on, as written
	Where  bool   `json:"where,omitempty"`  // a real condition narrows it
}

// A Fact is one simple command that the line would run.
type Fact struct {
	Program    string      `json:"program"` // base name; "" when it is only known at run time
	Name       Word        `json:"name"`    // the program word as written
	Args       []Word      `json:"args,omitempty"`
	Assigns    []Assign    `json:"assigns,omitempty"`
	Uses       []Use       `json:"uses,omitempty"`
	Via        []string    `json:"via,omitempty"`      // unwrap path, outermost first: "sudo", "sh -c"
	PipesTo    []string    `json:"pipes_to,omitempty"` // every later program of the pipeline
	FedBy      []string    `json:"fed_by,omitempty"`   // every earlier program of the pipeline
	GoesTo     []string    `json:"goes_to,omitempty"`  // programs that get its output as a word, a variable or a file
	SQL        []Statement `json:"sql,omitempty"`
	Constructs []string    `json:"constructs,omitempty"`
	Cwd        []string    `json:"cwd,omitempty"` // folders that the line may have changed to
	Start      int         `json:"start"`
	End        int         `json:"end"`
}
