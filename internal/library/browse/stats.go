package browse

import (
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// Stats counts what the library holds.
func Stats(v *snapshot.View) (*answer.Stats, error) {
	files, err := v.Files()
	if err != nil {
		return nil, err
	}
	s := &answer.Stats{Documents: len(files), Chunks: v.Searcher.Len()}
	for _, k := range files {
		f := k.Info
		s.Lines += f.Lines
		s.Bytes += f.Size
		s.Tokens += f.Tokens
		s.Sections += f.Sections
		s.CodeBlocks += f.Fences
		s.Links += f.Links
	}
	err = v.Searcher.Terms(func([]byte, int) bool {
		s.Unique++
		return true
	})
	if err != nil {
		return nil, err
	}
	for _, g := range v.Segments {
		s.IndexSize += g.Size()
	}
	// The index is mapped, so its pages take memory only while they are used; a process
	// needs about 12 MB more, as measured.
	s.Memory = s.IndexSize + 12<<20
	return s, nil
}
