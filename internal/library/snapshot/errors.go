package snapshot

import (
	"errors"
	"io/fs"

	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/snippet"
	"github.com/docent-md/docent/internal/library/embedding"
)

// ErrStale is what reading a document returns, wrapped, when it has changed since it
// was indexed. refresh.Do updates the index and asks again.
var ErrStale = errors.New("files have changed")

// ErrNoFolder is what a snapshot of a pack, a database or memory returns for what lies
// beside its documents.
var ErrNoFolder = errors.New("a pack or a database has no files beside its documents: ask the folder it was made from")

// ErrUnsupported is what a snapshot returns, wrapped, for what needs all documents at
// hand when it has them in a database.
var ErrUnsupported = errors.New("cannot be done with a database or a cluster: ask the folder it was made from")

// ErrOtherRecipe is why an index built under other settings is not used.
var ErrOtherRecipe = embedding.ErrOtherTable

// Unusable reports whether err means that an index must be rebuilt.
func Unusable(err error) bool {
	return errors.Is(err, segment.ErrDamaged) || errors.Is(err, segment.ErrVersion) || errors.Is(err, segment.ErrForeign) ||
		errors.Is(err, index.ErrDamaged) || errors.Is(err, doctable.ErrFormat) ||
		errors.Is(err, graph.ErrFormat) || errors.Is(err, snippet.ErrFormat) || errors.Is(err, ErrOtherRecipe) ||
		errors.Is(err, fs.ErrNotExist)
}

// Damaged reports whether err means that the index itself cannot be read. It is
// rebuilt then.
func Damaged(err error) bool { return err != nil && !errors.Is(err, fs.ErrNotExist) && Unusable(err) }
