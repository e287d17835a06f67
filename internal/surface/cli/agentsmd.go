package cli

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/surface/handout"
	"github.com/spf13/cobra"
)

const agentsHelp = `Print a block for AGENTS.md or CLAUDE.md that tells an agent how to query these documents
and what they contain: a map of files and headings within --budget bytes.

With --write the block goes into the file (AGENTS.md, or CLAUDE.md if only that exists),
replacing the one between

  ` + "<!-- docent:begin -->" + `
  ` + "<!-- docent:end -->" + `

or at the end. The rest of the file stays as it is, byte for byte. Run it again when the
documents have changed. The map leaves out that file, and others that agents read anyway,
such as CLAUDE.md.`

const agentsExample = `  docent agents-md --root docs
  docent agents-md --write
  docent agents-md --write CLAUDE.md --budget 4KB`

// writeDefault is the value of --write without a file, as help shows it.
const writeDefault = "AGENTS.md|CLAUDE.md"

func newAgentsMD(c *console) *cobra.Command {
	var lib libraryFlags
	var budget, file string
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "agents-md [--write [file]]",
		Short:   "write a map of the docs for AGENTS.md or CLAUDE.md",
		Long:    agentsHelp,
		Example: agentsExample,
		Args:    atMostOne,
	}
	f := flagsOf(cmd)
	f.StringVar(&budget, "budget", "8KB", "largest size of the block: 8192, 8KB, 8KiB")
	f.StringVar(&file, "write", "", "write the block into this file")
	f.Lookup("write").NoOptDefVal = writeDefault
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	lib.addFolder(f, "agents-md")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		size, err := parseSize(budget)
		if err != nil {
			return fmt.Errorf("--budget: %w", err)
		}
		write := f.Changed("write")
		switch {
		case len(args) > 0 && !write:
			return withHint(fmt.Errorf("agents-md: %s: a file needs --write", clean(args[0])), "for example: docent agents-md --write %s", clean(args[0]))
		case len(args) > 0 && file != writeDefault:
			return errors.New("agents-md: one file at a time")
		case len(args) > 0:
			file = args[0]
		case file == writeDefault:
			file = agentsFile()
		case write && file == "":
			return errors.New("--write: the name of the file is empty")
		}
		return lib.guide(cmd.Context(), c, file, func(g *handout.Guide) error {
			block, err := g.AgentsMD(size)
			if err != nil {
				return err
			}
			if !write {
				return c.report(asJSON, map[string]string{"block": block}, "%s", block)
			}
			changed, err := rewrite(file, func(old []byte) ([]byte, error) { return handout.Replace(old, block) })
			if errors.Is(err, handout.ErrMarkers) {
				return withHint(err, "a block is between a line %q and a line %q after it: repair or remove them", "<!-- docent:begin -->", "<!-- docent:end -->")
			}
			if err != nil {
				return err
			}
			return reportRewrite(c, file, len(block), changed, asJSON)
		})
	}
	return cmd
}

// agentsFile returns the default file of --write: AGENTS.md, or CLAUDE.md if only that
// exists.
func agentsFile() string {
	if _, err := os.Stat("AGENTS.md"); errors.Is(err, os.ErrNotExist) {
		if _, err := os.Stat("CLAUDE.md"); err == nil {
			return "CLAUDE.md"
		}
	}
	return "AGENTS.md"
}

// newLLMsTxt returns "docent llms-txt".
func newLLMsTxt(c *console) *cobra.Command {
	var lib libraryFlags
	var base, budget string
	cmd := &cobra.Command{
		Use:   "llms-txt",
		Short: "print the table of contents as llms.txt",
		Long: `Print the documents in the llms.txt format of llmstxt.org: a heading, a summary, and for
each top folder a list of links with a note on each. Links are the paths of the files;
--base-url puts the address of a site before them. With --budget, notes go first; then
folders are joined and lists are cut short, with a line that says so.`,
		Example: "  docent llms-txt > llms.txt\n  docent llms-txt --root docs --base-url https://docs.example.com/",
		Args:    noArgs,
	}
	f := flagsOf(cmd)
	f.StringVar(&base, "base-url", "", "address to put before the paths")
	f.StringVar(&budget, "budget", "", "largest size: 8192, 8KB, 8KiB (default: as large as it takes)")
	lib.addFolder(f, "llms-txt")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if base != "" && !strings.HasPrefix(base, "https://") && !strings.HasPrefix(base, "http://") {
			return withHint(fmt.Errorf("--base-url is %q: must begin with https:// or http://", base), "for example: --base-url https://docs.example.com/")
		}
		if strings.ContainsAny(base, " \t\n()<>") {
			return fmt.Errorf("--base-url is %q: has characters that are not allowed in an address", base)
		}
		size := 0
		if f.Changed("budget") {
			var err error
			if size, err = parseSize(budget); err != nil {
				return fmt.Errorf("--budget: %w", err)
			}
			if size < handout.MinLLMsTxt {
				return fmt.Errorf("--budget is %d bytes: must be at least %d", size, handout.MinLLMsTxt)
			}
		}
		return lib.guide(cmd.Context(), c, "", func(g *handout.Guide) error {
			_, err := c.out.WriteString(g.LLMsTxt(base, size))
			return err
		})
	}
	return cmd
}

// newManifest returns "docent manifest".
func newManifest(c *console) *cobra.Command {
	var lib libraryFlags
	var budget, offset int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "manifest [file|folder]",
		Short: "list files with titles, summaries, sizes and headings",
		Long: `List every file with its title, a summary, its size and all its headings with their lines,
for agents that prefer a map to a search, and for programs. With --budget the text has at
most so many tokens: headings go first, then summaries. Where even the files are too many
it is an overview of folders with their sizes; name a folder to see more of it. JSON comes
in pages of files.`,
		Example: "  docent manifest --json\n  docent manifest guide",
		Args:    atMostOne,
	}
	f := flagsOf(cmd)
	f.IntVar(&budget, "budget", 0, "most tokens of the text (default: no limit)")
	f.IntVar(&offset, "offset", 0, "files or entries to skip: where the page before ended")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	lib.addFolder(f, "manifest")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.Changed("budget") {
			if err := inRange("budget", budget, answer.MinBudget, math.MaxInt32); err != nil {
				return err
			}
		}
		if f.Changed("offset") {
			if err := inRange("offset", offset, 1, math.MaxInt32); err != nil {
				return err
			}
		}
		count, err := corpus.Ceiling("")
		if err != nil {
			return err
		}
		lib.words = true
		return lib.with(cmd.Context(), c, func(l *docent.Library) error {
			m, err := l.Manifest(cmd.Context(), append(args, "")[0])
			if err != nil {
				return err
			}
			files := len(m.Files)
			m.Page(offset, budget, count)
			if !asJSON && len(m.Files) < files && m.Next > 0 {
				o, err := l.Overview(cmd.Context(), append(args, "")[0], answer.OverviewOptions{Offset: offset, Budget: budget})
				if err != nil {
					return err
				}
				return c.print(o, false)
			}
			return c.print(m, asJSON)
		})
	}
	return cmd
}
