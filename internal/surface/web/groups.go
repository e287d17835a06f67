package web

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
)

// Problems are shown in groups: those of one kind that have the same target, whatever the
// place. A thousand links to a page that moved are one thing to repair.
//
// The target is what a message begins with. Its part behind "#" does not count, and of a
// macro only the name does: Glossary("x") and Glossary("y") fail for the same reason.
// Titles and anchors that occur twice have nothing in common, but are one group each.

// A problemGroup is problems with the same cause.
type problemGroup struct {
	Kind, Level, What string
	Count, Files      int
	URL               string        // of all its places; "" in a report
	Places            []problemView // the first of them
	More              int
}

// groupPlaces is how many places a group names.
const groupPlaces = 5

// groupOf names the group of a problem, among those of its kind.
func groupOf(p answer.Problem) string {
	switch p.Kind {
	case "duplicate-title":
		return "two documents have the same title"
	case "duplicate-anchor":
		return "two places of a document have the same name"
	case "broken-anchor":
		file, _, _ := strings.Cut(p.Message, " has no section ")
		return file + " lacks sections that are linked"
	}
	i := strings.LastIndex(p.Message, " leads nowhere")
	if i < 0 {
		return p.Message
	}
	target, rest := p.Message[:i], p.Message[i:]
	if name, _, ok := strings.Cut(target, "("); ok && isWord(name) {
		return strings.ToLower(name) + "(…)" + rest
	}
	page, _, _ := strings.Cut(target, "#")
	return cmp.Or(page, target) + rest
}

// isWord reports whether a text is a name as macros have it.
func isWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_'
	})
}

// groupProblems groups problems: errors first, then the largest groups.
func groupProblems(f *frame, problems []answer.Problem) []problemGroup {
	type key struct{ kind, what string }
	at := map[key]int{}
	last := map[int]string{} // the file that a group has last, of problems in the order of files
	var out []problemGroup
	for _, p := range problems {
		k := key{p.Kind, groupOf(p)}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			g := problemGroup{Kind: p.Kind, Level: p.Level, What: k.what}
			if !f.Report {
				g.URL = f.address("/health", "", "kind", k.kind, "of", k.what)
			}
			out = append(out, g)
		}
		g := &out[i]
		g.Count++
		if last[i] != p.File {
			last[i] = p.File
			g.Files++
		}
		if len(g.Places) < groupPlaces {
			g.Places = append(g.Places, problemView{p, f.readURL(p.Ref)})
		} else {
			g.More++
		}
	}
	slices.SortStableFunc(out, func(a, b problemGroup) int {
		return cmp.Or(strings.Compare(a.Level, b.Level), cmp.Compare(b.Count, a.Count), strings.Compare(a.Kind, b.Kind), strings.Compare(a.What, b.What))
	})
	return out
}
