// Package snapshot holds one open, unchanging state of an index: its segments joined
// for searching, and the documents behind them.
//
// A Snapshot is what every question is answered from. It hands out a View, which has
// the segments: all of them where they are at hand, the candidates for one question
// where they are in a database. Nothing above asks which of the two it has.
package snapshot

import (
	"context"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
)

// A Snapshot is one open, unchanging state of an index. A folder, a pack, an index in
// memory, a database and a union of named indexes are snapshots. It may be used by
// many goroutines at once.
type Snapshot interface {
	// View returns the segments that hold what is wanted, or an ErrUnsupported.
	View(ctx context.Context, w Want) (*View, error)

	// Name is what the corpus is called.
	Name() string

	// Files lists the documents whose paths begin with prefix, in the order of paths.
	Files(ctx context.Context, prefix string) ([]answer.FileInfo, error)

	// References returns what each of some places refers to; Backlinks what refers to
	// one from elsewhere, up to most of them, and how many there are.
	References(ctx context.Context, at []Place) ([][]answer.Reference, error)
	Backlinks(ctx context.Context, at Place, most int) ([]answer.Reference, int, error)

	// Status says what is indexed, where, and how fresh it is.
	Status(ctx context.Context) (*answer.Status, error)

	// Intact returns segment.ErrReplaced, wrapped, if files of the index were replaced or
	// written to since they were opened.
	Intact() error

	// Close releases the files. No view of the snapshot may be used afterwards.
	Close() error
}

// A Want says what a view is wanted for. The zero value wants all documents.
type Want struct {
	Query      *answer.Query // the candidates for a question
	Candidates int           // and how many of the best may be needed
	Document   string        // the document that a Ref leads to
	Fields     bool          // what all documents say of themselves; their text need not be there
}

// A Place is a part of a document, as an answer shows it.
type Place struct {
	Index     string // the named index it belongs to; "" for the snapshot's own
	File      string
	SectionID string // of the section or chunk
	IsChunk   bool   // it is one chunk, not a section
	Lines     doc.Lines
	Content   string
}
