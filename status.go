package docent

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/visible"
)

// A FileInfo is one file of a library.
type FileInfo struct {
	File     string `json:"file"`
	Title    string `json:"title"`
	Sections int    `json:"sections"`
	Chunks   int    `json:"chunks"`
	Lines    int    `json:"lines"`
	Tokens   int    `json:"tokens"`
	Bytes    int64  `json:"bytes"`
}

// A FileList is what "docent list" shows.
type FileList struct {
	Files  []FileInfo `json:"files"`
	Chunks int        `json:"chunks"`
	Tokens int        `json:"tokens"`
}

// Files lists the files whose paths begin with prefix, in the order of paths.
func (l *Library) Files(prefix string) (*FileList, error) {
	if l.stored != nil {
		return l.stored.list(context.Background(), prefix)
	}
	files, err := l.live()
	if err != nil {
		return nil, err
	}
	out := &FileList{Files: []FileInfo{}}
	for _, k := range files {
		if !strings.HasPrefix(k.path, prefix) {
			continue
		}
		f := k.file
		out.Files = append(out.Files, FileInfo{f.Path, f.Title, f.Sections, f.Chunks, f.Lines, f.Tokens, f.Size})
		out.Chunks += f.Chunks
		out.Tokens += f.Tokens
	}
	return out, nil
}

// Nothing reports whether the list is empty.
func (f *FileList) Nothing() bool { return len(f.Files) == 0 }

// WriteText writes a line a file, and the sums.
func (f *FileList) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	for _, i := range f.Files {
		fmt.Fprintf(b, "%s  %s  (%s, %s)\n", visible.Line(i.File), visible.Line(i.Title), plural(i.Chunks, "chunk"), plural(i.Tokens, "token"))
	}
	fmt.Fprintf(b, "\n%s, %s, %s\n", plural(len(f.Files), "file"), plural(f.Chunks, "chunk"), plural(f.Tokens, "token"))
	_, err := io.WriteString(w, b.String())
	return err
}

// A ChunkInfo is one chunk of a file.
type ChunkInfo struct {
	Ref      string   `json:"ref"`
	Title    string   `json:"title"`
	Headings []string `json:"headings"`
	Lines    [2]int   `json:"lines"`
	Tokens   int      `json:"tokens"`
}

// A FileChunks is what "docent info" shows.
type FileChunks struct {
	FileInfo
	List []ChunkInfo `json:"list"`
}

// Info describes one file and the chunks it was cut into.
func (l *Library) Info(path string) (*FileChunks, error) {
	if l.stored != nil {
		lib, err := l.stored.file(context.Background(), path)
		if err != nil {
			return nil, err
		}
		return lib.Info(path)
	}
	k, ok, err := l.lookup(path)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, l.noFile(path)
	}
	f := k.file
	out := &FileChunks{FileInfo: FileInfo{f.Path, f.Title, f.Sections, f.Chunks, f.Lines, f.Tokens, f.Size}, List: []ChunkInfo{}}
	cat := l.segs[k.seg].cat
	for i := range f.Chunks {
		c, err := cat.Chunk(f.FirstChunk + i)
		if err != nil {
			return nil, err
		}
		s, err := cat.Section(c.Section)
		if err != nil {
			return nil, err
		}
		trail, err := cat.Trail(f, c.Section)
		if err != nil {
			return nil, err
		}
		ref := doc.Ref{Path: f.Path, Anchor: s.Anchor, Lines: c.Lines}
		out.List = append(out.List, ChunkInfo{ref.String(), s.Title, trail, [2]int{c.Lines.Start, c.Lines.End}, c.Tokens})
	}
	return out, nil
}

