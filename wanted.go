package docent

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/engine/segment"
)

// A Wanted is an index that is to be asked.
type Wanted struct {
	NamedIndex      // without a name: the project's own documents
	ByName     bool // it was asked for by name, so that without it there is no answer
}

// Wanted are the indexes that names mean: "all", or names with commas between them. All
// are the named ones and the project's own documents, which have no name.
func (c *Catalogue) Wanted(names string) ([]Wanted, error) {
	all, err := c.List()
	if err != nil {
		return nil, err
	}
	var out []Wanted
	for n := range strings.SplitSeq(names, ",") {
		if n = strings.TrimSpace(n); n != All {
			at := slices.IndexFunc(all, func(x NamedIndex) bool { return x.Name == n })
			if at < 0 {
				return nil, noIndex(n, all)
			}
			out = append(out, Wanted{all[at], true})
			continue
		}
		if len(all) == 0 {
			return nil, fmt.Errorf("%w: there are none (docent index --name docs <folder> makes one)", ErrNoIndex)
		}
		for _, x := range all {
			out = append(out, Wanted{x, false})
		}
		if c.hasOwn() {
			out = append(out, Wanted{})
		}
	}
	// Of one that is named and is among all, the first is kept.
	slices.SortStableFunc(out, func(a, b Wanted) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 || a.ByName == b.ByName {
			return c
		}
		if a.ByName {
			return -1
		}
		return 1
	})
	return slices.CompactFunc(out, func(a, b Wanted) bool { return a.Name == b.Name }), nil
}

// hasOwn reports whether the project has documents of its own to ask: it has a config,
// or they are indexed already. A folder that merely holds named indexes is not indexed
// by asking those.
func (c *Catalogue) hasOwn() bool {
	if c.project == "" {
		return false
	}
	own, err := findCorpus(c.project)
	return err == nil && (own.file != "" || own.indexed())
}

// Indexed reports whether a root has an index already, so that opening it makes none.
func Indexed(root string) bool {
	if info, err := os.Stat(root); root != "" && err == nil && info.Mode().IsRegular() {
		return true // a packed file
	}
	c, err := findCorpus(root)
	return err == nil && c.indexed()
}

func (c *corpus) indexed() bool {
	if c.store == "" {
		return false
	}
	_, err := segment.Generation(c.store)
	return err == nil
}

// OpenWanted opens an index that is to be asked.
func (c *Catalogue) OpenWanted(ctx context.Context, w Wanted, o Options) (*Library, error) {
	if w.Name != "" {
		return c.open(ctx, w.NamedIndex, o)
	}
	return OpenWith(ctx, c.project, o)
}
