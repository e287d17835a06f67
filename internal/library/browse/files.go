package browse

import (
	"context"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// Files lists the files whose paths begin with prefix, in the order of paths.
func Files(ctx context.Context, s snapshot.Snapshot, prefix string) (*answer.FileList, error) {
	files, err := s.Files(ctx, prefix)
	if err != nil {
		return nil, err
	}
	return answer.NewFileList(files, 0), nil
}

// Info describes one file and the chunks it was cut into.
func Info(ctx context.Context, s snapshot.Snapshot, path string) (*answer.FileChunks, error) {
	v, err := s.View(ctx, snapshot.Want{Document: path})
	if err != nil {
		return nil, err
	}
	k, ok, err := place.Lookup(v, path)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, place.NoFile(v, path)
	}
	f := k.Info
	out := &answer.FileChunks{FileInfo: k.Describe(), List: []answer.ChunkInfo{}}
	table := v.Segments[k.Seg].Table
	for i := range f.Chunks {
		c, err := table.Chunk(f.FirstChunk + i)
		if err != nil {
			return nil, err
		}
		s, err := table.Section(c.Section)
		if err != nil {
			return nil, err
		}
		trail, err := table.Trail(f, c.Section)
		if err != nil {
			return nil, err
		}
		ref := doc.Ref{Path: f.Path, Anchor: s.Anchor, Lines: c.Lines}
		out.List = append(out.List, answer.ChunkInfo{Ref: ref.String(), Title: s.Title, Headings: trail, Lines: [2]int{c.Lines.Start, c.Lines.End}, Tokens: c.Tokens})
	}
	return out, nil
}

// listChosen lists the documents of a view in the order of paths.
func listChosen(v *snapshot.View, limit int) (*answer.FileList, error) {
	files, err := v.Files()
	if err != nil {
		return nil, err
	}
	out := make([]answer.FileInfo, len(files))
	for i, k := range files {
		out[i] = k.Describe()
	}
	return answer.NewFileList(out, limit), nil
}

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
