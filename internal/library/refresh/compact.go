package refresh

import (
	"slices"

	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/build"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// compact merges the segments of a commit if there are too many deltas, or too many
// files in them. No document is read. A base of several segments is left alone: to merge
// it would take the memory that they were divided to save.
func compact(v *snapshot.View, c segment.Commit, m snapshot.Meta) (segment.Commit, snapshot.Meta, error) {
	segs := slices.Clone(v.Segments)
	for _, parts := range c.Add {
		s, err := snapshot.OpenParts(parts)
		if err != nil {
			return c, m, err
		}
		segs = append(segs, s)
	}
	first := m.Bases() // merge the deltas only
	deltaFiles := 0
	for _, s := range segs[first:] {
		deltaFiles += s.Table.Files()
	}
	for len(m.Dead) < len(segs) {
		m.Dead = append(m.Dead, nil)
	}
	tooMany := first == 1 && (deltaFiles > maxDeltaFiles || len(m.Dead[0]) > 2*maxDeltaFiles)
	if len(segs)-first <= maxDeltas && !tooMany {
		return c, m, nil
	}
	if tooMany {
		first = 0
		m.Merged += max(deltaFiles, len(m.Dead[0]))
	}
	parts, err := build.MergeSegments(segs[first:], m.Dead[first:])
	if err != nil {
		return c, m, err
	}
	c.Keep = c.Keep[:first]
	c.Add = [][]segment.Part{parts}
	m.Dead = append(m.Dead[:first:first], nil)
	return c, m, nil
}
