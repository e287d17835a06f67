package answer

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/visible"
)

// TrailMark joins the titles of a breadcrumb where it is one text.
const TrailMark = " → "

// A Record is a chunk as the outside world reads it: a line of "docent chunks",
// of "docent search --jsonl", a row of a database.
type Record struct {
	SectionID string   `json:"section_id"` // a Ref
	ParentID  *string  `json:"parent_id"`  // the Ref of the section above; null at the top
	Title     string   `json:"title"`
	Path      string   `json:"path"` // the breadcrumb, joined with " → "
	Content   string   `json:"content"`
	Source    Source   `json:"source"`
	Tokens    int      `json:"tokens"`
	Headings  []string `json:"headings"` // the breadcrumb
	Hash      string   `json:"hash"`     // of the source text, as a citation carries it
}

// Citation says where the text is, with its hash: guide/auth.md#jwt:15-48@3f2a91.
func (r *Record) Citation() string {
	index, place, _ := strings.Cut(r.SectionID, doc.Ref{Path: r.Source.File}.String())
	ref := doc.Ref{
		Path: r.Source.File, Anchor: strings.TrimPrefix(place, "#"),
		Lines: doc.Lines{Start: r.Source.Lines[0], End: r.Source.Lines[1]}, Hash: r.Hash,
	}
	return index + ref.String()
}

// A Source says which document a record was cut from, and which lines of it.
type Source struct {
	ID    string `json:"id"`   // the path: titles are not unique
	Name  string `json:"name"` // the document's title
	File  string `json:"file"`
	Lines [2]int `json:"lines"`
}

// Records describes the chunks of a document. Parts of a divided section take the
// suffixes -1, -2 and so on or, where another section is called so, -part-1, -part-2.
func Records(d *doc.Document, chunks []doc.Chunk) []Record {
	taken := make(map[string]bool, len(d.Sections))
	for _, s := range d.Sections {
		taken[s.Anchor] = true
	}
	next := map[string]int{}
	out := make([]Record, len(chunks))
	for i, c := range chunks {
		anchor := c.Anchor
		// A part may begin with the headings above its section, which have no text of their own.
		if c.Part > 0 || i+1 < len(chunks) && chunks[i+1].Part > 0 && chunks[i+1].Section == c.Section {
			anchor = PartAnchor(c.Anchor, taken, next)
		}
		r := Record{
			SectionID: doc.Ref{Path: d.Path, Anchor: anchor}.String(),
			Title:     c.Title,
			Path:      strings.Join(c.Path, TrailMark),
			Content:   strings.TrimPrefix(c.Text, "\ufeff"),
			Source:    Source{ID: d.Path, Name: d.Title, File: d.Path, Lines: [2]int{c.Lines.Start, c.Lines.End}},
			Tokens:    c.Tokens,
			Headings:  c.Path,
			Hash:      HashText(HashOf(c.Span.Of(d.Source))),
		}
		if parent := d.Sections[c.Section].Parent; parent >= 0 {
			id := doc.Ref{Path: d.Path, Anchor: d.Sections[parent].Anchor}.String()
			r.ParentID = &id
		}
		out[i] = r
	}
	return out
}

// maxParts is how many parts a section may have before their numbers may pass over some.
const maxParts = 100

// PartAnchor returns the anchor of the next part of a section. Numbers are consecutive
// from 1.
func PartAnchor(anchor string, taken map[string]bool, next map[string]int) string {
	part := func(between string, n int) string {
		if anchor == "" {
			return strings.TrimPrefix(between, "-") + strconv.Itoa(n)
		}
		return anchor + between + strconv.Itoa(n)
	}
	between := "-"
	for n := 1; n <= maxParts; n++ {
		if taken[part("-", n)] {
			between = "-part-"
			break
		}
	}
	for {
		next[anchor]++
		if name := part(between, next[anchor]); !taken[name] {
			return name
		}
	}
}

// HashOf identifies a text by the first 64 bits of its SHA-256.
func HashOf(text []byte) uint64 {
	sum := sha256.Sum256(text)
	return binary.BigEndian.Uint64(sum[:])
}

// FullHash is a hash in hexadecimal.
func FullHash(h uint64) string {
	return hex.EncodeToString(binary.BigEndian.AppendUint64(nil, h))
}

// HashText is a hash as records and citations carry it: 32 bits, which tell a
// citation's text from anything else that may be at its place.
func HashText(h uint64) string {
	return hex.EncodeToString(binary.BigEndian.AppendUint32(nil, uint32(h>>32)))
}

// Anchor returns the part of a record's id behind its file.
func (r *Record) Anchor() string {
	ref, err := doc.ParseRef(r.SectionID)
	if err != nil || ref.Path != r.Source.File {
		return ""
	}
	return ref.Anchor
}

// What became of a citation.
const (
	Same    = "same"    // the text is where it was
	Moved   = "moved"   // the same text is elsewhere
	Changed = "changed" // its section is there, with another text
	Gone    = "gone"    // neither the text nor its section is there
)

// A Verdict is what "docent verify" finds out about a citation.
type Verdict struct {
	Citation string `json:"citation"`
	Status   string `json:"status"`
	Now      string `json:"now,omitempty"` // the citation as it would be written today
}

// Empty reports whether the cited text does not exist any more.
func (v *Verdict) Empty() bool { return v.Status == Changed || v.Status == Gone }

// WriteText writes the verdict on one line.
func (v *Verdict) WriteText(w io.Writer) error {
	line := v.Status
	if v.Now != "" && v.Status != Same {
		line += " " + visible.Line(v.Now)
	}
	_, err := fmt.Fprintln(w, line)
	return err
}

// A NotFoundError is an ErrNotFound or ErrNoSection with what comes nearest to
// the name.
type NotFoundError struct {
	Name    string
	Nearest []string // Refs that exist
	Err     error
}

func (e *NotFoundError) Error() string { return fmt.Sprintf("%v: %s", e.Err, e.Name) }

func (e *NotFoundError) Unwrap() error { return e.Err }

// The errors of a library, for errors.Is. Those that concern a name come
// wrapped, with the name.
var (
	ErrNoPath      = errors.New("path not found")
	ErrNoDocuments = errors.New("no documents found")
	ErrNotFound    = errors.New("document not found")
	ErrNoSection   = errors.New("section not found")
	ErrNoField     = errors.New("no document has the field")
	ErrNoValue     = errors.New("no document has the value")
	ErrBadRegexp   = errors.New("invalid regex")
	ErrCitation    = errors.New("the cited text is no longer there")
	ErrStale       = errors.New("files keep changing: try again")
)
