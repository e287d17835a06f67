package docent

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Reference is a link between two sections, seen from one of them.
type Reference struct {
	SectionID *string `json:"section_id"` // the Ref of the other section; null when there is none
	Title     string  `json:"title"`      // its title
	RefText   string  `json:"ref_text"`   // the link as the reader sees it
	From      string  `json:"from"`       // where it stands: path#anchor:line
	Summary   string  `json:"summary,omitempty"`
	Kind      string  `json:"kind,omitempty"`   // reference, auto, wiki, macro or text, when it is no plain link
	State     string  `json:"state,omitempty"`  // no anchor, missing, asset, outside or external, when it leads to no section
	Target    string  `json:"target,omitempty"` // then also what is written there
}

// Links are the references of a place, and those that lead to it.
type Links struct {
	Ref        string      `json:"ref"`
	Title      string      `json:"title"`
	Out        []Reference `json:"out"`
	In         []Reference `json:"in"`
	Unresolved []Reference `json:"unresolved"` // that lead nowhere, or to a section that is not there
	External   []Reference `json:"external"`   // that lead out of the corpus: recorded, never followed
	Reached    []Step      `json:"reached,omitempty"`
}

// A Step is a section that a walk along the links came to.
type Step struct {
	SectionID string `json:"section_id"`
	Title     string `json:"title"`
	Depth     int    `json:"depth"`    // how many links away
	From      string `json:"from"`     // the Ref of the section that links to it
	RefText   string `json:"ref_text"` // and the text of that link
}

// MaxDepth is the most links a walk can follow one after another.
const MaxDepth = 5

// maxReached bounds a walk: whoever wants more wants the whole corpus.
const maxReached = 500

// Links returns what the section a Ref leads to links to, and what links to it.
// With a depth above 1 it walks on along the links, nearest sections first.
func (l *Library) Links(ctx context.Context, ref string, depth int) (*Links, error) {
	if depth < 0 || depth > MaxDepth {
		return nil, fmt.Errorf("depth is %d: must lie between 1 and %d", depth, MaxDepth)
	}
	_, w, at, err := l.walkFrom(ref)
	if err != nil {
		return nil, err
	}
	out := &Links{Ref: w.ref(at), Title: w.title(at), Out: []Reference{}, In: []Reference{}, Unresolved: []Reference{}, External: []Reference{}}
	edges, err := w.out(at)
	if err != nil {
		return nil, err
	}
	for _, e := range edges {
		r, err := w.outward(e)
		if err != nil {
			return nil, err
		}
		switch e.State {
		case graph.Found:
			out.Out = append(out.Out, r)
		case graph.External:
			out.External = append(out.External, r)
		case graph.Asset: // an image or a download: "docent check" looks after those
		default:
			out.Unresolved = append(out.Unresolved, r)
		}
	}
	if edges, err = w.in(at); err != nil {
		return nil, err
	}
	for _, e := range edges {
		out.In = append(out.In, w.inward(e))
	}
	if depth > 1 {
		if out.Reached, err = w.reach(ctx, at, depth); err != nil {
			return nil, err
		}
	}
	return out, w.standing()
}

// Nothing reports whether no link was found at all.
func (l *Links) Nothing() bool {
	return len(l.Out)+len(l.In)+len(l.Unresolved)+len(l.External) == 0
}

// WriteText writes a line a link.
func (l *Links) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "# %s  %s\n", visible.Line(l.Ref), visible.Line(l.Title))
	writeReferences(b, "links to", l.Out, 0)
	writeReferences(b, "linked from", l.In, 0)
	writeReferences(b, "lead nowhere", l.Unresolved, 0)
	writeReferences(b, "outside", l.External, 0)
	if len(l.Reached) > 0 {
		fmt.Fprintf(b, "\nreached:\n")
		for _, s := range l.Reached {
			fmt.Fprintf(b, "  %d  %s  %s  (from %s)\n", s.Depth, visible.Line(s.SectionID), visible.Line(s.Title), visible.Line(s.From))
		}
	}
	if l.Nothing() {
		b.WriteString("\nno links out of it, and none to it\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeReferences writes at most limit references, a line each; 0 means all.
func writeReferences(b *strings.Builder, name string, refs []Reference, limit int) {
	if len(refs) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", name)
	for i, r := range refs {
		if limit > 0 && i == limit {
			fmt.Fprintf(b, "  and %d more\n", len(refs)-i)
			return
		}
		to := r.Target
		if r.SectionID != nil {
			to = *r.SectionID
		}
		line := "  " + visible.Line(to)
		if note := visible.Line(r.note()); note != "" {
			line += "  " + note
		}
		fmt.Fprintln(b, line)
	}
}

// note says of a reference what its target does not: what it is called and, of
// one that leads nowhere, why and where it stands.
func (r Reference) note() string {
	switch {
	case r.State != "" && r.State != graph.External.String():
		return fmt.Sprintf("%s, in %s", r.State, r.From)
	case r.Summary != "":
		return r.Summary
	case r.Title != "" && r.RefText != "" && !strings.EqualFold(r.Title, r.RefText):
		return fmt.Sprintf("%s (%q)", r.Title, r.RefText)
	}
	return firstOf(r.Title, r.RefText)
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// refIn is the Ref of a section in a file.
func refIn(path, anchor string) string { return doc.Ref{Path: path, Anchor: anchor}.String() }
