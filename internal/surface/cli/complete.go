package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/surface/clients"
	"github.com/docent-md/docent/tool"
	"github.com/spf13/cobra"
)

// Completion offers paths and headings from the index, names of indexes and values of
// flags. It never builds or refreshes an index and prints no messages; without an index
// the shell completes files.

type completion = func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective)

// oneOf completes one of some words.
func oneOf(words ...string) completion {
	return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return beginning(words, begun), cobra.ShellCompDirectiveNoFileComp
	}
}

// severalOf completes words with commas between them.
func severalOf(words ...string) completion {
	return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		at := strings.LastIndexByte(begun, ',') + 1
		out := beginning(words, begun[at:])
		for i := range out {
			out[i] = begun[:at] + out[i]
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

func beginning(words []string, begun string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.HasPrefix(w, begun) })
}

// noFiles completes nothing, for arguments that are free text.
func noFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// onlyFirst completes the first argument.
func onlyFirst(first completion) completion {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return first(cmd, args, begun)
	}
}

// completeFlag sets the completion of a flag's value.
func completeFlag(cmd *cobra.Command, flag string, by completion) {
	if cmd.Flags().Lookup(flag) != nil {
		_ = cmd.RegisterFlagCompletionFunc(flag, by) // fails if the flag has one already
	}
}

// complete sets the completion of all commands.
func complete(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		completeFlag(cmd, "index", indexNames)
		completeFlag(cmd, "embed", oneOf(embedding.Kinds...))
		completeFlag(cmd, "tokens", oneOf("o200k", "claude", "chars4"))
		t, err := tool.Find(cmd.Name())
		if err != nil {
			continue
		}
		for _, p := range t.Input {
			if len(p.Enum) > 0 && p.Flag != "" {
				completeFlag(cmd, p.Flag, oneOf(p.Enum...))
			}
		}
		if cmd.ValidArgsFunction = noFiles; t.RefArg || t.Name == "list" || t.Name == "ls" {
			cmd.ValidArgsFunction = onlyFirst(refs)
		}
	}
	for name, by := range map[string]completion{
		"toc": paths, "open": onlyFirst(refs), "call": onlyFirst(oneOf(toolNames()...)), "search": noFiles,
	} {
		command(root, name).ValidArgsFunction = by
	}
	completeFlag(command(root, "mcp-config"), "client", oneOf(clients.Names()...))
	completeFlag(command(root, "tools"), "format", oneOf(tool.Formats...))
	completeFlag(command(root, "index"), "name", indexNames)
	completeFlag(command(root, "serve"), "tools", severalOf(append([]string{"default", "all"}, toolNames()...)...))
	command(command(root, "indexes"), "rm").ValidArgsFunction = onlyFirst(indexNames)
}

// indexNames completes the names of indexes.
func indexNames(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	var in namedFlags
	in.root, _ = cmd.Flags().GetString("root")
	in.global, _ = cmd.Flags().GetBool("global")
	set, err := in.set(docent.IndexSetOptions{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	all, _ := set.List()
	var out []string
	for _, n := range all {
		if strings.HasPrefix(n.Name, begun) {
			out = append(out, described(n.Name, n.Description))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// described returns a completion with its description.
func described(word, about string) string {
	if about = strings.ReplaceAll(clean(about), "\n", " "); about == "" {
		return word
	}
	return word + "\t" + about
}

// onlyKnownShells makes a shell that "docent completion" does not know an error.
func onlyKnownShells(root *cobra.Command) {
	cmd := command(root, "completion")
	var shells []string
	for _, sub := range cmd.Commands() {
		shells = append(shells, sub.Name())
	}
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return withHint(fmt.Errorf("no completion for %s", clean(args[0])), "there is one for %s", strings.Join(shells, ", "))
	}
}

// completionTimeout limits how long completion may take.
const completionTimeout = 2 * time.Second

// refs completes a Ref: folders and files of the index and, after a "#", the headings
// of a file.
func refs(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	root, _ := cmd.Flags().GetString("root")
	name, _ := cmd.Flags().GetString("index")
	for _, other := range []string{"db", "cluster"} {
		if x, _ := cmd.Flags().GetString(other); x != "" {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
	}
	if name == "" && !corpus.Indexed(root) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	ctx, cancel := context.WithTimeout(cmp.Or(cmd.Context(), context.Background()), completionTimeout)
	defer cancel()
	global, _ := cmd.Flags().GetBool("global")
	from := libraryFlags{root: root, index: name, global: global}
	lib, err := from.openWith(ctx, docent.Options{NoRefresh: true, EagerVectors: name != ""})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer lib.Close()
	const here = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	if file, _, isSection := strings.Cut(begun, "#"); isSection {
		return headings(ctx, lib, file, begun), cobra.ShellCompDirectiveNoFileComp
	}
	list, err := lib.Files(ctx, begun)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	// One folder at a time, as shells complete files.
	paths := list.Paths()
	for i, p := range paths {
		if n := strings.IndexByte(p[len(begun):], '/'); n >= 0 {
			paths[i] = p[:len(begun)+n+1]
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), here
}

// paths completes files and folders of the index.
func paths(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if strings.Contains(begun, "#") {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return refs(cmd, args, begun)
}

// headings returns the Refs of a file's sections that begin with what was typed.
func headings(ctx context.Context, lib *docent.Library, file, begun string) []string {
	o, err := lib.Outline(ctx, file, 0)
	if err != nil {
		return nil
	}
	var out []string
	var add func([]answer.OutlineSection)
	add = func(sections []answer.OutlineSection) {
		for _, s := range sections {
			if ref, err := doc.ParseRef(s.Ref); err == nil && ref.Anchor != "" {
				if ref.Lines = (doc.Lines{}); strings.HasPrefix(ref.String(), begun) {
					out = append(out, described(ref.String(), s.Title))
				}
			}
			add(s.Children)
		}
	}
	for _, f := range o.Files {
		add(f.Sections)
	}
	return out
}
