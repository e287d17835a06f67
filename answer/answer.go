package answer

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/visible"
)

// An Answer is what a search found, ready to be read by people and models, or
// by programs.
type Answer struct {
	Query     string       `json:"query"`
	Hits      []Hit        `json:"hits"`
	LeftOut   []Lead       `json:"left_out,omitempty"`     // good hits that the budget had no room for
	Unlisted  int          `json:"unlisted,omitempty"`     // and how many of those had no room in the list
	Beyond    int          `json:"beyond_limit,omitempty"` // further candidates near the hits, at least, that the limit had no place for
	Searched  []Correction `json:"searched,omitempty"`     // words that were read as others
	Also      []Correction `json:"also,omitempty"`         // words that were looked for by other names too, from a glossary
	Unknown   []Unknown    `json:"unknown,omitempty"`      // words that no document has
	Miss      *Miss        `json:"miss,omitempty"`         // why there is no good answer
	Note      string       `json:"note,omitempty"`         // "reranked by ...", or why not
	Freshness string       `json:"freshness"`              // "index fresh, 3 files refreshed"

	Limited bool `json:"-"` // the limit was chosen: text says what is beyond it, too
}

// A Hit is one chunk that answers the question.
type Hit struct {
	Ref        string   `json:"ref"`      // path#anchor:start-end
	Citation   string   `json:"citation"` // the same with a hash, for "docent verify"
	File       string   `json:"file"`
	Lines      [2]int   `json:"lines"`
	Title      string   `json:"title"`
	Headings   []string `json:"headings"`
	Tokens     int      `json:"tokens"` // of the whole chunk
	Score      float64  `json:"score"`
	Match      string   `json:"match"` // how well it matches: Strong, Partial or Weak
	Body       string   `json:"body"`
	Cut        int      `json:"cut,omitempty"`       // tokens the budget took off
	AsLead     bool     `json:"as_lead,omitempty"`   // text shows a line of it; within a budget it has no Body
	BestLine   string   `json:"best_line,omitempty"` // of a hit that is shown as a lead: what has most of the question
	Explain    []string `json:"explain,omitempty"`
	Index      string   `json:"index,omitempty"`       // the named index it comes from
	ByLikeness bool     `json:"by_likeness,omitempty"` // it has none of the question's words
	Unchosen   bool     `json:"unchosen,omitempty"`    // a language model read it, and did not choose it
	Snippet    string   `json:"snippet,omitempty"`     // of a hit from one: the beginning of its body
	Source     string   `json:"source,omitempty"`      // and its place as path#Lstart-Lend
	Via        *Via     `json:"via,omitempty"`         // the link that led to it, when it was not found directly
	AlsoAt     []string `json:"also_at,omitempty"`     // Refs of other hits that are parts of the same section, or copies

	Changed    *time.Time  `json:"changed,omitempty"`   // when its file was last changed, when that was asked for and is known
	Folder     *Folder     `json:"folder,omitempty"`    // what its folder is about, where that is said
	References []Reference `json:"references,omitzero"` // when they were asked for

	Odds       float64 `json:"-"` // what Match comes from: the logarithm of the odds that it answers
	ShowFolder bool    `json:"-"` // text says what its folder is about, too
	Record     Record  `json:"-"` // the whole chunk, as "docent chunks" describes it
}

// How well a hit matches the question: see docs/answers.md.
const (
	Strong  = "strong"  // it answers, most likely
	Partial = "partial" // it may
	Weak    = "weak"    // the documents most likely do not hold the answer
)

// A Lead is a hit without its text.
type Lead struct {
	Ref    string `json:"ref"`
	Title  string `json:"title"`
	Tokens int    `json:"tokens"`
}

// A Correction is a word of the question that was searched as another.
type Correction struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// A Miss says honestly why nothing was found.
type Miss struct {
	Files   int    `json:"files"` // how many were searched
	Reason  string `json:"reason"`
	Partial []Lead `json:"partial,omitempty"` // what a search without operators and in all files finds
}

// Unknown is a word that no document has, with the nearest that are known.
type Unknown struct {
	Word    string   `json:"word"`
	Nearest []string `json:"nearest"`
}

// WriteText writes the answer for reading: per hit its citation, price and
// breadcrumb, then its text; at the end how fresh the index is, what was left
// out, and what can be done next.
func (a *Answer) WriteText(w io.Writer) error {
	if !a.hasText() {
		return a.WriteLeads(w)
	}
	b := &strings.Builder{}
	b.WriteString(a.opening())
	for i := range a.Hits {
		if a.Hits[i].AsLead {
			if i > 0 && !a.Hits[i-1].AsLead {
				b.WriteString(moreHits)
			}
			b.WriteString(a.Hits[i].lead())
			continue
		}
		b.WriteString(a.Hits[i].text(i))
		b.WriteString(hitEnd)
	}
	b.WriteString(a.closing())
	return flush(w, b)
}

