package answer

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Report says what a scan came across.
type Report struct {
	Files   int    // documents read
	Skipped []Skip // files that were not, and why
}

// A Skip is a file that was left out.
type Skip struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
	Detail string `json:"detail,omitempty"`
}

// Reasons sums up why files were skipped: "2 not UTF-8, 1 too large".
func (r Report) Reasons() string { return reasonText(countSkips(r.Skipped)) }

// A SkipCount is how many files were left out for a reason.
type SkipCount struct {
	Reason string `json:"reason"`
	Files  int    `json:"files"`
}

// folder is the name of the folders that a count is of, where they are left out by name.
// Those of other people's packages, which never hold documents of a project, are not told.
func (c SkipCount) folder() (string, bool) {
	name, in := strings.CutPrefix(c.Reason, "in ")
	name, ok := strings.CutSuffix(name, "/ folders")
	return name, in && ok && name != "node_modules"
}

// countSkips counts files by reason, in the order in which the reasons come up.
func countSkips(skips []Skip) (out []SkipCount) {
	for _, s := range skips {
		i := slices.IndexFunc(out, func(c SkipCount) bool { return c.Reason == s.Reason })
		if i < 0 {
			i = len(out)
			out = append(out, SkipCount{Reason: s.Reason})
		}
		out[i].Files++
	}
	return out
}

func reasonText(counts []SkipCount) string {
	var texts []string
	for _, c := range counts {
		texts = append(texts, fmt.Sprintf("%s %s", human.Commas(c.Files), c.Reason))
	}
	return strings.Join(texts, ", ")
}

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

// WriteText writes a number a line.
func (s *Stats) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	for _, r := range []struct {
		name, value string
	}{
		{"Documents", human.Commas(s.Documents)},
		{"Total lines", human.Commas(s.Lines)},
		{"Total size", human.ByteSize(s.Bytes)},
		{"Tokens", human.Commas(s.Tokens)},
		{"Unique tokens", human.Commas(s.Unique)},
		{"Sections", human.Commas(s.Sections)},
		{"Chunks", human.Commas(s.Chunks)},
		{"Code blocks", human.Commas(s.CodeBlocks)},
		{"Links", human.Commas(s.Links)},
		{"Index size", human.ByteSize(s.IndexSize)},
		{"Estimated memory", "~" + human.ByteSize(s.Memory)},
	} {
		fmt.Fprintf(b, "%s: %s\n", r.name, r.value)
	}
	return flush(w, b)
}

// A FileInfo is one file of a library.
type FileInfo struct {
	File     string `json:"file"`
	Title    string `json:"title"`
	Sections int    `json:"sections"`
	Chunks   int    `json:"chunks"`
	Lines    int    `json:"lines"`
	Tokens   int    `json:"tokens"`
	Bytes    int64  `json:"bytes"`

	Changed    *time.Time `json:"changed,omitempty"`    // when it was last changed, when that was asked for and is known
	Similarity float64    `json:"similarity,omitempty"` // to what was asked for, by embeddings: a cosine
	FoundBy    string     `json:"found_by,omitempty"`   // title (or path), text, or meaning

	Modified time.Time `json:"-"` // as the file system has it; zero where that is not known
	Hash     string    `json:"-"` // of its content; "" where that is not known
}

// A FileList is what "docent list" and "docent files" show.
type FileList struct {
	Files  []FileInfo `json:"files"`
	Chunks int        `json:"chunks"`
	Tokens int        `json:"tokens"`
	Note   string     `json:"note,omitempty"`         // why embeddings had no part in it, or that nothing is close
	Beyond int        `json:"beyond_limit,omitempty"` // further files that the limit had no place for
}

// NewFileList lists the first of files, at most limit; 0 means all.
func NewFileList(files []FileInfo, limit int) *FileList {
	out := &FileList{Files: []FileInfo{}}
	if limit > 0 && limit < len(files) {
		files, out.Beyond = files[:limit], len(files)-limit
	}
	for _, f := range files {
		out.Files = append(out.Files, f)
		out.Chunks += f.Chunks
		out.Tokens += f.Tokens
	}
	return out
}

// Paths are the paths of the files.
func (f *FileList) Paths() []string {
	paths := make([]string, len(f.Files))
	for i := range f.Files {
		paths[i] = f.Files[i].File
	}
	return paths
}

// Empty reports whether the list is empty.
func (f *FileList) Empty() bool { return len(f.Files) == 0 }

// WriteText writes a line a file, and the sums.
func (f *FileList) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	for _, i := range f.Files {
		how := ""
		switch i.FoundBy {
		case "text":
			how = ", by its text"
		case "meaning":
			how = ", by meaning"
		}
		if i.Changed != nil {
			how += ", changed " + i.Changed.Format(time.DateOnly)
		}
		fmt.Fprintf(b, "%s  %s  (%s, %s%s)\n", visible.Line(i.File), visible.Line(i.Title), human.Plural(i.Chunks, "chunk"), human.Plural(i.Tokens, "token"), how)
	}
	if f.Note != "" {
		fmt.Fprintf(b, "\n%s\n", visible.Line(f.Note))
	}
	fmt.Fprintf(b, "\n%s, %s, %s", human.Plural(len(f.Files), "file"), human.Plural(f.Chunks, "chunk"), human.Plural(f.Tokens, "token"))
	if f.Beyond > 0 {
		fmt.Fprintf(b, "; left out by the limit: %d more", f.Beyond)
	}
	b.WriteString("\n")
	return flush(w, b)
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

