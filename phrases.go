package docent

import (
	"sync"
	"sync/atomic"

	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/index"
)

// phrases are the titles and paths of a segment, taken apart for comparing them
// with questions. To take one apart pays from the third question on that looks
// at it, so one is kept when it is met again: a process that answers once keeps
// next to nothing, a server soon has all that its answers touch. The zero value
// is ready for use.
type phrases struct {
	once sync.Once
	met  []atomic.Uint64 // a bit a string
	kept []atomic.Pointer[index.Phrase]
}

// get returns string n taken apart, or nil where that would not pay.
func (p *phrases) get(cat *doctable.Reader, n uint32, t *index.Titles, trim func(string) string) (*index.Phrase, string, error) {
	p.once.Do(func() {
		p.met = make([]atomic.Uint64, cat.Strings()/64+1)
		p.kept = make([]atomic.Pointer[index.Phrase], cat.Strings())
	})
	if int(n) < len(p.kept) {
		if ph := p.kept[n].Load(); ph != nil {
			return ph, "", nil
		}
	}
	text, err := cat.String(n)
	if err != nil {
		return nil, "", err
	}
	if trim != nil {
		text = trim(text)
	}
	if bit := uint64(1) << (n % 64); p.met[n/64].Or(bit)&bit == 0 {
		return nil, text, nil
	}
	ph := t.Phrase(text)
	p.kept[n].Store(ph)
	return ph, "", nil
}

// read compares title n of the segment with the question.
func (s *seg) read(t *index.Titles, n uint32) (index.Reading, error) {
	p, text, err := s.titles.get(s.cat, n, t, nil)
	if p == nil {
		return t.Read(text), err
	}
	return t.ReadPhrase(p), nil
}

// cover is how much of the question the path n has, its ending left aside.
func (s *seg) cover(t *index.Titles, n uint32) (float64, error) {
	p, text, err := s.paths.get(s.cat, n, t, trimExt)
	if p == nil {
		return t.Cover(text), err
	}
	return t.CoverPhrase(p), nil
}
