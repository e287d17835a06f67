package snapshot

import (
	"context"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
)

// An Origin is where the documents of a view are read from: a folder, a pack, memory.
type Origin interface {
	// Text returns a document, or ErrStale when it is not what was indexed.
	Text(f File) ([]byte, error)

	// SettledText is Text, but trusts the size and time of a file: its content is not
	// compared when these are the same.
	SettledText(f File) ([]byte, error)

	// Check returns ErrStale when a document is not what was indexed, by its size and
	// time where these can tell.
	Check(f File) error

	// ModTime is when a document was last changed, in milliseconds since 1970; 0 when
	// that is not known.
	ModTime(f File) (int64, error)

	// Dir is the folder of the documents on disk; "" when there is none.
	Dir() string

	// Exists reports whether a file that is no document is there, where that is known.
	Exists(path string) (exists, known bool)

	// Record returns the record of the chunk in a row, where it was stored as such.
	Record(row int) (answer.Record, bool)

	// AlteredTexts returns the texts of chunks that repeat fences or table heads, by
	// their spans; make finds them in the document.
	AlteredTexts(f File, make func() map[doc.Span]string) map[doc.Span]string

	// Freshness says in a line how fresh answers are: of an index with that many files,
	// last updated at that time.
	Freshness(files int, updated time.Time) string

	// Skipped lists the files that were left out when all were last compared; false
	// when that is what the index says.
	Skipped() ([]answer.Skip, bool)

	// LeftOut lists the Markdown files beside the documents that are not indexed, by rules
	// or by the config. It is ErrNoFolder where there is nothing beside the documents.
	LeftOut(ctx context.Context) ([]answer.Skip, error)

	// MayMissNew reports whether there may be documents that the view does not know,
	// for something that was asked for at a time and not found.
	MayMissNew(asked time.Time) bool
}

// Unchanging is an Origin, less Text and Freshness, whose documents never change.
type Unchanging struct{}

// Check finds nothing wrong.
func (Unchanging) Check(File) error { return nil }

// ModTime is that of the index.
func (Unchanging) ModTime(f File) (int64, error) { return f.Info.ModTime / 1e6, nil }

// Dir is none.
func (Unchanging) Dir() string { return "" }

// Exists does not know.
func (Unchanging) Exists(string) (exists, known bool) { return false, false }

// Record has none.
func (Unchanging) Record(int) (answer.Record, bool) { return answer.Record{}, false }

// AlteredTexts makes them each time.
func (Unchanging) AlteredTexts(_ File, make func() map[doc.Span]string) map[doc.Span]string {
	return make()
}

// Skipped leaves it to the index.
func (Unchanging) Skipped() ([]answer.Skip, bool) { return nil, false }

// LeftOut is an error.
func (Unchanging) LeftOut(context.Context) ([]answer.Skip, error) { return nil, ErrNoFolder }

// MayMissNew is false: there are no new documents.
func (Unchanging) MayMissNew(time.Time) bool { return false }

// A Memory is the documents of a view in memory, by path.
type Memory struct {
	Unchanging
	Texts map[string][]byte
	Fresh string // what Freshness returns
}

// Text returns a document.
func (m *Memory) Text(f File) ([]byte, error) { return m.Texts[f.Path], nil }

// SettledText returns a document.
func (m *Memory) SettledText(f File) ([]byte, error) { return m.Text(f) }

// Freshness returns Fresh.
func (m *Memory) Freshness(int, time.Time) string { return m.Fresh }
