package answer

import (
	"fmt"
	"io"
	"strings"

	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/visible"
)

// Several are the answers for several places that were asked for in one call. They share
// one budget; what did not fit, and what is not there, is said.
type Several struct {
	Results []Result  `json:"results"` // in the order in which they were asked for
	LeftOut []Lead    `json:"left_out,omitempty"`
	Failed  []Failure `json:"failed,omitempty"`

	Unlisted int `json:"unlisted,omitempty"` // left out, and not in the list for want of room
}

// Places are several places, or symbols, that are asked for in one call.
type Places struct {
	For    PlacesKind
	Refs   []string
	Budget int         // most tokens of all answers together; 0 means no limit
	Read   ReadOptions // with ForReading
	Code   CodeQuery   // with ForExamples: what is asked of each symbol
}

// PlacesKind says what is asked of several places.
type PlacesKind int

// What can be asked of several places.
const (
	ForReading  PlacesKind = iota // their lines
	ForSections                   // their sections, whole
	ForVerdicts                   // what became of the cited texts
	ForExamples                   // code blocks with the symbols
)

// A Result is one of several answers: a Reading, a SectionView, a Verdict, Snippets.
type Result interface {
	WriteText(w io.Writer) error
}

// A Failure is a place for which there is no answer, and why.
type Failure struct {
	Ref     string   `json:"ref"`
	Error   string   `json:"error"`
	Nearest []string `json:"nearest,omitempty"`
}

// Broken reports whether one of the places is not there, or not what it was.
func (s *Several) Broken() bool {
	for _, r := range s.Results {
		if e, ok := r.(interface{ Empty() bool }); ok && e.Empty() {
			return true
		}
	}
	return len(s.Failed) > 0
}

// WriteText writes the answers one after another, each under its place.
func (s *Several) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	for _, r := range s.Results {
		writeResult(b, r)
	}
	if n := len(s.LeftOut) + s.Unlisted; n > 0 {
		fmt.Fprintf(b, "left out for want of room: %d of %d\n", n, n+len(s.Results)+len(s.Failed))
		for _, l := range s.LeftOut {
			fmt.Fprintf(b, "  %s  %s  (%s)\n", visible.Line(l.Ref), visible.Line(l.Title), human.Plural(l.Tokens, "token"))
		}
	}
	for _, f := range s.Failed {
		near := ""
		if len(f.Nearest) > 0 {
			near = "; did you mean " + strings.Join(f.Nearest, ", ") + "?"
		}
		fmt.Fprintf(b, "%s\n", visible.Line(f.Error+near))
	}
	return flush(w, b)
}

// writeResult writes one of several answers so that it says where it is from.
func writeResult(b *strings.Builder, r Result) {
	switch r := r.(type) {
	case *Verdict:
		fmt.Fprintf(b, "%s: ", visible.Line(r.Citation))
		_ = r.WriteText(b)
		return
	case *Reading:
		fmt.Fprintf(b, "# %s (lines %d-%d, %s)\n\n", visible.Line(r.Ref), r.Lines[0], r.Lines[1], human.Plural(r.Tokens, "token"))
		_ = r.WriteText(b)
	case *Snippets:
		_ = r.WriteText(b)
		return
	default:
		_ = r.WriteText(b)
	}
	text := strings.TrimRight(b.String(), "\n")
	b.Reset()
	b.WriteString(text + "\n" + hitEnd)
}

// Fit gives up leads, then the last answers, then what is said of places that are not
// there, until what is printed has at most limit
// tokens.
func (s *Several) Fit(limit int, count func([]byte) int) {
	for s.Price(count) > limit {
		switch {
		case len(s.LeftOut) > 0:
			s.LeftOut = s.LeftOut[:len(s.LeftOut)-1]
		case len(s.Results) > 0:
			s.Results = s.Results[:len(s.Results)-1]
		case len(s.Failed) > 0:
			s.Failed = s.Failed[:len(s.Failed)-1]
		default:
			return
		}
		s.Unlisted++
	}
}

// Price is how many tokens the answers have as they are printed.
func (s *Several) Price(count func([]byte) int) int {
	b := &strings.Builder{}
	_ = s.WriteText(b)
	return count([]byte(b.String()))
}

// PrefixRefs puts the name of an index before all Refs.
func (s *Several) PrefixRefs(index string) {
	p := refPrefix(index + ":")
	for _, r := range s.Results {
		if r, ok := r.(Prefixer); ok {
			r.PrefixRefs(index)
		}
	}
	for i := range s.LeftOut {
		p.put(&s.LeftOut[i].Ref)
	}
	for i := range s.Failed {
		p.put(&s.Failed[i].Ref)
		for k := range s.Failed[i].Nearest {
			p.put(&s.Failed[i].Nearest[k])
		}
	}
}
