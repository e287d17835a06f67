package build

import (
	"cmp"
	"slices"

	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/vector"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// mergeVectors merges the vectors of segments, in the order of the texts. There are
// none unless all segments have vectors of the same model.
func mergeVectors(segs []*snapshot.Segment, order []index.Place) ([]segment.Part, error) {
	var model embedding.ModelInfo
	var delta []byte
	all := make([]*embedding.Vectors, len(segs))
	for i, s := range segs {
		m, err := s.Vectors()
		if err != nil {
			return nil, err
		}
		if m == nil || i > 0 && m.Model != model {
			return nil, nil
		}
		all[i], model = m, m.Model
		if m.Delta != nil {
			if delta, err = m.Delta.Bytes(0, m.Delta.Len()); err != nil {
				return nil, err
			}
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	b, err := vector.NewBuilder(all[0].Rows.Dim())
	for _, p := range order {
		if err == nil {
			err = b.Copy(all[p.Input].Rows, int(p.Num))
		}
	}
	if err != nil {
		return nil, err
	}
	return embedding.VectorParts(model, b, delta)
}

// MergeSegments makes one segment of several, byte for byte the one that building
// from the live files would give.
func MergeSegments(segs []*snapshot.Segment, dead [][]int) ([]segment.Part, error) {
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
		set, err := (&snapshot.Segment{Table: s.Table, Dead: gone}).DeadTexts()
		if err != nil {
			return nil, err
		}
		in[i] = index.Input{Reader: s.Index, Deleted: set}
		for row := range s.Table.Files() {
			if gone[row] {
				continue
			}
			p, err := s.Table.Path(row)
			if err != nil {
				return nil, err
			}
			files = append(files, fileAt{p, i, row})
		}
	}
	slices.SortFunc(files, func(a, b fileAt) int { return cmp.Compare(a.path, b.path) })
	t := NewTables()
	var order []index.Place
	for _, f := range files {
		if err := t.copy(segs[f.seg], f.row); err != nil {
			return nil, err
		}
		row, err := segs[f.seg].Table.File(f.row)
		if err != nil {
			return nil, err
		}
		for i := range row.Chunks {
			order = append(order, index.Place{Input: f.seg, Num: uint32(row.FirstChunk + i)})
		}
	}
	parts, err := t.Parts(func() ([]index.Part, error) { return index.Merge(in, order, 0) })
	if err != nil {
		return nil, err
	}
	vectors, err := mergeVectors(segs, order)
	return append(parts, vectors...), err
}
