package cli

import (
	"errors"
	"fmt"

	"github.com/docent-md/docent"
	"github.com/spf13/cobra"
)

const packHelp = `Put the documents of a folder and their index into one file that every command reads
with no source tree: ship it in a package, embed it in a program, copy it to a server.
The same documents give the same bytes.

--verify reads every byte of a pack and says whether it is whole.`

const packExample = `  docent pack docs -o docs.docent
  docent search "rotate keys" --root docs.docent
  docent pack --verify docs.docent`

func newPack(c *console) *cobra.Command {
	var out, verify string
	var asJSON, vectors bool
	cmd := &cobra.Command{
		Use:     "pack [folder] -o <file>",
		Short:   "put documents and index into one file",
		Long:    packHelp,
		Example: packExample,
		Args:    atMostOne,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&out, "output", "o", "", "the file to write")
	f.BoolVar(&vectors, "vectors", false, "keep the vectors, for searching by meaning: a quarter larger")
	f.StringVar(&verify, "verify", "", "check this pack instead of writing one")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if verify != "" {
			if err := docent.VerifyPack(verify); err != nil {
				return err
			}
			if asJSON {
				return c.json(map[string]any{"file": verify, "whole": true})
			}
			_, err := fmt.Fprintf(c.out, "%s is whole\n", verify)
			return err
		}
		if out == "" {
			return withHint(errors.New("pack needs a file to write"), "for example: docent pack docs -o docs.docent")
		}
		lib := libraryFlags{words: !vectors}
		if len(args) > 0 {
			lib.root = args[0]
		}
		return lib.with(cmd.Context(), c, func(l *docent.Library) error {
			r, err := l.Pack(cmd.Context(), out, docent.PackOptions{Vectors: vectors})
			if err != nil {
				return err
			}
			if asJSON {
				return c.json(r)
			}
			_, err = fmt.Fprintf(c.out, "packed %s into %s: %.2f MB, %.2f times the documents' size\n", count(r.Files, "file"), r.File, float64(r.Size)/1e6, r.Ratio)
			return err
		})
	}
	return cmd
}
