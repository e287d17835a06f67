package retrieve

import (
	"path"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/rank"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/words"
)

// closeEnough is the share of the best score under which titles are not looked
// at: no title could bring such a candidate to the top. Beyond fewest, such
// candidates are not looked for.
const (
	closeEnough = 0.5
	fewest      = 10
)

// weighAll returns the n best of what the index found, by the rule of package rank.
func weighAll(v *snapshot.View, iq index.Query, text string, res index.Result, n int) ([]Ranked, error) {
	if len(res.Matches) == 0 {
		return nil, nil
	}
	w := newWeigher(v, text, res)
	cs, err := w.candidates()
	if err != nil {
		return nil, err
	}
	rank.Order(cs, rankParams(iq))
	cs = cs[:min(len(cs), n)]
	out := make([]Ranked, len(cs))
	for i, c := range cs {
		f := &out[i]
		f.Candidate, f.Named = c, int(w.named[c.At])
		f.Num = res.Matches[c.At].Num
		f.Segment, f.Row = v.Locate(f.Num)
		if f.Chunk, err = f.Segment.Table.Chunk(f.Row); err != nil {
			return nil, err
		}
		if f.Section, err = f.Segment.Table.Section(f.Named); err != nil {
			return nil, err
		}
		if f.File, err = f.Segment.Table.File(f.Chunk.File); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// A weigher finds out how well the titles and paths of candidates answer.
type weigher struct {
	v      *snapshot.View
	res    index.Result
	titles *index.Titles
	text   string
	name   string  // the words of text
	named  []int32 // the row of the section each candidate is named after

	overview bool // the question asks what something is
	changes  bool // it asks for versions or changes
}

func newWeigher(v *snapshot.View, text string, res index.Result) *weigher {
	w := &weigher{v: v, res: res, text: text, name: words.Slug(text), changes: AsksForChanges(text) >= AboutChanges}
	info := res.Words
	if name := asksWhat(text); name != "" {
		w.overview, w.name, info = true, name, named(info, name)
	}
	w.titles = index.NewTitles(info)
	return w
}

// candidates weighs the matches. Of those far behind the best only the score counts.
func (w *weigher) candidates() ([]rank.Candidate, error) {
	least := closeEnough * w.res.Matches[0].Score.Float()
	cs := make([]rank.Candidate, len(w.res.Matches))
	w.named = make([]int32, len(cs))
	for i := range w.res.Matches {
		m := &w.res.Matches[i]
		c := &cs[i]
		c.At, c.Score = i, m.Score.Float()
		s, row := w.v.Locate(m.Num)
		chunk, err := s.Table.Chunk(row)
		if err != nil {
			return nil, err
		}
		c.Page, w.named[i] = s.Page(chunk.File), int32(chunk.Section)
		if c.Score < least {
			continue
		}
		if err := w.weigh(c, m, s, chunk); err != nil {
			return nil, err
		}
	}
	return cs, nil
}

// weigh compares the titles in a candidate, and its path, with the question. What the
// postings say of its words limits what there can be to find.
func (w *weigher) weigh(c *rank.Candidate, m *index.Match, s *snapshot.Segment, chunk doctable.Chunk) error {
	mostMatch, mostPath := w.titles.Most(m)
	if mostMatch > 0 {
		match, named, err := w.match(s, chunk)
		if err != nil {
			return err
		}
		c.Match, w.named[c.At] = min(match, mostMatch), int32(named)
	}
	if mostPath > 0 {
		n, err := s.Table.PathOf(chunk.File)
		if err != nil {
			return err
		}
		if c.Path, err = s.CoverPath(w.titles, n); err != nil {
			return err
		}
		c.Path = min(c.Path, mostPath)
	}
	if err := w.read(c, s, chunk); err != nil {
		return err
	}
	var err error
	// The words of a file's name are among the headings, its extension is not.
	if !c.Named && (mostPath == 1 || doc.IsMarkdown(w.text)) {
		c.Named, err = w.isNamed(s, chunk)
	}
	return err
}

// read finds out what kind of text a candidate is.
func (w *weigher) read(c *rank.Candidate, s *snapshot.Segment, chunk doctable.Chunk) error {
	p, err := s.Table.Path(chunk.File)
	if err != nil {
		return err
	}
	c.Log = !w.changes && isLog(p)
	if !w.overview || c.Match == 0 {
		return nil
	}
	first, _, err := s.Table.SectionsOf(chunk.File)
	if err != nil {
		return err
	}
	if c.Inner = int(w.named[c.At]) != first; c.Inner || !isFront(p) {
		return nil
	}
	h, err := s.Table.Heading(first)
	if err != nil {
		return err
	}
	title, err := s.ReadTitle(w.titles, h.Title)
	c.Named = title.Covers()
	return err
}

// match compares the titles in a chunk with the question, and names the chunk
// after the section whose title does best: small sections are merged into one
// chunk, and the reader should see the one that was asked for.
func (w *weigher) match(s *snapshot.Segment, c doctable.Chunk) (best float64, named int, err error) {
	first, end, err := s.Table.SectionsOf(c.File)
	if err != nil {
		return 0, 0, err
	}
	for i := c.Section; i < end; i++ {
		h, err := s.Table.Heading(i)
		if err != nil {
			return 0, 0, err
		}
		if i > c.Section && (h.Start >= c.Span.End || c.Part > 0) {
			break
		}
		m, err := w.matchTitle(s, first, i, h)
		if err != nil {
			return 0, 0, err
		}
		if i == c.Section || m > best && !h.Bare {
			best, named = m, i
		}
	}
	return best, named, nil
}

// matchTitle compares the title of section i with the question, read under the
// titles above it. The sections of its file begin with row first.
func (w *weigher) matchTitle(s *snapshot.Segment, first, i int, h doctable.Heading) (float64, error) {
	own, err := s.ReadTitle(w.titles, h.Title)
	if err != nil || !own.Open() {
		return own.Value(), err
	}
	var buf [8]index.Reading
	over := buf[:0]
	for h.Parent >= 0 && first+h.Parent < i { // damage must not lead around in circles
		i = first + h.Parent
		if h, err = s.Table.Heading(i); err != nil {
			return 0, err
		}
		r, err := s.ReadTitle(w.titles, h.Title)
		if err != nil {
			return 0, err
		}
		over = append(over, r)
	}
	return own.Under(over...), nil
}

// isNamed reports whether a chunk begins the file that has the question for its
// name.
func (w *weigher) isNamed(s *snapshot.Segment, c doctable.Chunk) (bool, error) {
	first, _, err := s.Table.SectionsOf(c.File)
	if err != nil || c.Section != first {
		return false, err
	}
	p, err := s.Table.Path(c.File)
	return err == nil && isNamed(p, w.text, w.name), err
}

// isNamed reports whether a file has the question for its name, with or without
// its ending.
func isNamed(file, text, name string) bool {
	base := path.Base(file)
	return strings.EqualFold(base, text) || words.Slug(snapshot.TrimExt(base)) == name
}
