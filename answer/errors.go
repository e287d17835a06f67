package answer

import (
	"errors"
	"fmt"
)

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
	ErrBadRegexp   = errors.New("invalid regex")
	ErrCitation    = errors.New("the cited text is no longer there")
	ErrStale       = errors.New("files keep changing: try again")
)
