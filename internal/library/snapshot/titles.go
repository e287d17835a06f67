package snapshot

import (
	"path"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/index"
)

func TrimExt(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// A titleCache caches the titles or paths of a segment, analysed for comparing them
// with questions. To cache one pays from the third question on that looks at it, so it
// is cached when it is seen again: a process that answers once caches next to nothing, a
// server soon has all that its answers touch. The zero value is ready for use.
type titleCache struct {
	once    sync.Once
	seen    []atomic.Uint64 // a bit a string
	phrases []atomic.Pointer[index.Phrase]
}

// get returns string n analysed, or its text where caching would not pay yet.
func (p *titleCache) get(table *doctable.Reader, n uint32, t *index.Titles, trim func(string) string) (*index.Phrase, string, error) {
	p.once.Do(func() {
		p.seen = make([]atomic.Uint64, table.Strings()/64+1)
		p.phrases = make([]atomic.Pointer[index.Phrase], table.Strings())
	})
	if int(n) < len(p.phrases) {
		if ph := p.phrases[n].Load(); ph != nil {
			return ph, "", nil
		}
	}
	text, err := table.String(n)
	if err != nil {
		return nil, "", err
	}
	if trim != nil {
		text = trim(text)
	}
	if bit := uint64(1) << (n % 64); p.seen[n/64].Or(bit)&bit == 0 {
		return nil, text, nil
	}
	ph := t.Phrase(text)
	p.phrases[n].Store(ph)
	return ph, "", nil
}
