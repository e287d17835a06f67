package cli

import (
	"errors"
	"fmt"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/spf13/cobra"
)

const chunksHelp = `Split Markdown into chunks by its structure and print them as JSON Lines, one chunk per
line: section_id, parent_id, title, path, content, source, tokens, headings, hash
(docs/output.md describes each).

A chunk is a section, several small ones merged, or a part of one that is too
large. Code blocks and tables are not split if they fit. With --window, chunks
are overlapping windows instead, for embedding.

Sizes, depth, tokenizer and what is skipped are those of the nearest .docent.json, so that
these are the chunks that are indexed. Without a config a chunk has up to 2000 tokens here,
as records for other programs have, and 800 in an index.`

const chunksExample = `  docent chunks README.md
  docent chunks docs --max-chunk-size 500
  cat notes.md | docent chunks - | head -1`

func newChunks(c *console) *cobra.Command {
	var o corpus.ChunkOptions
	var asArray, verbose bool
	cmd := &cobra.Command{
		Use:     "chunks <file|folder|-> ...",
		Short:   "split Markdown into chunks, as JSON Lines",
		Long:    chunksHelp,
		Example: chunksExample,
		Args:    needPaths,
	}
	f := flagsOf(cmd)
	f.IntVar(&o.Max, "max-chunk-size", 0, "largest chunk, in tokens (default: that of .docent.json, else 2000; windows 320)")
	f.IntVar(&o.Min, "min-chunk-size", 0, "merge sections smaller than this, in tokens (default: that of .docent.json, else 100; windows 64)")
	f.IntVar(&o.Depth, "depth", 0, "heading levels that begin a chunk, 1 to 6 (default: that of .docent.json, else 3)")
	f.BoolVar(&o.Window, "window", false, "overlapping windows instead of sections")
	f.StringVar(&o.Tokens, "tokens", "", "tokenizer to estimate: o200k, claude or chars4 (default: that of .docent.json, else o200k)")
	f.BoolVar(&asArray, "json", false, "one JSON array instead of JSON Lines")
	f.BoolVarP(&verbose, "verbose", "v", false, "list the files that were skipped")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		for _, name := range []string{"max-chunk-size", "depth"} {
			if n, _ := f.GetInt(name); f.Changed(name) && n < 1 {
				return fmt.Errorf("--%s is %d: must be at least 1", name, n)
			}
		}
		if f.Changed("min-chunk-size") && o.Min == 0 {
			o.Min = corpus.NoMin
		}
		project, err := corpus.Find("")
		if err != nil {
			return err
		}
		if project.File == "" {
			project = nil
		} else if o.Default(project.Config) {
			c.note("chunks of %d to %d tokens, as .docent.json says", max(o.Min, 0), o.Max)
		}
		cut, err := corpus.NewChunker(o)
		if err != nil {
			return err
		}
		all := []answer.Record{}
		line := c.jsonl()
		report, err := corpus.Scan(cmd.Context(), args, corpus.ScanOptions{Stdin: c.in, Project: project}, func(d *doc.Document) error {
			for _, r := range cut.Records(d) {
				if asArray {
					all = append(all, r)
				} else if err := line(r); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return scanHint(err)
		}
		c.skipped(report, verbose)
		if asArray {
			return c.json(all)
		}
		return nil
	}
	return cmd
}

// needPaths requires at least one argument.
func needPaths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return withHint(fmt.Errorf("%s needs a file, a folder, or - for standard input", cmd.Name()),
			"for example: docent %s docs", cmd.Name())
	}
	return nil
}

// scanHint adds to an error of Scan what to do next.
func scanHint(err error) error {
	if errors.Is(err, docent.ErrNoDocuments) {
		return withHint(err, "docent reads .md, .markdown, .mdown and .mdx files that no .gitignore excludes")
	}
	return err
}
