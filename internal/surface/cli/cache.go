package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/text/human"
	"github.com/spf13/cobra"
)

const cacheHelp = `List the indexes in your cache folder: of which folder each is, and how large. An index
lies there if its folder has no .docent.json; the others are in .docent beside it.

"docent cache rm" deletes the indexes of folders that are gone, that of a folder it is
given, or with --all every one. Documents are never touched, and an index that is asked
again is built again.`

// newCache makes "docent cache".
func newCache(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "cache",
		Short:   "list the indexes in your cache folder, and delete those of folders that are gone",
		Long:    cacheHelp,
		Example: "  docent cache\n  docent cache rm\n  docent cache rm ~/notes",
		Args:    noArgs,
	}
	flagsOf(cmd).BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(*cobra.Command, []string) error {
		dir, all, err := corpus.CachedIndexes()
		if err != nil {
			return err
		}
		if asJSON {
			return c.json(map[string]any{"dir": dir, "indexes": append([]corpus.CachedIndex{}, all...)})
		}
		gone, bytes := 0, int64(0)
		for _, x := range all {
			state := human.Ago(x.Updated)
			if x.Gone {
				state = "gone"
				gone++
			}
			bytes += x.Bytes
			fmt.Fprintf(c.out, "%s  (%s, %s)\n", cachedFolder(x), human.ByteSize(x.Bytes), state)
		}
		if len(all) > 0 {
			fmt.Fprintln(c.out)
		}
		fmt.Fprintf(c.out, "%s, %s in %s\n", plural(len(all), "index", "indexes"), human.ByteSize(bytes), clean(dir))
		if gone > 0 {
			c.note("docent cache rm deletes %s of folders that are gone", plural(gone, "index", "indexes"))
		}
		return nil
	}
	cmd.AddCommand(newCacheRemove(c))
	return cmd
}

// newCacheRemove makes "docent cache rm".
func newCacheRemove(c *console) *cobra.Command {
	var all, asJSON bool
	cmd := &cobra.Command{
		Use: "rm [folder]", Short: "delete cached indexes; the documents stay",
		Long:    "Delete the cached indexes of folders that are gone, that of one folder, or all.",
		Example: "  docent cache rm\n  docent cache rm ~/notes\n  docent cache rm --all",
		Args:    atMostOne,
	}
	f := flagsOf(cmd)
	f.BoolVar(&all, "all", false, "also those of folders that are there")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) > 0 && all {
			return errors.New("--all and a folder contradict each other: give one of them")
		}
		_, there, err := corpus.CachedIndexes()
		if err != nil {
			return err
		}
		removed, bytes := []corpus.CachedIndex{}, int64(0)
		for _, x := range there {
			if len(args) == 0 && !all && !x.Gone || len(args) > 0 && !slices.Contains(spellings(args[0]), x.Folder) {
				continue
			}
			if err := x.Remove(); err != nil {
				return err
			}
			removed = append(removed, x)
			bytes += x.Bytes
		}
		if len(args) > 0 && len(removed) == 0 {
			return withHint(fmt.Errorf("no index of %s is in the cache", clean(args[0])), "\"docent cache\" lists those that are; the index of a project with a .docent.json is in its .docent folder")
		}
		return c.report(asJSON, map[string]any{"removed": removed}, "removed %s, %s\n", plural(len(removed), "index", "indexes"), human.ByteSize(bytes))
	}
	return cmd
}

// spellings are the ways in which an index may have recorded a folder.
func spellings(folder string) []string {
	abs, err := filepath.Abs(folder)
	if err != nil {
		return []string{folder}
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		real = abs
	}
	return []string{abs, real}
}

func cachedFolder(x corpus.CachedIndex) string {
	if x.Folder == "" {
		return clean(x.Dir) + " (of no known folder)"
	}
	return clean(x.Folder)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