// flush writes a text that was put together in memory.
func flush(w io.Writer, b *strings.Builder) error {
	_, err := io.WriteString(w, b.String())
	return err
}

// text is hit i as WriteText shows it.
func (h *Hit) text(i int) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "# [%d] %s (%s)\n", i+1, visible.Line(h.Citation), h.about())
	if len(h.Headings) > 0 {
		fmt.Fprintf(b, "# %s\n", visible.Line(strings.Join(h.Headings, " > ")))
	}
	if h.ShowFolder {
		fmt.Fprintf(b, "# %s/: %s\n", visible.Line(h.Folder.Folder), visible.Line(h.Folder.About))
	}
	if h.Via != nil {
		fmt.Fprintf(b, "# %s\n", h.Via.through())
	}
	if len(h.AlsoAt) > 0 {
		fmt.Fprintf(b, "# also at %s\n", visible.Line(h.alsoAt()))
	}
	for _, line := range h.Explain {
		fmt.Fprintf(b, "# %s\n", visible.Line(line))
	}
	b.WriteString("\n")
	b.WriteString(strings.Trim(visible.Text(h.Body), "\n"))
	b.WriteString("\n")
	if h.Cut > 0 {
		fmt.Fprintf(b, "\n[%s more: docent read %s]\n", human.Plural(h.Cut, "token"), shellQuote(visible.Line(h.Ref)))
	}
	writeReferences(b, "refers to", h.References, 0)
	return b.String()
}

// maxAlso is how many other places of a hit are named.
const maxAlso = 4

