// Package tool is the one table of docent's operations. An operation is defined in
// one file, with all that is said of it: its parameters, its help, how agents see it.
// Flags and help of the command line, JSON schemas, the tool list for a model and the
// MCP tools come from it. A new operation is a new file and a line in table.go.
package tool

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/docent-md/docent"
)

// An Answer is the result of an operation. It prints itself once, so that people and
// models read the same text, and marshals to JSON for programs.
type Answer interface {
	WriteText(w io.Writer) error
}

// A Lister is an Answer whose JSON form is a list instead of itself.
type Lister interface {
	JSONList() any
}

// A Tool is one operation.
type Tool struct {
	Name  string
	Doc   string  // one line, for a list of commands or tools
	Input []Field // the parameters, in the order of the struct; read off it by Find and All

	Group    Group  // under which the command line lists it
	Everyday bool   // it is one of the few commands that the short help lists
	Help     string // a paragraph or more, for the command's help
	Example  string // command lines, for the command's help

	Stores   Stores   // what can answer it
	RefArg   bool     // its first argument is a Ref, which may begin with the name of an index
	Vectors  bool     // it needs embeddings, if there are any
	OnDemand bool     // no command, and offered to agents only when it is asked for by name
	Aliases  []string // other names that calls may have for it: get_section
	Agent    Agent    // how agents see it

	run func(ctx context.Context, lib *docent.Library, params []byte) (Answer, error)
}

// A Group is a heading under which help lists operations.
type Group string

// The groups of operations. The command line has more, for other commands.
const (
	Ask        Group = "Ask"
	LookCloser Group = "Look closer"
	LookAfter  Group = "Look after documents"
	ForAgents  Group = "Hand to agents"
)

// Stores says what can answer an operation.
type Stores int

const (
	AnyStore   Stores = iota + 1 // a folder, a pack or a database
	FolderOnly                   // not a database: it needs all documents at hand
)

// An Agent says how agents see an operation over MCP. Every word is paid for at the
// start of each conversation, so a definition shows the parameters that an agent needs
// and leaves out the others, which work all the same. The zero value shows the
// operation as it is.
type Agent struct {
	Default  bool     // served unless other tools are chosen
	Name     string   // of the tool; "" means the operation's
	Doc      string   // what it is for, and when; "" means the operation's, as a sentence
	Params   []Param  // the parameters to show; nil means all, as they are described in Input
	Optional []string // required parameters that need not be given, as Own can replace them
	Own      []Field  // parameters that the server itself understands
	Index    bool     // where there are named indexes, a parameter chooses among them
	Writes   bool     // it changes something
}

// A Param is a parameter as agents see it. It says what a model would get wrong
// otherwise: forms, defaults, limits.
type Param struct{ Name, Doc string }

// ErrUnknown is what Call returns, wrapped, for a name that is not in the table.
var ErrUnknown = errors.New("unknown tool")

// hasAlias reports whether name is an alias of t. The specifications that docent unites,
// and the tools for files that models know best, have names of their own for operations.
// They are understood whether written getSection, get_section or docs_get_section, and
// are not shown.
func (t *Tool) hasAlias(name string) bool {
	fold := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "_", "") }
	folded := fold(strings.TrimPrefix(name, "docs_"))
	return slices.ContainsFunc(t.Aliases, func(alias string) bool { return fold(alias) == folded })
}

// Call runs the operation.
func (t Tool) Call(ctx context.Context, lib *docent.Library, params []byte) (Answer, error) {
	return t.run(ctx, lib, params)
}
