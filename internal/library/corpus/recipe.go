package corpus

import (
	"path/filepath"

	"github.com/docent-md/docent/internal/source/config"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Recipe is the settings that decide how documents become an index. An index with
// another recipe is rebuilt.
type Recipe struct {
	Format int      `json:"format"` // of our tables and texts
	Paths  []string `json:"paths"`
	Ignore []string `json:"ignore,omitempty"`
	Max    int      `json:"max"`
	Min    int      `json:"min"`
	Depth  int      `json:"depth"`
	Tokens string   `json:"tokens,omitempty"`
	Window bool     `json:"window,omitempty"`
}

// Format is the version of what we put into an index: the tables, and how
// documents become texts. An index of another version is rebuilt.
//
//	1: the first
//	2: links and code blocks
//	3: chunks say whether their text was altered
//	4: vectors in two halves
//	5: a lone carriage return ends a line; titles and descriptions have a longest length
//	6: methods in classes of Python and Java are declared; windows have 64 tokens at least
//	7: fields of front matter, tags in the text, glossaries
//	8: files say what they have too many of; a number may end in a dot
//	9: small sections join the last child of the sibling before them, or the sibling after
//	10: small parts join too, and lists in lists in lists are cut at their items
const Format = 10

// FromRecipe returns the corpus of documents that were indexed elsewhere.
func FromRecipe(place string, r Recipe, boost config.Boost) *Corpus {
	c := &Corpus{Dir: place, IndexDir: place, Windows: r.Window, Config: config.Default(), Name: visible.Line(filepath.Base(place))}
	c.Config.Paths, c.Config.Ignore, c.Config.Tokens = r.Paths, r.Ignore, r.Tokens
	c.Config.ChunkMax, c.Config.ChunkMin, c.Config.ChunkDepth, c.Config.Boost = r.Max, r.Min, r.Depth, boost
	return c
}
