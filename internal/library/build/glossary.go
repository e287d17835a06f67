package build

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/fields"
)

// How a glossary is read.
//
// A document is a glossary by its file name or title: glossary, acronyms, abbreviations,
// terminology. It gives other names for words where it is a table, by its first two
// columns, or a definition list:
//
//	| term | also        |        k8s
//	|------|-------------|        : Kubernetes
//	| k8s  | Kubernetes  |
//
// A cell or definition of at most maxNameWords words is a name, or several with commas,
// slashes or "or" between them. A longer one, or a sentence, explains the term, and names
// nothing.
const (
	maxNameWords = 5
	maxPairs     = 5000 // pairs of one document
)

var glossaryNames = []string{"glossary", "acronyms", "abbreviations", "terminology", "synonyms"}

// glossaryOf returns the names that a glossary gives, each with another; none for other
// documents.
func glossaryOf(d *doc.Document) []fields.Pair {
	base := path.Base(d.Path)
	base = strings.TrimSuffix(base, path.Ext(base))
	named := func(name string) bool {
		return strings.EqualFold(name, base) || strings.EqualFold(name, strings.TrimSpace(d.Title))
	}
	if !slices.ContainsFunc(glossaryNames, named) {
		return nil
	}
	g := glossary{}
	before := "" // the line that a definition would explain
	for i := range d.Blocks {
		b := &d.Blocks[i]
		switch b.Kind {
		case doc.Table:
			g.table(string(b.Span.Of(d.Source)))
		case doc.Paragraph:
			for line := range strings.Lines(string(b.Span.Of(d.Source))) {
				line = strings.TrimSpace(line)
				if rest, ok := strings.CutPrefix(line, ":"); ok && before != "" && strings.HasPrefix(rest, " ") {
					g.add(before, rest)
					continue
				}
				before = line
			}
			continue
		}
		before = ""
	}
	return g.pairs
}

type glossary struct{ pairs []fields.Pair }

// table reads the first two cells of each row below the line of dashes.
func (g *glossary) table(text string) {
	below := false
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		switch {
		case strings.Trim(line, "|-: \t\r\n") == "":
			below = true
		case below && len(cells) >= 2:
			g.add(cells[0], cells[1])
		}
	}
}

// add pairs the names of a term with those of its definition.
func (g *glossary) add(term, definition string) {
	for _, name := range namesIn(term) {
		for _, other := range namesIn(definition) {
			if p := (fields.Pair{Name: name, Value: other}); len(g.pairs) < maxPairs && name != other {
				g.pairs = append(g.pairs, p)
			}
		}
	}
}

var (
	linkForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`) })
	between  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[,/()]|\s+or\s+`) })
)

// namesIn returns the names in a cell, which has no more than names.
func namesIn(cell string) []string {
	cell = linkForm().ReplaceAllString(cell, "$1")
	cell = strings.TrimSpace(strings.NewReplacer("**", "", "__", "", "`", "", "*", "").Replace(cell))
	if strings.HasSuffix(cell, ".") || len(strings.Fields(cell)) > maxNameWords {
		return nil
	}
	var out []string
	for _, name := range between().Split(cell, -1) {
		if name = strings.Join(strings.Fields(name), " "); name == "" {
			continue
		}
		if strings.ContainsAny(name, ":;!?|") || len(name) > maxFieldName {
			return nil // an explanation
		}
		out = append(out, name)
	}
	return out
}
