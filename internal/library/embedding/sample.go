package embedding

import (
	"hash/fnv"
	"maps"
	"slices"
	"sync"

	"github.com/docent-md/docent/internal/engine/embed"
)

// A Sample collects pages to adapt the table to, up to a size. Of more it takes those
// whose paths hash low: the choice depends on the documents alone, not on the order in
// which workers finish.
type Sample struct {
	mu          sync.Mutex
	pagesByFile map[int]sampled // by the number of the file
	bytes       int
	halve       uint // how often the share of accepted pages was halved
}

type sampled struct {
	page embed.Page
	hash uint64
	size int
}

// maxSample is the most text that is learnt from. A table learns what it can from
// less.
const maxSample = 12 << 20

// Add offers the page of a file.
func (s *Sample) Add(number int, path string, p embed.Page) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(path))
	x := sampled{page: p, hash: h.Sum64()}
	for _, section := range p.Sections {
		x.size += len(section.Title) + len(section.Body)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pagesByFile == nil {
		s.pagesByFile = map[int]sampled{}
	}
	if x.hash<<s.halve>>s.halve != x.hash {
		return
	}
	s.pagesByFile[number] = x
	for s.bytes += x.size; s.bytes > maxSample && s.halve < 63; {
		s.halve++
		for n, x := range s.pagesByFile {
			if x.hash<<s.halve>>s.halve != x.hash {
				delete(s.pagesByFile, n)
				s.bytes -= x.size
			}
		}
	}
}

// pages returns the sample in the order of the files.
func (s *Sample) pages() []embed.Page {
	out := make([]embed.Page, 0, len(s.pagesByFile))
	for _, n := range slices.Sorted(maps.Keys(s.pagesByFile)) {
		out = append(out, s.pagesByFile[n].page)
	}
	return out
}
