package docent

import (
	"path"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/rank"
)

// found is a candidate that was weighed.
type found struct {
	rank.Candidate
	num     uint32
	seg     *seg
	row     int
	chunk   doctable.Chunk
	file    doctable.File
	section doctable.Section // what it is named after
	named   int              // and the row of that
	fused   *fused           // nil when words alone counted
}

func (f found) final() float64 { return f.Final }

// closeEnough is the share of the best score under which titles are not looked
// at: no title could bring such a candidate to the top. Beyond fewest, such
// candidates are not looked for.
const (
	closeEnough = 0.5
	fewest      = 10
)

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
		f.Candidate, f.named = c, int(w.named[c.At])
		f.num = res.Matches[c.At].Num
		f.seg, f.row = l.locate(f.num)
		if f.chunk, err = f.seg.cat.Chunk(f.row); err != nil {
			return nil, err
		}
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
	name   string  // the words of text
	named  []int32 // the row of the section each candidate is named after, once it was weighed
}

// candidates are the matches with what the postings say about them.
func (w *weigher) candidates() ([]rank.Candidate, error) {
	least := closeEnough * w.res.Matches[0].Score.Float()
	byName := doc.IsMarkdown(w.text)
	cs := make([]rank.Candidate, len(w.res.Matches))
	w.named = make([]int32, len(cs))
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

// weigh finds out how well the titles in a candidate, and its path, answer.
func (w *weigher) weigh(c *rank.Candidate) error {
	s, row := w.l.locate(w.res.Matches[c.At].Num)
	chunk, err := s.cat.Chunk(row)
	if err != nil {
		return err
	}
	w.named[c.At] = int32(chunk.Section)
	if c.Most.Match > 0 {
		m, named, err := w.match(s, chunk)
		if err != nil {
			return err
		}
		c.Match, w.named[c.At] = min(m, c.Most.Match), int32(named)
	}
	if c.Most.Path > 0 {
		n, err := s.cat.PathOf(chunk.File)
		if err != nil {
			return err
		}
		if c.Path, err = s.cover(w.titles, n); err != nil {
			return err
		}
		c.Path = min(c.Path, c.Most.Path)
	}
	if c.Most.Named {
		c.Named, err = w.isNamed(s, chunk)
	}
	return err
}

// match compares the titles in a chunk with the question, and names the chunk
// after the section whose title does best: small sections are merged into one
// chunk, and the reader should see the one that was asked for.
func (w *weigher) match(s *seg, c doctable.Chunk) (best float64, named int, err error) {
	first, end, err := s.cat.SectionsOf(c.File)
	if err != nil {
		return 0, 0, err
	}
	for i := c.Section; i < end; i++ {
		h, err := s.cat.Heading(i)
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
func (w *weigher) matchTitle(s *seg, first, i int, h doctable.Heading) (float64, error) {
	own, err := s.read(w.titles, h.Title)
	if err != nil || !own.Open() {
		return own.Value(), err
	}
	var buf [8]index.Reading
	over := buf[:0]
	for h.Parent >= 0 && first+h.Parent < i { // damage must not lead around in circles
		i = first + h.Parent
		if h, err = s.cat.Heading(i); err != nil {
			return 0, err
		}
		r, err := s.read(w.titles, h.Title)
		if err != nil {
			return 0, err
		}
		over = append(over, r)
	}
	return own.Under(over...), nil
}

// isNamed reports whether a chunk begins the file that has the question for its
// name.
func (w *weigher) isNamed(s *seg, c doctable.Chunk) (bool, error) {
	first, _, err := s.cat.SectionsOf(c.File)
	if err != nil || c.Section != first {
		return false, err
	}
	p, err := s.cat.Path(c.File)
	return err == nil && isNamed(p, w.text, w.name), err
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
