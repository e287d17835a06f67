// Package manual writes the manual of a command line from the commands themselves:
// a Markdown page and a man page for each, so that neither says what the program does
// not do.
package manual

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A Page describes one command. Commands below it are parts of its page.
type Page struct {
	Name    string // as it is typed: docent cluster drop
	Short   string // one line
	Long    string // paragraphs; lines that begin with a space are set as they are
	Usage   string
	Example string
	Flags   []Flag
	Parts   []Page
	Notes   []string // sentences about the command that its help does not have
}

// A Flag is one flag of a command.
type Flag struct {
	Name  string // -n, --results int
	About string
}

// Pages returns the page of every command of root, in the order of help.
func Pages(root *cobra.Command) []Page {
	var out []Page
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() || cmd.Name() == "help" {
			out = append(out, page(cmd))
		}
	}
	return out
}

func page(cmd *cobra.Command) Page {
	p := Page{
		Name:    cmd.CommandPath(),
		Short:   cmd.Short,
		Long:    strings.TrimSpace(cmd.Long),
		Usage:   cmd.UseLine(),
		Example: strings.Trim(cmd.Example, "\n"),
	}
	if p.Long == "" {
		p.Long = sentence(p.Short)
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			p.Flags = append(p.Flags, flag(f))
		}
	})
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			p.Parts = append(p.Parts, page(sub))
		}
	}
	return p
}

// flag describes a flag as help does: the kind of its value, and the default unless
// that is the zero value or said already.
func flag(f *pflag.Flag) Flag {
	kind, about := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if f.NoOptDefVal != "" && f.Value.Type() != "bool" {
		name += "[=" + kind + "]"
	} else if kind != "" {
		name += " " + kind
	}
	switch f.DefValue {
	case "", "0", "0s", "false", "[]":
	default:
		about += " (default " + f.DefValue + ")"
	}
	return Flag{Name: name, About: about}
}

// File returns the page's name without an ending: docent-search.
func (p Page) File() string { return strings.ReplaceAll(p.Name, " ", "-") }

// sentence makes a sentence of a line such as "list nodes and indexes".
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// A block is a paragraph, or lines that keep their shape.
type block struct {
	literal bool
	lines   []string
}

// blocks cuts a text into paragraphs and literal lines. A blank line between literal
// lines belongs to them.
func blocks(text string) []block {
	var out []block
	blank := true
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) == "" {
			blank = true
			continue
		}
		literal := strings.HasPrefix(line, " ")
		if n := len(out); n > 0 && out[n-1].literal == literal && (literal || !blank) {
			if blank {
				out[n-1].lines = append(out[n-1].lines, "")
			}
			out[n-1].lines = append(out[n-1].lines, line)
		} else {
			out = append(out, block{literal, []string{line}})
		}
		blank = false
	}
	return out
}