func (h *Hit) alsoAt() string {
	text := strings.Join(h.AlsoAt[:min(len(h.AlsoAt), maxAlso)], ", ")
	if more := len(h.AlsoAt) - maxAlso; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// about is the price of a hit, and what a reader must know of it.
func (h *Hit) about() string {
	about := human.Plural(h.Tokens, "token")
	if h.Changed != nil {
		about += ", changed " + h.Changed.Format(time.DateOnly)
	}
	switch {
	case h.Unchosen:
		about += ", not chosen"
	case h.ByLikeness:
		about += ", by likeness alone"
	case h.Match == Weak:
		about += ", weak match"
	}
	return about
}

// Closing is what follows the hits.
func (a *Answer) closing() string {
	b := &strings.Builder{}
	if a.Miss != nil {
		a.Miss.write(b, a.Query, len(a.Hits))
	}
	a.writeUnknown(b)
	for _, c := range a.Searched {
		fmt.Fprintf(b, "searched %q as %q\n", visible.Line(c.From), c.To)
	}
	for _, c := range a.Also {
		fmt.Fprintf(b, "%q also means %q (glossary)\n", visible.Line(c.From), visible.Line(c.To))
	}
	if len(a.LeftOut) > 0 {
		b.WriteString("left out:" + leadList(a.LeftOut))
		if a.Unlisted > 0 {
			fmt.Fprintf(b, " and %d more", a.Unlisted)
		}
		b.WriteString("\n")
	} else if a.Unlisted > 0 {
		fmt.Fprintf(b, "left out: %s\n", human.Plural(a.Unlisted, "hit"))
	}
	if a.Beyond > 0 && a.Limited {
		fmt.Fprintf(b, "left out by the limit: %d more that came near\n", a.Beyond)
	}
	if a.Note != "" {
		b.WriteString(visible.Line(a.Note) + "\n")
	}
	if a.Freshness != "" {
		b.WriteString(a.Freshness + "\n")
	}
	return b.String()
}

// maxUnknown is how many unknown words are named: a pasted page should not be echoed.
const maxUnknown = 10

// shortened is the beginning of a text, in one line.
func shortened(s string, most int) string {
	if s = visible.Line(s); len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}

func (m *Miss) write(b *strings.Builder, query string, hits int) {
	if hits == 0 {
		fmt.Fprintf(b, "nothing found for %q in %s\n", shortened(query, 80), human.Plural(m.Files, "file"))
	}
	if m.Reason != "" {
		b.WriteString(m.Reason + "\n")
	}
	if len(m.Partial) > 0 {
		b.WriteString("by the words alone:" + leadList(m.Partial) + "\n")
	}
}

// writeUnknown names the words that no document has.
func (a *Answer) writeUnknown(b *strings.Builder) {
	for i, u := range a.Unknown {
		if i == maxUnknown {
			fmt.Fprintf(b, "unknown here: %s more\n", human.Plural(len(a.Unknown)-i, "word"))
			break
		}
		word := shortened(u.Word, 60)
		if len(u.Nearest) == 0 {
			if !a.IsWeak() { // else it was named at the beginning
				fmt.Fprintf(b, "unknown here: %s\n", word)
			}
			continue
		}
		fmt.Fprintf(b, "unknown here: %s (nearest: %s)\n", word, strings.Join(u.Nearest, ", "))
	}
}

// IsWeak reports whether there are hits and none of them matches well: then the
// documents most likely do not hold the answer.
func (a *Answer) IsWeak() bool {
	return len(a.Hits) > 0 && !slices.ContainsFunc(a.Hits, func(h Hit) bool { return h.Match != Weak })
}

// Odds are the logarithm of the odds that the best hit answers; the least there is
// without one.
func (a *Answer) Odds() float64 {
	odds := math.Inf(-1)
	for _, h := range a.Hits {
		odds = max(odds, h.Odds)
	}
	return odds
}

// opening warns of a weak match, before anything else is read.
func (a *Answer) opening() string {
	if !a.IsWeak() {
		return ""
	}
	if len(a.Unknown) == 0 {
		return "weak match: these documents most likely do not hold the answer\n\n"
	}
	var quoted []string
	for _, u := range a.Unknown[:min(len(a.Unknown), maxUnknown)] {
		quoted = append(quoted, fmt.Sprintf("%q", shortened(u.Word, 60)))
	}
	is := "is"
	if len(quoted) > 1 {
		last := len(quoted) - 2
		quoted, is = append(quoted[:last], quoted[last]+" and "+quoted[last+1]), "are"
	}
	return fmt.Sprintf("weak match: %s %s not in these documents\n\n", strings.Join(quoted, ", "), is)
}

// hasText reports whether the text of the hits is shown: of weak ones a line is enough,
// unless their scores are to be explained.
func (a *Answer) hasText() bool { return !a.IsWeak() || len(a.Hits[0].Explain) > 0 }

// leadList is leads in a line, with their prices.
func leadList(leads []Lead) string {
	parts := make([]string, len(leads))
	for i, l := range leads {
		parts[i] = fmt.Sprintf(" %s (%s)", visible.Line(l.Ref), human.Plural(l.Tokens, "token"))
	}
	return strings.Join(parts, ",")
}

// WriteLeads writes one line a hit: Ref, breadcrumb, price, best line; with the price,
// through which link it came in.
func (a *Answer) WriteLeads(w io.Writer) error {
	b := &strings.Builder{}
	b.WriteString(a.opening())
	for i := range a.Hits {
		b.WriteString(a.Hits[i].lead())
	}
	b.WriteString(a.closing())
	return flush(w, b)
}

func (h *Hit) lead() string {
	about := h.about()
	if h.Via != nil {
		about += ", " + h.Via.through()
	}
	return fmt.Sprintf("%s  %s  (%s)  %s\n", visible.Line(h.Ref), visible.Line(trail(h.Headings)), about, cmp.Or(h.BestLine, preview(h.Body)))
}

// WriteRaw writes the text of the hits and nothing else, for pipes.
func (a *Answer) WriteRaw(w io.Writer) error {
	sep := ""
	for _, h := range a.Hits {
		if h.Body == "" {
			continue
		}
		if _, err := io.WriteString(w, sep+strings.TrimRight(h.Body, "\n")+"\n"); err != nil {
			return err
		}
		sep = "\n"
	}
	return nil
}

// Records gives the hits as chunk records with their scores.
func (a *Answer) Records() []ScoredRecord {
	out := make([]ScoredRecord, len(a.Hits))
	for i, h := range a.Hits {
		out[i] = ScoredRecord{h.Record, h.Score, h.Match, h.Via, h.References}
	}
	return out
}

// A ScoredRecord is a Record that was found.
type ScoredRecord struct {
	Record
	Score      float64     `json:"score"`
	Match      string      `json:"match"`
	Via        *Via        `json:"via,omitempty"`
	References []Reference `json:"references,omitzero"`
}

// preview is what a chunk opens with, in words.
func preview(body string) string { return shortened(markdown.Preview([]byte(body)), PreviewSize) }

// shellQuote writes a Ref as an argument: no part of the line, and no flag.
func shellQuote(s string) string {
	if strings.HasPrefix(s, "-") {
		s = "./" + s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Lead returns the hit without its text.
func (h *Hit) Lead() Lead { return Lead{Ref: h.Ref, Title: h.Title, Tokens: h.Tokens} }

// HitRef is the place of a chunk, without and with its hash.
func HitRef(path, anchor string, lines doc.Lines, hash uint64) (ref, citation string) {
	r := doc.Ref{Path: path, Anchor: anchor, Lines: lines, Hash: HashText(hash)}
	citation = r.String()
	return citation[:len(citation)-len("@")-len(r.Hash)], citation
}

// A Via says through which link an answer was widened by a section.
type Via struct {
	From    string `json:"from"`     // where the link is
	RefText string `json:"ref_text"` // what the reader sees of it
	Depth   int    `json:"depth"`    // how many links away from a hit
}

// through says how a hit came into the answer.
func (v *Via) through() string {
	return fmt.Sprintf("through the link %q in %s", visible.Line(v.RefText), visible.Line(v.From))
}

// RefIn is the Ref of a section in a file.
func RefIn(path, anchor string) string { return doc.Ref{Path: path, Anchor: anchor}.String() }
