package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/docent-md/docent/internal/surface/manual"
	"github.com/docent-md/docent/tool"
	"github.com/spf13/cobra"
)

// Manual returns the pages of all commands of a version, by file name: docent.1, docent-search.1 and
// so on as man pages, README.md and docent-search.md as Markdown.
func Manual(version string) map[string]string {
	root := wholeRoot(newConsole(strings.NewReader(""), io.Discard, io.Discard))
	out := map[string]string{"docent.1": overview(root, version)}
	for _, p := range manual.Pages(root) {
		out[p.File()+".1"] = p.Man(version)
		annotate(&p)
		out[p.File()+".md"] = p.Markdown()
	}
	out["README.md"] = manual.Index("Commands", indexAbout, pageGroups(root))
	return out
}

const indexAbout = "Every command with its flags and examples, as `docent help COMMAND` prints them. The same pages are\n" +
	"man pages: `docent help --man`. What commands print is in [output.md](../output.md), field by field."

// wholeRoot returns the command line with every command.
func wholeRoot(c *console) *cobra.Command {
	root := bareRoot(c)
	addVersion(root)
	addAll(c, root)
	return root
}

// pageGroups returns the pages in the groups of help, and the rest under a last heading.
func pageGroups(root *cobra.Command) []manual.Group {
	var out []manual.Group
	in := func(id string) (pages []manual.Page) {
		for _, p := range manual.Pages(root) {
			if command(root, strings.TrimPrefix(p.Name, "docent ")).GroupID == id {
				pages = append(pages, p)
			}
		}
		return pages
	}
	for _, g := range groups {
		out = append(out, manual.Group{Title: strings.TrimSuffix(g.title, ":"), Pages: in(string(g.group))})
	}
	return append(out, manual.Group{Title: "This program", Pages: in("")})
}

// annotate adds what the table of operations says of a command and its help does not.
func annotate(p *manual.Page) {
	t, err := tool.Find(strings.TrimPrefix(p.Name, "docent "))
	if err != nil {
		return
	}
	name := t.Name
	if t.Agent.Name != "" {
		name = t.Agent.Name
	}
	if t.Agent.Default {
		p.Notes = append(p.Notes, fmt.Sprintf("Agents have this as the tool `%s` ([mcp.md](../mcp.md)).", name))
	} else {
		p.Notes = append(p.Notes, fmt.Sprintf("Agents get this as the tool `%s` where it is asked for: `docent serve --tools`.", name))
	}
	if t.Stores == tool.FolderOnly {
		p.Notes = append(p.Notes, "It needs all documents at hand, so a database or a cluster cannot answer it.")
	}
}

// overview is the man page docent(1).
func overview(root *cobra.Command, version string) string {
	p := manual.Page{
		Name: "docent", Short: root.Short, Long: about, Usage: "docent <command> [flags]",
		Example: "  docent search how do I rotate a key\n  docent read guide/keys.md#rotate-a-key\n  docent serve",
	}
	return manual.Overview(p, version, pageGroups(root), []manual.Section{
		{Title: "EXIT STATUS", Items: []manual.Flag{
			{Name: "0", About: "something was found, or done"},
			{Name: "1", About: "nothing was found, or check found faults"},
			{Name: "2", About: "something failed; standard error says what, and what to do next"},
		}},
		{Title: "FILES", Items: []manual.Flag{
			{Name: ".docent.json", About: "the configuration of a project; docent init writes one"},
			{Name: ".docent", About: "the index, beside .docent.json; it can always be rebuilt"},
			{
				Name:  `~/.cache/docent, ~/Library/Caches/docent, %LocalAppData%\docent`,
				About: "on Linux (or $XDG_CACHE_HOME/docent), macOS and Windows: indexes of folders without a configuration; docent cache lists them",
			},
		}},
	})
}

// addMan adds --man to "docent help".
func addMan(root, help *cobra.Command) {
	man := help.Flags().Bool("man", false, "as a man page, for man -l -; \"docent help all --man\" prints every page")
	text := help.Run
	help.Run = nil
	help.RunE = func(cmd *cobra.Command, args []string) error {
		if !*man {
			text(cmd, args)
			return nil
		}
		if len(args) == 0 || args[0] == "all" {
			cmd.Print(overview(root, version()))
		}
		if len(args) == 0 {
			return nil
		}
		found := args[0] == "all"
		for _, p := range manual.Pages(root) {
			if found = found || p.Name == "docent "+args[0]; args[0] == "all" || p.Name == "docent "+args[0] {
				cmd.Print(p.Man(version()))
			}
		}
		if !found {
			return withHint(fmt.Errorf("no manual page for %q", args[0]), "\"docent help all\" lists the commands")
		}
		return nil
	}
}
