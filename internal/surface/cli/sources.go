package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/docent-md/docent"
	"github.com/spf13/cobra"
)

// sourceOptions say how sources are reached: by what the user's environment says,
// and nothing that a project does.
func (c *console) sourceOptions(b *fetchBar) docent.SourceOptions {
	return docent.SourceOptions{
		Token:     strings.TrimSpace(os.Getenv("GITHUB_TOKEN")),
		GitHubURL: strings.TrimSpace(os.Getenv("DOCENT_GITHUB_URL")),
		Progress:  b.update,
	}
}

const addHelp = `Add documents to a project: a folder or file of it, or Markdown that is fetched into it.

  docs                                          a folder of this project
  owner/repo                                    a repository on GitHub, its default branch
  owner/repo@v1.2                               at a tag, branch or commit
  https://github.com/owner/repo/tree/main/docs  one folder of it
  git@github.com:owner/repo.git                 the same, as git has it
  https://example.com/llms.txt                  a site's list for models, and the Markdown it links to
  https://example.com/docs.tar.gz, .zip         an archive
  ../lib --rev v1.2                             a local git repository at a revision

Only Markdown is kept, with its licence, in ref-docs/NAME. Versions can lie side by
side: react@18, react@19. The folder is added to the paths in .docent.json, which is
made where there is none, the address to its sources, and the index is brought up to
date. "docent update" fetches again what has changed.

For private repositories set GITHUB_TOKEN: it is sent to GitHub's API alone, and written
nowhere. DOCENT_GITHUB_URL names a GitHub Enterprise server.`

// newAdd makes "docent add".
func newAdd(c *console) *cobra.Command {
	var root, path, branch, rev string
	var noIndex, asJSON, verbose bool
	cmd := &cobra.Command{
		Use:     "add <source>",
		Short:   "add a folder, a GitHub repository, an llms.txt or an archive to the docs",
		Long:    addHelp,
		Example: "  docent add docs\n  docent add facebook/react@v18.3.1\n  docent add https://github.com/kubernetes/website/tree/main/content/en/docs --path ref-docs/kubernetes\n  docent add ../lib --rev v1.2",
		Args:    oneArg("a path or an address", "docent add owner/repo"),
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&path, "path", "", "folder to keep what is fetched in (default: ref-docs/NAME)")
	f.StringVar(&branch, "branch", "", "branch to follow (default: the address's, or the repository's own)")
	f.StringVar(&rev, "rev", "", "tag or commit to stay at")
	sourceFlags(cmd, &root, &noIndex, &asJSON)
	f.BoolVarP(&verbose, "verbose", "v", false, "list what was left out of an archive")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		bar := c.fetching()
		o := c.sourceOptions(bar)
		o.Path, o.Branch, o.Rev = path, branch, rev
		r, err := docent.AddSource(cmd.Context(), root, args[0], o)
		bar.done()
		if err != nil {
			return addHint(err, args[0])
		}
		c.leftOut(r, verbose)
		index, err := c.reindex(cmd.Context(), root, noIndex)
		if err != nil {
			return err
		}
		fetched := r.Kind != "folder"
		switch {
		case asJSON && fetched:
			return c.json(indexedSource{r, index})
		case asJSON:
			return c.json(indexedPath{r.Path, index})
		case fetched:
			fmt.Fprintf(c.out, "added %s: %s from %s\n", r.Path, count(r.Files, "file"), clean(r.Text()))
		default:
			fmt.Fprintf(c.out, "added %s\n", r.Path)
		}
		return c.indexLine(index)
	}
	return cmd
}

type indexedSource struct {
	*docent.SourceReport
	Index *docent.IndexReport `json:"index,omitempty"`
}

type indexedPath struct {
	Path  string              `json:"path"`
	Index *docent.IndexReport `json:"index,omitempty"`
}

// addHint says how to mend what kept a source from being added.
func addHint(err error, text string) error {
	if errors.Is(err, docent.ErrNoPath) {
		return withHint(err, "a repository is named owner/repo or github.com/owner/repo; \"docent add --help\" lists what else can be added")
	}
	if _, ok := errors.AsType[*docent.OutsideError](err); ok {
		return withHint(err, "copy or clone it into the project; of a git repository, docent add %s --rev HEAD keeps a revision in it", clean(text))
	}
	if _, ok := errors.AsType[*docent.TakenError](err); ok {
		return withHint(err, "\"docent update\" fetches it again; --path keeps another version in a folder of its own")
	}
	return scanHint(err)
}

