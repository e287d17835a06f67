package docent

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// Stats are the numbers of a corpus.
type Stats struct {
	Documents  int   `json:"documents"`
	Lines      int   `json:"lines"`
	Bytes      int64 `json:"bytes"`
	Tokens     int   `json:"tokens"` // as a model would read them
	Sections   int   `json:"sections"`
	Chunks     int   `json:"chunks"`
	CodeBlocks int   `json:"code_blocks"`
	Links      int   `json:"links"`
	Unique     int   `json:"unique_tokens"` // different words
	IndexSize  int64 `json:"index_size"`
	Memory     int64 `json:"memory"` // estimated for a program that uses all of it
}

// Stats counts what the library holds.
func (l *Library) Stats() (*Stats, error) {
	files, err := l.live()
	if err != nil {
		return nil, err
	}
	s := &Stats{Documents: len(files), Chunks: l.search.Len()}
	for _, k := range files {
		f := k.file
		s.Lines += f.Lines
		s.Bytes += f.Size
		s.Tokens += f.Tokens
		s.Sections += f.Sections
		s.CodeBlocks += f.Fences
		s.Links += f.Links
	}
	err = l.search.Terms(func([]byte, int) bool {
		s.Unique++
		return true
	})
	if err != nil {
		return nil, err
	}
	for _, g := range l.segs {
		s.IndexSize += g.size()
	}
	// The index is mapped, so that its pages are memory only while they are
	// used; what a process needs beside it was measured at about 12 MB.
	s.Memory = s.IndexSize + 12<<20
	return s, nil
}

// List returns the paths of the documents that begin with prefix, in order.
func (l *Library) List(prefix string) ([]string, error) {
	if l.stored != nil {
		list, err := l.stored.list(context.Background(), prefix)
		paths := []string{}
		for i := 0; err == nil && i < len(list.Files); i++ {
			paths = append(paths, list.Files[i].File)
		}
		return paths, err
	}
	files, err := l.live()
	if err != nil {
		return nil, err
	}
	paths := []string{}
	for _, k := range files {
		if strings.HasPrefix(k.path, prefix) {
			paths = append(paths, k.path)
		}
	}
	return paths, nil
}

// WriteText writes a number a line.
func (s *Stats) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	for _, r := range []struct {
		name, value string
	}{
		{"Documents", commas(s.Documents)},
		{"Total lines", commas(s.Lines)},
		{"Total size", byteSize(s.Bytes)},
		{"Tokens", commas(s.Tokens)},
		{"Unique tokens", commas(s.Unique)},
		{"Sections", commas(s.Sections)},
		{"Chunks", commas(s.Chunks)},
		{"Code blocks", commas(s.CodeBlocks)},
		{"Links", commas(s.Links)},
		{"Index size", byteSize(s.IndexSize)},
		{"Estimated memory", "~" + byteSize(s.Memory)},
	} {
		fmt.Fprintf(b, "%s: %s\n", r.name, r.value)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
