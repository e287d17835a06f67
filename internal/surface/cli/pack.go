package cli

import (
	"errors"
	"fmt"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/pack"
	"github.com/spf13/cobra"
)

const packHelp = `Pack the documents of a folder and their index into one file that every command can use
instead of a folder: ship it in a package, embed it in a program, copy it to a server.
The same documents give the same bytes.

--verify reads a whole pack and checks that it is intact.`

const packExample = `  docent pack docs -o docs.docent
  docent search "rotate keys" --root docs.docent
  docent pack --verify docs.docent`

func newPack(c *console) *cobra.Command {
	var out, verify string
	var asJSON, vectors, force bool
	cmd := &cobra.Command{
		Use:     "pack [folder] -o <file>",
		Short:   "pack documents and index into one file",
		Long:    packHelp,
		Example: packExample,
		Args:    atMostOne,
	}
	f := flagsOf(cmd)
	f.StringVarP(&out, "output", "o", "", "file to write")
	f.BoolVar(&vectors, "vectors", false, "include vectors, for semantic search: half as large again to 2.5 times as large; made if the index has none")
	f.BoolVar(&force, "force", false, "overwrite a file that is not a pack")
	f.StringVar(&verify, "verify", "", "check this pack instead of writing one")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if verify != "" {
			if err := pack.Verify(verify); err != nil {
				return err
			}
			return c.report(asJSON, map[string]any{"file": verify, "whole": true}, "%s is intact\n", verify)
		}
		if out == "" {
			return withHint(errors.New("pack needs a file to write"), "for example: docent pack docs -o docs.docent")
		}
		lib := libraryFlags{root: append(args, "")[0], words: !vectors}
		return lib.with(cmd.Context(), c, func(l *docent.Library) error {
			r, err := l.Pack(cmd.Context(), out, answer.PackOptions{Vectors: vectors, Force: force})
			if errors.Is(err, pack.ErrNoPack) {
				return withHint(err, "--force overwrites it")
			}
			if err != nil {
				return err
			}
			of := ""
			if r.Vectors > 0 {
				of = fmt.Sprintf(" (%.2f MB of it vectors)", float64(r.Vectors)/1e6)
			}
			return c.report(asJSON, r, "packed %s into %s: %.2f MB%s, %.2f times the documents' size\n",
				count(r.Files, "file"), r.File, float64(r.Size)/1e6, of, r.Ratio)
		})
	}
	return cmd
}
