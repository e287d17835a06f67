package docent

import (
	"path"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/catalog"
	"github.com/docent-md/docent/internal/index"
	"github.com/docent-md/docent/internal/rank"
)

// found is a candidate that was weighed.
type found struct {
	rank.Candidate
	num     uint32
	seg     *seg
	row     int
	chunk   catalog.Chunk
	file    catalog.File
	section catalog.Section // what it is named after
	named   int             // and the row of that
	fused   *fused          // nil when words alone counted
}

// closeEnough is the share of the best score under which titles are not looked
// at: no title could bring such a candidate to the top.
const closeEnough = 0.5

// arrange returns the n best of what the index found.
func (l *Library) arrange(text string, res index.Result, n int) ([]found, error) {
	if len(res.Matches) == 0 {
		return nil, nil
	}
	w := weigher{l: l, res: res, titles: index.NewTitles(res.Words), text: text, name: slugWords(text)}
	cs, err := w.candidates()
	if err != nil {
		return nil, err
	}
	best, err := rank.Top(cs, n, rank.DefaultParams(), w.weigh)
	if err != nil {
		return nil, err
	}
	out := make([]found, len(best))
	for i, c := range best {
		f := &out[i]
		*f = w.found[w.at[c.At]]
		f.Candidate = c
		if f.section, err = f.seg.cat.Section(f.named); err != nil {
			return nil, err
		}
		if f.file, err = f.seg.cat.File(f.chunk.File); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// A weigher looks at candidates more closely, each at most once.
type weigher struct {
	l      *Library
	res    index.Result
	titles *index.Titles
	text   string
	name   string // the words of text
	found  []found
	at     []int32 // where in found each candidate is, once it was weighed
}

// candidates are the matches with what the postings say about them.
func (w *weigher) candidates() ([]rank.Candidate, error) {
	least := closeEnough * w.res.Matches[0].Score.Float()
	byName := doc.IsMarkdown(w.text)
	cs := make([]rank.Candidate, len(w.res.Matches))
	w.at = make([]int32, len(cs))
	for i := range w.res.Matches {
		m := &w.res.Matches[i]
		s, row := w.l.locate(m.Num)
		file, err := s.cat.FileOf(row)
		if err != nil {
			return nil, err
		}
		c := &cs[i]
		c.At, c.Score, c.Page = i, m.Score.Float(), s.page(file)
		if c.Score >= least {
			c.Most.Match, c.Most.Path = w.titles.Most(m)
			// The words of a file's name are among the headings, its ending is not.
			c.Most.Named = c.Most.Path == 1 || byName
		}
	}
	return cs, nil
}

// weigh finds out where a candidate stands and how well the titles there answer.
func (w *weigher) weigh(c *rank.Candidate) error {
	f := found{num: w.res.Matches[c.At].Num}
	f.seg, f.row = w.l.locate(f.num)
	cat := f.seg.cat
	var err error
	if f.chunk, err = cat.Chunk(f.row); err != nil {
		return err
	}
	f.named = f.chunk.Section
	first, end, err := cat.SectionsOf(f.chunk.File)
	if err != nil {
		return err
	}
	if c.Most.Match > 0 {
		if c.Match, err = f.match(w.titles, end); err != nil {
			return err
		}
		c.Match = min(c.Match, c.Most.Match)
	}
	if c.Most.Path > 0 {
		n, err := cat.PathOf(f.chunk.File)
		if err != nil {
			return err
		}
		if c.Path, err = f.seg.cover(w.titles, n); err != nil {
			return err
		}
		c.Path = min(c.Path, c.Most.Path)
	}
	if c.Most.Named && f.chunk.Section == first {
		p, err := cat.Path(f.chunk.File)
		if err != nil {
			return err
		}
		c.Named = isNamed(p, w.text, w.name)
	}
	w.at[c.At] = int32(len(w.found))
	w.found = append(w.found, f)
	return nil
}

// match compares the titles in a candidate with the question, and names it after
// the section whose title does best: small sections are merged into one chunk,
// and the reader should see the one that was asked for. The sections of the file
// end at row end.
func (f *found) match(titles *index.Titles, end int) (best float64, err error) {
	for i := f.chunk.Section; i < end; i++ {
		h, err := f.seg.cat.Heading(i)
		if err != nil {
			return 0, err
		}
		if i > f.chunk.Section && (h.Start >= f.chunk.Span.End || f.chunk.Part > 0) {
			break
		}
		m, err := f.seg.match(titles, h.Title)
		if err != nil {
			return 0, err
		}
		if i == f.chunk.Section || m > best && !h.Bare {
			best, f.named = m, i
		}
	}
	return best, nil
}

// isNamed reports whether a file has the question for its name, with or without
// its ending.
func isNamed(file, text, words string) bool {
	base := path.Base(file)
	return strings.EqualFold(base, text) || slugWords(trimExt(base)) == words
}

func trimExt(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// page identifies a file among those of all segments.
func (s *seg) page(file int) uint64 { return uint64(s.number)<<32 | uint64(file) }