// WriteText writes a line a chunk.
func (f *FileChunks) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s  %s  (%s, %s, %s)\n", visible.Line(f.File), visible.Line(f.Title),
		human.Plural(f.Chunks, "chunk"), human.Plural(f.Lines, "line"), human.Plural(f.Tokens, "token"))
	for _, c := range f.List {
		fmt.Fprintf(b, "  %s  %s  (%s)\n", visible.Line(c.Ref), visible.Line(strings.Join(c.Headings, " > ")), human.Plural(c.Tokens, "token"))
	}
	return flush(w, b)
}

// StatusOptions say what a status should hold.
type StatusOptions struct {
	LeftOut bool // which Markdown files rules or the config leave out
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
	Model     string    `json:"model"`   // that vectors come from: none, builtin, "builtin, adapted" and so on
	Changed   int       `json:"changed"` // files that have changed since the model was adapted to all of them
	Segments  int       `json:"segments"`
	Built     time.Time `json:"built"`
	Updated   time.Time `json:"updated"`
	Freshness string    `json:"freshness"`
	Skips     int       `json:"skips"`
	Skipped   []Skip    `json:"skipped"`

	// Documents that are indexed in part because they have too many of something; the
	// first of them are named.
	Partial      int    `json:"partial"`
	PartialFiles []Skip `json:"partial_files,omitempty"`

	// Markdown files that rules or the config leave out; see StatusOptions.
	LeftOut      int         `json:"left_out"`
	LeftOutBy    []SkipCount `json:"left_out_by,omitempty"`
	LeftOutFiles []Skip      `json:"left_out_files,omitempty"`
}

// SetLeftOut says which Markdown files rules or the config leave out.
func (s *Status) SetLeftOut(files []Skip) {
	s.LeftOut, s.LeftOutBy, s.LeftOutFiles = len(files), countSkips(files), files
}

// WriteText writes the status a fact a line.
func (s *Status) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	if s.Root != "" {
		fmt.Fprintf(b, "root      %s\n", s.Root)
	}
	if s.Config != "" {
		fmt.Fprintf(b, "config    %s\n", s.Config)
	}
	fmt.Fprintf(b, "paths     %s\n", strings.Join(s.Paths, ", "))
	if s.Index != "" {
		fmt.Fprintf(b, "index     %s\n", s.Index)
	}
	fmt.Fprintf(b, "holds     %s, %s, %s\n", human.Plural(s.Files, "file"), human.Plural(s.Sections, "section"), human.Plural(s.Chunks, "chunk"))
	fmt.Fprintf(b, "size      %s in %s\n", human.ByteSize(s.IndexSize), human.Plural(s.Segments, "segment"))
	model := visible.Line(s.Model)
	if s.Changed > 0 {
		model += fmt.Sprintf("; %s changed since (docent index --full adapts it again; so does a change to a tenth of the files)", human.Plural(s.Changed, "file"))
	}
	fmt.Fprintf(b, "model     %s\n", model)
	fmt.Fprintf(b, "fresh     %s\n", s.Freshness)
	fmt.Fprintf(b, "skipped   %s\n", human.Plural(s.Skips, "file"))
	writeSkips(b, s.Skipped)
	if s.Partial > 0 {
		fmt.Fprintf(b, "in part   %s\n", human.Plural(s.Partial, "file"))
		writeSkips(b, s.PartialFiles)
	}
	if s.LeftOut > 0 {
		fmt.Fprintf(b, "left out  %s: %s\n", human.Plural(s.LeftOut, "file"), reasonText(s.LeftOutBy))
		for _, c := range s.LeftOutBy {
			if name, ok := c.folder(); ok {
				fmt.Fprintf(b, "  \"!%s/\" among the ignore rules of .docent.json indexes what is in %s/ folders\n", name, name)
			}
		}
		writeSkips(b, s.LeftOutFiles)
	}
	return flush(w, b)
}

func writeSkips(b *strings.Builder, skips []Skip) {
	for _, k := range skips {
		reason := k.Reason
		if k.Detail != "" {
			reason += ": " + k.Detail
		}
		fmt.Fprintf(b, "  %s  %s\n", visible.Line(k.Path), visible.Line(reason))
	}
}

// A NamedIndex is an index with a name.
type NamedIndex struct {
	Name        string    `json:"name"`
	Description string    `json:"description"`
	Root        string    `json:"root"`              // the folder; relative to the project where it is in it
	Windows     bool      `json:"windows,omitempty"` // cut into overlapping windows of 64 to 320 tokens
	Ignore      []string  `json:"ignore,omitempty"`
	Files       int       `json:"files"`
	Chunks      int       `json:"chunks"`
	Model       string    `json:"model"`
	Updated     time.Time `json:"updated"`
	Centroid    []float32 `json:"centroid,omitempty"`
	Freshness   string    `json:"freshness,omitempty"` // what an inspection found; never stored
}

// Same reports whether n has the same root, options and build time as before.
func (n *NamedIndex) Same(before *NamedIndex) bool {
	return n.Name == before.Name && n.Root == before.Root && n.Windows == before.Windows &&
		slices.Equal(n.Ignore, before.Ignore) && n.Updated.Equal(before.Updated)
}
