package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/indexset"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/project"
	"github.com/spf13/cobra"
)

// sourceOptions returns how sources are fetched. Everything comes from the user's
// environment, and nothing from a project.
func sourceOptions(b *bar) project.SourceOptions {
	return project.SourceOptions{
		Token:     strings.TrimSpace(os.Getenv("GITHUB_TOKEN")),
		GitHubURL: strings.TrimSpace(os.Getenv("DOCENT_GITHUB_URL")),
		Progress:  b.fetched,
	}
}

const addHelp = `Add documents to a project: a folder or file of it, or Markdown that is fetched into it.

  docs                                          a folder of this project
  owner/repo                                    a repository on GitHub, its default branch
  owner/repo@v1.2                               at a tag, branch or commit
  https://github.com/owner/repo/tree/main/docs  one folder of it
  git@github.com:owner/repo.git                 the same, in git's form
  https://example.com/llms.txt                  an llms.txt, and the Markdown it links to
  https://example.com/docs.tar.gz, .zip         an archive
  ../docs.zip, ../docs.tar.gz                   one of this machine
  ../lib --rev v1.2                             a local git repository at a revision

Only Markdown and its licence are stored, in ref-docs/NAME. There can be several versions:
react@18, react@19. With --as each is a named index of its own, which the project's index
leaves out: "docent search --index react@18" asks it, and react alone means the newest.

Otherwise the folder is added to the paths in .docent.json, which is created if
there is none, the address to its sources, and the index is refreshed. What was indexed
before still is: without a config that is all of the project, and "docent remove ." leaves
only what was added. "docent update" fetches what has changed since.

For private repositories set GITHUB_TOKEN: it is sent only to GitHub's API and never
written to disk. DOCENT_GITHUB_URL names a GitHub Enterprise server.`

// newAdd returns "docent add".
func newAdd(c *console) *cobra.Command {
	var root, path, branch, rev, as string
	var noIndex, asJSON, verbose bool
	cmd := &cobra.Command{
		Use:     "add <source>",
		Short:   "add a folder, a GitHub repository, an llms.txt or an archive to the docs",
		Long:    addHelp,
		Example: "  docent add docs\n  docent add facebook/react@v18.3.1\n  docent add https://github.com/kubernetes/website/tree/main/content/en/docs --path ref-docs/kubernetes\n  docent add facebook/react@v18.3.1 --as react@18\n  docent add ../lib --rev v1.2",
		Args:    oneArg("a path or an address", "docent add owner/repo"),
	}
	f := flagsOf(cmd)
	f.StringVar(&path, "path", "", "folder for the fetched files, from --root or here (default: ref-docs/NAME)")
	f.StringVar(&branch, "branch", "", "branch to follow (default: that in the address, else the default branch)")
	f.StringVar(&rev, "rev", "", "tag or commit to pin")
	f.StringVar(&as, "as", "", "keep it apart, as a named index: react@18, of which react means the newest")
	sourceFlags(cmd, &root, &noIndex, &asJSON)
	f.BoolVarP(&verbose, "verbose", "v", false, "list the files that were skipped")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		bar := &bar{c: c}
		o := sourceOptions(bar)
		o.Path, o.Branch, o.Rev, o.As = path, branch, rev, as
		if as != "" {
			return addApart(cmd.Context(), c, root, args[0], o, noIndex, asJSON, verbose)
		}
		r, err := project.AddSource(cmd.Context(), root, args[0], o)
		bar.done()
		if err != nil {
			return addHint(err, args[0])
		}
		leftOut(c, r, verbose)
		if r.Covered {
			c.note("other paths of the config cover %s already: more is indexed only where ignore rules left it out", clean(r.Path))
		}
		index, err := reindex(cmd.Context(), c, root, noIndex)
		if err != nil {
			return fmt.Errorf("%s is added, but the index is not refreshed: %w", clean(r.Path), err)
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
		return indexLine(c, index)
	}
	return cmd
}

// addApart fetches a source and makes it a named index.
func addApart(ctx context.Context, c *console, root, text string, o project.SourceOptions, noIndex, asJSON, verbose bool) error {
	if noIndex {
		return errors.New("--no-index and --as contradict each other: --as makes an index")
	}
	if err := indexset.CheckName(o.As); err != nil {
		return fmt.Errorf("--as: %w", err)
	}
	set, err := namedFlags{false, root}.set(docent.IndexSetOptions{Options: docent.Options{Note: c.noteText}})
	if err != nil {
		return err
	}
	defer set.Close()
	if set.Has(o.As) {
		return withHint(fmt.Errorf("--as: there is an index %s already", o.As), "\"docent update\" fetches its documents again, \"docent indexes rm %s\" deletes it", o.As)
	}
	bar := &bar{c: c}
	o.Progress = bar.fetched
	r, err := project.AddSource(ctx, root, text, o)
	bar.done()
	if err != nil {
		return addHint(err, text)
	}
	leftOut(c, r, verbose)
	folder, err := projectPath(root, r.Path)
	if err != nil {
		return err
	}
	indexing := c.progress("indexing")
	made, err := set.Make(ctx, o.As, r.Text(), folder, docent.MakeOptions{Options: docent.Options{Progress: indexing.update, Note: c.noteText}})
	indexing.done()
	if err != nil {
		return fmt.Errorf("%s is added, but not indexed: %w", clean(r.Path), libraryHint(err))
	}
	made.Centroid = nil
	if asJSON {
		return c.json(struct {
			*project.SourceReport
			Index *answer.NamedIndex `json:"index"`
		}{r, made})
	}
	fmt.Fprintf(c.out, "added %s: %s from %s\n", r.Path, count(r.Files, "file"), clean(r.Text()))
	return c.printf("index %s: %s, %s\n", made.Name, count(made.Files, "file"), count(made.Chunks, "chunk"))
}

