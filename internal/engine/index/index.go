// Package index finds numbered texts by their words. It knows nothing of
// documents: a caller adds texts and gets back the numbers that match.
//
// Build turns texts into parts, named pieces of bytes that never change; Open
// reads them back through a Blob, so that they may be in memory or in a mapped
// file. Merge joins several indexes without looking at the texts again. A
// Searcher answers ranked queries over one or more of them, some texts of which
// may have been deleted since, exactly as it would over a fresh Build of the
// texts that are left.
//
// Readers and Searchers never change and may be used by many goroutines at once.
package index

import (
	"fmt"

	"github.com/docent-md/docent/internal/blob"
)

// A Text is what one number stands for, divided by how much its words weigh.
type Text struct {
	Title    string
	Headings string // the titles above its own
	Body     string

	// Rest holds whatever else the source has, or all of it. Its words carry no
	// weight; they are there so that every word of the source can be looked up.
	Rest string
}

// A Part is one named piece of a built index. The same texts always give the
// same parts, byte for byte.
type Part struct {
	Name string
	Data []byte
}

// ErrDamaged is what reading parts returns, wrapped, when they are not what
// Build wrote.
var ErrDamaged = blob.ErrDamaged

func damaged(what string) error { return fmt.Errorf("%w: %s", ErrDamaged, what) }