// WriteText writes a line a chunk.
func (f *FileChunks) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s  %s  (%s, %s, %s)\n", visible.Line(f.File), visible.Line(f.Title),
		plural(f.Chunks, "chunk"), plural(f.Lines, "line"), plural(f.Tokens, "token"))
	for _, c := range f.List {
		fmt.Fprintf(b, "  %s  %s  (%s)\n", visible.Line(c.Ref), visible.Line(strings.Join(c.Headings, " > ")), plural(c.Tokens, "token"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// A Status says what is indexed, where, how fresh it is and what was skipped.
type Status struct {
	Root      string    `json:"root"`
	Paths     []string  `json:"paths"`
	Config    string    `json:"config,omitempty"`
	Index     string    `json:"index"`
	Files     int       `json:"files"`
	Sections  int       `json:"sections"`
	Chunks    int       `json:"chunks"`
	IndexSize int64     `json:"index_size"`
	Model     string    `json:"model"` // that vectors come from: none, builtin, "builtin, adapted" and so on
	Segments  int       `json:"segments"`
	Built     time.Time `json:"built"`
	Updated   time.Time `json:"updated"`
	Freshness string    `json:"freshness"`
	Skips     int       `json:"skips"`
	Skipped   []Skip    `json:"skipped"`
}

// Status describes the library.
func (l *Library) Status() *Status {
	if l.stored != nil {
		if s, err := l.stored.status(context.Background()); err == nil {
			return s
		}
	}
	s := &Status{
		Root: l.corpus.dir, Paths: l.corpus.config.Paths, Config: l.corpus.file, Index: l.corpus.store,
		Files: l.fileCount(), Chunks: l.search.Len(), Segments: len(l.segs),
		Built: l.meta.Built, Updated: l.meta.Updated, Freshness: l.Freshness(),
	}
	s.Skipped, s.Skips = l.skips()
	s.Model = l.modelName()
	if l.snap == nil && l.pack == nil {
		s.Index = "in memory"
	}
	if s.Skipped == nil {
		s.Skipped = []Skip{}
	}
	for _, g := range l.segs {
		s.IndexSize += g.size()
	}
	for _, g := range l.segs {
		for row := range g.cat.Files() {
			if first, end, err := g.cat.SectionsOf(row); err == nil && !g.dead[row] {
				s.Sections += end - first
			}
		}
	}
	return s
}

// WriteText writes the status a fact a line.
func (s *Status) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "root      %s\n", s.Root)
	if s.Config != "" {
		fmt.Fprintf(b, "config    %s\n", s.Config)
	}
	fmt.Fprintf(b, "paths     %s\n", strings.Join(s.Paths, ", "))
	fmt.Fprintf(b, "index     %s\n", s.Index)
	fmt.Fprintf(b, "holds     %s, %s, %s\n", plural(s.Files, "file"), plural(s.Sections, "section"), plural(s.Chunks, "chunk"))
	fmt.Fprintf(b, "size      %s in %s\n", byteSize(s.IndexSize), plural(s.Segments, "segment"))
	fmt.Fprintf(b, "model     %s\n", visible.Line(s.Model))
	fmt.Fprintf(b, "fresh     %s\n", s.Freshness)
	fmt.Fprintf(b, "skipped   %s\n", plural(s.Skips, "file"))
	for _, k := range s.Skipped {
		reason := k.Reason
		if k.Detail != "" {
			reason += ": " + k.Detail
		}
		fmt.Fprintf(b, "  %s  %s\n", visible.Line(k.Path), visible.Line(reason))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Freshness says in a line how true to the files the library's answers are.
func (l *Library) Freshness() string {
	state := l.fresh()
	if l.held != nil && l.held.fresh != "" {
		return l.held.fresh
	}
	switch at := state.checked; {
	case state.note != "":
		return state.note
	case l.pack != nil:
		return fmt.Sprintf("packed file, %s", plural(l.fileCount(), "file"))
	case at.IsZero():
		return "index of " + ago(l.meta.Updated) + ", not compared with the files"
	case l.unkept != nil:
		return fmt.Sprintf("index fresh, but for the vectors of %s that changed", plural(l.segs[len(l.segs)-1].cat.Files(), "file"))
	case state.refreshed > 0:
		return fmt.Sprintf("index fresh, %s refreshed", plural(state.refreshed, "file"))
	case state.earlier:
		return fmt.Sprintf("index fresh, %s compared %s", plural(l.fileCount(), "file"), ago(at))
	}
	return fmt.Sprintf("index fresh, %s", plural(l.fileCount(), "file"))
}

// ago gives the time since t in its largest unit.
func ago(t time.Time) string {
	d := time.Since(t)
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		if d >= u.unit {
			return plural(int(d/u.unit), u.name) + " ago"
		}
	}
	return "just now"
}

// byteSize gives "21 kB", "3.4 MB".
func byteSize(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
