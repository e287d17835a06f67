package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/tool"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newTool makes the command of an operation: its flags and arguments are the
// operation's parameters.
func newTool(c *console, t tool.Tool) *cobra.Command {
	help := manual(t.Name)
	cmd := &cobra.Command{
		Use:     t.Name + usage(t),
		Short:   t.Doc,
		Long:    help.long,
		Example: help.example,
	}
	f := cmd.Flags()
	f.SortFlags = false
	for _, p := range t.Input {
		addFlag(f, p)
	}
	var lib libraryFlags
	var out formatFlags
	out.add(f, t)
	if slices.Contains(docent.StoredTools, t.Name) {
		lib.add(f)
	} else {
		lib.addFolder(f, t.Name)
	}
	if t.Name == "search" {
		f.Lookup("index").Usage += ", several with commas, or all (and this project)"
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 && isRefTool(t) {
			if err := lib.named(&args[0]); err != nil {
				return err
			}
		}
		params, err := params(t, f, args)
		if err != nil {
			return err
		}
		if rerank := f.Lookup("rerank"); rerank != nil && rerank.Value.String() == "true" {
			if lib.assistant, err = c.assistant(t.Name); err != nil {
				return err
			}
			if lib.assistant == nil {
				return errNoKey
			}
			defer lib.assistant.Close()
		}
		if t.Name == "search" && lib.index != "" {
			q, err := tool.SearchQuery(params)
			if err != nil {
				return err
			}
			q.References = q.References || out.json || out.jsonl
			answer, err := lib.searchNamed(cmd.Context(), c, q)
			if err != nil {
				return err
			}
			return out.write(c, answer)
		}
		lib.words = t.Name != "search" || f.Lookup("mode").Value.String() == docent.Lexical
		return lib.with(cmd.Context(), c, func(l *docent.Library) error {
			answer, err := t.Call(cmd.Context(), l, params)
			if err != nil {
				return err
			}
			lib.mark(answer)
			if a, ok := answer.(*docent.Answer); ok && (out.json || out.jsonl) {
				if err := l.Refer(cmd.Context(), a); err != nil {
					return err
				}
			}
			return out.write(c, answer)
		})
	}
	return cmd
}

// isRefTool reports whether the first argument of a tool is a Ref.
func isRefTool(t tool.Tool) bool {
	return len(t.Input) > 0 && t.Input[0].Arg && slices.Contains(tool.RefFields, t.Input[0].Name)
}

func usage(t tool.Tool) string {
	s := ""
	for _, p := range t.Input {
		if !p.Arg {
			continue
		}
		if p.Required {
			s += " <" + p.Name + ">"
		} else {
			s += " [" + p.Name + "]"
		}
	}
	return s
}

func addFlag(f *pflag.FlagSet, p tool.Field) {
	switch {
	case p.Flag == "":
	case p.Kind == "integer":
		f.IntP(p.Flag, p.Short, 0, p.Doc)
	case p.Kind == "boolean":
		f.BoolP(p.Flag, p.Short, false, p.Doc)
	default:
		doc := p.Doc
		if len(p.Enum) > 0 {
			doc += ": " + strings.Join(p.Enum, ", ")
		}
		f.StringP(p.Flag, p.Short, "", doc)
	}
}

// mayBeZero reports whether a flag counts lines which need not be there.
func mayBeZero(flag string) bool {
	return flag == "after-context" || flag == "before-context" || flag == "context"
}

// params gathers flags and arguments into the operation's JSON.
func params(t tool.Tool, f *pflag.FlagSet, args []string) ([]byte, error) {
	m := map[string]any{}
	for _, p := range t.Input {
		switch {
		case p.Arg && p.Rest:
			// Words need no quotes: all arguments are one question.
			words := strings.Join(args, " ")
			m[p.Name] = words
			if p.Required && strings.TrimSpace(words) == "" {
				return nil, withHint(fmt.Errorf("%s needs a %s", t.Name, p.Name), "for example: %s", firstExample(t.Name))
			}
			args = nil
		case p.Arg && len(args) > 0 && (args[0] != "" || !p.Required):
			m[p.Name], args = args[0], args[1:]
		case p.Arg && p.Required:
			return nil, withHint(fmt.Errorf("%s needs a %s", t.Name, p.Name), "for example: %s", firstExample(t.Name))
		case p.Flag != "" && f.Changed(p.Flag):
			value := f.Lookup(p.Flag).Value.String()
			if n, err := strconv.Atoi(value); err == nil && p.Kind == "integer" && (n < 0 || n == 0 && !mayBeZero(p.Flag)) {
				return nil, fmt.Errorf("--%s is %d: must be at least 1", p.Flag, n)
			}
			if len(p.Enum) > 0 && !slices.Contains(p.Enum, value) {
				return nil, fmt.Errorf("--%s is %q: must be one of %s", p.Flag, value, strings.Join(p.Enum, ", "))
			}
			switch p.Kind {
			case "integer", "boolean":
				m[p.Name] = json.RawMessage(value)
			default:
				m[p.Name] = value
			}
		}
	}
	if len(args) > 0 {
		return nil, withHint(fmt.Errorf("%s: one argument too many: %s", t.Name, args[0]), "for example: %s", firstExample(t.Name))
	}
	return json.Marshal(m)
}

func firstExample(name string) string {
	line, _, _ := strings.Cut(manual(name).example, "\n")
	return strings.TrimSpace(line)
}
