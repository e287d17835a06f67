package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/tool"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newTool makes the command of an operation: its flags and arguments are the
// operation's parameters.
func newTool(c *console, t tool.Tool) *cobra.Command {
	if t.Name == "toc" { // on the command line it takes more than Refs
		return newTOC(c, t)
	}
	cmd := &cobra.Command{
		Use:     t.Name + usage(t),
		Short:   t.Doc,
		Long:    t.Help,
		Example: t.Example,
	}
	f := flagsOf(cmd)
	for _, p := range t.Input {
		addFlag(f, p)
	}
	var lib libraryFlags
	var out formatFlags
	out.add(f, t)
	if t.Stores == tool.AnyStore {
		lib.add(f)
	} else {
		lib.addFolder(f, t.Name)
	}
	if t.Name == "search" {
		f.Lookup("index").Usage += ", several with commas, or all (and this project)"
	}
	arrange, show := keepArgs, out.write
	switch t.Name {
	case "grep":
		arrange, show = grepFlags(f, &lib, &out)
	case "check":
		arrange = func(args []string) ([]string, error) { return lib.elsewhere(args, 0) }
	case "stats":
		cmd.Use += " [folder]"
		arrange = lib.folderArg
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if t.RefArg {
			if err := lib.namedAll(args); err != nil {
				return err
			}
		}
		args, err := arrange(args)
		if err != nil {
			return err
		}
		if around := f.Lookup("around"); around != nil && out.json && len(args) == 1 && !f.Changed("budget") { // JSON has all fields
			if err := f.Set(around.Name, "true"); err != nil {
				return err
			}
		}
		params, err := params(t, f, args)
		if err != nil {
			return err
		}
		if rerank := f.Lookup("rerank"); rerank != nil && rerank.Value.String() == answer.RerankClaude {
			if lib.assistant, err = needAssistant(c, t.Name); err != nil {
				return err
			}
			defer lib.assistant.Close()
		}
		if between := f.Lookup("between"); between != nil && between.Changed {
			return lib.between(cmd.Context(), c, f, append(args, "")[0], &out)
		}
		if t.Name == "search" && lib.index != "" {
			q, err := tool.SearchQuery(params)
			if err != nil {
				return err
			}
			q.References = q.References || out.json || out.jsonl
			found, err := lib.searchNamed(cmd.Context(), c, q)
			if err != nil {
				return err
			}
			return out.write(c, found)
		}
		lib.words = !t.Vectors || t.Name == "search" && f.Lookup("mode").Value.String() == answer.Lexical
		return lib.with(cmd.Context(), c, func(l *docent.Library) error {
			found, err := t.Call(cmd.Context(), l, params)
			if err != nil {
				return err
			}
			if a, ok := found.(*answer.Answer); ok && (out.json || out.jsonl) {
				if err := l.AddReferences(cmd.Context(), a); err != nil {
					return err
				}
			}
			lib.mark(found)
			return show(c, found)
		})
	}
	return cmd
}

func usage(t tool.Tool) string {
	s := ""
	for _, p := range t.Input {
		if !p.Arg {
			continue
		}
		switch {
		case p.Required:
			s += " <" + p.Name + ">"
		case p.Kind == "array":
			s += " [" + strings.TrimSuffix(p.Name, "s") + " ...]"
		default:
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
	case p.Kind == "array":
		f.StringArrayP(p.Flag, p.Short, nil, p.Doc)
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

// params gathers flags and arguments into the operation's JSON.
func params(t tool.Tool, f *pflag.FlagSet, args []string) ([]byte, error) {
	m := map[string]any{}
	for _, p := range t.Input {
		switch {
		case p.Arg && p.Kind == "array":
			if len(args) > 0 {
				m[p.Name] = args
			}
			args = nil
		case p.Arg && p.Rest:
			// Words need no quotes: all arguments are one question.
			words := strings.Join(args, " ")
			m[p.Name] = words
			if p.Required && strings.TrimSpace(words) == "" {
				return nil, withHint(fmt.Errorf("%s needs a %s", t.Name, p.Name), "for example: %s", firstExample(t))
			}
			args = nil
		case p.Arg && len(args) > 0 && (args[0] != "" || !p.Required):
			m[p.Name], args = args[0], args[1:]
		case p.Arg && p.Required:
			return nil, withHint(fmt.Errorf("%s needs a %s", t.Name, p.Name), "for example: %s", firstExample(t))
		case p.Flag != "" && f.Changed(p.Flag):
			value := f.Lookup(p.Flag).Value.String()
			if n, err := strconv.Atoi(value); err == nil && p.Kind == "integer" && (n < 0 || n == 0 && !p.ZeroOK) {
				return nil, fmt.Errorf("--%s is %d: must be at least 1", p.Flag, n)
			}
			if len(p.Enum) > 0 && !slices.Contains(p.Enum, value) {
				return nil, fmt.Errorf("--%s is %q: must be one of %s", p.Flag, value, strings.Join(p.Enum, ", "))
			}
			switch p.Kind {
			case "integer", "boolean":
				m[p.Name] = json.RawMessage(value)
			case "array":
				m[p.Name], _ = f.GetStringArray(p.Flag)
			default:
				m[p.Name] = value
			}
		}
	}
	if len(args) > 0 {
		return nil, withHint(fmt.Errorf("%s: one argument too many: %s", t.Name, args[0]), "for example: %s", firstExample(t))
	}
	return json.Marshal(m)
}

func firstExample(t tool.Tool) string {
	line, _, _ := strings.Cut(t.Example, "\n")
	return strings.TrimSpace(line)
}
