package docent

import (
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/indexset"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/search"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// The errors of a library, for errors.Is. Those that concern a name come wrapped, with
// the name; an answer.NotFoundError also names what comes nearest.
var (
	ErrNoPath      = answer.ErrNoPath
	ErrNoDocuments = answer.ErrNoDocuments
	ErrNotFound    = answer.ErrNotFound
	ErrNoSection   = answer.ErrNoSection
	ErrNoField     = answer.ErrNoField
	ErrNoValue     = answer.ErrNoValue
	ErrBadRegexp   = answer.ErrBadRegexp
	ErrCitation    = answer.ErrCitation
	ErrStale       = answer.ErrStale         // files keep changing while they are asked about
	ErrNoAssistant = search.ErrNoReranker    // a model's help was asked for, and there is none
	ErrNoIndex     = indexset.ErrNoIndex     // no index has that name
	ErrNoIndexYet  = refresh.ErrNoIndexYet   // it is still being built in the background
	ErrUnsupported = snapshot.ErrUnsupported // a database cannot do that
	ErrNoFolder    = snapshot.ErrNoFolder    // a pack or a database has no files beside its documents
)
