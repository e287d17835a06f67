package docent

import (
	"cmp"
	"maps"
	"slices"

	"github.com/docent-md/docent/internal/blob"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/text/chunk"
)

// prepare joins the segments for searching. Texts with equal scores come in the
// order of their paths, whichever segment they are in, so that an index that
// grew answers like one made afresh.
func (l *Library) prepare() error {
	p, err := l.corpus.chunkPolicy()
	if err != nil {
		return err
	}
	l.policy = p
	in := make([]index.Input, len(l.segs))
	total := 0
	for i, s := range l.segs {
		s.number = i
		in[i] = index.Input{Reader: s.idx}
		if len(s.dead) > 0 {
			if in[i].Deleted, err = s.deadTexts(); err != nil {
				return err
			}
		}
		l.first = append(l.first, total)
		total += s.idx.Len()
	}
	if l.held != nil && l.held.corpus != nil {
		l.search, err = index.NewPartial(in, l.held.corpus)
		return err
	}
	if len(l.segs) == 1 {
		l.search, err = index.NewSearcher(in, nil)
		return err
	}
	if l.order, err = l.pathOrder(); err != nil {
		return err
	}
	l.search, err = index.NewSearcher(in, l.order.place)
	return err
}

// chunkPolicy is how the corpus' documents are cut.
func (c *corpus) chunkPolicy() (chunk.Policy, error) {
	p := chunk.Policy{Max: c.config.ChunkMax, Min: max(c.config.ChunkMin, 1), Depth: c.config.ChunkDepth, Window: c.window}
	if err := countBy(&p, c.config.Tokens); err != nil {
		return chunk.Policy{}, err
	}
	return p, p.Validate()
}

// size is how many bytes a segment takes on disk.
func (s *seg) size() int64 {
	if s.file == nil {
		return 0
	}
	return s.file.Size()
}

// deadRows are the dead files of each segment.
func (l *Library) deadRows() [][]int {
	out := make([][]int, len(l.segs))
	for i, s := range l.segs {
		out[i] = slices.Sorted(maps.Keys(s.dead))
	}
	return out
}

// deadTexts are the texts of the files that are dead.
func (s *seg) deadTexts() (*index.Set, error) {
	set := index.NewSet()
	for row := range s.dead {
		first, end, err := s.cat.ChunksOf(row)
		if err != nil {
			return nil, err
		}
		for i := first; i < end; i++ {
			set.Add(uint32(i))
		}
	}
	return set, nil
}

// locate returns the segment of a text and its number there.
func (l *Library) locate(text uint32) (*seg, int) {
	i, found := slices.BinarySearch(l.first, int(text))
	if !found {
		i--
	}
	// Of segments without texts several begin at the same number.
	for i+1 < len(l.first) && l.first[i+1] == l.first[i] {
		i++
	}
	return l.segs[i], int(text) - l.first[i]
}

// find looks a file up by its path.
func (l *Library) find(path string) (known, bool, error) {
	for i := len(l.segs) - 1; i >= 0; i-- {
		row, ok, err := l.segs[i].cat.Find(path)
		if err != nil {
			return known{}, false, err
		}
		if !ok || l.segs[i].dead[row] {
			continue
		}
		k, err := l.known(i, row)
		return k, err == nil, err
	}
	return known{}, false, nil
}

// fileCount is the number of live files.
func (l *Library) fileCount() int {
	if l.held != nil && l.held.corpus != nil {
		return l.held.files
	}
	n := 0
	for _, s := range l.segs {
		n += s.cat.Files() - len(s.dead)
	}
	return n
}

// compact merges the segments of a commit where there have come to be too many
// files or segments beside the base. Nothing is read from the documents.
func (l *Library) compact(c segment.Commit, m meta) (segment.Commit, meta, error) {
	segs := slices.Clone(l.segs)
	for _, parts := range c.Add {
		s, err := segOf(parts)
		if err != nil {
			return c, m, err
		}
		segs = append(segs, s)
	}
	deltaFiles := 0
	for _, s := range segs[1:] {
		deltaFiles += s.cat.Files()
	}
	for len(m.Dead) < len(segs) {
		m.Dead = append(m.Dead, nil)
	}
	if len(segs)-1 <= maxDeltas && deltaFiles <= maxDeltaFiles && len(m.Dead[0]) <= 2*maxDeltaFiles {
		return c, m, nil
	}
	first := 1 // merge the deltas only
	if deltaFiles > maxDeltaFiles || len(m.Dead[0]) > 2*maxDeltaFiles {
		first = 0
	}
	parts, err := mergeSegs(segs[first:], m.Dead[first:])
	if err != nil {
		return c, m, err
	}
	c.Keep = c.Keep[:first]
	c.Add = [][]segment.Part{parts}
	m.Dead = append(m.Dead[:first:first], nil)
	return c, m, nil
}

// segOf opens parts that are not on disk.
func segOf(parts []segment.Part) (*seg, error) {
	return newSeg(func(name string) (blob.Blob, bool) {
		i := slices.IndexFunc(parts, func(p segment.Part) bool { return p.Name == name })
		if i < 0 {
			return nil, false
		}
		return blob.Memory(parts[i].Data), true
	})
}

// mergeSegs makes one segment of several, byte for byte the one that building
// from the live files would give.
func mergeSegs(segs []*seg, dead [][]int) ([]segment.Part, error) {
	type fileAt struct {
		path     string
		seg, row int
	}
	var files []fileAt
	in := make([]index.Input, len(segs))
	for i, s := range segs {
		gone := map[int]bool{}
		for _, row := range dead[i] {
			gone[row] = true
		}
		set, err := (&seg{cat: s.cat, dead: gone}).deadTexts()
		if err != nil {
			return nil, err
		}
		in[i] = index.Input{Reader: s.idx, Deleted: set}
		for row := range s.cat.Files() {
			if gone[row] {
				continue
			}
			p, err := s.cat.Path(row)
			if err != nil {
				return nil, err
			}
			files = append(files, fileAt{p, i, row})
		}
	}
	slices.SortFunc(files, func(a, b fileAt) int { return cmp.Compare(a.path, b.path) })
	t := newTables()
	var order []index.Place
	for _, f := range files {
		if err := t.copy(segs[f.seg], f.row); err != nil {
			return nil, err
		}
		row, err := segs[f.seg].cat.File(f.row)
		if err != nil {
			return nil, err
		}
		for i := range row.Chunks {
			order = append(order, index.Place{Input: f.seg, Num: uint32(row.FirstChunk + i)})
		}
	}
	parts, err := t.parts(func() ([]index.Part, error) { return index.Merge(in, order, 0) })
	if err != nil {
		return nil, err
	}
	vectors, err := mergeMeaning(segs, order)
	return append(parts, vectors...), err
}
