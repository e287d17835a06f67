package links

import (
	"fmt"
	"strings"

	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/text/words"
)

// A linkKey is what the verdict on a link depends on, besides its file: links of a file
// that share a target are looked at once.
type linkKey struct {
	state  graph.State
	kind   graph.Kind
	image  bool
	target string
	text   string // of a reference in words
}

// A verdict is a kind of problem, "" for none, and its message.
type verdict struct{ kind, message string }

// linkProblems are the kinds that judge finds.
var linkProblems = []string{"broken-anchor", "outside", "unresolved-reference", "missing-image", "broken-link", "missing-file"}

// judge says what is wrong with a link that leads to no section.
func (c *checker) judge(e graph.Edge) verdict {
	target := short(e.Target)
	switch e.State {
	case graph.NoAnchor:
		return verdict{"broken-anchor", fmt.Sprintf("%s has no section %q%s", e.To.Path, short(e.Anchor), c.nearest(e))}
	case graph.Outside:
		return verdict{"outside", target + " climbs out of the documents"}
	case graph.Missing:
		switch {
		case e.Kind == graph.Text:
			return verdict{"unresolved-reference", fmt.Sprintf("%q: there is no such section", e.Text)}
		case c.there(e):
		case e.Image:
			return verdict{"missing-image", target + " is not there"}
		default:
			return verdict{"broken-link", target + " leads nowhere"}
		}
	case graph.Asset:
		switch {
		case c.there(e):
		case e.Image:
			return verdict{"missing-image", target + " is not there"}
		default:
			return verdict{"missing-file", target + " is not there"}
		}
	}
	return verdict{}
}

// short cuts what a message quotes: 50,000 links may share a target of a kilobyte.
func short(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// there reports whether a file that is not indexed exists. In a pack that is not known,
// and assets are assumed to exist.
func (c *checker) there(e graph.Edge) bool {
	for _, file := range e.Files() {
		exists, known := c.v.Origin.Exists(file)
		if exists {
			return true
		}
		if !known {
			return e.State == graph.Asset
		}
	}
	return false
}

// nearest names the section that a broken link may have meant.
func (c *checker) nearest(e graph.Edge) string {
	f, err := c.w.file(e.To.File)
	if err != nil {
		return ""
	}
	if c.looked += len(f.sections); c.looked > maxLooked {
		return ""
	}
	var anchors []string
	for _, s := range f.sections {
		if s.Anchor != "" {
			anchors = append(anchors, s.Anchor)
		}
	}
	if near := words.Nearest(e.Anchor, anchors, 1); len(near) > 0 {
		return fmt.Sprintf(" (did you mean %q?)", near[0])
	}
	return ""
}