// projectPath is a path of the project as the working directory has it.
func projectPath(root, path string) (string, error) {
	found, err := corpus.Find(root)
	if err != nil {
		return "", err
	}
	return filepath.Join(found.Dir, filepath.FromSlash(path)), nil
}

type indexedSource struct {
	*project.SourceReport
	Index *answer.IndexReport `json:"index,omitempty"`
}

type indexedPath struct {
	Path  string              `json:"path"`
	Index *answer.IndexReport `json:"index,omitempty"`
}

// addHint adds to an error what to do next.
func addHint(err error, text string) error {
	if errors.Is(err, docent.ErrNoPath) {
		return withHint(err, "a repository is named owner/repo or github.com/owner/repo; \"docent add --help\" lists what else can be added")
	}
	if _, ok := errors.AsType[*project.OutsideError](err); ok {
		return withHint(err, "copy or clone it into the project; for a git repository, docent add %s --rev HEAD copies a revision", clean(text))
	}
	if _, ok := errors.AsType[*project.TakenError](err); ok {
		return withHint(err, "\"docent update\" fetches it again; --path puts another version into another folder")
	}
	return scanHint(err)
}

// leftOut reports the files of an archive that were skipped.
func leftOut(c *console, r *project.SourceReport, verbose bool) {
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

// sourceFlags adds the flags of all commands about sources.
func sourceFlags(cmd *cobra.Command, root *string, noIndex, asJSON *bool) {
	f := cmd.Flags()
	f.BoolVar(noIndex, "no-index", false, "do not refresh the index")
	f.StringVar(root, "root", "", "the project's folder (default: that of the nearest .docent.json, else this one)")
	f.BoolVar(asJSON, "json", false, "one JSON document")
}

// reindex refreshes the index, unless skip is set.
func reindex(ctx context.Context, c *console, root string, skip bool) (*answer.IndexReport, error) {
	configNotes(c, root)
	if skip {
		return nil, nil
	}
	bar := c.progress("indexing")
	remote := c.remote("index")
	defer remote.close()
	r, err := docent.Index(ctx, root, false, docent.Options{
		Progress: bar.update, Note: c.noteText, Endpoint: remote.get, EmbedProgress: c.countBar("vectors"),
	})
	bar.done()
	if err != nil {
		return nil, libraryHint(err)
	}
	return r, nil
}

func indexLine(c *console, r *answer.IndexReport) error {
	if r == nil {
		return nil
	}
	return c.printf("%s\n", r.Text())
}

// oneArg requires exactly one argument.
func oneArg(what, example string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 || args[0] == "" {
			return withHint(fmt.Errorf("%s needs %s", cmd.Name(), what), "for example: %s", example)
		}
		return nil
	}
}

// newSources returns "docent sources".
func newSources(c *console) *cobra.Command {
	var root string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "sources",
		Short: "list where fetched docs come from",
		Long: `List the sources of a project: folder, address, commit, number of files, and whether they
were changed after the fetch. This needs no network; "docent update" checks for newer
versions.`,
		Example: "  docent sources\n  docent sources --json",
		Args:    noArgs,
	}
	f := flagsOf(cmd)
	f.StringVar(&root, "root", "", "the project's folder (default: that of the nearest .docent.json, else this one)")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(_ *cobra.Command, _ []string) error {
		configNotes(c, root)
		list, err := project.Sources(root, sourceOptions(&bar{c: c}))
		if err != nil {
			return err
		}
		if list.Empty() {
			c.note("%s", noSources)
		}
		return (&formatFlags{json: asJSON}).write(c, list)
	}
	return cmd
}

// barWidth is the width of a bar in characters.
const barWidth = 24

// fetched shows the progress of a fetch.
func (b *bar) fetched(p project.SourceProgress) {
	b.show(p.Total > 0 && p.Bytes >= p.Total, "%s", barText(p))
}

// barText formats a bar: "ref-docs/react [######------] 3.4 of 6.8 MB, 120 files".
func barText(p project.SourceProgress) string {
	size := fmt.Sprintf("%.1f MB", float64(p.Bytes)/1e6)
	bar := ""
	if p.Total > 0 {
		n := int(min(p.Bytes, p.Total) * barWidth / p.Total)
		bar = "[" + strings.Repeat("#", n) + strings.Repeat("-", barWidth-n) + "] "
		size = fmt.Sprintf("%.1f of %.1f MB", float64(p.Bytes)/1e6, float64(p.Total)/1e6)
	}
	return fmt.Sprintf("%s %s%s, %s", clean(p.Path), bar, size, count(p.Files, "file"))
}