// leftOut says what an archive held that was not taken.
func (c *console) leftOut(r *docent.SourceReport, verbose bool) {
	switch n := len(r.Skipped); {
	case n == 0:
	case verbose:
		for _, s := range r.Skipped {
			c.note("%s: left out %s: %s", r.Path, clean(s.Path), s.Reason)
		}
	default:
		c.note("%s: %s left out (--verbose lists them)", r.Path, count(n, "file"))
	}
}

// sourceFlags adds the flags that all commands about sources have.
func sourceFlags(cmd *cobra.Command, root *string, noIndex, asJSON *bool) {
	f := cmd.Flags()
	f.BoolVar(noIndex, "no-index", false, "leave the index as it is")
	f.StringVar(root, "root", "", "the project's folder (default: that of the nearest .docent.json, else this one)")
	f.BoolVar(asJSON, "json", false, "one JSON document")
}

// reindex brings the index up to date, unless that is not wanted.
func (c *console) reindex(ctx context.Context, root string, not bool) (*docent.IndexReport, error) {
	if not {
		return nil, nil
	}
	bar := c.progress("indexing")
	remote := c.remote("index")
	defer remote.close()
	r, err := docent.Index(ctx, root, false, docent.Options{
		Progress: bar.update, Note: func(s string) { c.note("%s", s) }, Remote: remote.get, EmbedProgress: c.embedBar(),
	})
	bar.done()
	if err != nil {
		return nil, libraryHint(err)
	}
	return r, nil
}

func (c *console) indexLine(r *docent.IndexReport) error {
	if r == nil {
		return nil
	}
	_, err := fmt.Fprintln(c.out, r.Text())
	return err
}

// count gives "1 file", "2 files".
func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// oneArg asks for exactly one argument.
func oneArg(what, example string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 || args[0] == "" {
			return withHint(fmt.Errorf("%s needs %s", cmd.Name(), what), "for example: %s", example)
		}
		return nil
	}
}

// newSources makes "docent sources".
func newSources(c *console) *cobra.Command {
	var root string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "sources",
		Short: "list where fetched docs come from",
		Long: `List the sources of a project: the folder each is kept in, its address, the commit, how many
files there are, and whether they are as they were fetched. Nobody is asked: "docent
update" does that.`,
		Example: "  docent sources\n  docent sources --json",
		Args:    noArgs,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&root, "root", "", "the project's folder (default: that of the nearest .docent.json, else this one)")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(_ *cobra.Command, _ []string) error {
		list, err := docent.Sources(root, c.sourceOptions(c.fetching()))
		if err != nil {
			return err
		}
		if list.Nothing() {
			c.note("%s", noSources)
		}
		return (&formatFlags{json: asJSON}).write(c, list)
	}
	return cmd
}

// A fetchBar shows on a terminal how far a source is, and nothing in a pipe.
type fetchBar struct {
	c    *console
	last time.Time
	on   bool
}

func (c *console) fetching() *fetchBar { return &fetchBar{c: c} }

// barWidth is how many cells a bar has.
const barWidth = 24

func (b *fetchBar) update(p docent.SourceProgress) {
	whole := p.Total > 0 && p.Bytes >= p.Total
	if !b.c.errIsTTY || time.Since(b.last) < 100*time.Millisecond && !whole {
		return
	}
	b.last, b.on = time.Now(), true
	b.c.meter("%s", barText(p))
}

// barText draws one: "ref-docs/react [######------] 3.4 of 6.8 MB, 120 files".
func barText(p docent.SourceProgress) string {
	size := fmt.Sprintf("%.1f MB", float64(p.Bytes)/1e6)
	bar := ""
	if p.Total > 0 {
		n := int(min(p.Bytes, p.Total) * barWidth / p.Total)
		bar = "[" + strings.Repeat("#", n) + strings.Repeat("-", barWidth-n) + "] "
		size = fmt.Sprintf("%.1f of %.1f MB", float64(p.Bytes)/1e6, float64(p.Total)/1e6)
	}
	return fmt.Sprintf("%s %s%s, %s", clean(p.Path), bar, size, count(p.Files, "file"))
}

func (b *fetchBar) done() {
	if b.on {
		b.c.clearBar()
		b.on = false
	}
}
